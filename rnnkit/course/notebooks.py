"""Percent scripts to notebooks, the same bytes each time."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbformat import NotebookNode

from rnnkit.errors import KitError

__all__ = [
    "cell_name",
    "nbgrader_metadata",
    "normalise",
    "notebook_bytes",
    "parse_notebook",
    "read_script",
]

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python"}
PAIRING = "ipynb,py:percent"

# What jupytext notes about blank lines of the script: no matter for a notebook.
SCRIPT_LAYOUT = ("lines_to_next_cell", "lines_to_end_of_cell_marker")

# What jupytext notes about the script's own form and its version.
OF_THE_SCRIPT = ("text_representation", "main_language")

VALID_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def read_script(path: Path) -> NotebookNode:
    """The notebook that a percent script gives, in its normal form.

    Args:
        path: A percent script.

    Raises:
        KitError: The file cannot be read, or is no percent script.
    """
    try:
        notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent")
    except Exception as error:  # jupytext and its YAML reader raise many kinds
        raise KitError(
            "a percent script with a YAML header (docs/authors.md)",
            f"{path}: {type(error).__name__}: {error}",
            "mend the script, then call the command again",
        ) from error
    return normalise(notebook, paired=True)


def normalise(notebook: NotebookNode, *, paired: bool) -> NotebookNode:
    """The notebook with all that varies from run to run taken out.

    Cell ids come from ``grade_id``, else from content and place among equal
    cells. Outputs and execution counts go, and so do the versions of the
    software that wrote the notebook.

    Args:
        notebook: Any notebook of format 4; it is left as it is.
        paired: Whether JupyterLab shall keep a percent script beside the
            notebook. True for sources; an exercise has no script.

    Returns:
        A new notebook of format 4.5.
    """
    metadata = {key: value for key, value in notebook.metadata.items() if key != "jupytext"}
    metadata |= {"kernelspec": KERNEL, "language_info": LANGUAGE}
    if paired:
        metadata["jupytext"] = _pairing(notebook.metadata.get("jupytext", {}))
    cells = [_normal_cell(cell) for cell in notebook.cells]
    for cell, name in zip(cells, _cell_ids(cells), strict=True):
        cell["id"] = name
    return nbformat.from_dict(
        {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    )


def notebook_bytes(notebook: NotebookNode) -> bytes:
    """The file's content: UTF-8, sorted keys, one newline at the end."""
    return (nbformat.writes(notebook).rstrip("\n") + "\n").encode()


def cell_name(cell: Any, index: int) -> str:
    """How messages name a cell: its place, counted from 1, and its ``grade_id``.

    Example:

    >>> cell_name({"metadata": {"nbgrader": {"grade_id": "q1-test"}}}, 4)
    'cell 5 (q1-test)'
    >>> cell_name({"metadata": {}}, 0)
    'cell 1'
    """
    grade_id = _grade_id(cell)
    return f"cell {index + 1}" + (f" ({grade_id})" if grade_id else "")


def nbgrader_metadata(cell: Any) -> dict[str, Any]:
    """A cell's nbgrader metadata; empty where it has none that can be read."""
    metadata = cell.get("metadata")
    settings = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return settings if isinstance(settings, dict) else {}


def parse_notebook(content: bytes) -> dict[str, Any] | None:
    """What a notebook's file holds; None if it is no notebook that can be read.

    Args:
        content: Any bytes. Each cell of the result has its source as one string.
    """
    try:
        notebook = json.loads(content)
        cells = [{**cell, "source": "".join(cell["source"])} for cell in notebook["cells"]]
        return {**notebook, "cells": cells}
    except (ValueError, KeyError, TypeError):
        return None


def _pairing(settings: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in settings.items() if key not in OF_THE_SCRIPT}
    return {"formats": PAIRING} | kept


def _normal_cell(cell: NotebookNode) -> dict[str, Any]:
    metadata = {key: value for key, value in cell.metadata.items() if key not in SCRIPT_LAYOUT}
    normal = {"cell_type": cell.cell_type, "metadata": metadata, "source": cell.source}
    if cell.cell_type == "code":
        normal |= {"execution_count": None, "outputs": []}
    if cell.get("attachments"):
        normal["attachments"] = cell.attachments
    return normal


def _cell_ids(cells: list[dict[str, Any]]) -> list[str]:
    names: list[str] = []
    for cell in cells:
        wanted = _grade_id(cell)
        if not VALID_ID.fullmatch(wanted):
            content = f"{cell['cell_type']}\n{cell['source']}"
            wanted = hashlib.sha256(content.encode()).hexdigest()[:12]
        names.append(_free_name(wanted, names))
    return names


def _free_name(wanted: str, taken: list[str]) -> str:
    name, copy = wanted, 1
    while name in taken:
        copy += 1
        name = f"{wanted[:58]}-{copy}"
    return name


def _grade_id(cell: Any) -> str:
    grade_id = nbgrader_metadata(cell).get("grade_id")
    return grade_id if isinstance(grade_id, str) else ""
