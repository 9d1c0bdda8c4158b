"""Grading submissions side by side, each in a child process of its own."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.utils import determine_grade, is_grade

from rnnkit.errors import in_a_line
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.canon import Canon, canon_of
from rnnkit.grading.execute import NOT_POINTS
from rnnkit.grading.limits import Limits
from rnnkit.grading.mending import Weight, listed
from rnnkit.grading.outcome import Outcome, Submission
from rnnkit.grading.preflight import Preflight, preflight
from rnnkit.grading.processes import TOKEN, kill_marked
from rnnkit.grading.status import Status
from rnnkit.grading.worker import STUDENT

__all__ = ["run_submissions"]

STARTS = 3  # how often a run is begun that ended before its first cell
REPEATS = 2  # how often a submission is run again without a cell that stopped it
GRACE_SECONDS = 30  # what a child may take past the notebook's limit before it is killed
FINISH_SECONDS = 120  # what a child may take that only writes down what is there
# Python runs one of them at a time anyway, and a hostile file can need much memory.
_ONE_READS = threading.Lock()

WHY_LEFT_OUT = {
    "crashed": (
        "This cell was left out, because Python itself ended while it ran. "
        "Look for exit() or os._exit(), or for more memory than there is."
    ),
    "timed out": (
        "This cell was left out, because it ran past the limit of {cell_seconds} seconds and "
        "could not be interrupted. Look for a loop that never ends or that catches every error."
    ),
}
WHY_NOT_RUN = {
    "crashed": "This cell was not run: cells before it ended Python itself too often.",
    "timed out": "This cell was not run: cells before it could not be stopped.",
    "limit": "This cell was not run: the notebook had used all of its {notebook_seconds} seconds.",
}


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
        place: A private folder for the runs.
        started: Called (in a thread) when a submission begins.
    """
    stop = threading.Event()
    canon = canon_of(assignment.unit, assignment.released, assignment.reference)
    pool = ThreadPoolExecutor(max_workers=max(1, limits.jobs))
    try:
        futures = [
            pool.submit(_run_one, assignment, canon, submission, limits, place, started, stop)
            for submission in submissions
        ]
        for future in as_completed(futures):
            yield future.result()
    finally:  # also when the caller stops in the middle
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _run_one(
    assignment: Assignment,
    canon: Canon,
    submission: Submission,
    limits: Limits,
    place: Path,
    started: Callable[[Submission], None],
    stop: threading.Event,
) -> Outcome:
    begin = time.monotonic()
    started(submission)
    try:
        outcome = _Run(assignment, canon, submission, limits, place, stop).outcome()
    except Exception as error:  # one submission never stops the others
        outcome = Outcome(submission, Status.INFRASTRUCTURE_ERROR, in_a_line(error))
    outcome.seconds = time.monotonic() - begin
    return outcome


class _Run:
    """All the runs of one submission."""

    def __init__(
        self,
        assignment: Assignment,
        canon: Canon,
        submission: Submission,
        limits: Limits,
        place: Path,
        stop: threading.Event,
    ) -> None:
        self.assignment = assignment
        self.canon = canon
        self.ready: Preflight | None = None
        self.submission = submission
        self.limits = limits
        self.place = place
        self.stop = stop
        self.deadline = 0.0  # when the notebook must be done; its time begins when it runs
        self.left_out: dict[str, str] = {}
        self.reasons: list[str] = []  # "crashed" or "timed out", one for each cell left out

    def outcome(self) -> Outcome:
        if self.submission.mend:
            with _ONE_READS:
                self.ready = preflight(
                    self.submission.folder, self.canon, self.limits, self.assignment.source
                )
            if self.ready.status is not None:
                return Outcome(self.submission, self.ready.status, self.ready.note)
        self.deadline = time.time() + self.limits.notebook_seconds
        folder, result = self._attempts()
        if result["end"] == "unreadable":
            return Outcome(self.submission, Status.UNREADABLE, result["note"])
        if result["end"] != "graded":
            return Outcome(self.submission, Status.INFRASTRUCTURE_ERROR, result["note"])
        return self._graded(folder)

    def _attempts(self) -> tuple[Path, dict[str, Any]]:
        """Run, and run again without the cell that stopped it."""
        for attempt in range(REPEATS + 1):
            folder, result = self._started()
            if result["end"] != "stopped":
                return folder, result
            out_of_time = time.time() >= self.deadline
            if out_of_time and result["why"] == "timed out":
                return self._finish(folder, "limit")
            self.reasons.append(result["why"])
            sentence = WHY_LEFT_OUT[result["why"]].format(cell_seconds=self.limits.cell_seconds)
            self.left_out[result["cell"]] = sentence
            if out_of_time or attempt == REPEATS:
                return self._finish(folder, "limit" if out_of_time else result["why"])
        raise AssertionError("the last attempt returns")

    def _started(self) -> tuple[Path, dict[str, Any]]:
        """Run; begin again where the kernel did not start, which is no student's doing."""
        for _ in range(STARTS):
            folder, result = self._attempt("")
            began = (folder / "progress.json").exists()
            if result["end"] != "failed" or began or self.stop.is_set():
                break
            if time.time() >= self.deadline:
                break
        return folder, result

    def _finish(self, stopped: Path, why: str) -> tuple[Path, dict[str, Any]]:
        """Write down what the last run reached."""
        reason = WHY_NOT_RUN[why].format(notebook_seconds=self.limits.notebook_seconds)
        checkpoint = stopped / "checkpoint.json"
        return self._attempt(reason, checkpoint if checkpoint.exists() else None)

    def _attempt(
        self, finish_reason: str, checkpoint: Path | None = None
    ) -> tuple[Path, dict[str, Any]]:
        folder = self._scratch()
        if checkpoint is not None:
            shutil.copy(checkpoint, folder / "checkpoint.json")
        job = {
            "unit": self.assignment.unit,
            "config": str(self.assignment.config) if self.assignment.config else "",
            "coordinator": os.getpid(),
            "left_out": self.left_out,
            "finish_reason": finish_reason,
            "deadline": self.deadline,
            "cell_seconds": self.limits.cell_seconds,
            "notebook_seconds": self.limits.notebook_seconds,
        }
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        until = self.deadline + GRACE_SECONDS
        if finish_reason:
            until = time.time() + FINISH_SECONDS
        in_time = _run_child(folder, self._environment(folder), until, self.stop)
        return folder, self._result(folder, in_time)

    def _result(self, folder: Path, in_time: bool) -> dict[str, Any]:
        path = folder / "result.json"
        if path.exists():
            result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return result
        progress = folder / "progress.json"
        if self.stop.is_set() or not progress.exists():
            log = (folder / "log.txt").read_text(encoding="utf-8", errors="replace")
            last = log.strip().splitlines()[-1:] or ["no message"]
            return {"end": "failed", "note": f"The grading process ended early: {last[0][:300]}"}
        cell = json.loads(progress.read_text(encoding="utf-8"))["cell"]
        return {"end": "stopped", "cell": cell, "why": "crashed" if in_time else "timed out"}

    def _scratch(self) -> Path:
        """A new private folder with a copy of all that the child needs."""
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.place))
        unit = self.assignment.unit
        submitted = folder / "submitted" / STUDENT / unit
        if self.ready is not None:
            self.ready.write(submitted, unit)
        else:
            shutil.copytree(self.submission.folder, submitted, symlinks=True)
        # The reference stays out: nbgrader needs only the files beside it.
        shutil.copytree(
            self.assignment.source,
            folder / "source" / unit,
            ignore=shutil.ignore_patterns("*.ipynb", "*.py"),
        )
        shutil.copy(self.assignment.gradebook, folder / "gradebook.db")
        for name in ("tmp", "jupyter", "ipython"):
            (folder / name).mkdir()
        return folder

    def _environment(self, folder: Path) -> dict[str, str]:
        environment = dict(os.environ)
        environment.pop("RNNKIT_FAST", None)
        if self.limits.fast:
            environment["RNNKIT_FAST"] = "1"
        threads = max(1, (os.cpu_count() or 1) // max(1, self.limits.jobs))
        environment.setdefault("CUDA_VISIBLE_DEVICES", "")
        environment.setdefault("TF_NUM_INTRAOP_THREADS", str(threads))
        environment.setdefault("OMP_NUM_THREADS", str(threads))
        environment.update(
            TMPDIR=str(folder / "tmp"),
            # The grader's own IPython start-up files and kernels stay out of it.
            IPYTHONDIR=str(folder / "ipython"),
            JUPYTER_DATA_DIR=str(folder / "jupyter"),
            JUPYTER_CONFIG_DIR=str(folder / "jupyter"),
            JUPYTER_RUNTIME_DIR=str(folder / "jupyter"),
            PYTHONUTF8="1",
        )
        environment.pop("MPLBACKEND", None)
        return environment

    def _graded(self, folder: Path) -> Outcome:
        unit = self.assignment.unit
        autograded = folder / "autograded" / STUDENT / unit
        notebook = nbformat.read(autograded / f"{unit}.ipynb", as_version=4)
        points = _points(self.assignment, notebook)
        events = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))["events"]
        timed_out = "timed out" in self.reasons or any(
            event["what"] == "timed out" for event in events
        )
        out_of_time = any(event["what"] == "not run" for event in events) and not self.reasons
        mendings = self.ready.mendings if self.ready else []
        weights = {mending.weight for mending in mendings}
        look_at = [
            name
            for name in (self.ready.doubtful if self.ready else [])
            if points[name][0] != points[name][1]
        ]
        if "crashed" in self.reasons:
            status = Status.CRASHED
        elif timed_out or out_of_time:
            status = Status.TIMED_OUT
        elif look_at:
            status = Status.NEEDS_HAND_GRADING
        elif Weight.TAMPER in weights:
            status = Status.TAMPERED
        elif Weight.REPAIR in weights:
            status = Status.REPAIRED
        elif _waits_for_hand(self.assignment, notebook):
            status = Status.NEEDS_HAND_GRADING
        else:
            status = Status.OK
        return Outcome(
            self.submission,
            status,
            self._note(events, notebook, look_at),
            notebook=notebook,
            folder=autograded,
            points=points,
            mendings=mendings,
            look_at=look_at,
        )

    def _note(
        self, events: list[dict[str, str]], notebook: NotebookNode, look_at: list[str]
    ) -> str:
        parts = []
        if look_at:
            parts.append("the answer may stand in another cell, look at: " + ", ".join(look_at))
        stopped = [event["cell"] for event in events if event["what"] == "timed out"]
        not_run = [event["cell"] for event in events if event["what"] == "not run"]
        if stopped:
            parts.append("cells stopped: " + _names(stopped))
        if self.left_out:
            parts.append("cells left out: " + _names(list(self.left_out)))
        if not_run:
            parts.append("cells not run: " + _names(not_run))
        no_points = [
            cell.metadata.nbgrader.grade_id
            for cell in notebook.cells
            if is_grade(cell)
            and any(output.get("ename") == NOT_POINTS for output in cell.get("outputs", []))
        ]
        if no_points:
            parts.append("look at cells whose points are out of range: " + ", ".join(no_points))
        return "; ".join(parts)


def _names(keys: list[str]) -> str:
    """Cell keys as an instructor reads them: the grade_id, else the place from 1."""
    words = []
    for key in keys:
        index, _, grade_id = key.partition(":")
        words.append(grade_id or f"cell {int(index) + 1}")
    return listed(words)


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


def _run_child(
    folder: Path, environment: dict[str, str], until: float, stop: threading.Event
) -> bool:
    """Run the worker until it ends or must; leave no process behind.

    Returns:
        Whether it ended by itself.
    """
    token = uuid.uuid4().hex
    environment[TOKEN] = token
    with (folder / "log.txt").open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "rnnkit.grading.worker", str(folder / "job.json")],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while child.poll() is None and time.time() < until and not stop.is_set():
                stop.wait(0.1)
            return child.poll() is not None
        finally:
            _kill_group(child.pid)
            child.wait()
            kill_marked(token)


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended
        os.killpg(group, signal.SIGKILL)
