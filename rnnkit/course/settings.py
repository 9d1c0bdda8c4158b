"""nbgrader's settings for the course, read from the kit's own file."""

import os
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager

from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError

__all__ = ["nbgrader_settings", "scripts_on_path"]

FILE = "nbgrader_config.py"


def nbgrader_settings(kit: Kit) -> Config:
    """What the kit's ``nbgrader_config.py`` sets.

    Raises:
        KitError: The file is missing or does not run.
    """
    try:
        return PyFileConfigLoader(FILE, path=str(kit.root)).load_config()
    except Exception as error:  # the file is Python: anything can happen in it
        raise KitError(
            f"nbgrader's settings in {kit.root / FILE}",
            f"{type(error).__name__}: {error}",
            f"restore {FILE} or mend the line that fails",
        ) from error


@contextmanager
def scripts_on_path() -> Iterator[None]:
    """Put this environment's commands first on ``PATH``.

    nbgrader starts ``alembic`` by its bare name when it makes a gradebook, and
    finds none when ``.venv/bin/rnnkit`` was called without activating ``.venv``.
    """
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before
