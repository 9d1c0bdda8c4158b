"""Grades as the tables that LMSs import."""

import csv
import datetime
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from rnnkit.course.exporting.grades import Line
from rnnkit.errors import KitError
from rnnkit.plain_text import in_one_line

__all__ = ["canvas_table", "csv_table", "moodle_table", "table_text"]

_FORMULA = re.compile(r"^[=+@-]")
_NUMBER = re.compile(r"^[+-]?\d+(\.\d+)?$")
# By what Moodle's import of a gradebook finds a person: its header, and our field.
_FOUND_BY = {"ID number": "number", "Username": "login", "Email address": "email"}


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """A table as CSV, in which no cell is a formula to a spreadsheet.

    Args:
        rows: The rows.

    Example:

    >>> print(table_text([["=1+1", "2.5", "two\\nlines"]]), end="")
    '=1+1,2.5,two lines
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def _cell(cell: str) -> str:
    spaces = re.match(" *", cell)
    text = (spaces[0] if spaces else "") + in_one_line(cell)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text


def _points(value: float) -> str:
    """Points with two decimals at most, which is what LMSs keep."""
    return f"{round(value, 2):.2f}".rstrip("0").rstrip(".")


def moodle_table(
    lines: Sequence[Line], points: Mapping[str, float], now: datetime.datetime
) -> list[list[str]]:
    """What both of Moodle's imports take: that of the gradebook, and of a grading worksheet.

    A column that a person is found by is there only if it is filled for everybody: in a
    line where it is empty Moodle takes the person of the line before.

    Args:
        lines: The students who have a score.
        points: The points of each unit.
        now: Grades that were changed in Moodle later than this are not overwritten.

    Raises:
        KitError: Some people have nothing that Moodle finds them by.
    """
    found_by = [
        header
        for header, field in _FOUND_BY.items()
        if all(getattr(line.person, field) for line in lines)
    ]
    worksheet = len(points) == 1 and all(line.person.participant for line in lines)
    if not found_by and not worksheet:
        raise _nothing_to_find_by(lines)
    head = (["Identifier"] if worksheet else []) + ["Full name", *found_by]
    tail = ["Maximum Grade", "Last modified (grade)"] if len(points) == 1 else []
    rows = [[*head, *(["Grade"] if len(points) == 1 else points), *tail]]
    for line in lines:
        row = [f"Participant {line.person.participant}"] if worksheet else []
        row.append(line.person.shown)
        row += [str(getattr(line.person, _FOUND_BY[header])) for header in found_by]
        row += [_score(line, unit) for unit in points]
        if tail:
            row += [_points(*points.values()), now.strftime("%Y-%m-%d %H:%M:%S UTC")]
        rows.append(row)
    return rows


def _nothing_to_find_by(lines: Sequence[Line]) -> KitError:
    fields = {"email": "an address", "number": "an ID number", "login": "a user name"}
    least = min(fields, key=lambda field: sum(not getattr(line.person, field) for line in lines))
    lacking = [line.person.student for line in lines if not getattr(line.person, least)]
    more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
    return KitError(
        "for each student something that Moodle finds people by: an email address, an ID "
        "number or a user name, or a submission that was collected from Moodle's zip",
        f"{len(lacking)} without {fields[least]}: {', '.join(lacking[:5])}{more}",
        "give a class list with these: rnnkit collect UNIT --roster CSV --course DIR",
    )


def canvas_table(
    lines: Sequence[Line], points: Mapping[str, float], titles: Mapping[str, str]
) -> list[list[str]]:
    """What Canvas's gradebook imports.

    Args:
        lines: The students who have a score.
        points: The points of each unit.
        titles: For each unit the name of its column in Canvas.
    """
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    rows = [
        [*head, *(titles.get(unit, unit) for unit in points)],
        ["    Points Possible", "", "", "", "", *map(_points, points.values())],
    ]
    for line in lines:
        person = line.person
        known_by = [person.sortable, person.canvas, person.number, person.login, ""]
        rows.append([*known_by, *(_score(line, unit) for unit in points)])
    return rows


def csv_table(lines: Sequence[Line], points: Mapping[str, float]) -> list[list[str]]:
    """A table for a spreadsheet; a score that is not there is blank, never 0.

    Args:
        lines: The students, also those without a score.
        points: The points of each unit.
    """
    head = ["student", "surname", "given name", "name", "email", "unit", "score", "max"]
    rows = [[*head, "late penalty", "waits for hand grading"]]
    for line in lines:
        person = line.person
        named = [person.student, person.surname, person.given, person.full, person.email]
        for unit, most in points.items():
            grade = line.grades.get(unit)
            penalty = _points(grade.penalty) if grade else ""
            waits = "yes" if grade and grade.waits else ""
            rows.append([*named, unit, _score(line, unit), _points(most), penalty, waits])
    return rows


def _score(line: Line, unit: str) -> str:
    grade = line.grades.get(unit)
    return "" if grade is None else _points(grade.score)
