"""What the paths in an LMS's zip say: who handed a file in, and as what."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["Form", "Handle", "is_notebook", "named_by_lms", "plain_name"]

# Given Surname_12345_assignsubmission_file_/lab.ipynb, the last mark only before Moodle 4.1.
_MOODLE_FOLDER = re.compile(r"^(?P<name>[^_]*)_(?P<id>\d+)_assignsubmission_file(?P<end>_?)$")
# Given Surname_12345_assignsubmission_file_lab.ipynb
_MOODLE_FLAT = re.compile(r"^(?P<name>[^_]*)_(?P<id>\d+)_assignsubmission_file_(?P<file>.+)$")
# surnamegiven_LATE_12345_67890_lab-2.ipynb, or anon_aBcDe_67890_lab.ipynb
_CANVAS = re.compile(
    r"^(?P<name>.*?)_(?:(?P<late>LATE|late)_)?(?P<id>[1-9]\d*)_(?P<number>[1-9]\d*)_(?P<file>.+)$"
)
_CANVAS_ANONYMOUS = re.compile(
    r"^(?P<name>anon)_(?:(?P<late>LATE|late)_)?(?P<id>[0-9A-Za-z]{5})_(?P<number>[1-9]\d*)_(?P<file>.+)$"
)
_NOTEBOOK = re.compile(r"\.ipynb(?: ?\(\d+\))?(?:\.(?:txt|json|download))?$", re.IGNORECASE)
_COPY = re.compile(r"^(?:copy of |kopie von |copie de )|(?: ?\(\d+\)|-\d+| copy(?: \d+)?)$", re.I)


class Form:
    """The forms of path that are known."""

    MOODLE = "moodle"
    CANVAS = "canvas"
    PLAIN = "plain"


@dataclass(frozen=True)
class Handle:
    """Who handed in, in the words of the LMS.

    Args:
        form: The form of the path, one of `Form`.
        name: The name as the LMS writes it.
        lms_id: Moodle's number of the participant, or Canvas's of the user.
        late: Whether Canvas marked it as late.
        number: Canvas's number of the file; a later file has a higher one.
        folder: The folder of Moodle's feedback for this person; for Canvas what the name
            of a file of feedback begins with.
    """

    form: str
    name: str
    lms_id: str = ""
    late: bool = False
    number: int = 0
    folder: str = ""


def named_by_lms(inside: PurePosixPath) -> tuple[Handle, PurePosixPath] | None:
    """Read a path as Moodle or Canvas makes it.

    Args:
        inside: The path in the archive; folders above the LMS's own do not matter.

    Returns:
        Who handed in, and the file's path as that person named it; None for another path.

    Example:

    >>> path = PurePosixPath("Ada Lovelace_12345_assignsubmission_file_/lab.ipynb")
    >>> handle, file = named_by_lms(path)
    >>> handle.name, handle.lms_id, str(file)
    ('Ada Lovelace', '12345', 'lab.ipynb')
    >>> handle, file = named_by_lms(PurePosixPath("lovelaceada_LATE_77_900_lab-2.ipynb"))
    >>> handle.name, handle.lms_id, handle.late, handle.number, str(file)
    ('lovelaceada', '77', True, 900, 'lab-2.ipynb')
    """
    # From the left: what lies further inside was named by the student.
    for place, part in enumerate(inside.parts):
        rest = inside.parts[place + 1 :]
        if rest and (found := _MOODLE_FOLDER.match(part)):
            handle = Handle(Form.MOODLE, found["name"].strip(), found["id"], folder=part)
            return handle, PurePosixPath(*rest)
        if found := _MOODLE_FLAT.match(part):
            folder = part[: found.start("file")]
            handle = Handle(Form.MOODLE, found["name"].strip(), found["id"], folder=folder)
            return handle, PurePosixPath(found["file"], *rest)
        if found := _CANVAS.match(part) or _CANVAS_ANONYMOUS.match(part):
            handle = Handle(
                Form.CANVAS,
                found["name"].strip("_"),
                found["id"],
                bool(found["late"]),
                int(found["number"]),
                part[: found.start("file")],
            )
            return handle, PurePosixPath(found["file"], *rest)
    return None


def is_notebook(name: str) -> bool:
    """Whether a file's name says that it is a notebook, also as browsers save it.

    Example:

    >>> is_notebook("lab (1).ipynb"), is_notebook("lab.ipynb.txt"), is_notebook("lab.py")
    (True, True, False)
    """
    return bool(_NOTEBOOK.search(name))


def plain_name(name: str) -> str:
    """A notebook's name without its ending and without what marks it as a copy.

    Args:
        name: The file's name.

    Example:

    >>> [plain_name(name) for name in ("lab-2.ipynb", "Copy of lab (1).ipynb", "lab.ipynb.txt")]
    ['lab', 'lab', 'lab']
    """
    stem = _NOTEBOOK.sub("", name)
    while (shorter := _COPY.sub("", stem).strip()) not in ("", stem):
        stem = shorter
    return stem.casefold()
