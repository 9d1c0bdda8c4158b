"""A submission is written whole or not at all, and a stopped run ends as one that was not."""

import errno
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from made_up_runs import (
    BROKEN,
    LIMITS,
    WRONG,
    MadeUpRunner,
    content,
    files,
    grade,
    made_up_outcome,
    submit,
)
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from tiny_unit import UNIT, hand_in, make_kit

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading import classroom, gradebook, results
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.course import open_course
from rnnkit.grading.gradebook import Recorder
from rnnkit.grading.open_gradebook import _Held
from rnnkit.grading.outcome import Submission

NO = f"def double(x):\n    return {WRONG}"
PLUGIN = """
from nbgrader.plugins import BasePlugin

class HalfAPoint(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5
"""


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUpRunner:
    runner = MadeUpRunner()
    monkeypatch.setattr(classroom, "run_submissions", runner)
    return runner


def by_hand(root: Path, student: str, points: float) -> None:
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        found = book.find_grade("q3-why", UNIT, UNIT, student)
        found.manual_score, found.needs_manual_grade = points, False
        book.find_comment("q3-why", UNIT, UNIT, student).manual_comment = "Well said."
        book.db.commit()


@pytest.fixture(scope="module")
def changed_class(
    assignment: Assignment, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Kit and course of a class that was graded, and handed in again since; tests take copies."""
    folder = tmp_path_factory.mktemp("changed")
    kit, root = make_kit(folder / "kit"), folder / "course"
    for student in ("code", "essay", "gone", "same", "unreadable"):
        submit(root, assignment, student, q3_why="Twice two is four.")
    (root / "nbgrader_config.py").write_text(
        (kit.root / "nbgrader_config.py").read_text()
        + 'c.AssignLatePenalties.plugin_class = "half_a_point.HalfAPoint"\n'
    )
    (root / "half_a_point.py").write_text(PLUGIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classroom, "run_submissions", MadeUpRunner())
        grade(kit, root)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        book.update_or_create_assignment(UNIT, duedate="2026-01-01")
        book.find_submission(UNIT, "gone").extension = timedelta(days=2)
        book.db.commit()
    for student in ("code", "essay", "unreadable"):
        by_hand(root, student, 2.5)
    submit(root, assignment, "code", q1_double=NO, q3_why="Twice two is four.")
    (root / "submitted" / "code" / UNIT / "timestamp.txt").write_text("2026-01-02 00:00:00 UTC")
    submit(root, assignment, "essay", q3_why="I changed my mind.")
    (root / "submitted" / "gone" / UNIT / f"{UNIT}.ipynb").unlink()
    submit(root, assignment, "late", q3_why="A first one.")
    (root / "submitted" / "late" / UNIT / "timestamp.txt").write_text("2026-01-03 00:00:00 UTC")
    (root / "submitted" / "unreadable" / UNIT / f"{UNIT}.ipynb").write_text("{")
    hand_in(root / "submitted", "empty", None)
    return kit.root, root


@pytest.fixture
def course(changed_class: tuple[Path, Path], tmp_path: Path) -> tuple[Kit, Path]:
    for name, path in zip(("kit", "course"), changed_class, strict=True):
        shutil.copytree(path, tmp_path / name)
    return Kit(tmp_path / "kit"), tmp_path / "course"


@pytest.fixture(scope="module")
def without_fault(
    changed_class: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, list[tuple[object, ...]]], dict[str, str]]:
    """What a run that nothing stops gives: the gradebook and the files."""
    root = shutil.copytree(changed_class[1], tmp_path_factory.mktemp("without") / "course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classroom, "run_submissions", MadeUpRunner())
        grade(Kit(changed_class[0]), root)
    return content(root), files_of(root)


def files_of(root: Path) -> dict[str, str]:
    """The files without the course's own path in them."""
    return {name: text.replace(str(root), "") for name, text in files(root).items()}


def row(root: Path, kind: str, *start: str) -> tuple[object, ...]:
    return next(row for row in content(root)[kind] if row[: len(start)] == start)


def test_regrade_keeps_hand_grades_comments_and_extensions(course: tuple[Kit, Path]) -> None:
    kit, root = course
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        book.find_submission(UNIT, "essay").extension = timedelta(hours=6)
        book.db.commit()
    grade(kit, root, regrade=[])
    assert row(root, "grades", "code", "q3-why")[3:] == (2.5, None, 0)
    assert row(root, "comments", "code", "q3-why")[3] == "Well said."
    assert "06:00" in str(row(root, "submissions", "essay")[2])


def test_answer_that_changed_waits_to_be_read_again(course: tuple[Kit, Path]) -> None:
    kit, root = course
    grade(kit, root)
    assert row(root, "grades", "essay", "q3-why")[3:] == (2.5, None, 1)


def test_late_penalty_comes_from_the_plugin_of_the_course(course: tuple[Kit, Path]) -> None:
    kit, root = course
    result, _ = grade(kit, root)
    assert row(root, "submissions", "late")[3] == 0.5
    scores = {row.student: row.recorded.score for row in result.rows}
    assert (scores["late"], scores["code"]) == (2.5, 3.0)


def test_extension_given_after_grading_takes_the_penalty_back(
    course: tuple[Kit, Path], made_up: MadeUpRunner
) -> None:
    kit, root = course
    grade(kit, root)
    made_up.ran.clear()
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        book.grant_extension(UNIT, "late", days=5)
    result, _ = grade(kit, root)
    assert made_up.ran == []
    assert [change.line for change in result.changes] == [
        "late: 2.5 → 3, because the late penalty changed"
    ]


def test_extension_outlives_a_submission_that_was_taken_out(
    course: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = course
    grade(kit, root)
    assert not [row for row in content(root)["submissions"] if row[0] == "gone"]
    submit(root, assignment, "gone")
    grade(kit, root)
    assert "1970-01-03" in str(row(root, "submissions", "gone")[2])


def test_hand_grade_is_not_lost_when_the_new_file_is_unreadable(course: tuple[Kit, Path]) -> None:
    kit, root = course
    result, _ = grade(kit, root)
    found = next(row for row in result.rows if row.student == "unreadable").recorded
    assert found.score == 5.5
    assert "which the gradebook still holds" in found.note


def test_failed_regrade_keeps_the_old_score_and_says_so(
    course: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = course
    before = row(root, "grades", "same", "q1-double-test")
    page = (root / "feedback" / "same" / UNIT / f"{UNIT}.html").read_text()
    submit(root, assignment, "same", q1_double=BROKEN)
    result, _ = grade(kit, root)
    found = next(row for row in result.rows if row.student == "same").recorded
    assert (found.status.value, found.score) == ("infrastructure error", 3.0)
    assert "that of an earlier run" in found.note
    assert row(root, "grades", "same", "q1-double-test") == before
    assert (root / "feedback" / "same" / UNIT / f"{UNIT}.html").read_text() == page


def test_failed_run_is_run_again_next_time(
    course: tuple[Kit, Path], assignment: Assignment, made_up: MadeUpRunner
) -> None:
    kit, root = course
    submit(root, assignment, "same", q1_double=BROKEN)
    grade(kit, root)
    made_up.ran.clear()
    grade(kit, root)
    assert made_up.ran == ["same"]


# Three of nbgrader's, which know the student, then three of ours.
STEPS: list[tuple[object, str]] = [
    (SaveAutoGrades, "_add_score"),
    (SaveAutoGrades, "_add_comment"),
    (AssignLatePenalties, "_check_late_penalty"),
    (Recorder, "_settled_by_hand"),
    (Recorder, "_run_steps"),
    (_Held, "keep"),
]


@pytest.mark.parametrize(("owner", "name"), STEPS, ids=lambda part: str(part).split(".")[-1])
def test_fault_in_a_step_leaves_the_old_grade(
    course: tuple[Kit, Path],
    assignment: Assignment,
    monkeypatch: pytest.MonkeyPatch,
    owner: object,
    name: str,
) -> None:
    kit, root = course
    opened = open_course(kit, UNIT, root)
    submission = Submission("code", root / "submitted" / "code" / UNIT)
    outcome = made_up_outcome(assignment, submission, root / "runs")
    before = content(root)
    with Recorder(opened, assignment, print) as recorder:
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                recorder.record(outcome)
        assert content(root) == before
        recorder.record(outcome)
    assert content(root) != before


@pytest.mark.parametrize(("owner", "name"), STEPS[:3], ids=lambda part: str(part).split(".")[-1])
def test_fault_with_one_submission_is_its_status_and_no_others(
    course: tuple[Kit, Path], monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    kit, root = course
    step = getattr(owner, name)

    def fail(self: object, *args: object) -> object:
        if self.student_id == "code":
            raise ZeroDivisionError("here")
        return step(self, *args)

    monkeypatch.setattr(owner, name, fail)
    result, _ = grade(kit, root)
    statuses = {row.student: row.recorded.status.value for row in result.rows}
    assert statuses["code"] == "infrastructure error"
    assert statuses["late"] == "needs hand grading"


def in_a_child(action: Callable[[], object]) -> int:
    """Run something in a copy of this process; its exit status."""
    child = os.fork()
    if not child:
        try:
            action()
        finally:
            os._exit(1)  # not reached where the action ends the process itself
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


KILLED = 9
DONE = 0
WRITING = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "shutil.move", "shutil.rmtree")


def die_at(event_number: int, root: Path) -> Callable[[str, tuple[object, ...]], None]:
    """A hook that ends the process at the given change of a file of the course."""
    seen = 0

    def hook(event: str, values: tuple[object, ...]) -> None:
        nonlocal seen
        writes = event in WRITING or (event == "open" and str(values[1])[:1] in "wax")
        if writes and any(str(root) in str(value) for value in values):
            seen += 1
            if seen == event_number:
                os._exit(KILLED)

    return hook


def graded_then_killed(kit: Kit, root: Path, event_number: int) -> int:
    def run() -> None:
        sys.addaudithook(die_at(event_number, root))
        grade(kit, root)
        os._exit(DONE)

    return in_a_child(run)


def check_killed_at(
    event_number: int,
    course: tuple[Kit, Path],
    without_fault: tuple[dict[str, list[tuple[object, ...]]], dict[str, str]],
) -> int:
    kit, root = course
    status = graded_then_killed(kit, root, event_number)
    grade(kit, root)
    assert content(root) == without_fault[0]
    assert files_of(root) == without_fault[1]
    return status


@pytest.mark.parametrize("event_number", [20, 47, 90])
def test_killed_run_ends_as_one_that_was_not(
    event_number: int,
    course: tuple[Kit, Path],
    without_fault: tuple[dict[str, list[tuple[object, ...]]], dict[str, str]],
) -> None:
    assert check_killed_at(event_number, course, without_fault) == KILLED


def test_run_that_ended_and_is_called_again_changes_nothing(
    course: tuple[Kit, Path],
    without_fault: tuple[dict[str, list[tuple[object, ...]]], dict[str, str]],
) -> None:
    assert check_killed_at(10_000, course, without_fault) == DONE


@pytest.mark.slow
def test_run_killed_at_any_change_of_a_file_ends_as_one_that_was_not(
    changed_class: tuple[Path, Path],
    tmp_path: Path,
    without_fault: tuple[dict[str, list[tuple[object, ...]]], dict[str, str]],
) -> None:
    # Every place takes minutes; by default a few of them, spread over the whole run.
    step = 1 if os.environ.get("RNNKIT_ALL_FAULTS") else 13
    status, event_number = KILLED, 0
    while status == KILLED:
        event_number += step
        root = shutil.copytree(changed_class[1], tmp_path / str(event_number))
        status = check_killed_at(event_number, (Kit(changed_class[0]), root), without_fault)
        shutil.rmtree(root)
    assert status == DONE
    assert event_number > 90


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("write", [2, 6])
def test_run_killed_around_a_commit_ends_as_one_that_was_not(
    write: int,
    moment: str,
    course: tuple[Kit, Path],
    monkeypatch: pytest.MonkeyPatch,
    without_fault: tuple[dict[str, list[tuple[object, ...]]], dict[str, str]],
) -> None:
    kit, root = course
    keep, writes = _Held.keep, 0

    def dying(session: _Held) -> None:
        nonlocal writes
        writes += 1
        if writes == write and moment == "before":
            os._exit(KILLED)
        keep(session)
        if writes == write:
            os._exit(KILLED)

    with monkeypatch.context() as patch:
        patch.setattr(_Held, "keep", dying)
        assert in_a_child(lambda: grade(kit, root)) == KILLED
    grade(kit, root)
    assert content(root) == without_fault[0]
    assert files_of(root) == without_fault[1]


def full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (results.shutil, "move"),
        (results.os, "replace"),
        (classroom, "write_log"),
    ],
    ids=lambda part: str(part).split()[-1],
)
def test_full_disk_stops_the_run_and_loses_nothing(
    owner: object,
    name: str,
    course: tuple[Kit, Path],
    monkeypatch: pytest.MonkeyPatch,
    without_fault: tuple[dict[str, list[tuple[object, ...]]], dict[str, str]],
) -> None:
    kit, root = course
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, full_disk)
        with pytest.raises(OSError, match="No space"):
            grade(kit, root)
    grade(kit, root)
    assert content(root) == without_fault[0]
    assert files_of(root) == without_fault[1]


def test_full_disk_under_the_gradebook_is_told(course: tuple[Kit, Path]) -> None:
    kit, root = course
    with Recorder(open_course(kit, UNIT, root), None, print) as recorder:  # type: ignore[arg-type]

        def full() -> None:
            raise gradebook.OperationalError("", {}, sqlite3.Error("database or disk is full"))

        with pytest.raises(KitError, match="room on the disk"):
            recorder._patiently(full)


def test_interrupt_in_the_middle_keeps_what_was_done(
    course: tuple[Kit, Path], made_up: MadeUpRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, root = course

    def interrupted(*args: object, **words: object) -> Iterator[object]:
        for number, outcome in enumerate(made_up(*args, **words)):
            if number == 2:
                raise KeyboardInterrupt
            yield outcome

    with monkeypatch.context() as patch:
        patch.setattr(classroom, "run_submissions", interrupted)
        with pytest.raises(KeyboardInterrupt):
            grade(kit, root)
    done = made_up.ran[:2]
    made_up.ran.clear()
    grade(kit, root)
    assert len(done) == 2
    assert not set(done) & set(made_up.ran)


def test_memory_holds_no_objects_of_submissions_that_are_written(
    course: tuple[Kit, Path], assignment: Assignment
) -> None:
    kit, root = course
    with Recorder(open_course(kit, UNIT, root), assignment, print) as recorder:
        submission = Submission("same", root / "submitted" / "same" / UNIT)
        recorder.record(made_up_outcome(assignment, submission, root / "runs"))
        assert len(recorder._gradebook.db().identity_map) == 0


def test_settings_with_a_course_name_add_no_other_course(
    course: tuple[Kit, Path],
) -> None:
    kit, root = course
    (root / "gradebook.db").unlink()
    with (root / "nbgrader_config.py").open("a") as config:
        config.write('c.CourseDirectory.course_id = "nlp"\n')
    grade(kit, root, LIMITS)
    connection = sqlite3.connect(root / "gradebook.db")
    found = connection.execute("SELECT id FROM course").fetchall()
    connection.close()
    assert ("nlp",) in found
