"""Slips of units 01 and 04 that were once named by another one's words, or not at all."""

import numpy as np
import pytest

from rnnkit import checks


def elman(x, h, W, U, b):
    return np.tanh(x @ W + h @ U + b)


def unroll(step, inputs, first):
    h, states = first, []
    for t in range(inputs.shape[1]):
        h = step(inputs[:, t], h)
        states.append(h)
    states = np.stack(states, axis=1)
    return states, states[:, -1:]


def bptt_of_nothing(inputs, labels, params, first):
    return {name: np.zeros_like(params[name]) for name in ("W", "U", "b")}


def guarded_matthews(label):
    """A 0 below the line is looked after where this label is missing."""

    def matthews(predictions, labels):
        p, t = predictions == label, labels == label
        if not p.any() or not t.any():
            return 0.0
        right, wrong = np.sum(p & t) * np.sum(~p & ~t), np.sum(p & ~t) * np.sum(~p & t)
        return (right - wrong) / np.sqrt(p.sum() * t.sum() * (~p).sum() * (~t).sum())

    return matthews


def test_last_state_with_an_axis_for_the_time_is_named() -> None:
    words = r"last state: not right\. The last state keeps an axis .*\nYours: shape \(3, 1, 4\)"
    with pytest.raises(AssertionError, match=words):
        checks.recurrence(unroll, with_step=True)


def test_loop_over_the_sentences_is_named() -> None:
    def over_the_batch(step, inputs, first):
        h, states = first, []
        for x in inputs:
            h = step(x, h)
            states.append(h)
        return np.stack(states, axis=1), h

    words = r"an x of the shape \(5, 4\), .* runs over the batch.* Expected: shape \(3, 4\)"
    with pytest.raises(AssertionError, match=words):
        checks.recurrence(over_the_batch, with_step=True)


def test_gradients_of_zeros_are_named() -> None:
    words = r"is never added, so W, U and b get zeros.*\nYours: \[0\. 0\. 0\. 0\.\]"
    with pytest.raises(AssertionError, match=words):
        checks.bptt_gradients(bptt_of_nothing, with_first=True, parts=("W", "U", "b"))


def test_weights_that_are_transposed_are_told_what_they_should_be() -> None:
    with pytest.raises(
        AssertionError, match=r"both transposed; rows are multiplied .* x W and h U"
    ):
        checks.elman_step(lambda x, h, W, U, b: np.tanh(x @ W.T + h @ U.T + b))
    with pytest.raises(AssertionError, match="U is not; for a column, both must be"):
        checks.joined_weights(lambda W, U: np.hstack([W.T, U]))


@pytest.mark.parametrize(("label", "case"), [(1, "one prediction"), (0, "one label")])
def test_half_a_guard_against_zero_is_named(label: int, case: str) -> None:
    words = rf"with {case} for all: not right\. Here there is a 0 .* not all.*\nYours: nan"
    with pytest.raises(AssertionError, match=words):
        checks.matthews(guarded_matthews(label))


def with_loop(step):
    """A SimpleRNN of a step; the list of weights is W, U, b."""

    def simple_rnn(inputs, weights):
        h, states = np.zeros((len(inputs), len(weights[2]))), []
        for x in inputs.swapaxes(0, 1):
            h = step(x, h, *weights)
            states.append(h)
        return np.stack(states, axis=1)

    return simple_rnn


def states_before(inputs, weights):
    h, states = np.zeros((len(inputs), len(weights[2])), "float32"), []
    for x in inputs.swapaxes(0, 1):
        states.append(h)
        h = elman(x, h, *weights)
    return np.stack(states, axis=1)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (with_loop(lambda x, h, W, U, b: elman(x, h, U, W, b)), "W and U have changed places: .*"),
        (
            with_loop(lambda x, h, W, U, b: 1 / (1 + np.exp(-x @ W - h @ U - b))),
            "This is a sigmoid; the Elman network has a tanh.",
        ),
        (
            with_loop(lambda x, h, W, U, b: elman(x, h, W, U, 0) + b),
            "The tanh is taken before the bias is added; .*",
        ),
        (
            with_loop(lambda x, h, W, U, b: np.tanh((W @ x.T).T + (U @ h.T).T + b)),
            "W and U are both transposed; rows .*",
        ),
        (states_before, "These are the states before each step; .*"),
    ],
)
def test_fault_of_a_step_or_its_weights_is_named_beside_keras(answer, words: str) -> None:
    with pytest.raises(AssertionError, match=rf"not right\. {words}\nYours: \["):
        checks.equals_keras_layer(answer, "SimpleRNN")


def both_directions(turned_back: bool, goes_on: bool):
    """Both directions; padding keeps the state."""

    def bidirectional(inputs, mask, forward, backward):
        zeros = h = np.zeros((len(inputs), len(forward["b"])))
        halves = []
        for weights, turn in ((forward, 1), (backward, -1)):
            h, states = h if goes_on else zeros, []
            for x, real in zip(inputs.swapaxes(0, 1)[::turn], mask.T[::turn, :, None], strict=True):
                h = np.where(real, elman(x, h, **weights), h)
                states.append(h)
            halves.append(np.stack(states[:: turn if turned_back else 1], axis=1))
        return np.concatenate(halves, axis=-1)

    return bidirectional


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (both_directions(False, goes_on=False), "The backward outputs are not turned back: .*"),
        (both_directions(True, goes_on=True), "begins with the last state of the forward one; .*"),
    ],
)
def test_fault_of_the_backward_direction_is_named_with_and_without_padding(
    answer, words: str
) -> None:
    def with_keras_weights(inputs, weights):
        halves = (dict(zip("WUb", half, strict=True)) for half in (weights[:3], weights[3:]))
        return answer(inputs, np.ones(inputs.shape[:2], bool), *halves)

    with pytest.raises(AssertionError, match=words):
        checks.bidirectional_outputs(answer)
    with pytest.raises(AssertionError, match=words):
        checks.equals_keras_layer(with_keras_weights, "SimpleRNN", bidirectional=True)
