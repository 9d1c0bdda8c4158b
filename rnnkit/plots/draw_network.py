"""The drawing of a network that is unrolled over time."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from rnnkit.plots.figure import FONT_SIZE, GREY, HIGHLIGHT, PLAIN, CourseFigure, text_width
from rnnkit.plots.network_parts import Arrow, Network, Node, Row

_MOST_COLUMNS = 16
# All in points, 1/72 inch.
_WIDTH = 460.0
_EDGE = 8.0
_GAP = 24.0  # between two rows
_WIDE_GAP = 44.0  # where each node is joined with each
_LINE = 15.0  # height of a word
_BOX = 19.0
_ARROW_TO_NODE = 1.5
_WORD_MARGIN = 1.5
_SMALLEST_BOX_WITH_LABEL = 13.0
# A box says by its place and fill which way it reads; white is neither.
_FILLS = {-1: "#D9EAF7", 0: "white", 1: "#F8DDBF"}


def draw_network(
    network: Network, path: tuple[Node, Node] | None = None, title: str | None = None
) -> CourseFigure:
    """Draw a network with one column for each step.

    Args:
        network: What to draw.
        path: Two nodes, each `(key of the row, position)`: a shortest way from
            the first to the second is drawn strong, and its arrows are counted.
            Gradients take the same way back.
        title: Stands above the drawing, in place of the count.

    Returns:
        The figure.

    Raises:
        ValueError: There are more than 16 columns, or there is no such path.

    Example:

    >>> from rnnkit.plots import Link, Network, Row, alt_text, draw_network
    >>> rnn = Network(
    ...     rows=[Row("x", "input", "abc", look="word"), Row("h", "state", "hhh")],
    ...     links=[Link("x", "h", "up"), Link("h", "h", "next")],
    ...     description="An RNN over a b c.",
    ... )
    >>> print(alt_text(draw_network(rnn, path=(("x", 0), ("h", 2)))))
    An RNN over a b c. From input 'a' to state 3: 3 arrows.
    """
    way = network.shortest_path(*path) if path else []
    count = f"{_name(network, path[0], 'From')} {_name(network, path[1], 'to')}" if path else ""
    count += f": {len(way)} arrow{'' if len(way) == 1 else 's'}" if path else ""
    heading = title if title is not None else count
    plan = _Plan(network)
    room = _LINE + 6 if heading else 0.0
    figure = CourseFigure(width=_WIDTH / 72, height=(plan.height + room) / 72)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, plan.height / (plan.height + room)))
    axes.set_xlim(0, _WIDTH)
    axes.set_ylim(0, plan.height)
    axes.axis("off")
    if heading:
        axes.set_title(heading, fontsize=FONT_SIZE, pad=4)
    on_way = {node for arrow in way for node in arrow}
    for arrow in network.arrows():
        _draw_arrow(axes, network, plan, arrow, strong=arrow in way)
    for row in network.rows:
        axes.text(
            _EDGE, plan.middle[row.key], row.name, va="center", fontsize=FONT_SIZE, color=GREY
        )
        for position in range(len(row.labels)):
            _draw_node(axes, plan, row, position, strong=(row.key, position) in on_way)
    figure.rnnkit_alt = f"{network.description}{f' {count}.' if count else ''}"
    return figure


class _Plan:
    """Where everything goes, in points from the lower left corner."""

    def __init__(self, network: Network) -> None:
        columns = max(row.column + len(row.labels) for row in network.rows)
        if columns > _MOST_COLUMNS:
            raise ValueError(
                f"a drawing has room for {_MOST_COLUMNS} columns. Received: {columns:g} columns"
            )
        self.first = network.rows[0].key
        self.left = _EDGE + max(text_width(row.name) for row in network.rows) + 10
        self.pitch = (_WIDTH - _EDGE - self.left) / columns
        two_sided = any(row.side for row in network.rows)
        self.box = min(_BOX, self.pitch * (0.44 if two_sided else 0.62))
        self.turned = {row.key: self._is_turned(row) for row in network.rows}
        joined = {link.end for link in network.links if link.rule == "all"}
        self.middle: dict[str, float] = {}
        top = _EDGE
        for number, row in enumerate(network.rows):
            below = 0.0 if number == 0 else (_WIDE_GAP if row.key in joined else _GAP)
            tall = self._row_height(row)
            self.middle[row.key] = top + below + tall / 2
            top += below + tall
        self.height = top + _EDGE

    def _is_turned(self, row: Row) -> bool:
        room = self.pitch / (2 if row.side else 1) - 3
        return row.look == "word" and max(text_width(word) for word in row.labels) > room

    def _row_height(self, row: Row) -> float:
        if row.look != "word":
            return self.box
        if self.turned[row.key]:
            return max(text_width(word) for word in row.labels) + 2 * _WORD_MARGIN
        return _LINE

    def centre(self, row: Row, position: int) -> np.ndarray:
        """The middle of a node."""
        column = row.column + position + 0.5 + 0.25 * row.side
        centre = np.array([self.left + column * self.pitch, self.middle[row.key]])
        if self.turned[row.key]:  # words begin or end where their arrow is
            free = self._row_height(row) / 2 - self.half(row, position)[1]
            centre[1] += free if row.key == self.first else -free
        return centre

    def half(self, row: Row, position: int) -> np.ndarray:
        """Half the width and half the height of a node."""
        if row.look != "word":
            return np.array([self.box / 2, self.box / 2])
        half = np.array([text_width(row.labels[position]) / 2 + _WORD_MARGIN, _LINE / 2])
        return half[::-1] if self.turned[row.key] else half


def _name(network: Network, node: Node, preposition: str) -> str:
    row, position = network.row(node[0]), node[1]
    word = repr(row.labels[position]) if row.look == "word" else str(position + 1)
    return f"{preposition} {row.name} {word}"


def _draw_arrow(axes: Axes, network: Network, plan: _Plan, arrow: Arrow, strong: bool) -> None:
    rows = [network.row(key) for key, _ in arrow]
    places = [plan.centre(row, node[1]) for row, node in zip(rows, arrow, strict=True)]
    halves = [plan.half(row, node[1]) for row, node in zip(rows, arrow, strict=True)]
    way = places[1] - places[0]
    begin = places[0] + _to_border(way, halves[0])
    end = places[1] - _to_border(way, halves[1])
    many = any(
        link.rule == "all" and (link.begin, link.end) == (rows[0].key, rows[1].key)
        for link in network.links
    )
    width, colour, order = 1.4, GREY, 2
    if many:
        width, colour, order = 0.8, "#56B4E9", 1
    if strong:
        width, colour, order = 3.2, HIGHLIGHT, 3
    patch = FancyArrowPatch(
        tuple(begin),
        tuple(end),
        arrowstyle="-|>",
        mutation_scale=8 + 1.5 * width,
        shrinkA=0,
        shrinkB=0,
        linewidth=width,
        color=colour,
        zorder=order,
    )
    patch.set_gid("{}[{}] to {}[{}]".format(*arrow[0], *arrow[1]))
    axes.add_patch(patch)


def _to_border(way: np.ndarray, half: np.ndarray) -> np.ndarray:
    """From the middle of a node to its border, in the direction of an arrow."""
    share = np.divide(half + _ARROW_TO_NODE, np.abs(way), out=np.full(2, np.inf), where=way != 0)
    return way * share.min()


def _draw_node(axes: Axes, plan: _Plan, row: Row, position: int, strong: bool) -> None:
    x, y = plan.centre(row, position)
    colour, width = (HIGHLIGHT, 2.2) if strong else (GREY, 1.0)
    look: dict[str, Any] = {
        "facecolor": _FILLS[row.side],
        "edgecolor": colour,
        "linewidth": width,
        "zorder": 4,
    }
    if row.look == "state":
        corner = (x - plan.box / 2, y - plan.box / 2)
        axes.add_patch(Rectangle(corner, plan.box, plan.box, **look))
    elif row.look == "vector":
        axes.add_patch(Circle((x, y), plan.box / 2, **look))
    if row.look != "word" and plan.box < _SMALLEST_BOX_WITH_LABEL:
        return
    axes.text(
        x,
        y,
        row.labels[position],
        ha="center",
        va="center_baseline" if row.look == "word" and not plan.turned[row.key] else "center",
        rotation=90 if plan.turned[row.key] else 0,
        fontsize=FONT_SIZE,
        fontstyle="normal" if row.look == "word" else "italic",
        zorder=5,
        **PLAIN,
    )
