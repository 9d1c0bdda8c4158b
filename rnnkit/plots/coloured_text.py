"""A text whose symbols are coloured by a number: what a cell of a network does over it."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from rnnkit.plots.figure import FONT_SIZE, PLAIN, CourseFigure

STRONG = 0.5  # from here on a symbol is underlined as well

# Purple to white to orange, which people with any kind of colour vision can
# tell apart. Both ends leave black letters readable.
_COLOURS = LinearSegmentedColormap.from_list("purple-orange", ["#8E7CC3", "#FFFFFF", "#F29339"])
_MOST_COLUMNS = 60
_MOST_LINES = 40
_MOST_QUOTES = 5  # in the description
_LONGEST_QUOTE = 60
# In points, 1/72 inch.
_WIDTH = 460.0
_LINE = 16.0
_EDGE = 6.0
_BAR = 62.0  # height of all that explains the colours
# A space has no letter to show, and is only coloured; other white space and
# control characters would leave the reader wondering.
_VISIBLE = {"\t": "\u21e5", "\n": "", " ": ""}


def coloured_text(
    text: str,
    values: Sequence[float],
    name: str = "value of the cell",
    title: str | None = None,
) -> CourseFigure:
    """Draw a text with each symbol on a ground coloured by its value.

    Strong values are also underlined, 0.5 and above with a line, -0.5 and
    below with dots, so that the picture can be read in grey.

    Used in unit 03, section s11.

    Args:
        text: Prose or a program, of letters that a fixed-width font has. Lines
            longer than 60 symbols go on in the next line.
        values: One number from -1 to 1 for each symbol of the text, line
            breaks too: what a cell was after it had read the symbol. Take
            `numpy.tanh` of an LSTM's cell state, which has no limits.
        name: What the values are; stands at the bar of colours.
        title: Stands above the text.

    Returns:
        The figure.

    Raises:
        ValueError: There is not one value for each symbol, a value lies
            outside -1 to 1, or the text is empty or longer than 40 lines.

    Example:

    >>> from rnnkit.plots import alt_text, coloured_text
    >>> text = "say (yes) now"
    >>> inside = [0.9 if 4 <= place < 8 else -0.1 for place in range(len(text))]
    >>> print(alt_text(coloured_text(text, inside, name="cell 7")))
    Text coloured by cell 7, 13 symbols. 0.5 and above: '(yes'. -0.5 and below: nothing.
    """
    numbers = np.asarray(values, dtype=float)
    _check(text, numbers)
    cells = _lay_out(text, numbers)
    lines = cells[-1].line + 1
    if lines > _MOST_LINES:
        raise ValueError(
            f"text must fit into {_MOST_LINES} lines of {_MOST_COLUMNS} symbols; show a part of "
            f"it. Received: {lines} lines"
        )
    height = lines * _LINE + _EDGE
    room = _LINE + 6 if title else _EDGE
    total = room + height + _BAR
    figure = CourseFigure(width=_WIDTH / 72, height=total / 72)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, _BAR / total, 1, height / total))
    axes.axis("off")
    pitch = (_WIDTH - 2 * _EDGE) / _MOST_COLUMNS
    axes.set_xlim(-_EDGE / pitch, _MOST_COLUMNS + _EDGE / pitch)
    axes.set_ylim(height / _LINE, 0)  # lines are counted from the top
    if title:
        axes.set_title(title, fontsize=FONT_SIZE, pad=4)
    _draw_cells(axes, cells, lines)
    _draw_bar(figure, total, name)
    figure.rnnkit_alt = (
        f"{title or f'Text coloured by {name}'}, {len(text)} symbols. "
        f"{STRONG} and above: {_quote(text, numbers >= STRONG)}. "
        f"-{STRONG} and below: {_quote(text, numbers <= -STRONG)}."
    )
    return figure


class _Cell(NamedTuple):
    line: int
    column: int
    symbol: str
    value: float


def _check(text: str, values: np.ndarray) -> None:
    if not text.strip():
        raise ValueError(f"text must have something to show. Received: {text!r}")
    if values.shape != (len(text),):
        raise ValueError(
            f"values must have the shape (len(text),) = ({len(text)},), one for each symbol, line "
            f"breaks too. Received: shape {values.shape}"
        )
    wrong = values[~(np.abs(values) <= 1)]  # nan is caught too
    if wrong.size:
        raise ValueError(
            "values must be from -1 to 1; take numpy.tanh of an LSTM's cell state. "
            f"Received: {wrong[0]:g}"
        )


def _lay_out(text: str, values: np.ndarray) -> list[_Cell]:
    """The place of each symbol; a line break takes none."""
    cells: list[_Cell] = []
    number = 0  # of the line
    remaining = iter(values.tolist())
    for row in re.findall(r"[^\n]*\n|[^\n]+", text):
        for piece in _pieces(row):
            for column, symbol in enumerate(piece):
                cells.append(_Cell(number, column, symbol, next(remaining)))
            number += 1
    return cells


def _pieces(row: str) -> list[str]:
    """A line of the text in parts that fit, cut after a space where there is one."""
    pieces = []
    while len(row.rstrip("\n")) > _MOST_COLUMNS:
        indentation = len(row) - len(row.lstrip(" "))
        cut = row.rfind(" ", indentation, _MOST_COLUMNS) + 1 or _MOST_COLUMNS
        pieces.append(row[:cut])
        row = row[cut:]
    return [*pieces, row]


def _draw_cells(axes: Axes, cells: list[_Cell], lines: int) -> None:
    ground = np.full((lines, _MOST_COLUMNS), np.nan)
    for line, column, symbol, value in cells:
        if symbol == "\n":
            continue
        ground[line, column] = value
        shown = _shown(symbol)
        if shown:
            axes.text(
                column + 0.5,
                line + 0.72,
                shown,
                ha="center",
                va="baseline",
                family="monospace",
                fontsize=FONT_SIZE,
                **PLAIN,
            ).set_in_layout(False)
    axes.pcolormesh(
        np.arange(_MOST_COLUMNS + 1), np.arange(lines + 1), ground, cmap=_COLOURS, vmin=-1, vmax=1
    )
    for style, strong in (("-", ground >= STRONG), (":", ground <= -STRONG)):
        for line, row in enumerate(strong):
            for begin, end in _runs(row):
                axes.plot([begin, end], [line + 0.9] * 2, color="black", linestyle=style, lw=1.3)


def _shown(symbol: str) -> str:
    if symbol in _VISIBLE:
        return _VISIBLE[symbol]
    return "\ufffd" if unicodedata.category(symbol).startswith("C") else symbol


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """Where runs of True begin, and where they have ended."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _draw_bar(figure: CourseFigure, total: float, name: str) -> None:
    width = 0.62
    bar = figure.add_axes(((1 - width) / 2, 40 / total, width, 12 / total))
    bar.imshow(
        np.linspace(-1, 1, 201)[np.newaxis],
        cmap=_COLOURS,
        vmin=-1,
        vmax=1,
        aspect="auto",
        extent=(-1, 1, 0, 1),
    )
    bar.plot([STRONG, 1], [0.22] * 2, color="black", linestyle="-", linewidth=1.3)
    bar.plot([-1, -STRONG], [0.22] * 2, color="black", linestyle=":", linewidth=1.3)
    bar.set_xticks([-1, -STRONG, 0, STRONG, 1])
    bar.set_yticks([])
    bar.tick_params(labelsize=FONT_SIZE, length=3, pad=2)
    bar.set_xlabel(name, fontsize=FONT_SIZE, labelpad=1)


def _quote(text: str, strong: np.ndarray) -> str:
    """The longest runs of strong symbols, in the order of the text."""
    runs = sorted(_runs(strong), key=lambda run: run[0] - run[1])[:_MOST_QUOTES]
    quoted = [repr(_shortened(text[begin:end])) for begin, end in sorted(runs)]
    return ", ".join(quoted) or "nothing"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
