"""Points and numbers in a script's texts follow its cells."""

from pathlib import Path

import pytest

from rnnkit.course.kit import find_kit
from rnnkit.course.stated import check_stated, settled
from rnnkit.errors import KitError

HEADER = """\
# ---
# jupyter:
#   kernelspec:
#     name: python3
#   rnnkit:
#     points: {total}
# ---

"""
TEST = '# %% nbgrader={{"grade": true, "grade_id": "{name}", "points": {points}}}\nassert True\n\n'


def script(*questions, total="9", title=""):
    """A script of questions: (heading, points of each test, text)."""
    parts = [HEADER.format(total=total), title]
    for number, (heading, points, text) in enumerate(questions):
        parts.append(f"# %% [markdown]\n# ## {heading}\n#\n# {text}\n\n")
        parts += [TEST.format(name=f"q{number}-{i}", points=p) for i, p in enumerate(points)]
    return "".join(parts)


def headings(text):
    return [line.removeprefix("# ## ") for line in text.split("\n") if line.startswith("# ## ")]


def test_points_of_headings_and_header_come_from_the_cells():
    text = settled(script(("A (1 point)", [2, 1.5], ""), ("B (7 points)", [1], "")))
    assert headings(text) == ["A (3.5 points)", "B (1 point)"]
    assert "#     points: 4.5\n" in text


def test_total_in_the_title_and_in_the_line_that_begins_with_it_follow():
    title = "# %% [markdown]\n# # Exercise (20 points)\n#\n# 20 points; about 90 minutes.\n\n"
    text = settled(script(("A (1 point)", [1], ""), title=title))
    assert "# # Exercise (1 point)\n" in text
    assert "# 1 point; about 90 minutes.\n" in text


def test_heading_without_points_stays_without():
    text = script(("Part one", [], ""), ("A (1 point)", [1], ""), total="1")
    assert settled(text) == text


def test_words_in_an_answer_or_in_code_are_left_alone():
    answer = (
        '# %% [markdown] nbgrader={"grade": true, "solution": true, "grade_id": "w", "points": 1}\n'
        "# ## My heading (5 points)\n"
    )
    code = "# %%\n# ## A comment (5 points)\nx = 1\n"
    text = script(("A (1 point)", [], ""), total="1") + answer + code
    assert settled(text) == text


def test_questions_are_numbered_as_they_stand_and_texts_follow():
    text = settled(
        script(
            ("Question 3. C (1 point)", [1], "See questions 1 and 3."),
            ("Question 1. A (1 point)", [1], "As in question 3 of exercise 5, not question 3."),
        )
    )
    assert headings(text) == ["Question 1. C (1 point)", "Question 2. A (1 point)"]
    assert "# See questions 2 and 1." in text
    assert "# As in question 3 of exercise 5, not question 1." in text


def test_new_question_with_a_number_of_its_own_finds_its_place():
    text = settled(
        script(
            ("Question 1. A (1 point)", [1], ""),
            ("Question 99. New (1 point)", [1], ""),
            ("Question 2. B (1 point)", [1], "It uses question 99 and question 2."),
        )
    )
    assert [heading.split(".")[0] for heading in headings(text)] == [
        "Question 1",
        "Question 2",
        "Question 3",
    ]
    assert "# It uses question 2 and question 3." in text


@pytest.mark.parametrize(
    ("first", "why"), [("Question 2", "no heading has"), ("Question 4", "several headings have")]
)
def test_text_that_names_no_question_or_two_is_told_with_its_line(first, why):
    number = 1 if why.startswith("no") else 4
    text = script(
        (f"{first}. A (1 point)", [1], ""),
        ("Question 4. B (1 point)", [1], f"As in question {number}."),
    )
    with pytest.raises(KitError, match=f"line 20 names question {number}, and {why}"):
        settled(text)
    assert any(why in str(finding) for finding in check_stated(text, "unit.py"))


def test_check_names_each_line_that_a_build_would_change():
    text = script(("Question 1. A (2 points)", [1], "As question 7 says."), total="1")
    assert [str(finding) for finding in check_stated(text, "unit.py")] == [
        "unit.py: line 10 is not what its cells give (## Question 1. A (1 point)): "
        "run rnnkit build",
        "unit.py: line 12 names question 7, which is not there",
    ]


def test_what_is_settled_stays_as_it_is():
    text = settled(script(("Question 5. A (2 points)", [1], ""), ("B (9 points)", [3], "")))
    assert settled(text) == text
    assert check_stated(text, "unit.py") == []


def test_script_with_metadata_that_cannot_be_read_is_left_alone():
    text = script(("A (2 points)", [1], "")).replace('"points": 1}', '"points": 1')
    assert settled(text) == text


@pytest.mark.parametrize("unit", find_kit(Path(__file__).parent).units())
def test_the_scripts_of_the_course_are_settled(unit):
    path = find_kit(Path(__file__).parent).source_script(unit)
    assert check_stated(path.read_text(encoding="utf-8"), path.name) == []
