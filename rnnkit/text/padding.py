"""Rows of different lengths in one array."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def pad(
    rows: Sequence[Sequence[int]], length: int | None = None, pad_id: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Fill up rows of ids on the right, so that all are as long as the longest.

    Used in units 03 to 07.

    Args:
        rows: Lists (or arrays) of ids, or a `tf.RaggedTensor` with two axes.
        length: How many time steps the result has; those of the longest row
            by default.
        pad_id: What the rows are filled up with.

    Returns:
        The ids, int32 `(batch, time)`, and the mask, bool `(batch, time)`,
        True for a real position and False for padding.

    Raises:
        ValueError: A row is longer than `length`, or holds something else
            than whole numbers.

    Example:

    >>> from rnnkit.text import pad
    >>> ids, mask = pad([[7, 8, 9], [], [4]])
    >>> ids
    array([[7, 8, 9],
           [0, 0, 0],
           [4, 0, 0]], dtype=int32)
    >>> mask.sum(axis=1)
    array([3, 0, 1])
    """
    arrays = [_whole_numbers(row) for row in _as_lists(rows)]
    sizes = np.array([len(array) for array in arrays], dtype="int32")
    longest = int(sizes.max(initial=0))
    steps = longest if length is None else length
    if steps < longest:
        raise ValueError(
            f"length must be at least {longest}, the length of the longest row. "
            f"Received: length={length}, and row {int(sizes.argmax())} has {longest} ids"
        )
    mask = np.arange(steps) < sizes[:, None]  # (batch, time)
    ids = np.full(mask.shape, pad_id, dtype="int32")
    if arrays:
        ids[mask] = np.concatenate(arrays)
    return ids, mask


def _as_lists(rows: Any) -> Any:
    return rows.to_list() if hasattr(rows, "row_splits") else rows  # as ragged tensors have


def _whole_numbers(row: Sequence[int]) -> np.ndarray:
    array = np.asarray(row)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise ValueError(f"each row must be a list of whole numbers. Received: {row!r}")
    return array.astype("int32")
