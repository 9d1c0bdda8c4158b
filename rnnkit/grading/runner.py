"""Grading submissions: preflight here, the runs in workers, the points from what came back."""

import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.utils import determine_grade, is_grade

from rnnkit.course.metadata import tests_in_kernel
from rnnkit.errors import in_a_line
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.canon import Canon, canon_of
from rnnkit.grading.code_names import defined_names
from rnnkit.grading.execute import RunRecord, fence_for
from rnnkit.grading.files import files_beside, write_files
from rnnkit.grading.job import Bundle, Job, JobResult
from rnnkit.grading.limits import Limits
from rnnkit.grading.mending import Weight, listed
from rnnkit.grading.outcome import Fence, Outcome, Submission
from rnnkit.grading.preflight import Preflight, preflight
from rnnkit.grading.status import Status
from rnnkit.grading.workers import Workers, run_here, workers_for

__all__ = ["run_submissions"]

QUEUED = 2  # jobs given out for each slot: no worker waits while the gradebook is written
TRIES = 3  # how often a job is begun whose worker died: that is no student's doing


def run_submissions(
    assignment: Assignment,
    submissions: Iterable[Submission],
    limits: Limits,
    place: Path,
    started: Callable[[Submission], None] = lambda submission: None,
) -> Iterator[Outcome]:
    """Grade submissions, several at once, and yield each when it is done.

    Nothing a submission does can end this loop: whatever goes wrong with one
    becomes the status of that one.

    Args:
        assignment: The unit.
        submissions: What to grade.
        limits: Times and settings.
        place: A private folder. An outcome's own folder lies in it, until the next is asked for.
        started: Called when a submission is given to the workers.

    Raises:
        KitError: No fence can be put up here, and the settings ask for one; or the
            cluster does not answer.
    """
    if not limits.scheduler:  # a cluster's workers look for themselves
        fence_for(limits.sandbox)  # refuses early, and once
    runs = _Runs(assignment, limits, place, started)
    workers: Workers | None = None
    try:
        for submission in submissions:
            prepared = runs.prepare(submission)
            if isinstance(prepared, Outcome):
                yield prepared
                continue
            workers = workers or workers_for(limits)
            runs.waiting.append(prepared)
            while runs.left > QUEUED * workers.slots:
                yield from runs.step(workers)
        while workers is not None and runs.left:
            yield from runs.step(workers)
    finally:  # also when the caller stops in the middle
        if workers is not None:
            workers.stop()


class _Prepared:
    """A submission whose notebook can be run."""

    def __init__(self, submission: Submission, ready: Preflight | None, job: Job) -> None:
        self.submission = submission
        self.ready = ready
        self.job = job
        self.begin = 0.0
        self.tries = 0


class _Runs:
    """The submissions on their way."""

    def __init__(
        self,
        assignment: Assignment,
        limits: Limits,
        place: Path,
        started: Callable[[Submission], None],
    ) -> None:
        self.assignment = assignment
        self.limits = limits
        self.place = place
        self.started = started
        self.canon: Canon = canon_of(assignment.unit, assignment.released, assignment.reference)
        self.bundle = _bundle(assignment)
        self.waiting: deque[_Prepared] = deque()
        self.suspects: deque[_Prepared] = deque()  # were running when a worker died
        self.running: dict[Future[JobResult], _Prepared] = {}
        self.odd_of_solution: dict[str, str] | None = None  # not known before it is asked for

    @property
    def left(self) -> int:
        """How many are on their way."""
        return len(self.waiting) + len(self.suspects) + len(self.running)

    def prepare(self, submission: Submission) -> _Prepared | Outcome:
        """Look at a submission, and make a job of it where it can be run."""
        begin = time.monotonic()
        try:
            ready = None
            if submission.mend:
                ready = preflight(
                    submission.folder, self.canon, self.limits, self.assignment.source
                )
                if ready.status is not None:
                    return Outcome(submission, ready.status, ready.note)
            return _Prepared(submission, ready, self._job(submission, ready))
        except Exception as error:  # one submission never stops the others
            seconds = time.monotonic() - begin
            return Outcome(submission, Status.INFRASTRUCTURE_ERROR, in_a_line(error), seconds)

    def _job(self, submission: Submission, ready: Preflight | None) -> Job:
        unit = self.assignment.unit
        if ready is not None:
            assert ready.notebook is not None
            notebook = nbformat.writes(ready.notebook)
            files = {str(inside): source.read_bytes() for source, inside in ready.beside}
        else:
            notebook = (submission.folder / f"{unit}.ipynb").read_text(encoding="utf-8")
            files = {}
        return Job(self.bundle, notebook, files, self.limits, mended=ready is not None)

    def step(self, workers: Workers) -> Iterator[Outcome]:
        """Give the workers what they can take, wait for one that is done, and grade it."""
        self._feed(workers)
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        broken = False
        for future in done:
            prepared = self.running.pop(future)
            error = future.exception()
            if isinstance(error, BrokenExecutor):
                broken = True
                self.suspects.append(prepared)
            elif isinstance(error, Exception):
                yield self._failed(prepared, f"its worker failed: {in_a_line(error)}")
            else:
                yield from self._yielded(workers, prepared, future.result())
        if broken:
            yield from self._after_a_death(workers)

    def _feed(self, workers: Workers) -> None:
        # After a death, one at a time: the next death then tells which submission it is.
        while self.suspects and not self.running:
            self._submit(workers, self.suspects.popleft())
        while self.waiting and not self.suspects and len(self.running) < QUEUED * workers.slots:
            self._submit(workers, self.waiting.popleft())

    def _submit(self, workers: Workers, prepared: _Prepared) -> None:
        if not prepared.tries:
            prepared.begin = time.monotonic()
            self.started(prepared.submission)
        prepared.tries += 1
        try:
            future = workers.executor().submit(run_here, prepared.job)
        except (BrokenExecutor, EOFError, OSError):
            # A worker died while it had nothing to do, or what it is forked from did.
            self._renew(workers)
            future = workers.executor().submit(run_here, prepared.job)
        self.running[future] = prepared

    def _renew(self, workers: Workers) -> None:
        """Begin with new workers; what was running may be why the old ones died."""
        self.suspects.extend(self.running.values())
        self.running.clear()
        workers.renew()

    def _after_a_death(self, workers: Workers) -> Iterator[Outcome]:
        self._renew(workers)
        suspects, self.suspects = self.suspects, deque()
        for prepared in suspects:
            if prepared.tries >= TRIES:
                yield self._failed(prepared, "its worker died each time that it was run")
            else:
                self.suspects.append(prepared)

    @cached_property
    def _defined(self) -> frozenset[str]:
        """The names that some cell of the solution defines."""
        cells = self.assignment.reference.cells
        return frozenset().union(*(defined_names(c.source) for c in cells if c.cell_type == "code"))

    def _fault_of_tests(self, workers: Workers, result: JobResult) -> str:
        """What is wrong with a test, where an error of its own stopped it; else empty.

        Whether it is the test's or comes from what the answer gave shows the solution: with
        it, a right test ends well.
        """
        for test, name in result.record.missing.items():
            if name not in self._defined:
                return f"the test {test} itself is wrong: no cell defines the name {name}"
        if not result.record.odd:
            return ""
        if self.odd_of_solution is None:
            text = nbformat.writes(self.assignment.reference)
            try:
                job = workers.executor().submit(run_here, Job(self.bundle, text, {}, self.limits))
                self.odd_of_solution = job.result().record.odd
            except BrokenExecutor:  # the next one asks again
                return ""
        names = [name for name in result.record.odd if name in self.odd_of_solution]
        if not names:
            return ""
        last = self.odd_of_solution[names[0]].strip().rsplit("\n", 1)[-1]
        return f"the test {names[0]} itself is wrong, it fails with the solution too: {last}"

    def _failed(self, prepared: _Prepared, note: str, log: str = "") -> Outcome:
        seconds = time.monotonic() - prepared.begin
        return Outcome(prepared.submission, Status.INFRASTRUCTURE_ERROR, note, seconds, log=log)

    def _yielded(
        self, workers: Workers, prepared: _Prepared, result: JobResult
    ) -> Iterator[Outcome]:
        """The outcome; its folder is there until the caller asks for the next."""
        note = result.note if not result.notebook else self._fault_of_tests(workers, result)
        if note:
            yield self._failed(prepared, note, result.log)
            return
        folder = Path(tempfile.mkdtemp(prefix="graded-", dir=self.place))
        try:
            try:
                outcome = _graded(self.assignment, prepared, result, folder)
            except Exception as error:
                outcome = self._failed(prepared, in_a_line(error))
            yield outcome
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _bundle(assignment: Assignment) -> Bundle:
    text = assignment.config.read_text(encoding="utf-8") if assignment.config else ""
    seconds = {
        cell.metadata.nbgrader.grade_id: int(cell.metadata.rnnkit.seconds)
        for cell in assignment.reference.cells
        if "seconds" in cell.metadata.get("rnnkit", {}) and "nbgrader" in cell.metadata
    }
    # The reference stays out: a job needs only the files beside it.
    return Bundle(
        assignment.unit,
        text,
        assignment.gradebook.read_bytes(),
        files_beside(assignment.source),
        seconds,
        tests_in_kernel(assignment.reference),
    )


def _graded(
    assignment: Assignment, prepared: _Prepared, result: JobResult, folder: Path
) -> Outcome:
    notebook = nbformat.reads(result.notebook, as_version=4)
    write_files(folder, {**prepared.job.files, **prepared.job.bundle.files})
    (folder / f"{assignment.unit}.ipynb").write_text(result.notebook, encoding="utf-8")
    points = _points(assignment, notebook)
    ready = prepared.ready
    look_at = [
        name for name in (ready.doubtful if ready else []) if points[name][0] != points[name][1]
    ]
    record = result.record
    return Outcome(
        prepared.submission,
        _status(assignment, ready, record, notebook, look_at),
        _note(record, look_at),
        result.seconds,
        notebook=notebook,
        folder=folder,
        points=points,
        mendings=ready.mendings if ready else [],
        look_at=look_at,
        peak_bytes=record.peak_bytes,
        fence=Fence(record.fence),
        log=result.log,
    )


def _status(
    assignment: Assignment,
    ready: Preflight | None,
    record: RunRecord,
    notebook: NotebookNode,
    look_at: list[str],
) -> Status:
    """The word that matters most of those that are true."""
    happened = {event["what"] for event in record.events} | set(record.reasons)
    weights = {mending.weight for mending in ready.mendings} if ready else set()
    true = [
        (Status.OUT_OF_MEMORY, "out of memory" in happened),
        (Status.CRASHED, bool(happened & {"crashed", "too many processes"})),
        (Status.TIMED_OUT, bool(happened & {"timed out", "not run"})),
        (Status.NEEDS_HAND_GRADING, bool(look_at)),
        (Status.TAMPERED, Weight.TAMPER in weights),
        (Status.REPAIRED, Weight.REPAIR in weights),
        (Status.NEEDS_HAND_GRADING, _waits_for_hand(assignment, notebook)),
    ]
    return next((status for status, holds in true if holds), Status.OK)


def _note(record: RunRecord, look_at: list[str]) -> str:
    def cells(what: str) -> list[str]:
        return [event["cell"] for event in record.events if event["what"] == what]

    parts = {
        "the answer may stand in another cell, look at: ": listed(look_at) if look_at else "",
        "cells stopped: ": _names(cells("timed out")),
        "cells short of memory: ": _names(cells("out of memory")),
        "cells left out: ": _names(list(record.left_out)),
        "cells not run: ": _names(cells("not run")),
        "look at cells whose points are out of range: ": ", ".join(record.odd_points),
        "tests that ran in the student's process, where they can be tampered with: ": (
            ", ".join(record.in_kernel)
        ),
        "tests that could not use what the answer gave: ": ", ".join(record.odd),
        "the kernel was not forked from the warm process: ": record.not_forked,
    }
    return "; ".join(head + words for head, words in parts.items() if words)


def _names(keys: list[str]) -> str:
    """Cell keys as an instructor reads them: the grade_id, else the place from 1."""
    words: list[str] = []
    for key in keys:
        index, _, grade_id = key.partition(":")
        words.append(grade_id or f"cell {int(index) + 1}")
    return listed(words) if words else ""


def _points(
    assignment: Assignment, notebook: NotebookNode
) -> dict[str, tuple[float | None, float]]:
    """Points by nbgrader's own rule; None for what a person grades or what is not there."""
    found = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if is_grade(cell)}
    points: dict[str, tuple[float | None, float]] = {}
    for graded in assignment.cells:
        score = None
        if not graded.by_hand and graded.name in found:
            score = determine_grade(found[graded.name])[0]
        points[graded.name] = (score, graded.points)
    return points


def _waits_for_hand(assignment: Assignment, notebook: NotebookNode) -> bool:
    by_hand = {cell.name for cell in assignment.cells if cell.by_hand}
    return any(
        is_grade(cell)
        and cell.metadata.nbgrader.grade_id in by_hand
        and determine_grade(cell)[0] is None
        for cell in notebook.cells
    )
