"""What a notebook of a unit holds when nobody has broken it."""

from dataclasses import dataclass
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from rnnkit.course.slices import names_of
from rnnkit.grading.code_names import defined_names, used_names

__all__ = ["Canon", "CanonCell", "canon_of", "same_text"]


@dataclass(frozen=True)
class CanonCell:
    """A cell of the exercise as released.

    Args:
        place: Its place in the exercise, from 0.
        name: Its ``grade_id``; empty for a cell that nbgrader does not know.
        is_answer: Whether the student writes in it.
        is_graded: Whether it carries points.
        cell_type: ``code``, ``markdown`` or ``raw``.
        source: Its text as released.
        full: Its text with the hidden tests or the solution.
        cell_id: Its id.
        metadata: Its metadata as released.
        gives: Names that it defines and later cells use. For an answer, these
            are what the reference solution defines.
        needs: Places of earlier named cells whose names it uses.
    """

    place: int
    name: str
    is_answer: bool
    is_graded: bool
    cell_type: str
    source: str
    full: str
    cell_id: str
    metadata: dict[str, Any]
    gives: frozenset[str]
    needs: frozenset[int]

    @property
    def is_locked(self) -> bool:
        """Whether its text is always the released one."""
        return bool(self.name) and not self.is_answer

    def is_unchanged(self, text: str) -> bool:
        """Whether a text is the cell's own: as released, or as it stands in the solution.

        Args:
            text: What was handed in.
        """
        return same_text(text, self.source) or (self.is_locked and same_text(text, self.full))

    @property
    def is_written(self) -> bool:
        """Whether it is an answer in words."""
        return self.is_answer and self.cell_type != "code"


@dataclass(frozen=True)
class Canon:
    """A unit's notebook.

    Args:
        unit: The unit's name.
        cells: Its cells in order.
        metadata: The notebook's metadata.
    """

    unit: str
    cells: tuple[CanonCell, ...]
    metadata: dict[str, Any]

    @property
    def named(self) -> list[CanonCell]:
        """The cells that nbgrader knows."""
        return [cell for cell in self.cells if cell.name]

    @property
    def graded(self) -> list[CanonCell]:
        """The cells that carry points."""
        return [cell for cell in self.cells if cell.is_graded]


def same_text(one: str, other: str) -> bool:
    """Whether two sources differ in nothing but white space at the ends of lines.

    Example:

    >>> same_text("a = 1  \\nb = 2\\n", "a = 1\\nb = 2")
    True
    """
    return _stripped(one) == _stripped(other)


def _stripped(source: str) -> list[str]:
    return [line.rstrip() for line in source.strip().splitlines()]


def _name(cell: NotebookNode) -> str:
    if is_grade(cell) or is_solution(cell) or is_locked(cell) or is_task(cell):
        return str(cell.metadata.nbgrader.grade_id)
    return ""


def _uses(source: str) -> frozenset[str]:
    """The notebook's own names that one of our cells looks up."""
    names = names_of(source)
    return used_names(source) if names is None else names.uses


def canon_of(unit: str, released: NotebookNode, reference: NotebookNode) -> Canon:
    """Look at a unit's exercise and its solution.

    Args:
        unit: The unit's name.
        released: The exercise as students get it.
        reference: The solution notebook.
    """
    solved = {_name(cell): cell for cell in reference.cells if _name(cell)}
    sources = [
        solved.get(_name(cell), cell).source if cell.cell_type == "code" else ""
        for cell in released.cells
    ]
    defines = [defined_names(source) for source in sources]
    uses = [_uses(source) for source in sources]
    cells = []
    for place, cell in enumerate(released.cells):
        later = frozenset[str]().union(*uses[place + 1 :])
        gives = defines[place] & later
        if not gives and is_solution(cell) and cell.cell_type == "code":
            gives = defined_names(cell.source)
        needs = (
            earlier
            for earlier in range(place)
            if _name(released.cells[earlier]) and defines[earlier] & uses[place]
        )
        cells.append(
            CanonCell(
                place=place,
                name=_name(cell),
                is_answer=bool(is_solution(cell)),
                is_graded=bool(is_grade(cell) or is_task(cell)),
                cell_type=cell.cell_type,
                source=cell.source,
                full=solved.get(_name(cell), cell).source,
                cell_id=cell.get("id", ""),
                metadata=cell.metadata,
                gives=gives,
                needs=frozenset(needs) if _name(cell) else frozenset(),
            )
        )
    return Canon(unit, tuple(cells), released.metadata)
