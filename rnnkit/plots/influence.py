"""Which outputs of a network depend on which inputs."""

from collections.abc import Sequence

import numpy as np

from rnnkit.plots.figure import FONT_SIZE, GREY, CourseFigure
from rnnkit.plots.heat_map import draw_heat_map, visible

_MOST_SYMBOLS = 24


def influence(
    changes: np.ndarray, symbols: Sequence[str], title: str | None = None
) -> CourseFigure:
    """Draw how much each output changes when one input is changed.

    The darkest cell is the largest change. A cross stands where an output
    does not change at all: it does not depend on that input.

    Used in unit 04, sections s14 and s15.

    Args:
        changes: `(outputs, inputs)`, 0 or more: how far the output at each
            position moves when the input at each position is replaced.
        symbols: The inputs, from left to right: a string or a list. The
            outputs stand at the same positions, from top to bottom.
        title: Stands above the map.

    Returns:
        The figure.

    Raises:
        ValueError: There are no symbols or more than 24, `changes` has another
            shape, or a number in it is negative or not finite.

    Example:

    >>> from rnnkit.plots import alt_text, influence
    >>> alt_text(influence([[0.5, 0.0], [0.2, 0.4]], ["the", "bank"]))
    'Change of the outputs. Output 1 depends on inputs 1. Output 2 depends on inputs 1 to 2.'
    """
    values = np.asarray(changes, dtype=float)
    count = len(symbols)
    if not 1 <= count <= _MOST_SYMBOLS:
        raise ValueError(f"symbols must hold 1 to {_MOST_SYMBOLS}. Received: {count} symbols")
    if values.shape != (count, count) or not np.isfinite(values).all() or (values < 0).any():
        raise ValueError(
            f"changes must be numbers of 0 or more, of the shape {(count, count)}: outputs, "
            f"inputs. Received: shape {values.shape}"
        )
    names = visible(symbols)
    figure = CourseFigure(height=1.7 + 0.3 * count)
    axes = figure.subplots()
    largest = values.max() or 1.0
    image = draw_heat_map(axes, values / largest, names, names)
    rows, columns = np.nonzero(values == 0)
    axes.plot(columns, rows, "x", color=GREY, markersize=7)
    axes.set_xlabel("input that is changed", fontsize=FONT_SIZE)
    axes.set_ylabel("output", fontsize=FONT_SIZE)
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02, ticks=[0, 0.5, 1])
    bar.set_label("change (1 = the largest)", fontsize=FONT_SIZE)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    told = [f"Output {place} depends on {_tell(row)}." for place, row in enumerate(values, 1)]
    figure.rnnkit_alt = f"{title or 'Change of the outputs'}. {' '.join(told)}"
    return figure


def _tell(row: np.ndarray) -> str:
    """The inputs with an influence, as ranges, counted from 1."""
    places = np.flatnonzero(row) + 1
    if not places.size:
        return "no input"
    runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    shown = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f"inputs {', '.join(shown)}"
