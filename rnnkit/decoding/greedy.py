"""Greedy decoding: take the most probable symbol, again and again."""

from collections.abc import Callable
from typing import Any

import numpy as np
from keras import ops

StepFunction = Callable[[np.ndarray, Any], tuple[Any, Any]]


def greedy(
    step: StepFunction,
    state: Any,
    batch: int,
    bos_id: int,
    eos_id: int,
    max_length: int,
    pad_id: int = 0,
) -> np.ndarray:
    """Write one symbol at a time, each time the one with the highest score.

    Taught in unit 05, section s21; used in unit 06.

    Args:
        step: Called as `step(previous_ids, state)` with `previous_ids`
            `(batch,)`; returns the scores of the next symbol,
            `(batch, vocabulary)`, and the new state.
        state: The state before the first step, of any form that `step` takes.
        batch: How many sentences are decoded side by side.
        bos_id: The symbol that `step` sees first.
        eos_id: The symbol that ends a sentence.
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
    if max_length < 1:
        raise ValueError(f"greedy expects max_length >= 1. Received: max_length={max_length}")
    previous = np.full(batch, bos_id, dtype="int32")
    ended = np.zeros(batch, dtype=bool)
    columns: list[np.ndarray] = []
    while len(columns) < max_length and not ended.all():
        scores, state = step(previous, state)
        best = ops.convert_to_numpy(scores).argmax(axis=-1).astype("int32")
        previous = np.where(ended, pad_id, best).astype("int32")
        columns.append(previous)
        ended |= previous == eos_id
    return np.stack(columns, axis=1) if columns else np.zeros((batch, 0), dtype="int32")
