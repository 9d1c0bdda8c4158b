"""Properties of any model: who passes, who does not, and what is said."""

from collections.abc import Callable

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit import checks

W, U = np.random.default_rng(0).normal(size=(2, 3, 3))


def forward(inputs: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    h, states = np.zeros((len(inputs), 3)), []
    for t in range(inputs.shape[1]):
        new = np.tanh(inputs[:, t] @ W + h @ U)
        h = new if mask is None else np.where(mask[:, t, None], new, h)
        states.append(h)
    return np.stack(states, axis=1)


def backward(inputs: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    return forward(inputs[:, ::-1], None if mask is None else mask[:, ::-1])[:, ::-1]


def both(inputs: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    return np.concatenate([forward(inputs, mask), backward(inputs, mask)], axis=-1)


def window(inputs: np.ndarray, before: int, after: int) -> np.ndarray:
    """The sum over some places before and after."""
    padded = np.pad(inputs, ((0, 0), (before, after), (0, 0)))
    time = inputs.shape[1]
    return sum(padded[:, place : place + time] for place in range(before + after + 1))


def in_keras(inputs):
    h, states = ops.zeros((len(inputs), 3)), []
    for t in range(inputs.shape[1]):
        h = ops.tanh(ops.matmul(inputs[:, t], W.astype("f4")) + ops.matmul(h, U.astype("f4")))
        states.append(h)
    return ops.stack(states, axis=1)


@pytest.mark.parametrize(
    "answer",
    [forward, in_keras, lambda x: forward(x).tolist(), lambda x: np.cumsum(x, axis=1)],
    ids=["numpy", "keras", "lists", "sum"],
)
@pytest.mark.parametrize("seed", range(3))
def test_recurrence_depends_on_its_prefix_only(answer: Callable, seed: int) -> None:
    checks.prefix_only(answer, seed=seed)
    checks.nothing_later_leaks(answer, np.random.default_rng(seed).normal(size=(1, 4, 3)))


PREFIX_SLIPS = [
    (backward, "it sees what comes later"),
    (backward, "runs backwards|run backwards"),
    (both, "read in both directions"),
    (lambda x: window(x, 9, 1), "looks one or more places ahead"),
    (lambda x: np.tanh(x @ W), "the state is not passed on"),
    (lambda x: window(x, 1, 0), "must carry the whole prefix"),
    (lambda x: np.pad(forward(x), ((0, 0), (1, 0), (0, 0)))[:, :-1], "into the output of that"),
    (lambda x: forward(x)[:, -1], "one output for each step"),
    (lambda x: None, "is None"),
    (lambda x: forward(x) + np.random.default_rng().normal(), "given twice"),
]


@pytest.mark.parametrize(("answer", "words"), PREFIX_SLIPS)
def test_what_breaks_the_prefix_is_named(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.prefix_only(answer)


def test_leak_between_ids_is_found() -> None:
    table = np.random.default_rng(1).normal(size=(7, 3))
    ids = np.random.default_rng(2).integers(1, 7, (2, 5))
    checks.nothing_later_leaks(lambda ids: forward(table[ids]), ids)
    with pytest.raises(AssertionError, match="sees what comes later"):
        checks.nothing_later_leaks(lambda ids: both(table[ids]), ids, symbols=7)


def test_leak_needs_two_steps() -> None:
    with pytest.raises(ValueError, match="Received: shape"):
        checks.nothing_later_leaks(forward, np.zeros((2, 1, 3)))


def test_both_sides_of_each_output_are_seen() -> None:
    table = np.random.default_rng(1).normal(size=(7, 3))
    ids = np.random.default_rng(2).integers(1, 7, (2, 5))
    checks.sees_both_sides(lambda ids: both(table[ids]), ids, symbols=7)
    checks.sees_both_sides(both, np.random.default_rng(3).normal(size=(1, 4, 3)))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (forward, "when an input after it changes: the model reads forward only"),
        (backward, "when an input before it changes: the model reads backward only"),
        (lambda x: np.tanh(x @ W), "after it changes: the state is not passed on"),
        (lambda x: forward(x)[:, -1], "one output for each step"),
    ],
)
def test_a_side_that_is_not_seen_is_named(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.sees_both_sides(answer, np.random.default_rng(3).normal(size=(1, 4, 3)))


def test_two_sides_need_two_steps() -> None:
    with pytest.raises(ValueError, match="sees_both_sides expects inputs of two steps"):
        checks.sees_both_sides(both, np.zeros((2, 1, 3)))


def stack(inputs: np.ndarray, mask: np.ndarray, over_padding_in: int | None = None) -> list:
    below, layers = inputs, []
    for number in (1, 2, 3):
        seen = None if number == over_padding_in else mask
        out = both(below, seen)
        layers.append(out)
        below = out[..., :3] + out[..., 3:]
    return layers


@pytest.mark.parametrize("seed", range(4))
def test_padding_that_is_passed_over_changes_nothing(seed: int) -> None:
    checks.padding_changes_nothing(both, seed=seed)
    checks.padding_changes_nothing(stack, seed=seed)
    checks.padding_changes_nothing(lambda x, m: ops.convert_to_tensor(both(x, m)), seed=seed)
    checks.padding_changes_nothing(lambda x, m: forward(x), seed=seed)  # forward needs no mask
    checks.padding_changes_nothing(both, batch=1, time=1, seed=seed)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x, m: both(x), "backward direction must begin at the last real"),
        (lambda x, m: stack(x, m, over_padding_in=2), "in layer 2, "),
        (lambda x, m: x - x.mean(axis=1, keepdims=True), "real positions change"),
        (lambda x, m: forward(x)[:, -1], r"should have the shape \(batch, time, units\)"),
    ],
)
def test_what_padding_changes_is_named(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.padding_changes_nothing(answer)


VECTORS = np.random.default_rng(3).normal(size=(2, 5, 3))
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)


def test_gradients_reach_the_first_step() -> None:
    checks.gradients_reach_first(in_keras, VECTORS)
    # Outputs on padding are 0 here, so only the last real step has a gradient.
    checks.gradients_reach_first(
        lambda x: in_keras(x) * MASK[..., None].astype("f4"), VECTORS, mask=MASK
    )
    checks.gradients_reach_first(lambda x: in_keras(x)[:, -1], VECTORS)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: ops.tanh(ops.matmul(x, W.astype("f4"))), "state passed on from the first"),
        (lambda x: forward(ops.convert_to_numpy(x)), "the result is no tensor"),
        (lambda x: ops.convert_to_tensor(forward(ops.convert_to_numpy(x))), "No gradient passes"),
        (lambda x: ops.stop_gradient(in_keras(x)), "No gradient passes"),
        (lambda x: in_keras(x) * float("nan"), "NaN or infinity"),
    ],
)
def test_gradients_that_do_not_arrive_are_named(answer: Callable, words: str) -> None:
    if keras.backend.backend() == "jax" and words != "NaN or infinity":
        words = "No gradient passes|first step is 0 of"  # JAX gives zeros
    with pytest.raises(AssertionError, match=words):
        checks.gradients_reach_first(answer, VECTORS)


def test_gradient_that_fades_is_measured() -> None:
    def fading(x):
        weights = np.array([1e-6, 0, 0, 0, 1], "f4")[:, None]
        return ops.sum(ops.multiply(x, weights), axis=1)

    checks.gradients_reach_first(fading, VECTORS)
    with pytest.raises(AssertionError, match="of that at the last step"):
        checks.gradients_reach_first(fading, VECTORS, at_least=1e-3)


WEIGHTS = np.array([[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]])
REAL = np.array([[True, True, False], [True, False, False]])


def test_rows_that_sum_to_one_pass() -> None:
    checks.rows_sum_to_one(WEIGHTS)
    checks.rows_sum_to_one(WEIGHTS.tolist(), REAL)
    checks.rows_sum_to_one(ops.convert_to_tensor(WEIGHTS[None]), REAL[None])
    checks.rows_sum_to_one([[0.0, 0.0], [0.5, 0.5]], [[False, False], [True, True]])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[0.25, 0.75, 0.1], [1, 0, 0]], "padding has a share"),
        ([[0.25, 0.5, 0], [1, 0, 0]], "the sums of the rows"),
        ([[-0.5, 1.5, 0], [1, 0, 0]], "negative number"),
        ([[np.nan, 1, 0], [1, 0, 0]], "NaN or infinity"),
        (None, "is None"),
        (1.0, "should have rows"),
    ],
)
def test_rows_that_are_no_distributions_are_named(rows: object, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.rows_sum_to_one(rows, REAL)


def test_softmax_over_the_wrong_axis_is_named() -> None:
    with pytest.raises(AssertionError, match="The columns sum to 1"):
        checks.rows_sum_to_one(np.array([[0.25, 0.5], [0.75, 0.5]]))


def test_parameters_are_counted() -> None:
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
    checks.parameters_count(model, 8)
    checks.parameters_count(8, 8)
    checks.parameters_count(np.int64(8), 8)
    with pytest.raises(AssertionError, match=r"6\. Expected: 8\. The bias is left out"):
        checks.parameters_count(6, 8, {"The bias is left out.": 6})
    with pytest.raises(AssertionError, match=r"7\. Expected: 8\.$"):
        checks.parameters_count(7, 8, {"The bias is left out.": 6})


def test_same_seed_gives_the_same() -> None:
    checks.deterministic(lambda x: x + np.random.normal(size=2), np.zeros(2))
    checks.deterministic(lambda: keras.random.normal((2,)))
    with pytest.raises(AssertionError, match="differs when the function is called again"):
        checks.deterministic(lambda: np.random.default_rng().normal(size=2))
