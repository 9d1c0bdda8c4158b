"""Submissions that break graders end in a status, with points for what worked."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from tiny_unit import EXIT_IN_FUNCTION, QUICK, hand_in, handed_in, scores, tree_digest

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.limits import Limits
from rnnkit.grading.runner import Outcome, run_submissions
from rnnkit.grading.status import Status

Grade = Callable[..., Outcome]

WRITTEN = "Because twice two is four."
LOOP = "def double(x):\n    while True:\n        pass"
STUBBORN_LOOP = """def double(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass"""


def test_right_answer_gets_full_marks_and_waits_for_hand_grading(
    assignment: Assignment, grade: Grade
) -> None:
    outcome = grade(handed_in(assignment, q3_why=WRITTEN))
    assert scores(outcome) == [2.0, 1.0, None]
    assert outcome.status is Status.NEEDS_HAND_GRADING


def test_wrong_answer_loses_its_own_points_only(assignment: Assignment, grade: Grade) -> None:
    outcome = grade(handed_in(assignment, q1_double="def double(x):\n    return 4"))
    assert scores(outcome)[:2] == [0.0, 1.0]


def test_blank_gets_nothing_and_has_nothing_to_read(assignment: Assignment, grade: Grade) -> None:
    outcome = grade(assignment.released)
    assert scores(outcome)[:2] == [0.0, 0.0]
    assert outcome.status is Status.OK


def test_endless_loop_costs_its_own_points(assignment: Assignment, grade: Grade) -> None:
    outcome = grade(handed_in(assignment, q1_double=LOOP))
    assert scores(outcome)[:2] == [0.0, 1.0]
    assert outcome.status is Status.TIMED_OUT
    assert outcome.note == "cells stopped: q1-double-test"


def test_loop_that_swallows_the_interrupt_is_left_out(assignment: Assignment, grade: Grade) -> None:
    outcome = grade(handed_in(assignment, q1_double=STUBBORN_LOOP))
    assert scores(outcome)[:2] == [0.0, 1.0]
    assert outcome.status is Status.TIMED_OUT
    assert outcome.note == "cells left out: q1-double-test"


def test_exit_in_a_function_costs_its_own_points(assignment: Assignment, grade: Grade) -> None:
    outcome = grade(handed_in(assignment, q1_double=EXIT_IN_FUNCTION))
    assert scores(outcome)[:2] == [0.0, 1.0]
    assert outcome.status is Status.CRASHED


def test_kernel_killed_in_a_solution_cell_costs_what_needs_it(
    assignment: Assignment, grade: Grade
) -> None:
    outcome = grade(handed_in(assignment, q2_greet="import os\nos.kill(os.getpid(), 9)"))
    assert scores(outcome)[:2] == [2.0, 0.0]
    assert outcome.status is Status.CRASHED
    assert outcome.note == "cells left out: q2-greet"


def test_third_crash_keeps_what_ran_before_it(assignment: Assignment, grade: Grade) -> None:
    notebook = handed_in(assignment)
    for _ in range(3):
        notebook.cells.insert(5, nbformat.v4.new_code_cell("import os\nos._exit(1)"))
    outcome = grade(notebook)
    assert scores(outcome)[:2] == [2.0, 0.0]
    assert outcome.status is Status.CRASHED
    assert "cells not run: q2-greet, q2-greet-test" in outcome.note


def test_notebook_limit_keeps_what_ran_before_it(assignment: Assignment, grade: Grade) -> None:
    notebook = handed_in(assignment, q2_greet="import time\ntime.sleep(60)")
    outcome = grade(notebook, Limits(cell_seconds=60, notebook_seconds=8, jobs=1))
    assert scores(outcome)[:2] == [2.0, 0.0]
    assert outcome.status is Status.TIMED_OUT


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not JSON at all",
        b'{"cells": [], "metadata": {}, "nbfor',
        b"{}",
        b"\xff\xfe\x00",
        b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    ],
    ids=["empty", "text", "cut off", "no notebook", "no text", "no cells"],
)
def test_file_that_is_no_notebook_of_the_unit_has_no_score(content: bytes, grade: Grade) -> None:
    outcome = grade(content)
    assert outcome.status is Status.UNREADABLE
    assert outcome.points == {}
    assert outcome.note


def test_empty_folder_is_missing(grade: Grade) -> None:
    outcome = grade(None)
    assert outcome.status is Status.MISSING
    assert "the folder is empty" in outcome.note


def test_warnings_in_a_right_answer_cost_nothing(assignment: Assignment, grade: Grade) -> None:
    noisy = """import sys, warnings
def double(x):
    warnings.warn("slow")
    print("working", file=sys.stderr)
    return 2 * x"""
    outcome = grade(handed_in(assignment, q1_double=noisy))
    assert scores(outcome)[:2] == [2.0, 1.0]


def test_input_fails_with_a_sentence(assignment: Assignment, grade: Grade) -> None:
    outcome = grade(handed_in(assignment, q1_double="def double(x):\n    return int(input())"))
    assert scores(outcome)[:2] == [0.0, 1.0]
    assert outcome.notebook is not None
    assert "cannot ask for input" in nbformat.writes(outcome.notebook)


def test_huge_output_is_cut(assignment: Assignment, grade: Grade) -> None:
    huge = "print('y' * 5_000_000)\ndef double(x):\n    return 2 * x"
    outcome = grade(handed_in(assignment, q1_double=huge), Limits(30, 60, 1))
    assert scores(outcome)[:2] == [2.0, 1.0]
    assert outcome.notebook is not None
    text = nbformat.writes(outcome.notebook)
    assert len(text) < 200_000
    assert "cut here" in text


def test_no_process_is_left_behind(assignment: Assignment, grade: Grade, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    leave = f"""import subprocess
sleeper = subprocess.Popen(["sleep", "600"], start_new_session=True)
open({str(pid_file)!r}, "w").write(str(sleeper.pid))
def double(x):
    return 2 * x"""
    outcome = grade(handed_in(assignment, q1_double=leave))
    assert scores(outcome)[:2] == [2.0, 1.0]
    assert not is_running(int(pid_file.read_text()))


@pytest.mark.parametrize(("fast", "seen"), [(True, 2.0), (False, 0.0)])
def test_short_setting_reaches_the_notebook_only_when_asked_for(
    assignment: Assignment, grade: Grade, fast: bool, seen: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RNNKIT_FAST", "1")
    asks = """import os
def double(x):
    return 2 * x if os.environ.get("RNNKIT_FAST") == "1" else None"""
    outcome = grade(handed_in(assignment, q1_double=asks), Limits(30, 60, 1, fast=fast))
    assert scores(outcome)[0] == seen


def test_reference_is_not_beside_the_running_notebook(assignment: Assignment, grade: Grade) -> None:
    look = """from pathlib import Path
def double(x):
    found = [p for p in Path.cwd().parents[2].rglob("*.ipynb") if "source" in p.parts]
    return 2 * x if not found else found"""
    assert scores(grade(handed_in(assignment, q1_double=look)))[0] == 2.0


def test_bad_submissions_never_stop_others_and_stay_as_they_were(
    assignment: Assignment, tmp_path: Path
) -> None:
    (tmp_path / "runs").mkdir()
    folder = tmp_path / "submitted"
    submissions = [
        hand_in(folder, "cut off", b'{"cells": ['),
        hand_in(folder, "Zoë O'Brien", handed_in(assignment)),
        hand_in(folder, "crash", handed_in(assignment, q1_double=EXIT_IN_FUNCTION)),
        hand_in(folder, "empty", None),
        hand_in(folder, "right", handed_in(assignment)),
    ]
    before = tree_digest(folder)
    outcomes = {
        outcome.submission.student: outcome
        for outcome in run_submissions(assignment, submissions, QUICK, tmp_path / "runs")
    }
    assert len(outcomes) == 5
    assert scores(outcomes["Zoë O'Brien"])[:2] == [2.0, 1.0]
    assert scores(outcomes["right"])[:2] == [2.0, 1.0]
    assert tree_digest(folder) == before


def is_running(pid: int) -> bool:
    """Whether a process lives; one that only waits to be reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
