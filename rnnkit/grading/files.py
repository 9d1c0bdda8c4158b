"""Files as they are read from, and written to, a folder."""

import os
from collections.abc import Mapping
from pathlib import Path

__all__ = ["files_beside", "results_folder", "write_files", "write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old text or the new, never a part.

    Args:
        path: The file.
        text: What it shall hold.
    """
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def results_folder(root: Path, unit: str) -> Path:
    """Where a unit's results are kept; it is made when the unit is first graded.

    Args:
        root: The course folder.
        unit: The unit.
    """
    return root / ".rnnkit" / unit


def files_beside(folder: Path) -> dict[str, bytes]:
    """The files of a unit beside its notebook and its script, by their path in the folder.

    Args:
        folder: The unit's folder.
    """
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in (".ipynb", ".py")
    }


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, and make the folders that they lie in.

    Args:
        folder: The folder.
        files: What each shall hold, by its path in the folder.
    """
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
