"""How fast gradients fade with distance."""

from collections.abc import Mapping, Sequence

import numpy as np

from rnnkit.plots.curves import curves
from rnnkit.plots.figure import CourseFigure, check_lines


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
    for name, values in norms.items():
        wrong = [value for value in values if not (np.isfinite(value) and value >= 0)]
        if wrong:
            raise ValueError(f"norms must be 0 or more. Received: {wrong[0]} for {name!r}")
        if distances is not None and len(values) != len(distances):
            raise ValueError(
                "there must be one norm for each distance. "
                f"Received: {len(distances)} distances, {len(values)} norms for {name!r}"
            )

    def places(values: Sequence[float]) -> Sequence[float]:
        return range(1, len(values) + 1) if distances is None else distances

    return curves(
        {name: list(zip(places(values), values, strict=True)) for name, values in norms.items()},
        x_label="distance (steps)",
        y_label="norm of the gradient",
        title=title,
        log_y=True,
    )
