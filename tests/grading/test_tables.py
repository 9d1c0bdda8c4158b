"""Tables for a spreadsheet and for the terminal."""

import csv
import io

import pytest
from tiny_unit import UNIT

from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.results import Earlier
from rnnkit.grading.score_changes import changes_csv, score_change
from rnnkit.grading.status import Status
from rnnkit.grading.tables import csv_text

FORMULA = '=HYPERLINK("http://example.com","marks").ipynb: The file is empty.'


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("text", [FORMULA, "+1+1", "-2+3", "@SUM(A1)", " \t=1", "\n-x"])
def test_text_of_a_cell_is_no_formula(text: str) -> None:
    [[cell]] = read(csv_text([[text]]))
    assert cell == "'" + " ".join(text.split())


@pytest.mark.parametrize("text", ["-0.5", "+3", "-1e-05", "", "1 - 2", "a=b", "ada"])
def test_number_and_other_text_stay_as_they_are(text: str) -> None:
    assert read(csv_text([["x", text]])) == [["x", text]]


def test_cell_holds_no_control_and_no_line_end() -> None:
    assert csv_text([["a\x1b[2J\x00b\r\n\u202ec", 2]]) == "a?[2J?b ?c,2\n"


def test_changes_name_no_formula() -> None:
    before = Earlier(3.0, {"q1-test": 2.0})
    change = score_change("=a\x1b[2J", before, Recorded(Status.OK, -1.0), 0.0, f"the file {UNIT}")
    assert change is not None
    assert read(changes_csv([change]))[1][:3] == ["'=a?[2J", "3", "-1"]
    assert change.line.startswith("=a?[2J: 3 → -1")
