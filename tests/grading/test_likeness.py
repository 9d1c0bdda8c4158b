"""Which submissions of a class are listed as alike."""

import ast
import random
import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell
from tiny_unit import UNIT, hand_in, handed_in, make_kit

from rnnkit.cli import main
from rnnkit.course.kit import find_kit
from rnnkit.course.notebooks import read_script
from rnnkit.grading.answers import answer_files, read_answer
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.likeness import OWN_CELLS, Likeness, compare
from rnnkit.grading.likeness_report import report_likeness

KIT = find_kit(Path(__file__).parent)


def right_answers(unit: str) -> dict[str, dict[str, str]]:
    """The answers that independent people wrote, by file."""
    answers = map(read_answer, answer_files(KIT, unit))
    return {answer.name: answer.cells for answer in answers if answer.kind == "right"}


def given(unit: str) -> list[str]:
    return [cell.source for cell in read_script(KIT.source_script(unit)).cells]


def renamed(source: str) -> str:
    """A copy with all names of its own changed, blank lines, and a remark."""
    own = {node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg)}
    for name in own - {"self"}:
        source = re.sub(rf"\b{name}\b(?!=)", f"{name}_of_mine", source)
    return "# my own work\n\n" + source.replace("\n\n", "\n\n\n")


def listed(found: Likeness) -> list[tuple[str, str]]:
    return [(pair.one, pair.other) for pair in found.pairs]


@pytest.mark.parametrize("unit", KIT.units())
def test_independent_right_answers_are_no_pair(unit: str) -> None:
    found = compare(right_answers(unit), given(unit))
    assert found.students >= 5
    assert listed(found) == []


@pytest.mark.parametrize("unit", KIT.units())
def test_renamed_copy_is_the_only_pair(unit: str) -> None:
    answers = right_answers(unit)
    copied = min(answers)
    answers["copy"] = {name: renamed(source) for name, source in answers[copied].items()}
    found = compare(answers, given(unit))
    assert listed(found) == [("copy", copied)]
    assert found.pairs[0].share > 0.9
    assert set(answers[copied]) >= {cell.name for cell in found.pairs[0].cells}


def test_what_the_exercise_or_its_solution_has_does_not_count() -> None:
    unit = KIT.units()[0]
    cells = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in read_script(KIT.source_script(unit)).cells
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code"
    }
    answers = {"ada": cells, "ben": dict(cells), "cy": {name: "" for name in cells}}
    found = compare(answers, given(unit))
    assert found.students == 0
    assert found.pairs == []


def a_class(size: int) -> dict[str, dict[str, str]]:
    """Students who each take one of five ways for each question, with slips of their own."""
    ways: dict[str, list[str]] = {}
    for cells in right_answers("06_attention").values():
        for name, source in cells.items():  # an answer file need not answer all questions
            ways.setdefault(name, []).append(source)
    numbers = random.Random(6)
    return {
        f"student-{place:03}": {
            name: numbers.choice(sources[:5]) + f"\nown_{place} = {numbers.random()}\n"
            for name, sources in sorted(ways.items())
            if len(sources) >= 5
        }
        for place in range(size)
    }


def test_copy_is_found_in_a_class_of_300_in_which_many_answers_are_common() -> None:
    answers = a_class(300)
    answers["student-007"] = {
        name: renamed(source) for name, source in answers["student-003"].items()
    }
    found = compare(answers, given("06_attention"))
    assert found.students == 300
    assert listed(found)[0] == ("student-003", "student-007")
    assert found.usual > 0.1
    assert len(found.pairs) < 45  # one in a thousand of all pairs


def test_share_that_is_asked_for_is_the_limit() -> None:
    found = compare(a_class(30), given("06_attention"), least=0.2)
    assert found.limit == 0.2
    assert found.pairs
    assert all(pair.share >= 0.2 for pair in found.pairs)


def test_copied_words_are_found_and_words_of_ones_own_are_not() -> None:
    words = "Each step halves what was there before, so after ten steps a thousandth is left "
    words += "of it and no gradient that is worth the name comes back to where the answer stood, "
    words += "while a gate that stays open hands the sum on as it is and forgets nothing at all."
    other = "The product of ten numbers below one is small; an open gate multiplies by one, "
    other += "which is why the long way through the cell keeps its gradient and the other loses it."
    answers = {"ada": {"q": words}, "ben": {"q": words.upper()}, "cy": {"q": other}}
    assert listed(compare(answers, [], {"q"})) == [("ada", "ben")]


@pytest.mark.parametrize("count", [0, 1])
def test_class_without_a_pair_has_none(count: int) -> None:
    answers = {f"s{place}": {"q": "x = 1"} for place in range(count)}
    assert compare(answers, []).pairs == []


def test_few_tokens_are_never_a_pair() -> None:
    answers = {name: {"q": "def f(x):\n    return x @ W + b"} for name in ("ada", "ben")}
    assert compare(answers, []).pairs == []


LONG = "def double(x):\n    total = 0\n" + "".join(
    f"    if x > {limit}:\n        total = total + x // {limit + 1} - {limit}\n"
    for limit in range(9)
)


@pytest.fixture
def course(assignment: Assignment, tmp_path: Path) -> Path:
    """A course in which two have the same answer, one a blank notebook and one none."""
    root = tmp_path / "course"
    copy = LONG.replace("total", "summe").replace("double", "double ")
    hand_in(root / "submitted", "zoë o'neil", handed_in(assignment, q1_double=LONG))
    hand_in(root / "submitted", "ben", handed_in(assignment, q1_double=copy))
    hand_in(root / "submitted", "cy", assignment.released)
    hand_in(root / "submitted", "di", assignment.released)
    hand_in(root / "submitted", "eve", handed_in(assignment))
    hand_in(root / "submitted", "fay", "no notebook")
    return root


def test_page_shows_the_pair_side_by_side_and_no_blank(course: Path, tmp_path: Path) -> None:
    report = report_likeness(make_kit(tmp_path / "kit"), UNIT, course)
    assert listed(report.likeness) == [("ben", "zoë o'neil")]
    assert report.unread == ("fay",)
    page = report.page.read_text(encoding="utf-8")
    assert "summe = summe + x // 9 - 8" in page
    assert "total = total + x // 9 - 8" in page
    assert "where to look, and no more" in page
    for word in ("cheat", "plagiar", "guilty", "suspect"):
        assert word not in page.casefold()


def test_own_cells_are_compared_too(assignment: Assignment, tmp_path: Path) -> None:
    for student, source in (("ada", LONG), ("ben", LONG.replace("total", "t"))):
        notebook = handed_in(assignment)
        notebook.cells.insert(2, new_code_cell(source.replace("double", "helper")))
        hand_in(tmp_path / "course/submitted", student, notebook)
    report = report_likeness(make_kit(tmp_path / "kit"), UNIT, tmp_path / "course")
    assert [cell.name for cell in report.likeness.pairs[0].cells] == [OWN_CELLS]


def test_names_and_answers_are_text_not_markup(assignment: Assignment, tmp_path: Path) -> None:
    source = LONG + "    # <script>alert(1)</script>\n"
    for student in ("<b>ada<", "ben"):
        hand_in(tmp_path / "course/submitted", student, handed_in(assignment, q1_double=source))
    report = report_likeness(make_kit(tmp_path / "kit"), UNIT, tmp_path / "course")
    page = report.page.read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<b>ada<" not in page


def test_command_prints_pairs_and_reads_only(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(make_kit(tmp_path / "kit").root)
    before = {path: path.read_bytes() for path in (course / "submitted").rglob("*.ipynb")}
    assert main(["report", UNIT, "--course", str(course)]) == 0
    printed = capsys.readouterr().out
    assert "  ben and zoë o'neil: 100% (q1-double)" in printed
    assert "Alike is no finding" in printed
    assert before == {path: path.read_bytes() for path in (course / "submitted").rglob("*.ipynb")}
    assert main(["report", UNIT, "--course", str(course), "--at-least", "100"]) == 0


@pytest.mark.parametrize("share", ["0", "half", "101", "nan"])
def test_share_that_is_none_is_refused(share: str) -> None:
    with pytest.raises(SystemExit):
        main(["report", UNIT, "--course", ".", "--at-least", share])


def test_class_that_handed_in_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "course/submitted").mkdir(parents=True)
    monkeypatch.chdir(make_kit(tmp_path / "kit").root)
    assert main(["report", UNIT, "--course", str(tmp_path / "course")]) == 2
    assert "is empty" in capsys.readouterr().err
