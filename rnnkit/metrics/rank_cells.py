"""Which cells of a network follow a property of the text."""

from typing import NamedTuple

import numpy as np


class CellScore(NamedTuple):
    """How well one cell alone predicts a property.

    Args:
        cell: Which cell, counted from 0.
        score: Measured on the second half of the text, which had no part in
            the ranking. For yes or no: the probability that the cell is higher
            (for sign 1) where the property is true than where it is false;
            0.5 is chance. For numbers: the correlation, times the sign; 0 is
            chance.
        found: The same measure on the first half, by which the cells are
            ranked. The best of many cells is lucky here: believe `score`.
        sign: 1 where the cell rises with the property, -1 where it falls.
    """

    cell: int
    score: float
    found: float
    sign: int


def rank_cells(states: np.ndarray, values: np.ndarray, count: int | None = None) -> list[CellScore]:
    """Look for the cells that follow a property of the text, the best first.

    The cells are ranked on the first half of the text, and measured again on
    the second, so that a cell that is good by chance shows it. The halves are
    not mixed: neighbouring states are too alike to tell chance from truth.
    Taught in unit 03, section s11.

    Args:
        states: `(time, cells)`: what each cell was after each symbol.
        values: `(time,)`: the property at each symbol: bool (inside quotes or
            not), or numbers (the position in the line).
        count: How many cells are returned; all by default.

    Returns:
        One `CellScore` for each cell.

    Raises:
        ValueError: The shapes do not fit, a state or value is no number,
            `count` is less than 1, or the property is the same all through one
            half of the text.

    Example:

    >>> from rnnkit.metrics import rank_cells
    >>> inside = np.tile([False, True, True, False], 10)
    >>> states = np.stack([np.sin(np.arange(40)), np.where(inside, -0.9, 0.3)], axis=1)
    >>> rank_cells(states, inside, count=1)
    [CellScore(cell=1, score=1.0, found=1.0, sign=-1)]
    """
    states, values = np.asarray(states), np.asarray(values)
    _check(states, values, count)
    middle = len(values) // 2
    measure = _areas if values.dtype == bool else _correlations
    first = measure(states[:middle], values[:middle])  # (cells,), 0 is chance
    second = measure(states[middle:], values[middle:])
    signs = np.where(first < 0, -1, 1)
    chance = 0.5 if values.dtype == bool else 0.0
    order = np.argsort(-np.abs(first), kind="stable")[:count]
    return [
        CellScore(
            int(cell),
            float(chance + signs[cell] * second[cell]),
            float(chance + signs[cell] * first[cell]),
            int(signs[cell]),
        )
        for cell in order
    ]


def _check(states: np.ndarray, values: np.ndarray, count: int | None) -> None:
    if states.ndim != 2 or values.ndim != 1 or len(states) != len(values) or not states.shape[1]:
        raise ValueError(
            "states must have the shape (time, cells), and values (time,). "
            f"Received: states {states.shape}, values {values.shape}"
        )
    if values.dtype.kind not in "biuf" or not np.isfinite(values).all():
        raise ValueError(f"values must be bool or finite numbers. Received: {values.dtype} values")
    if states.dtype.kind not in "biuf" or not np.isfinite(states).all():
        raise ValueError(f"states must be finite numbers. Received: {states.dtype} states")
    if count is not None and count < 1:
        raise ValueError(f"count must be at least 1, or None. Received: {count}")
    middle = len(values) // 2
    for name, half in (("first", values[:middle]), ("second", values[middle:])):
        if len(np.unique(half)) < 2:
            raise ValueError(
                "the property must change in each half of the text; take a longer text. "
                f"Received: values that are all alike in the {name} half, {len(half)} symbols"
            )


def _areas(states: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The area under the ROC curve of each cell, minus one half."""
    from sklearn.metrics import roc_auc_score  # slow to import, so only where it is used

    return np.array([roc_auc_score(values, cell) for cell in states.T]) - 0.5


def _correlations(states: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Pearson's correlation of each cell with the values; 0 for a cell that never changes."""
    cells = states - states.mean(axis=0, dtype="float64")
    target = values - values.mean(dtype="float64")
    products = target @ cells
    sizes = np.sqrt((cells**2).sum(axis=0) * (target**2).sum())
    return np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
