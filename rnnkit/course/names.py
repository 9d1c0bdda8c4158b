"""Check that the referee can tell whose the names in a unit's own cells are."""

from collections.abc import Iterator

from nbformat import NotebookNode

from rnnkit.course.findings import Finding
from rnnkit.course.metadata import tests_in_kernel
from rnnkit.course.notebooks import cell_name, nbgrader_metadata
from rnnkit.course.slices import names_of, star_imports, syntax_error

__all__ = ["check_names"]


def check_names(notebook: NotebookNode, file: str) -> list[Finding]:
    """Given cells and test cells from which the referee could not tell what to run.

    Args:
        notebook: A unit's solution notebook.
        file: The script's name for messages.
    """
    in_kernel = tests_in_kernel(notebook)
    return [
        Finding(file, problem, cell_name(cell, index))
        for index, cell in enumerate(notebook.cells)
        if _is_ours(cell)
        for problem in _problems(cell, nbgrader_metadata(cell).get("grade_id") in in_kernel)
    ]


def _is_ours(cell: NotebookNode) -> bool:
    """Whether a cell is code that the student cannot change."""
    settings = nbgrader_metadata(cell)
    locked = settings.get("locked") or settings.get("grade")
    return cell.cell_type == "code" and bool(locked) and not settings.get("solution")


def _problems(cell: NotebookNode, in_kernel: bool) -> Iterator[str]:
    if error := syntax_error(cell.source):
        yield f"is no Python that the referee can read: {error}. Put that line right."
    elif in_kernel:
        return
    elif modules := star_imports(cell.source):
        yield (
            f"imports * from {', '.join(modules)}, so nobody can tell whose those names are. "
            "Name each that is needed."
        )
    elif nbgrader_metadata(cell).get("grade") and names_of(cell.source) is None:
        yield (
            "is a test of which the referee cannot tell what it asks of the answer. "
            "Leave out IPython's own lines (%, !), exec, eval, globals and setattr."
        )
