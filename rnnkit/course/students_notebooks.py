"""Notebooks as students get them: with a badge for Colab on top where Colab can open them."""

import json

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from rnnkit.course.kit import Kit
from rnnkit.course.notebooks import notebook_bytes
from rnnkit.course.settings import PublishSettings
from rnnkit.course.students_package import colab_requirements

__all__ = ["badge", "for_students", "title_of"]

BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
INSTALL = """\
# On Colab, this installs what the course needs and Colab has not got (once in a session).
# Elsewhere it does nothing.
import importlib.metadata
import importlib.util
import subprocess
import sys


class CannotStart(Exception):
    def _render_traceback_(self):  # a message says more than a traceback here
        return [str(self)]


if "google.colab" in sys.modules:
    if importlib.util.find_spec("tensorflow") is None:
        raise CannotStart(
            "This runtime has no TensorFlow, which the course needs (TPU runtimes have none). "
            "Choose Runtime > Change runtime type > CPU, and run the notebook again."
        )
    wanted = WANTED
    missing = [
        wanted[name] for name in wanted if not any(importlib.metadata.distributions(name=name))
    ]
    if missing:
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", *missing]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise CannotStart(
                f"The course's package could not be installed. pip says:\\n{done.stderr}\\n"
                "Run this cell again in a minute. If it says the same, choose another version in "
                "Runtime > Change runtime type > Runtime version, or tell your teacher."
            )
        importlib.invalidate_caches()
    from rnnkit.versions import show_versions

    show_versions()"""


def badge(settings: PublishSettings, path: str) -> str:
    """A picture in Markdown that opens a notebook in Colab; empty where Colab cannot.

    Args:
        settings: Where the students' repository is.
        path: The notebook, from the repository's top folder.
    """
    return f"[![Open in Colab]({BADGE})]({settings.colab(path)})" if settings.on_github else ""


def for_students(kit: Kit, settings: PublishSettings, path: str, content: bytes) -> bytes:
    """A notebook with the badge and the cell that prepares Colab.

    nbgrader does not know these cells; in what is handed in they are the student's own.

    Args:
        kit: The kit.
        settings: Where the students' repository is.
        path: The notebook, from the repository's top folder.
        content: The notebook as it is built.
    """
    if not settings.on_github:
        return content
    notebook = nbformat.reads(content.decode(), as_version=4)
    wanted = {"rnnkit": f"rnnkit @ {settings.archive}", **colab_requirements(kit)}
    cells = [
        new_markdown_cell(badge(settings, path), id="open-in-colab"),
        new_code_cell(INSTALL.replace("WANTED", _listed(wanted)), id="prepare-colab"),
    ]
    notebook.cells = [*cells, *notebook.cells]
    return notebook_bytes(notebook)


def _listed(wanted: dict[str, str]) -> str:
    lines = "".join(
        f"        {json.dumps(name)}: {json.dumps(each)},\n" for name, each in wanted.items()
    )
    return f"{{\n{lines}    }}"


def title_of(content: bytes) -> str:
    """The first heading of a notebook; empty where it has none.

    Args:
        content: The notebook's file.
    """
    notebook: NotebookNode = nbformat.reads(content.decode(), as_version=4)
    for cell in notebook.cells:
        for line in cell.source.splitlines():
            if cell.cell_type == "markdown" and line.startswith("# "):
                return line.removeprefix("# ").strip()
    return ""
