"""Run a unit's reference solution and see that each test cell gives full marks."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbgrader.utils import determine_grade

from rnnkit.course.findings import Finding
from rnnkit.course.kit import Kit
from rnnkit.course.notebooks import cell_name, nbgrader_metadata
from rnnkit.course.settings import nbgrader_settings

__all__ = ["check_reference"]

SHOWN = 200  # characters of a message


def check_reference(kit: Kit, unit: str, notebook: NotebookNode) -> list[Finding]:
    """Run the reference in one kernel, with training shortened.

    Args:
        kit: The kit.
        unit: The unit's name.
        notebook: The unit's solution notebook; outputs are written into it.

    Returns:
        Cells that fail, and test cells that print to stderr (nbgrader gives 0
        for that) or give less than full marks.
    """
    file = kit.shown(kit.source_script(unit))
    with tempfile.TemporaryDirectory(prefix="rnnkit-run-") as folder:
        place = Path(folder) / unit
        # The notebook reads what lies beside it, and must not write there.
        ignore = shutil.ignore_patterns("*.ipynb", "*.py", "__pycache__")
        shutil.copytree(kit.solutions / unit, place, ignore=ignore)
        stopped = _execute(notebook, place, nbgrader_settings(kit))
    found = [
        Finding(file, problem, cell_name(cell, index))
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and (problem := _problem(cell))
    ]
    if stopped:
        found.append(Finding(file, f"the run of the reference stopped: {stopped}"))
    return found


def _execute(notebook: NotebookNode, place: Path, settings: dict) -> str:
    timeout = settings.get("ExecutePreprocessor", {}).get("timeout") or None
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        allow_errors=True,  # go on, to name every cell that fails
        resources={"metadata": {"path": str(place)}},
    )
    try:
        # What the kernel itself says (not its cells) would only clutter the terminal.
        client.execute(
            env={**os.environ, "RNNKIT_FAST": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except CellTimeoutError:
        return f"a cell took more than {timeout} s"
    except DeadKernelError as error:
        return f"the kernel died ({error})"
    return ""


def _problem(cell: NotebookNode) -> str:
    error = next((out for out in cell.outputs if out.output_type == "error"), None)
    if error is not None:
        return f"fails when the reference runs: {error.ename}: {error.evalue}"[:SHOWN]
    settings = nbgrader_metadata(cell)
    if not settings.get("grade") or settings.get("solution"):
        return ""
    printed = "".join(
        out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stderr"
    )
    if printed:
        return f"prints to stderr, for which nbgrader gives 0: {printed.strip()!r}"[:SHOWN]
    try:
        points, most = determine_grade(cell)
    except (KeyError, TypeError, ValueError) as error:  # no points, or more than there are
        return f"nbgrader cannot tell its points: {error}"
    if points != most:
        return f"gives the reference {points:g} of {most:g} points"
    return ""
