"""Begin a unit: a script with two small questions and a written one, and answers to it."""

import json
import re
import shutil
import tempfile
from pathlib import Path

from rnnkit.course.kit import Kit
from rnnkit.course.metadata import SCHEMA
from rnnkit.errors import KitError

__all__ = ["begin_unit"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
LONGEST_TITLE = 80

HEADER = """\
# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     notebook_metadata_filter: rnnkit
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
#   rnnkit:
#     points: 5
# ---

"""

# SETUP, STEP, STEP_TEST and the like become the cells' metadata.
SCRIPT = """\
# %% [markdown]
# # TITLE
#
# Say here what the exercise is about, what students write and what they are given.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise
# NotImplementedError()`. The cell below your answer tests it. There are also hidden tests; they
# use other numbers.
#
# 5 points; about 20 minutes.

# %% SETUP
import numpy as np

# %% [markdown]
# ## Question 1. One step of a memory (2 points)
#
# A memory keeps the share `keep` of what it holds, and takes the rest from the new value: $h' =
# k h + (1 - k) x$. Write `memory_step`. About 1 line.

# %% STEP
def memory_step(state, value, keep):
    \"\"\"The new state.

    state, value: arrays of the same shape
    keep: a number from 0 to 1
    \"\"\"
    ### BEGIN SOLUTION
    return keep * state + (1 - keep) * value
    ### END SOLUTION

# %% STEP_TEST
new = memory_step(np.array([1.0, 2.0]), np.array([3.0, 2.0]), 0.75)
assert np.allclose(new, [1.5, 2.0]), f"memory_step: received {new}, expected [1.5, 2.0]"
### BEGIN HIDDEN TESTS
kept = memory_step(np.array([4.0]), np.array([-4.0]), 1.0)
assert np.allclose(kept, [4.0]), "memory_step: with keep = 1, nothing of the new value comes in"
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2. A whole sequence (2 points)
#
# Begin with the state 0 and let the memory read `values`, one after another. Write
# `read_sequence`, which returns the state after each value. About 5 lines.

# %% READ
def read_sequence(values, keep):
    \"\"\"The state after each value, an array (time,).

    values: numbers (time,)
    keep: a number from 0 to 1
    \"\"\"
    ### BEGIN SOLUTION
    state, states = 0.0, []
    for value in values:
        state = keep * state + (1 - keep) * value
        states.append(state)
    return np.array(states)
    ### END SOLUTION

# %% READ_TEST
states = read_sequence(np.array([1.0, 0.0, 0.0]), 0.5)
assert np.shape(states) == (3,), f"read_sequence: one state for each value, not {np.shape(states)}"
assert np.allclose(states, [0.5, 0.25, 0.125]), f"read_sequence: received {states}"
### BEGIN HIDDEN TESTS
states = read_sequence(np.array([2.0, -1.0, 4.0, 0.5]), 0.9)
assert np.allclose(states, [0.2, 0.08, 0.472, 0.4748]), "read_sequence: wrong for other values"
### END HIDDEN TESTS

# %% [markdown]
# ## Question 3. What it remembers (1 point)
#
# What changes in what the memory holds when `keep` goes from 0.5 to 0.99? Two sentences.

# %% [markdown] WHY
# With 0.5, a value counts for a few steps only, because its share is halved at each step. With
# 0.99 it counts for about a hundred steps, but one value alone changes the state by a hundredth
# only.
"""

RIGHT = """\
# right: with NumPy, and the sum written out
# %% q1-step
def memory_step(state, value, keep):
    return value + keep * (np.asarray(state) - value)


# %% q2-read
def read_sequence(values, keep):
    values = np.asarray(values, dtype=float)
    ages = np.subtract.outer(np.arange(len(values)), np.arange(len(values)))
    shares = np.where(ages >= 0, (1 - keep) * keep ** np.maximum(ages, 0.0), 0.0)
    return shares @ values
"""

WRONG = """\
# wrong: the two shares are exchanged
# loses: q1-step-test
# says: memory_step: received
# %% q1-step
def memory_step(state, value, keep):
    return (1 - keep) * state + keep * value
"""

BLANK = "# blank: the exercise as released\n"


def begin_unit(kit: Kit, unit: str, title: str = "") -> list[Path]:
    """Write the script of a new unit, and answers that show how it grades.

    Args:
        kit: The kit.
        unit: The unit's name: its folder and its notebook will be called so.
        title: The notebook's title; the name by default.

    Returns:
        The files that were written.

    Raises:
        KitError: The name or the title cannot be used, or the unit is there.
    """
    _check_name(kit, unit)
    title = title.strip() or unit
    if len(title) > LONGEST_TITLE or not title.isprintable():
        raise KitError(
            f"a title of one line with at most {LONGEST_TITLE} letters",
            repr(title),
            "shorten it; the text below the title has room for more",
        )
    files = {
        kit.source_script(unit): HEADER + _with_metadata(SCRIPT).replace("TITLE", title, 1),
        kit.answers / unit / "blank.py": BLANK,
        kit.answers / unit / "right_numpy.py": RIGHT,
        kit.answers / unit / "wrong_shares_exchanged.py": WRONG,
    }
    written: list[Path] = []
    try:
        for folder in (kit.source_script(unit).parent, kit.answers / unit):
            _write_folder(folder, {p.name: t for p, t in files.items() if p.parent == folder})
            written.append(folder)
    except OSError:
        for folder in written:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return list(files)


def _check_name(kit: Kit, unit: str) -> None:
    if not NAME.fullmatch(unit):
        raise KitError(
            "a name of 1 to 40 letters (a to z), digits, '-' or '_', such as 08_my_unit",
            repr(unit),
            "call the command again with such a name",
        )
    for path in (kit.solutions / unit, kit.exercises / unit, kit.answers / unit):
        if path.exists():
            raise KitError(
                "the name of a unit that is not there yet",
                f"{kit.shown(path)} is there",
                "take another name, or delete what is left of the old unit",
            )


def _write_folder(folder: Path, files: dict[str, str]) -> None:
    """Write a folder so that it is there whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as place:
        part = Path(place) / folder.name
        part.mkdir()
        for name, text in files.items():
            (part / name).write_text(text, encoding="utf-8")
        part.rename(folder)


def _with_metadata(script: str) -> str:
    """The script with each cell's nbgrader metadata in its first line."""
    for word, marks in {
        "SETUP": _marks("setup", locked=True),
        "STEP": _marks("q1-step", solution=True),
        "STEP_TEST": _marks("q1-step-test", locked=True, points=2),
        "READ": _marks("q2-read", solution=True),
        "READ_TEST": _marks("q2-read-test", locked=True, points=2),
        "WHY": _marks("q3-why", solution=True, points=1),
    }.items():
        script = re.sub(rf"^(# %%.*) {word}$", rf"\g<1> nbgrader={marks}", script, flags=re.M)
    return script


def _marks(
    grade_id: str, *, locked: bool = False, solution: bool = False, points: int | None = None
) -> str:
    marks = {
        "grade": points is not None,
        "grade_id": grade_id,
        "locked": locked,
        "schema_version": SCHEMA,
        "solution": solution,
        "task": False,
    } | ({} if points is None else {"points": points})
    return json.dumps(dict(sorted(marks.items())))
