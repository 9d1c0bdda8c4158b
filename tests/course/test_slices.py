"""What an answer can change, and what must run to see it."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rnnkit.course.slices import names_of, slice_notebook


def notebook(**sources: str):
    cells = []
    for grade_id, source in sources.items():
        cell = new_markdown_cell("text") if grade_id == "prose" else new_code_cell(source)
        cell.metadata["nbgrader"] = {"grade_id": grade_id}
        cells.append(cell)
    return new_notebook(cells=cells)


def ids(found, positions) -> list[str]:
    return [found.cells[index].metadata.nbgrader.grade_id for index in sorted(positions)]


UNIT = notebook(
    setup="import math",
    prose="",
    a="def first(x):\n    return math.sqrt(x)",
    a_test="assert first(4) == 2",
    b="def second(x):\n    return x + 1",
    b_test="assert second(1) == 2",
    both="def third(x):\n    return second(first(x))",
    c_test="assert third(4) == 3",
)
TESTS = {"a_test", "b_test", "c_test"}


def test_answer_runs_with_what_it_needs_and_what_needs_it() -> None:
    part = slice_notebook(UNIT, {"b"}, TESTS)
    assert ids(UNIT, part.run) == ["setup", "a", "b", "b_test", "both", "c_test"]


def test_test_of_another_question_is_not_run() -> None:
    part = slice_notebook(UNIT, {"a"}, TESTS)
    assert "b_test" not in ids(UNIT, part.run)


def test_function_that_is_given_later_is_still_needed() -> None:
    found = notebook(
        a="def first():\n    return helper()", help="def helper():\n    return 1", t="first()"
    )
    part = slice_notebook(found, {"help"}, {"t"})
    assert ids(found, part.run) == ["a", "help", "t"]


def test_cell_that_trains_a_model_is_needed_by_its_test() -> None:
    found = notebook(make="model = build()", train="model.fit(1)", t="assert model.ok")
    part = slice_notebook(found, {"make"}, {"t"})
    assert ids(found, part.run) == ["make", "train", "t"]


def test_method_of_a_module_changes_no_module() -> None:
    found = notebook(setup="import keras", seed="keras.seed(1)", a="x = keras.one()", t="assert x")
    part = slice_notebook(found, {"a"}, {"t"})
    assert ids(found, part.run) == ["setup", "a", "t"]


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline",
        "exec('x = 1')",
        "globals()['x'] = 1",
        "from math import *",
        "def f(a, a):\n    pass",
    ],
)
def test_everything_runs_where_names_cannot_be_told(source: str) -> None:
    found = notebook(odd=source, a="y = 1", t="assert y")
    assert names_of(source) is None
    assert ids(found, slice_notebook(found, {"a"}, {"t"}).run) == ["odd", "a", "t"]


@pytest.mark.parametrize(
    ("source", "sets", "uses"),
    [
        ("x = y", {"x"}, {"y"}),
        ("x[0] = y", {"x"}, {"x", "y"}),
        ("x.b = y", {"x"}, {"x", "y"}),
        ("def f():\n    inner = y\n    inner.append(1)", {"f"}, {"y"}),
        ("def f():\n    global z\n    z = 1", {"f", "z"}, set()),
        ("total = [w for w in words]", {"total"}, {"words"}),
        ("class A(B):\n    size = n", {"A"}, {"B", "n"}),
    ],
)
def test_names_are_those_of_the_notebook(source: str, sets: set[str], uses: set[str]) -> None:
    names = names_of(source)
    assert names is not None
    assert (set(names.sets), set(names.uses)) == (sets, uses)
