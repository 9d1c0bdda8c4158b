"""Numbers that say how good a model is."""

from rnnkit.metrics.alignment_error import alignment_error_rate
from rnnkit.metrics.bleu import bleu
from rnnkit.metrics.by_length import accuracy_by_length
from rnnkit.metrics.entities import Entity, EntityScores, entities, entity_f1
from rnnkit.metrics.exact import exact_match
from rnnkit.metrics.links import links_from_weights
from rnnkit.metrics.matthews import matthews
from rnnkit.metrics.perplexity import bits_per_character, perplexity
from rnnkit.metrics.rank_cells import CellScore, rank_cells
from rnnkit.metrics.tag_accuracy import tag_accuracy

__all__ = [
    "CellScore",
    "Entity",
    "EntityScores",
    "accuracy_by_length",
    "alignment_error_rate",
    "bits_per_character",
    "bleu",
    "entities",
    "entity_f1",
    "exact_match",
    "links_from_weights",
    "matthews",
    "perplexity",
    "rank_cells",
    "tag_accuracy",
]
