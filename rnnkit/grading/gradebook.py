"""The only writer of a course's gradebook, one submission at a time."""

import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from nbgrader.utils import is_grade, is_solution
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, SAWarning

from rnnkit.errors import KitError
from rnnkit.grading.assignment import Assignment, add_to_gradebook
from rnnkit.grading.course import Course
from rnnkit.grading.folders import new_gradebook
from rnnkit.grading.mending import Weight
from rnnkit.grading.outcome import Outcome
from rnnkit.grading.status import Status

__all__ = ["Recorded", "Recorder", "joined"]

Result = TypeVar("Result")
BUSY_SECONDS = 120  # how long a busy gradebook is waited for


@dataclass(frozen=True)
class Recorded:
    """What the gradebook says about one student.

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


class Recorder:
    """Writes outcomes into the gradebook and ``autograded/``.

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
        self._patiently(self._open_for_writing)
        add_to_gradebook(self.assignment, self.db_url, place)

    def _open_for_writing(self) -> None:
        """Take the write lock and give it back, so that a busy gradebook shows now."""
        with self._gradebook() as gradebook:
            if self.db_url.startswith("sqlite"):
                gradebook.db.execute(text("BEGIN IMMEDIATE"))
                gradebook.db.rollback()

    def students(self) -> list[str]:
        """The names of the students in the gradebook."""

        def names() -> list[str]:
            with self._gradebook() as gradebook:
                return [student.id for student in gradebook.students]

        return self._patiently(names)

    def record(self, outcome: Outcome) -> Recorded:
        """Write one outcome.

        Raises:
            KitError: The gradebook stayed busy.
        """
        return self._patiently(lambda: self._record(outcome))

    def _record(self, outcome: Outcome) -> Recorded:
        student = outcome.submission.student
        with self._gradebook() as gradebook:
            gradebook.update_or_create_student(student)
        if outcome.notebook is None or outcome.folder is None:
            note = self._take_back(outcome)
            return Recorded(outcome.status, note=joined(outcome.note, note))
        note = self._create_submission(outcome)
        settled = self._settled_by_hand(student, outcome.notebook)
        resources = {
            "nbgrader": {
                "student": student,
                "assignment": self.unit,
                "notebook": self.unit,
                "db_url": self.db_url,
            }
        }
        with self._course_on_path():
            for step in (SaveAutoGrades, AssignLatePenalties):
                step(config=self.course.config).preprocess(outcome.notebook, resources)
        recorded = self._read_back(outcome, settled, note)
        outcome.notebook.metadata["rnnkit"] = {
            "status": recorded.status.value,
            "note": outcome.note,
            "mended": [m.for_student for m in outcome.mendings if m.for_student],
        }
        self._put_in_place(outcome)
        return recorded

    def _create_submission(self, outcome: Outcome) -> str:
        student, folder = outcome.submission.student, outcome.submission.folder
        note, timestamp = "", None
        try:
            timestamp = self.course.coursedir.get_existing_timestamp(str(folder))
        except Exception:  # nbgrader calls a method that is not there for a bad timestamp
            note = "timestamp.txt holds no time; lateness unknown"
        with self._gradebook() as gradebook, warnings.catch_warnings():
            # nbgrader's way of adding a submission warns about itself, harmlessly.
            warnings.simplefilter("ignore", SAWarning)
            if timestamp:
                gradebook.update_or_create_submission(self.unit, student, timestamp=timestamp)
            else:
                gradebook.update_or_create_submission(self.unit, student)
        return note

    def _settled_by_hand(self, student: str, notebook: NotebookNode) -> set[str]:
        """Cells that a person has graded and that the student has not changed since.

        nbgrader asks for every hand-graded cell to be read again after a regrade;
        that is needed only where there is something new to read.
        """
        path = self.course.autograded(student) / f"{self.unit}.ipynb"
        try:
            before = nbformat.read(path, as_version=4)
        except Exception:  # none yet, or damaged: all is to be read
            return set()
        old = _answers_by_hand(before)
        now = _answers_by_hand(notebook)
        same = {name for name, answer in now.items() if old.get(name) == answer}
        with self._gradebook() as gradebook:
            return {
                grade.name
                for grade in self._submitted(gradebook, student).grades
                if grade.name in same
                and grade.manual_score is not None
                and not grade.needs_manual_grade
            }

    def _read_back(self, outcome: Outcome, settled: set[str], note: str) -> Recorded:
        with self._gradebook() as gradebook:
            submitted = self._submitted(gradebook, outcome.submission.student)
            cells: dict[str, float | None] = {}
            waiting = 0
            for grade in submitted.grades:
                if grade.name in outcome.look_at and grade.manual_score is None:
                    grade.needs_manual_grade = True
                if grade.name in settled:
                    grade.needs_manual_grade = False
                waits = bool(grade.needs_manual_grade)
                waiting += waits
                has_points = grade.manual_score is not None or grade.auto_score is not None
                cells[grade.name] = float(grade.score) if has_points else None
            gradebook.db.commit()
            penalty = submitted.late_submission_penalty or 0.0
            score = float(submitted.score) - penalty
        if penalty:
            note = joined(note, f"late: {penalty:g} points taken off")
        status = outcome.status
        if status in (Status.OK, Status.NEEDS_HAND_GRADING):
            status = Status.NEEDS_HAND_GRADING if waiting else Status.OK
        mended = (
            mending.for_instructor
            for mending in outcome.mendings
            if mending.weight is not Weight.TIDY
        )
        return Recorded(status, score, cells, waiting, joined(*mended, outcome.note, note))

    def _submitted(self, gradebook: Gradebook, student: str) -> SubmittedNotebook:
        return gradebook.find_submission_notebook(self.unit, self.unit, student)

    def _take_back(self, outcome: Outcome) -> str:
        """Remove the grade of an earlier submission that is there no more."""
        student = outcome.submission.student
        with self._gradebook() as gradebook:
            try:
                submission = gradebook.find_submission(self.unit, student)
            except MissingEntry:
                return ""
            by_hand = any(
                grade.manual_score is not None
                for notebook in submission.notebooks
                for grade in notebook.grades
            )
            if by_hand or outcome.status is Status.INFRASTRUCTURE_ERROR:
                return "the gradebook still holds the grade of an earlier submission"
            gradebook.remove_submission(self.unit, student)
        shutil.rmtree(self.course.autograded(student), ignore_errors=True)
        return "the grade of an earlier submission was taken out of the gradebook"

    def _put_in_place(self, outcome: Outcome) -> None:
        """Move the graded folder into ``autograded/``, whole or not at all."""
        assert outcome.folder is not None and outcome.notebook is not None
        target = self.course.autograded(outcome.submission.student)
        part, old = (target.with_name(f".{target.name}.{end}") for end in ("part", "old"))
        for leftover in (part, old):
            shutil.rmtree(leftover, ignore_errors=True)
        shutil.copytree(outcome.folder, part)
        notebook = part / f"{self.unit}.ipynb"
        mode = notebook.stat().st_mode
        notebook.unlink()  # nbgrader makes its files read-only
        nbformat.write(outcome.notebook, notebook)
        notebook.chmod(mode)
        if target.exists():
            os.replace(target, old)
        os.replace(part, target)
        shutil.rmtree(old, ignore_errors=True)

    def _gradebook(self) -> Gradebook:
        course_id = self.course.coursedir.course_id
        return Gradebook(self.db_url, course_id) if course_id else Gradebook(self.db_url)

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

    def _unusable(self, error: Exception) -> KitError:
        cause = str(getattr(error, "orig", error)).splitlines()[0]
        return KitError(
            f"nbgrader's gradebook at {self.db_url}",
            cause,
            "check the file's permissions; a gradebook of an older nbgrader needs "
            "`nbgrader db upgrade`; move away a file that is no gradebook",
        )


def _answers_by_hand(notebook: NotebookNode) -> dict[str, str]:
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if is_grade(cell) and is_solution(cell)
    }


def joined(*parts: str) -> str:
    """The notes that are not empty, in one line."""
    return "; ".join(part for part in parts if part)
