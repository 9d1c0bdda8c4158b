"""Slips of units 01 and 02 that ordinary inputs do not show."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rnnkit import checks, models

Gradients = dict[str, np.ndarray]


def bptt(inputs, labels, params, first, reach: int = 1000) -> Gradients:
    """Back-propagation through time that goes at most so many steps back."""
    _, states, d_logits = models.elman_forward(inputs, labels, params, first)
    gradients = {name: np.zeros_like(value) for name, value in params.items()}
    for t in range(inputs.shape[1]):
        gradients["V"] += states[:, t].T @ d_logits[:, t]
        gradients["c"] += d_logits[:, t].sum(axis=0)
        d_sum = (d_logits[:, t] @ params["V"].T) * (1 - states[:, t] ** 2)
        for k in range(t, max(-1, t - reach - 1), -1):
            before = states[:, k - 1] if k else first
            gradients["W"] += inputs[:, k].T @ d_sum
            gradients["U"] += before.T @ d_sum
            gradients["b"] += d_sum.sum(axis=0)
            d_sum = (d_sum @ params["U"].T) * (1 - before**2)
    return gradients


def through_time(answer: Callable, seed: int) -> None:
    checks.bptt_gradients(answer, with_first=True, parts=("W", "U", "b"), seed=seed)


@pytest.mark.parametrize("seed", [0, 10, 20])
def test_gradient_over_all_steps_passes(seed: int) -> None:
    through_time(bptt, seed)


@pytest.mark.parametrize("seed", [0, 10, 20])
@pytest.mark.parametrize("reach", [1, 4, 5, 10, 20])
def test_gradient_that_is_cut_off_on_the_way_is_named(reach: int, seed: int) -> None:
    with pytest.raises(AssertionError, match=f"at most {reach} steps back; it should go back"):
        through_time(lambda *inputs: bptt(*inputs, reach=reach), seed)


@pytest.mark.parametrize("reach", [7, 12, 25])
def test_gradient_of_any_reach_that_is_too_short_fails(reach: int) -> None:
    with pytest.raises(AssertionError, match=r"with sentences of 30 steps: .* not right"):
        through_time(lambda *inputs: bptt(*inputs, reach=reach), 0)


@pytest.mark.parametrize("seed", [0, 10, 20])
@pytest.mark.parametrize("limit", [1, 5, 10])
def test_gradient_whose_large_numbers_are_cut_off_is_named(limit: int, seed: int) -> None:
    def clipped(*inputs: Any) -> Gradients:
        return {name: np.clip(each, -limit, limit) for name, each in bptt(*inputs).items()}

    with pytest.raises(AssertionError, match=f"Numbers beyond {limit} are cut off"):
        through_time(clipped, seed)


@pytest.mark.parametrize("seed", range(5))
def test_square_of_the_norm_beside_the_limit_is_named(seed: int) -> None:
    def clip(gradients, limit):
        square = sum(np.sum(each**2) for each in gradients)
        return [each * (limit / square**0.5) if square > limit else each for each in gradients]

    with pytest.raises(AssertionError, match=r"a little below the limit.* compare its root"):
        checks.clipped_by_global_norm(clip, seed=seed)


def test_loop_that_leaves_out_zeros_is_named_also_for_whole_steps() -> None:
    def unroll(step, inputs, first):
        h, states = first, []
        for x in inputs.swapaxes(0, 1):
            h = step(x, h) if x.any() else h
            states.append(h)
        return np.stack(states, axis=1), h

    with pytest.raises(AssertionError, match="Where the input is zeros, no step is made"):
        checks.recurrence(unroll, with_step=True)


def influence(change: Callable, differ: Callable) -> Callable:
    def rows(network, inputs):
        before, found = network(inputs), []
        for j in range(inputs.shape[1]):
            changed = inputs.copy()
            change(changed[:, j])
            found.append(differ(network(changed), before))
        return np.array(found)

    return rows


def add_to(*places: Any) -> Callable:
    def change(step: np.ndarray) -> None:
        step[:, places[0] if places else slice(None)] += 1

    return change


def any_number(now, before):
    return (now != before).any(axis=(0, 2))


@pytest.mark.parametrize(
    ("change", "differ", "words"),
    [
        (add_to(0), any_number, "Only the first number of an input is changed"),
        (add_to(-1), any_number, "Only the last number of an input is changed"),
        (add_to(1), any_number, "reads one number of each input: not right"),
        (add_to(), lambda now, before: now.sum((0, 2)) != before.sum((0, 2)), "added up before"),
        (add_to(), lambda now, before: now.mean((0, 2)) != before.mean((0, 2)), "added up before"),
        (add_to(), lambda now, before: (now.sum(2) != before.sum(2)).any(0), "added up before"),
    ],
)
@pytest.mark.parametrize("seed", [0, 10, 20])
def test_change_of_a_part_and_sums_are_named(change, differ, words: str, seed: int) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.influence(influence(change, differ), seed=seed)
    checks.influence(influence(add_to(), any_number), seed=seed)


def test_zero_that_a_hard_gate_does_not_write_is_named() -> None:
    with pytest.raises(AssertionError, match=r"an input of zeros: .* A 0 of the input is not"):
        checks.hard_gate(lambda g, x, s: np.where(g * x == 0, s, x))


def lstm_step(x, h, c, kernel, recurrent_kernel, bias, limit: float = np.inf):
    blocks = np.split(x @ kernel + h @ recurrent_kernel + bias, 4, axis=1)
    i, f, o = (1 / (1 + np.exp(-blocks[place])) for place in (0, 1, 3))
    memory = np.clip(f * c + i * np.tanh(blocks[2]), -limit, limit)
    return o * np.tanh(memory), memory


@pytest.mark.parametrize("seed", [0, 100, 200])
def test_memory_that_is_cut_off_fails(seed: int) -> None:
    checks.lstm_step(lstm_step, seed=seed)
    for limit in (1, 3, 5, 10):
        with pytest.raises(AssertionError, match=f"The memory is cut off at {limit};"):
            checks.lstm_step(lambda *i, limit=limit: lstm_step(*i, limit), seed=seed)
    with pytest.raises(AssertionError, match="a large memory: "):
        checks.lstm_step(lambda *inputs: lstm_step(*inputs, 20), seed=seed)


def test_half_life_that_is_never_below_one_is_named() -> None:
    def half_life(bias):
        return max(1.0, np.log(2) / np.logaddexp(0, -bias))

    with pytest.raises(AssertionError, match=r"the bias -1: not right\. This is never below 1"):
        checks.half_life(half_life)
