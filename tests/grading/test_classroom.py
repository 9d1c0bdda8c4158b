"""A class is graded as a whole: gradebook, pages, tables, and again."""

import csv
import io
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from rich.console import Console
from tiny_unit import EXIT_IN_FUNCTION, UNIT, hand_in, handed_in, make_kit, tree_digest

from rnnkit.course.alone import alone_in
from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading import classroom, feedback_pages
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.classroom import ClassResult, Row, grade_class
from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.limits import Limits
from rnnkit.grading.progress import Progress
from rnnkit.grading.status import Status

ODD_NAME = "Zoë O'Brien"
LIMITS = Limits(cell_seconds=20, notebook_seconds=60, jobs=2, fast=True, sandbox="try")


@dataclass
class Class:
    kit: Kit
    root: Path
    result: ClassResult
    submitted_before: str
    printed: str

    def row(self, student: str) -> Row:
        return next(row for row in self.result.rows if row.student == student)

    def page(self, student: str) -> str:
        return self.row(student).feedback.read_text(encoding="utf-8")


def grade_quietly(
    kit: Kit,
    root: Path,
    limits: Limits = LIMITS,
    busy_seconds: float = 5,
    regrade: list[str] | None = None,
    mended: bool = False,
) -> tuple[ClassResult, str]:
    console = Console(record=True, file=io.StringIO(), width=200)
    progress = Progress(console)
    result = grade_class(
        kit, UNIT, root, lambda _: limits, progress, busy_seconds, regrade, mended=mended
    )
    return result, console.export_text()


@pytest.fixture(scope="module")
def graded(assignment: Assignment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """A class of six, graded once; the tests that use it only read."""
    folder = tmp_path_factory.mktemp("class")
    kit, root = make_kit(folder / "kit"), folder / "course"
    submitted = root / "submitted"
    hand_in(submitted, ODD_NAME, handed_in(assignment, q3_why="Twice two is four."))
    # It holds its memory long enough to be seen.
    hold = "import time\nheld = bytes([1]) * 40_000_000\ntime.sleep(0.5)\n"
    square = hold + "def double(x):\n    return x * x"
    hand_in(submitted, "wrong", handed_in(assignment, q1_double=square))
    hand_in(submitted, "crash", handed_in(assignment, q1_double=EXIT_IN_FUNCTION))
    hand_in(submitted, "cut", b'{"cells": [')
    hand_in(submitted, "empty", None)
    hand_in(submitted, "blank", assignment.released)
    before = tree_digest(submitted)
    result, printed = grade_quietly(kit, root)
    yield Class(kit, root, result, before, printed)


def test_each_submission_ends_in_its_status(graded: Class) -> None:
    assert {row.student: row.recorded.status for row in graded.result.rows} == {
        ODD_NAME: Status.NEEDS_HAND_GRADING,
        "wrong": Status.NEEDS_HAND_GRADING,
        "crash": Status.CRASHED,
        "cut": Status.UNREADABLE,
        "empty": Status.MISSING,
        "blank": Status.OK,
    }


def test_what_was_handed_in_is_unchanged(graded: Class) -> None:
    assert tree_digest(graded.root / "submitted") == graded.submitted_before


def test_gradebook_holds_the_scores(graded: Class) -> None:
    with Gradebook(f"sqlite:///{graded.root / 'gradebook.db'}") as gradebook:
        scores = {s.student_id: s.score for s in gradebook.assignment_submissions(UNIT)}
    assert scores == {ODD_NAME: 3.0, "wrong": 1.0, "crash": 1.0, "blank": 0.0}


def test_grades_table_is_blank_where_there_is_no_score(graded: Class) -> None:
    with graded.result.grades.open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["cut"]["score"] == rows["empty"]["score"] == ""
    assert rows["blank"]["score"] == "0"
    assert rows[ODD_NAME]["score"] == "3"
    assert rows[ODD_NAME]["q3-why"] == ""
    assert rows[ODD_NAME]["waiting for hand grading"] == "1"
    assert rows["wrong"]["q1-double-test"] == "0"


def test_autograded_notebook_is_in_place_without_leftovers(graded: Class) -> None:
    folder = graded.root / "autograded" / ODD_NAME
    assert [path.name for path in folder.iterdir()] == [UNIT]
    nbformat.read(folder / UNIT / f"{UNIT}.ipynb", as_version=4)


def test_feedback_has_no_hidden_test_and_says_what_went_wrong(graded: Class) -> None:
    page = graded.page("wrong")
    assert "secret_number" not in page
    assert "the double of another number is wrong" in page


def test_feedback_of_a_file_that_was_not_graded_says_why(graded: Class) -> None:
    assert Status.UNREADABLE.for_student in graded.page("cut")
    assert "the folder is empty" in graded.page("empty")


def test_feedback_of_a_crash_says_so_first(graded: Class) -> None:
    assert Status.CRASHED.for_student in graded.page("crash").replace("&#39;", "'")


def test_report_groups_failing_checks_and_links_pages(graded: Class) -> None:
    page = graded.result.report.read_text(encoding="utf-8")
    assert "the double of another number is wrong" in page
    assert "feedback/Zo%C3%AB%20O%27Brien/00_tiny/00_tiny.html" in page
    assert "Short setting" in page
    assert "http" not in page


def test_report_hides_nothing_handed_in_as_markup(graded: Class) -> None:
    page = graded.result.report.read_text(encoding="utf-8")
    assert "O&#39;Brien" in page


def test_plain_output_has_a_line_for_each_submission(graded: Class) -> None:
    assert "[6/6]" in graded.printed
    assert "cut: unreadable" in graded.printed


def test_settings_and_solutions_are_copied_without_the_script(graded: Class) -> None:
    names = sorted(path.name for path in (graded.root / "solutions" / UNIT).iterdir())
    assert names == [f"{UNIT}.ipynb"]
    assert (graded.root / "nbgrader_config.py").is_file()


def test_table_says_what_each_run_cost_and_what_fenced_it_in(graded: Class) -> None:
    with graded.result.grades.open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert float(rows["wrong"]["peak MB"]) > 10
    assert rows["wrong"]["fence"] in ("full", "weak", "none")
    assert rows["empty"]["peak MB"] == rows["empty"]["fence"] == ""


def test_status_has_its_two_sentences_in_the_log(graded: Class) -> None:
    for row in graded.result.rows:
        log = (graded.root / "logs" / UNIT / f"{row.student}.txt").read_text(encoding="utf-8")
        assert row.recorded.status.for_instructor in log
        assert row.recorded.status.for_student in log


@pytest.fixture(scope="module")
def graded_once(
    assignment: Assignment, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """A class of one that has been graded: kit and course. Tests take copies."""
    folder = tmp_path_factory.mktemp("small")
    kit, root = make_kit(folder / "kit"), folder / "course"
    hand_in(root / "submitted", "ada", handed_in(assignment, q3_why="Twice two is four."))
    grade_quietly(kit, root)
    return kit.root, root


@pytest.fixture
def small(graded_once: tuple[Path, Path], tmp_path: Path) -> tuple[Kit, Path]:
    """A class of one that has been graded, to change and grade again."""
    for name, path in zip(("kit", "course"), graded_once, strict=True):
        shutil.copytree(path, tmp_path / name)
    return Kit(tmp_path / "kit"), tmp_path / "course"


def give_by_hand(root: Path, points: float) -> None:
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade("q3-why", UNIT, UNIT, "ada")
        grade.manual_score = points
        grade.needs_manual_grade = False
        gradebook.find_comment("q3-why", UNIT, UNIT, "ada").manual_comment = "Well said."
        gradebook.db.commit()


def test_manual_grade_and_comment_survive_a_regrade(small: tuple[Kit, Path]) -> None:
    kit, root = small
    page = root / "feedback" / "ada" / UNIT / f"{UNIT}.html"
    assert "have not been read yet" in page.read_text(encoding="utf-8")
    give_by_hand(root, 2.5)
    result, _ = grade_quietly(kit, root, regrade=[])
    assert "have not been read yet" not in page.read_text(encoding="utf-8")
    assert result.rows[0].recorded.score == 5.5
    assert result.rows[0].recorded.status is Status.OK
    assert "Well said." in result.rows[0].feedback.read_text(encoding="utf-8")


def test_changed_answer_waits_to_be_read_again(
    small: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = small
    give_by_hand(root, 2.5)
    changed = handed_in(assignment, q3_why="I changed my mind.")
    nbformat.write(changed, root / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb")
    result, _ = grade_quietly(kit, root)
    assert result.rows[0].recorded.waiting == 1


def test_score_of_an_earlier_submission_goes_when_the_new_one_is_unreadable(
    small: tuple[Kit, Path],
) -> None:
    kit, root = small
    (root / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb").write_text("")
    result, _ = grade_quietly(kit, root)
    assert result.rows[0].recorded.score is None
    assert "taken out" in result.rows[0].recorded.note
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        assert gradebook.assignment_submissions(UNIT) == []


def test_course_with_another_solution_is_graded_with_it_and_told(small: tuple[Kit, Path]) -> None:
    kit, root = small
    path = root / "solutions" / UNIT / f"{UNIT}.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("hello Ada", "hi Ada"))
    result, printed = grade_quietly(kit, root)
    assert "is not the kit's" in printed
    assert "--mended" in printed
    assert result.rows[0].recorded.cells["q2-greet-test"] == 0.0


def mend_the_kits_greeting(kit: Kit, old: str, new: str) -> str:
    """Change a test in the kit; gives the solution notebook as it is then."""
    path = kit.solution_notebook(UNIT)
    text = path.read_text(encoding="utf-8").replace(old, new)
    path.write_text(text, encoding="utf-8")
    return text


def test_mended_tests_are_taken_from_the_kit_and_kept(small: tuple[Kit, Path]) -> None:
    kit, root = small
    mended = mend_the_kits_greeting(kit, "hello Ada", "hi Ada")
    result, printed = grade_quietly(kit, root, mended=True)
    assert result.rows[0].recorded.cells["q2-greet-test"] == 0.0
    assert [change.student for change in result.changes] == ["ada"]
    assert "took the kit's solutions" in printed
    own = root / "solutions" / UNIT
    assert (own / f"{UNIT}.ipynb").read_text(encoding="utf-8") == mended
    assert [path.name for path in own.parent.iterdir()] == [UNIT]
    result, printed = grade_quietly(kit, root, mended=True)
    assert result.ran == 0
    assert f"call `rnnkit build {UNIT}` first" in printed


def test_mended_tests_that_the_gradebook_refuses_are_not_kept(small: tuple[Kit, Path]) -> None:
    kit, root = small
    own = root / "solutions" / UNIT / f"{UNIT}.ipynb"
    before = own.read_bytes()
    mend_the_kits_greeting(kit, "q2-greet-test", "q2-another-test")
    with pytest.raises(KitError, match="use a new course folder"):
        grade_quietly(kit, root, mended=True)
    assert own.read_bytes() == before
    result, _ = grade_quietly(kit, root)
    assert result.rows[0].recorded.cells["q2-greet-test"] == 1.0


def test_busy_gradebook_at_the_start_is_told(small: tuple[Kit, Path]) -> None:
    kit, root = small
    holder = sqlite3.connect(root / "gradebook.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(KitError, match="locked by another program"):
        grade_quietly(kit, root, busy_seconds=0.1)
    holder.close()


def test_run_stopped_by_a_busy_gradebook_goes_on_where_it_was(
    small: tuple[Kit, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = small
    holders = []
    run = classroom.run_submissions

    def hold_when_done(*args: object, **words: object) -> Iterator[object]:
        for outcome in run(*args, **words):
            holders.append(sqlite3.connect(root / "gradebook.db", isolation_level=None))
            holders[0].execute("BEGIN EXCLUSIVE")
            yield outcome

    with monkeypatch.context() as patch:
        patch.setattr(classroom, "run_submissions", hold_when_done)
        with pytest.raises(KitError, match="are not run again"):
            grade_quietly(kit, root, busy_seconds=0.1, regrade=[])
    holders[0].close()
    ran = []
    with monkeypatch.context() as patch:
        patch.setattr(
            classroom, "run_submissions", lambda a, to_run, *_, **__: ran.extend(to_run) or ()
        )
        result, _ = grade_quietly(kit, root)
    assert ran == []
    assert result.rows[0].recorded.score == 3.0


def test_file_that_is_no_gradebook_is_told(small: tuple[Kit, Path]) -> None:
    kit, root = small
    (root / "gradebook.db").write_text("not a database at all, but long enough to be read as one")
    with pytest.raises(KitError, match="not a database"):
        grade_quietly(kit, root)


def test_missing_course_folder_is_told(kit: Kit, tmp_path: Path) -> None:
    with pytest.raises(KitError, match="no folder"):
        grade_quietly(kit, tmp_path / "nowhere")


def test_folder_without_submissions_is_told_and_left_alone(kit: Kit, tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    with pytest.raises(KitError, match="submitted"):
        grade_quietly(kit, tmp_path / "course")
    assert list((tmp_path / "course").iterdir()) == []


def test_class_without_students_is_told(kit: Kit, tmp_path: Path) -> None:
    (tmp_path / "course" / "submitted").mkdir(parents=True)
    with pytest.raises(KitError, match="is empty"):
        grade_quietly(kit, tmp_path / "course")


def test_course_that_cannot_be_written_is_told(kit: Kit) -> None:
    with pytest.raises(KitError, match="can be written"):
        grade_quietly(kit, Path("/proc/self"))


def test_solution_that_is_no_notebook_is_told(small: tuple[Kit, Path]) -> None:
    kit, root = small
    (root / "solutions" / UNIT / f"{UNIT}.ipynb").write_text("no notebook")
    with pytest.raises(KitError, match="solution notebook that can be read"):
        grade_quietly(kit, root)


def test_widgets_without_state_do_not_stop_the_class(
    small: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = small
    notebook = handed_in(assignment)
    mime = "application/vnd.jupyter.widget-state+json"
    notebook.metadata["widgets"] = {mime: {"abc": {"model_name": "X"}}}
    notebook.cells.append(nbformat.v4.new_code_cell("2 + 2"))  # a result, drawn by nbconvert
    nbformat.write(notebook, root / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb")
    result, _ = grade_quietly(kit, root)
    assert result.rows[0].recorded.score == 3.0
    assert result.rows[0].recorded.note == ""


def test_page_that_cannot_be_made_costs_no_score_and_is_told(
    small: tuple[Kit, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = small

    def fail(*_: object) -> str:
        raise ZeroDivisionError("no page")

    monkeypatch.setattr(feedback_pages, "feedback_page", fail)
    (root / "feedback" / "ada" / UNIT / f"{UNIT}.html").unlink()
    result, _ = grade_quietly(kit, root)
    assert result.rows[0].recorded.score == 3.0
    assert "ZeroDivisionError: no page" in result.rows[0].recorded.note


def test_outcome_that_the_gradebook_does_not_take_gets_a_status(
    small: tuple[Kit, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = small
    monkeypatch.setattr(classroom.Recorder, "_write", lambda *_: 1 / 0)
    result, _ = grade_quietly(kit, root, regrade=[])
    assert result.rows[0].recorded.status is Status.INFRASTRUCTURE_ERROR
    assert "ZeroDivisionError" in result.rows[0].recorded.note


def test_mending_is_told_to_student_and_instructor(
    small: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = small
    notebook = handed_in(assignment)
    del notebook.cells[3]
    name = f"{UNIT} (1).ipynb"
    (root / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb").unlink()
    nbformat.write(notebook, root / "submitted" / "ada" / UNIT / name)
    result, _ = grade_quietly(kit, root)
    recorded = result.rows[0].recorded
    assert (recorded.status, recorded.score) == (Status.REPAIRED, 3.0)
    assert f"graded the file {name}; given or test cells missing" in recorded.note
    assert recorded.note in result.grades.read_text(encoding="utf-8")
    log = (root / "logs" / UNIT / "ada.txt").read_text(encoding="utf-8")
    assert "repair: given or test cells missing, put back: q1-double-test" in log
    page = result.rows[0].feedback.read_text(encoding="utf-8")
    assert Status.REPAIRED.for_student in page
    assert f"Your notebook was found as {name}" in page
    assert "Cells of the exercise were missing and were put back: q1-double-test" in page


def test_cell_that_a_person_must_look_at_waits(
    small: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = small
    notebook = handed_in(assignment)
    notebook.cells[2] = nbformat.v4.new_code_cell("two = 2")
    notebook.cells.insert(2, nbformat.v4.new_code_cell("times = lambda x: two * x"))
    nbformat.write(notebook, root / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb")
    result, _ = grade_quietly(kit, root)
    recorded = result.rows[0].recorded
    assert (recorded.status, recorded.waiting) == (Status.NEEDS_HAND_GRADING, 2)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        assert gradebook.find_grade("q1-double-test", UNIT, UNIT, "ada").needs_manual_grade


def test_name_with_its_accent_as_a_letter_of_its_own_is_one_student(
    small: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = small
    hand_in(root / "submitted", "Zoe\u0308", handed_in(assignment))
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        gradebook.add_student("Zo\u00eb")
    result, _ = grade_quietly(kit, root)
    assert [(row.student, row.recorded.score) for row in result.rows] == [
        ("Zo\u00eb", 3.0),
        ("ada", 3.0),
    ]


def test_notebook_above_the_limit_of_the_settings_is_refused(small: tuple[Kit, Path]) -> None:
    kit, root = small
    with (root / "nbgrader_config.py").open("a") as config:
        config.write("c.CourseDirectory.max_file_size = 1\n")
    result, _ = grade_quietly(kit, root)
    assert result.rows[0].recorded.status is Status.UNREADABLE
    assert "the limit is 1 kB" in result.rows[0].recorded.note


def test_who_is_on_the_class_list_and_handed_in_nothing_is_missing(
    small: tuple[Kit, Path],
) -> None:
    kit, root = small
    (root / "collected").mkdir()
    (root / "collected" / "roster.csv").write_text("student_id,name\nada,Ada\ncy,Cy Do\n")
    result, _ = grade_quietly(kit, root)
    assert {row.student: row.recorded.status for row in result.rows}["cy"] is Status.MISSING


def test_second_run_on_the_same_course_is_told(small: tuple[Kit, Path]) -> None:
    kit, root = small
    with alone_in(root), pytest.raises(KitError, match="is at work in it"):
        grade_quietly(kit, root)


def test_course_path_that_nbgrader_cannot_open_is_told(kit: Kit, tmp_path: Path) -> None:
    (tmp_path / "which?" / "submitted").mkdir(parents=True)
    with pytest.raises(KitError, match="rename the folder"):
        grade_quietly(kit, tmp_path / "which?")


@pytest.fixture(scope="module")
def partial(
    assignment: Assignment, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Recorded]:
    """A class whose first test cell ends in the number that the student's function gives."""
    folder = tmp_path_factory.mktemp("partial")
    kit, root = make_kit(folder / "kit"), folder / "course"
    path = kit.solutions / UNIT / f"{UNIT}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    test = next(cell for cell in notebook.cells if cell.get("id") == "q1-double-test")
    test.source = "import numpy as np\nnp.float64(double(1))"
    nbformat.write(notebook, path)
    for student, gives in [("zero", "0"), ("half", "0.5"), ("more", "7"), ("less", "-1")]:
        source = f"def double(x):\n    return {gives}"
        handing_in = handed_in(assignment, q1_double=source)
        handing_in.cells[3].source = test.source
        hand_in(root / "submitted", student, handing_in)
    result, _ = grade_quietly(kit, root)
    return {row.student: row.recorded for row in result.rows}


@pytest.mark.parametrize(
    ("student", "points"), [("zero", 0.0), ("half", 0.5), ("more", 2.0), ("less", 0.0)]
)
def test_partial_credit_is_the_number_and_costs_no_other_cell(
    partial: dict[str, Recorded], student: str, points: float
) -> None:
    assert partial[student].cells["q1-double-test"] == points
    assert partial[student].cells["q2-greet-test"] == 1.0


def test_partial_credit_out_of_range_is_named(partial: dict[str, Recorded]) -> None:
    named = {name for name, recorded in partial.items() if "out of range" in recorded.note}
    assert named == {"more", "less"}
    assert "q1-double-test" in partial["more"].note
