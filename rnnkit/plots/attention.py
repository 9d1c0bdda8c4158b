"""Attention weights as a heat map."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from rnnkit.plots.figure import FONT_SIZE, HIGHLIGHT, CourseFigure
from rnnkit.plots.heat_map import draw_heat_map, joined, visible


def attention_map(
    weights: np.ndarray,
    source: Sequence[str],
    target: Sequence[str],
    gold: np.ndarray | None = None,
    title: str | None = None,
) -> CourseFigure:
    """Draw where each target position looks in the source.

    Used in unit 06.

    Args:
        weights: ``(target, source)``, from 0 (white) to 1 (dark blue).
        source: The source symbols, from left to right: a string or a list.
        target: The target symbols, from top to bottom: a string or a list.
        gold: bool ``(target, source)``: these cells get an orange outline.
        title: Stands above the map.

    Returns:
        The figure.

    Raises:
        ValueError: ``weights`` or ``gold`` has another shape.

    Example:

    >>> from rnnkit.plots import attention_map
    >>> figure = attention_map([[0.1, 0.9], [0.8, 0.2]], source="ab", target="BA")
    """
    weights = np.asarray(weights, dtype=float)
    shape = (len(target), len(source))
    _check_shape("weights", weights, shape)
    source_labels, target_labels = visible(source), visible(target)

    figure = CourseFigure(height=max(2.4, 1.5 + 0.17 * len(target)))
    axes = figure.subplots()
    image = draw_heat_map(axes, weights, source_labels, target_labels)
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02, ticks=[0, 0.5, 1])
    bar.set_label("weight", fontsize=FONT_SIZE)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    if gold is not None:
        gold = np.asarray(gold, dtype=bool)
        _check_shape("gold", gold, shape)
        _outline(axes, gold)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    figure.rnnkit_alt = _describe(weights, source_labels, target_labels, gold, title)
    return figure


def _check_shape(name: str, array: np.ndarray, shape: tuple[int, int]) -> None:
    if array.shape != shape or 0 in shape:
        raise ValueError(
            f"{name} must have the shape (len(target), len(source)) = {shape}, both at least 1; "
            f"cut padding off first. Received: shape {array.shape}"
        )


def _outline(axes: Axes, gold: np.ndarray) -> None:
    """Draw the border of the gold cells: each edge between one and another cell."""
    padded = np.pad(gold, 1)
    lines = []
    for row, column in np.argwhere(padded[1:, 1:-1] != padded[:-1, 1:-1]):
        lines.append([(column - 0.5, row - 0.5), (column + 0.5, row - 0.5)])
    for row, column in np.argwhere(padded[1:-1, 1:] != padded[1:-1, :-1]):
        lines.append([(column - 0.5, row - 0.5), (column - 0.5, row + 0.5)])
    axes.add_collection(
        LineCollection(lines, colors=HIGHLIGHT, linewidths=2, capstyle="round", clip_on=False),
        autolim=False,
    )


def _describe(
    weights: np.ndarray,
    source: list[str],
    target: list[str],
    gold: np.ndarray | None,
    title: str | None,
) -> str:
    looks = [
        f"{target[row]} at {source[column]} (position {column}, {weights[row, column]:.2f})"
        for row, column in enumerate(weights.argmax(axis=1))
    ]
    parts = [
        f"{title or 'Attention weights'}.",
        f"Rows: {joined(target)}. Columns: {joined(source)}.",
        f"Each row looks most: {'; '.join(looks)}.",
    ]
    if gold is not None:
        on_gold = sum(gold[row, column] for row, column in enumerate(weights.argmax(axis=1)))
        parts.append(f"{on_gold} of {len(target)} rows look most at a gold cell.")
    return " ".join(parts)
