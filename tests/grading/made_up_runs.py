"""Outcomes of runs that did not take place: the gradebook needs no kernel to be tested."""

import io
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbformat.v4 import new_output
from rich.console import Console
from tiny_unit import UNIT, hand_in, handed_in

from rnnkit.course.kit import Kit
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.classroom import ClassResult, grade_class
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Outcome, Submission
from rnnkit.grading.progress import Progress
from rnnkit.grading.status import Status

LIMITS = Limits(jobs=1, sandbox="try")
TESTS = {"q1-double-test": 2.0, "q2-greet-test": 1.0}
WRONG = "x ** 2"  # an answer with this in it fails its test
BROKEN = "# the machine fails"  # an answer with this in it meets a machine that fails


def submit(root: Path, assignment: Assignment, student: str, **answers: str) -> None:
    """Write what a student hands in; what was there is replaced."""
    path = root / "submitted" / student / UNIT / f"{UNIT}.ipynb"
    notebook = handed_in(assignment, **answers)
    if path.parent.exists():
        nbformat.write(notebook, path)
    else:
        hand_in(root / "submitted", student, notebook)


def made_up_outcome(
    assignment: Assignment, submission: Submission, place: Path, fails: bool = False
) -> Outcome:
    """The outcome as a run would give it, from what stands in the answers.

    Where it `fails`, the first test fails whatever the answer is.
    """
    path = submission.folder / f"{UNIT}.ipynb"
    try:
        notebook = nbformat.read(path, as_version=4)
    except FileNotFoundError:
        return Outcome(submission, Status.MISSING, "the folder is empty")
    except Exception:
        return Outcome(submission, Status.UNREADABLE, "it is not JSON")
    points: dict[str, tuple[float | None, float]] = {"q3-why": (None, 3.0)}
    wrong = False
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if BROKEN in cell.source:
            return Outcome(submission, Status.INFRASTRUCTURE_ERROR, "its worker died")
        if name in TESTS:
            points[name] = (0.0 if wrong else TESTS[name], TESTS[name])
            message = f"{name} says no"
            cell.outputs = []
            if wrong:
                cell.outputs = [
                    new_output("error", ename="AssertionError", evalue=message, traceback=[message])
                ]
        wrong = WRONG in cell.source or (fails and name == "q1-double")
    folder = place / f"graded-{submission.student}"
    folder.mkdir(parents=True)
    (folder / "data.txt").write_text("beside the notebook")
    nbformat.write(notebook, folder / f"{UNIT}.ipynb")
    status = Status.NEEDS_HAND_GRADING
    ordered = {cell.name: points[cell.name] for cell in assignment.cells}
    return Outcome(
        submission,
        status,
        seconds=1.5,
        notebook=notebook,
        folder=folder,
        points=ordered,
        peak_bytes=123_000_000,
    )


class MadeUpRunner:
    """Stands in for `run_submissions`, and notes who was run.

    Args:
        fails: Students whose first test fails whatever they wrote.
    """

    def __init__(self, *fails: str) -> None:
        self.ran: list[str] = []
        self.fails = set(fails)

    def __call__(
        self,
        assignment: Assignment,
        submissions: list[Submission],
        limits: Limits,
        place: Path,
        started: Callable[[Submission], None] = lambda submission: None,
    ) -> Iterator[Outcome]:
        for submission in submissions:
            started(submission)
            self.ran.append(submission.student)
            fails = submission.student in self.fails
            yield made_up_outcome(assignment, submission, place, fails)
            # As the real one does: the folder is there until the next is asked for.


def grade(
    kit: Kit, root: Path, limits: Limits = LIMITS, **words: object
) -> tuple[ClassResult, str]:
    """Grade the class; also gives what was printed."""
    console = Console(record=True, file=io.StringIO(), width=200)
    words = {"busy_seconds": 5.0, **words}
    result = grade_class(kit, UNIT, root, lambda _: limits, Progress(console), **words)
    return result, console.export_text()


# Keys are made anew in each gradebook; what they stand for is compared.
CONTENT = {
    "students": "SELECT id FROM student ORDER BY id",
    "submissions": """
        SELECT s.student_id, s.timestamp, s.extension, n.late_submission_penalty, n.flagged
        FROM submitted_assignment s JOIN submitted_notebook n ON n.assignment_id = s.id
        ORDER BY s.student_id""",
    "grades": """
        SELECT s.student_id, c.name, g.auto_score, g.manual_score, g.extra_credit,
               g.needs_manual_grade
        FROM grade g JOIN base_cell c ON c.id = g.cell_id
        JOIN submitted_notebook n ON n.id = g.notebook_id
        JOIN submitted_assignment s ON s.id = n.assignment_id
        ORDER BY s.student_id, c.name""",
    "comments": """
        SELECT s.student_id, c.name, k.auto_comment, k.manual_comment
        FROM comment k JOIN base_cell c ON c.id = k.cell_id
        JOIN submitted_notebook n ON n.id = k.notebook_id
        JOIN submitted_assignment s ON s.id = n.assignment_id
        ORDER BY s.student_id, c.name""",
    "left over": """
        SELECT 'grade', COUNT(*) FROM grade
        WHERE notebook_id NOT IN (SELECT id FROM submitted_notebook)
        UNION SELECT 'notebook', COUNT(*) FROM submitted_notebook
        WHERE assignment_id NOT IN (SELECT id FROM submitted_assignment)""",
}


def content(root: Path) -> dict[str, list[tuple[object, ...]]]:
    """What the gradebook says, without its keys."""
    connection = sqlite3.connect(root / "gradebook.db")
    found = {name: connection.execute(query).fetchall() for name, query in CONTENT.items()}
    connection.close()
    return found


def files(root: Path) -> dict[str, str]:
    """What stands in the folders that grading writes, page by page."""
    found = {}
    for folder in ("autograded", "feedback", "logs"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file():
                found[str(path.relative_to(root))] = path.read_text(encoding="utf-8")
    return found
