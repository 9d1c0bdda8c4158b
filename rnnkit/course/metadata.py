"""Check the nbgrader metadata and the points of a unit's source."""

import re
from collections.abc import Iterator
from typing import Any, TypeGuard

from nbformat import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator

from rnnkit.course.findings import Finding
from rnnkit.course.notebooks import VALID_ID, cell_name, nbgrader_metadata
from rnnkit.course.regions import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_HIDDEN,
    END_SOLUTION,
)

__all__ = ["check_metadata", "check_points", "tests_in_kernel"]

SCHEMA = MetadataValidator.schema_version
FLAGS = ("grade", "solution", "locked", "task")

# (cell type, grade, solution, locked, task): the five kinds of cell that work.
KINDS = {
    ("code", False, True, False, False): "solution",
    ("code", True, False, True, False): "test",
    ("code", False, False, True, False): "read-only",
    ("markdown", False, False, True, False): "read-only",
    ("markdown", True, True, False, False): "hand-graded answer",
    ("markdown", False, False, True, True): "task",
}

# Level 1 is the notebook's own title, which may state the total.
QUESTION_POINTS = re.compile(r"^#{2,6} .*\((\d+(?:\.\d+)?) points?\)", re.MULTILINE)
CELL_LINE = re.compile(r"^# %%.*\bnbgrader\b", re.MULTILINE)


def check_metadata(notebook: NotebookNode, script: str, file: str) -> list[Finding]:
    """What is wrong with the cells' nbgrader metadata.

    Args:
        notebook: The notebook that the script gives.
        script: The script's text.
        file: The script's name for messages.
    """
    found = [
        Finding(file, problem, cell_name(cell, index))
        for index, cell in enumerate(notebook.cells)
        for problem in [*_settings_problems(cell), *_marker_problems(cell)]
    ]
    found += _unread_settings(notebook, script, file)
    found += _doubled_ids(notebook, file)
    found += _untested_solutions(notebook, file)
    return found


def tests_in_kernel(notebook: NotebookNode) -> tuple[str, ...]:
    """The test cells that ask to run in the student's process, where they can be tampered with.

    Args:
        notebook: A unit's notebook.

    Example:

    >>> from nbformat.v4 import new_code_cell, new_notebook
    >>> marks = {"nbgrader": {"grade": True, "grade_id": "q1-test"}}
    >>> cell = new_code_cell(metadata={**marks, "rnnkit": {"run_in": "kernel"}})
    >>> tests_in_kernel(new_notebook(cells=[cell]))
    ('q1-test',)
    """
    return tuple(
        cell.metadata.nbgrader.grade_id
        for cell in notebook.cells
        if nbgrader_metadata(cell).get("grade")
        and cell.metadata.get("rnnkit", {}).get("run_in") == "kernel"
    )


def check_points(notebook: NotebookNode, file: str) -> list[Finding]:
    """Where the points of cells, question headings and header disagree.

    Args:
        notebook: A unit's notebook.
        file: The script's name for messages.
    """
    total = notebook.metadata.get("rnnkit", {}).get("points")
    if not _is_number(total):
        return [
            Finding(file, "the YAML header does not state the unit's points (rnnkit: points: 20)")
        ]
    cells = sum(_points(cell) for cell in notebook.cells)
    headings = sum(
        float(points)
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for points in QUESTION_POINTS.findall(cell.source)
    )
    return [
        Finding(file, f"the points do not add up: {what} give {sum_:g}, the header says {total:g}")
        for what, sum_ in (("graded cells", cells), ("question headings", headings))
        if sum_ != total
    ]


def _kind(cell: NotebookNode) -> str | None:
    settings = nbgrader_metadata(cell)
    flags = tuple(settings.get(flag, False) for flag in FLAGS)
    return KINDS.get((cell.cell_type, *flags))


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _points(cell: NotebookNode) -> float:
    settings = nbgrader_metadata(cell)
    points = settings.get("points", 0)
    graded = settings.get("grade") or settings.get("task")
    return float(points) if graded and _is_number(points) else 0.0


def _settings_problems(cell: NotebookNode) -> Iterator[str]:
    settings = nbgrader_metadata(cell)
    if not settings:
        if "nbgrader" in cell.metadata:
            yield "nbgrader metadata is not a JSON object, or is empty"
        return
    yield from _schema_problems(settings)
    grade_id = settings.get("grade_id")
    if not isinstance(grade_id, str) or not VALID_ID.fullmatch(grade_id):
        yield (
            f"grade_id must be 1 to 64 letters, digits, '-' or '_'. Received: grade_id={grade_id!r}"
        )
    not_flags = [flag for flag in FLAGS if not isinstance(settings.get(flag), bool)]
    if not_flags:
        yield f"nbgrader metadata must say true or false for: {', '.join(not_flags)}"
    else:
        yield from _kind_problems(cell, settings)


def _schema_problems(settings: dict[str, Any]) -> Iterator[str]:
    version = settings.get("schema_version")
    if version is None:
        yield f"nbgrader metadata has no schema_version (write {SCHEMA})"
    elif version != SCHEMA:
        yield f"nbgrader metadata has schema_version {version!r}; nbgrader now writes {SCHEMA}"


def _kind_problems(cell: NotebookNode, settings: dict[str, Any]) -> Iterator[str]:
    graded, solution, locked = settings["grade"], settings["solution"], settings["locked"]
    kind = _kind(cell)
    if solution and locked:
        yield "a solution cell is locked: no student could write in it"
    elif cell.cell_type == "code" and graded and solution:
        yield (
            "a code cell is both a solution and graded: nbgrader would wait for a grade by hand "
            "and never run its tests; put the tests into a cell of their own"
        )
    elif cell.cell_type == "markdown" and graded != solution and not settings["task"]:
        yield "a written answer must be both graded and a solution"
    elif graded and not solution and not locked and not settings["task"]:
        yield "a test cell is not locked: a student could change the tests"
    elif kind is None:
        flags = ", ".join(f"{flag} {str(settings[flag]).lower()}" for flag in FLAGS)
        yield f"no kind of {cell.cell_type} cell has this nbgrader metadata: {flags}"
    yield from _point_problems(settings)


def _point_problems(settings: dict[str, Any]) -> Iterator[str]:
    points = settings.get("points")
    if settings["grade"] or settings["task"]:
        if not _is_number(points) or points < 0:
            yield f"a graded cell needs points, 0 or more. Received: points={points!r}"
    elif points:
        yield f"a cell that is not graded has points: {points!r}"


def _marker_problems(cell: NotebookNode) -> Iterator[str]:
    settings = nbgrader_metadata(cell)
    for begin, end, role, owner in (
        (BEGIN_SOLUTION, END_SOLUTION, "solution", "a solution cell"),
        (BEGIN_HIDDEN, END_HIDDEN, "grade", "a graded cell"),
    ):
        lines = [line for line in cell.source.split("\n") if begin in line or end in line]
        opens = [begin in line for line in lines]
        if opens != [True, False] * (len(opens) // 2):
            yield f"each {begin} must be closed by one {end}"
        if lines and not settings.get(role):
            yield f"{begin} stands in a cell that is not {owner}"


def _unread_settings(notebook: NotebookNode, script: str, file: str) -> list[Finding]:
    """Cell lines whose metadata jupytext could not read: it takes them for a title."""
    written = len(CELL_LINE.findall(script))
    read = sum("nbgrader" in cell.metadata for cell in notebook.cells)
    if written == read:
        return []
    return [
        Finding(
            file,
            f"{written} cells are written with nbgrader metadata, {read} could be read: "
            "write each as JSON, as in docs/authors.md",
        )
    ]


def _doubled_ids(notebook: NotebookNode, file: str) -> list[Finding]:
    places: dict[str, list[int]] = {}
    for index, cell in enumerate(notebook.cells):
        grade_id = nbgrader_metadata(cell).get("grade_id")
        if isinstance(grade_id, str):
            places.setdefault(grade_id, []).append(index + 1)
    return [
        Finding(file, f"grade_id {grade_id!r} is used twice: cells {_listed(cells)}")
        for grade_id, cells in places.items()
        if len(cells) > 1
    ]


def _listed(numbers: list[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}"


def _untested_solutions(notebook: NotebookNode, file: str) -> list[Finding]:
    kinds = [_kind(cell) for cell in notebook.cells]
    last_test = max((place for place, kind in enumerate(kinds) if kind == "test"), default=-1)
    return [
        Finding(file, "no test cell stands after this solution cell", cell_name(cell, index))
        for index, cell in enumerate(notebook.cells)
        if kinds[index] == "solution" and index > last_test
    ]
