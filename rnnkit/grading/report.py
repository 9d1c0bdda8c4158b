"""The class report: one HTML file that needs nothing else."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING
from urllib.parse import quote

from rnnkit.grading.feedback import page_environment
from rnnkit.grading.files import write_whole
from rnnkit.grading.tables import megabytes, number

if TYPE_CHECKING:
    from rnnkit.grading.classroom import ClassResult

__all__ = ["write_report"]

BINS = 10
SHOWN_FAILURES = 12


@dataclass(frozen=True)
class Bin:
    """One bar of the score distribution: shares from ``low`` to ``high`` percent."""

    low: int
    high: int
    count: int


@dataclass(frozen=True)
class Question:
    """How one graded cell went over the class; ``share`` is the mean part of its points."""

    name: str
    heading: str
    points: str
    by_hand: bool
    share: float | None
    full: int
    part: int
    none: int
    waiting: int


@dataclass(frozen=True)
class Failure:
    """A check's message, the cells that said it (``name``) and the students who met it."""

    name: str
    message: str
    students: list[str]


def write_report(result: ClassResult) -> None:
    """Write ``report.html`` into the course folder.

    Args:
        result: The graded class.
    """
    scores = [row.recorded.score for row in result.rows if row.recorded.score is not None]
    most = result.assignment.points
    page = (
        page_environment()
        .get_template("report.html.j2")
        .render(
            unit=result.course.unit,
            made=datetime.now().astimezone().strftime("%d %B %Y, %H:%M"),
            fast=result.limits.fast,
            limits=result.limits,
            most=most,
            number=number,
            rows=result.rows,
            scored=len(scores),
            mean=mean(scores) if scores else None,
            median=median(scores) if scores else None,
            lowest=min(scores, default=None),
            highest=max(scores, default=None),
            waiting=sum(row.recorded.waiting for row in result.rows),
            by_hand=sum(cell.points for cell in result.assignment.cells if cell.by_hand),
            statuses=_statuses(result),
            changes=result.changes,
            fences=_fences(result),
            seconds=sum(row.seconds for row in result.rows),
            peak=max((row.peak_bytes for row in result.rows), default=0),
            duration=duration,
            megabytes=megabytes,
            bins=_bins(scores, most),
            questions=_questions(result),
            failures=_failures(result)[:SHOWN_FAILURES],
            link=lambda path: _link(path, result.course.root),
        )
    )
    write_whole(result.report, page)


def _link(path: Path, root: Path) -> str:
    return quote(Path(os.path.relpath(path, root)).as_posix())


def _statuses(result: ClassResult) -> list[tuple[str, str, int]]:
    counts: dict[object, int] = defaultdict(int)
    for row in result.rows:
        counts[row.recorded.status] += 1
    ordered = sorted({row.recorded.status for row in result.rows}, key=lambda s: -counts[s])
    return [(status.value, status.for_instructor, counts[status]) for status in ordered]


def _fences(result: ClassResult) -> list[tuple[str, int]]:
    """Each mark of a fence that is not whole, and how many submissions have it."""
    marks = [row.fence.for_instructor for row in result.rows if row.autograded]
    return [(mark, marks.count(mark)) for mark in sorted(set(marks)) if mark]


def duration(seconds: float) -> str:
    """A time as people say it.

    Example:

    >>> duration(48), duration(75), duration(7512)
    ('48 s', '1 min 15 s', '2 h 5 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _bins(scores: list[float], most: float) -> list[Bin]:
    counts = [0] * BINS
    for score in scores:
        share = score / most if most else 0.0
        counts[min(BINS - 1, max(0, int(share * BINS + 1e-9)))] += 1
    step = 100 // BINS
    return [Bin(i * step, (i + 1) * step, count) for i, count in enumerate(counts)]


def _questions(result: ClassResult) -> list[Question]:
    questions = []
    for cell in result.assignment.cells:
        graded = [row for row in result.rows if row.recorded.cells]
        points = [p for row in graded if (p := row.recorded.cells.get(cell.name)) is not None]
        full = sum(value >= cell.points for value in points)
        none = sum(value <= 0 for value in points)
        questions.append(
            Question(
                name=cell.name,
                heading=cell.heading,
                points=number(cell.points),
                by_hand=cell.by_hand,
                share=mean(points) / cell.points if points and cell.points else None,
                full=full,
                part=len(points) - full - none,
                none=none,
                waiting=len(graded) - len(points),
            )
        )
    return questions


def _failures(result: ClassResult) -> list[Failure]:
    """Messages by how many students met them; one message may come from several cells."""
    students: dict[str, list[str]] = defaultdict(list)
    cells: dict[str, list[str]] = defaultdict(list)
    for row in result.rows:
        for name, message in row.failures.items():
            if row.student not in students[message]:
                students[message].append(row.student)
            if name not in cells[message]:
                cells[message].append(name)
    order = {cell.name: index for index, cell in enumerate(result.assignment.cells)}
    ordered = sorted(students, key=lambda m: (-len(students[m]), order[cells[m][0]]))
    return [Failure(", ".join(cells[m]), m, students[m]) for m in ordered]
