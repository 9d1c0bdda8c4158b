"""The probabilities of the next symbol, as bars."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from rnnkit.plots.figure import FONT_SIZE, LINE_STYLES, PLAIN, CourseFigure
from rnnkit.plots.heat_map import visible

_MOST_SETTINGS = 5
_MOST_BARS = 16
_MOST_TOLD = 5  # symbols of a setting, by the description
_ROOM_FOR_NUMBER = 1.25  # above the highest bar


def next_symbols(
    settings: Mapping[str, Sequence[float]],
    symbols: Sequence[str],
    count: int = 10,
    title: str | None = None,
    sort: bool = True,
) -> CourseFigure:
    """Draw how probable each next symbol is, under one or several settings.

    The panels stand one above the other and have the same symbols. A symbol that
    can never be chosen is marked with a cross.

    Used in unit 03, section s9.

    Args:
        settings: For each setting's name (`"temperature 0.5"`), the
            probability of each symbol of the vocabulary. At most five.
        symbols: What each symbol looks like: a string or a list.
        count: How many symbols are drawn, at most 16.
        title: Stands above.
        sort: Draw those that are the most probable under the first setting, the
            best at the left. Otherwise the first `count` symbols, in their order.

    Returns:
        The figure.

    Raises:
        ValueError: There are no settings or more than five, the probabilities
            of one do not sum to 1 or are not as many as there are symbols, or
            `count` is out of its range.

    Example:

    >>> from rnnkit.plots import alt_text, next_symbols
    >>> figure = next_symbols({"T = 1": [0.1, 0.7, 0.2], "greedy": [0, 1, 0]}, "abc", count=2)
    >>> alt_text(figure)
    'Probability of the next symbol. T = 1: b 0.70, c 0.20, 1 other 0.10.
    greedy: b 1.00, c 0.00, 1 other 0.00.'
    """
    values = {name: np.asarray(row, dtype=float) for name, row in settings.items()}
    _check(values, symbols, count)
    first = next(iter(values.values()))
    order = (np.argsort(-first, kind="stable") if sort else np.arange(len(first)))[:count]
    names = ["\u21b5" if symbol == "\n" else symbol for symbol in visible(symbols)]
    shown = [names[place] for place in order]
    figure = CourseFigure(height=0.9 + 1.25 * len(values))
    all_axes = figure.subplots(len(values), sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (name, row), style in zip(all_axes, values.items(), LINE_STYLES, strict=False):
        _draw_bars(axes, row[order], style["color"])
        axes.set_title(name, fontsize=FONT_SIZE, loc="left")
    highest = max(float(row[order].max()) for row in values.values())
    all_axes[0].set_ylim(0, _ROOM_FOR_NUMBER * highest)
    all_axes[-1].set_xticks(range(len(shown)), shown, family="monospace", **PLAIN)
    figure.supylabel("probability", fontsize=FONT_SIZE)
    if title:
        figure.suptitle(title, fontsize=FONT_SIZE)
    others = len(first) - len(order)
    told = [_tell(name, row, order, shown, others) for name, row in values.items()]
    figure.rnnkit_alt = f"{title or 'Probability of the next symbol'}. {' '.join(told)}"
    return figure


def _check(values: Mapping[str, np.ndarray], symbols: Sequence[str], count: int) -> None:
    if not 1 <= len(values) <= _MOST_SETTINGS:
        raise ValueError(f"settings must hold 1 to {_MOST_SETTINGS}. Received: {len(values)}")
    if not 1 <= count <= _MOST_BARS:
        raise ValueError(f"count must be 1 to {_MOST_BARS}. Received: {count}")
    for name, row in values.items():
        if row.shape != (len(symbols),):
            raise ValueError(
                f"each setting needs one probability for each of the {len(symbols)} symbols. "
                f"Received: shape {row.shape} for {name!r}"
            )
        if not (row >= 0).all() or abs(row.sum() - 1) > 1e-3:  # nan is caught too
            raise ValueError(
                "the probabilities of a setting must be 0 or more and sum to 1. "
                f"Received: a sum of {row.sum():g} for {name!r}"
            )


def _draw_bars(axes: Axes, heights: np.ndarray, colour: str) -> None:
    axes.bar(range(len(heights)), heights, width=0.7, color=colour, edgecolor="black")
    for place, height in enumerate(heights):
        if height == 0:
            axes.plot([place], [0], "kx", markersize=7, clip_on=False)
        elif height >= 0.005:
            number = f"{height:.2f}".removeprefix("0")
            axes.text(place, height, number, ha="center", va="bottom", fontsize=FONT_SIZE - 1)
    axes.tick_params(labelsize=FONT_SIZE)
    axes.set_yticks([])
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)


def _tell(name: str, row: np.ndarray, order: np.ndarray, shown: list[str], others: int) -> str:
    told = [f"{symbol} {row[place]:.2f}" for symbol, place in zip(shown, order, strict=True)]
    told = told[:_MOST_TOLD]
    others += len(order) - len(told)
    if others:
        rest = 1 - sum(row[place] for place in order[: len(told)])
        told.append(f"{others} other{'' if others == 1 else 's'} {abs(rest):.2f}")
    return f"{name}: {', '.join(told)}."
