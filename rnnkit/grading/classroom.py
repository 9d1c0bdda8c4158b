"""Grading a class: run every submission, write the gradebook, make the pages."""

import csv
import fcntl
import io
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError, in_a_line
from rnnkit.grading.assignment import Assignment, prepare_assignment
from rnnkit.grading.course import Course, open_course
from rnnkit.grading.execute import write_whole
from rnnkit.grading.feedback import feedback_page, first_failure, for_students, status_page
from rnnkit.grading.gradebook import BUSY_SECONDS, Recorded, Recorder, joined
from rnnkit.grading.limits import Limits
from rnnkit.grading.log import write_log
from rnnkit.grading.outcome import Outcome, Submission
from rnnkit.grading.progress import Progress
from rnnkit.grading.runner import run_submissions
from rnnkit.grading.status import Status
from rnnkit.grading.unfinished import Unfinished

__all__ = ["ClassResult", "Row", "grade_class"]

LimitsFor = Callable[[int | None], Limits]


@dataclass(frozen=True)
class Row:
    """One submission in the class's results.

    Args:
        student: The student.
        recorded: What the gradebook says.
        seconds: How long grading took.
        failures: For each auto-graded cell that failed, the check's message.
        feedback: The student's page.
        autograded: The graded notebook, where there is one.
    """

    student: str
    recorded: Recorded
    seconds: float
    failures: dict[str, str]
    feedback: Path
    autograded: Path | None


@dataclass
class ClassResult:
    """A graded class.

    Args:
        course: The course.
        assignment: The unit.
        limits: The settings of the run.
        rows: One for each student, by name.
    """

    course: Course
    assignment: Assignment
    limits: Limits
    rows: list[Row] = field(default_factory=list)

    @property
    def report(self) -> Path:
        """The class report."""
        return self.course.root / "report.html"

    @property
    def grades(self) -> Path:
        """The table for a spreadsheet."""
        return self.course.root / "grades.csv"


def grade_class(
    kit: Kit,
    unit: str,
    root: Path,
    limits_for: LimitsFor,
    progress: Progress,
    busy_seconds: float = BUSY_SECONDS,
) -> ClassResult:
    """Grade all that was handed in for a unit.

    Args:
        kit: The kit.
        unit: The unit.
        root: The course folder, on nbgrader's plan.
        limits_for: Gives the limits, told the course's own cell limit.
        progress: Shows how far it is.
        busy_seconds: How long a busy gradebook is waited for.

    Returns:
        The results; gradebook, ``autograded/``, ``feedback/`` and ``grades.csv`` are written.

    Raises:
        KitError: The folder, the unit or the gradebook cannot be used.
    """
    from rnnkit.grading.report import write_report

    course = open_course(kit, unit, root)
    limits = course.with_sizes(limits_for(course.cell_seconds))
    for message in course.messages:
        progress.say(message)
    with _alone_in(course.root), tempfile.TemporaryDirectory(prefix="rnnkit-") as temporary:
        place = Path(temporary)
        assignment = prepare_assignment(
            unit, course.source, course.config_file, place / "assignment"
        )
        recorder = Recorder(course, assignment, progress.say, busy_seconds)
        recorder.add_assignment(place / "update")
        (place / "runs").mkdir()
        result = ClassResult(course, assignment, limits)
        unfinished = Unfinished(course.root, assignment, limits)
        submissions = course.submissions(recorder.students())
        if not submissions:
            raise KitError(
                "at least one student's folder",
                f"{course.root / course.coursedir.submitted_directory} is empty",
                f"put each notebook at STUDENT/{unit}/{unit}.ipynb in it",
            )
        with progress.of(len(submissions)):
            for outcome in _outcomes(result, submissions, unfinished, place / "runs", progress):
                unfinished.keep(outcome)
                row = _finish(course, recorder, outcome)
                result.rows.append(row)
                progress.finished(row.student, row.recorded, row.seconds, assignment.points)
        result.rows.sort(key=lambda row: row.student)
        write_whole(result.grades, _grades_csv(result))
        write_report(result)
        unfinished.clear()
    return result


@contextmanager
def _alone_in(root: Path) -> Iterator[None]:
    """Hold the course folder, so that two runs never write into each other's files.

    The system gives it back when the process ends, however it ends.
    """
    folder = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(folder)
        raise KitError(
            f"a course folder that no other grading run uses ({root})",
            "another `rnnkit grade` is at work in it",
            "wait until it is done, or stop it; then call the command again",
        ) from error
    except OSError:
        pass  # a file system without locks: the gradebook's own lock has to do
    try:
        yield
    finally:
        os.close(folder)


def _outcomes(
    result: ClassResult,
    submissions: list[Submission],
    unfinished: Unfinished,
    place: Path,
    progress: Progress,
) -> Iterator[Outcome]:
    """Outcomes kept from a run that was stopped, then those of this run."""
    to_run = []
    for submission in submissions:
        kept = unfinished.find(submission)
        if kept is None:
            to_run.append(submission)
        else:
            progress.started(submission)
            yield kept
    if len(to_run) < len(submissions):
        count = len(submissions) - len(to_run)
        progress.say(f"{count} submissions were run before grading was stopped; their runs count")
    yield from run_submissions(
        result.assignment, to_run, result.limits, place, started=progress.started
    )


def _finish(course: Course, recorder: Recorder, outcome: Outcome) -> Row:
    """Write the gradebook and the student's page; a fault in one stops no other."""
    try:
        recorded = recorder.record(outcome)
    except (KitError, OSError):  # the course's, not this submission's
        raise
    except Exception as error:
        note = f"the gradebook did not take it: {in_a_line(error)}"
        outcome = Outcome(
            outcome.submission, Status.INFRASTRUCTURE_ERROR, note, seconds=outcome.seconds
        )
        recorded = recorder.record(outcome)
    student = outcome.submission.student
    failures: dict[str, str] = {}
    try:
        page = _page(course, outcome, recorded)
        if outcome.notebook is not None:
            failures = _failures(outcome)
    except Exception as error:
        note = f"its feedback page could not be made: {in_a_line(error)}"
        recorded = replace(recorded, note=joined(recorded.note, note))
        page = status_page(student, course.unit, recorded.status, note)
    write_log(course, outcome, recorded)
    page_path = course.feedback(student)
    page_path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(page_path, page)
    autograded = course.autograded(student) / f"{course.unit}.ipynb"
    return Row(
        student,
        recorded,
        outcome.seconds,
        failures,
        page_path,
        autograded if outcome.notebook is not None else None,
    )


def _page(course: Course, outcome: Outcome, recorded: Recorded) -> str:
    student = outcome.submission.student
    if outcome.notebook is None:
        return status_page(student, course.unit, recorded.status, outcome.note)
    return feedback_page(outcome.notebook, student, course.unit, course.coursedir, course.config)


def _failures(outcome: Outcome) -> dict[str, str]:
    assert outcome.notebook is not None
    failures = {}
    for cell in for_students(outcome.notebook).cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        score, most = outcome.points.get(name, (None, 0.0))
        if score is not None and score < most and (message := first_failure(cell)):
            failures[name] = message
    return failures


def _grades_csv(result: ClassResult) -> str:
    """The class as a table; a score that is not there is blank, never 0."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [cell.name for cell in result.assignment.cells]
    writer.writerow(
        ["student", "status", "score", "max", *names, "waiting for hand grading", "seconds", "note"]
    )
    for row in result.rows:
        recorded = row.recorded
        points = [_blank(recorded.cells.get(name)) for name in names]
        writer.writerow(
            [
                row.student,
                recorded.status.value,
                _blank(recorded.score),
                f"{result.assignment.points:g}",
                *points,
                recorded.waiting,
                f"{row.seconds:.1f}",
                recorded.note,
            ]
        )
    return text.getvalue()


def _blank(points: float | None) -> str:
    return "" if points is None else f"{round(points, 4):g}"
