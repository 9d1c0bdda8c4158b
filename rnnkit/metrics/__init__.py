"""Numbers that say how good a model is."""

from rnnkit.metrics.alignment_error import alignment_error_rate
from rnnkit.metrics.by_length import accuracy_by_length
from rnnkit.metrics.exact import exact_match
from rnnkit.metrics.links import links_from_weights

__all__ = [
    "accuracy_by_length",
    "alignment_error_rate",
    "exact_match",
    "links_from_weights",
]
