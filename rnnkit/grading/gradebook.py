"""The only writer of a course's gradebook: one transaction for each submission."""

import datetime
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Assignment as AssignmentRow
from nbgrader.api import (
    BaseCell,
    Comment,
    Grade,
    MissingEntry,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import (
    AssignLatePenalties,
    SaveAutoGrades,
    latesubmissions,
    saveautogrades,
)
from nbgrader.utils import is_grade, is_solution
from sqlalchemy import select
from sqlalchemy.exc import OperationalError, SAWarning

from rnnkit.errors import KitError
from rnnkit.grading.assignment import Assignment, add_to_gradebook
from rnnkit.grading.course import Course
from rnnkit.grading.folders import new_gradebook
from rnnkit.grading.mending import Weight
from rnnkit.grading.open_gradebook import OpenGradebook, lent
from rnnkit.grading.outcome import Outcome
from rnnkit.grading.status import Status

__all__ = ["Points", "Recorded", "Recorder", "Standing", "joined", "recorded_of", "set_aside"]

Result = TypeVar("Result")
BUSY_SECONDS = 120  # how long a busy gradebook is waited for
LONGEST_TIMESTAMP = 1000  # bytes
STAYS = "the score is that of an earlier run, which the gradebook still holds"


@dataclass(frozen=True, slots=True)
class Points:
    """What the gradebook holds for one cell.

    Args:
        auto: Points from the tests.
        manual: Points from a person.
        score: What counts.
        waits: Whether a person has still to look at it.
    """

    auto: float | None
    manual: float | None
    score: float
    waits: bool

    @property
    def given(self) -> float | None:
        """The points; None as long as nobody gave any."""
        return None if self.auto is None and self.manual is None else self.score


@dataclass(frozen=True)
class Standing:
    """What the gradebook holds for one student in the unit.

    Args:
        submission: The key of the submission there.
        timestamp: When it was handed in, if that is known.
        extension: More time that the student was given.
        late: Whether it was handed in after the end of that time.
        penalty: Points taken off for that.
        cells: Each graded cell.
        comments: For each cell the comment that its student reads.
    """

    submission: str
    timestamp: datetime.datetime | None = None
    extension: datetime.timedelta | None = None
    late: bool = False
    penalty: float = 0.0
    cells: dict[str, Points] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The points that count, the penalty taken off."""
        return sum(cell.score for cell in self.cells.values()) - self.penalty

    @property
    def by_hand(self) -> bool:
        """Whether a person has given points."""
        return any(cell.manual is not None for cell in self.cells.values())

    @property
    def auto(self) -> dict[str, float | None]:
        """The points from the tests."""
        return {name: cell.auto for name, cell in self.cells.items()}


@dataclass(frozen=True)
class Recorded:
    """What the gradebook says about one student, in the words of the report.

    Args:
        status: How the submission ended, hand grading included.
        score: Points with penalties taken off; None where there is no score.
        cells: Points of each graded cell; None where there are none yet.
        waiting: How many cells wait for a person.
        note: One line for the instructor; may be empty.
    """

    status: Status
    score: float | None = None
    cells: dict[str, float | None] = field(default_factory=dict)
    waiting: int = 0
    note: str = ""


def recorded_of(outcome: Outcome, standing: Standing | None, *notes: str) -> Recorded:
    """How a submission stands, from its run and from the gradebook.

    Args:
        outcome: How its run ended.
        standing: What the gradebook holds for the student.
        notes: More for the instructor.
    """
    mended = [m.for_instructor for m in outcome.mendings if m.weight is not Weight.TIDY]
    note = joined(*mended, outcome.note, *notes)
    if standing is None:
        return Recorded(outcome.status, note=note)
    cells = {name: cell.given for name, cell in standing.cells.items()}
    waiting = sum(cell.waits for cell in standing.cells.values())
    status = outcome.status
    if status in (Status.OK, Status.NEEDS_HAND_GRADING):
        status = Status.NEEDS_HAND_GRADING if waiting else Status.OK
    if not status.has_score:
        note = joined(note, STAYS)
    if standing.penalty:
        note = joined(note, f"late: {standing.penalty:g} points taken off")
    return Recorded(status, standing.score, cells, waiting, note)


class Recorder:
    """Writes outcomes into the gradebook.

    The gradebook stays open until `close`; between two writes it is not locked.

    Args:
        course: The course.
        assignment: The unit.
        tell: Called with a line when the gradebook is busy.
        busy_seconds: How long a busy gradebook is waited for.
    """

    def __init__(
        self,
        course: Course,
        assignment: Assignment,
        tell: Callable[[str], None],
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self.course = course
        self.assignment = assignment
        self.tell = tell
        self.busy_seconds = busy_seconds
        self.db_url = course.coursedir.db_url
        self.unit = course.unit
        self._opened: OpenGradebook | None = None
        self._names: dict[str, str] | None = None

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the gradebook."""
        if self._opened is not None:
            self._opened.shut()
            self._opened = None

    def add_assignment(self, place: Path) -> None:
        """Put the unit into the gradebook, or bring it up to date there.

        Args:
            place: An empty private folder.

        Raises:
            KitError: The gradebook is busy, is no gradebook, or holds other cells.
        """
        path = Path(self.db_url.removeprefix("sqlite:///"))
        if self.db_url.startswith("sqlite:///") and not path.exists():
            new_gradebook(path)
        self._patiently(self._take_lock)
        self.close()  # nbgrader's own step writes now
        add_to_gradebook(self.assignment, self.db_url, place)

    def _take_lock(self) -> None:
        """Take the write lock and give it back, so that a busy gradebook shows now."""
        with self._gradebook.transaction():
            pass

    def students(self) -> set[str]:
        """The names of the students in the gradebook."""

        def names() -> set[str]:
            with self._gradebook.reading():
                return set(self._gradebook.db.execute(select(Student.id)).scalars())

        return self._patiently(names)

    def standings(self) -> dict[str, Standing]:
        """What the gradebook holds for each student who has a submission there."""

        def read() -> dict[str, Standing]:
            with self._gradebook.reading():
                return self._read()

        return self._patiently(read)

    def record(
        self, outcome: Outcome, extension: datetime.timedelta | None = None
    ) -> Standing | None:
        """Write one outcome, whole or not at all.

        A run that failed for a reason of the machine's changes nothing. One without
        a notebook takes an earlier submission out, unless a person has graded it.

        Args:
            outcome: What to write; a notebook of its goes with it.
            extension: More time that the student had before the gradebook last
                forgot the submission.

        Returns:
            What the gradebook holds for the student now.

        Raises:
            KitError: The gradebook stayed busy.
        """
        return self._patiently(lambda: self._record(outcome, extension))

    def standing(self, student: str) -> Standing | None:
        """What the gradebook holds for one student."""

        def read() -> Standing | None:
            with self._gradebook.reading():
                return self._read(student).get(student)

        return self._patiently(read)

    def settle_lateness(self, student: str, folder: Path) -> None:
        """Bring the time of handing in and the late penalty up to date, and nothing else.

        Args:
            student: The student.
            folder: What was handed in.
        """

        def settle() -> None:
            gradebook = self._gradebook
            with gradebook.transaction():
                moment = self.handed_in_at(folder)
                if moment is not None:
                    gradebook.update_or_create_submission(self.unit, student, timestamp=moment)
                self._run_steps(student, NotebookNode(cells=[]), AssignLatePenalties)

        self._patiently(settle)

    def handed_in_at(self, folder: Path) -> datetime.datetime | None:
        """When a submission was handed in, from its ``timestamp.txt``.

        Args:
            folder: The student's folder.

        Returns:
            UTC without a zone, as the gradebook has it; None where it is not known.
        """
        if not _has_timestamp(folder):
            return None
        try:
            return self.course.coursedir.get_existing_timestamp(str(folder))
        except Exception:  # nbgrader calls a method that is not there for a bad timestamp
            return None

    def note_on_time(self, folder: Path) -> str:
        """What an instructor should know about the time of handing in; may be empty.

        Args:
            folder: The student's folder.
        """
        if _has_timestamp(folder) and self.handed_in_at(folder) is None:
            return "timestamp.txt holds no time; lateness unknown"
        return ""

    def _record(self, outcome: Outcome, extension: datetime.timedelta | None) -> Standing | None:
        gradebook, student = self._gradebook, outcome.submission.student
        with gradebook.transaction(), warnings.catch_warnings():
            # nbgrader's way of adding a submission warns about itself, harmlessly.
            warnings.simplefilter("ignore", SAWarning)
            gradebook.update_or_create_student(student)
            if outcome.notebook is not None:
                self._write(outcome, outcome.notebook, extension)
            elif outcome.status is not Status.INFRASTRUCTURE_ERROR:
                earlier = self._read(student).get(student)
                if earlier is not None and not earlier.by_hand:
                    gradebook.remove_submission(self.unit, student)
            gradebook.db.flush()
            return self._read(student).get(student)

    def _write(
        self, outcome: Outcome, notebook: NotebookNode, extension: datetime.timedelta | None
    ) -> None:
        gradebook, student = self._gradebook, outcome.submission.student
        known: dict[str, Any] = {}
        if (moment := self.handed_in_at(outcome.submission.folder)) is not None:
            known["timestamp"] = moment
        if extension is not None and not self._has_submission(student):
            known["extension"] = extension
        gradebook.update_or_create_submission(self.unit, student, **known)
        settled = self._settled_by_hand(student, notebook)
        self._run_steps(student, notebook, SaveAutoGrades, AssignLatePenalties)
        for name, grade in gradebook.grades(self.unit, self.unit, student).items():
            if name in outcome.look_at and grade.manual_score is None:
                grade.needs_manual_grade = True
            if name in settled:
                grade.needs_manual_grade = False

    def _run_steps(self, student: str, notebook: NotebookNode, *steps: type) -> None:
        """nbgrader's own steps, under the course's settings, in our transaction."""
        resources = {
            "nbgrader": {
                "student": student,
                "assignment": self.unit,
                "notebook": self.unit,
                "db_url": self.db_url,
            }
        }
        db = self._gradebook.db
        with self._course_on_path(), lent(self._gradebook, saveautogrades, latesubmissions):
            for step in steps:
                db.flush()  # sums over cells are made by the database
                step(config=self.course.config).preprocess(notebook, resources)
        db.flush()

    def _settled_by_hand(self, student: str, notebook: NotebookNode) -> set[str]:
        """Cells that a person has graded and that the student has not changed since.

        nbgrader asks for every hand-graded cell to be read again after a regrade;
        that is needed only where there is something new to read.
        """
        graded = {
            name
            for name, grade in self._gradebook.grades(self.unit, self.unit, student).items()
            if grade.manual_score is not None and not grade.needs_manual_grade
        }
        if not graded:
            return set()
        old = _answers_by_hand(self._graded_before(student))
        now = _answers_by_hand(notebook)
        return {name for name in graded if name in now and old.get(name) == now[name]}

    def _graded_before(self, student: str) -> NotebookNode:
        """The notebook that the person saw; none where it is gone or damaged."""
        folder = self.course.autograded(student)
        # A run that was stopped while it replaced the folder has left it aside.
        for place in (folder, set_aside(folder)):
            try:
                return nbformat.read(place / f"{self.unit}.ipynb", as_version=4)
            except Exception:
                continue
        return NotebookNode(cells=[])

    def _has_submission(self, student: str) -> bool:
        try:
            self._gradebook.find_submission(self.unit, student)
        except MissingEntry:
            return False
        return True

    def _cells(self) -> dict[str, str]:
        """The name of each cell of the unit, by its key; the same for the whole run."""
        if self._names is not None:
            return self._names
        query = (
            select(BaseCell.id, BaseCell.name)
            .join(Notebook, Notebook.id == BaseCell.notebook_id)
            .join(AssignmentRow, AssignmentRow.id == Notebook.assignment_id)
            .where(AssignmentRow.name == self.unit, Notebook.name == self.unit)
        )
        self._names = {key: name for key, name in self._gradebook.db.execute(query)}
        return self._names

    def _read(self, student: str | None = None) -> dict[str, Standing]:
        """The standings of the class, or of one student."""
        db = self._gradebook.db
        query = (
            select(
                SubmittedNotebook.id,
                SubmittedAssignment.student_id,
                SubmittedAssignment.id,
                SubmittedAssignment.timestamp,
                SubmittedAssignment.extension,
                AssignmentRow.duedate,
                SubmittedNotebook.late_submission_penalty,
            )
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(AssignmentRow, AssignmentRow.id == SubmittedAssignment.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .where(AssignmentRow.name == self.unit, Notebook.name == self.unit)
        )
        if student is not None:
            query = query.where(SubmittedAssignment.student_id == student)
        standings: dict[str, Standing] = {}  # by the key of the notebook
        found: dict[str, Standing] = {}
        for key, name, submission, moment, extension, due, penalty in db.execute(query):
            end = due + extension if due is not None and extension is not None else due
            late = moment is not None and end is not None and moment > end
            standings[key] = found[name] = Standing(
                submission, moment, extension, late, penalty or 0.0
            )
        cells = self._cells()
        self._read_cells(standings, cells, None if student is None else list(standings))
        return found

    def _read_cells(
        self, standings: dict[str, Standing], cells: dict[str, str], only: list[str] | None
    ) -> None:
        db = self._gradebook.db
        grades = select(
            Grade.notebook_id,
            Grade.cell_id,
            Grade.auto_score,
            Grade.manual_score,
            Grade.score,
            Grade.needs_manual_grade,
        ).where(Grade.cell_id.in_(list(cells)))
        comments = select(Comment.notebook_id, Comment.cell_id, Comment.comment).where(
            Comment.cell_id.in_(list(cells)), Comment.comment.is_not(None)
        )
        if only is not None:
            grades = grades.where(Grade.notebook_id.in_(only))
            comments = comments.where(Comment.notebook_id.in_(only))
        for key, cell, auto, manual, score, waits in db.execute(grades):
            standings[key].cells[cells[cell]] = Points(auto, manual, score, bool(waits))
        for key, cell, comment in db.execute(comments):
            standings[key].comments[cells[cell]] = comment

    @property
    def _gradebook(self) -> OpenGradebook:
        if self._opened is None:
            self._opened = OpenGradebook(self.db_url, self.course.coursedir.course_id)
        return self._opened

    @contextmanager
    def _course_on_path(self) -> Iterator[None]:
        """Let the settings name plug-ins that lie in the course folder."""
        sys.path.insert(0, str(self.course.root))
        try:
            yield
        finally:
            sys.path.remove(str(self.course.root))

    def _patiently(self, action: Callable[[], Result]) -> Result:
        """Do something to the gradebook; wait while another program holds it."""
        until, told = time.monotonic() + self.busy_seconds, False
        while True:
            try:
                return action()
            except OperationalError as error:
                if "disk is full" in str(error):
                    raise self._full(error) from error
                if "locked" not in str(error):
                    raise self._unusable(error) from error
                if time.monotonic() >= until:
                    raise self._busy() from error
            except Exception as error:
                if "not a database" in str(error):
                    raise self._unusable(error) from error
                raise
            if not told:
                told = True
                self.tell(
                    f"The gradebook is in use by another program; waiting up to "
                    f"{self.busy_seconds:g} seconds for it."
                )
            time.sleep(min(1.0, self.busy_seconds / 10))

    def _busy(self) -> KitError:
        return KitError(
            f"a gradebook that can be written ({self.db_url})",
            f"it has been locked by another program for {self.busy_seconds:g} seconds",
            "close what uses it (another rnnkit grade, nbgrader, a database browser) and call "
            "the command again; submissions that were finished are not run again",
        )

    def _full(self, error: Exception) -> KitError:
        return KitError(
            f"room on the disk for the gradebook ({self.db_url})",
            _cause(error),
            "make room and call the command again; submissions that were finished are not "
            "run again",
        )

    def _unusable(self, error: Exception) -> KitError:
        return KitError(
            f"nbgrader's gradebook at {self.db_url}",
            _cause(error),
            "check the file's permissions; a gradebook of an older nbgrader needs "
            "`nbgrader db upgrade`; move away a file that is no gradebook",
        )


def set_aside(folder: Path) -> Path:
    """Where a graded folder lies for the moment in which a new one takes its place.

    Args:
        folder: The folder in ``autograded/``.
    """
    return folder.with_name(f".{folder.name}.old")


def _has_timestamp(folder: Path) -> bool:
    """Whether there is a file with a time, and not a pipe or a link that a student made."""
    path = folder / "timestamp.txt"
    return path.is_file() and not path.is_symlink() and path.stat().st_size < LONGEST_TIMESTAMP


def _cause(error: Exception) -> str:
    return str(getattr(error, "orig", error)).splitlines()[0]


def _answers_by_hand(notebook: NotebookNode) -> dict[str, str]:
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if is_grade(cell) and is_solution(cell)
    }


def joined(*parts: str) -> str:
    """The notes that are not empty, in one line."""
    return "; ".join(part for part in parts if part)
