"""Which cells the referee runs itself, and which names it asks the student's process for.

The referee runs each test cell, and before it those given cells whose names it needs, as far
as these use nothing that the student wrote. A name that such a cell or a test has set is
the referee's, whatever the student's cells do with the same name.
"""

from __future__ import annotations

import builtins
import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.utils import is_grade, is_solution

from rnnkit.course.slices import (
    bound_names,
    imported_names,
    imports_alone,
    names_of,
    plain_python,
    read_first,
)
from rnnkit.grading.feedback import split_hidden

__all__ = [
    "OwnCell",
    "TestPlan",
    "cells_of_gradebook",
    "is_test",
    "plan_tests",
]

GIVEN_BY_JUPYTER = {"display", "get_ipython", "__name__"}
_BUILT_IN = {*dir(builtins), *GIVEN_BY_JUPYTER}


@dataclass(frozen=True)
class TestPlan:
    """What a test cell needs.

    Args:
        source: Its text, with the hidden tests.
        given: The given cells that run before it, in order: name and text.
        asks: The names that the student's process is asked for.
    """

    source: str
    given: tuple[tuple[str, str], ...]
    asks: tuple[str, ...]

    @property
    def visible(self) -> str:
        """Its text without the hidden tests."""
        return split_hidden(self.source)[0]


def is_test(cell: NotebookNode) -> bool:
    """Whether a cell is an auto-graded test.

    Args:
        cell: A cell after nbgrader has put its own cells in place.
    """
    return cell.cell_type == "code" and is_grade(cell) and not is_solution(cell)


@dataclass(frozen=True)
class OwnCell:
    """A code cell of ours, as the course has it and not as it was handed in.

    Args:
        name: Its ``grade_id``.
        source: Its text, with the hidden tests.
        is_test: Whether it is an auto-graded test; else it is a given cell.
    """

    name: str
    source: str
    is_test: bool


def cells_of_gradebook(db_url: str, assignment: str, notebook: str) -> tuple[OwnCell, ...]:
    """The cells of ours as nbgrader keeps them since it made the assignment.

    Args:
        db_url: The gradebook.
        assignment: The assignment's name.
        notebook: The notebook's name.
    """
    with Gradebook(db_url) as gradebook:
        found = gradebook.find_notebook(notebook, assignment)
        answers = {cell.name for cell in found.solution_cells}
        tests = {cell.name for cell in found.grade_cells}
        return tuple(
            OwnCell(cell.name, cell.source, cell.name in tests)
            for cell in found.source_cells
            if cell.cell_type == "code" and cell.name not in answers
        )


@functools.lru_cache(maxsize=8)  # all submissions of a unit have one plan
def plan_tests(
    cells: tuple[OwnCell, ...], in_kernel: tuple[str, ...] = ()
) -> Mapping[str, TestPlan]:
    """What each test cell of a notebook needs.

    Args:
        cells: The cells of ours, in their order. They must not come from what was handed in:
            where a given cell is missing, its names would be the student's.
        in_kernel: Test cells that run in the student's kernel, by ``grade_id``.

    Returns:
        A plan for each test cell that the referee runs, by ``grade_id``.
    """
    found = _Plans(frozenset(in_kernel))
    for cell in cells:
        found.read(cell)
    return found.plans


class _Plans:
    def __init__(self, in_kernel: frozenset[str]) -> None:
        self.in_kernel = in_kernel
        self.plans: dict[str, TestPlan] = {}
        self.given: dict[str, tuple[str, frozenset[str]]] = {}  # those of ours that are run here
        self.set_by_tests: set[str] = set()
        self.modules: set[str] = set()
        self.setters: dict[str, list[str]] = defaultdict(list)  # of a name, the given cells

    def read(self, cell: OwnCell) -> None:
        if not cell.is_test:
            self._given(cell.name, plain_python(cell.source))
        elif cell.name not in self.in_kernel:
            self._test(cell.name, cell.source)

    def _given(self, name: str, source: str) -> None:
        names = names_of(source)
        bound = bound_names(source) if names is not None else frozenset()
        if names is None or names.uses - bound - self.setters.keys() - _BUILT_IN:
            # It needs something of the student's, or nobody can tell: what it imports is ours.
            source = imports_alone(source)
            if source:
                self._given(name, source)
            return
        self.modules |= imported_names(source)
        # A call such as keras.utils.set_random_seed(…) changes no module that others need.
        sets = bound | (names.sets - self.modules)
        self.given[name] = (source, names.uses)
        for each in sets:
            self.setters[each].append(name)

    def _test(self, name: str, source: str) -> None:
        names = names_of(source)
        if names is None:
            given = tuple((each, text) for each, (text, _) in self.given.items())
            self.plans[name] = TestPlan(source, given, ())
            return
        needed = self._needed(names.uses)
        given = tuple((each, text) for each, (text, _) in self.given.items() if each in needed)
        asks = names.uses - self.setters.keys() - self.set_by_tests - _BUILT_IN
        asks -= bound_names(source) - read_first(source)
        self.plans[name] = TestPlan(source, given, tuple(sorted(asks)))
        self.set_by_tests |= bound_names(source)

    def _needed(self, uses: Iterable[str]) -> set[str]:
        """The given cells that set these names, and those that they need themselves."""
        needed: set[str] = set()
        waiting = list(uses)
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for cell in self.setters.get(name, ()):
                needed.add(cell)
                waiting += self.given[cell][1]
        return needed
