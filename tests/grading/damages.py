"""A notebook as a student should hand it in, and what happens to notebooks."""

import copy
import json
import zlib
from collections.abc import Callable
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from tiny_unit import marked

from rnnkit.grading.canon import Canon, canon_of

UNIT = "00_tiny"
Damage = Callable[[dict[str, Any]], None]

SETUP = "import math\n\n\ndef close(a, b):\n    return math.isclose(a, b)"
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
HEAD = 'def double(x):\n    """Twice the number x."""'
DOUBLE = f"{HEAD}\n    total = x + x\n    return total"
PAIR = "def encode(x):\n    return x + 1\n\n\ndef decode(x):\n    return x - 1"
TRAIN = "EPOCHS = 3\n\nmodel = [math.pi] * EPOCHS"
WHY = "Because twice two\nis four."
MORE = "Nothing more, thank you."

# name, points, is an answer, released, solved
CODE = [
    ("setup", None, False, SETUP, SETUP),
    (
        "q1-double",
        None,
        True,
        f"{HEAD}\n    {STUB.replace(chr(10), chr(10) + '    ')}",
        f"{HEAD}\n    return 2 * x",
    ),
    ("q1-double-test", 2, False, "assert close(double(2), 4)", ""),
    ("q2-train", None, True, f"EPOCHS = 3\n\n{STUB}", TRAIN),
    ("q2-train-test", 1, False, "assert len(model) == EPOCHS", ""),
    ("q3-pair", None, True, STUB, PAIR),
    ("q3-pair-test", 1, False, "assert decode(encode(4)) == 4\nassert encode(1) != 1", ""),
]
ANSWERS = {"q1-double": DOUBLE, "q2-train": TRAIN, "q3-pair": PAIR, "q4-why": WHY, "q5-more": MORE}
NAMES = [row[0] for row in CODE] + ["q4-why", "q5-more"]


def notebook_of(kind: str) -> NotebookNode:
    """The exercise as ``released`` or ``solved``, or ``right``: as handed in."""
    cells = [new_markdown_cell("# Tiny\n\nA unit for tests.", id="title")]
    for name, points, is_answer, released, solved in CODE:
        cells.append(new_markdown_cell(f"## About {name}\n\nDo as asked.", id=f"about-{name}"))
        source = {"released": released, "solved": solved or released}.get(
            kind, ANSWERS.get(name, released)
        )
        cells.append(marked(new_code_cell(source), name, points, is_answer))
    for name in ("q4-why", "q5-more"):
        cells.append(new_markdown_cell(f"## Say {name}\n\nIn words.", id=f"about-{name}"))
        source = ANSWERS[name] if kind == "right" else "YOUR ANSWER HERE"
        cells.append(marked(new_markdown_cell(source), name, 3, True))
    notebook = new_notebook(cells=cells)
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    return notebook


def canon() -> Canon:
    return canon_of(UNIT, notebook_of("released"), notebook_of("solved"))


def right() -> dict[str, Any]:
    """The right submission, as it lies in a file."""
    data: dict[str, Any] = json.loads(nbformat.writes(notebook_of("right")))
    for cell in data["cells"]:
        cell["source"] = "".join(cell["source"])
    return data


# Finding cells in what is already damaged: None where they are not there.


def at(data: dict[str, Any], name: str) -> int | None:
    for index, cell in enumerate(data["cells"]):
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
            return index
    for index, cell in enumerate(data["cells"]):
        if cell.get("id") == name:
            return index
    return None


def change(name: str, action: Callable[[list[dict[str, Any]], int], None]) -> Damage:
    def damage(data: dict[str, Any]) -> None:
        index = at(data, name)
        if index is not None:
            action(data["cells"], index)

    return damage


def plain(cell_type: str, source: str) -> dict[str, Any]:
    cell = {
        "cell_type": cell_type,
        "metadata": {},
        "source": source,
        "id": f"own-{zlib.crc32(source.encode())}",
    }
    if cell_type == "code":
        cell |= {"outputs": [], "execution_count": None}
    return cell


# Damages


def copy_below(cells: list[dict[str, Any]], index: int) -> None:
    cells.insert(index + 1, copy.deepcopy(cells[index]) | {"id": "a-copy"})


def copy_to_end(cells: list[dict[str, Any]], index: int) -> None:
    cells.append(copy.deepcopy(cells[index]) | {"id": "a-copy"})


def copy_to_top(cells: list[dict[str, Any]], index: int) -> None:
    cells.insert(0, copy.deepcopy(cells[index]) | {"id": "a-copy"})


def split(with_marks: bool, after: int) -> Callable[[list[dict[str, Any]], int], None]:
    """Cut a cell after a number of lines; the second part has the marks too, or none."""

    def cut(cells: list[dict[str, Any]], index: int) -> None:
        lines = cells[index]["source"].split("\n")
        if len(lines) <= after:
            return
        rest = copy.deepcopy(cells[index]) | {"id": "the-rest", "source": "\n".join(lines[after:])}
        if not with_marks:
            rest["metadata"] = {}
        cells[index]["source"] = "\n".join(lines[:after])
        cells.insert(index + 1, rest)

    return cut


def delete(cells: list[dict[str, Any]], index: int) -> None:
    del cells[index]


def turn(cell_type: str) -> Callable[[list[dict[str, Any]], int], None]:
    def turned(cells: list[dict[str, Any]], index: int) -> None:
        cells[index]["cell_type"] = cell_type
        if cell_type == "code":
            cells[index] |= {"outputs": [], "execution_count": None}
        else:
            cells[index].pop("outputs", None)
            cells[index].pop("execution_count", None)

    return turned


def source(text: str) -> Callable[[list[dict[str, Any]], int], None]:
    def write(cells: list[dict[str, Any]], index: int) -> None:
        cells[index]["source"] = text

    return write


def mark(**marks: Any) -> Callable[[list[dict[str, Any]], int], None]:
    def write(cells: list[dict[str, Any]], index: int) -> None:
        cells[index]["metadata"].setdefault("nbgrader", {}).update(marks)

    return write


def lose_points(cells: list[dict[str, Any]], index: int) -> None:
    cells[index]["metadata"].get("nbgrader", {}).pop("points", None)


def move(to: int) -> Callable[[list[dict[str, Any]], int], None]:
    def moved(cells: list[dict[str, Any]], index: int) -> None:
        cells.insert(to if to >= 0 else len(cells), cells.pop(index))

    return moved


def lose_marks(cells: list[dict[str, Any]], index: int) -> None:
    cells[index]["metadata"] = {}


def lose_marks_and_id(cells: list[dict[str, Any]], index: int) -> None:
    cells[index]["metadata"] = {}
    cells[index]["id"] = f"new-{index}"


def lose_all_marks(data: dict[str, Any]) -> None:
    for cell in data["cells"]:
        cell["metadata"] = {}


def lose_all_marks_and_ids(data: dict[str, Any]) -> None:
    lose_all_marks(data)
    data["nbformat_minor"] = 0
    for cell in data["cells"]:
        cell.pop("id", None)


def double_ids(data: dict[str, Any]) -> None:
    for cell in data["cells"]:
        cell["id"] = "same"


def colab(data: dict[str, Any]) -> None:
    """What Colab makes of a notebook."""
    data["nbformat_minor"] = 0
    data["metadata"] = {"colab": {"provenance": [], "name": "Ada's copy"}, "accelerator": "GPU"}
    user = {"displayName": "Ada Lovelace", "userId": "0815"}
    for number, cell in enumerate(data["cells"]):
        cell.pop("id", None)
        cell["metadata"]["id"] = f"colab{number // 2}"
        if cell["cell_type"] == "code":
            cell["metadata"]["executionInfo"] = {"status": "ok", "user": user}
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 100}]


def widgets_without_state(data: dict[str, Any]) -> None:
    data["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"a": {}}}


def other_kernel(data: dict[str, Any]) -> None:
    data["metadata"]["kernelspec"] = {"name": "my_env", "display_name": "my_env"}


def broken_structure(data: dict[str, Any]) -> None:
    """Things that the format forbids."""
    data["metadata"] = []
    for cell in data["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
        cell["id"] = "not a valid id!"
        if cell["cell_type"] == "code":
            cell["outputs"] = {"no": "list"}
            cell["execution_count"] = "many"
    data["cells"].append("no cell")
    data["cells"].append({"cell_type": "code", "source": None, "metadata": None})


def version_5(data: dict[str, Any]) -> None:
    data["nbformat"] = 5


def reverse(data: dict[str, Any]) -> None:
    data["cells"].reverse()


def other_unit(data: dict[str, Any]) -> None:
    cell = plain("code", "assert other_unit()")
    cell["metadata"]["nbgrader"] = {
        "grade_id": "q9-other-test",
        "grade": True,
        "solution": False,
        "locked": True,
        "points": 5,
        "schema_version": 3,
    }
    data["cells"].insert(4, cell)


def old_marks(data: dict[str, Any]) -> None:
    """nbgrader's metadata as its first versions wrote it, with keys of their own."""
    for cell in data["cells"]:
        marks = cell["metadata"].get("nbgrader")
        if marks:
            marks.pop("schema_version", None)
            marks.pop("task", None)
            marks["checksum"] = "old"
            marks["something"] = 1


def wrong_marks(data: dict[str, Any]) -> None:
    """Values of kinds that nbgrader does not expect."""
    for cell in data["cells"]:
        marks = cell["metadata"].get("nbgrader")
        if marks:
            marks["schema_version"] = "three"
            marks["cell_type"] = 7


def own_cells(data: dict[str, Any]) -> None:
    """A student's own cells, with one that an answer needs."""
    data["cells"].insert(3, plain("code", "scratch = 1"))
    data["cells"].insert(3, plain("markdown", "A note to myself."))
    data["cells"].append(plain("code", "scratch + 1"))


TABLE: dict[str, Damage] = {
    "nothing": lambda data: None,
    "test cell copied below": change("q1-double-test", copy_below),
    "test cell copied to the end": change("q1-double-test", copy_to_end),
    "test cell copied to the top": change("q1-double-test", copy_to_top),
    "given cell copied": change("setup", copy_to_end),
    "answer copied below": change("q1-double", copy_below),
    "answer copied to the end": change("q3-pair", copy_to_end),
    "answer copied to the top": change("q3-pair", copy_to_top),
    "written answer copied": change("q4-why", copy_below),
    "answer split in its body, marks doubled": change("q1-double", split(True, 3)),
    "answer split in its body, marks lost": change("q1-double", split(False, 3)),
    "answer split after its head": change("q1-double", split(False, 2)),
    "answer split in the middle of its head": change("q1-double", split(True, 1)),
    "answer split between functions": change("q3-pair", split(True, 4)),
    "written answer split, marks doubled": change("q4-why", split(True, 1)),
    "written answer split, marks lost": change("q4-why", split(False, 1)),
    "training split, marks doubled": change("q2-train", split(True, 2)),
    "test cell deleted": change("q1-double-test", delete),
    "last test cell deleted": change("q3-pair-test", delete),
    "given cell deleted": change("setup", delete),
    "all metadata gone": lose_all_marks,
    "all metadata and ids gone": lose_all_marks_and_ids,
    "metadata of an answer gone": change("q2-train", lose_marks),
    "metadata and id of an answer gone": change("q3-pair", lose_marks_and_id),
    "metadata and id of a written answer gone": change("q5-more", lose_marks_and_id),
    "metadata and id of a test gone": change("q2-train-test", lose_marks_and_id),
    "test cell turned into Markdown": change("q1-double-test", turn("markdown")),
    "test cell turned into raw": change("q2-train-test", turn("raw")),
    "answer turned into Markdown": change("q1-double", turn("markdown")),
    "answer turned into raw": change("q3-pair", turn("raw")),
    "written answer turned into code": change("q4-why", turn("code")),
    "points edited": change("q1-double-test", mark(points=200)),
    "points of a wrong kind": change("q1-double-test", mark(points="all")),
    "points gone": change("q1-double-test", lose_points),
    "test marked as no test": change("q1-double-test", mark(grade=False)),
    "test marked as an answer": change("q1-double-test", mark(solution=True, locked=False)),
    "answer marked as locked": change("q1-double", mark(solution=False, locked=True)),
    "test edited": change("q1-double-test", source("pass  # assert close(double(2), 4)")),
    "test emptied": change("q1-double-test", source("")),
    "given cell edited": change("setup", source("def close(a, b):\n    return True")),
    "answer moved to the end": change("q1-double", move(-1)),
    "test moved to the top": change("q1-double-test", move(0)),
    "given cell moved to the end": change("setup", move(-1)),
    "cells in reverse": reverse,
    "grade_id in another case": change("q1-double", mark(grade_id="Q1_Double")),
    "grade_id misspelt": change("q1-double-test", mark(grade_id="q1-duoble-test")),
    "cells of another unit": other_unit,
    "ids doubled": double_ids,
    "Colab": colab,
    "widgets without state": widgets_without_state,
    "another kernel": other_kernel,
    "structure broken": broken_structure,
    "a later format": version_5,
    "nbgrader's first metadata": old_marks,
    "metadata of wrong kinds": wrong_marks,
    "cells of the student's own": own_cells,
}
