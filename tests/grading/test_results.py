"""Results outlive a run: what has not changed is not run again, and changes are explained."""

import csv
import dataclasses
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from made_up_runs import LIMITS, WRONG, MadeUpRunner, content, files, grade, submit
from nbgrader.api import Gradebook
from tiny_unit import GREET_TEST, UNIT, hand_in, make_kit

from rnnkit.cli.grade import show
from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading import classroom, keys
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.outcome import Fence, Outcome

NO = f"def double(x):\n    return {WRONG}"


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUpRunner:
    runner = MadeUpRunner()
    monkeypatch.setattr(classroom, "run_submissions", runner)
    return runner


@pytest.fixture(scope="module")
def graded_once(
    assignment: Assignment, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("graded")
    kit, root = make_kit(folder / "kit"), folder / "course"
    submit(root, assignment, "ada")
    submit(root, assignment, "ben", q1_double=NO)
    hand_in(root / "submitted", "cy", None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classroom, "run_submissions", MadeUpRunner())
        grade(kit, root)
    return kit.root, root


@pytest.fixture
def course(graded_once: tuple[Path, Path], tmp_path: Path) -> tuple[Kit, Path]:
    """A class of three that was graded, to change and grade again."""
    for name, path in zip(("kit", "course"), graded_once, strict=True):
        shutil.copytree(path, tmp_path / name)
    return Kit(tmp_path / "kit"), tmp_path / "course"


def times(root: Path) -> dict[str, int]:
    """When each file that grading writes for a student was changed."""
    folders = ("autograded", "feedback", "logs")
    return {
        str(path): path.stat().st_mtime_ns
        for folder in folders
        for path in (root / folder).rglob("*")
        if path.is_file()
    }


def test_unchanged_class_is_not_run_and_nothing_of_it_is_written(
    course: tuple[Kit, Path], made_up: MadeUpRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = course
    before, when = (content(root), files(root)), times(root)
    # The logs name the folder, which a copy has elsewhere: grade once so that they agree.
    grade(kit, root)
    before, when = (content(root), files(root)), times(root)
    monkeypatch.setattr(classroom.Recorder, "record", lambda *_: 1 / 0)
    result, printed = grade(kit, root)
    assert made_up.ran == []
    assert (content(root), files(root)) == before
    assert times(root) == when
    assert [row.recorded.score for row in result.rows] == [3.0, 1.0, None]
    assert result.rows[1].failures == {"q1-double-test": "q1-double-test says no"}
    assert "unchanged: 3; to be run: 0" in printed


def test_only_what_changed_is_run(
    course: tuple[Kit, Path], assignment: Assignment, made_up: MadeUpRunner
) -> None:
    kit, root = course
    submit(root, assignment, "ada", q1_double=NO)
    result, _ = grade(kit, root)
    assert made_up.ran == ["ada"]
    assert [change.line for change in result.changes] == [
        "ada: 3 → 1 (q1-double-test 2 → 0), because the submission changed"
    ]


def test_change_stands_in_its_table_and_in_the_report(
    course: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = course
    submit(root, assignment, "ada", q1_double=NO)
    result, _ = grade(kit, root)
    with result.changed.open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == [
            {
                "student": "ada",
                "was": "3",
                "is": "1",
                "cells": "q1-double-test 2 → 0",
                "because": "the submission changed",
            }
        ]
    assert "because the submission changed" in result.report.read_text(encoding="utf-8")


def test_table_of_changes_is_empty_after_a_run_without_any(
    course: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = course
    submit(root, assignment, "ada", q1_double=NO)
    grade(kit, root)
    result, _ = grade(kit, root)
    assert result.changed.read_text(encoding="utf-8") == "student,was,is,cells,because\n"


def test_mended_test_runs_all_again_and_is_the_reason(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    path = root / "solutions" / UNIT / f"{UNIT}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cell = next(cell for cell in notebook.cells if cell.source == GREET_TEST)
    cell.source += "\nassert greet('Bo') == 'hello Bo'"
    nbformat.write(notebook, path)
    made_up.fails = {"ada"}
    result, _ = grade(kit, root)
    assert made_up.ran == ["ada", "ben", "cy"]
    assert [change.line for change in result.changes] == [
        "ada: 3 → 1 (q1-double-test 2 → 0), because the tests changed"
    ]


def test_other_data_beside_the_tests_runs_all_again(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    (root / "solutions" / UNIT / "words.txt").write_text("one two")
    grade(kit, root)
    assert made_up.ran == ["ada", "ben", "cy"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cell_seconds": 7}, "the settings changed (cell_seconds 240 → 7)"),
        ({"fast": True}, "the settings changed (fast False → True)"),
        ({"jobs": 3, "sandbox": "off"}, ""),
    ],
)
def test_settings_run_the_class_again_where_they_matter(
    change: dict[str, object], reason: str, course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    made_up.fails = {"ada"}
    result, _ = grade(kit, root, dataclasses.replace(LIMITS, **change))
    assert made_up.ran == (["ada", "ben", "cy"] if reason else [])
    assert [change.because for change in result.changes] == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("line", "again"),
    [
        ('c.LateSubmissionPlugin.penalty_method = "zero"', False),
        ("c.ClearSolutions.enforce_metadata = False", True),
    ],
)
def test_course_settings_that_only_count_afterwards_run_nothing_again(
    line: str, again: bool, course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    with (root / "nbgrader_config.py").open("a") as config:
        config.write(line + "\n")
    grade(kit, root)
    assert bool(made_up.ran) is again


def test_newer_package_runs_the_class_again_and_is_named(
    course: tuple[Kit, Path], made_up: MadeUpRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = course
    now = dict(keys.environment())
    monkeypatch.setattr(keys, "environment", lambda: {**now, "keras": "99.0"})
    made_up.fails = {"ada"}
    result, _ = grade(kit, root)
    reason = f"the environment changed (keras {now['keras']} → 99.0)"
    assert [change.because for change in result.changes] == [reason]


def test_regrade_runs_all_and_says_that_the_work_is_the_same(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    made_up.fails = {"ada"}
    result, _ = grade(kit, root, regrade=[])
    assert made_up.ran == ["ada", "ben", "cy"]
    assert [change.because for change in result.changes] == ["the same work gave another result"]


def test_regrade_of_one_student_runs_that_one(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    grade(kit, root, regrade=["ben"])
    assert made_up.ran == ["ben"]


def test_regrade_of_nobody_in_the_class_is_told(course: tuple[Kit, Path]) -> None:
    kit, root = course
    with pytest.raises(KitError, match="bne"):
        grade(kit, root, regrade=["bne"])


def test_regrade_that_was_stopped_goes_on_where_it_was(
    course: tuple[Kit, Path], made_up: MadeUpRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = course
    made_up.fails = {"ada"}

    def stopped(*args: object, **words: object) -> object:
        yield next(made_up(*args, **words))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(classroom, "run_submissions", stopped)
        with pytest.raises(KeyboardInterrupt):
            grade(kit, root, regrade=[])
    result, _ = grade(kit, root, regrade=[])
    assert made_up.ran == ["ada", "ben", "cy"]
    assert [change.line for change in result.changes] == [
        "ada: 3 → 1 (q1-double-test 2 → 0), because the same work gave another result"
    ]


def entries(root: Path) -> list[Path]:
    return sorted((root / ".rnnkit" / UNIT).glob("*.json"))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"form": 3}'])
def test_damaged_entry_is_run_again(
    text: str, course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    damaged = next(path for path in entries(root) if '"ada"' in path.read_text())
    damaged.write_text(text)
    grade(kit, root)
    assert made_up.ran == ["ada"]


def test_older_form_is_ignored_and_cleared(course: tuple[Kit, Path], made_up: MadeUpRunner) -> None:
    kit, root = course
    shutil.rmtree(root / ".rnnkit")
    old = root / ".rnnkit" / UNIT / "225ed6562f6887b1"
    (old / "autograded").mkdir(parents=True)
    (old / "outcome.json").write_text('{"key": "x"}')
    grade(kit, root)
    assert made_up.ran == ["ada", "ben", "cy"]
    assert not old.exists()


def test_graded_notebook_that_was_changed_is_run_again(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    path = root / "autograded" / "ada" / UNIT / f"{UNIT}.ipynb"
    path.write_text(path.read_text().replace("hello", "hullo"))
    shutil.rmtree(root / "autograded" / "ben")
    grade(kit, root)
    assert made_up.ran == ["ada", "ben"]
    assert "hullo" not in path.read_text()


def test_gradebook_that_says_otherwise_is_put_right_without_a_run(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        gradebook.find_grade("q1-double-test", UNIT, UNIT, "ben").auto_score = 2.0
        gradebook.remove_submission(UNIT, "ada")
        gradebook.db.commit()
    result, _ = grade(kit, root)
    assert made_up.ran == []
    assert [row.recorded.score for row in result.rows] == [3.0, 1.0, None]
    assert [change.line for change in result.changes] == [
        "ben: 3 → 1 (q1-double-test 2 → 0), because the gradebook did not say what the run gave"
    ]


def test_gradebook_that_is_gone_is_written_again_without_a_run(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    before = content(root)
    (root / "gradebook.db").unlink()
    grade(kit, root)
    assert made_up.ran == []
    assert content(root) == before


def test_grade_that_a_person_gave_is_no_difference(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        grade_ = gradebook.find_grade("q3-why", UNIT, UNIT, "ada")
        grade_.manual_score, grade_.needs_manual_grade = 3.0, False
        gradebook.db.commit()
    result, _ = grade(kit, root)
    assert result.changes == []
    assert (result.rows[0].recorded.score, result.rows[0].recorded.status.value) == (6.0, "ok")
    page = result.rows[0].feedback.read_text(encoding="utf-8")
    assert "6.0" in page


def test_graded_notebook_is_stored_once(course: tuple[Kit, Path]) -> None:
    _, root = course
    kept = list((root / ".rnnkit").rglob("*.ipynb"))
    assert kept == []
    assert len(list((root / "autograded").rglob("*.ipynb"))) == 2


def test_time_of_handing_in_runs_nothing_again_and_is_written(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    stamp = root / "submitted" / "ada" / UNIT / "timestamp.txt"
    stamp.write_text("2026-02-03 04:05:06 UTC")
    grade(kit, root)
    assert made_up.ran == []
    assert content(root)["submissions"][0][1] == "2026-02-03 04:05:06.000000"


def test_timestamp_that_is_a_pipe_or_a_link_is_not_opened(course: tuple[Kit, Path]) -> None:
    kit, root = course
    os.mkfifo(root / "submitted" / "ada" / UNIT / "timestamp.txt")
    (root / "submitted" / "ben" / UNIT / "timestamp.txt").symlink_to("/dev/zero")
    result, _ = grade(kit, root)
    assert [row.recorded.score for row in result.rows] == [3.0, 1.0, None]


@pytest.fixture
def regrade_with(
    course: tuple[Kit, Path], made_up: MadeUpRunner, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., None]:
    """Grade a student again, the outcome with other fields."""

    def regrade(student: str, **fields: object) -> None:
        def changed(*args: object, **words: object) -> object:
            for outcome in made_up(*args, **words):
                yield dataclasses.replace(outcome, **fields)

        with monkeypatch.context() as patch:
            patch.setattr(classroom, "run_submissions", changed)
            grade(*course, regrade=[student])

    return regrade


def test_fence_of_the_run_stays_a_mark(
    course: tuple[Kit, Path], regrade_with: Callable[..., None]
) -> None:
    kit, root = course
    regrade_with("ada", fence=Fence.WEAK)
    result, _ = grade(kit, root)
    with result.grades.open(encoding="utf-8", newline="") as file:
        fences = {row["student"]: row["fence"] for row in csv.DictReader(file)}
    assert fences == {"ada": "weak", "ben": "full", "cy": ""}


def test_lines_of_the_run_stay_in_the_log(
    course: tuple[Kit, Path], regrade_with: Callable[..., None]
) -> None:
    kit, root = course
    regrade_with("ada", log="one line\nand another")
    grade(kit, root)
    log = (root / "logs" / UNIT / "ada.txt").read_text(encoding="utf-8")
    assert "from the run:\n    one line\n    and another\n" in log
    assert "from the run" not in (root / "logs" / UNIT / "ben.txt").read_text(encoding="utf-8")


def test_without_feedback_pages_come_later(
    assignment: Assignment, tmp_path: Path, made_up: MadeUpRunner
) -> None:
    kit, root = make_kit(tmp_path / "kit"), tmp_path / "course"
    submit(root, assignment, "ada")
    result, _ = grade(kit, root, feedback=False)
    assert not (root / "feedback").exists()
    assert "feedback</a>" not in result.report.read_text(encoding="utf-8")
    result, _ = grade(kit, root)
    assert made_up.ran == ["ada"]
    assert result.rows[0].feedback.is_file()


def test_pages_are_made_in_processes_and_one_that_fails_stops_no_other(
    assignment: Assignment, tmp_path: Path
) -> None:
    kit, root = make_kit(tmp_path / "kit"), tmp_path / "course"
    students = ["ada", "ben", "cy", "di", "ed"]
    for student in students:
        submit(root, assignment, student)
    (root / "feedback" / "cy" / UNIT / f"{UNIT}.html").mkdir(parents=True)
    result, _ = grade(kit, root, dataclasses.replace(LIMITS, jobs=2))
    notes = {row.student: row.recorded.note for row in result.rows}
    assert "its feedback page could not be made" in notes.pop("cy")
    assert set(notes.values()) == {""}
    assert [row.feedback.is_file() for row in result.rows] == [True, True, False, True, True]


def test_state_is_small_and_says_what_a_result_depends_on(course: tuple[Kit, Path]) -> None:
    _, root = course
    state = next(s for s in map(json.loads, map(Path.read_text, entries(root))) if s["notebook"])
    assert set(state["key"]) == {"tests", "environment", "settings"}
    assert {"Python", "tensorflow", "keras", "tensorflow-text", "numpy", "rnnkit"} <= set(
        state["key"]["environment"]
    )


def test_run_that_ended_leaves_no_mark_of_itself(course: tuple[Kit, Path]) -> None:
    _, root = course
    assert not (root / ".rnnkit" / UNIT / "run.json").exists()
    assert not list((root / ".rnnkit" / UNIT).glob("*.part"))


def test_outcome_of_a_faulty_machine_is_not_kept(
    course: tuple[Kit, Path], made_up: MadeUpRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = course
    before = {path: path.read_text() for path in entries(root)}

    def failing(*args: object, **words: object) -> object:
        for outcome in made_up(*args, **words):
            yield Outcome(outcome.submission, classroom.Status.INFRASTRUCTURE_ERROR, "no")

    monkeypatch.setattr(classroom, "run_submissions", failing)
    grade(kit, root, regrade=["ada"])
    assert {path: path.read_text() for path in entries(root)} == before


def test_command_prints_whose_score_changed_and_why(
    course: tuple[Kit, Path], assignment: Assignment, capsys: pytest.CaptureFixture[str]
) -> None:
    kit, root = course
    submit(root, assignment, "ada", q1_double=NO)
    show(grade(kit, root)[0])
    printed = capsys.readouterr().out
    assert "Scores that changed: 1" in printed
    assert "ada: 3 → 1 (q1-double-test 2 → 0), because the submission changed" in printed
    show(grade(kit, root)[0])
    assert "No earlier score changed." in capsys.readouterr().out


def test_changes_of_a_stopped_run_are_told_when_it_goes_on(
    course: tuple[Kit, Path], assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = course
    submit(root, assignment, "ada", q1_double=NO)

    def stopped(*_: object) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(classroom, "make_pages", stopped)
        with pytest.raises(KeyboardInterrupt):
            grade(kit, root)
    result, _ = grade(kit, root)
    assert [change.because for change in result.changes] == ["the submission changed"]
    assert "q1-double-test says no" in result.rows[0].feedback.read_text(encoding="utf-8")
