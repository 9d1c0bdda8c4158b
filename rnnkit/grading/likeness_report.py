"""A page of submissions that are more alike than chance, for a person to look at."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader.utils import is_solution

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading.assignment import Assignment, prepare_assignment
from rnnkit.grading.canon import Canon, canon_of, same_text
from rnnkit.grading.course import open_course
from rnnkit.grading.feedback import page_environment
from rnnkit.grading.files import write_whole
from rnnkit.grading.likeness import OWN_CELLS, Likeness, compare
from rnnkit.grading.limits import Limits
from rnnkit.grading.preflight import preflight

__all__ = ["LikenessReport", "answers_in", "report_likeness"]

_POINTS = re.compile(r"\(\d+(\.\d+)? points?\)")
FILE = "likeness.html"
MOST_PAIRS = 100  # on the page
SAY_EVERY = 50


@dataclass(frozen=True)
class LikenessReport:
    """A comparison of a class, written to a page.

    Args:
        likeness: What was found.
        page: The page.
        unread: Students whose submissions could not be read, or who handed in nothing.
    """

    likeness: Likeness
    page: Path
    unread: tuple[str, ...]


def report_likeness(
    kit: Kit,
    unit: str,
    root: Path,
    least: float | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> LikenessReport:
    """Compare all submissions of a unit, and write ``likeness.html`` into the course folder.

    Nothing is run, and what was handed in is only read.

    Args:
        kit: The kit.
        unit: The unit.
        root: The course folder, on nbgrader's plan.
        least: List pairs from this share on, from 0 to 1; else what is more than chance.
        say: Receives a line now and then.

    Raises:
        KitError: The folder or the unit cannot be used, or nothing was handed in.
    """
    course = open_course(kit, unit, root)
    limits = course.with_sizes(Limits())
    for message in course.messages:
        say(message)
    submissions = course.submissions([])
    if not submissions:
        raise KitError(
            "at least one student's folder",
            f"{course.root / course.coursedir.submitted_directory} is empty",
            f"put each notebook at STUDENT/{unit}/{unit}.ipynb in it",
        )
    with tempfile.TemporaryDirectory(prefix="rnnkit-") as place:
        assignment = prepare_assignment(
            unit, course.source, course.config_file, Path(place) / "assignment"
        )
        canon = canon_of(unit, assignment.released, assignment.reference)
        answers, unread = {}, []
        for number, submission in enumerate(submissions, start=1):
            ready = preflight(submission.folder, canon, limits, assignment.source)
            if ready.notebook is None:
                unread.append(submission.student)
            else:
                answers[submission.student] = answers_in(ready.notebook, canon)
            if number % SAY_EVERY == 0:
                say(f"Read {number} of {len(submissions)} submissions.")
    written = frozenset(cell.name for cell in canon.cells if cell.is_written)
    given = [text for cell in canon.cells for text in (cell.source, cell.full)]
    found = compare(answers, given, written, least)
    page = course.root / FILE
    write_whole(page, _page(assignment, found, unread))
    return LikenessReport(found, page, tuple(unread))


def answers_in(notebook: NotebookNode, canon: Canon) -> dict[str, str]:
    """A student's answers by the name of their cell, and the code of their own cells.

    Args:
        notebook: The mended notebook.
        canon: The exercise.
    """
    answers: dict[str, str] = {}
    own: list[str] = []
    unnamed = [cell.source for cell in canon.cells if not cell.name]
    for cell in notebook.cells:
        if is_solution(cell):
            answers[cell.metadata.nbgrader.grade_id] = cell.source
        elif cell.cell_type != "code" or "nbgrader" in cell.metadata:
            continue
        elif not any(same_text(cell.source, text) for text in unnamed):
            own.append(cell.source)
    return answers | ({OWN_CELLS: "\n".join(own)} if own else {})


def _page(assignment: Assignment, found: Likeness, unread: list[str]) -> str:
    return (
        page_environment()
        .get_template("likeness.html.j2")
        .render(
            unit=assignment.unit,
            made=datetime.now().astimezone().strftime("%d %B %Y, %H:%M"),
            found=found,
            pairs=found.pairs[:MOST_PAIRS],
            unread=unread,
            headings=_headings(assignment.reference) | {OWN_CELLS: "Cells of their own"},
            percent=lambda share: f"{round(100 * share)} %",
        )
    )


def _headings(reference: NotebookNode) -> dict[str, str]:
    """For each answer the heading above it, without the points."""
    headings, last = {}, ""
    for cell in reference.cells:
        if is_solution(cell):
            headings[cell.metadata.nbgrader.grade_id] = last
        elif cell.cell_type == "markdown":
            lines = [line for line in cell.source.splitlines() if line.startswith("#")]
            last = _POINTS.sub("", lines[-1].lstrip("# ")).strip() if lines else last
    return headings
