"""A course folder that one command at a time works in."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rnnkit.errors import KitError

__all__ = ["alone_in"]


@contextmanager
def alone_in(root: Path) -> Iterator[None]:
    """Hold the course folder, so that two commands never write into each other's files.

    The system gives it back when the process ends, however it ends.

    Args:
        root: The course folder.

    Raises:
        KitError: Another command holds it.
    """
    folder = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(folder)
        raise KitError(
            f"a course folder that no other run uses ({root})",
            "another `rnnkit grade` or `rnnkit collect` is at work in it",
            "wait until it is done, or stop it; then call the command again",
        ) from error
    except OSError:
        pass  # a file system without locks: the gradebook's own lock has to do
    try:
        yield
    finally:
        os.close(folder)
