"""How a submission ended, in words for the student and for the instructor."""

from enum import Enum

__all__ = ["Status"]


class Status(Enum):
    """The one word that says how a submission ended.

    Example:

    >>> Status.MISSING.for_instructor
    'Nothing with the right name was handed in.'
    """

    OK = "ok"
    REPAIRED = "repaired"
    NEEDS_HAND_GRADING = "needs hand grading"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    CRASHED = "crashed"
    TAMPERED = "tampered"
    UNREADABLE = "unreadable"
    MISSING = "missing"
    INFRASTRUCTURE_ERROR = "infrastructure error"

    @property
    def for_student(self) -> str:
        """The sentence on the student's feedback page."""
        return _SENTENCES[self][0]

    @property
    def for_instructor(self) -> str:
        """The sentence in the class report."""
        return _SENTENCES[self][1]

    @property
    def has_score(self) -> bool:
        """Whether a submission that ended so has points at all (else: blank, never 0)."""
        return self not in (Status.UNREADABLE, Status.MISSING, Status.INFRASTRUCTURE_ERROR)


_SENTENCES = {
    Status.OK: (
        "Your notebook was run from top to bottom and graded.",
        "Run and graded; nothing is left to do.",
    ),
    Status.REPAIRED: (
        "Something in your notebook was not as it should be. It was put right in a copy, "
        "and the copy was run and graded. Your own file was not changed.",
        "Something was put right in a copy, which was run and graded; the note says what.",
    ),
    Status.NEEDS_HAND_GRADING: (
        "Your notebook was run and graded. Your written answers have not been read yet.",
        "Run and graded; written answers wait to be graded in formgrader.",
    ),
    Status.TIMED_OUT: (
        "Some of your code ran for longer than the limit and was stopped. "
        "The other cells were graded.",
        "A cell or the whole notebook passed the time limit; what ran was graded.",
    ),
    Status.OUT_OF_MEMORY: (
        "Some of your code needed more memory than a submission may have, so that cell was left "
        "out. The other cells were graded.",
        "A cell passed the memory limit and was left out; what ran was graded.",
    ),
    Status.CRASHED: (
        "Some of your code ended Python itself, so that cell was left out. "
        "The other cells were graded.",
        "A cell ended the kernel and was left out; what ran was graded.",
    ),
    Status.TAMPERED: (
        "Points or marks that only the grading reads had been changed in your notebook. "
        "The exercise's own were used, and the notebook was run and graded.",
        "Points or marks that no program changes by itself were edited; the unit's own were "
        "used and the notebook was graded. Look at the note.",
    ),
    Status.UNREADABLE: (
        "Your file could not be read as a notebook of this exercise, so it has no score. "
        "Open it in JupyterLab, save it, and hand it in again.",
        "The file is not a notebook of this exercise; no score was given.",
    ),
    Status.MISSING: (
        "No notebook with the right name was found in what you handed in, so it has no score.",
        "Nothing with the right name was handed in.",
    ),
    Status.INFRASTRUCTURE_ERROR: (
        "Your notebook could not be graded because of a fault on the grading machine, "
        "not because of your work. It has no score yet.",
        "The grading machine failed, not the student; grade this submission again.",
    ),
}
