"""What a network is made of, unrolled over time: rows of nodes, and arrows by rule."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

# A row's key and a position in the row, from 0: ("x", 2) is the third input.
Node = tuple[str, int]
Arrow = tuple[Node, Node]
Rule = Literal["up", "next", "before", "all", "last to first", "first to first"]
Look = Literal["word", "state", "vector"]

# For a rule: the pairs of positions that it joins, given the two rows' lengths.
_RULES: dict[str, Callable[[int, int], list[tuple[int, int]]]] = {
    "up": lambda below, above: [(i, i) for i in range(min(below, above))],
    "next": lambda row, _: [(i, i + 1) for i in range(row - 1)],
    "before": lambda row, _: [(i + 1, i) for i in range(row - 1)],
    "all": lambda below, above: [(i, j) for i in range(below) for j in range(above)],
    "last to first": lambda below, _: [(below - 1, 0)],
    "first to first": lambda *_: [(0, 0)],
}


@dataclass(frozen=True)
class Row:
    """A row of nodes, one for each step.

    Args:
        key: A short name that links and paths use.
        name: Stands left of the row.
        labels: What is written in each node; as many as there are nodes.
        look: `"word"` without a border, `"state"` in a box, `"vector"` in a
            circle.
        column: The column of the first node.
        side: -1 puts the nodes in the left half of their columns, 1 in the
            right half, 0 in the middle.
    """

    key: str
    name: str
    labels: Sequence[str]
    look: Look = "state"
    column: float = 0
    side: Literal[-1, 0, 1] = 0


@dataclass(frozen=True)
class Link:
    """Arrows from one row to another, or along one row.

    Args:
        begin: The key of the row where the arrows begin.
        end: The key of the row where they end.
        rule: Which nodes they join: `"up"` those at the same position,
            `"next"` each with the one after it, `"before"` each with the one
            before it, `"all"` each with each; `"last to first"` and
            `"first to first"` are single arrows.
    """

    begin: str
    end: str
    rule: Rule


@dataclass(frozen=True)
class Network:
    """A network unrolled over time, to be drawn by `rnnkit.plots.draw_network`.

    Args:
        rows: From bottom to top.
        links: The arrows between them.
        description: One sentence for people who cannot see the drawing.

    Raises:
        ValueError: A row is empty or shares its key with another, or a link
            names a row or a rule that does not exist.

    Example:

    >>> from rnnkit.plots import Link, Network, Row
    >>> rnn = Network(
    ...     rows=[Row("x", "input", "abc", look="word"), Row("h", "state", "hhh")],
    ...     links=[Link("x", "h", "up"), Link("h", "h", "next")],
    ...     description="An RNN over a b c.",
    ... )
    >>> len(rnn.arrows())
    5
    >>> rnn.shortest_path(("x", 0), ("h", 2))
    [(('x', 0), ('h', 0)), (('h', 0), ('h', 1)), (('h', 1), ('h', 2))]
    """

    rows: Sequence[Row]
    links: Sequence[Link]
    description: str

    def __post_init__(self) -> None:
        keys = [row.key for row in self.rows]
        if len(set(keys)) != len(keys):
            raise ValueError(f"each row of a Network needs a key of its own. Received: {keys}")
        for row in self.rows:
            if not row.labels:
                raise ValueError(f"each row of a Network needs a node. Received: none in {row}")
        for link in self.links:
            if link.begin not in keys or link.end not in keys:
                raise ValueError(f"a Link must join two of the rows {keys}. Received: {link}")
            if link.rule not in _RULES:
                raise ValueError(f"a Link's rule is one of {[*_RULES]}. Received: {link.rule!r}")

    def row(self, key: str) -> Row:
        """The row with this key."""
        return next(row for row in self.rows if row.key == key)

    def arrows(self) -> list[Arrow]:
        """All arrows, each as the node where it begins and the node where it ends."""
        arrows = []
        for link in self.links:
            lengths = len(self.row(link.begin).labels), len(self.row(link.end).labels)
            for i, j in _RULES[link.rule](*lengths):
                arrows.append(((link.begin, i), (link.end, j)))
        return arrows

    def shortest_path(self, start: Node, end: Node) -> list[Arrow]:
        """The arrows of a shortest way from one node to another.

        Args:
            start: `(key of the row, position)`.
            end: `(key of the row, position)`.

        Returns:
            The arrows in their order; `[]` where start and end are the same.

        Raises:
            ValueError: There is no such node, or no way.
        """
        for key, position in (start, end):
            if not any(r.key == key and 0 <= position < len(r.labels) for r in self.rows):
                raise ValueError(
                    f"a path must join nodes of the network, whose rows are "
                    f"{ {row.key: len(row.labels) for row in self.rows} }. "
                    f"Received: {(key, position)}"
                )
        arrows = self.arrows()
        ways: dict[Node, list[Arrow]] = {start: []}
        queue = [start]
        for node in queue:  # breadth first: nodes that are further away come later
            for arrow in arrows:
                if arrow[0] == node and arrow[1] not in ways:
                    ways[arrow[1]] = [*ways[node], arrow]
                    queue.append(arrow[1])
        if end not in ways:
            raise ValueError(f"a path must follow the arrows. Received: {start} to {end}, no way")
        return ways[end]
