"""Accuracy against length."""

from collections.abc import Mapping, Sequence

from rnnkit.plots.figure import FONT_SIZE, LINE_STYLES, CourseFigure, check_lines


def accuracy_curves(
    curves: Mapping[str, Sequence[tuple[float, float]]], title: str | None = None
) -> CourseFigure:
    """Draw the accuracy of some models against the length of their input.

    Used in units 05 and 06.

    Args:
        curves: For each model's name, pairs ``(length, accuracy)``: length in
            symbols, accuracy from 0 to 1. At most five models.
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
    check_lines("curves", curves)
    figure = CourseFigure()
    axes = figure.subplots()
    for style, (name, points) in zip(LINE_STYLES, curves.items(), strict=False):
        lengths, accuracies = zip(*points, strict=True)
        axes.plot(lengths, accuracies, label=name, linewidth=2, markersize=7, **style)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("length of the input (symbols)", fontsize=FONT_SIZE)
    axes.set_ylabel("exact matches", fontsize=FONT_SIZE)
    axes.tick_params(labelsize=FONT_SIZE)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=2, fontsize=FONT_SIZE, frameon=False)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    figure.rnnkit_alt = f"{title or 'Exact matches against length'}. " + " ".join(
        f"{name}: {', '.join(f'{accuracy:.2f} at {length:g}' for length, accuracy in points)}."
        for name, points in curves.items()
    )
    return figure
