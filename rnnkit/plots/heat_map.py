"""What the heat maps of the course share: values from 0 to 1, symbols above the columns."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

from rnnkit.plots.figure import FONT_SIZE, PLAIN, monospace_width

_WIDTH = 460.0  # points, 1/72 inch
_BESIDE = 85.0  # points that the bar of colours and the borders take
_SMALLEST_FONT = 8.0
_VISIBLE_SPACE = "\u2423"


def visible(symbols: Sequence[str]) -> list[str]:
    """The symbols, with a sign for the space."""
    return [_VISIBLE_SPACE if symbol == " " else symbol for symbol in symbols]


def joined(symbols: Sequence[str]) -> str:
    """Characters side by side, words with spaces."""
    return ("" if all(len(symbol) == 1 for symbol in symbols) else " ").join(symbols)


def draw_heat_map(
    axes: Axes, values: np.ndarray, columns: Sequence[str], rows: Sequence[str]
) -> AxesImage:
    """Draw values from 0 (white) to 1 (dark blue); the columns' names stand above.

    Args:
        axes: Where.
        values: `(rows, columns)`.
        columns: Their names; turned where they do not fit side by side.
        rows: Their names; none are written where the list is empty.

    Returns:
        What a bar of colours needs.
    """
    image = axes.imshow(values, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    name_columns(axes, columns, beside=max(map(monospace_width, rows), default=0.0))
    if rows:
        axes.set_yticks(range(len(rows)), rows, family="monospace", fontsize=FONT_SIZE, **PLAIN)
    axes.tick_params(length=0)
    return image


def name_columns(axes: Axes, columns: Sequence[str], beside: float) -> None:
    """Write names above the columns, turned where they do not fit side by side.

    Args:
        axes: Where.
        columns: The names.
        beside: The width of what stands left of the map, in points.
    """
    pitch = (_WIDTH - _BESIDE - beside) / len(columns)
    longest = max(map(len, columns))
    turned = longest > 1 and monospace_width("m" * longest) > pitch
    size = pitch if turned else pitch / monospace_width("m", size=1.0) / longest
    axes.set_xticks(
        range(len(columns)),
        columns,
        family="monospace",
        fontsize=min(FONT_SIZE, max(_SMALLEST_FONT, size)),
        rotation=90 if turned else 0,
        **PLAIN,
    )
    axes.xaxis.tick_top()


def write_values(axes: Axes, values: np.ndarray) -> None:
    """Write each value into its cell, in white where the cell is dark."""
    for (row, column), value in np.ndenumerate(values):
        colour = "white" if value > 0.55 else "black"
        text = axes.text(column, row, f"{value:.2f}", ha="center", va="center", color=colour)
        text.set_fontsize(FONT_SIZE)
