"""Submissions that break graders end in a status, with points for what worked."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
import psutil
import pytest
from nbformat.notebooknode import NotebookNode
from tiny_unit import EXIT_IN_FUNCTION, QUICK, hand_in, handed_in, scores, tree_digest

from rnnkit.errors import KitError
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.fence import Ability
from rnnkit.grading.outcome import Fence, Outcome
from rnnkit.grading.runner import run_submissions
from rnnkit.grading.status import Status

Grade = Callable[..., Outcome]

LOOP = "def double(x):\n    while True:\n        pass"
STUBBORN_LOOP = """def double(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass"""


NOISY = """import sys, warnings
def double(x):
    warnings.warn("slow")
    print("working", file=sys.stderr)
    return 2 * x"""
LOOK_FOR_REFERENCE = """from pathlib import Path
def double(x):
    found = [p.parts for p in Path.cwd().parents[2].rglob("*.ipynb") if "source" in p.parts]
    found = [parts for parts in found if "site-packages" not in parts]  # nbgrader's own
    return 2 * x if not found else found"""
LEFT_RUNNING = "601.25"  # seconds, as no other test has
LOOK = "the answer may stand in another cell, look at: q1-double-test"
UNREADABLE = {
    "empty file": b"",
    "text": b"not JSON at all",
    "cut off": b'{"cells": [], "metadata": {}, "nbfor',
    "no notebook": b"{}",
    "no text": b"\xff\xfe\x00",
    "no cells": b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
}


def cases(assignment: Assignment) -> dict[str, NotebookNode | bytes | None]:
    """What the students of one class hand in, by name."""

    def double(source: str) -> NotebookNode:
        return handed_in(assignment, q1_double=source)

    leave_running = f"""import subprocess
sleeper = subprocess.Popen(["sleep", "{LEFT_RUNNING}"], start_new_session=True)
def double(x):
    return 2 * x"""
    three_crashes = handed_in(assignment)
    for _ in range(3):
        three_crashes.cells.insert(5, nbformat.v4.new_code_cell("import os\nos._exit(1)"))
    copied = handed_in(assignment)
    copied.cells.insert(3, NotebookNode({**copied.cells[2], "id": "copy"}))
    wrong = "def double(x):\n    return 4"
    deleted, raised, skipped = double(wrong), handed_in(assignment), double(wrong)
    del deleted.cells[3]
    raised.cells[3].metadata.nbgrader.points = 200
    skipped.cells[3].metadata["tags"] = ["skip-execution"]
    elsewhere = handed_in(assignment)
    elsewhere.cells[2] = nbformat.v4.new_code_cell("two = 2")
    elsewhere.cells.insert(2, nbformat.v4.new_code_cell("times = lambda x: two * x"))
    return {
        "Zoë O'Brien": handed_in(assignment, q3_why="Because twice two is four."),
        "wrong": double("def double(x):\n    return 4"),
        "blank": assignment.released,
        "loop": double(LOOP),
        "stubborn loop": double(STUBBORN_LOOP),
        "exit in function": double(EXIT_IN_FUNCTION),
        "kernel killed": handed_in(assignment, q2_greet="import os\nos.kill(os.getpid(), 9)"),
        "three crashes": three_crashes,
        "empty folder": None,
        "kills the grader": handed_in(
            assignment, q2_greet="import os\nos.kill(os.getppid(), 9)\nimport time\ntime.sleep(9)"
        ),
        "noisy": double(NOISY),
        "input": double("def double(x):\n    return int(input())"),
        "huge output": double("print('y' * 5_000_000)\ndef double(x):\n    return 2 * x"),
        "huge display": double(
            "from IPython.display import HTML, display\n"
            "shown = display(HTML('a'), display_id='z')\n"
            "shown.update(HTML('y' * 5_000_000))\n"
            "def double(x):\n    return 2 * x"
        ),
        "cell copied": copied,
        "test deleted": deleted,
        "points raised": raised,
        "test skipped": skipped,
        "answer elsewhere": elsewhere,
        "leaves a process": double(leave_running),
        "looks for the reference": double(LOOK_FOR_REFERENCE),
        **UNREADABLE,
    }


@dataclass
class Graded:
    """The class after grading."""

    outcomes: dict[str, Outcome]
    before: str
    after: str
    folder: Path


@pytest.fixture(scope="module")
def graded(assignment: Assignment, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """All cases, graded side by side once; the tests only look."""
    folder = tmp_path_factory.mktemp("cases")
    (folder / "runs").mkdir()
    submissions = [
        hand_in(folder / "submitted", name, content) for name, content in cases(assignment).items()
    ]
    before = tree_digest(folder / "submitted")
    outcomes = run_submissions(assignment, submissions, QUICK, folder / "runs")
    by_name = {outcome.submission.student: outcome for outcome in outcomes}
    return Graded(by_name, before, tree_digest(folder / "submitted"), folder)


@pytest.mark.parametrize(
    ("name", "status", "points", "note"),
    [
        ("Zoë O'Brien", Status.NEEDS_HAND_GRADING, [2.0, 1.0], ""),
        ("wrong", Status.NEEDS_HAND_GRADING, [0.0, 1.0], ""),
        ("blank", Status.OK, [0.0, 0.0], ""),
        ("loop", Status.TIMED_OUT, [0.0, 1.0], "cells stopped: q1-double-test"),
        ("stubborn loop", Status.TIMED_OUT, [0.0, 1.0], "cells left out: q1-double-test"),
        ("exit in function", Status.CRASHED, [0.0, 1.0], "cells left out: q1-double-test"),
        ("kernel killed", Status.CRASHED, [2.0, 0.0], "cells left out: q2-greet"),
        ("kills the grader", Status.TIMED_OUT, [2.0, 0.0], "cells stopped: q2-greet"),
        ("noisy", Status.NEEDS_HAND_GRADING, [2.0, 1.0], ""),
        ("input", Status.NEEDS_HAND_GRADING, [0.0, 1.0], ""),
        ("huge output", Status.NEEDS_HAND_GRADING, [2.0, 1.0], ""),
        ("huge display", Status.NEEDS_HAND_GRADING, [2.0, 1.0], ""),
        ("leaves a process", Status.NEEDS_HAND_GRADING, [2.0, 1.0], ""),
        ("looks for the reference", Status.NEEDS_HAND_GRADING, [2.0, 1.0], ""),
        ("cell copied", Status.REPAIRED, [2.0, 1.0], ""),
        ("test deleted", Status.REPAIRED, [0.0, 1.0], ""),
        ("points raised", Status.TAMPERED, [2.0, 1.0], ""),
        ("test skipped", Status.TAMPERED, [0.0, 1.0], ""),
        ("answer elsewhere", Status.NEEDS_HAND_GRADING, [0.0, 1.0], LOOK),
    ],
)
def test_case_ends_in_its_status_with_the_points_of_what_worked(
    graded: Graded, name: str, status: Status, points: list[float], note: str
) -> None:
    outcome = graded.outcomes[name]
    assert (outcome.status, scores(outcome)[:2], outcome.note) == (status, points, note)


def test_third_crash_keeps_what_ran_before_it(graded: Graded) -> None:
    outcome = graded.outcomes["three crashes"]
    assert scores(outcome)[:2] == [2.0, 0.0]
    assert outcome.status is Status.CRASHED
    assert "cells not run: q2-greet, q2-greet-test" in outcome.note


@pytest.mark.parametrize("name", UNREADABLE)
def test_file_that_is_no_notebook_of_the_unit_has_no_score(graded: Graded, name: str) -> None:
    outcome = graded.outcomes[name]
    assert (outcome.status, outcome.points) == (Status.UNREADABLE, {})
    assert outcome.note


def test_empty_folder_is_missing(graded: Graded) -> None:
    outcome = graded.outcomes["empty folder"]
    assert outcome.status is Status.MISSING
    assert "the folder is empty" in outcome.note


def test_input_fails_with_a_sentence(graded: Graded) -> None:
    assert "cannot ask for input" in nbformat.writes(graded.outcomes["input"].notebook)


@pytest.mark.parametrize("name", ["huge output", "huge display"])
def test_huge_output_is_cut(graded: Graded, name: str) -> None:
    text = nbformat.writes(graded.outcomes[name].notebook)
    assert len(text) < 200_000
    assert "cut here" in text


def test_no_process_is_left_behind(graded: Graded) -> None:
    assert [found for found in psutil.process_iter() if LEFT_RUNNING in cmdline(found)] == []


def test_no_submission_is_lost(graded: Graded, assignment: Assignment) -> None:
    assert set(graded.outcomes) == set(cases(assignment))


def test_what_was_handed_in_stays_as_it_was(graded: Graded) -> None:
    assert graded.after == graded.before


def test_notebook_limit_keeps_what_ran_before_it(assignment: Assignment, grade: Grade) -> None:
    notebook = handed_in(assignment, q2_greet="import time\ntime.sleep(60)")
    outcome = grade(notebook, replace(QUICK, cell_seconds=60, notebook_seconds=8))
    assert scores(outcome)[:2] == [2.0, 0.0]
    assert outcome.status is Status.TIMED_OUT


def test_submission_that_freezes_its_parent_ends_in_time(
    assignment: Assignment, grade: Grade
) -> None:
    freeze = "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(60)"
    notebook = handed_in(assignment, q2_greet=freeze)
    outcome = grade(notebook, replace(QUICK, cell_seconds=5, notebook_seconds=20))
    assert scores(outcome)[0] == 2.0
    assert outcome.status in (Status.TIMED_OUT, Status.NEEDS_HAND_GRADING)


@pytest.mark.parametrize(("fast", "seen"), [(True, 2.0), (False, 0.0)])
def test_short_setting_reaches_the_notebook_only_when_asked_for(
    assignment: Assignment, grade: Grade, fast: bool, seen: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RNNKIT_FAST", "1")
    asks = """import os
def double(x):
    return 2 * x if os.environ.get("RNNKIT_FAST") == "1" else None"""
    outcome = grade(handed_in(assignment, q1_double=asks), replace(QUICK, fast=fast))
    assert scores(outcome)[0] == seen


def test_status_and_note_are_not_what_an_answer_says(assignment: Assignment, grade: Grade) -> None:
    says = """class PointsOutOfRange(MemoryError):
    pass
def double(x):
    print("[points] The check came to 7 points")
    raise PointsOutOfRange("no memory is left")"""
    outcome = grade(handed_in(assignment, q1_double=says, q2_greet="raise MemoryError"))
    assert (outcome.status, outcome.note) == (Status.NEEDS_HAND_GRADING, "")
    assert scores(outcome)[:2] == [0.0, 0.0]


def test_kernel_takes_no_network_port(assignment: Assignment, grade: Grade) -> None:
    asks = """from ipykernel.kernelapp import IPKernelApp
def double(x):
    return 2 * x if IPKernelApp.instance().transport == "ipc" else None"""
    assert scores(grade(handed_in(assignment, q1_double=asks)))[0] == 2.0


def cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # it has ended
        return []


def test_submission_that_ran_without_a_fence_is_marked(
    assignment: Assignment, grade: Grade
) -> None:
    outcome = grade(handed_in(assignment), replace(QUICK, sandbox="off"))
    assert scores(outcome)[:2] == [2.0, 1.0]
    assert outcome.fence is Fence.NONE


def test_class_is_refused_before_anything_runs_where_no_fence_can_be_put_up(
    assignment: Assignment, grade: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rnnkit.grading.execute.probe", lambda: Ability(Fence.NONE))
    with pytest.raises(KitError, match="can fence in what students hand in"):
        grade(handed_in(assignment), replace(QUICK, sandbox="need"))
