"""The loop that writes one symbol after another."""

from collections.abc import Callable
from typing import Any

import numpy as np
from keras import ops

StepFunction = Callable[[np.ndarray, Any], tuple[Any, Any]]
Choose = Callable[[np.ndarray], np.ndarray]


def write(
    step: StepFunction,
    state: Any,
    batch: int,
    bos_id: int | np.ndarray,
    eos_id: int | None,
    max_length: int,
    pad_id: int,
    choose: Choose,
) -> np.ndarray:
    """Choose a symbol from the scores, show it to the next step, and so on.

    Each step gets the state of the one before, so that it costs the same
    however much was written.

    Args:
        step: Called as `step(previous_ids, state)` with `previous_ids`
            `(batch,)`; returns the scores of the next symbol,
            `(batch, vocabulary)`, and the new state.
        state: The state before the first step, of any form that `step` takes.
        batch: How many sentences are written side by side.
        bos_id: The symbol that `step` sees first; or one for each sentence.
        eos_id: The symbol that ends a sentence; None where there is none.
        max_length: The most steps that are made.
        pad_id: What stands after the end of a sentence.
        choose: From scores `(batch, vocabulary)` to symbols `(batch,)`.

    Returns:
        `(batch, length)`, int32: the symbols with the EOS of each sentence
        that ended, then `pad_id`.
    """
    previous = np.full(batch, bos_id, dtype="int32")
    ended = np.zeros(batch, dtype=bool)
    columns: list[np.ndarray] = []
    while len(columns) < max_length and not ended.all():
        scores, state = step(previous, state)
        chosen = choose(to_numpy(scores)).astype("int32")
        previous = np.where(ended, pad_id, chosen).astype("int32")
        columns.append(previous)
        if eos_id is not None:
            ended |= previous == eos_id
    return np.stack(columns, axis=1) if columns else np.zeros((batch, 0), dtype="int32")


def to_numpy(scores: Any) -> np.ndarray:
    """Scores as an array that NumPy can count with."""
    if isinstance(scores, np.ndarray):
        return scores
    array = ops.convert_to_numpy(scores)
    # NumPy's own functions do not know bfloat16.
    return array if array.dtype in ("float32", "float64") else array.astype("float32")


def check_max_length(caller: str, max_length: int) -> None:
    """Refuse to write nothing.

    Raises:
        ValueError: `max_length` is less than 1.
    """
    if max_length < 1:
        raise ValueError(f"{caller} expects max_length >= 1. Received: max_length={max_length}")
