"""Searches with a state that they cannot make themselves: right ways and slips."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rnnkit import checks

PAD, BOS, EOS = 0, 2, 3


def greedy(passed_on: Callable[[Any, int], Any], to_limit: bool = False) -> Callable:
    """A greedy loop that calls `step` with what is made of the state and the number of the step."""

    def greedy_decode(step, state, batch, max_length):
        previous, ended = np.full(batch, BOS), np.zeros(batch, bool)
        written = []
        for number in range(max_length):
            scores, state = step(previous, passed_on(state, number))
            previous = np.where(ended, PAD, np.asarray(scores).argmax(axis=-1))
            ended |= previous == EOS
            written.append(previous)
            if ended.all() and not to_limit:
                break
        return np.stack(written, axis=1)

    return greedy_decode


def beam(passed_on: Callable[[Any, list], Any]) -> Callable:
    """A beam search that does the same with the symbols of each hypothesis."""

    def beam_search(step, state, width, max_length, power):
        hypotheses, complete = [([], 0.0, state)], []
        for _ in range(max_length):
            longer = []
            for ids, total, own in hypotheses:
                scores, new = step([BOS, *ids][-1], passed_on(own, ids))
                logs = scores - np.log(np.exp(scores).sum())
                longer += [([*ids, s], total + log, new) for s, log in enumerate(logs)]
            kept = sorted(longer, key=lambda each: -each[1])[:width]
            complete += [each for each in kept if each[0][-1] == EOS]
            hypotheses = [each for each in kept if each[0][-1] != EOS]
            if not hypotheses:
                break
        ids, total, _ = max(complete + hypotheses, key=lambda each: each[1] / len(each[0]) ** power)
        return ids, total / len(ids) ** power

    return beam_search


WAYS: list[Callable[[Any, Any], Any]] = [
    lambda state, _: state,
    lambda state, _: copy.deepcopy(state),
    lambda state, _: dict(state),
    lambda state, _: {name: np.array(entry) for name, entry in state.items()},
]


@pytest.mark.parametrize("passed_on", WAYS)
@pytest.mark.parametrize("seed", range(3))
def test_state_that_is_passed_on_passes(passed_on: Callable, seed: int) -> None:
    for to_limit in (False, True):
        checks.greedy_with_any_state(greedy(passed_on, to_limit), seed=seed)
    checks.beam_with_any_state(beam(passed_on), seed=seed)


@pytest.mark.parametrize(
    ("passed_on", "words"),
    [
        (lambda state, number: number, "step got 0 as its state. .* pass on what you got"),
        (lambda state, number: np.array(state), "step got .* as its state"),
        (lambda state, number: list(state), r"step got \['made', 'before'\] as its state"),
        (lambda state, number: None, "step got None as its state"),
    ],
)
def test_state_of_another_kind_is_told(passed_on: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=f"^greedy_decode, with a state that .*{words}"):
        checks.greedy_with_any_state(greedy(passed_on))


def test_state_that_a_beam_makes_itself_is_told() -> None:
    def made_of(state: Any, ids: list) -> Any:
        return len(ids), [PAD, BOS, *ids][-2]

    with pytest.raises(AssertionError, match=r"^beam_search, .* step got \(0, 0\) as its state"):
        checks.beam_with_any_state(beam(made_of))


def test_complaint_of_the_step_is_told_where_the_answer_hides_it() -> None:
    def hides(step, state, batch, max_length):
        try:
            return greedy(lambda state, number: number)(step, state, batch, max_length)
        except AssertionError:
            return np.zeros((batch, max_length), int)

    with pytest.raises(AssertionError, match="step got 0 as its state"):
        checks.greedy_with_any_state(hides)


def test_error_of_an_answer_that_computes_with_the_state_is_told_with_its_cause() -> None:
    with pytest.raises(AssertionError, match=r"ends with TypeError: unsupported .* as it is\."):
        checks.greedy_with_any_state(greedy(lambda state, number: state + number))


def test_first_state_again_is_not_right() -> None:
    def first(step, state, batch, max_length):
        return greedy(lambda *_: state)(step, state, batch, max_length)

    with pytest.raises(AssertionError, match=r"a dictionary(: not right| should have the shape)"):
        checks.greedy_with_any_state(first)
