"""What a grading run had done when it was stopped, so that the next run goes on from there."""

import hashlib
import json
import shutil
from pathlib import Path

import nbformat

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.execute import write_whole
from rnnkit.grading.handed_in import look_into
from rnnkit.grading.limits import Limits
from rnnkit.grading.mending import Mending, Weight
from rnnkit.grading.outcome import Outcome, Submission
from rnnkit.grading.status import Status

__all__ = ["Unfinished"]


class Unfinished:
    """Finished outcomes of a run that has not ended, in ``.rnnkit/UNIT`` of the course.

    Args:
        root: The course folder.
        assignment: The unit.
        limits: The settings of the run.
    """

    def __init__(self, root: Path, assignment: Assignment, limits: Limits) -> None:
        self.assignment = assignment
        self.limits = limits
        self.folder = root / ".rnnkit" / assignment.unit

    def keep(self, outcome: Outcome) -> None:
        """Keep an outcome until the run has ended."""
        if outcome.status is Status.INFRASTRUCTURE_ERROR:
            return
        folder = self._place(outcome.submission)
        if outcome.folder is not None and folder in outcome.folder.parents:
            return  # it was kept by an earlier run, and is there still
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if outcome.folder is not None:
            shutil.copytree(outcome.folder, folder / "autograded")
        state = {
            "key": self._key(outcome.submission),
            "status": outcome.status.value,
            "note": outcome.note,
            "seconds": outcome.seconds,
            "points": outcome.points,
            "mendings": [
                [mending.weight.value, mending.for_instructor, mending.for_student]
                for mending in outcome.mendings
            ],
            "look_at": outcome.look_at,
        }
        write_whole(folder / "outcome.json", json.dumps(state))

    def find(self, submission: Submission) -> Outcome | None:
        """The outcome of exactly this submission in the run before, if it was kept."""
        folder = self._place(submission)
        try:
            state = json.loads((folder / "outcome.json").read_text(encoding="utf-8"))
            if state["key"] != self._key(submission):
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
            )
            if (folder / "autograded").is_dir():
                outcome.folder = folder / "autograded"
                path = outcome.folder / f"{self.assignment.unit}.ipynb"
                outcome.notebook = nbformat.read(path, as_version=4)
        except (OSError, ValueError, KeyError):
            return None  # nothing was kept, or not whole: it is run again
        return outcome

    def clear(self) -> None:
        """Forget all: the run has ended."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.folder.parent.is_dir() and not any(self.folder.parent.iterdir()):
            self.folder.parent.rmdir()

    def _place(self, submission: Submission) -> Path:
        return self.folder / hashlib.sha256(submission.student.encode()).hexdigest()[:16]

    def _key(self, submission: Submission) -> str:
        """Changes when the submission, the unit or the settings change."""
        digest = hashlib.sha256(nbformat.writes(self.assignment.reference).encode())
        digest.update(repr((self.limits.fast, self.limits.cell_seconds)).encode())
        sizes = (self.limits.notebook_bytes, self.limits.folder_bytes)
        digest.update(repr((self.limits.notebook_seconds, *sizes)).encode())
        if submission.folder.is_dir():
            found = look_into(submission.folder)
            digest.update(repr((found.links, found.others)).encode())
            for file in found.files:
                digest.update(repr((str(file.inside), file.size)).encode())
                try:
                    if file.size > self.limits.notebook_bytes:  # too large to be read
                        digest.update(str(file.changed).encode())
                    else:
                        digest.update(file.path.read_bytes())
                except OSError:  # a file that may not be read stops no other submission
                    digest.update(b"not readable")
        return digest.hexdigest()
