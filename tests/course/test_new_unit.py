"""A new unit builds, is checked and grades; each later change is one edit and one build."""

import json
import re

import nbformat
import pytest

from rnnkit.cli import main
from rnnkit.course.new_unit import begin_unit
from rnnkit.course.notebooks import nbgrader_metadata
from rnnkit.errors import KitError
from rnnkit.grading.answers import REFERENCE, Answer, answer_files, grade_answers, read_answer
from rnnkit.grading.limits import Limits

UNIT = "08_memory"
QUICK = Limits(cell_seconds=20, notebook_seconds=90, jobs=2, sandbox="try")


@pytest.fixture
def unit(kit, write_source, sound, monkeypatch):
    """A new unit, built, in a kit that has another; the kit is the current folder."""
    write_source(sound)
    monkeypatch.chdir(kit.root)
    assert main(["new", UNIT, "--title", "A memory"]) == 0
    assert main(["build", UNIT]) == 0
    return UNIT


@pytest.fixture
def edit(kit, unit, capsys):
    """One edit of the script, one build, and a check without a finding; gives the exercise."""

    def change(old, new):
        script = kit.source_script(unit)
        text = script.read_text(encoding="utf-8")
        assert text.count(old) == 1
        script.write_text(text.replace(old, new), encoding="utf-8")
        assert main(["build", unit]) == 0
        capsys.readouterr()
        assert main(["build", "--check", "--no-run", unit]) == 0, capsys.readouterr().out
        return nbformat.read(kit.exercise_notebook(unit), as_version=4)

    return change


def headings(notebook):
    return [
        line.removeprefix("## ")
        for cell in notebook.cells
        for line in cell.source.splitlines()
        if cell.cell_type == "markdown" and line.startswith("## ")
    ]


def question(kit, number):
    """The text of a question in the script, from its heading to the next."""
    text = kit.source_script(UNIT).read_text(encoding="utf-8")
    parts = re.split(r"(?=^# %% \[markdown\]\n# ## Question)", text, flags=re.MULTILINE)
    return parts[number]


@pytest.mark.slow
def test_new_unit_passes_its_check_with_the_reference_run(unit, capsys):
    capsys.readouterr()
    assert main(["build", "--check", unit]) == 0
    assert "ran 1 reference; 0 things wrong." in capsys.readouterr().out


def test_new_unit_has_a_right_a_wrong_and_a_blank_answer_that_get_what_they_should(kit, unit):
    answers = [read_answer(path) for path in answer_files(kit, unit)]
    assert sorted(answer.kind for answer in answers) == ["blank", "right", "wrong"]
    graded = grade_answers(kit, unit, [Answer(None, REFERENCE, ""), *answers], QUICK)
    assert [fault for each in graded for fault in each.faults()] == []
    waiting = {name for name, pair in graded[0].outcome.points.items() if pair[0] is None}
    assert waiting == {"q3-why"}


def test_exercise_shows_no_hidden_test_and_no_answer(kit, unit):
    text = kit.exercise_notebook(unit).read_text(encoding="utf-8")
    assert "A memory" in text
    for secret in ("HIDDEN TESTS", "4.0", "keep * state", "a few steps only"):
        assert secret not in text


def test_changing_points_is_one_edit(edit, kit):
    points = '"q1-step-test", "locked": true, "points": {}'
    notebook = edit(points.format(2), points.format(4))
    assert headings(notebook)[0].endswith("(4 points)")
    assert notebook.metadata.rnnkit.points == 7
    assert notebook.cells[0].source.splitlines()[-1] == "7 points; about 20 minutes."
    (points,) = [
        nbgrader_metadata(cell)["points"]
        for cell in notebook.cells
        if nbgrader_metadata(cell).get("grade_id") == "q1-step-test"
    ]
    assert points == 4


def test_changing_a_limit_is_one_edit(edit, kit, unit):
    line = re.search(r'^# %% nbgrader=.*"q2-read-test".*$', question(kit, 2), re.MULTILINE)[0]
    notebook = edit(line, f"{line} rnnkit={json.dumps({'seconds': 1})}")
    limits = [cell.metadata.rnnkit for cell in notebook.cells if "rnnkit" in cell.metadata]
    assert limits == [{"seconds": 1}]
    slow = Answer(
        None,
        "wrong",
        "does not end",
        cells={"q2-read": "def read_sequence(values, keep):\n    while True: pass"},
    )
    (graded,) = grade_answers(kit, unit, [slow], QUICK)
    assert graded.outcome.points["q2-read-test"][0] == 0
    assert "1 second" in graded.feedback["q2-read-test"]
    assert graded.outcome.seconds < QUICK.cell_seconds


def test_dropping_a_question_is_one_edit(edit, kit):
    notebook = edit(question(kit, 1), "")
    assert headings(notebook) == [
        "Question 1. A whole sequence (2 points)",
        "Question 2. What it remembers (1 point)",
    ]
    assert notebook.metadata.rnnkit.points == 3


def test_reordering_questions_is_one_edit(edit, kit):
    first, second = question(kit, 1), question(kit, 2)
    notebook = edit(first + second, second + first)
    assert headings(notebook)[:2] == [
        "Question 1. A whole sequence (2 points)",
        "Question 2. One step of a memory (2 points)",
    ]
    assert notebook.metadata.rnnkit.points == 5


@pytest.mark.parametrize("name", ["", "a b", "../up", "ünit", "-x", "x" * 41])
def test_name_that_is_no_folder_name_is_refused(kit, name):
    with pytest.raises(KitError, match="such as 08_my_unit"):
        begin_unit(kit, name)


def test_unit_that_is_there_is_left_alone(kit, unit, capsys):
    before = kit.source_script(unit).read_bytes()
    kit.source_script(unit).write_bytes(before + b"\n# mine\n")
    assert main(["new", unit]) == 2
    assert f"solutions/{unit} is there" in capsys.readouterr().err
    assert kit.source_script(unit).read_bytes().endswith(b"# mine\n")


def test_nothing_is_left_where_a_folder_cannot_be_made(kit):
    kit.answers.parent.mkdir()
    kit.answers.write_text("a file in the place of the folder")
    with pytest.raises(OSError):
        begin_unit(kit, UNIT)
    assert list(kit.solutions.iterdir()) == []


def test_first_unit_of_a_kit_from_which_all_were_taken_out(kit, monkeypatch):
    (kit.root / "pyproject.toml").write_text("")
    monkeypatch.chdir(kit.root)
    assert main(["new", UNIT]) == 0
    assert kit.units() == [UNIT]


@pytest.mark.parametrize("title", ["two\nlines", "x" * 81])
def test_title_that_fits_no_line_is_refused(kit, title):
    with pytest.raises(KitError, match="a title of one line"):
        begin_unit(kit, UNIT, title)
