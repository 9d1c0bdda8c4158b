"""Which cell of a student's notebook is which cell of the exercise.

A cell is recognised by nbgrader's metadata; where that is gone by its id, then
by its text, then by what it defines, then by its place between cells that were
recognised. Nothing is changed here.
"""

import bisect
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from rnnkit.grading.canon import Canon, CanonCell, same_text
from rnnkit.grading.code_names import defined_names
from rnnkit.grading.reading import HandedInCell

__all__ = ["ROLES", "Matching", "longest_in_order"]

ALIKE = 0.6  # from this share of common text on, two texts are one text that was edited
LONGEST_COMPARED = 10_000  # characters
MOST_COMPARED = 3_000  # pairs of cells
ROLES = ("grade", "solution", "locked", "task")


class Matching:
    """Finds the cells of an exercise in what was handed in.

    Args:
        canon: The exercise.
        cells: The cells handed in.

    Attributes:
        claims: For a place in the exercise, the places of the cells that are it.
            Several where a cell was copied or split.
        how: For a place handed in, by what it was recognised: ``metadata`` (or
            ``loosely``, where its name was changed), ``id``, ``text``, ``likeness``,
            ``names`` or ``order``.
        foreign: Places handed in whose metadata names a cell of no such exercise.
    """

    def __init__(self, canon: Canon, cells: Sequence[HandedInCell]) -> None:
        self.canon = canon
        self.cells = cells
        self.claims: dict[int, list[int]] = defaultdict(list)
        self.how: dict[int, str] = {}
        self.foreign: list[int] = []
        self._by_metadata()
        self._by_id()
        self._by_text()
        self._by_names()
        self._by_likeness()
        self._by_order()
        self._by_elimination()
        self.foreign = [index for index in self.foreign if index not in self.how]

    def free(self, index: int) -> bool:
        """Whether a cell is none of the exercise's, but the student's own."""
        return index not in self.how

    def is_answered(self, cell: CanonCell) -> bool:
        """Whether a cell that is this answer holds more than the released stub."""
        return any(not self._is_stub(cell, index) for index in self.claims.get(cell.place, ()))

    def _is_stub(self, cell: CanonCell, index: int) -> bool:
        source = self.cells[index].source
        return not source.strip() or same_text(source, cell.source)

    def _claim(self, cell: CanonCell, index: int, how: str) -> None:
        self.claims[cell.place].append(index)
        self.how[index] = how

    def _open(self) -> list[CanonCell]:
        return [cell for cell in self.canon.cells if not self.claims.get(cell.place)]

    def _free_cells(self) -> list[int]:
        return [i for i, cell in enumerate(self.cells) if self.free(i) and cell.source.strip()]

    def _by_metadata(self) -> None:
        exact = {cell.name: cell for cell in self.canon.named}
        loose = {_loosely(cell.name): cell for cell in self.canon.named}
        for index, cell in enumerate(self.cells):
            name = _grade_id(cell.marks)
            if not name:
                continue
            known = exact.get(name) or loose.get(_loosely(name))
            if known is not None:
                self._claim(known, index, "metadata" if name == known.name else "loosely")
            elif any(cell.marks.get(kind) for kind in ROLES):
                self.foreign.append(index)

    def _by_id(self) -> None:
        by_id = {cell.cell_id: cell for cell in self._open() if cell.cell_id}
        for index, cell in enumerate(self.cells):
            known = next((by_id[i] for i in cell.ids if i in by_id), None)
            if self.free(index) and known is not None:
                self._claim(known, index, "id")

    def _by_text(self) -> None:
        """Cells with the released text; of several alike, as many as there should be."""
        wanted: dict[tuple[str, ...], list[CanonCell]] = defaultdict(list)
        found: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for cell in self._open():
            wanted[_key(cell.source)].append(cell)
        for index in self._free_cells():
            found[_key(self.cells[index].source)].append(index)
        for key, known in wanted.items():
            places = found.get(key, [])
            if len(known) == 1:
                for index in places:  # more than one: copies
                    self._claim(known[0], index, "text")
            elif len(known) == len(places):
                for cell, index in zip(known, places, strict=True):
                    self._claim(cell, index, "text")

    def _by_names(self) -> None:
        """Code that defines what an answer must define, where that answer is not given."""
        defines = {
            index: defined_names(self.cells[index].source)
            for index in self._free_cells()
            if self.cells[index].cell_type != "markdown"
        }
        for cell in self.canon.named:
            if not cell.is_answer or not cell.gives or self.is_answered(cell):
                continue
            whole = [i for i, names in defines.items() if self.free(i) and cell.gives <= names]
            if not self.claims.get(cell.place):
                parts = [i for i, names in defines.items() if self.free(i) and cell.gives & names]
                for index in whole or parts:
                    self._claim(cell, index, "names")
            else:  # the stub is there too: code before the first test works where it stands
                until = self._first_use(cell)
                for index in [i for i in whole if i > until]:
                    self._claim(cell, index, "names")

    def _first_use(self, cell: CanonCell) -> int:
        users = [c for c in self.canon.named if cell.place in c.needs]
        places = [i for c in users for i in self.claims.get(c.place, ())]
        return min(places, default=len(self.cells))

    def _by_likeness(self) -> None:
        pairs = []
        wanted = [cell for cell in self._open() if len(cell.source) <= LONGEST_COMPARED]
        free = [i for i in self._free_cells() if len(self.cells[i].source) <= LONGEST_COMPARED]
        if len(wanted) * len(free) > MOST_COMPARED:
            wanted = [cell for cell in wanted if cell.name]
        if len(wanted) * len(free) > MOST_COMPARED:
            return
        for cell in wanted:
            for index in free:
                score = _likeness(cell, self.cells[index].source)
                if score >= ALIKE:
                    pairs.append((-score, cell.place, index))
        for _, place, index in sorted(pairs):
            if self.free(index) and not self.claims.get(place):
                self._claim(self.canon.cells[place], index, "likeness")

    def _by_order(self) -> None:
        """Answers that stand alone between two cells that were recognised."""
        anchors = self._anchors()
        bounds = [(-1, -1), *anchors, (len(self.canon.cells), len(self.cells))]
        for (place, index), (next_place, next_index) in itertools.pairwise(bounds):
            gap = [self.canon.cells[p] for p in range(place + 1, next_place)]
            gap = [c for c in gap if not self.claims.get(c.place) and not c.is_locked]
            free = [
                i
                for i in range(index + 1, next_index)
                if self.free(i) and self.cells[i].source.strip()
            ]
            for is_code in (True, False):
                self._fill(
                    [c for c in gap if (c.cell_type == "code") == is_code],
                    [i for i in free if (self.cells[i].cell_type == "code") == is_code],
                )

    def _fill(self, gap: list[CanonCell], free: list[int]) -> None:
        if len(gap) == len(free):
            for cell, index in zip(gap, free, strict=True):
                self._claim(cell, index, "order")
        elif len(gap) == 1 and gap[0].is_written:
            for index in free:  # a person reads all of it
                self._claim(gap[0], index, "order")

    def _by_elimination(self) -> None:
        """The only answer that is not there, and the only cell that could be it."""
        for is_code in (True, False):
            gap = [c for c in self._open() if c.is_answer and (c.cell_type == "code") == is_code]
            free = [i for i in self._free_cells() if (self.cells[i].cell_type == "code") == is_code]
            if len(gap) == len(free) == 1:
                self._claim(gap[0], free[0], "order")

    def _anchors(self) -> list[tuple[int, int]]:
        """Recognised cells that stand in the exercise's order."""
        pairs = sorted((min(found), place) for place, found in self.claims.items() if found)
        kept = longest_in_order([place for _, place in pairs])
        return [(place, index) for index, place in pairs if place in kept]


def _grade_id(marks: dict[str, Any]) -> str:
    name = marks.get("grade_id")
    return name.strip() if isinstance(name, str) else ""


def _loosely(name: str) -> str:
    return name.casefold().replace("_", "-").strip("- ")


def _key(source: str) -> tuple[str, ...]:
    return tuple(line.rstrip() for line in source.strip().splitlines())


def _likeness(cell: CanonCell, source: str) -> float:
    """How much of one text is in another, from 0 to 1."""
    if cell.is_answer:
        return _kept_lines(cell.source, source)
    matcher = SequenceMatcher(None, cell.source, source, autojunk=False)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()


def _kept_lines(stub: str, source: str) -> float:
    """The share of a stub's own lines that an answer kept."""
    lines = Counter(line.strip() for line in stub.splitlines())
    for line in list(lines):
        if len(line) < 4 or line.startswith(("# YOUR CODE", "raise NotImpl", "YOUR ANSWER")):
            del lines[line]
    if lines.total() < 2:
        return 0.0
    kept = lines & Counter(line.strip() for line in source.splitlines())
    return kept.total() / lines.total()


def longest_in_order(values: Iterable[int]) -> set[int]:
    """The largest set of different numbers that already stand in rising order.

    Example:

    >>> sorted(longest_in_order([0, 1, 5, 2, 3]))
    [0, 1, 2, 3]
    """
    ends: list[int] = []  # the smallest end of a rising row of each length
    before: dict[int, int | None] = {}
    for value in values:
        at = bisect.bisect_left(ends, value)
        before[value] = ends[at - 1] if at else None
        ends[at : at + 1] = [value]
    chain: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        chain.add(last)
        last = before[last]
    return chain
