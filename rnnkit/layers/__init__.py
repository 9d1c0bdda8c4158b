"""Layers, written in keras.ops so that they run on each Keras backend."""

import rnnkit.quiet_keras  # noqa: F401

# isort: split
from rnnkit.layers.attention import (
    AdditiveAttention,
    Attention,
    DotProductAttention,
    MultiplicativeAttention,
    additive_attention,
)
from rnnkit.layers.attention_decoder import AttentionDecoder, DecoderStep
from rnnkit.layers.bidirectional import Bidirectional
from rnnkit.layers.cell import Cell, States
from rnnkit.layers.elman_bidirectional import elman_bidirectional
from rnnkit.layers.elman_cell import ElmanCell
from rnnkit.layers.gru_cell import GRUCell
from rnnkit.layers.gru_step import gru_step
from rnnkit.layers.hard_gate import hard_gate
from rnnkit.layers.lstm_cell import LSTMCell
from rnnkit.layers.lstm_step import lstm_step
from rnnkit.layers.masked_softmax import Shape, Tensor, masked_softmax
from rnnkit.layers.recurrence import Recurrence, make_cell
from rnnkit.layers.reverse_sequences import reverse_sequences
from rnnkit.layers.soft_gate_cell import SoftGateCell
from rnnkit.layers.stacked_bidirectional import StackedBidirectional

__all__ = [
    "AdditiveAttention",
    "Attention",
    "AttentionDecoder",
    "Bidirectional",
    "Cell",
    "DecoderStep",
    "DotProductAttention",
    "ElmanCell",
    "GRUCell",
    "LSTMCell",
    "MultiplicativeAttention",
    "Recurrence",
    "Shape",
    "SoftGateCell",
    "StackedBidirectional",
    "States",
    "Tensor",
    "additive_attention",
    "elman_bidirectional",
    "gru_step",
    "hard_gate",
    "lstm_step",
    "make_cell",
    "masked_softmax",
    "reverse_sequences",
]
