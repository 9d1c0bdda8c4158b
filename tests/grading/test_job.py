"""One job, run in this process."""

import dataclasses
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from tiny_unit import QUICK, hand_in, handed_in

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.execute import FencedExecute
from rnnkit.grading.job import Job, run_job
from rnnkit.grading.limits import Limits
from rnnkit.grading.runner import _Prepared, _Runs
from rnnkit.plain_text import with_colours


def job_of(assignment: Assignment, folder: Path, limits: Limits = QUICK, **sources: str) -> Job:
    submission = hand_in(folder, "student", handed_in(assignment, **sources))
    prepared = _Runs(assignment, limits, folder, lambda submission: None).prepare(submission)
    assert isinstance(prepared, _Prepared)
    return prepared.job


def error_of(text: str, grade_id: str) -> str:
    for cell in nbformat.reads(text, as_version=4).cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id:
            return "; ".join(out.evalue for out in cell.outputs if out.output_type == "error")
    raise AssertionError(grade_id)


@pytest.fixture
def failing_starts(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the first starts end as they do where a kernel dies before it answers."""
    run, left = FencedExecute._run, [0]

    def fail(self: FencedExecute, *rest: Any) -> None:
        if left[0]:
            left[0] -= 1
            raise RuntimeError("Kernel died before replying to kernel_info")
        run(self, *rest)

    monkeypatch.setattr(FencedExecute, "_run", fail)

    def failures(number: int) -> None:
        left[0] = number

    return failures


def test_kernel_that_does_not_start_is_started_again(
    assignment: Assignment, tmp_path: Path, failing_starts: Any
) -> None:
    failing_starts(2)
    result = run_job(job_of(assignment, tmp_path))
    assert (result.note, result.record.starts) == ("", 3)
    assert error_of(result.notebook, "q1-double-test") == ""


def test_kernel_that_never_starts_is_told(
    assignment: Assignment, tmp_path: Path, failing_starts: Any
) -> None:
    failing_starts(9)
    result = run_job(job_of(assignment, tmp_path))
    assert result.notebook == ""
    assert "Kernel died before replying" in result.note


KILL_KEEPER = """import os, signal
from pathlib import Path
once = Path({once!r})
if not once.exists():
    once.touch()
    guard = os.getppid()
    stat = Path(f"/proc/{{guard}}/stat").read_text()
    os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
    signal.pause()
double = lambda x: 2 * x"""


def test_kernel_that_was_taken_away_is_no_crash(assignment: Assignment, tmp_path: Path) -> None:
    limits = dataclasses.replace(QUICK, sandbox="off")  # no fence: the keeper can be killed
    code = KILL_KEEPER.format(once=str(tmp_path / "once"))
    result = run_job(job_of(assignment, tmp_path, limits, q1_double=code))
    assert (result.note, result.record.starts, result.record.left_out) == ("", 2, {})
    assert error_of(result.notebook, "q1-double-test") == ""


def test_cell_whose_kernel_is_always_taken_away_is_left_out_without_a_fence(
    assignment: Assignment, tmp_path: Path
) -> None:
    limits = dataclasses.replace(QUICK, sandbox="off")
    code = KILL_KEEPER.format(once=str(tmp_path / "once")).replace("once.touch()", "pass")
    result = run_job(job_of(assignment, tmp_path, limits, q1_double=code))
    assert (result.record.starts, list(result.record.left_out)) == (4, ["2:q1-double"])
    assert error_of(result.notebook, "q2-greet-test") == ""


def test_other_version_of_the_kit_is_refused(assignment: Assignment, tmp_path: Path) -> None:
    job = job_of(assignment, tmp_path)
    older = dataclasses.replace(job, bundle=dataclasses.replace(job.bundle, version="0.0.1"))
    assert "expected rnnkit 0.0.1 on the worker" in run_job(older).note


def test_cell_has_the_limit_that_the_unit_gives_it(assignment: Assignment, tmp_path: Path) -> None:
    wait = "import time\ntime.sleep(4)\ndef greet(name):\n    return 'hello ' + name"
    job = job_of(assignment, tmp_path, q2_greet=wait)  # the limit for others is 3 seconds
    seconds = dataclasses.replace(job.bundle, seconds={"q2-greet": 20})
    result = run_job(dataclasses.replace(job, bundle=seconds))
    assert error_of(result.notebook, "q2-greet-test") == ""


def test_student_cannot_give_a_cell_more_time(assignment: Assignment, tmp_path: Path) -> None:
    notebook = handed_in(assignment, q2_greet="import time\ntime.sleep(9)")
    for cell in notebook.cells:
        cell.metadata["rnnkit"] = {"seconds": 100}
    submission = hand_in(tmp_path, "student", notebook)
    prepared = _Runs(assignment, QUICK, tmp_path, lambda submission: None).prepare(submission)
    assert isinstance(prepared, _Prepared)
    assert "was stopped" in error_of(run_job(prepared.job).notebook, "q2-greet")


def out_of_memory(*cells: str) -> list[dict[str, str]]:
    return [{"cell": cell, "what": "out of memory"} for cell in cells]


@pytest.mark.parametrize("block", ["bytes([1]) * 10_000_000", "bytearray(10_000_000)"])
def test_want_of_memory_is_an_event_of_its_cell(
    assignment: Assignment, tmp_path: Path, block: str
) -> None:
    grow = f"grown = []\nwhile True:\n    grown.append({block})"
    limits = dataclasses.replace(QUICK, cell_seconds=20, memory_bytes=600_000_000)
    result = run_job(job_of(assignment, tmp_path, limits, q1_double=grow))
    assert result.record.events == out_of_memory("2:q1-double")


def test_want_of_memory_in_a_function_is_an_event_of_its_test(
    assignment: Assignment, tmp_path: Path
) -> None:
    grow = "def double(x):\n    return [bytes([1]) * 50_000_000 for _ in range(1000)]"
    limits = dataclasses.replace(QUICK, cell_seconds=20, memory_bytes=600_000_000)
    result = run_job(job_of(assignment, tmp_path, limits, q1_double=grow))
    assert result.record.events == out_of_memory("3:q1-double-test")


@pytest.mark.parametrize("code", ["raise MemoryError('none left')", "return [0] * 10**13"])
def test_error_of_memory_with_room_for_more_is_an_ordinary_error(
    assignment: Assignment, tmp_path: Path, code: str
) -> None:
    in_a_cell = "raise MemoryError('none left')\ngreet = 1"
    sources = {"q1_double": f"def double(x):\n    {code}", "q2_greet": in_a_cell}
    result = run_job(job_of(assignment, tmp_path, **sources))
    assert result.record.events == []
    assert enames(result.notebook, "q1-double-test") == ["MemoryError"]
    assert enames(result.notebook, "q2-greet") == ["MemoryError"]


def enames(text: str, grade_id: str) -> list[str]:
    cells = nbformat.reads(text, as_version=4).cells
    found = next(c for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)
    return [output.ename for output in found.outputs if output.output_type == "error"]


@pytest.mark.parametrize(
    "name", ["PointsOutOfRange", "CellTimeoutError", "CellLeftOut", "CellNotRun", "TestStopped"]
)
def test_error_that_a_student_names_like_one_of_ours_is_not_taken_for_it(
    assignment: Assignment, tmp_path: Path, name: str
) -> None:
    raises = f"class {name}(Exception):\n    pass\ndef double(x):\n    raise {name}('7 points')"
    result = run_job(job_of(assignment, tmp_path, q1_double=f"{raises}\ndouble(1)"))
    assert enames(result.notebook, "q1-double") == [f"__main__.{name}"]
    assert enames(result.notebook, "q1-double-test") == [f"__main__.{name}"]
    assert (result.record.events, result.record.odd_points) == ([], [])


def test_output_keeps_its_colours_and_nothing_else_that_acts_on_a_terminal(
    assignment: Assignment, tmp_path: Path
) -> None:
    acts = "a\\x07b\\x1b[2Jc\\u202ed\\x1b]0;t\\x07"
    code = f"print('{acts}\\x1b[31mred\\x1b[0m 1%\\r2%')\nraise ValueError('{acts}')"
    result = run_job(job_of(assignment, tmp_path, q1_double=code))
    printed, error = nbformat.reads(result.notebook, as_version=4).cells[2].outputs
    shown = "a?b?[2Jc?d?]0;t?"
    assert printed.text == f"{shown}\x1b[31mred\x1b[0m 1%\r2%\n"
    assert error.evalue == shown
    assert any("\x1b[" in line for line in error.traceback)
    for line in error.traceback:
        assert with_colours(line) == line


def test_how_a_run_ended_is_not_what_a_student_wrote(
    assignment: Assignment, tmp_path: Path
) -> None:
    notebook = handed_in(assignment)
    notebook.metadata["rnnkit"] = {"status": "tampered", "note": "by the teacher"}
    job = job_of(assignment, tmp_path)
    result = run_job(dataclasses.replace(job, notebook=nbformat.writes(notebook), mended=False))
    assert "rnnkit" not in nbformat.reads(result.notebook, as_version=4).metadata


def test_files_lie_beside_the_notebook_and_the_notebook_does_not(
    assignment: Assignment, tmp_path: Path
) -> None:
    look = "import os\nprint('found', sorted(n for n in os.listdir() if n[0] != '.'))\ndouble = abs"
    job = job_of(assignment, tmp_path, q1_double=look)
    job = dataclasses.replace(job, files={"words/list.txt": b"a"})
    cell = nbformat.reads(run_job(job).notebook, as_version=4).cells[2]
    assert cell.outputs[0].text == "found ['words']\n"


def test_random_numbers_are_the_same_in_each_run(assignment: Assignment, tmp_path: Path) -> None:
    draw = "import random, numpy\nprint(random.random(), numpy.random.rand())\ndouble = abs"
    job = job_of(assignment, tmp_path, q1_double=draw)
    texts = {
        nbformat.reads(run_job(job).notebook, as_version=4).cells[2].outputs[0].text
        for _ in range(2)
    }
    assert len(texts) == 1


def test_kernel_sees_no_secret_of_the_graders_environment(
    assignment: Assignment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "COURSE_TOKEN", "s3cret")
    show = "import os\nprint(dict(os.environ))\ndouble = abs"
    assert "s3cret" not in run_job(job_of(assignment, tmp_path, q1_double=show)).notebook


def test_kernel_starts_without_a_debugger_and_the_notebook_may_still_import_one(
    assignment: Assignment, tmp_path: Path
) -> None:
    code = (
        "import sys\nassert 'pydevd' not in sys.modules\nimport debugpy\ndouble = lambda x: 2 * x"
    )
    result = run_job(job_of(assignment, tmp_path, q1_double=code))
    assert error_of(result.notebook, "q1-double") == ""
    assert error_of(result.notebook, "q1-double-test") == ""


def test_notebook_that_preflight_has_not_seen_is_checked_by_nbgrader(
    assignment: Assignment, tmp_path: Path
) -> None:
    job = job_of(assignment, tmp_path)
    notebook = nbformat.reads(job.notebook, as_version=4)
    next(c for c in notebook.cells if "nbgrader" in c.metadata).metadata.nbgrader["points"] = -1
    unseen = dataclasses.replace(job, notebook=nbformat.writes(notebook), mended=False)
    result = run_job(unseen)
    assert "failed to validate" in result.note


def test_what_a_kernel_wrote_before_it_ended_comes_back(
    assignment: Assignment, tmp_path: Path
) -> None:
    end = "import ctypes\ndef double(x):\n    ctypes.string_at(0)"
    assert "Segmentation fault" in run_job(job_of(assignment, tmp_path, q1_double=end)).log


def test_quiet_run_has_an_empty_log(assignment: Assignment, tmp_path: Path) -> None:
    assert run_job(job_of(assignment, tmp_path)).log == ""
