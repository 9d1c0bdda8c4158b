"""What beam search kept at each step, as a tree."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from rnnkit.plots.figure import FONT_SIZE, GREY, HIGHLIGHT, PLAIN, CourseFigure, text_width
from rnnkit.plots.heat_map import visible

Beginning = tuple[Sequence[str], float]  # the symbols, the logarithm of their probability

_MOST_STEPS = 10
_MOST_ENDS = 16
# In points, 1/72 inch.
_WIDTH = 460.0
_EDGE = 8.0
_ROW = 40.0
_HEAD = 22.0  # room for the numbers of the steps
_FOOT = 26.0  # room for the legend


def beam_tree(
    rounds: Sequence[Sequence[Beginning]], title: str | None = None, start: str = "BOS"
) -> CourseFigure:
    """Draw the beginnings that a beam search kept, one column for each step.

    The way to the best sentence is drawn strong. A beginning that was kept for
    a while and then dropped ends in a dashed line.

    Used in unit 05, section s21.

    Args:
        rounds: For each step, the beginnings in the beam after it: for each,
            its symbols, and the logarithm of their probability. A sentence
            that has ended stays in the beam as it is. The best of the last
            round stands first.
        title: Stands above the tree.
        start: Stands at the root.

    Returns:
        The figure.

    Raises:
        ValueError: There are no beginnings, too many to draw, one does not
            continue a beginning of the step before, or a number is no
            logarithm of a probability.

    Example:

    >>> from math import log
    >>> from rnnkit.plots import alt_text, beam_tree
    >>> rounds = [[("a", log(0.6)), ("b", log(0.4))], [("bc", log(0.36)), ("ab", log(0.3))]]
    >>> alt_text(beam_tree(rounds))
    'Beam search. Step 1 keeps: a (0.600), b (0.400). Step 2 keeps: b c (0.360), a b (0.300).
    Best: b c.'
    """
    kept = [[(tuple(symbols), float(total)) for symbols, total in beam] for beam in rounds]
    _check(kept)
    totals = {symbols: total for beam in kept for symbols, total in beam}
    places = _places([()], totals)
    ends = max(y for _, y in places.values()) + 1
    room = 18.0 if title else 0.0
    height = _HEAD + ends * _ROW + _FOOT
    figure = CourseFigure(width=_WIDTH / 72, height=(height + room) / 72)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, height / (height + room)))
    axes.set_xlim(0, _WIDTH)
    axes.set_ylim(height, 0)  # from the top
    axes.axis("off")
    if title:
        axes.set_title(title, fontsize=FONT_SIZE, pad=4)
    steps = len(kept)
    pitch = (_WIDTH - 2 * _EDGE) / (steps + 1)
    centres = {
        node: (_EDGE + (column + 0.5) * pitch, _HEAD + (row + 0.5) * _ROW)
        for node, (column, row) in places.items()
    }
    for number in range(1, steps + 1):
        x = _EDGE + (number + 0.5) * pitch
        axes.text(x, 12, f"step {number}", ha="center", fontsize=FONT_SIZE, color=GREY)
    best = kept[-1][0][0]
    _draw_lines(axes, centres, best, {symbols for symbols, _ in kept[-1]})
    for node, centre in centres.items():
        probability = float(np.exp(totals[node])) if node else None
        _draw_node(
            axes, centre, node[-1] if node else start, probability, node == best[: len(node)]
        )
    axes.text(
        _EDGE,
        height - 8,
        "below each symbol: probability of the beginning; dashed: dropped later",
        fontsize=FONT_SIZE - 1,
        color=GREY,
    )
    figure.rnnkit_alt = _describe(kept, title)
    return figure


_Node = tuple[str, ...]


def _check(kept: list[list[tuple[_Node, float]]]) -> None:
    if not 1 <= len(kept) <= _MOST_STEPS or not all(kept):
        raise ValueError(
            f"rounds must hold 1 to {_MOST_STEPS} steps, each with a beginning. "
            f"Received: {[len(beam) for beam in kept]} beginnings"
        )
    known: set[_Node] = {()}
    for number, beam in enumerate(kept, start=1):
        for symbols, total in beam:
            if not symbols or (symbols not in known and symbols[:-1] not in known):
                raise ValueError(
                    "each beginning must be one of the step before, or one with a symbol more. "
                    f"Received: {symbols} in step {number}"
                )
            if not -np.inf < total <= 1e-6:
                raise ValueError(
                    "each beginning needs the logarithm of its probability, 0 or less. "
                    f"Received: {total:g} for {symbols}"
                )
        known = {symbols for symbols, _ in beam}
    everything = {symbols for beam in kept for symbols, _ in beam}
    ends = sum(not _longer(node, everything) for node in everything)
    if ends > _MOST_ENDS:
        raise ValueError(
            f"a tree has room for {_MOST_ENDS} ends: take a smaller width. Received: {ends} ends"
        )


def _longer(node: _Node, nodes: dict[_Node, float] | set[_Node]) -> list[_Node]:
    return [each for each in nodes if len(each) == len(node) + 1 and each[:-1] == node]


def _places(nodes: list[_Node], totals: dict[_Node, float]) -> dict[_Node, tuple[int, float]]:
    """The column and the row of each node: a parent stands in the middle of its children."""
    places: dict[_Node, tuple[int, float]] = {}
    free = 0

    def put(node: _Node) -> float:
        nonlocal free
        children = sorted(_longer(node, totals), key=lambda each: -totals[each])
        rows = [put(child) for child in children]
        if not rows:
            rows = [float(free)]
            free += 1
        row = (rows[0] + rows[-1]) / 2
        places[node] = (len(node), row)
        return row

    for node in nodes:
        put(node)
    return places


def _draw_lines(
    axes: Axes,
    centres: dict[_Node, tuple[float, float]],
    best: _Node,
    last: set[_Node],
) -> None:
    for node, (x, y) in centres.items():
        if not node:
            continue
        from_x, from_y = centres[node[:-1]]
        alive = any(end[: len(node)] == node for end in last)
        strong = best[: len(node)] == node
        (line,) = axes.plot(
            [from_x, x],
            [from_y, y],
            color=HIGHLIGHT if strong else GREY,
            linewidth=3.2 if strong else 1.3,
            linestyle="-" if alive else (0, (4, 3)),
            zorder=2 if strong else 1,
        )
        line.set_gid(f"{' '.join(node[:-1])} to {' '.join(node)}")


def _draw_node(
    axes: Axes, centre: tuple[float, float], symbol: str, probability: float | None, strong: bool
) -> None:
    (shown,) = visible([symbol])
    half = max(9.0, text_width(shown) / 2 + 4)
    x, y = centre
    axes.add_patch(
        FancyBboxPatch(
            (x - half, y - 10),
            2 * half,
            20,
            boxstyle="round,pad=0,rounding_size=4",
            facecolor="white",
            edgecolor=HIGHLIGHT if strong else GREY,
            linewidth=2.2 if strong else 1.0,
            zorder=3,
        )
    )
    axes.text(x, y, shown, ha="center", va="center_baseline", fontsize=FONT_SIZE, zorder=4, **PLAIN)
    if probability is not None:
        axes.text(
            x,
            y + 17,
            f"{probability:.3f}",
            ha="center",
            va="center",
            fontsize=FONT_SIZE - 2,
            zorder=4,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        )


def _describe(kept: list[list[tuple[_Node, float]]], title: str | None) -> str:
    told = []
    for number, beam in enumerate(kept, start=1):
        each = [f"{' '.join(visible(symbols))} ({np.exp(total):.3f})" for symbols, total in beam]
        told.append(f"Step {number} keeps: {', '.join(each)}.")
    best = " ".join(visible(kept[-1][0][0]))
    return f"{title or 'Beam search'}. {' '.join(told)} Best: {best}."
