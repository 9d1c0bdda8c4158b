"""A number for each word of a sentence."""

from collections.abc import Mapping, Sequence

import numpy as np

from rnnkit.plots.figure import (
    FONT_SIZE,
    GREY,
    LINE_STYLES,
    PLAIN,
    CourseFigure,
    check_lines,
    monospace_width,
)

_MOST_WORDS = 24
_WIDTH = 380.0  # points that the words have side by side
_MOST_TOLD = 8


def over_words(
    series: Mapping[str, Sequence[float]],
    words: Sequence[str],
    y_label: str,
    *,
    title: str | None = None,
    chance: float | None = None,
    y_limits: tuple[float, float] | None = None,
) -> CourseFigure:
    """Draw a number for each word, from left to right, with the words below.

    Used in unit 04, section s16.

    Args:
        series: For each name, one number for each word; `nan` leaves a gap. At
            most five names.
        words: The words.
        y_label: What stands at the left, with its unit.
        title: Stands above.
        chance: What guessing reaches: a dotted line.
        y_limits: The lowest and the highest y shown.

    Returns:
        The figure.

    Raises:
        ValueError: There are no lines or more than five, no words or more than
            24, or a line has not one number for each word.

    Example:

    >>> from rnnkit.plots import alt_text, over_words
    >>> figure = over_words({"both": [0.5, 0.75]}, ["the", "bank"], "p(nature)", chance=0.5)
    >>> alt_text(figure)
    'p(nature) over the words. both: the 0.5, bank 0.75. Chance: 0.5.'
    """
    check_lines("series", series)
    if not 1 <= len(words) <= _MOST_WORDS:
        raise ValueError(f"words must hold 1 to {_MOST_WORDS}. Received: {len(words)} words")
    for label, numbers in series.items():
        if len(numbers) != len(words):
            raise ValueError(
                f"each line needs one number for each of the {len(words)} words. "
                f"Received: {len(numbers)} for {label!r}"
            )
    turned = monospace_width("m" * (1 + max(map(len, words)))) > _WIDTH / len(words)
    figure = CourseFigure(height=4.2 if turned else 3.6)
    axes = figure.subplots()
    for (label, numbers), style in zip(series.items(), LINE_STYLES, strict=False):
        axes.plot(range(len(words)), numbers, label=label, linewidth=2, markersize=6, **style)
    if chance is not None:
        label = f"chance ({chance:g})"
        axes.axhline(chance, color=GREY, linestyle=":", linewidth=1.5, label=label)
    if y_limits:
        axes.set_ylim(*y_limits)
    axes.set_xticks(range(len(words)), words, rotation=90 if turned else 0, **PLAIN)
    axes.set_ylabel(y_label, fontsize=FONT_SIZE)
    axes.tick_params(labelsize=FONT_SIZE)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=2, fontsize=FONT_SIZE, frameon=False)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    told = [f"{label}: {_tell(numbers, words)}." for label, numbers in series.items()]
    told += [f"Chance: {chance:g}."] if chance is not None else []
    figure.rnnkit_alt = f"{title or f'{y_label} over the words'}. {' '.join(told)}"
    return figure


def _tell(numbers: Sequence[float], words: Sequence[str]) -> str:
    """The numbers in words; of many, some from the first to the last."""
    places = [*range(len(words))]
    if len(words) > _MOST_TOLD:
        places = [int(place) for place in np.linspace(0, len(words) - 1, _MOST_TOLD).round()]
    return ", ".join(
        f"{words[place]} {'no value' if np.isnan(numbers[place]) else f'{numbers[place]:.3g}'}"
        for place in places
    )
