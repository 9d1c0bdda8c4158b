"""Greedy decoding: take the most probable symbol, again and again."""

from typing import Any

import numpy as np

from rnnkit.decoding.loop import StepFunction, check_max_length, write


def greedy(
    step: StepFunction,
    state: Any,
    batch: int,
    bos_id: int | np.ndarray,
    eos_id: int | None,
    max_length: int,
    pad_id: int = 0,
) -> np.ndarray:
    """Write one symbol at a time, each time the one with the highest score.

    Taught in unit 03, section s9, and unit 05, section s21; used in unit 06.

    Args:
        step: Called as `step(previous_ids, state)` with `previous_ids`
            `(batch,)`; returns the scores of the next symbol,
            `(batch, vocabulary)`, and the new state.
        state: The state before the first step, of any form that `step` takes.
        batch: How many sentences are decoded side by side.
        bos_id: The symbol that `step` sees first; or one for each sentence,
            `(batch,)`, as `read_prompt` returns them.
        eos_id: The symbol that ends a sentence; None where there is none.
        max_length: The most steps that are made.
        pad_id: What stands after the end of a sentence.

    Returns:
        `(batch, length)`, int32, `length` at most `max_length`: the symbols
        with the EOS of each sentence that ended, then `pad_id`. Decoding stops
        as soon as all sentences have ended.

    Raises:
        ValueError: `max_length` is less than 1.

    Example:

    >>> def count_up(previous, state):
    ...     return np.eye(5)[np.minimum(previous + 1, 4)], state
    >>> greedy(count_up, None, batch=1, bos_id=1, eos_id=4, max_length=9).tolist()
    [[2, 3, 4]]
    """
    check_max_length("greedy", max_length)

    def best(scores: np.ndarray) -> np.ndarray:
        return scores.argmax(axis=-1)

    return write(step, state, batch, bos_id, eos_id, max_length, pad_id, best)
