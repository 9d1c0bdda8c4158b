"""ELMo: vectors for words in their sentences, from a bidirectional language model.

Reads and writes the published format of options and weights, trains models of
its own, and ships a small one.
"""

import rnnkit.quiet_keras  # noqa: F401

# isort: split
from rnnkit.elmo.bilm import BiLM, load_bilm
from rnnkit.elmo.character_encoder import CharacterEncoder
from rnnkit.elmo.characters import character_ids, word_ids
from rnnkit.elmo.embed_file import EmbeddedFile, FileProgress, embed_file
from rnnkit.elmo.highway import Highway
from rnnkit.elmo.lstm_stack import LSTMStack
from rnnkit.elmo.options import BiLMOptions
from rnnkit.elmo.pretrained import load_pretrained, load_pretrained_training
from rnnkit.elmo.projected_lstm_cell import ProjectedLSTMCell
from rnnkit.elmo.sampled_softmax import LogUniformSampler, Sample, softmax_losses
from rnnkit.elmo.scalar_mix import ScalarMix
from rnnkit.elmo.static_vectors import StaticVectors, joined
from rnnkit.elmo.training import BiLMPerplexity, BiLMTraining, EpochResult
from rnnkit.elmo.word_list import WordList

__all__ = [
    "BiLM",
    "BiLMOptions",
    "BiLMPerplexity",
    "BiLMTraining",
    "CharacterEncoder",
    "EmbeddedFile",
    "EpochResult",
    "FileProgress",
    "Highway",
    "LSTMStack",
    "LogUniformSampler",
    "ProjectedLSTMCell",
    "Sample",
    "ScalarMix",
    "StaticVectors",
    "WordList",
    "character_ids",
    "embed_file",
    "joined",
    "load_bilm",
    "load_pretrained",
    "load_pretrained_training",
    "softmax_losses",
    "word_ids",
]
