"""A sample class, made from a unit's answer files and three notebooks that break graders."""

import ast
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading.answers import REFERENCE, Answer, answer_files, answer_notebook, read_answer
from rnnkit.grading.assignment import Assignment

__all__ = ["MARKER", "clear_folder", "write_sample_class"]

MARKER = ".rnnkit-demo"
RIGHT_ANSWERS = 3
WRONG_ANSWERS = 4  # with the reference, a blank and three broken ones: a class of 12


def clear_folder(root: Path) -> None:
    """Empty a folder that an earlier demo made, or make it.

    Args:
        root: The folder.

    Raises:
        KitError: The folder holds something that no demo made, or cannot be made.
    """
    if root.exists():
        if not root.is_dir() or (any(root.iterdir()) and not (root / MARKER).is_file()):
            raise KitError(
                "a folder that does not exist yet, is empty, or was made by `rnnkit demo`",
                f"{root}, which holds something else",
                "name another folder: rnnkit demo OTHER",
            )
        shutil.rmtree(root)
    try:
        root.mkdir(parents=True)
        (root / MARKER).write_text("Made by `rnnkit demo`, which deletes it again.\n")
    except OSError as error:
        raise KitError(
            "a folder that can be made", f"{root}: {error.strerror}", "name another folder"
        ) from error


def write_sample_class(kit: Kit, assignment: Assignment, submitted: Path) -> list[str]:
    """Write what the students of the sample class hand in.

    Args:
        kit: The kit, with the unit's answer files.
        assignment: The unit.
        submitted: The folder ``submitted/`` of the course.

    Returns:
        The students' names.
    """
    answers = [read_answer(path) for path in answer_files(kit, assignment.unit)]
    chosen = [answer for answer in answers if answer.kind == "blank"][:1]
    chosen += [answer for answer in answers if answer.kind == "right"][:RIGHT_ANSWERS]
    reference = Answer(None, REFERENCE, "the solutions themselves")
    wrong = [answer for answer in answers if answer.kind == "wrong"]
    # Spread over the files, so that different questions are answered wrong.
    chosen += wrong[:: max(1, len(wrong) // WRONG_ANSWERS)][:WRONG_ANSWERS]
    texts = {
        answer.name.replace("_", "-"): nbformat.writes(answer_notebook(answer, assignment))
        for answer in [reference, *chosen]
    }
    whole = texts[REFERENCE]
    texts["endless-loop"] = nbformat.writes(_with_change(assignment, _loop))
    texts["kills-its-kernel"] = nbformat.writes(_with_change(assignment, _exit))
    texts["cut-off-file"] = whole[: len(whole) // 2]
    for student, text in texts.items():
        folder = submitted / student / assignment.unit
        folder.mkdir(parents=True)
        (folder / f"{assignment.unit}.ipynb").write_text(text, encoding="utf-8")
    return list(texts)


def _with_change(assignment: Assignment, change: Callable[[str], str]) -> NotebookNode:
    """The reference with its last solution that defines a function changed."""
    notebook = answer_notebook(Answer(None, REFERENCE, ""), assignment)
    for cell in reversed(notebook.cells):
        is_solution = cell.metadata.get("nbgrader", {}).get("solution")
        if cell.cell_type == "code" and is_solution and _first_function(cell.source):
            cell.source = change(cell.source)
            return notebook
    raise KitError(
        "a solution cell that defines a function", "none in the reference", "add one to the unit"
    )


def _first_function(source: str) -> ast.FunctionDef | None:
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return functions[0] if functions else None


def _loop(source: str) -> str:
    return "while True:\n    pass\n\n" + source


def _exit(source: str) -> str:
    """The source with a function that ends Python when it is called."""
    function = _first_function(source)
    assert function is not None
    first = function.body[0]
    lines = source.split("\n")
    lines.insert(first.lineno - 1, " " * first.col_offset + "import os; os._exit(1)")
    return "\n".join(lines)
