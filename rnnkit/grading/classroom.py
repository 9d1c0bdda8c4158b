"""Grading a class: run what is new, write the gradebook, then make the pages."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from rnnkit.course.alone import alone_in
from rnnkit.course.collecting.roster import listed_students
from rnnkit.course.kit import Kit
from rnnkit.errors import KitError, in_a_line
from rnnkit.grading.assignment import Assignment, prepare_assignment
from rnnkit.grading.course import Course, open_course, take_kits_source
from rnnkit.grading.feedback import first_failure, for_students
from rnnkit.grading.feedback_pages import Page, is_made, make_pages, page_digest
from rnnkit.grading.files import write_whole
from rnnkit.grading.gradebook import (
    BUSY_SECONDS,
    Recorded,
    Recorder,
    Standing,
    joined,
    recorded_of,
)
from rnnkit.grading.keys import run_key
from rnnkit.grading.limits import Limits
from rnnkit.grading.log import write_log
from rnnkit.grading.outcome import Fence, Outcome, Submission
from rnnkit.grading.progress import Progress
from rnnkit.grading.release_files import add_release_files
from rnnkit.grading.results import SAME_WORK, Kept, Results, Run
from rnnkit.grading.runner import run_submissions
from rnnkit.grading.score_changes import ScoreChange, changes_csv, score_change
from rnnkit.grading.status import Status
from rnnkit.grading.tables import grades_csv
from rnnkit.grading.temporary import HeldFolder, remove_forsaken

__all__ = ["ClassResult", "Row", "grade_class"]

LimitsFor = Callable[[int | None], Limits]


@dataclass(frozen=True)
class Row:
    """One submission in the class's results.

    Args:
        student: The student.
        recorded: What the gradebook says.
        seconds: How long its run took.
        failures: For each auto-graded cell that failed, the check's message.
        feedback: The student's page.
        autograded: The graded notebook, where there is one.
        peak_bytes: The most memory that its run held at once.
        fence: What kept its run away from the rest of the machine.
    """

    student: str
    recorded: Recorded
    seconds: float
    failures: dict[str, str]
    feedback: Path
    autograded: Path | None
    peak_bytes: int = 0
    fence: Fence = Fence.FULL


@dataclass
class ClassResult:
    """A graded class.

    Args:
        course: The course.
        assignment: The unit.
        limits: The settings of the run.
        rows: One for each student, by name.
        changes: Whose score changed since the run before.
        ran: How many submissions were run; the others were unchanged.
    """

    course: Course
    assignment: Assignment
    limits: Limits
    rows: list[Row] = field(default_factory=list)
    changes: list[ScoreChange] = field(default_factory=list)
    ran: int = 0

    @property
    def report(self) -> Path:
        """The class report."""
        return self.course.root / "report.html"

    @property
    def grades(self) -> Path:
        """The table for a spreadsheet."""
        return self.course.root / "grades.csv"

    @property
    def changed(self) -> Path:
        """The table of scores that changed."""
        return self.course.root / "changes.csv"


def grade_class(
    kit: Kit,
    unit: str,
    root: Path,
    limits_for: LimitsFor,
    progress: Progress,
    busy_seconds: float = BUSY_SECONDS,
    regrade: Collection[str] | None = None,
    feedback: bool = True,
    mended: bool = False,
) -> ClassResult:
    """Grade all that was handed in for a unit.

    What was graded before and has not changed is not run again. Stopped at any
    moment and called again, it goes on, and ends as if it had not been stopped.

    Args:
        kit: The kit.
        unit: The unit.
        root: The course folder, on nbgrader's plan.
        limits_for: Gives the limits, told the course's own cell limit.
        progress: Shows how far it is.
        busy_seconds: How long a busy gradebook is waited for.
        regrade: Students to run again although nothing changed; an empty collection
            for all of them, None for nobody.
        feedback: Whether to make the students' pages.
        mended: Whether to grade with the kit's tests as they are now, and to keep them
            in the course folder in the place of its own.

    Returns:
        The results; gradebook, ``autograded/``, ``feedback/`` and the tables are written.

    Raises:
        KitError: The folder, the unit or the gradebook cannot be used.
    """
    course = open_course(kit, unit, root, mended)
    limits = course.with_sizes(limits_for(course.cell_seconds))
    for message in course.messages:
        progress.say(message)
    remove_forsaken()
    with alone_in(course.root), HeldFolder("rnnkit-") as place:
        is_there = mended and kit.solution_notebook(unit).is_file()
        source = kit.solutions / unit if is_there else course.source
        assignment = prepare_assignment(unit, source, course.config_file, place / "assignment")
        result = ClassResult(course, assignment, limits)
        with Recorder(course, assignment, progress.say, busy_seconds) as recorder:
            recorder.add_assignment(place / "update")
            # After the gradebook took its cells, so that what it refuses is not kept.
            if mended and (line := take_kits_source(kit, course)):
                progress.say(line)
            (place / "runs").mkdir()
            _Grading(result, recorder, progress, place / "runs").grade(regrade, feedback)
    return result


class _Grading:
    """One run of the command, after all is ready.

    Each outcome is kept before it is written, and marked as written afterwards: what
    a run that is killed leaves unmarked is written by the next.
    """

    def __init__(
        self, result: ClassResult, recorder: Recorder, progress: Progress, place: Path
    ) -> None:
        self.result = result
        self.course = result.course
        self.limits = result.limits
        self.recorder = recorder
        self.progress = progress
        self.place = place
        self.key = run_key(result.assignment, result.limits)
        self.results = Results(self.course, self.limits, self.key)
        config = self.course.config_file.read_text(encoding="utf-8")
        self.makers = (config, self.key.environment["rnnkit"])  # what makes a page look so
        self.pages: list[Page] = []
        self.folders: dict[Path, Path] = {}  # for each page, what was handed in
        self.why: dict[str, str] = {}  # for each submission that is run, why
        self.run: Run

    def grade(self, regrade: Collection[str] | None, feedback: bool) -> None:
        """Grade the class."""
        students = self.recorder.students()
        submissions = self._submissions(students | listed_students(self.course.root))
        standings = self.recorder.standings()
        again = _named(submissions, regrade)
        self.run = self.results.begin(standings, again)
        unchanged, to_run = self._apart(submissions, again)
        if unchanged:
            self.progress.say(
                f"Submissions that were run before and are unchanged: {len(unchanged)}; "
                f"to be run: {len(to_run)}."
            )
        for kept in unchanged:
            self._unchanged(kept, students, standings)
        del unchanged, standings
        self._run(to_run)
        self.result.rows.sort(key=lambda row: row.student)
        self.result.changes.sort(key=lambda change: change.student)
        self._write_tables()
        if feedback and self._make_pages():
            self._write_tables()
        if feedback:
            add_release_files(self.folders)
        self.results.end()

    def _submissions(self, students: set[str]) -> list[Submission]:
        submissions = self.course.submissions(sorted(students))
        if not submissions:
            unit = self.course.unit
            raise KitError(
                "at least one student's folder",
                f"{self.course.root / self.course.coursedir.submitted_directory} is empty",
                f"put each notebook at STUDENT/{unit}/{unit}.ipynb in it",
            )
        return submissions

    def _apart(
        self, submissions: list[Submission], again: set[str]
    ) -> tuple[list[Kept], list[Submission]]:
        """What was run before and would come out again, and what is to be run."""
        unchanged, to_run = [], []
        for submission in submissions:
            kept, why = self.results.find(submission)
            if kept is not None and submission.student in again and kept.run != self.run.name:
                kept, why = None, SAME_WORK
            if kept is None:
                self.why[submission.student] = why
                to_run.append(submission)
            else:
                unchanged.append(kept)
        return unchanged, to_run

    def _unchanged(self, kept: Kept, students: set[str], standings: dict[str, Standing]) -> None:
        """Make sure that all says what an earlier run gave; write only what differs."""
        submission = kept.outcome.submission
        standing = standings.pop(submission.student, None)
        if submission.student not in students or not kept.is_recorded_in(standing):
            standing = self._record(kept)
        elif standing is not None and kept.notebook:
            moment = self.recorder.handed_in_at(submission.folder)
            moved = moment is not None and moment != standing.timestamp
            if moved or standing.late or standing.penalty:
                self.recorder.settle_lateness(submission.student, submission.folder)
                standing = self.recorder.standing(submission.student)
        self._finish(kept, standing, kept.because if kept.run == self.run.name else "")

    def _run(self, to_run: list[Submission]) -> None:
        """Run what is to be run, and write each outcome when it is there."""
        with self.progress.of(len(to_run), self.limits.slots):
            for outcome in run_submissions(
                self.result.assignment,
                to_run,
                self.limits,
                self.place,
                started=self.progress.started,
            ):
                recorded = self._take(outcome)
                self.result.ran += 1
                self.progress.finished(
                    outcome.submission.student,
                    recorded,
                    outcome.seconds,
                    self.result.assignment.points,
                )

    def _take(self, outcome: Outcome) -> Recorded:
        """Keep an outcome, and write it everywhere."""
        student = outcome.submission.student
        why = self.why.get(student, "")
        before = self.recorder.standing(student)
        if outcome.status is Status.INFRASTRUCTURE_ERROR:
            return self._failed(outcome, before)
        failures = _failures(outcome)
        if outcome.notebook is not None:
            outcome.notebook.metadata["rnnkit"] = {
                "status": outcome.status.value,
                "note": outcome.note,
                "mended": [m.for_student for m in outcome.mendings if m.for_student],
            }
        kept = self.results.keep(outcome, self.run.name, why, failures, before)
        return self._finish(kept, self._record(kept), why)

    def _record(self, kept: Kept) -> Standing | None:
        """Write gradebook and ``autograded/``; a fault with one stops no other."""
        outcome = self.results.with_notebook(kept)
        try:
            standing = self.recorder.record(outcome, kept.extension)
        except (KitError, OSError):  # the course's, not this submission's
            raise
        except Exception as error:
            note = f"the gradebook did not take it: {in_a_line(error)}"
            kept.outcome = Outcome(
                outcome.submission, Status.INFRASTRUCTURE_ERROR, note, outcome.seconds
            )
            return self.recorder.record(kept.outcome)
        self.results.mark(kept, standing)
        outcome.notebook = None  # it is on the disk; memory stays flat
        return standing

    def _failed(self, outcome: Outcome, standing: Standing | None) -> Recorded:
        """Write that a run failed for a reason of the machine's; an earlier grade stays."""
        self.recorder.record(outcome)
        kept = Kept(outcome, "", self.key, self.run.name)
        return self._finish(kept, standing, "")

    def _finish(self, kept: Kept, standing: Standing | None, because: str) -> Recorded:
        """The row, the log and what the page will show."""
        outcome = kept.outcome
        submission, student = outcome.submission, outcome.submission.student
        before = self.run.before.get(student)
        notes = [self.recorder.note_on_time(submission.folder)]
        if kept.took_out:
            notes.append("the grade of an earlier submission was taken out of the gradebook")
        recorded = recorded_of(outcome, standing, *notes)
        graded = kept.notebook and outcome.status.has_score
        autograded = self.course.autograded(student) / f"{self.course.unit}.ipynb"
        row = Row(
            student,
            recorded,
            outcome.seconds,
            kept.failures if graded else {},
            self.course.feedback(student),
            autograded if graded else None,
            outcome.peak_bytes,
            outcome.fence,
        )
        self.result.rows.append(row)
        self.folders[row.feedback] = submission.folder
        change = score_change(
            student, before, recorded, standing.penalty if standing else 0.0, because
        )
        if change is not None:
            self.result.changes.append(change)
        write_log(self.course, outcome, recorded)
        self._plan_page(kept, row, standing)
        return recorded

    def _plan_page(self, kept: Kept, row: Row, standing: Standing | None) -> None:
        """Note which page is to be made, if what it shows is not what it should show."""
        status, stays = row.recorded.status, standing is not None
        if status is Status.INFRASTRUCTURE_ERROR and stays and row.feedback.is_file():
            return  # the page of the grade that stays
        shown = (standing.cells, standing.comments, standing.penalty) if standing else ()
        digest = page_digest(status, kept.outcome.note, kept.notebook, shown, self.makers)
        note = kept.outcome.note
        page = Page(row.student, status, note, row.autograded, row.feedback, digest)
        if not is_made(page):
            self.pages.append(page)

    def _make_pages(self) -> bool:
        """Make the pages; true if the tables have something new to say."""
        course, notes = self.course, {}
        with self.progress.of(len(self.pages), self.limits.slots, "feedback pages"):
            for student, note in make_pages(
                course.root, course.unit, course.config_file, self.pages, self.limits.slots
            ):
                self.progress.advance()
                if note:
                    notes[student] = note
        self.result.rows = [
            replace(row, recorded=_with_note(row.recorded, notes.get(row.student, "")))
            for row in self.result.rows
        ]
        return bool(self.pages)

    def _write_tables(self) -> None:
        from rnnkit.grading.report import write_report

        write_whole(self.result.grades, grades_csv(self.result))
        write_whole(self.result.changed, changes_csv(self.result.changes))
        write_report(self.result)


def _named(submissions: list[Submission], regrade: Collection[str] | None) -> set[str]:
    """The students to run again in any case."""
    students = {submission.student for submission in submissions}
    if regrade is None:
        return set()
    unknown = sorted(set(regrade) - students)
    if unknown:
        raise KitError(
            "after --regrade, names of students of this class (or none, for all)",
            ", ".join(unknown),
            "write each name as its folder in submitted/ is called",
        )
    return set(regrade) or students


def _with_note(recorded: Recorded, note: str) -> Recorded:
    return replace(recorded, note=joined(recorded.note, note))


def _failures(outcome: Outcome) -> dict[str, str]:
    """The message of each auto-graded cell without full points, as its student reads it."""
    failures: dict[str, str] = {}
    if outcome.notebook is None:
        return failures
    try:
        cells = for_students(outcome.notebook).cells
    except Exception:  # a notebook too odd to show: its page will say so
        return failures
    for cell in cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        score, most = outcome.points.get(name, (None, 0.0))
        if score is not None and score < most and (message := first_failure(cell)):
            failures[name] = message
    return failures
