"""Accuracy against length."""

from collections.abc import Mapping

from rnnkit.plots.curves import Points, curves
from rnnkit.plots.figure import CourseFigure


def accuracy_curves(series: Mapping[str, Points], title: str | None = None) -> CourseFigure:
    """Draw the accuracy of some models against the length of their input.

    Used in units 05 and 06.

    Args:
        series: For each model's name, pairs ``(length, accuracy)``: length in
            symbols, accuracy from 0 to 1, or a list of them, one for each
            seed. At most five models.
        title: Stands above the curves.

    Returns:
        The figure.

    Raises:
        ValueError: There are no curves, or more than five, or one is empty.

    Example:

    >>> from rnnkit.metrics import accuracy_by_length
    >>> from rnnkit.plots import accuracy_curves
    >>> table = accuracy_by_length(["a", "b"], ["a", "c"], lengths=[3, 9], edges=[3, 9, 15])
    >>> figure = accuracy_curves({"model": [(high, acc) for low, high, count, acc in table]})
    """
    return curves(
        series,
        x_label="length of the input (symbols)",
        y_label="exact matches",
        title=title,
        y_limits=(-0.03, 1.03),
    )
