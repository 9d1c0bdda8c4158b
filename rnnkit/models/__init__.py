"""Keras models made of layers."""

from rnnkit.models.encoder_decoder import Encoded, EncoderDecoder
from rnnkit.models.masked_cross_entropy import masked_cross_entropy

__all__ = ["Encoded", "EncoderDecoder", "masked_cross_entropy"]
