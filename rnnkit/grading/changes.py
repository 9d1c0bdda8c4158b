"""The kinds of damage that a notebook's cells take, each in two sentences."""

import math

from rnnkit.grading.canon import CanonCell
from rnnkit.grading.matching import ROLES
from rnnkit.grading.mending import Weight
from rnnkit.grading.reading import HandedInCell

__all__ = ["CHANGES", "changed_marks"]

SKIP = "skip-execution"  # the tag with which nbclient leaves a cell out, and nbgrader gives points

# kind: weight, words for the instructor, sentence for the student
CHANGES: dict[str, tuple[Weight, str, str]] = {
    "points": (
        Weight.TAMPER,
        "points edited in the metadata, the unit's own used: {}",
        "The points of these cells had been changed; the exercise's own were used: {}.",
    ),
    "roles": (
        Weight.TAMPER,
        "nbgrader's marks edited, the unit's own used: {}",
        "The grading marks of these cells had been changed; the exercise's own were used: {}.",
    ),
    "skipped": (
        Weight.TAMPER,
        "tagged so that they would not run, run all the same: {}",
        "These cells were tagged so that they do not run; they were run all the same: {}.",
    ),
    "locked": (
        Weight.REPAIR,
        "given or test cells edited, put back as released: {}",
        "You changed cells that are part of the exercise; the original ones were used: {}.",
    ),
    "missing": (
        Weight.REPAIR,
        "given or test cells missing, put back: {}",
        "Cells of the exercise were missing and were put back: {}.",
    ),
    "no answer": (
        Weight.REPAIR,
        "answer cells missing, put back without an answer: {}",
        "Your notebook has no cell for these answers, so they count as not answered: {}.",
    ),
    "type": (
        Weight.REPAIR,
        "cells turned from code to text or back, turned again: {}",
        "The type of these cells had been changed (code, Markdown or raw) and was set back: {}.",
    ),
    "recognised": (
        Weight.REPAIR,
        "metadata gone or changed, recognised by id, text or place: {}",
        "The notebook had lost some of the marks that name these cells; they were recognised by "
        "what is in them or where they stand: {}. Check that your answers are where they belong.",
    ),
    "copies": (
        Weight.REPAIR,
        "copied cells, one of each kept: {}",
        "These cells stood in your notebook more than once; one of each was kept: {}.",
    ),
    "joined": (
        Weight.REPAIR,
        "answers in several cells, joined: {}",
        "Your answers to these were split over several cells, which were joined in order: {}.",
    ),
    "versions": (
        Weight.REPAIR,
        "answers in several versions, the last whole one graded: {}",
        "You handed in more than one version of these answers; the last whole one was graded: {}.",
    ),
    "beside": (
        Weight.REPAIR,
        "answers written beside their cells, put in: {}",
        "You wrote these answers beside their cells; they were put in: {}.",
    ),
    "in test": (
        Weight.REPAIR,
        "answers written into cells of the exercise, taken from there: {}",
        "You wrote these answers into cells that are not for answers; they were taken from "
        "there: {}.",
    ),
    "moved": (
        Weight.REPAIR,
        "cells moved back to run after what they need: {}",
        "These cells stood before cells that they need, and were moved back: {}.",
    ),
    "foreign": (
        Weight.REPAIR,
        "cells of another exercise, kept as ordinary cells: {}",
        "Cells of another exercise were in your notebook; they were kept but not graded: {}.",
    ),
}


def changed_marks(cell: CanonCell, found: HandedInCell) -> str:
    """Which kind of change somebody made to what only grading reads; empty for none.

    Args:
        cell: The cell as released.
        found: The same cell as handed in.
    """
    own = cell.metadata.get("nbgrader", {})
    if SKIP in found.tags:
        return "skipped"
    if cell.is_graded and not _same_points(found.marks.get("points"), own.get("points")):
        return "points"
    for role in ROLES:
        value = found.marks.get(role)
        if isinstance(value, bool) and value is not bool(own.get(role, False)):
            return "roles"
    return ""


def _same_points(found: object, own: object) -> bool:
    """Whether points are the same; points that are gone were not raised."""
    if found is None:
        return True
    try:
        return math.isclose(float(str(found)), float(str(own)))
    except ValueError:
        return False
