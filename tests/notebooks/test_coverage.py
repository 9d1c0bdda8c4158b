"""The table of what is taught names sections, questions and functions that exist."""

import importlib
import re
from functools import reduce

import pytest

from rnnkit.course.kit import find_kit
from rnnkit.course.links import anchors
from rnnkit.course.notebooks import read_script

KIT = find_kit()
ROW = re.compile(
    r"\| S(?P<number>\d+) \| [^|]+ \| \[(?P<lecture>\w+)\]\((?P<link>[^)]+)\) "
    r"\| \[(?P<questions>[\d, ]+)\]\(\.\./exercises/(?P<unit>\w+)/(?P=unit)\.ipynb\) "
    r"\| (?P<names>[^|]+) \|"
)
LINES = (KIT.root / "docs" / "coverage.md").read_text(encoding="utf-8").splitlines()
ROWS = [match for match in map(ROW.fullmatch, LINES) if match]
# Shifted targets come a second time there; they belong to S21, which is unit 05's.
ASKED_BEFORE = {"06_attention": {"1"}}
BY_NUMBER = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"S{row['number']}")


def questions(unit: str) -> set[str]:
    """The numbers of an exercise's questions."""
    text = "\n".join(cell.source for cell in read_script(KIT.source_script(unit)).cells)
    return set(re.findall(r"^## Question (\d+)\.", text, re.MULTILINE))


def test_each_row_stands_once_in_its_place():
    assert [int(row["number"]) for row in ROWS] == list(range(1, 40))


@BY_NUMBER
def test_the_lecture_has_the_rows_section(row):
    assert row["link"] == f"../lectures/{row['lecture']}.ipynb#s{row['number']}"
    assert f"s{row['number']}" in anchors(KIT.lecture_script(row["lecture"]))


@BY_NUMBER
def test_the_exercise_has_the_questions(row):
    assert set(row["questions"].split(", ")) <= questions(row["unit"])


@BY_NUMBER
def test_the_package_has_the_names(row):
    for name in re.findall(r"`(\w+)\.([\w.]+)`", row["names"]):
        part, path = name
        module = importlib.import_module(f"rnnkit.{part}")
        assert path.split(".")[0] in module.__all__
        assert callable(reduce(getattr, path.split("."), module))


@pytest.mark.parametrize("unit", KIT.units())
def test_each_question_belongs_to_a_row(unit):
    named = {each for row in ROWS if row["unit"] == unit for each in row["questions"].split(", ")}
    assert questions(unit) - named == ASKED_BEFORE.get(unit, set())
