"""How probable each symbol is at each step of a decoder."""

from collections.abc import Sequence

import numpy as np

from rnnkit.plots.figure import FONT_SIZE, CourseFigure
from rnnkit.plots.heat_map import draw_heat_map, visible

_MOST_STEPS = 24
_MOST_SYMBOLS = 40


def step_probabilities(
    probabilities: np.ndarray,
    symbols: Sequence[str],
    written: Sequence[str],
    title: str | None = None,
) -> CourseFigure:
    """Draw the distribution over the next symbol at each step, one row for a step.

    Used in unit 05, sections s21 and s22.

    Args:
        probabilities: `(steps, symbols)`, from 0 (white) to 1 (dark blue). A
            row may sum to less than 1, where some symbols are not shown.
        symbols: What may be written, from left to right: a string or a list.
        written: What was written at each step, from top to bottom.
        title: Stands above the map.

    Returns:
        The figure.

    Raises:
        ValueError: The shapes do not fit, there are more than 24 steps or 40
            symbols, or a number is no probability.

    Example:

    >>> from rnnkit.plots import alt_text, step_probabilities
    >>> alt_text(step_probabilities([[0.9, 0.1], [0.4, 0.6]], symbols="ab", written="ab"))
    'Probabilities of the next symbol. Step 1 writes a: a 0.90, b 0.10. Step 2 writes b:
    b 0.60, a 0.40.'
    """
    values = np.asarray(probabilities, dtype=float)
    _check(values, symbols, written)
    columns, rows = visible(symbols), visible(written)
    figure = CourseFigure(height=1.6 + 0.26 * len(rows))
    axes = figure.subplots()
    image = draw_heat_map(axes, values, columns, rows)
    axes.set_ylabel("written", fontsize=FONT_SIZE)
    axes.set_xlabel("symbol", fontsize=FONT_SIZE)
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02, ticks=[0, 0.5, 1])
    bar.set_label("probability", fontsize=FONT_SIZE)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    told = [
        f"Step {number} writes {symbol}: {_tell(row, columns)}."
        for number, (symbol, row) in enumerate(zip(rows, values, strict=True), start=1)
    ]
    figure.rnnkit_alt = f"{title or 'Probabilities of the next symbol'}. {' '.join(told)}"
    return figure


def _check(values: np.ndarray, symbols: Sequence[str], written: Sequence[str]) -> None:
    if not 1 <= len(written) <= _MOST_STEPS or not 1 <= len(symbols) <= _MOST_SYMBOLS:
        raise ValueError(
            f"there must be 1 to {_MOST_STEPS} steps and 1 to {_MOST_SYMBOLS} symbols. "
            f"Received: {len(written)} steps, {len(symbols)} symbols"
        )
    if values.shape != (len(written), len(symbols)):
        raise ValueError(
            "probabilities must have the shape (len(written), len(symbols)) = "
            f"({len(written)}, {len(symbols)}). Received: shape {values.shape}"
        )
    wrong = values[~((values >= 0) & (values <= 1))]  # nan is caught too
    if wrong.size or (values.sum(axis=1) > 1.001).any():
        raise ValueError(
            "each row must be probabilities, from 0 to 1, with a sum of at most 1: take a softmax "
            f"of scores first. Received: {wrong[0] if wrong.size else values.sum(axis=1).max():g}"
        )


def _tell(row: np.ndarray, symbols: Sequence[str]) -> str:
    """The two most probable symbols."""
    order = np.argsort(-row, kind="stable")[:2]
    return ", ".join(f"{symbols[column]} {row[column]:.2f}" for column in order)
