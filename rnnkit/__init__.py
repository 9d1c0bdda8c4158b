"""rnnkit: the package behind a course on recurrent networks for language.

Sub-packages are imported when they are first used, so that ``import rnnkit``
does not load TensorFlow before a notebook needs it.

Example:

>>> import rnnkit
>>> "layers" in dir(rnnkit)
True
"""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

if sys.version_info < (3, 11):  # noqa: UP036 - pip refuses it, and a checkout asks no pip
    raise ImportError(
        "rnnkit needs Python 3.11, 3.12 or 3.13, and this is Python "
        + ".".join(map(str, sys.version_info[:3]))
        + ". Make an environment with one of them: python3.12 -m venv .venv"
    )

# Keras reads its backend, and TensorFlow its log level, when they are first
# imported. The course uses TensorFlow; a value that the user has set wins.
# Level 3 keeps TensorFlow's own log off stderr: on some processors it writes
# lines there in the middle of a right answer, and stock nbgrader then gives 0.
# What goes wrong still raises an exception.
os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

__version__ = "0.1.0"

# The student's half. The instructor's half (course, grading, cli) is imported
# by its full name only.
__all__ = [
    "checks",
    "data",
    "decoding",
    "elmo",
    "experiments",
    "layers",
    "metrics",
    "models",
    "plots",
    "text",
]


@contextmanager
def _without_import_log() -> Iterator[None]:
    """Keep off the screen what TensorFlow writes while it is imported.

    These lines come before its log level counts, past Python's sys.stderr, and
    a notebook shows them in red. An import that fails still raises.
    """
    sys.stderr.flush()
    screen = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
        os.close(nowhere)


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        with _without_import_log():
            return importlib.import_module(f"rnnkit.{name}")
    raise AttributeError(f"module 'rnnkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
