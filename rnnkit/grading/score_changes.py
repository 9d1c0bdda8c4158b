"""Whose score changed in a run, and why."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.results import Earlier
from rnnkit.grading.tables import csv_text
from rnnkit.plain_text import in_one_line

__all__ = ["ScoreChange", "changes_csv", "score_change"]

NOT_AS_RUN = "the gradebook did not say what the run gave"
PENALTY = "the late penalty changed"


@dataclass(frozen=True)
class ScoreChange:
    """A score that is not what it was.

    Args:
        student: The student.
        was: The score before.
        now: The score now; None where there is none any more.
        cells: For each cell that changed, its points before and now.
        because: Why, in words.
    """

    student: str
    was: float
    now: float | None
    cells: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)
    because: str = ""

    @property
    def in_cells(self) -> str:
        """The cells that changed, in a line.

        Example:

        >>> ScoreChange("ada", 3, 1, {"q1-test": (2, 0)}).in_cells
        'q1-test 2 → 0'
        """
        pairs = self.cells.items()
        return ", ".join(f"{name} {_points(was)} → {_points(now)}" for name, (was, now) in pairs)

    @property
    def line(self) -> str:
        """All of it in a line.

        Example:

        >>> ScoreChange("ada", 3, 1, {"q1-test": (2, 0)}, "the submission changed").line
        'ada: 3 → 1 (q1-test 2 → 0), because the submission changed'
        """
        cells = f" ({self.in_cells})" if self.cells else ""
        return (
            f"{in_one_line(self.student)}: {_points(self.was)} → {_points(self.now)}{cells}, "
            f"because {self.because}"
        )


def _points(points: float | None) -> str:
    return "none" if points is None else f"{round(points, 4):g}"


def score_change(
    student: str, before: Earlier | None, recorded: Recorded, penalty: float, because: str
) -> ScoreChange | None:
    """How a student's score changed; None where it did not, or where there was none.

    Args:
        student: The student.
        before: What the gradebook said before the run.
        recorded: What it says now.
        penalty: Points taken off for lateness now.
        because: Why the submission was run again; empty where it was not.
    """
    if before is None:
        return None
    cells = {
        name: (before.cells.get(name), recorded.cells.get(name))
        for name in sorted({**before.cells, **recorded.cells})
        if _points(before.cells.get(name)) != _points(recorded.cells.get(name))
    }
    if not cells and _points(before.score) == _points(recorded.score):
        return None
    if not cells and _points(before.penalty) != _points(penalty):
        because = PENALTY
    return ScoreChange(student, before.score, recorded.score, cells, because or NOT_AS_RUN)


def changes_csv(changes: Iterable[ScoreChange]) -> str:
    """The changes as a table for a spreadsheet.

    Args:
        changes: The changes.
    """
    rows: list[list[object]] = [["student", "was", "is", "cells", "because"]]
    for change in changes:
        now = "" if change.now is None else _points(change.now)
        rows.append([change.student, _points(change.was), now, change.in_cells, change.because])
    return csv_text(rows)
