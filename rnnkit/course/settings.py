"""The course's settings: nbgrader's, and those for what students get."""

import os
import re
import sysconfig
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError

__all__ = [
    "PublishSettings",
    "nbgrader_settings",
    "project_table",
    "publish_settings",
    "scripts_on_path",
]

FILE = "nbgrader_config.py"
PROJECT = "pyproject.toml"
SECTION = "tool.rnnkit.publish"
ADDRESS = re.compile(r"https://[\w.-]+(?:/[\w.-]+){2,}")
GITHUB = re.compile(r"https://github\.com/[\w-]+/[\w.-]+(?<!\.git)")
EXAMPLE = "https://github.com/YOU/YOUR-COURSE"
BRANCH = re.compile(r"\w[\w./-]*")


@dataclass(frozen=True)
class PublishSettings:
    """What ``rnnkit publish`` needs to know.

    Args:
        repository: The address of the students' repository; empty as long as it has none.
        branch: The branch that students get.
        title: What the course is called.

    Example:

    >>> settings = PublishSettings("https://github.com/ada/rnn-course")
    >>> settings.colab("exercises/01_rnn/01_rnn.ipynb")
    'https://colab.research.google.com/github/ada/rnn-course/blob/main/exercises/01_rnn/01_rnn.ipynb'
    """

    repository: str = ""
    branch: str = "main"
    title: str = "Recurrent networks for language"

    @property
    def on_github(self) -> bool:
        """Whether Colab can open its notebooks."""
        return bool(GITHUB.fullmatch(self.repository))

    @property
    def archive(self) -> str:
        """Where pip finds the whole repository, on GitHub."""
        return f"{self.repository}/archive/refs/heads/{self.branch}.zip"

    def colab(self, path: str) -> str:
        """The address at which Colab opens a notebook.

        Args:
            path: The notebook, from the repository's top folder.
        """
        place = self.repository.removeprefix("https://github.com/")
        return f"https://colab.research.google.com/github/{place}/blob/{self.branch}/{path}"


def project_table(kit: Kit) -> dict[str, Any]:
    """All of the kit's ``pyproject.toml``.

    Raises:
        KitError: The file is missing or is no TOML.
    """
    path = kit.root / PROJECT
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise KitError(
            f"the kit's {PROJECT}", f"{path}: {error}", f"restore {PROJECT} or mend that line"
        ) from error


def publish_settings(kit: Kit) -> PublishSettings:
    """What the kit's ``pyproject.toml`` says about the students' repository.

    Raises:
        KitError: A setting is unknown, or its value cannot be used.
    """
    table = project_table(kit)
    for word in SECTION.split("."):
        table = table.get(word, {})
    names = list(PublishSettings.__dataclass_fields__)
    for name, value in table.items():
        if name not in names or not isinstance(value, str):
            raise _bad(f"settings named {', '.join(names)}, each a text", f"{name} = {value!r}")
    settings = PublishSettings(**table)
    if settings.repository and not _is_address(settings):
        raise _bad(
            f'the address of a repository, such as repository = "{EXAMPLE}" with your names '
            'and nothing behind them, or ""',
            f"repository = {settings.repository!r}",
        )
    if not BRANCH.fullmatch(settings.branch):
        raise _bad('the name of a branch, such as branch = "main"', f"branch = {settings.branch!r}")
    return settings


def _is_address(settings: PublishSettings) -> bool:
    """Whether a repository can be there; on GitHub, whether badges can be made of it."""
    if settings.repository == EXAMPLE or not ADDRESS.fullmatch(settings.repository):
        return False
    host = settings.repository.split("/")[2].lower()
    return settings.on_github or host not in ("github.com", "www.github.com")


def _bad(expected: str, found: str) -> KitError:
    return KitError(
        f"in [{SECTION}] of {PROJECT}, {expected}", found, "change that line, then publish again"
    )


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
