"""What a test cell calls: a property, and a message that names the likely slip."""

from rnnkit.checks.alignment import (
    alignment_error_rate,
    attends_to_source,
    decodes,
    gradient_norms,
    path_length,
)
from rnnkit.checks.answers import expect_answers
from rnnkit.checks.arithmetic import exact_arithmetic
from rnnkit.checks.attention import (
    additive_score,
    context_vector,
    dot_product_score,
    masked_softmax,
    multiplicative_score,
)
from rnnkit.checks.compare import as_array, expect_close
from rnnkit.checks.decoder import decoder_parameters, decoder_step
from rnnkit.checks.gates import forget_bias, gru_step, hard_gate, lstm_step, soft_gate
from rnnkit.checks.properties import (
    deterministic,
    gradients_reach_first,
    nothing_later_leaks,
    padding_changes_nothing,
    parameters_count,
    prefix_only,
    rows_sum_to_one,
)
from rnnkit.checks.ready_made import no_ready_made
from rnnkit.checks.recurrence import elman_step, masked_recurrence, recurrence
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
    "deterministic",
    "dot_product_score",
    "elman_step",
    "exact_arithmetic",
    "expect_answers",
    "expect_close",
    "forget_bias",
    "gradient_norms",
    "gradients_reach_first",
    "greedy",
    "gru_step",
    "hard_gate",
    "lstm_step",
    "masked_recurrence",
    "masked_softmax",
    "multiplicative_score",
    "no_ready_made",
    "nothing_later_leaks",
    "padding_changes_nothing",
    "parameters_count",
    "path_length",
    "prefix_only",
    "recurrence",
    "rows_sum_to_one",
    "shifted_targets",
    "soft_gate",
]
