"""Layers, written in keras.ops so that they run on each Keras backend."""

from rnnkit.layers.attention import (
    AdditiveAttention,
    Attention,
    DotProductAttention,
    MultiplicativeAttention,
    additive_attention,
)
from rnnkit.layers.attention_decoder import AttentionDecoder, DecoderStep
from rnnkit.layers.gru_step import gru_step
from rnnkit.layers.masked_softmax import Shape, Tensor, masked_softmax

__all__ = [
    "AdditiveAttention",
    "Attention",
    "AttentionDecoder",
    "DecoderStep",
    "DotProductAttention",
    "MultiplicativeAttention",
    "Shape",
    "Tensor",
    "additive_attention",
    "gru_step",
    "masked_softmax",
]
