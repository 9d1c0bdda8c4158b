"""The greedy loop."""

import numpy as np
import pytest

from rnnkit.decoding import greedy


def follow(rows: list[list[int]], vocabulary: int = 9):
    """A step that writes these rows, whatever came before; the state counts."""
    seen: list[list[int]] = []

    def step(previous, state):
        seen.append(previous.tolist())
        return np.eye(vocabulary)[[row[state] for row in rows]], state + 1

    return step, seen


def test_stops_when_all_have_ended_and_pads_those_that_ended_before() -> None:
    step, seen = follow([[5, 3, 6, 7], [4, 5, 3, 8]])
    written = greedy(step, 0, batch=2, bos_id=2, eos_id=3, max_length=4)
    assert written.tolist() == [[5, 3, 0], [4, 5, 3]]
    assert len(seen) == 3


def test_begins_with_the_start_token_and_passes_on_what_it_wrote() -> None:
    step, seen = follow([[5, 6, 3]])
    greedy(step, 0, batch=1, bos_id=2, eos_id=3, max_length=4)
    assert seen == [[2], [5], [6]]


def test_makes_no_more_than_max_length_steps() -> None:
    step, seen = follow([[5, 5, 5, 5]])
    assert greedy(step, 0, batch=1, bos_id=2, eos_id=3, max_length=2).tolist() == [[5, 5]]
    assert len(seen) == 2


def test_empty_batch_gives_an_empty_result() -> None:
    step, _ = follow([])
    assert greedy(step, 0, batch=0, bos_id=2, eos_id=3, max_length=4).shape == (0, 0)


def test_refuses_no_steps() -> None:
    step, _ = follow([[5]])
    with pytest.raises(ValueError, match="max_length=0"):
        greedy(step, 0, batch=1, bos_id=2, eos_id=3, max_length=0)
