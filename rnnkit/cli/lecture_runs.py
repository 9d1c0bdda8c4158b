"""What the commands ``site`` and ``slides`` share: lectures that have run, and what to say."""

import argparse
import importlib.util
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rnnkit.course.kit import Kit, find_kit
from rnnkit.errors import KitError

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from rich.console import Console
    from rich.status import Status

    from rnnkit.course.site import Exported

__all__ = ["add_export_arguments", "kit_to_export", "run_lectures", "say_exported"]

# Each with the name that pip knows.
NEEDED = {
    "jupytext": "jupytext",
    "nbconvert": "nbconvert",
    "nbgrader": "nbgrader",
    "latex2mathml": "latex2mathml",
    "sphinx_revealjs": "sphinx-revealjs",
}


def add_export_arguments(parser: argparse.ArgumentParser, folder: str) -> None:
    """Declare the words of a command that exports lectures.

    Args:
        parser: The command's parser.
        folder: Where it writes by default, from the kit's top folder.
    """
    parser.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        help=f"where to (default: {folder}/; what an earlier call left there is deleted)",
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="run the lectures in the short setting: a minute or two, and worse numbers",
    )


def kit_to_export() -> Kit:
    """The kit, once it is clear that all packages are there.

    Raises:
        KitError: A package is missing, or this is no kit.
    """
    missing = [name for module, name in NEEDED.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise KitError(
            "the packages of the extras 'course' and 'site'",
            f"no {', no '.join(missing)}",
            'install them: pip install -c constraints.txt -e ".[course,site]"',
        )
    return find_kit()


def run_lectures(kit: Kit, *, fast: bool) -> "dict[str, NotebookNode]":
    """The executed notebooks of all lectures; those that have not changed are not run again.

    Args:
        kit: The kit.
        fast: Whether they are run in the short setting.

    Raises:
        KitError: A lecture fails.
    """
    # Imported here: it takes a second to load, and --help must not wait.
    from rnnkit.course.site import cache_folder, executed

    console = _console()
    names = kit.lecture_names()
    setting = "short" if fast else "full"
    lectures = {}
    for number, name in enumerate(names, start=1):
        began = time.monotonic()
        ran: list[int] = []
        with console.status(f"{name} ...") as status:
            on_cell = partial(_show_cell, status, name, ran)
            lectures[name] = executed(
                kit, name, fast=fast, cache=cache_folder(kit), on_cell=on_cell
            )
        seconds = time.monotonic() - began
        how = f"ran in the {setting} setting ({seconds:.0f} s)" if ran else "has not changed"
        _say(console, f"[{number}/{len(names)}] {name}: {how}")
    return lectures


def _show_cell(status: "Status", name: str, ran: list[int], cell: int, cells: int) -> None:
    ran.append(cell)
    status.update(f"{name}: cell {cell} of {cells}")


def say_exported(exported: "Exported", folder: Path) -> int:
    """Say what was written.

    Returns:
        The exit status: 0, or 1 where a link leads nowhere.
    """
    console = _console()
    for line in exported.dead_links:
        _say(console, line)
    _say(console, f"Wrote {exported.pages} pages; begin with {(folder / 'index.html').resolve()}")
    return 1 if exported.dead_links else 0


def _console() -> "Console":
    # Imported here: the student's half has no rich, and its commands must start.
    from rich.console import Console

    return Console(soft_wrap=True)


def _say(console: "Console", text: str) -> None:
    from rich.markup import escape

    console.print(escape(text), highlight=False, soft_wrap=True)
