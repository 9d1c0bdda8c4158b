"""Temporary folders that the next run removes where a process was killed."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

__all__ = ["HeldFolder", "remove_forsaken", "short_folder"]

HELD = ".held"  # locked by the process that a folder belongs to, as long as that runs
NEW_SECONDS = 60  # a folder so young may not be locked yet


class HeldFolder:
    """A private temporary folder.

    Args:
        prefix: The begin of its name.
        parent: Where it lies; the usual place by default.
    """

    def __init__(self, prefix: str, parent: str | None = None) -> None:
        self.path = tempfile.mkdtemp(prefix=prefix, dir=parent)
        self._lock = os.open(Path(self.path, HELD), os.O_RDWR | os.O_CREAT, 0o600)
        with contextlib.suppress(OSError):  # a file system without locks: nobody else looks
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def __enter__(self) -> Path:
        return Path(self.path)

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove it and all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def short_folder() -> str:
    """A folder for temporary files whose name leaves room for that of a socket.

    A socket's name may have 107 characters.
    """
    usual = tempfile.gettempdir()
    return usual if len(usual) < 50 or not os.path.isdir("/tmp") else "/tmp"


def remove_forsaken() -> None:
    """Remove this user's held folders whose process has ended without doing it."""
    for parent in {tempfile.gettempdir(), short_folder()}:
        for held in Path(parent).glob(f"r*/{HELD}"):
            with contextlib.suppress(OSError):  # it has just gone, or its process runs
                _remove_if_forsaken(held)


def _remove_if_forsaken(held: Path) -> None:
    status = held.lstat()
    if status.st_uid != os.geteuid() or time.time() - status.st_mtime < NEW_SECONDS:
        return
    lock = os.open(held, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(held.parent, ignore_errors=True)
    finally:
        os.close(lock)
