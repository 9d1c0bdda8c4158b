"""Putting attempts where they belong, each in one step."""

import hashlib
import os
import shutil
from pathlib import Path, PurePosixPath

__all__ = ["TIMESTAMP", "Places", "fill", "put", "tree_digest"]

TIMESTAMP = "timestamp.txt"  # where nbgrader looks for the time of handing in
LONGEST = 150  # bytes of a part of a path, its ending not counted
LONGEST_PATH = 1000  # bytes


class Places:
    """The paths that are taken in a folder.

    Args:
        files: Paths of files that are taken from the start.
    """

    def __init__(self, *files: str) -> None:
        self._files = {PurePosixPath(file) for file in files}
        self._folders: set[PurePosixPath] = set()

    def take(self, inside: PurePosixPath) -> PurePosixPath:
        """A student's path as it can stand on our disk, and as no other file is called.

        Args:
            inside: The path that the student gave.

        Example:

        >>> places = Places()
        >>> [str(places.take(PurePosixPath("a\x07b/lab.ipynb"))) for _ in range(2)]
        ['a_b/lab.ipynb', 'a_b/lab (1).ipynb']
        """
        parts = [_safe(part) for part in inside.parts if part not in ("", ".", "..", "/")]
        path = PurePosixPath(*parts) if parts else PurePosixPath("file")
        if len(str(path).encode()) > LONGEST_PATH or not self._files.isdisjoint(path.parents):
            path = PurePosixPath(path.name)
        first, count = path, 0
        while path in self._files or path in self._folders:
            count += 1
            path = first.with_name(f"{first.stem} ({count}){first.suffix}")
        self._files.add(path)
        self._folders.update(path.parents)
        return path


def _safe(part: str) -> str:
    part = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in part)
    stem, dot, ending = part.rpartition(".")
    if len(ending) > 20 or not stem:
        stem, dot, ending = part, "", ""
    return stem.encode()[:LONGEST].decode("utf-8", "ignore") + dot + ending


def fill(folder: Path, attempt: Path, main: str, unit: str, handed_in: str) -> None:
    """Make a folder as nbgrader expects a submission.

    Args:
        folder: A new folder.
        attempt: Where the attempt's files lie.
        main: The notebook that is graded, below it; empty where there is none.
        unit: The unit: what the notebook is called from now on.
        handed_in: The time for ``timestamp.txt``; empty for none.
    """
    folder.mkdir(parents=True)
    places = Places(f"{unit}.ipynb", TIMESTAMP)  # neither is the student's to give
    for path in sorted(attempt.rglob("*")):
        if path.is_file():
            inside = PurePosixPath(path.relative_to(attempt).as_posix())
            own = PurePosixPath(f"{unit}.ipynb") if str(inside) == main else None
            target = folder / (own or places.take(inside))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    if handed_in:
        (folder / TIMESTAMP).write_text(handed_in + "\n", encoding="utf-8")


def tree_digest(folder: Path) -> str:
    """Changes when a file below the folder changes, its name included.

    Args:
        folder: The folder; empty text where there is none.
    """
    if not folder.is_dir() or folder.is_symlink():
        return ""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            content = os.readlink(path).encode()
        elif path.is_file():
            content = path.read_bytes()
        else:
            continue
        name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
        digest.update(b"%d:%b%d:" % (len(name), name, len(content)))
        digest.update(content)
    return digest.hexdigest()


def put(new: Path, place: Path, keep_old: Path | None) -> None:
    """Put a finished folder into its place.

    Args:
        new: The folder.
        place: Where it goes.
        keep_old: Where what lies there goes; None to remove it.
    """
    old = place.with_name(f".{place.name}.before")
    if old.exists():
        shutil.rmtree(old)
    there = place.exists() or place.is_symlink()
    if there:
        os.rename(place, old)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(str(new), str(place))  # a rename, where both are on one disk
    if there and keep_old is not None:
        keep_old.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(str(old), str(keep_old))
    elif there:
        _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
