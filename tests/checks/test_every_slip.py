"""Every check against every slip that it knows: each is named by its own sentence alone.

The slips are recorded from the checks themselves, so that a new one is tested
without a line here. What people write, in their own words, is in the other files.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from keras import ops

from rnnkit import checks
from rnnkit.checks import inputs, keras_layers

# Some slips divide by zero.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Recorded(NamedTuple):
    """What a check passes to `expect_answers`."""

    right: Callable
    slips: dict[str, list[Callable]]
    read: Callable | None


CHECKS: dict[str, Callable] = {
    name: getattr(checks, name)
    for name in (
        *("elman_step", "joined_weights", "recurrence", "masked_recurrence", "bptt_gradients"),
        *("gradients_through_time", "clipped_by_global_norm", "truncated_windows"),
        *("truncated_gradients", "influence", "longest_chain"),
        *("carried_state", "hard_gate", "soft_gate", "lstm_step", "gru_step", "forget_bias"),
        *("keras_weights", "turned_update_gate", "weights_count", "memory_gradients", "half_life"),
        *("next_symbol_targets", "cross_entropy", "masked_loss", "perplexity"),
        *("bits_per_character", "temperature", "top_k", "top_p", "beam_search", "kneser_ney"),
        *("read_text", "generation", "last_word_probability"),
        *("agreement_by_attractors", "ranked_cells", "bidirectional_outputs", "stacked"),
        *("reversed_sequences", "final_states", "cosine_similarity", "matthews", "entity_f1"),
        *("context_as_state", "context_each_step", "scheduled_mix", "joined_with_separator"),
        *("word_characters", "bilm_losses", "representations", "scalar_mix", "mix_penalty"),
        *("padded_layers", "placement", "nearest", "nearest_meaning"),
        *("exact_match", "tag_accuracy", "encoder_context", "encoded_texts", "accuracy_by_group"),
    )
}
CHECKS["bptt_gradients with_first"] = functools.partial(checks.bptt_gradients, with_first=True)
for kind in ("encoder", "acceptor", "transducer"):
    CHECKS[f"used_as {kind}"] = functools.partial(checks.used_as, kind=kind)
for kind in ("SimpleRNN", "GRU", "LSTM"):
    for bidirectional in (False, True):
        CHECKS[f"{kind} {bidirectional}"] = functools.partial(
            checks.equals_keras_layer, kind=kind, bidirectional=bidirectional
        )


@functools.cache
def recorded(name: str, seed: int = 0) -> Recorded:
    check = CHECKS[name]
    found: list[Recorded] = []

    def record(
        what: str, answer: Any, cases: Any, right: Callable, slips: Any, **more: Any
    ) -> None:
        ways = {text: [way] if callable(way) else list(way) for text, way in slips.items()}
        found.append(Recorded(right, ways, more.get("read")))

    plain = getattr(check, "func", check)
    module = __import__(plain.__module__, fromlist=["expect_answers"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "expect_answers", record)
        patch.setattr(keras_layers, "_keras", _remembered)
        check(lambda *inputs: None, seed=seed)
    return found[0]


_keras = keras_layers._keras
_outputs: dict[tuple, np.ndarray] = {}


def _remembered(inputs: np.ndarray, weights: list, kind: str, bidirectional: bool) -> np.ndarray:
    """Making a layer of Keras takes a while, and each answer is asked on the same inputs."""
    key = (kind, bidirectional, *(array.tobytes() for array in [inputs, *weights]))
    if key not in _outputs:
        _outputs[key] = _keras(inputs, weights, kind, bidirectional)
    return _outputs[key]


def ask(name: str, answer: Callable, seed: int = 0) -> str | None:
    """The message of a check, or None where it is passed."""
    with pytest.MonkeyPatch.context() as patch:
        # The references of equals_keras_layer are Keras's layers.
        patch.setattr(inputs, "no_ready_made", lambda *names: contextlib.nullcontext())
        patch.setattr(keras_layers, "_keras", _remembered)
        try:
            CHECKS[name](answer, seed=seed)
        except AssertionError as failure:
            return str(failure)
    return None


def as_answer(name: str, way: Callable, change: Callable = lambda array: array) -> Callable:
    """A function of the check's own as a student would hand it in."""

    def answer(*inputs: Any) -> Any:
        result = way(*inputs)
        if isinstance(result, list):
            return [change(np.asarray(part)) for part in result]
        if not isinstance(result, dict):
            return change(np.asarray(result))
        if name == "truncated_windows":
            inputs, targets = result["inputs"], result["targets"]
            return [(change(i), change(t)) for i, t in zip(inputs, targets, strict=True)]
        parts = {part: change(np.asarray(array)) for part, array in result.items()}
        if name == "accuracy_by_group":
            return {int(group.split()[1]): share for group, share in parts.items()}
        by_name = name.startswith(("bptt_gradients", "truncated_gradients"))
        return parts if by_name else tuple(parts.values())

    return answer


STYLES: dict[str, Callable] = {
    "float64": lambda array: array,
    "float32": lambda array: array.astype("float32") if array.dtype.kind == "f" else array,
    "tensors": lambda array: ops.convert_to_tensor(array),
    "lists": lambda array: array.tolist(),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", CHECKS)
def test_right_answer_passes_in_each_style(name: str, style: str) -> None:
    for seed in range(2):
        answer = as_answer(name, recorded(name, seed).right, STYLES[style])
        assert ask(name, answer, seed) is None


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", CHECKS)
def test_each_slip_is_named_and_no_other(name: str, seed: int) -> None:
    slips = recorded(name, seed).slips
    wrong = []
    for sentence, ways in slips.items():
        for number, way in enumerate(ways):
            message = ask(name, as_answer(name, way, STYLES["float32"]), seed)
            named = [other for other in slips if message and other in message]
            if named != [sentence]:
                wrong.append((sentence, number, named or message))
    assert wrong == []


@pytest.mark.parametrize("name", CHECKS)
def test_slip_is_not_named_for_an_answer_that_is_wrong_in_its_own_way(name: str) -> None:
    def noisy(array: np.ndarray) -> np.ndarray:
        return array + np.random.default_rng(0).uniform(0.2, 0.4, array.shape)

    if name in ("ranked_cells", "nearest"):
        pytest.skip("an order of whole numbers has no noise")
    message = ask(name, as_answer(name, recorded(name).right, noisy))
    assert message is not None
    assert not [sentence for sentence in recorded(name).slips if sentence in message]
    assert "Called again" not in message
