"""A small kit with one sound unit, to be spoiled in one place by each test."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rnnkit.course.build import build_exercise, build_lecture, build_solution
from rnnkit.course.check import check
from rnnkit.course.kit import Kit

ROOT = Path(__file__).resolve().parents[2]
UNIT = "01_toy"

SOUND = """\
# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       jupytext_version: 1.19.6
#   rnnkit:
#     points: 3
# ---

# %% [markdown]
# # A small unit
# It follows [the lecture](../../lectures/01_toy.ipynb#s1).

# %% [markdown]
# ## Double (2 points)

# %% nbgrader={"grade": false, "grade_id": "q1-double", "locked": false, "schema_version": 3, \
"solution": true, "task": false}
def double(number):
    ### BEGIN SOLUTION
    # an addition is quicker
    return number + number
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "q1-double-test", "locked": true, "points": 2, \
"schema_version": 3, "solution": false, "task": false}
assert double(2) == 4, "twice the number"
### BEGIN HIDDEN TESTS
assert double(-1) == -2, "negative too"
### END HIDDEN TESTS

# %% [markdown]
# ## Why? (1 point)

# %% [markdown] nbgrader={"grade": true, "grade_id": "q2-why", "locked": false, "points": 1, \
"schema_version": 3, "solution": true, "task": false}
# Because an addition of a number to itself gives its double.
"""


@pytest.fixture
def sound() -> str:
    """The source of a unit in which all is well."""
    return SOUND


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    """A kit without any unit."""
    root = tmp_path / "kit"
    for folder in ("solutions", "exercises", "lectures"):
        (root / folder).mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    return Kit(root)


@pytest.fixture
def add_unit(kit: Kit) -> Callable[..., str]:
    """Write a unit's source and build all that it gives."""

    def add(source: str, name: str = UNIT) -> str:
        write_unit(kit, source, name)
        solution = build_solution(kit, name)
        solution.write()
        for built in build_exercise(kit, name, solution):
            built.write()
        return name

    return add


@pytest.fixture
def add_lecture(kit: Kit) -> Callable[..., str]:
    """Write a lecture's source and build its notebook."""

    def add(source: str, name: str = UNIT) -> str:
        kit.lecture_script(name).write_text(source, encoding="utf-8")
        build_lecture(kit, name).write()
        return name

    return add


@pytest.fixture
def write_source(kit: Kit) -> Callable[..., None]:
    """Write a unit's source and build nothing."""
    return lambda source, name=UNIT: write_unit(kit, source, name)


def write_unit(kit: Kit, source: str, name: str) -> None:
    script = kit.source_script(name)
    script.parent.mkdir(exist_ok=True)
    script.write_text(source, encoding="utf-8")


@pytest.fixture
def found(kit: Kit) -> Callable[..., list[str]]:
    """What a check of the kit finds; references are not run unless asked."""

    def look(*, run: bool = False) -> list[str]:
        return [str(finding) for finding in check(kit, run=run).findings]

    return look
