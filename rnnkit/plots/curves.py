"""Curves of what was measured: against length, distance, size, or time."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, NullLocator

from rnnkit.plots.figure import (
    FONT_SIZE,
    GREY,
    LINE_STYLES,
    CourseFigure,
    check_lines,
    text_width,
)

Points = Sequence[tuple[float, float | Sequence[float]]]

_MOST_PANELS = 3
_MOST_MARKERS = 10  # on a line
_MOST_TICKS = 9
_MOST_POINTS_TOLD = 8  # by the description
_HALF_OF_WIDTH = 190.0  # points; a longer entry of the legend gets a line of its own


class _Point(NamedTuple):
    """What was measured at one x: the smallest, the median and the largest over seeds."""

    x: float
    low: float
    middle: float
    high: float
    seeds: int


_Panels = dict[str, dict[str, list[_Point]]]


def curves(
    series: Mapping[str, Points] | Mapping[str, Mapping[str, Points]],
    x_label: str,
    y_label: str,
    *,
    title: str | None = None,
    chance: float | None = None,
    log_x: bool = False,
    log_y: bool = False,
    y_limits: tuple[float, float] | None = None,
) -> CourseFigure:
    """Draw curves, with their spread over seeds where there are several.

    Used in all units.

    Args:
        series: For each name, points `(x, y)`. Where `y` is a list, one number
            for each seed, the line goes through the median, and a band from
            the smallest to the largest. `nan` leaves a gap. At most five
            names; or, for panels one above the other with the same axes, up
            to three names of panels, each with its curves.
        x_label: What stands below, with its unit: `"length (symbols)"`.
        y_label: What stands at the left, with its unit.
        title: Stands above.
        chance: What guessing reaches: a dotted line.
        log_x: Equal ratios of x are equally far apart.
        log_y: The same for y. A y of exactly 0, which has no logarithm, is
            drawn as a cross at the lower edge.
        y_limits: The lowest and the highest y shown; by default what the
            curves need.

    Returns:
        The figure.

    Raises:
        ValueError: There are no curves, too many, or one is empty, or a number
            is infinite, or negative on a logarithmic axis.

    Example:

    >>> from rnnkit.plots import alt_text, curves
    >>> figure = curves(
    ...     {"LSTM": [(0, [0.98, 0.99, 0.97]), (4, [0.8, 0.9, 0.6])]},
    ...     x_label="attractors between subject and verb",
    ...     y_label="accuracy",
    ...     chance=0.5,
    ... )
    >>> alt_text(figure)
    'accuracy against attractors between subject and verb. LSTM: 0.98 (0.97 to 0.99 over 3 seeds)
    at 0, 0.8 (0.6 to 0.9 over 3 seeds) at 4. Chance: 0.5.'
    """
    panels = {
        panel: {label: _checked(label, points, log_x, log_y) for label, points in lines.items()}
        for panel, lines in _panels(series).items()
    }
    styles = _styles(panels)
    every = [point for lines in panels.values() for points in lines.values() for point in points]
    floor = min((point.middle for point in every if point.middle > 0), default=1.0) / 10
    figure = CourseFigure(height=4.0 if len(panels) == 1 else 1.0 + 2.6 * len(panels))
    all_axes = figure.subplots(len(panels), sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (name, lines) in zip(all_axes, panels.items(), strict=True):
        if log_y:
            axes.set_yscale("log")
        for label, points in lines.items():
            _draw_line(axes, label, points, styles[label], floor if log_y else None)
        if chance is not None:
            axes.axhline(chance, color=GREY, linestyle=":", linewidth=1.5)
        if y_limits:
            axes.set_ylim(*y_limits)
        axes.set_ylabel(y_label, fontsize=FONT_SIZE)
        axes.set_title(name, fontsize=FONT_SIZE)
        axes.tick_params(labelsize=FONT_SIZE)
        axes.grid(alpha=0.3)
    _place_ticks(all_axes[-1], every, log_x)
    all_axes[-1].set_xlabel(x_label, fontsize=FONT_SIZE)
    _draw_legend(figure, styles, every, chance, log_y)
    if title:
        figure.suptitle(title, fontsize=FONT_SIZE)
    figure.rnnkit_alt = _describe(panels, title or f"{y_label} against {x_label}", chance)
    return figure


def _panels(series: Mapping[str, Any]) -> dict[str, dict[str, Points]]:
    if not any(isinstance(value, Mapping) for value in series.values()):
        panels = {"": dict(series)}
    elif all(isinstance(value, Mapping) for value in series.values()):
        panels = {name: dict(lines) for name, lines in series.items()}
    else:
        raise ValueError("series must hold curves alone, or panels alone. Received: both")
    if len(panels) > _MOST_PANELS:
        raise ValueError(f"series must hold 1 to {_MOST_PANELS} panels. Received: {len(panels)}")
    for lines in panels.values():
        check_lines("series", lines)
    return panels


def _styles(panels: _Panels) -> dict[str, dict[str, Any]]:
    """A curve looks alike in each panel."""
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    if len(names) > len(LINE_STYLES):
        raise ValueError(
            f"the panels together must have 1 to {len(LINE_STYLES)} names of curves. "
            f"Received: {len(names)}"
        )
    return dict(zip(names, LINE_STYLES, strict=False))


def _checked(label: str, points: Points, log_x: bool, log_y: bool) -> list[_Point]:
    """The points with their spread, by rising x."""
    checked = []
    for x, y in points:
        values = np.atleast_1d(np.asarray(y, dtype=float))
        if not np.isfinite(x) or np.isinf(values).any() or not values.size:
            raise ValueError(f"points must be finite. Received: {(x, y)} for {label!r}")
        if log_y and (values < 0).any():
            raise ValueError(
                f"y must be 0 or more with log_y. Received: {values.min():g} for {label!r}"
            )
        if log_x and x <= 0:
            raise ValueError(f"x must be above 0 with log_x. Received: {x:g} for {label!r}")
        numbers = values[~np.isnan(values)]
        measures = (np.min, np.median, np.max)
        low, middle, high = (float(of(numbers)) if numbers.size else np.nan for of in measures)
        checked.append(_Point(float(x), low, middle, high, seeds=values.size))
    return sorted(checked)


def _draw_line(
    axes: Axes, label: str, points: list[_Point], style: dict[str, Any], floor: float | None
) -> None:
    """Draw a line and its band; with a floor, the axis is logarithmic."""
    places, low, middle, high, seeds = np.array(points).T
    if floor is not None:
        zeros = places[middle == 0]
        if zeros.size:
            axes.plot(zeros, np.full(zeros.size, floor), "x", color=style["color"], markersize=8)
        middle = np.where(middle > 0, middle, np.nan)
        low, high = np.maximum(low, floor), np.maximum(high, floor)
    every = max(1, len(places) // _MOST_MARKERS)
    axes.plot(places, middle, label=label, linewidth=2, markersize=6, markevery=every, **style)
    if seeds.max() > 1:
        axes.fill_between(places, low, high, color=style["color"], alpha=0.2, linewidth=0)


def _place_ticks(axes: Axes, every: list[_Point], log_x: bool) -> None:
    places = sorted({point.x for point in every})
    if log_x:
        axes.set_xscale("log")
    if log_x and len(places) <= _MOST_TICKS:
        axes.set_xticks(places, [f"{place:g}" for place in places])
        axes.xaxis.set_minor_locator(NullLocator())
    elif not log_x and all(place.is_integer() for place in places):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def _draw_legend(
    figure: CourseFigure,
    styles: Mapping[str, dict[str, Any]],
    every: list[_Point],
    chance: float | None,
    log_y: bool,
) -> None:
    handles: list[Any] = [
        Line2D([], [], label=label, linewidth=2, markersize=6, **style)
        for label, style in styles.items()
    ]
    seeds = max(point.seeds for point in every)
    if seeds > 1:
        label = f"smallest to largest of {seeds} seeds"
        handles.append(Patch(color=GREY, alpha=0.3, linewidth=0, label=label))
    if chance is not None:
        label = f"chance ({chance:g})"
        handles.append(Line2D([], [], color=GREY, linestyle=":", linewidth=1.5, label=label))
    if log_y and any(point.middle == 0 for point in every):
        cross = Line2D([], [], color=GREY, marker="x", markersize=8, linestyle="")
        cross.set_label("exactly 0")
        handles.append(cross)
    longest = max(text_width(handle.get_label()) for handle in handles)
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=1 if longest > _HALF_OF_WIDTH else 2,
        fontsize=FONT_SIZE,
        frameon=False,
    )


def _describe(panels: _Panels, heading: str, chance: float | None) -> str:
    parts = [f"{heading}."]
    for panel, lines in panels.items():
        parts += [f"{panel}:"] if panel else []
        parts += [f"{label}: {_tell(points)}." for label, points in lines.items()]
    if chance is not None:
        parts.append(f"Chance: {chance:g}.")
    return " ".join(parts)


def _tell(points: list[_Point]) -> str:
    """The points in words; of many, the first, the middle and the last."""
    if len(points) > _MOST_POINTS_TOLD:
        points = [points[0], points[len(points) // 2], points[-1]]
    told = []
    for x, low, middle, high, seeds in points:
        spread = f" ({low:.3g} to {high:.3g} over {seeds} seeds)" if seeds > 1 else ""
        told.append(f"{'no value' if np.isnan(middle) else f'{middle:.3g}{spread}'} at {x:g}")
    return ", ".join(told)
