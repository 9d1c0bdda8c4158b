"""What a unit's script states in words: points in headings and header, numbers of questions.

The points of a cell stand in its metadata, and nowhere else by hand. What follows from
them is written by ``rnnkit build``: the points behind each question's heading, the total
in the header, in the title and in the line that begins with it. Questions are numbered
as they stand, and the words "question 3" in texts follow.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rnnkit.course.findings import Finding
from rnnkit.errors import KitError

__all__ = ["check_stated", "settled"]

CELL = re.compile(r"^# %%")
POINTS = r"\d+(?:\.\d+)? points?"
HEADING = re.compile(rf"^(# #{{2,6}} .*\(){POINTS}(\).*)$")
TITLE = re.compile(rf"^(# # .*\(){POINTS}(\).*)$")
TOTAL_LINE = re.compile(rf"^(# ){POINTS}([;,.].*|)$")
NUMBERED = re.compile(r"^(# #{2,6} Question )(\d+)(\b.*)$")
# "question 3", "questions 1, 3 and 5"; not "question 3 of exercise 2".
LIST = r"\d+(?:(?:, | and | or |, and )\d+)*"
NAMED = re.compile(rf"\b([Qq]uestions? )({LIST})(?!\d)(?! (?:of|in) (?:exercise|lecture|unit))")
OWN_SECTION = re.compile(r"^#(\s+)rnnkit:\s*$")
HEADER_POINTS = re.compile(r"^(#\s+points:\s*)\S+\s*$")


@dataclass
class _Part:
    """The header or a cell of a script.

    Args:
        start: The place of its first line.
        lines: Its lines, the cell's own first line included.
        marks: Its nbgrader metadata; empty where it has none.
    """

    start: int
    lines: list[str] = field(default_factory=list)
    marks: dict[str, Any] = field(default_factory=dict)

    @property
    def is_text(self) -> bool:
        """Whether it is text that is no student's answer."""
        return "[markdown]" in self.lines[0][:20] and not self.marks.get("solution")

    @property
    def points(self) -> float:
        """What the cell gives."""
        graded = self.marks.get("grade") or self.marks.get("task")
        points = self.marks.get("points")
        is_number = isinstance(points, int | float) and not isinstance(points, bool)
        return float(points) if graded and is_number else 0.0  # type: ignore[arg-type]


def settled(script: str, name: str = "the script") -> str:
    """A script in which all that follows from the cells says what follows.

    Only points that the script states already are written, so headings without points
    stay without. A script in which the metadata of a cell cannot be read stays as it is.

    Args:
        script: A percent script.
        name: The script's name for messages.

    Raises:
        KitError: Questions are to be numbered anew, and a text names one that is not there
            or that is there twice.

    Example:

    >>> print(settled('''# %% [markdown]
    ... # ## Question 4. The mean (2 points)
    ... # %% nbgrader={"grade": true, "grade_id": "q4-test", "points": 3}
    ... assert mean([1, 3]) == 2'''))
    # %% [markdown]
    # ## Question 1. The mean (3 points)
    # %% nbgrader={"grade": true, "grade_id": "q4-test", "points": 3}
    assert mean([1, 3]) == 2
    """
    lines = script.split("\n")
    try:
        parts = list(_parts(lines))
    except ValueError:
        return script
    for place, line in _points_stated(parts):
        lines[place] = line
    return "\n".join(_renumbered(lines, parts, name))


def check_stated(script: str, file: str) -> list[Finding]:
    """The lines of a script that ``rnnkit build`` would write anew, and texts that it cannot.

    Args:
        script: The script's text.
        file: The script's name for messages.
    """
    try:
        wanted = settled(script, file).split("\n")
    except KitError as error:
        return [Finding(file, f"{error.found}: {error.remedy}")]
    found = [
        Finding(file, f"line {place} is not what its cells give ({new[2:]}): run rnnkit build")
        for place, (old, new) in enumerate(zip(script.split("\n"), wanted, strict=True), start=1)
        if old != new
    ]
    numbers = set(_numbers(wanted))
    return found + [
        Finding(file, f"line {place + 1} names question {number}, which is not there")
        for place, number in _mentions(wanted)
        if numbers and number not in numbers
    ]


def _parts(lines: list[str]) -> Iterator[_Part]:
    part = _Part(0)
    for place, line in enumerate(lines):
        if CELL.match(line):
            yield part
            part = _Part(place, marks=_marks(line))
        part.lines.append(line)
    yield part


def _marks(line: str) -> dict[str, Any]:
    """The nbgrader metadata in a cell's first line.

    Raises:
        ValueError: It cannot be read.
    """
    _, found, rest = line.partition("nbgrader=")
    if not found:
        return {}
    marks, _ = json.JSONDecoder().raw_decode(rest)
    return marks if isinstance(marks, dict) else {}


def _points_stated(parts: list[_Part]) -> Iterator[tuple[int, str]]:
    """Each line that states points, as it should be, by its place."""
    header, *cells = parts
    total = sum(cell.points for cell in cells)
    yield from _in_header(header, total)
    last: tuple[int, re.Match[str]] | None = None  # the question that the cells belong to
    sum_ = 0.0
    for cell in cells:
        for place, line in enumerate(cell.lines, start=cell.start):
            if not cell.is_text:
                break
            if match := HEADING.match(line):
                if last is not None:
                    yield last[0], _with_points(last[1], sum_)
                last, sum_ = (place, match), 0.0
            elif match := TITLE.match(line) or (TOTAL_LINE.match(line) if last is None else None):
                yield place, _with_points(match, total)
        sum_ += cell.points
    if last is not None:
        yield last[0], _with_points(last[1], sum_)


def _in_header(header: _Part, total: float) -> Iterator[tuple[int, str]]:
    depth: int | None = None
    for place, line in enumerate(header.lines, start=header.start):
        if own := OWN_SECTION.match(line):
            depth = len(own[1])
        elif depth is not None:
            if len(line) - len(line[1:].lstrip()) - 1 <= depth:
                depth = None
            elif match := HEADER_POINTS.match(line):
                yield place, f"{match[1]}{total:g}"


def _with_points(match: re.Match[str], points: float) -> str:
    return f"{match[1]}{points:g} point{'' if points == 1 else 's'}{match[2]}"


def _numbers(lines: list[str]) -> list[int]:
    """The numbers of the questions, as their headings have them."""
    return [int(match[2]) for line in lines if (match := NUMBERED.match(line))]


def _mentions(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Where a text names a question: the place of the line, and the question's number."""
    for place, line in enumerate(lines):
        if not NUMBERED.match(line):
            for match in NAMED.finditer(line):
                yield from ((place, int(number)) for number in re.findall(r"\d+", match[2]))


def _renumbered(lines: list[str], parts: list[_Part], name: str) -> list[str]:
    """The lines with questions numbered as they stand."""
    headings = [
        place
        for part in parts[1:]
        if part.is_text
        for place, line in enumerate(part.lines, start=part.start)
        if NUMBERED.match(line)
    ]
    before = _numbers([lines[place] for place in headings])
    if before == list(range(1, len(before) + 1)):
        return lines
    _check_mentions(lines, before, name)
    now = dict(zip(before, range(1, len(before) + 1), strict=True))
    changed = [NAMED.sub(lambda match: _mapped(match, now), line) for line in lines]
    for number, place in enumerate(headings, start=1):
        changed[place] = NUMBERED.sub(rf"\g<1>{number}\g<3>", lines[place])
    return changed


def _mapped(match: re.Match[str], now: dict[int, int]) -> str:
    return match[1] + re.sub(r"\d+", lambda number: str(now[int(number[0])]), match[2])


def _check_mentions(lines: list[str], numbers: list[int], name: str) -> None:
    for place, number in _mentions(lines):
        if numbers.count(number) != 1:
            times = "no heading has" if number not in numbers else "several headings have"
            raise KitError(
                f"in {name}, texts that name questions by the numbers of their headings",
                f"line {place + 1} names question {number}, and {times} this number",
                "change that text, or give a new question a number of its own, such as 99; "
                "then run rnnkit build, which numbers them all",
            )
