"""What a submission may read: the system and the packages, and nothing of the course."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import rnnkit

__all__ = ["default_readable"]

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Names of accounts and hosts, keys and passwords stay outside.
SETTINGS = (
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
)
# A folder with one of these holds a course: its solutions must stay unseen.
MARKS = ("nbgrader_config.py", "gradebook.db", "solutions")


def default_readable() -> tuple[str, ...]:
    """The files and folders that Python, TensorFlow and the course's package need.

    An editable install puts the repository itself on the path of modules. Only the
    package's folder is let in then, never the repository with its solutions.

    Example:

    >>> "/usr" in default_readable()
    True
    """
    paths = dict.fromkeys(path for path in _candidates() if os.path.exists(path))
    return tuple(paths)


def _candidates() -> Iterator[str]:
    yield from SYSTEM
    yield from SETTINGS
    yield from (sys.prefix, sys.base_prefix, sys.exec_prefix)
    package = Path(rnnkit.__file__).resolve().parent
    for entry in sys.path:
        if entry and os.path.isabs(entry) and not _is_private(entry, package):
            yield entry
    yield str(package)
    if "RNNKIT_DATA" in os.environ:
        yield os.path.abspath(os.environ["RNNKIT_DATA"])
    keras = os.environ.get("KERAS_HOME") or os.path.expanduser("~/.keras")
    yield os.path.join(os.path.abspath(keras), "datasets")


def _is_private(entry: str, package: Path) -> bool:
    """Whether a folder on the path of modules would show a course, a home or our own files.

    Python itself puts the folder on the path in which it was started.
    """
    folder = Path(entry).resolve()
    if folder.name in ("site-packages", "dist-packages"):
        return False
    own = [os.path.expanduser("~"), tempfile.gettempdir(), str(package)]
    with contextlib.suppress(FileNotFoundError):  # it has been removed
        own.append(os.getcwd())
    if any(Path(place).resolve().is_relative_to(folder) for place in own):
        return True
    return any(next(folder.glob(depth + mark), None) for depth in ("", "*/") for mark in MARKS)
