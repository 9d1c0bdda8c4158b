"""A made-up unit, small enough that grading it takes seconds."""

import hashlib
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rnnkit.course.kit import Kit
from rnnkit.grading.assignment import Assignment, prepare_assignment
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Outcome, Submission

UNIT = "00_tiny"
CONFIG = Path(__file__).parents[2] / "nbgrader_config.py"
QUICK = Limits(cell_seconds=3, notebook_seconds=60, jobs=2, sandbox="try")

DOUBLE = """def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION"""
DOUBLE_TEST = """assert double(2) == 4, "double(2) is not 4"
### BEGIN HIDDEN TESTS
secret_number = 21
assert double(secret_number) == 42, "the double of another number is wrong"
### END HIDDEN TESTS"""
GREET = """def greet(name):
    ### BEGIN SOLUTION
    return "hello " + name
    ### END SOLUTION"""
GREET_TEST = """assert greet("Ada") == "hello Ada", "the greeting is not as asked\""""


def marked(cell: NotebookNode, grade_id: str, points: int | None, solution: bool) -> NotebookNode:
    data = {
        "grade_id": grade_id,
        "grade": points is not None,
        "solution": solution,
        "locked": not solution,
        "task": False,
        "schema_version": 3,
    }
    if points is not None:
        data["points"] = points
    cell.metadata["nbgrader"] = data
    cell["id"] = grade_id
    return cell


def notebook_of(cells: list[NotebookNode]) -> NotebookNode:
    """A notebook of Python cells, with the kernel that runs them."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def reference_notebook() -> NotebookNode:
    return notebook_of(
        [
            new_markdown_cell("# Tiny", id="title"),
            new_markdown_cell("## Double (2 points)", id="heading-double"),
            marked(new_code_cell(DOUBLE), "q1-double", None, True),
            marked(new_code_cell(DOUBLE_TEST), "q1-double-test", 2, False),
            new_markdown_cell("## Greet (1 point)", id="heading-greet"),
            marked(new_code_cell(GREET), "q2-greet", None, True),
            marked(new_code_cell(GREET_TEST), "q2-greet-test", 1, False),
            new_markdown_cell("## Why? (3 points)", id="heading-why"),
            marked(new_markdown_cell("Because."), "q3-why", 3, True),
        ]
    )


def write_answers(kit: Kit) -> None:
    """A right, a wrong and a blank answer of the made-up unit."""
    folder = kit.answers / UNIT
    folder.mkdir(parents=True)
    double = "# %% q1-double\ndef double(x):\n    return {}\n"
    (folder / "right_sum.py").write_text("# right: adds\n" + double.format("x + x"))
    (folder / "wrong_square.py").write_text(
        "# wrong: squares\n# loses: q1-double-test\n" + double.format("x * x")
    )
    (folder / "blank.py").write_text("# blank: as released\n")


def make_kit(root: Path, reference: NotebookNode | None = None) -> Kit:
    """A kit with this one unit: the made-up one, or another solution under its name."""
    folder = root / "solutions" / UNIT
    folder.mkdir(parents=True)
    (root / "exercises").mkdir()
    (root / "nbgrader_config.py").write_text(CONFIG.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / f"{UNIT}.py").write_text("# the script\n", encoding="utf-8")
    nbformat.write(reference or reference_notebook(), folder / f"{UNIT}.ipynb")
    return Kit(root)


def prepared(root: Path, reference: NotebookNode | None = None) -> Assignment:
    """The unit of `make_kit`, ready to be graded."""
    kit = make_kit(root / "kit", reference)
    config = kit.root / "nbgrader_config.py"
    return prepare_assignment(UNIT, kit.solutions / UNIT, config, root / "prepared")


def handed_in(assignment: Assignment, **sources: str) -> NotebookNode:
    """The reference with the source of some cells replaced (``q1_double=...``)."""
    notebook = nbformat.from_dict(assignment.reference)
    notebook = nbformat.reads(nbformat.writes(notebook), as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "").replace("-", "_")
        cell.source = sources.pop(name, cell.source)
    assert not sources
    return notebook


def hand_in(folder: Path, student: str, notebook: NotebookNode | str | bytes | None) -> Submission:
    """Write what a student handed in; None stands for an empty folder."""
    place = folder / student / UNIT
    place.mkdir(parents=True)
    path = place / f"{UNIT}.ipynb"
    if isinstance(notebook, bytes):
        path.write_bytes(notebook)
    elif isinstance(notebook, str):
        path.write_text(notebook, encoding="utf-8")
    elif notebook is not None:
        nbformat.write(notebook, path)
    return Submission(student, place)


def points(outcome: Outcome) -> dict[str, float | None]:
    """Points by cell."""
    return {name: pair[0] for name, pair in outcome.points.items()}


def scores(outcome: Outcome) -> list[float | None]:
    """Points of q1, q2 and q3."""
    return [pair[0] for pair in outcome.points.values()]


EXIT_IN_FUNCTION = "import os\ndef double(x):\n    os._exit(1)"


def tree_digest(folder: Path) -> str:
    """Changes when a file below the folder changes, its mode included."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(str(path.relative_to(folder)).encode())
        digest.update(str(path.stat().st_mode).encode())
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()
