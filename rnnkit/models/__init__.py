"""Keras models made of layers."""

import rnnkit.quiet_keras  # noqa: F401

# isort: split
from rnnkit.models.clipping import clip_by_global_norm, global_norm
from rnnkit.models.cosine import best_threshold, cosine_margin_loss, cosine_similarity
from rnnkit.models.decoder_parameters import decoder_parameters
from rnnkit.models.elman_network import ElmanPass, elman_forward, elman_gradients
from rnnkit.models.encoder_decoder import Encoded, EncoderDecoder
from rnnkit.models.gradient import gradient
from rnnkit.models.gradient_by_distance import gradient_by_distance
from rnnkit.models.language_model import HiddenStates, LanguageModel
from rnnkit.models.masked_cross_entropy import masked_cross_entropy
from rnnkit.models.ngram import KneserNey
from rnnkit.models.scheduled_sampling import ScheduledSampling
from rnnkit.models.sentence_pair import SentencePair
from rnnkit.models.sequence_classifier import SequenceClassifier
from rnnkit.models.source_gradients import loss_at, source_gradients
from rnnkit.models.token_encoder import TokenEncoder, TokenStates
from rnnkit.models.token_tagger import TokenTagger
from rnnkit.models.truncated_bptt import TruncatedBPTT
from rnnkit.models.windows import windows

__all__ = [
    "ElmanPass",
    "Encoded",
    "EncoderDecoder",
    "HiddenStates",
    "KneserNey",
    "LanguageModel",
    "ScheduledSampling",
    "SentencePair",
    "SequenceClassifier",
    "TokenEncoder",
    "TokenStates",
    "TokenTagger",
    "TruncatedBPTT",
    "best_threshold",
    "clip_by_global_norm",
    "cosine_margin_loss",
    "cosine_similarity",
    "decoder_parameters",
    "elman_forward",
    "elman_gradients",
    "global_norm",
    "gradient",
    "gradient_by_distance",
    "loss_at",
    "masked_cross_entropy",
    "source_gradients",
    "windows",
]
