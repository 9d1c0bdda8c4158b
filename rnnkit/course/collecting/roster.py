"""The class list: who is in the course, and under which names and numbers an LMS knows them."""

import contextlib
import csv
import datetime
import io
import re
import unicodedata
from collections import Counter
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from rnnkit.course.collecting.names import student_name
from rnnkit.errors import KitError
from rnnkit.plain_text import in_one_line

__all__ = ["COPY", "Person", "listed_students", "read_roster", "roster_text"]

COPY = "roster.csv"  # in the folder of what was collected; later commands read it there
MOST_BYTES = 10_000_000
_HEADERS = {
    "student": ("student_id", "student id", "nbgrader id", "id"),
    "given": ("first name", "firstname", "given name", "given names", "given", "vorname"),
    "surname": ("last name", "lastname", "surname", "family name", "nachname"),
    "full": ("name", "full name", "fullname", "student", "student name"),
    "email": ("email", "e-mail", "email address", "e-mail address", "mail"),
    "number": ("id number", "idnumber", "number", "student number", "sis user id", "sis id"),
    "login": ("login", "username", "user name", "sis login id", "login id"),
    "canvas": ("canvas id", "canvas user id", "canvas"),
    "participant": ("identifier", "participant"),
    "handed_in": ("last modified (submission)", "handed in"),
    "also": ("also", "alias", "aliases", "also known as"),
}
_FIELDS = {header: field for field, headers in _HEADERS.items() for header in headers}
# As Moodle's worksheet has them in English, and as people write them.
_TIMES = (
    *("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %I:%M %p"),
    *("%d %B %Y, %I:%M %p", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"),
)
_OF_CANVAS = {"sis user id", "sis login id", "section"}


@dataclass(frozen=True)
class Person:
    """Someone on the class list. What is not known is empty.

    Args:
        student: The name in nbgrader, and of the folder in ``submitted/``.
        given: Given names.
        surname: Surnames.
        full: The whole name, where its parts are not known.
        email: The address that the LMS has.
        number: The number that the university gave: Moodle's ID number, Canvas's SIS user ID.
        login: The user name: Moodle's, or Canvas's SIS login ID.
        canvas: Canvas's own number of the user.
        participant: Moodle's number of the participant in this assignment.
        handed_in: When the participant last handed in, as Moodle's worksheet has it.
        also: Other names, with semicolons between them.
    """

    student: str
    given: str = ""
    surname: str = ""
    full: str = ""
    email: str = ""
    number: str = ""
    login: str = ""
    canvas: str = ""
    participant: str = ""
    handed_in: str = ""
    also: str = ""

    @property
    def shown(self) -> str:
        """The name as people read it."""
        return self.full or f"{self.given} {self.surname}".strip() or self.student

    @property
    def handed_in_at(self) -> float | None:
        """The time of handing in, in seconds since 1970; None where it cannot be read.

        Moodle writes it without a zone: it is taken for this machine's.
        """
        text = " ".join(self.handed_in.split())
        for form in _TIMES:
            with contextlib.suppress(ValueError):
                return datetime.datetime.strptime(text, form).timestamp()
        return None

    @property
    def sortable(self) -> str:
        """The name as lists are sorted by it."""
        if self.surname and self.given:
            return f"{self.surname}, {self.given}"
        return self.shown


def read_roster(path: Path) -> list[Person]:
    """Read a class list, as Moodle or Canvas exports it or as somebody wrote it.

    Args:
        path: A CSV file with a line of headers.

    Returns:
        The people, in the file's order.

    Raises:
        KitError: It is no such file, or two people have one name in nbgrader.
    """
    rows = _rows(path)
    columns = _columns(path, rows[0])
    people = []
    for number, row in enumerate(rows[1:], start=2):
        cells = {field: row[place].strip() for field, place in columns.items() if place < len(row)}
        if any(cells.values()) and not _is_no_person(cells):
            people.append(_person(path, number, cells))
    if not people:
        raise _refusal(path, "it has no line for a student below its headers")
    _check_doubles(path, people)
    return people


def listed_students(root: Path) -> set[str]:
    """The students of the class list that was given when something was collected.

    Args:
        root: The course folder.

    Returns:
        Their names in nbgrader; nobody where no class list was given.

    Raises:
        KitError: The kept list is damaged.
    """
    path = root / "collected" / COPY
    return {person.student for person in read_roster(path)} if path.is_file() else set()


def roster_text(people: list[Person]) -> str:
    """A class list as text that `read_roster` reads again.

    Args:
        people: The people.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_HEADERS[field.name][0] for field in fields(Person)])
    writer.writerows(asdict(person).values() for person in people)
    return text.getvalue()


def _refusal(path: Path, found: str) -> KitError:
    return KitError(
        "a class list as CSV, with headers such as student_id, first name, last name, email",
        f"{path}: {found}",
        "export it from your LMS (Moodle: Participants; Canvas: Gradebook) or save your "
        "spreadsheet as CSV; docs/collecting.md names the headers",
    )


def _rows(path: Path) -> list[list[str]]:
    if not path.is_file():
        raise _refusal(path, "no such file")
    if path.stat().st_size > MOST_BYTES:
        raise _refusal(path, "it is larger than 10 MB")
    content = path.read_bytes()
    if content.startswith(b"PK"):
        raise _refusal(path, "it is a spreadsheet (xlsx or ods), not CSV")
    text = _decoded(content)
    if "\0" in text:
        raise _refusal(path, "it is not text")
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise _refusal(path, f"it is no CSV ({error})") from error
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        raise _refusal(path, "it is empty")
    return rows


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace")  # as Excel saves it in Western Europe
    return unicodedata.normalize("NFC", text)


def _columns(path: Path, headers: list[str]) -> dict[str, int]:
    named = [" ".join(header.casefold().split()) for header in headers]
    fields_of = dict(_FIELDS)
    if _OF_CANVAS & set(named):  # Canvas's gradebook: its "ID" is Canvas's own number
        fields_of["id"] = "canvas"
    columns: dict[str, int] = {}
    for place, header in enumerate(named):
        if header in fields_of:
            columns.setdefault(fields_of[header], place)
    if "student" in named and "full" not in columns:
        columns["student"] = named.index("student")
    if not columns.keys() & {"student", "surname", "full", "email", "login", "number"}:
        seen = ", ".join(in_one_line(header) for header in headers[:8])
        raise _refusal(path, f"no header that is known: {seen}")
    return columns


def _is_no_person(cells: dict[str, str]) -> bool:
    """Lines of Canvas's gradebook that are about no student."""
    name = cells.get("full", "").strip().casefold()
    return name in ("points possible", "student, test", "test student")


def _person(path: Path, number: int, cells: dict[str, str]) -> Person:
    cells = dict(cells)
    cells["participant"] = re.sub(r"\D", "", cells.get("participant", ""))
    if not cells.get("student"):
        cells["student"] = _nbgrader_name(cells)
    student = cells["student"]
    bad = student.startswith(".") or any(c in "/\\\0" or not c.isprintable() for c in student)
    if not student or bad or len(student.encode()) > 200:
        raise _refusal(path, f"line {number} has no name that a folder can have ({student!r})")
    return Person(**cells)


def _nbgrader_name(cells: dict[str, str]) -> str:
    """A student's name in nbgrader where the list gives none."""
    for field in ("login", "number"):
        if cells.get(field):
            return cells[field]
    named = f"{cells.get('given', '')} {cells.get('surname', '')} {cells.get('full', '')}"
    return student_name(named) or cells.get("email", "")


def _check_doubles(path: Path, people: list[Person]) -> None:
    counts = Counter(person.student.casefold() for person in people)
    doubled = sorted(name for name, count in counts.items() if count > 1)
    if doubled:
        raise KitError(
            "a class list in which each student has another name in nbgrader",
            f"{path}: more than once: {', '.join(doubled[:5])}",
            "add a column student_id that tells them apart",
        )
