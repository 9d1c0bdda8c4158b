"""Keras models made of layers."""

from rnnkit.models.decoder_parameters import decoder_parameters
from rnnkit.models.encoder_decoder import Encoded, EncoderDecoder
from rnnkit.models.masked_cross_entropy import masked_cross_entropy
from rnnkit.models.ngram import KneserNey
from rnnkit.models.source_gradients import loss_at, source_gradients

__all__ = [
    "Encoded",
    "EncoderDecoder",
    "KneserNey",
    "decoder_parameters",
    "loss_at",
    "masked_cross_entropy",
    "source_gradients",
]
