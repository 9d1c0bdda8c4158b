"""A long text in windows, for truncated back-propagation through time."""

from collections.abc import Sequence

import numpy as np


def windows(
    ids: Sequence[int] | np.ndarray, batch: int, window: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Cut one long text into streams, and the streams into windows.

    The text is cut into `batch` streams of equal length, which are read side
    by side. Row r of window k + 1 goes on where row r of window k stopped, so
    the state after one window is the state before the next. What is left over
    at the end of the text (less than one window for each stream) is not used.

    Taught in unit 01, section s4, and unit 03, section s8.

    Args:
        ids: The symbols of the text, one after the other.
        batch: How many streams are read side by side.
        window: How many symbols of each stream are read at once.

    Returns:
        For each window, in the order of reading, `(inputs, targets)`, both
        `(batch, window)`, int32: each target is the symbol after its input.

    Raises:
        ValueError: `batch` or `window` is less than 1, or the text is too
            short for one window.

    Example:

    >>> for inputs, targets in windows(range(10), batch=2, window=2):
    ...     print(inputs.tolist(), targets.tolist())
    [[0, 1], [4, 5]] [[1, 2], [5, 6]]
    [[2, 3], [6, 7]] [[3, 4], [7, 8]]
    """
    ids = np.asarray(ids, dtype="int32")
    if batch < 1 or window < 1:
        raise ValueError(
            f"windows expects batch and window >= 1. Received: batch={batch}, window={window}"
        )
    needed = batch * window + 1
    if ids.ndim != 1 or len(ids) < needed:
        raise ValueError(
            f"windows expects one text of at least batch * window + 1 = {needed} symbols. "
            f"Received: ids of shape {ids.shape}"
        )
    length = (len(ids) - 1) // batch // window * window  # of each stream
    inputs = ids[: batch * length].reshape(batch, length)
    targets = ids[1 : batch * length + 1].reshape(batch, length)
    starts = range(0, length, window)
    return [(inputs[:, i : i + window], targets[:, i : i + window]) for i in starts]
