"""Check that an exercise shows no answer and no hidden test."""

from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from rnnkit.course.findings import Finding
from rnnkit.course.notebooks import cell_name, nbgrader_metadata, parse_notebook
from rnnkit.course.regions import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_HIDDEN,
    END_SOLUTION,
    MARKERS,
    regions,
)

__all__ = ["check_leaks", "leaks_in"]

# A shorter region ("return x") may stand elsewhere for good reasons.
TELLING_LENGTH = 16


def check_leaks(exercise: Path, reference: NotebookNode, file: str) -> list[Finding]:
    """Answers and hidden tests of the reference that stand in an exercise.

    A region counts as found when its lines of code stand in a cell one after
    another, whatever their indentation; comments and empty lines do not count.

    Args:
        exercise: The exercise's notebook.
        reference: The solution notebook.
        file: The exercise's name for messages.
    """
    if not exercise.is_file():
        return []  # found when it is compared with its source
    return leaks_in(exercise.read_bytes(), reference, file)


def leaks_in(content: bytes, reference: NotebookNode, file: str) -> list[Finding]:
    """Answers and hidden tests of the reference that stand in a notebook's content.

    Args:
        content: The notebook's file; none is found in one that cannot be read.
        reference: The solution notebook.
        file: The notebook's name for messages.
    """
    shown = parse_notebook(content)
    if shown is None:
        return []  # found when it is compared with its source
    secrets = list(_secrets(reference))
    found = []
    for index, cell in enumerate(shown["cells"]):
        name = cell_name(cell, index)
        for marker in MARKERS:
            if marker in cell["source"]:
                found.append(Finding(file, f"{marker} is left in the exercise", name))
        lines = _code_lines(cell["source"].split("\n"))
        for owner, what, secret in secrets:
            if _contains(lines, secret):
                found.append(Finding(file, f"shows the {what} of {owner}: {secret[0]}", name))
    return found


def _secrets(reference: NotebookNode) -> Iterator[tuple[str, str, list[str]]]:
    for index, cell in enumerate(reference.cells):
        owner = cell_name(cell, index)
        answers = list(regions(cell.source, BEGIN_SOLUTION, END_SOLUTION))
        if not answers and nbgrader_metadata(cell).get("solution"):
            answers = [cell.source.split("\n")]  # nbgrader takes the whole cell for the answer
        hidden = regions(cell.source, BEGIN_HIDDEN, END_HIDDEN)
        for what, parts in (("answer", answers), ("hidden test", hidden)):
            for part in parts:
                lines = _code_lines(part)
                if sum(map(len, lines)) >= TELLING_LENGTH:
                    yield owner, what, lines


def _code_lines(lines: list[str]) -> list[str]:
    stripped = (line.strip() for line in lines)
    return [line for line in stripped if line and not line.startswith("#")]


def _contains(lines: list[str], part: list[str]) -> bool:
    return any(lines[start : start + len(part)] == part for start in range(len(lines)))
