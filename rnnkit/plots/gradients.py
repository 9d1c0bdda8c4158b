"""How fast gradients fade with distance."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import MaxNLocator

from rnnkit.plots.figure import FONT_SIZE, GREY, LINE_STYLES, CourseFigure, check_lines


def gradient_norms(
    norms: Mapping[str, Sequence[float]],
    title: str | None = None,
    distances: Sequence[float] | None = None,
) -> CourseFigure:
    """Draw norms of gradients against distance, on a logarithmic scale.

    Used in units 01, 02 and 06.

    Args:
        norms: For each name, the norms from near to far. A norm of exactly 0,
            which has no logarithm, is drawn as a cross at the lower edge. At
            most five names.
        title: Stands above the curves.
        distances: The distance of each norm, in steps; 1, 2, 3, … by default.

    Returns:
        The figure.

    Raises:
        ValueError: There are no curves, or more than five, or one is empty, a
            norm is negative or not finite, or a curve has another number of
            norms than there are distances.

    Example:

    >>> from rnnkit.plots import gradient_norms
    >>> figure = gradient_norms({"simple RNN": [1.0, 0.5, 0.25], "LSTM": [1.0, 0.9, 0.8]})
    """
    check_lines("norms", norms)
    lines = {name: np.asarray(values, dtype=float) for name, values in norms.items()}
    for name, values in lines.items():
        wrong = values[~(np.isfinite(values) & (values >= 0))]
        if wrong.size:
            raise ValueError(f"norms must be 0 or more. Received: {wrong[0]} for {name!r}")
        if distances is not None and len(values) != len(distances):
            raise ValueError(
                "there must be one norm for each distance. "
                f"Received: {len(distances)} distances, {len(values)} norms for {name!r}"
            )
    every = np.concatenate(list(lines.values()))
    floor = every[every > 0].min(initial=1.0) / 10  # where a norm of 0 is drawn

    figure = CourseFigure()
    axes = figure.subplots()
    axes.set_yscale("log")
    for style, (name, values) in zip(LINE_STYLES, lines.items(), strict=False):
        places = np.asarray(distances if distances else np.arange(1, len(values) + 1))
        shown = np.where(values > 0, values, np.nan)
        axes.plot(places, shown, label=name, linewidth=2, markersize=6, **style)
        zeros = places[values == 0]
        axes.plot(zeros, np.full(len(zeros), floor), "x", color=style["color"], markersize=8)
    if (every == 0).any():
        axes.plot([], [], "x", color=GREY, markersize=8, label="exactly 0")
    axes.set_xlabel("distance (steps)", fontsize=FONT_SIZE)
    axes.set_ylabel("norm of the gradient", fontsize=FONT_SIZE)
    axes.tick_params(labelsize=FONT_SIZE)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=2, fontsize=FONT_SIZE, frameon=False)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    figure.rnnkit_alt = f"{title or 'Norm of the gradient against distance'}. " + " ".join(
        f"{name}: {values[0]:.1e} at distance {distances[0] if distances else 1:g}, "
        f"{values[-1]:.1e} at distance {distances[-1] if distances else len(values):g}."
        for name, values in lines.items()
    )
    return figure
