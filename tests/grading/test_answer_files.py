"""Answer files are read as they are written, and faults in them are named."""

from pathlib import Path

import nbformat
import pytest
from tiny_unit import UNIT, handed_in, make_kit, points, reference_notebook

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading.answers import Answer, answer_notebook, grade_answers, read_answer
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.limits import Limits
from rnnkit.grading.status import Status

WRONG = """# wrong: squares
# loses: q1-double-test
# says: another number
# says: wrong
# %% q1-double
def double(x):
    return x * x

# %% q3-why
# Because of
#
# twice.
"""


def write(folder: Path, text: str, name: str = "wrong_square.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_header_and_cells_are_read(tmp_path: Path) -> None:
    answer = read_answer(write(tmp_path, WRONG))
    assert (answer.kind, answer.description) == ("wrong", "squares")
    assert answer.loses == ("q1-double-test",)
    assert answer.says == ("another number", "wrong")
    assert answer.cells["q1-double"] == "def double(x):\n    return x * x"


def test_cells_replace_those_of_the_reference(assignment: Assignment, tmp_path: Path) -> None:
    notebook = answer_notebook(read_answer(write(tmp_path, WRONG)), assignment)
    sources = {cell.get("id"): cell.source for cell in notebook.cells}
    assert sources["q1-double"] == "def double(x):\n    return x * x"
    assert sources["q2-greet"] == assignment.reference.cells[5].source


def test_comment_signs_leave_a_written_answer(assignment: Assignment, tmp_path: Path) -> None:
    notebook = answer_notebook(read_answer(write(tmp_path, WRONG)), assignment)
    assert notebook.cells[-1].source == "Because of\n\ntwice."


def test_blank_is_the_exercise_as_released(assignment: Assignment) -> None:
    notebook = answer_notebook(Answer(None, "blank", ""), assignment)
    assert "raise NotImplementedError()" in notebook.cells[2].source


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "an empty file"),
        ("import os\n", "import os"),
        ("# wrong: x\n# %% no-such-cell\npass\n", "no-such-cell"),
        ("# wrong: x\n# %% q1-double-test\npass\n", "q1-double-test"),
        ("# wrong: x\n# loses: no-such-test\n", "no-such-test"),
        ("# wrong: x\n# %%\npass\n", "# %%"),
        ("# wrong: x\n# %% q1-double\n# %% q1-double\n", "# %% q1-double"),
    ],
)
def test_fault_in_an_answer_is_named(
    assignment: Assignment, tmp_path: Path, text: str, named: str
) -> None:
    with pytest.raises(KitError) as error:
        answer_notebook(read_answer(write(tmp_path, text)), assignment)
    assert named in error.value.found


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(KitError, match=r"nothing\.py"):
        read_answer(tmp_path / "nothing.py")


def test_answers_get_what_they_say_and_equal_ones_run_once(kit: Kit, tmp_path: Path) -> None:
    honest = read_answer(write(tmp_path, WRONG))
    same = read_answer(write(tmp_path, WRONG, "wrong_again.py"))
    lying = read_answer(write(tmp_path, "# wrong: nothing\n# loses: q2-greet-test\n# says: rude\n"))
    results = grade_answers(kit, UNIT, [honest, same, lying], Limits(jobs=2, sandbox="try"))
    assert results[0].faults() == []
    assert results[0].outcome.submission is results[1].outcome.submission
    assert len(results[2].faults()) == 2
    assert results[0].outcome.points["q3-why"] == (None, 3.0)


def test_notebook_of_a_student_is_mended_and_graded_whole(
    kit: Kit, assignment: Assignment, tmp_path: Path
) -> None:
    notebook = handed_in(assignment, q1_double="def double(x):\n    return x * x")
    del notebook.cells[3]  # the test of double
    nbformat.write(notebook, tmp_path / "Copy of lab.ipynb")
    answer = read_answer(tmp_path / "Copy of lab.ipynb")
    (graded,) = grade_answers(kit, UNIT, [answer], Limits(jobs=2, sandbox="try"))
    assert points(graded.outcome) == {"q1-double-test": 0.0, "q2-greet-test": 1.0, "q3-why": None}
    assert graded.messages == {"q1-double-test": "the double of another number is wrong"}
    assert graded.faults() == []


def test_file_that_is_no_notebook_gets_its_status(kit: Kit, tmp_path: Path) -> None:
    (tmp_path / "lab.ipynb").write_bytes(b"\xff{ no notebook")
    answer = read_answer(tmp_path / "lab.ipynb")
    (graded,) = grade_answers(kit, UNIT, [answer], Limits(jobs=2, sandbox="try"))
    assert graded.outcome.status is Status.UNREADABLE
    assert graded.faults() == []


def test_fault_where_the_reference_fails_says_why(tmp_path: Path) -> None:
    reference = reference_notebook()
    greet = next(cell for cell in reference.cells if cell.get("id") == "q2-greet")
    greet.source = "def greet(name):\n    raise ValueError('nobody is here')"
    cells = {"q1-double": "def double(x):\n    return x + x"}
    answer = Answer(None, "right", "a sum", cells=cells)
    kit = make_kit(tmp_path / "kit", reference)
    (graded,) = grade_answers(kit, UNIT, [answer], Limits(jobs=2, sandbox="try"))
    (fault,) = graded.faults()
    assert "q2-greet-test gave 0" in fault and "nobody is here" in fault
