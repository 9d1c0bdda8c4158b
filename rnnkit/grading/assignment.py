"""One unit made ready for grading: its cells, its release and its own gradebook."""

import logging
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade, is_solution, is_task
from traitlets.config import Config

from rnnkit.errors import KitError
from rnnkit.grading.folders import load_config, new_gradebook, scratch_config

__all__ = ["Assignment", "GradedCell", "add_to_gradebook", "prepare_assignment"]

_POINTS = re.compile(r"\(\d+(\.\d+)? points?\)")


@dataclass(frozen=True)
class GradedCell:
    """A cell that carries points.

    Args:
        name: Its ``grade_id``.
        points: The most it can give.
        by_hand: Whether a person grades it.
        heading: The heading above it, without the points.
    """

    name: str
    points: float
    by_hand: bool
    heading: str


@dataclass(frozen=True)
class Assignment:
    """What the runner needs to know about a unit.

    Args:
        unit: The unit's name.
        config: The ``nbgrader_config.py`` in force, if any.
        source: The folder with the solution notebook and the files beside it.
        gradebook: A gradebook that holds the assignment and no student.
        reference: The solution notebook.
        released: The exercise as students get it.
        cells: The graded cells in order.
    """

    unit: str
    config: Path | None
    source: Path
    gradebook: Path
    reference: NotebookNode
    released: NotebookNode
    cells: tuple[GradedCell, ...]

    @property
    def points(self) -> float:
        """The most that the unit can give."""
        return sum(cell.points for cell in self.cells)


def _graded_cells(notebook: NotebookNode) -> tuple[GradedCell, ...]:
    cells, heading = [], ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and not is_solution(cell):
            headings = [line for line in cell.source.splitlines() if line.startswith("#")]
            if headings:
                heading = _POINTS.sub("", headings[-1].lstrip("# ")).strip()
        if is_grade(cell) or is_task(cell):
            by_hand = is_solution(cell) or is_task(cell) or cell.cell_type != "code"
            data = cell.metadata.nbgrader
            cells.append(GradedCell(data.grade_id, float(data.points), by_hand, heading))
    return tuple(cells)


def _generate(unit: str, config: Config) -> None:
    """nbgrader's own generate_assignment; its errors become ours."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    log, keep = logging.getLogger("traitlets"), Keep(logging.ERROR)
    log.addHandler(keep)
    config.CourseDirectory.assignment_id = unit
    try:
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        converter.force = True
        converter.start()
    except (Exception, SystemExit) as error:
        cause = next((text for text in lines if "Traceback" in text), str(error))
        last = cause.strip().splitlines()[-1] if cause.strip() else type(error).__name__
        if "database is locked" in cause:
            raise KitError(
                "a gradebook that can be written",
                f"{config.CourseDirectory.db_url}: it is locked by another program",
                "close what uses it (another rnnkit grade, nbgrader, a database browser) "
                "and try again",
            ) from error
        raise KitError(
            f"a solution notebook of {unit} that nbgrader's generate_assignment accepts",
            last,
            "run `rnnkit build --check` and mend what it names; when the exercise's cells "
            "changed after students were graded, use a new course folder",
        ) from error
    finally:
        log.removeHandler(keep)


def prepare_assignment(
    unit: str, source: Path, config: Path | None, place: Path, db_url: str | None = None
) -> Assignment:
    """Put the unit through nbgrader's generate_assignment in a private folder.

    Args:
        unit: The unit's name.
        source: The folder that holds ``UNIT.ipynb`` with its solutions.
        config: The ``nbgrader_config.py`` in force.
        place: An empty private folder.
        db_url: A gradebook to put the assignment in; one in ``place`` by default.

    Raises:
        KitError: There is no such notebook, or nbgrader does not accept it.
    """
    path = source / f"{unit}.ipynb"
    if not path.is_file():
        raise KitError(
            f"the solution notebook of {unit}",
            f"no file {path}",
            "run `rnnkit build` to make it from its script",
        )
    try:
        reference = nbformat.read(path, as_version=4)
    except Exception as error:  # nbformat raises many kinds
        raise KitError(
            "a solution notebook that can be read",
            f"{path}: {type(error).__name__}: {str(error)[:200]}",
            "run `rnnkit build` to make it again from its script",
        ) from error
    private = scratch_config(config, place)
    own_gradebook = place / "gradebook.db"
    if db_url is not None:
        private.CourseDirectory.db_url = db_url
    ignore = shutil.ignore_patterns(*CourseDirectory(config=load_config(config)).ignore)
    shutil.copytree(source, place / "source" / unit, ignore=ignore)
    if db_url is None:
        new_gradebook(own_gradebook)
    _generate(unit, private)
    return Assignment(
        unit=unit,
        config=config,
        source=place / "source" / unit,
        gradebook=own_gradebook,
        reference=reference,
        released=nbformat.read(place / "release" / unit / f"{unit}.ipynb", as_version=4),
        cells=_graded_cells(reference),
    )


def add_to_gradebook(assignment: Assignment, db_url: str, place: Path) -> None:
    """Put the assignment in a course's gradebook, or bring it up to date there.

    Args:
        assignment: The prepared unit.
        db_url: The course's gradebook.
        place: An empty private folder.

    Raises:
        KitError: The gradebook is locked, or holds grades for other cells.
    """
    prepare_assignment(assignment.unit, assignment.source, assignment.config, place, db_url)
