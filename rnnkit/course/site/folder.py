"""A folder that an export fills."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from rnnkit.errors import KitError

__all__ = ["write_folder"]

MARK = ".made-by-rnnkit"


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder of their own.

    Args:
        folder: The folder; what an earlier call left in it is deleted.
        files: Paths from the folder, with forward slashes, and contents.

    Raises:
        KitError: The folder holds things that no earlier call left there.
    """
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise KitError(
            "a new or empty folder, or one that an earlier export made",
            f"other things in {folder}",
            "name another folder, or empty this one",
        )
    if folder.exists() and not folder.is_dir():
        raise KitError("a folder", f"a file: {folder}", "name another folder")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARK).write_text("An export of rnnkit may delete all in this folder.\n")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
