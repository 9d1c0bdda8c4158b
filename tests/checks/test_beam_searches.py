"""Beam search as people write it, with a step and a state: right ways and slips."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rnnkit import checks

PAD, BOS, EOS = 0, 2, 3


def run(search: Callable) -> Callable:
    """A search on tables, as the exercise runs it."""

    def answer(tables: np.ndarray, width: int, power: float) -> Any:
        def step(previous: int, state: tuple[int, int]) -> Any:
            number, before = state
            assert number < len(tables)
            return tables[number, before, previous], (number + 1, previous)

        return search(step, (0, PAD), width, len(tables), power)

    return answer


def logs_of(scores: np.ndarray) -> np.ndarray:
    return np.log(np.exp(scores) / np.exp(scores).sum())


def grow(beam: list, step: Callable) -> list:
    longer = []
    for ids, total, state in beam:
        scores, new = step(ids[-1] if ids else BOS, state)
        longer += [([*ids, s], total + log, new) for s, log in enumerate(logs_of(scores))]
    return sorted(longer, key=lambda each: -each[1])


def ended(hypothesis: tuple) -> bool:
    return hypothesis[0][-1:] == [EOS]


def best(hypotheses: list, power: float, more: int = 0) -> Any:
    ids, total, _ = max(hypotheses, key=lambda each: each[1] / (len(each[0]) + more) ** power)
    return ids, total / (len(ids) + more) ** power


def plain(cut: Callable, more: int = 0, stop: Callable = lambda longer: False) -> Callable:
    """`cut` splits what is one symbol longer into what is complete and the next beam."""

    def search(step, state, width, max_length, power):
        beam, complete = [([], 0.0, state)], []
        for _ in range(max_length):
            longer = grow(beam, step)
            done, beam = cut(longer, width)
            complete += done
            if not beam or stop(longer):
                break
        return best(complete + beam, power, more)

    return search


def aside(longer, width):
    kept = longer[:width]
    return [each for each in kept if ended(each)], [each for each in kept if not ended(each)]


def refilled(longer, width):
    opened = [each for each in longer if not ended(each)]
    return [each for each in longer if ended(each)][:width], opened[:width]


def refilled_beside(longer, width):
    opened = [each for each in longer if not ended(each)]
    return [each for each in longer[:width] if ended(each)], opened[:width]


def stays(by_score: bool) -> Callable:
    def search(step, state, width, max_length, power):
        beam = [([], 0.0, state)]
        for _ in range(max_length):
            longer = grow([each for each in beam if not ended(each)], step)
            longer += [each for each in beam if ended(each)]
            length = power if by_score else 0.0
            beam = sorted(longer, key=lambda each: -each[1] / len(each[0]) ** length)[:width]
        return best(beam, power)

    return search


def shrinking(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        done, beam = aside(grow(beam, step), width - len(complete))
        complete += done
    return best(complete + beam, power)


def ends_at_padding(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        kept = grow(beam, step)[:width]
        complete += [each for each in kept if each[0][-1] in (PAD, EOS)]
        beam = [each for each in kept if each[0][-1] not in (PAD, EOS)]
    return best(complete + beam, power)


def width_of_each(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        longer = [new for each in beam for new in grow([each], step)[:width]]
        complete += [each for each in longer if ended(each)]
        beam = [each for each in longer if not ended(each)]
    return best(complete + beam, power)


def complete_first(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        done, beam = aside(grow(beam, step), width)
        complete += done
    return best(complete or beam, power)


def one_state(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        last = beam[-1] if beam else None
        if last is None:
            break
        shared = step(last[0][-1] if last[0] else BOS, state)[1]
        longer = grow([(ids, total, state) for ids, total, _ in beam], step)
        done, beam = aside(longer, width)
        complete += done
        state = shared
    return best(complete + beam, power)


def multiplied(step, state, width, max_length, power):
    beam, complete = [([], 1.0, state)], []
    for _ in range(max_length):
        longer = []
        for ids, product, own in beam:
            scores, new = step(ids[-1] if ids else BOS, own)
            longer += [([*ids, s], -product * log, new) for s, log in enumerate(logs_of(scores))]
        done, beam = aside(sorted(longer, key=lambda each: each[1]), width)
        complete += done
    ids, product, _ = min(complete + beam, key=lambda each: each[1] / len(each[0]) ** power)
    return ids, -product / len(ids) ** power


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("search", [plain(aside), stays(by_score=False)], ids=["aside", "stays"])
def test_right_ways_pass(search: Callable, seed: int) -> None:
    checks.beam_search(run(search), seed=seed)


SLIPS: dict[str, Callable] = {
    "width best of all together": width_of_each,
    "in place of hypotheses that are complete": plain(refilled),
    "count among the width best too": plain(refilled_beside),
    "takes one place of the beam for good": shrinking,
    "that ends with PAD_ID is taken for complete": ends_at_padding,
    "keeps the best by their scores": stays(by_score=True),
    "still in the beam at the end are not looked at": complete_first,
    "go on from one state": one_state,
    "logarithms are multiplied": multiplied,
    "start token counts in the length": plain(aside, more=1),
    "stops when the best hypothesis of a step": plain(aside, stop=lambda longer: ended(longer[0])),
}


@pytest.mark.parametrize("words", SLIPS)
@pytest.mark.parametrize("seed", range(3))
def test_slip_is_named_with_both_results(words: str, seed: int) -> None:
    with pytest.raises(AssertionError) as failure:
        checks.beam_search(run(SLIPS[words]), seed=seed)
    message = str(failure.value)
    assert words in message
    assert "Yours: " in message and "Expected: " in message


@pytest.mark.parametrize("symbols", [[PAD], [BOS], [PAD, BOS]])
@pytest.mark.parametrize("seed", range(3))
def test_symbol_that_a_search_leaves_out_is_missed(symbols: list[int], seed: int) -> None:
    def search(step, state, width, max_length, power):
        def cut(longer, width):
            return aside([each for each in longer if each[0][-1] not in symbols], width)

        return plain(cut)(step, state, width, max_length, power)

    with pytest.raises(AssertionError, match="PAD_ID or BOS_ID is left out"):
        checks.beam_search(run(search), seed=seed)


def test_ids_of_another_length_are_shown() -> None:
    with pytest.raises(AssertionError, match=r"shape \(1,\)\nYours: \[4\]\nExpected: \[\d"):
        checks.beam_search(lambda tables, width, power: ([4], -0.1))
