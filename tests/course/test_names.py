"""Cells of ours that the referee could not make sense of."""

import pytest

LOCKED = '"locked": true, "schema_version": 3, "solution": false, "task": false}'
QUESTION = "# %% [markdown]\n# ## Double"
GIVEN = f'# %% nbgrader={{"grade": false, "grade_id": "given", {LOCKED}\n'
TEST = 'assert double(2) == 4, "twice the number"'


@pytest.fixture
def problems(kit, add_unit, sound, found):
    """What a check finds in the sound unit with a given cell, or with another test."""

    def look(given="import math", test=TEST, settings=""):
        source = sound.replace(QUESTION, f"{GIVEN}{given}\n\n{QUESTION}").replace(TEST, test)
        graded = 'nbgrader={"grade": true'
        add_unit(source.replace(graded, settings + graded, 1))
        return found()

    return look


@pytest.mark.parametrize(
    "given",
    [
        "import math\nhalf = math.pi / 2",
        "# %matplotlib inline\nx = 1",
        "files = !ls",
        "from math import (pi,\n                  e)",
        "exec('x = 1')",
    ],
)
def test_given_cell_that_the_referee_can_read_is_no_fault(problems, given):
    assert problems(given) == []


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("x = = 1", "invalid syntax (line 1)"),
        ("# %matplotlib inline\nx = 1\ny = (", "'(' was never closed (line 3)"),
        ("x = 1\nreturn x", "'return' outside function (line 2)"),
        ("def f(a, a):\n    pass", "duplicate argument 'a' in function definition (line 1)"),
    ],
)
def test_given_cell_that_is_no_python_is_named_with_its_line(problems, given, why):
    assert problems(given) == [
        "solutions/01_toy/01_toy.py: cell 2 (given): is no Python that the referee can read: "
        f"{why}. Put that line right."
    ]


@pytest.mark.parametrize("given", ["from math import *", "if True:\n    from math import *"])
def test_given_cell_that_imports_all_names_is_named_with_the_module(problems, given):
    (finding,) = problems(given)
    assert finding.startswith("solutions/01_toy/01_toy.py: cell 2 (given): imports * from math, ")
    assert finding.endswith("Name each that is needed.")


@pytest.mark.parametrize(
    ("test", "finding"),
    [
        ("assert double(2) = = 4", "is no Python that the referee can read: invalid syntax"),
        ("from math import *\nassert double(2) == 4", "imports * from math"),
        ("# %timeit double(2)\nassert double(2) == 4", "the referee cannot tell what it asks"),
        ("assert eval('double(2)') == 4", "the referee cannot tell what it asks"),
    ],
)
def test_test_that_the_referee_cannot_plan_is_named(problems, test, finding):
    (found,) = problems(test=test)
    assert "(q1-double-test): " in found and finding in found


def test_test_that_runs_in_the_kernel_may_ask_as_it_likes(problems):
    test = "assert eval('double(2)') == 4"
    assert problems(test=test, settings='rnnkit={"run_in": "kernel"} ') == []


def test_answer_and_cell_of_nobody_may_be_as_they_are(add_unit, sound, found):
    source = sound.replace(QUESTION, f"# %%\nfrom math import *\n\n{QUESTION}")
    add_unit(source.replace("# an addition is quicker", "from math import pi"))
    assert found() == []
