"""How long one submission takes to be kept and written, with a large class in the gradebook.

    python benchmarks/gradebook_write.py > docs/reports/gradebook_write.md

A class of 2,000 at unit 06's cells; outcomes are made up, nothing is run. The times
are of the main process, which writes while workers run the next submissions. Also
measured: nbgrader's own steps as they are, which open the gradebook for each; memory
from the first submission to the last; and the class graded again unchanged.
"""

import copy
import io
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from rich.console import Console
from side_by_side import machine

from rnnkit.course.kit import Kit, find_kit
from rnnkit.grading import classroom
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.course import open_course
from rnnkit.grading.gradebook import Recorder
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Outcome, Submission
from rnnkit.grading.progress import Progress
from rnnkit.grading.status import Status

UNIT = "06_attention"
STUDENTS = 2000
PLAIN = 20  # how often nbgrader's own steps are measured


class MadeUp:
    """Outcomes without runs, and how long the caller took for each."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.gradebook: list[float] = []
        self.processor: list[float] = []
        self.megabytes: list[float] = []

    def __call__(
        self,
        assignment: Assignment,
        submissions: list[Submission],
        limits: Limits,
        place: Path,
        started: object = None,
    ) -> Iterator[Outcome]:
        """As `run_submissions`."""
        points = {
            cell.name: (None if cell.by_hand else cell.points, cell.points)
            for cell in assignment.cells
        }
        for submission in submissions:
            notebook = copy.deepcopy(assignment.reference)
            folder = place / "graded"
            folder.mkdir()
            nbformat.write(notebook, folder / f"{UNIT}.ipynb")
            outcome = Outcome(
                submission,
                Status.OK,
                seconds=1.0,
                notebook=notebook,
                folder=folder,
                points=points,
                peak_bytes=1,
            )
            begin, busy = time.perf_counter(), time.process_time()
            yield outcome
            self.seconds.append(time.perf_counter() - begin)
            self.processor.append(time.process_time() - busy)
            self.megabytes.append(resident_megabytes())
            shutil.rmtree(folder, ignore_errors=True)


def timed_record(into: list[float]) -> Callable[..., Any]:
    """`Recorder.record`, which says how long the gradebook's transaction took."""
    record = Recorder.record

    def timed(*args: Any, **kwargs: Any) -> Any:
        begin = time.perf_counter()
        try:
            return record(*args, **kwargs)
        finally:
            into.append(time.perf_counter() - begin)

    return timed


def resident_megabytes() -> float:
    """Memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def hand_in(root: Path, kit: Kit, students: int) -> None:
    """Copies of the exercise, each with other content."""
    text = (kit.root / "exercises" / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8")
    for number in range(students):
        folder = root / "submitted" / f"student{number:04}" / UNIT
        folder.mkdir(parents=True)
        (folder / f"{UNIT}.ipynb").write_text(f"{text}{' ' * number}\n", encoding="utf-8")


def grade(kit: Kit, root: Path) -> tuple[classroom.ClassResult, float]:
    """Grade without pages; the result and the seconds."""
    begin = time.perf_counter()
    result = classroom.grade_class(
        kit,
        UNIT,
        root,
        lambda _: Limits(),
        Progress(Console(file=io.StringIO())),
        feedback=False,
    )
    return result, time.perf_counter() - begin


def plain_seconds(kit: Kit, root: Path) -> tuple[list[float], list[float]]:
    """The same writing by nbgrader's own steps, each with a gradebook of its own."""
    course = open_course(kit, UNIT, root)
    url = course.coursedir.db_url
    seconds, processor = [], []
    for number in range(PLAIN):
        student = f"student{number:04}"
        path = course.autograded(student) / f"{UNIT}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        begin, busy = time.perf_counter(), time.process_time()
        with Gradebook(url) as gradebook:
            gradebook.update_or_create_student(student)
        with Gradebook(url) as gradebook:
            gradebook.update_or_create_submission(UNIT, student)
        ids = {"student": student, "assignment": UNIT, "notebook": UNIT, "db_url": url}
        for step in (SaveAutoGrades, AssignLatePenalties):
            step(config=course.config).preprocess(notebook, {"nbgrader": ids})
        seconds.append(time.perf_counter() - begin)
        processor.append(time.process_time() - busy)
    return seconds, processor


def main() -> None:
    """Measure and print."""
    students = int(sys.argv[1]) if len(sys.argv) > 1 else STUDENTS
    kit = find_kit()
    made_up = MadeUp()
    classroom.run_submissions = made_up
    Recorder.record = timed_record(made_up.gradebook)  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "course"
        hand_in(root, kit, students)
        result, first = grade(kit, root)
        _, again = grade(kit, root)
        plain = plain_seconds(kit, root)
    cells = len(result.assignment.cells)
    tenth = max(1, students // 10)
    print("# Writing a submission into the gradebook\n")
    print(f"`python benchmarks/gradebook_write.py`, {machine()}\n")
    print(f"{students} students, {UNIT} ({cells} graded cells). Milliseconds of the main process")
    print("for each submission: kept, written in one transaction, put in place, logged.\n")
    print("| | all, median | slowest of 100 | processor, median | the gradebook's transaction |")
    print("|---|---|---|---|---|")
    measured = (made_up.seconds, made_up.processor, made_up.gradebook[:students])
    rows = {
        "the first tenth of the class": [each[:tenth] for each in measured],
        f"the last tenth, {students - tenth} in the gradebook": [
            each[-tenth:] for each in measured
        ],
        "nbgrader's own steps": [*plain, plain[0]],
    }
    for name, (seconds, processor, gradebook) in rows.items():
        slow = statistics.quantiles(seconds, n=100)[-1]
        middle = [1000 * statistics.median(each) for each in (seconds, processor, gradebook)]
        print(
            f"| {name} | {middle[0]:.0f} | {1000 * slow:.0f} | {middle[1]:.0f} | {middle[2]:.0f} |"
        )
    memory = made_up.megabytes
    print(
        f"\nMemory after the first tenth: {memory[tenth]:.0f} MB; at the end: {memory[-1]:.0f} MB."
    )
    print(f"\nThe class once: {first:.0f} s (no notebook is run). Again, unchanged: {again:.1f} s.")


if __name__ == "__main__":
    main()
