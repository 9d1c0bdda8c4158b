"""Write the students' repository into a folder, and keep it up to date there."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError

__all__ = ["Published", "check_folder", "write_published"]

LIST = ".rnnkit-published.json"
NOTE = "Written by `rnnkit publish`: the files that are its own, each with its SHA-256."
# What an instructor's git keeps in the folder.
OF_GIT = {".git"}
SHOWN = 5


@dataclass
class Published:
    """What publishing changed.

    Args:
        new: Files that were not there.
        changed: Files that held something else.
        removed: Files that students no longer get.
        same: How many files stayed as they were.
    """

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    same: int = 0


def check_folder(kit: Kit, folder: Path) -> None:
    """See that a folder can become, or already is, the students' repository.

    Args:
        kit: The kit.
        folder: The folder; it need not exist.

    Raises:
        KitError: It is a part of the kit, or holds something that was not published.
    """
    place = folder.resolve()
    parts = [
        kit.root / name
        for name in (".git", "rnnkit", "solutions", "exercises", "lectures", "tests", "docs")
    ]
    inside = [part for part in parts if place.is_relative_to(part.resolve())]
    if kit.root.resolve().is_relative_to(place) or inside:
        raise KitError(
            "a folder of its own for what students get",
            f"{folder}, which belongs to the kit itself",
            "name a folder beside the kit: rnnkit publish ../students",
        )
    if not folder.exists():
        return
    if not folder.is_dir():
        raise KitError("a folder", f"{folder} is a file", "name another folder")
    others = sorted(path.name for path in folder.iterdir() if path.name not in OF_GIT)
    if others and not (folder / LIST).is_file():
        raise KitError(
            "a folder that is new, is empty (.git may be there), or was written by rnnkit publish",
            f"{folder} holds {_some(others)}",
            "name another folder, or move these files away",
        )


def write_published(folder: Path, files: Mapping[str, bytes]) -> Published:
    """Write the files, and remove those that an earlier call wrote and this one does not.

    All else in the folder is left alone. Stopped at any moment, it goes on when it is
    called again.

    Args:
        folder: A folder that `check_folder` accepts.
        files: The content of each file, by its path in the folder.

    Raises:
        KitError: A file was changed by somebody else since it was published, or another
            file or a link stands in the place of a new one.
    """
    known = _known(folder)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    _refuse_changes(folder, known, digests)
    folder.mkdir(parents=True, exist_ok=True)
    # Before anything else changes, so that after a stop each file is known as ours.
    both = {
        name: sorted({*known.get(name, []), *([digests[name]] if name in digests else [])})
        for name in sorted({*known, *digests})
    }
    _write_list(folder, both)
    done = Published()
    for name, content in files.items():
        path = folder / name
        if not path.exists():
            done.new.append(name)
        elif path.read_bytes() == content:
            done.same += 1
            continue
        else:
            done.changed.append(name)
        _write(path, content)
    for name in sorted(known.keys() - files.keys()):
        if (folder / name).is_file():
            (folder / name).unlink()
            done.removed.append(name)
            _remove_empty(folder, name)
    _write_list(folder, {name: [digest] for name, digest in sorted(digests.items())})
    return done


def _known(folder: Path) -> dict[str, list[str]]:
    """The files that earlier calls wrote, each with what it may hold."""
    path = folder / LIST
    if not path.is_file():
        return {}
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        known = {str(name): [str(digest) for digest in digests] for name, digests in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise KitError(
            f"the list of published files in {path}",
            f"it cannot be read ({type(error).__name__})",
            "restore it (with git, for example), or publish into an empty folder",
        ) from error
    outside = [name for name in known if _leads_out(name)]
    if outside:
        raise KitError(
            f"in {path}, files of this folder only",
            _some(outside),
            "restore the list (with git, for example), or publish into an empty folder",
        )
    return known


def _leads_out(name: str) -> bool:
    path = Path(name)
    return path.is_absolute() or ".." in path.parts or not path.parts or path.parts[0] in OF_GIT


def _refuse_changes(
    folder: Path, known: Mapping[str, list[str]], digests: Mapping[str, str]
) -> None:
    """Find files that are not as they were left, before anything is written."""
    edited: list[str] = []
    foreign: list[str] = []
    for name in sorted({*known, *digests}):
        path = folder / name
        if _is_blocked(folder, name):
            foreign.append(name)
        elif path.is_file():
            found = hashlib.sha256(path.read_bytes()).hexdigest()
            if found not in (*known.get(name, []), digests.get(name)):
                (edited if name in known else foreign).append(name)
    if edited:
        raise KitError(
            "published files as they were left",
            f"changed since then: {_some(edited)}",
            "make the change in the kit, and undo it in the students' folder "
            "(git checkout) or delete the file there; then publish again",
        )
    if foreign:
        raise KitError(
            "room for the files that students get",
            f"others stand in their place: {_some(foreign)}",
            "move them away, then publish again",
        )


def _parents(folder: Path, name: str) -> Iterator[Path]:
    """The folders between the top folder and a file."""
    path = folder
    for part in Path(name).parts[:-1]:
        path = path / part
        yield path


def _is_blocked(folder: Path, name: str) -> bool:
    """Whether a link, a file or a folder stands where it must not."""
    path, parents = folder / name, list(_parents(folder, name))
    if any(each.is_symlink() for each in (*parents, path)):
        return True
    return path.is_dir() or any(parent.is_file() for parent in parents)


def _write(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    os.replace(part, path)


def _write_list(folder: Path, files: Mapping[str, list[str]]) -> None:
    text = json.dumps({"note": NOTE, "files": files}, indent=1) + "\n"
    _write(folder / LIST, text.encode())


def _remove_empty(folder: Path, name: str) -> None:
    for path in reversed(list(_parents(folder, name))):
        if any(path.iterdir()):
            return
        path.rmdir()


def _some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
