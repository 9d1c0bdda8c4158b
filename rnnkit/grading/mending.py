"""What was put right in a submission before it ran, in words."""

from dataclasses import dataclass
from enum import Enum

__all__ = ["Mending", "Weight", "listed", "shown"]

SHOWN_NAMES = 5
SHOWN_CHARACTERS = 80


class Weight(Enum):
    """What a mending says about a submission."""

    TIDY = "tidy"  # what programs do when they save; for the log only
    NOTE = "note"  # worth knowing, but nothing was wrong with the notebook
    REPAIR = "repair"  # the student should know: status "repaired"
    TAMPER = "tamper"  # only grading reads what was changed: status "tampered"


@dataclass(frozen=True)
class Mending:
    """One thing that was put right.

    Args:
        weight: What it says about the submission.
        for_instructor: A part of the note, without a full stop.
        for_student: A sentence for the feedback page; empty where it does not
            concern the student.
    """

    weight: Weight
    for_instructor: str
    for_student: str = ""


def listed(names: list[str]) -> str:
    """Names in a line, the first few of many.

    Example:

    >>> listed(["a", "b"])
    'a, b'
    >>> listed(list("abcdefgh"))
    'a, b, c, d, e and 3 more'
    """
    words = ", ".join(names[:SHOWN_NAMES])
    more = len(names) - SHOWN_NAMES
    return words + (f" and {more} more" if more > 0 else "")


def shown(name: str) -> str:
    """A file's or cell's name as it can stand in a line of text.

    Example:

    >>> shown("a\\nb.ipynb")
    'a?b.ipynb'
    """
    plain = "".join(letter if letter.isprintable() else "?" for letter in name)
    if len(plain) > SHOWN_CHARACTERS:
        plain = plain[: SHOWN_CHARACTERS - 3] + "..."
    return plain
