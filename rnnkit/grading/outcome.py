"""What one student handed in, and how grading it ended."""

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from nbformat.notebooknode import NotebookNode

from rnnkit.grading.mending import Mending
from rnnkit.grading.status import Status
from rnnkit.plain_text import in_one_line, plain_text

__all__ = ["Fence", "Outcome", "Submission"]


class Fence(Enum):
    """What keeps a submission away from the rest of the machine."""

    FULL = "full"
    WEAK = "weak"
    NONE = "none"

    @property
    def for_instructor(self) -> str:
        """The mark in the report and the table; empty where nothing is to be said."""
        return _MARKS[self]


_MARKS = {
    Fence.FULL: "",
    Fence.WEAK: "run behind a weaker fence: this machine gives no namespaces",
    Fence.NONE: "run without a fence",
}


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    Args:
        student: The student's name in the course.
        folder: The folder that should hold ``UNIT.ipynb``. It is only read.
        mend: Whether a notebook is looked at and mended before it runs. Our own
            answers, which may be a part of a unit, are run as they are.
    """

    student: str
    folder: Path
    mend: bool = True


@dataclass
class Outcome:
    """How the grading of one submission ended.

    Args:
        submission: What was graded.
        status: How it ended.
        note: One line more, for the instructor; may be empty.
        seconds: Wall-clock seconds.
        notebook: The executed notebook, where there is one.
        folder: The folder to become ``autograded/STUDENT/UNIT``, where there is one.
        points: For each graded cell its points and maximum; None where a person grades.
        mendings: What was put right before it ran.
        look_at: Cells without full points that a person must look at.
        peak_bytes: The most memory that its processes held at once; 0 where it did not run.
        fence: What kept it away from the rest of the machine.
        log: Lines from its run that may help the instructor; may be empty.
    """

    submission: Submission
    status: Status
    note: str = ""
    seconds: float = 0.0
    notebook: NotebookNode | None = None
    folder: Path | None = None
    points: dict[str, tuple[float | None, float]] = field(default_factory=dict)
    mendings: list[Mending] = field(default_factory=list)
    look_at: list[str] = field(default_factory=list)
    peak_bytes: int = 0
    fence: Fence = Fence.FULL
    log: str = ""

    def __post_init__(self) -> None:
        # Both may quote what a student wrote: the name of a file, or what a kernel printed.
        self.note = in_one_line(self.note)
        self.log = plain_text(self.log)
