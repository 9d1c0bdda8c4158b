"""What a test cell calls: a property, and a message that names the likely slip."""

from rnnkit.checks.alignment import (
    alignment_error_rate,
    attends_to_source,
    decodes,
    gradient_norms,
    path_length,
)
from rnnkit.checks.attention import (
    additive_score,
    context_vector,
    decoder_parameters,
    decoder_step,
    dot_product_score,
    masked_softmax,
    multiplicative_score,
)
from rnnkit.checks.compare import as_array, expect_close
from rnnkit.checks.ready_made import no_ready_made
from rnnkit.checks.sequences import accuracy_by_length, greedy, shifted_targets

__all__ = [
    "accuracy_by_length",
    "additive_score",
    "alignment_error_rate",
    "as_array",
    "attends_to_source",
    "context_vector",
    "decoder_parameters",
    "decoder_step",
    "decodes",
    "dot_product_score",
    "expect_close",
    "gradient_norms",
    "greedy",
    "masked_softmax",
    "multiplicative_score",
    "no_ready_made",
    "path_length",
    "shifted_targets",
]
