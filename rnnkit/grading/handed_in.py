"""What lies in the folder that a student handed in. Nothing outside it is looked at."""

import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["HandedInFile", "HandedInFolder", "look_into", "same_name"]

DEEPEST = 8  # folders below the student's
MOST_FILES = 10_000
# What programs put beside a notebook; nobody handed it in.
_LEFT_BY_PROGRAMS = {"__MACOSX", "__pycache__", "node_modules", "site-packages"}
_NOTEBOOK = re.compile(r"\.ipynb(?: ?\(\d+\))?(?:\.(?:txt|json|download))?$", re.IGNORECASE)


@dataclass(frozen=True)
class HandedInFile:
    """A file below the student's folder.

    Args:
        path: Where it is.
        inside: Its path below the student's folder.
        size: Bytes.
        changed: When it was changed last, in nanoseconds.
    """

    path: Path
    inside: Path
    size: int
    changed: int

    @property
    def is_notebook(self) -> bool:
        """Whether its name says that it is a notebook, also as browsers save it."""
        return bool(_NOTEBOOK.search(self.inside.name))


@dataclass
class HandedInFolder:
    """All of a student's folder.

    Args:
        files: Its ordinary files, by path.
        links: Links, which are not followed.
        others: What cannot be read: devices, pipes, closed folders.
        more: Whether there are more files than are looked at.
    """

    files: list[HandedInFile] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    more: bool = False


def look_into(folder: Path) -> HandedInFolder:
    """List a student's folder; links are not followed, hidden folders not entered.

    Args:
        folder: The folder.
    """
    found = HandedInFolder()
    for entry, inside in _entries(folder, Path(), found, 0):
        if len(found.files) + len(found.links) + len(found.others) >= MOST_FILES:
            found.more = True
            break
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            found.links.append(str(inside))
        elif stat.S_ISREG(status.st_mode):
            found.files.append(
                HandedInFile(Path(entry.path), inside, status.st_size, status.st_mtime_ns)
            )
        else:
            found.others.append(str(inside))
    found.files.sort(key=lambda file: file.inside)
    return found


def _entries(
    folder: Path, inside: Path, found: HandedInFolder, depth: int
) -> Iterator[tuple[os.DirEntry[str], Path]]:
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError:
        found.others.append(str(inside))
        return
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield entry, inside / entry.name
        elif entry.name in _LEFT_BY_PROGRAMS or entry.name.startswith("."):
            continue
        elif depth < DEEPEST:
            yield from _entries(Path(entry.path), inside / entry.name, found, depth + 1)


def same_name(one: str, other: str) -> bool:
    """Whether two names differ only in case or in how accents are written.

    Example:

    >>> same_name("Zoe\\u0308.ipynb", "zo\\u00eb.ipynb")
    True
    """
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
