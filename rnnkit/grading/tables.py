"""Tables for the terminal and for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rnnkit.plain_text import in_one_line

if TYPE_CHECKING:
    from rnnkit.course.colab import ColabResult
    from rnnkit.grading.answers import GradedAnswer
    from rnnkit.grading.classroom import ClassResult

__all__ = [
    "answers_table",
    "class_table",
    "colab_table",
    "csv_text",
    "grades_csv",
    "megabytes",
    "number",
    "print_table",
]

BEGINS_A_FORMULA = ("=", "+", "-", "@")


def number(value: float | None) -> str:
    """Points as people write them; ``-`` where there are none.

    Example:

    >>> number(2.0), number(1.5), number(None)
    ('2', '1.5', '-')
    """
    return "-" if value is None else f"{round(value, 2):g}"


def print_table(table: Table) -> None:
    """Print a table, never cut to a narrow terminal when the output is a file."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=1000)
    console.print(table)


def answers_table(unit: str, results: Sequence[GradedAnswer], fast: bool) -> Table:
    """Answers against points.

    Args:
        unit: The unit.
        results: The graded answers.
        fast: Whether the short setting was used.
    """
    title = f"{unit}: points of each answer" + (" (short setting)" if fast else "")
    table = Table(title=title)
    table.add_column("answer", no_wrap=True)
    names = list(results[0].outcome.points) if results else []
    names = max((list(result.outcome.points) for result in results), key=len, default=names)
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("total", justify="right")
    table.add_column("status")
    for result in results:
        points = result.outcome.points
        auto = [pair for pair in points.values() if pair[0] is not None]
        total = f"{number(sum(pair[0] or 0 for pair in auto))} of "
        total += number(sum(pair[1] for pair in auto))
        cells = [number(points[name][0]) if name in points else "" for name in names]
        table.add_row(result.answer.name, *cells, total, result.outcome.status.value)
    return table


def colab_table(results: Sequence[ColabResult], python: str) -> Table:
    """Notebooks against seconds and how they ended.

    Args:
        results: How each notebook ended with Colab's packages.
        python: The version of Python that ran them.
    """
    table = Table(title=f"With Colab's packages, on Python {python} (short setting)")
    table.add_column("notebook", no_wrap=True)
    table.add_column("seconds", justify="right")
    table.add_column("result", overflow="fold")
    for each in results:
        result = f"{each.result} before" if each.earlier else each.result
        table.add_row(each.name, f"{each.seconds:.0f}", escape(in_one_line(result)))
    return table


def class_table(result: ClassResult) -> Table:
    """A row for each student of a graded class.

    Args:
        result: The graded class.
    """
    title = f"{result.course.unit}" + (" (short setting)" if result.limits.fast else "")
    table = Table(title=title)
    table.add_column("student", overflow="fold")
    table.add_column("status", no_wrap=True)
    table.add_column(f"score of {number(result.assignment.points)}", justify="right")
    table.add_column("waiting", justify="right")
    table.add_column("seconds", justify="right")
    table.add_column("peak MB", justify="right")
    table.add_column("note", overflow="fold")
    for row in result.rows:
        recorded = row.recorded
        table.add_row(
            escape(in_one_line(row.student)),
            recorded.status.value,
            number(recorded.score),
            str(recorded.waiting),
            f"{row.seconds:.0f}",
            megabytes(row.peak_bytes),
            escape(in_one_line(recorded.note)),
        )
    return table


def megabytes(number_of_bytes: int) -> str:
    """Memory as people write it; empty where nothing ran.

    Example:

    >>> megabytes(1_234_567_890), megabytes(0)
    ('1235', '')
    """
    return f"{number_of_bytes / 1e6:.0f}" if number_of_bytes else ""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as a table for a spreadsheet, in which no cell is a formula.

    A text that would be one gets the apostrophe with which people write such a text
    themselves. Numbers stay as they are.

    Args:
        rows: The rows.

    Example:

    >>> print(csv_text([["=1+1", "-2.5", 3, "two\\nlines"]]), end="")
    '=1+1,-2.5,3,two lines
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _csv_cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = in_one_line(value)
    is_formula = text.startswith(BEGINS_A_FORMULA) and not _is_number(text)
    return f"'{text}" if is_formula else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def grades_csv(result: ClassResult) -> str:
    """The class as a table for a spreadsheet; a score that is not there is blank, never 0.

    Args:
        result: The graded class.
    """
    names = [cell.name for cell in result.assignment.cells]
    of_the_run = ["seconds", "peak MB", "fence", "note"]
    rows: list[list[object]] = [
        ["student", "status", "score", "max", *names, "waiting for hand grading", *of_the_run]
    ]
    for row in result.rows:
        recorded = row.recorded
        points = [_blank(recorded.cells.get(name)) for name in names]
        rows.append(
            [
                row.student,
                recorded.status.value,
                _blank(recorded.score),
                f"{result.assignment.points:g}",
                *points,
                recorded.waiting,
                f"{row.seconds:.1f}",
                megabytes(row.peak_bytes),
                row.fence.value if row.autograded else "",
                recorded.note,
            ]
        )
    return csv_text(rows)


def _blank(points: float | None) -> str:
    return "" if points is None else f"{round(points, 4):g}"
