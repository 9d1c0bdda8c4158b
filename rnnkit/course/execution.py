"""Run a lecture, once for each content."""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

import rnnkit
from rnnkit.course.build import build_lecture
from rnnkit.course.kit import Kit
from rnnkit.errors import KitError, in_a_line
from rnnkit.plain_text import plain_text, without_colours

__all__ = ["cache_folder", "executed", "run"]

CELL_SECONDS = 900  # many times what the slowest cell takes
# The instructor's half, which no lecture imports.
_NOT_IMPORTED = ("cli", "course", "grading")
_MOVES_NUMBERS = ("keras", "tensorflow", "numpy", "matplotlib", "scikit-learn")
# Twice as many dots as on a screen of old, so that pictures stay sharp when they are enlarged.
_FIGURES = "savefig.dpi: 200\n"

OnCell = Callable[[int, int], None]


def cache_folder(kit: Kit) -> Path:
    """Where executed lectures are kept."""
    return kit.root / "build" / "executed"


def executed(
    kit: Kit, name: str, *, fast: bool, cache: Path, on_cell: OnCell | None = None
) -> NotebookNode:
    """A lecture's notebook with its outputs.

    It is run where the cache has none of the same content: the lecture's
    source, the package, and the versions of what it computes with.

    Args:
        kit: The kit.
        name: The lecture's name.
        fast: Whether it trains for a short time.
        cache: A folder for executed notebooks; made where it is missing.
        on_cell: Called after each cell that ran, with its number and how many there are.

    Raises:
        KitError: A cell fails or takes too long, or the kernel dies.
    """
    source = build_lecture(kit, name).content
    kind = f"{name}-{'fast' if fast else 'full'}"
    path = cache / f"{kind}-{_digest(source)}.ipynb"
    if not path.is_file():
        notebook = nbformat.reads(source.decode(), as_version=4)
        run(notebook, kit.shown(kit.lecture_script(name)), kit.lectures, fast, on_cell)
        cache.mkdir(parents=True, exist_ok=True)
        for old in cache.glob(f"{kind}-*.ipynb"):
            old.unlink()
        unfinished = path.with_suffix(".part")
        nbformat.write(notebook, unfinished)
        unfinished.replace(path)
    return nbformat.read(path, as_version=4)


def run(
    notebook: NotebookNode,
    shown: str,
    folder: Path,
    fast: bool,
    on_cell: OnCell | None = None,
    kernel: str = "python3",
) -> None:
    """Run a notebook from top to bottom; outputs are written into it.

    Args:
        notebook: The notebook.
        shown: How messages name it.
        folder: The kernel's working folder.
        fast: Whether it trains for a short time.
        on_cell: Called after each cell, with its number and how many there are.
        kernel: The kernel that runs it, as Jupyter knows it.

    Raises:
        KitError: A cell fails or takes too long, or the kernel dies.
    """
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name=kernel,
        record_timing=False,
        coalesce_streams=True,  # what a cell prints is one text, also where it came in parts
        resources={"metadata": {"path": str(folder)}},
    )
    if on_cell is not None:
        total = len(notebook.cells)
        client.on_cell_complete = lambda cell, cell_index: on_cell(cell_index + 1, total)
    with tempfile.TemporaryDirectory(prefix="rnnkit-") as place:
        settings = Path(place) / "matplotlibrc"
        settings.write_text(_FIGURES, encoding="utf-8")
        environment = {name: text for name, text in os.environ.items() if name != "RNNKIT_FAST"}
        environment |= {"MATPLOTLIBRC": str(settings)} | ({"RNNKIT_FAST": "1"} if fast else {})
        try:
            # What the kernel itself says (not its cells) would only clutter the terminal.
            client.execute(env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except Exception as error:
            if _was_stopped(client):
                raise KeyboardInterrupt from error
            told = _told(error, notebook)
            if not told:
                raise
            raise _failed(shown, told) from error


def _was_stopped(client: NotebookClient) -> bool:
    """Whether the run ended by Ctrl-C or SIGTERM, which nbclient takes for itself.

    It ends the kernel then, and stumbles over what is left of the run.
    """
    return getattr(client, "_async_cleanup_kernel_future", None) is not None


def _told(error: Exception, notebook: NotebookNode) -> str:
    """Why a run ended, for its user; empty for an error that no run should give."""
    if isinstance(error, CellTimeoutError):
        return f"a cell took more than {CELL_SECONDS} seconds"
    if isinstance(error, CellExecutionError):
        why = plain_text(without_colours(f"{error.ename}: {error.evalue}"))
        return f"{_failing_cell(notebook)} fails: {why}"[:500]
    if isinstance(error, DeadKernelError):
        return f"its kernel died: {in_a_line(error)}"
    return ""


def _failing_cell(notebook: NotebookNode) -> str:
    for number, cell in enumerate(notebook.cells, start=1):
        if any(output.output_type == "error" for output in cell.get("outputs", [])):
            return f"cell {number}"
    return "a cell"


def _failed(shown: str, why: str) -> KitError:
    return KitError(
        "a lecture that runs from top to bottom",
        f"{shown}: {why}",
        "run it in JupyterLab (make lab), mend that cell, and call the command again",
    )


def _digest(source: bytes) -> str:
    """A digest of all that decides the outputs."""
    digest = hashlib.sha256(source)
    package = Path(rnnkit.__file__).parent
    for path in sorted(package.rglob("*")):
        place = path.relative_to(package)
        if (
            path.is_file()
            and "__pycache__" not in place.parts
            and place.parts[0] not in _NOT_IMPORTED
        ):
            digest.update(f"{place.as_posix()}\0".encode() + path.read_bytes())
    for name in _MOVES_NUMBERS:
        digest.update(f"{name} {version(name)}\0".encode())
    return digest.hexdigest()[:16]
