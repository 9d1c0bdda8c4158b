"""The class report says what the class did."""

import dataclasses
import html
import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from tiny_unit import CONFIG, UNIT

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.classroom import ClassResult, Row
from rnnkit.grading.course import Course
from rnnkit.grading.feedback import status_page
from rnnkit.grading.folders import course_directory, load_config
from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Fence
from rnnkit.grading.report import write_report
from rnnkit.grading.score_changes import ScoreChange
from rnnkit.grading.status import Status
from rnnkit.grading.tables import class_table, grades_csv

GREETING = "the greeting is not as asked"


@pytest.fixture
def result(assignment: Assignment, tmp_path: Path) -> ClassResult:
    """A class of three: full marks, some, and no score."""
    config = load_config(CONFIG)
    course = Course(tmp_path, UNIT, CONFIG, config, course_directory(tmp_path, config), ())
    page = tmp_path / "feedback" / "x.html"

    def row(student: str, recorded: Recorded, **failures: str) -> Row:
        failures = {name.replace("_", "-"): text for name, text in failures.items()}
        return Row(student, recorded, 1.0, failures, page, None)

    cells = ["q1-double-test", "q2-greet-test", "q3-why"]
    full = Recorded(Status.OK, 6.0, dict(zip(cells, [2.0, 1.0, 3.0], strict=True)))
    part = Recorded(
        Status.NEEDS_HAND_GRADING, 1.0, dict(zip(cells, [1.0, 0.0, None], strict=True)), waiting=1
    )
    rows = [
        row("ada", full),
        row("<b>ben</b>", part, q1_double_test=GREETING, q2_greet_test=GREETING),
        row("cy", Recorded(Status.MISSING, note="the folder is empty")),
    ]
    return ClassResult(course, assignment, Limits(), rows)


def page_of(result: ClassResult) -> str:
    write_report(result)
    return result.report.read_text(encoding="utf-8")


def test_summary_counts_students_without_a_score_apart(result: ClassResult) -> None:
    page = page_of(result)
    assert "<b>3</b>students" in page
    assert "<b>2</b>with a score" in page
    assert "<b>3.5</b>mean of 6" in page


def test_question_shows_all_some_and_none(result: ClassResult) -> None:
    assert "1 all points, 1 some, 0 none, 0 not graded yet" in page_of(result)
    assert "1 all points, 0 some, 0 none, 1 not graded yet" in page_of(result)


def test_same_message_from_two_cells_is_one_line(result: ClassResult) -> None:
    page = page_of(result)
    assert page.count(GREETING) == 1
    assert "q1-double-test, q2-greet-test" in page


def test_names_are_text_not_markup(result: ClassResult) -> None:
    assert "<b>ben</b>" not in page_of(result)


def test_score_that_is_not_there_is_no_zero(result: ClassResult) -> None:
    row = re.search(r"<b>cy</b>.*?</tr>", page_of(result), re.DOTALL)
    assert row is not None
    assert ">none<" in row.group()


def test_class_without_any_score_has_a_report(result: ClassResult) -> None:
    assert "<b>0</b>with a score" in page_of(dataclasses.replace(result, rows=result.rows[2:]))


def test_page_needs_nothing_from_elsewhere(result: ClassResult) -> None:
    assert not re.search(r"https?:|<script|<link", page_of(result))


@pytest.mark.parametrize("status", Status)
def test_each_status_has_a_sentence_for_each_reader(result: ClassResult, status: Status) -> None:
    row = dataclasses.replace(result.rows[2], recorded=Recorded(status))
    page = html.unescape(page_of(dataclasses.replace(result, rows=[row])))
    assert page.count(status.for_instructor) == 2  # once for the class, once in the row
    assert status.for_student in html.unescape(status_page("cy", UNIT, status, ""))
    assert status.value in grades_csv(dataclasses.replace(result, rows=[row]))


def test_run_behind_no_whole_fence_is_a_mark_at_the_top_and_in_its_row(
    result: ClassResult, tmp_path: Path
) -> None:
    fences = (Fence.NONE, Fence.WEAK, Fence.FULL)
    rows = [
        dataclasses.replace(row, fence=fence, autograded=tmp_path / "x.ipynb")
        for row, fence in zip(result.rows, fences, strict=True)
    ]
    page = page_of(dataclasses.replace(result, rows=rows))
    assert "1 of 3 submissions were run without a fence" in page
    assert "1 of 3 submissions were run behind a weaker fence" in page
    assert page.count('class="mark"') == 2


def test_page_and_tables_hold_no_control_characters(result: ClassResult) -> None:
    acts = "a\x1b[2J\x00\u202eb"
    row = dataclasses.replace(
        result.rows[1],
        student=acts,
        recorded=dataclasses.replace(result.rows[1].recorded, note=f"=1 {acts}"),
        failures={"q1-double-test": acts},
    )
    result = dataclasses.replace(result, rows=[row])
    page, terminal = page_of(result), Console(record=True, file=io.StringIO(), width=200)
    terminal.print(class_table(result))
    for text in (page, grades_csv(result), terminal.export_text()):
        assert "a?[2J?b" in text
        assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert "'=1 a?[2J?b\n" in grades_csv(result)


def test_whole_fence_needs_no_words(result: ClassResult) -> None:
    assert "fence" not in page_of(result)


def test_time_and_memory_are_summed_up(result: ClassResult) -> None:
    rows = [
        dataclasses.replace(row, seconds=40.0, peak_bytes=number * 10**9)
        for number, row in enumerate(result.rows)
    ]
    page = page_of(dataclasses.replace(result, rows=rows))
    assert "<b>2 min 0 s</b>run time of all together" in page
    assert "<b>2000 MB</b>most memory of one" in page


def test_scores_that_changed_are_listed_with_the_reason(result: ClassResult) -> None:
    change = ScoreChange("ada", 6.0, None, {"q3-why": (3.0, None)}, "the submission changed")
    page = page_of(dataclasses.replace(result, changes=[change]))
    assert "q3-why 3 → none" in page
    assert "because the submission changed" in page
    assert "Scores that changed" not in page_of(result)
