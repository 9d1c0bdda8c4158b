"""What a test cell calls: a property, and a message that names the likely slip."""

import rnnkit.quiet_keras  # noqa: F401

# isort: split
from rnnkit.checks.alignment import (
    alignment_error_rate,
    attends_to_source,
    decodes,
    gradient_norms,
    path_length,
)
from rnnkit.checks.answers import expect_answers
from rnnkit.checks.any_state import beam_with_any_state, greedy_with_any_state
from rnnkit.checks.arithmetic import exact_arithmetic
from rnnkit.checks.attention import (
    additive_score,
    context_vector,
    dot_product_score,
    masked_softmax,
    multiplicative_score,
)
from rnnkit.checks.backpropagation import (
    bptt_gradients,
    bptt_parameters,
    clipped_by_global_norm,
    gradients_through_time,
)
from rnnkit.checks.beam import beam_search
from rnnkit.checks.compare import as_array, expect_close
from rnnkit.checks.decoder import decoder_parameters, decoder_step, second_decoder_step
from rnnkit.checks.dependence import influence, longest_chain
from rnnkit.checks.directions import (
    bidirectional_outputs,
    final_states,
    reversed_sequences,
    stacked,
)
from rnnkit.checks.elmo import (
    bilm_losses,
    mix_penalty,
    nearest,
    nearest_meaning,
    padded_layers,
    placement,
    representations,
    scalar_mix,
    word_characters,
)
from rnnkit.checks.encoder_decoder import (
    context_as_state,
    context_each_step,
    encoder_context,
)
from rnnkit.checks.entities import entity_f1, entity_spans
from rnnkit.checks.forgetting import forget_bias_lasts, half_life, memory_gradients
from rnnkit.checks.gates import hard_gate, soft_gate
from rnnkit.checks.gru import gru_step
from rnnkit.checks.keras_layers import equals_keras_layer
from rnnkit.checks.language_model import (
    bits_per_character,
    cross_entropy,
    masked_loss,
    next_symbol_targets,
    perplexity,
)
from rnnkit.checks.left_alone import inputs_left_alone
from rnnkit.checks.lstm import forget_bias, lstm_step
from rnnkit.checks.models import (
    deterministic,
    gradient_arrives,
    gradients_reach_first,
    parameters_count,
)
from rnnkit.checks.ngrams import kneser_ney, probabilities_sum_to_one
from rnnkit.checks.notations import keras_weights, turned_update_gate, weights_count
from rnnkit.checks.pairs import best_threshold, cosine_similarity
from rnnkit.checks.probes import agreement_by_attractors, last_word_probability, ranked_cells
from rnnkit.checks.properties import (
    nothing_later_leaks,
    padding_changes_nothing,
    prefix_only,
    rows_sum_to_one,
    sees_both_sides,
)
from rnnkit.checks.reading import generation, read_text
from rnnkit.checks.ready_made import no_ready_made
from rnnkit.checks.recurrence import elman_step, joined_weights, masked_recurrence, recurrence
from rnnkit.checks.sampling import sampling, temperature, top_k, top_p
from rnnkit.checks.scores import accuracy_by_group, exact_match, matthews, tag_accuracy
from rnnkit.checks.sequences import accuracy_by_length, greedy, shifted_targets
from rnnkit.checks.teacher_forcing import joined_with_separator, scheduled_mix
from rnnkit.checks.text_ids import encoded_texts, symbol_ids
from rnnkit.checks.trained import (
    learns_without,
    predicts,
    predicts_text,
    starts_from,
    trains_on_its_task,
    weights_move,
    weights_stay,
)
from rnnkit.checks.uses import used_as
from rnnkit.checks.windows import carried_state, truncated_gradients, truncated_windows

__all__ = [
    "accuracy_by_group",
    "accuracy_by_length",
    "additive_score",
    "agreement_by_attractors",
    "alignment_error_rate",
    "as_array",
    "attends_to_source",
    "beam_search",
    "beam_with_any_state",
    "best_threshold",
    "bidirectional_outputs",
    "bilm_losses",
    "bits_per_character",
    "bptt_gradients",
    "bptt_parameters",
    "carried_state",
    "clipped_by_global_norm",
    "context_as_state",
    "context_each_step",
    "context_vector",
    "cosine_similarity",
    "cross_entropy",
    "decoder_parameters",
    "decoder_step",
    "decodes",
    "deterministic",
    "dot_product_score",
    "elman_step",
    "encoded_texts",
    "encoder_context",
    "entity_f1",
    "entity_spans",
    "equals_keras_layer",
    "exact_arithmetic",
    "exact_match",
    "expect_answers",
    "expect_close",
    "final_states",
    "forget_bias",
    "forget_bias_lasts",
    "generation",
    "gradient_arrives",
    "gradient_norms",
    "gradients_reach_first",
    "gradients_through_time",
    "greedy",
    "greedy_with_any_state",
    "gru_step",
    "half_life",
    "hard_gate",
    "influence",
    "inputs_left_alone",
    "joined_weights",
    "joined_with_separator",
    "keras_weights",
    "kneser_ney",
    "last_word_probability",
    "learns_without",
    "longest_chain",
    "lstm_step",
    "masked_loss",
    "masked_recurrence",
    "masked_softmax",
    "matthews",
    "memory_gradients",
    "mix_penalty",
    "multiplicative_score",
    "nearest",
    "nearest_meaning",
    "next_symbol_targets",
    "no_ready_made",
    "nothing_later_leaks",
    "padded_layers",
    "padding_changes_nothing",
    "parameters_count",
    "path_length",
    "perplexity",
    "placement",
    "predicts",
    "predicts_text",
    "prefix_only",
    "probabilities_sum_to_one",
    "ranked_cells",
    "read_text",
    "recurrence",
    "representations",
    "reversed_sequences",
    "rows_sum_to_one",
    "sampling",
    "scalar_mix",
    "scheduled_mix",
    "second_decoder_step",
    "sees_both_sides",
    "shifted_targets",
    "soft_gate",
    "stacked",
    "starts_from",
    "symbol_ids",
    "tag_accuracy",
    "temperature",
    "top_k",
    "top_p",
    "trains_on_its_task",
    "truncated_gradients",
    "truncated_windows",
    "turned_update_gate",
    "used_as",
    "weights_count",
    "weights_move",
    "weights_stay",
    "word_characters",
]
