"""Results that outlive a run, in ``.rnnkit/UNIT`` of the course.

For each submission there is a small file with its outcome and what it depends on.
The graded notebook waits in a folder beside it until it stands in ``autograded/``,
and is stored there alone from then on.
"""

import dataclasses
import datetime
import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

from rnnkit.grading.course import Course
from rnnkit.grading.files import results_folder, write_whole
from rnnkit.grading.gradebook import Standing, set_aside
from rnnkit.grading.keys import RunKey, submission_digest
from rnnkit.grading.limits import Limits
from rnnkit.grading.mending import Mending, Weight
from rnnkit.grading.outcome import Fence, Outcome, Submission
from rnnkit.grading.status import Status

__all__ = ["Earlier", "Kept", "Results", "Run"]

FORM = 3  # of the files; another form is not read
NO_RECORD = "no earlier result was kept"
OTHER_NOTEBOOK = "the graded notebook was changed or taken away"
SAME_WORK = "the same work gave another result"


@dataclass
class Kept:
    """A result that was kept.

    Args:
        outcome: The outcome, without its notebook (see `Results.with_notebook`).
        digest: What was handed in.
        key: What else it depends on.
        run: The run that it comes from.
        because: Why it was run again, where it was; in words.
        failures: For each auto-graded cell that failed, the check's message.
        notebook: A digest of the graded notebook; empty where there is none.
        waiting: The folder that has to be put in place; empty when it was.
        recorded: What the gradebook held for it when it was written; None before.
        stamp: Size and time of the notebook in ``autograded/``.
        extension: More time that the student had when it was kept.
        took_out: Whether it took the grade of an earlier submission out of the gradebook.
    """

    outcome: Outcome
    digest: str
    key: RunKey
    run: str
    because: str = ""
    failures: dict[str, str] = field(default_factory=dict)
    notebook: str = ""
    waiting: str = ""
    recorded: dict[str, Any] | None = None
    stamp: tuple[int, int] | None = None
    extension: datetime.timedelta | None = None
    took_out: bool = False

    def is_recorded_in(self, standing: Standing | None) -> bool:
        """Whether a gradebook says what this result says.

        Args:
            standing: What the gradebook holds for the student.
        """
        if not self.notebook:
            return self.recorded is not None and (standing is None or standing.by_hand)
        return standing is not None and self.recorded == {
            "submission": standing.submission,
            "auto": standing.auto,
        }


@dataclass(frozen=True)
class Earlier:
    """What the gradebook said about a student before a run.

    Args:
        score: Points with the penalty taken off.
        cells: Points of each cell; None where there were none yet.
        penalty: Points taken off.
    """

    score: float
    cells: dict[str, float | None]
    penalty: float = 0.0


@dataclass(frozen=True)
class Run:
    """A run of the command, which lasts until its tables are written.

    A run that was stopped goes on, under the same name, when the command is called again.

    Args:
        name: A name that no other run has.
        regrade: The students to run again in any case.
        before: What the gradebook said when it began.
    """

    name: str
    regrade: list[str]
    before: dict[str, Earlier]


class Results:
    """The results of a unit.

    Args:
        course: The course.
        limits: The settings of this run.
        key: What this run's results depend on.
    """

    def __init__(self, course: Course, limits: Limits, key: RunKey) -> None:
        self.course = course
        self.limits = limits
        self.key = key
        self.folder = results_folder(course.root, course.unit)

    def begin(self, standings: dict[str, Standing], regrade: Collection[str] = ()) -> Run:
        """Begin a run, or go on with the one that was stopped.

        Args:
            standings: What the gradebook says now.
            regrade: The students to run again in any case.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self._sweep()
        path = self.folder / "run.json"
        stopped = _stopped_run(path)
        if stopped is not None and stopped.regrade == sorted(regrade):
            return stopped
        before = stopped.before if stopped is not None else _earlier(standings)
        run = Run(uuid.uuid4().hex, sorted(regrade), before)
        write_whole(path, json.dumps(dataclasses.asdict(run)))
        return run

    def end(self) -> None:
        """The run has ended: all is written."""
        (self.folder / "run.json").unlink(missing_ok=True)

    def find(self, submission: Submission) -> tuple[Kept | None, str]:
        """The result of exactly this submission, if one was kept and would come out again.

        Args:
            submission: What was handed in.

        Returns:
            The result, or None and in words why the submission has to be run again.
        """
        kept = self._read(submission)
        if kept is None:
            return None, NO_RECORD
        changes = self.key.changes(kept.key)
        if kept.digest != submission_digest(submission, self.limits):
            changes.insert(0, "the submission changed")
        if not changes and not self._has_notebook(kept):
            changes.append(OTHER_NOTEBOOK)
        return (None, " and ".join(changes)) if changes else (kept, "")

    def earlier(self, submission: Submission) -> Kept | None:
        """The result kept last, whether or not it would come out again."""
        return self._read(submission)

    def keep(
        self,
        outcome: Outcome,
        run: str,
        because: str,
        failures: dict[str, str],
        standing: Standing | None,
    ) -> Kept:
        """Keep an outcome; the one before is replaced as a whole.

        Args:
            outcome: What came out. Its folder is moved.
            run: The run.
            because: Why it was run again.
            failures: The messages of its failed checks.
            standing: What the gradebook holds for the student now.
        """
        earlier = self._read(outcome.submission)
        extension = earlier.extension if earlier is not None else None
        took_out = earlier is not None and earlier.took_out
        if standing is not None:
            extension, took_out = standing.extension, not standing.by_hand
        kept = Kept(
            outcome,
            submission_digest(outcome.submission, self.limits),
            self.key,
            run,
            because,
            failures,
            extension=extension,
            took_out=took_out and outcome.notebook is None,
        )
        if outcome.notebook is not None and outcome.folder is not None:
            kept.waiting = f"{self._name(outcome.submission)}.{uuid.uuid4().hex[:8]}"
            folder = self.folder / kept.waiting
            shutil.move(outcome.folder, folder)
            outcome.folder = folder
            text = nbformat.writes(outcome.notebook)
            kept.notebook = hashlib.sha256(text.encode()).hexdigest()
            write_whole(folder / f"{self.course.unit}.ipynb", text)
        self._write(kept)
        if earlier is not None and earlier.waiting:
            shutil.rmtree(self.folder / earlier.waiting, ignore_errors=True)
        return kept

    def with_notebook(self, kept: Kept) -> Outcome:
        """The outcome with its notebook, to be written into the gradebook."""
        if kept.notebook and kept.outcome.notebook is None:
            kept.outcome.notebook = self.notebook(kept)
        return kept.outcome

    def notebook(self, kept: Kept) -> NotebookNode:
        """The graded notebook of a result that has one."""
        text = next(text for text in self._notebooks(kept) if _digest(text) == kept.notebook)
        return nbformat.reads(text.decode(), as_version=4)

    def put_in_place(self, kept: Kept) -> None:
        """Make ``autograded/`` show this result, whole or as before."""
        target = self.course.autograded(kept.outcome.submission.student)
        old = set_aside(target)
        if not kept.notebook:
            if kept.recorded is not None and not kept.recorded.get("submission"):
                shutil.rmtree(target, ignore_errors=True)
                shutil.rmtree(old, ignore_errors=True)
            return
        source = self.folder / kept.waiting if kept.waiting else None
        if source is not None and source.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.stat().st_dev != target.parent.stat().st_dev:  # autograded/ is elsewhere
                part = target.with_name(f".{target.name}.part")
                shutil.rmtree(part, ignore_errors=True)
                source = shutil.copytree(source, part)
            if target.exists():
                shutil.rmtree(old, ignore_errors=True)
                os.replace(target, old)
            os.replace(source, target)
        shutil.rmtree(old, ignore_errors=True)

    def mark(self, kept: Kept, standing: Standing | None) -> None:
        """Note that gradebook and ``autograded/`` show this result.

        Args:
            kept: The result.
            standing: What the gradebook holds for it.
        """
        if standing is None:
            kept.recorded = {"submission": "", "auto": {}}
        else:
            kept.recorded = {"submission": standing.submission, "auto": standing.auto}
        self.put_in_place(kept)
        waiting, kept.waiting = kept.waiting, ""
        kept.stamp = _stamp(self._autograded(kept)) if kept.notebook else None
        self._write(kept)
        if waiting:
            shutil.rmtree(self.folder / waiting, ignore_errors=True)

    def _sweep(self) -> None:
        """Remove what a run that was killed, or the older form, has left."""
        waiting = set()
        for path in self.folder.glob("*.json"):
            try:
                waiting.add(json.loads(path.read_text(encoding="utf-8")).get("waiting"))
            except (OSError, ValueError, AttributeError):
                continue
        for path in self.folder.iterdir():
            if path.is_dir() and path.name not in waiting:
                shutil.rmtree(path, ignore_errors=True)
            elif path.suffix == ".part":
                path.unlink(missing_ok=True)

    def _has_notebook(self, kept: Kept) -> bool:
        if not kept.notebook:
            return True
        if kept.stamp is not None and kept.stamp == _stamp(self._autograded(kept)):
            return True
        return any(_digest(text) == kept.notebook for text in self._notebooks(kept))

    def _notebooks(self, kept: Kept) -> list[bytes]:
        """The notebook where it waits, and where it is in place."""
        places = [self._autograded(kept)]
        if kept.waiting:
            places.insert(0, self.folder / kept.waiting / f"{self.course.unit}.ipynb")
        texts = []
        for path in places:
            try:
                texts.append(path.read_bytes())
            except OSError:
                continue
        return texts

    def _autograded(self, kept: Kept) -> Path:
        folder = self.course.autograded(kept.outcome.submission.student)
        return folder / f"{self.course.unit}.ipynb"

    def _name(self, submission: Submission) -> str:
        return hashlib.sha256(submission.student.encode()).hexdigest()[:16]

    def _write(self, kept: Kept) -> None:
        outcome = kept.outcome
        state = {
            "form": FORM,
            "student": outcome.submission.student,
            "digest": kept.digest,
            "key": dataclasses.asdict(kept.key),
            "run": kept.run,
            "because": kept.because,
            "failures": kept.failures,
            "notebook": kept.notebook,
            "waiting": kept.waiting,
            "recorded": kept.recorded,
            "stamp": kept.stamp,
            "extension": kept.extension.total_seconds() if kept.extension else None,
            "took_out": kept.took_out,
            "status": outcome.status.value,
            "note": outcome.note,
            "seconds": outcome.seconds,
            "points": outcome.points,
            "mendings": [
                [mending.weight.value, mending.for_instructor, mending.for_student]
                for mending in outcome.mendings
            ],
            "look_at": outcome.look_at,
            "peak_bytes": outcome.peak_bytes,
            "fence": outcome.fence.value,
            "log": outcome.log,
        }
        write_whole(self.folder / f"{self._name(outcome.submission)}.json", json.dumps(state))

    def _read(self, submission: Submission) -> Kept | None:
        path = self.folder / f"{self._name(submission)}.json"
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
            if state["form"] != FORM or state["student"] != submission.student:
                return None
            outcome = Outcome(
                submission,
                Status(state["status"]),
                state["note"],
                state["seconds"],
                points={name: tuple(pair) for name, pair in state["points"].items()},
                mendings=[
                    Mending(Weight(weight), for_instructor, for_student)
                    for weight, for_instructor, for_student in state["mendings"]
                ],
                look_at=state["look_at"],
                peak_bytes=state["peak_bytes"],
                fence=Fence(state["fence"]),
                log=state["log"],
            )
            return Kept(
                outcome,
                state["digest"],
                RunKey(**state["key"]),
                state["run"],
                state["because"],
                state["failures"],
                state["notebook"],
                state["waiting"],
                state["recorded"],
                tuple(state["stamp"]) if state["stamp"] else None,
                datetime.timedelta(seconds=state["extension"]) if state["extension"] else None,
                state["took_out"],
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # nothing was kept, or not whole: it is run again


def _stopped_run(path: Path) -> Run | None:
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        before = {name: Earlier(**earlier) for name, earlier in state["before"].items()}
        return Run(state["name"], state["regrade"], before)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # none, or none that can be read


def _earlier(standings: dict[str, Standing]) -> dict[str, Earlier]:
    return {
        student: Earlier(
            standing.score,
            {name: cell.given for name, cell in standing.cells.items()},
            standing.penalty,
        )
        for student, standing in standings.items()
    }


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
