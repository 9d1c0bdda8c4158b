"""Jobs on processes of this machine and on a real Dask cluster, and what a dead worker costs."""

import dataclasses
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psutil
import pytest
from tiny_unit import QUICK, hand_in, handed_in, scores
from worker_processes import worker_processes

from rnnkit.errors import KitError
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Submission
from rnnkit.grading.runner import run_submissions
from rnnkit.grading.workers import LocalWorkers

CLASS = 6
SLOW = "import time\ntime.sleep(1)\ndef double(x):\n    return 2 * x"


@pytest.fixture
def submissions(assignment: Assignment, tmp_path: Path) -> list[Submission]:
    (tmp_path / "runs").mkdir()
    return [
        hand_in(tmp_path / "submitted", f"s{number}", handed_in(assignment, q1_double=SLOW))
        for number in range(CLASS)
    ]


def all_right(assignment: Assignment, submissions: list[Submission], limits: Limits, place: Path):
    outcomes = list(run_submissions(assignment, submissions, limits, place))
    assert sorted(outcome.submission.student for outcome in outcomes) == [
        submission.student for submission in submissions
    ]
    return {tuple(scores(outcome)[:2]) for outcome in outcomes} == {(2.0, 1.0)}


def kill_one_worker() -> None:
    """Kill one worker, once there is one that has worked for a moment."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        found = worker_processes()
        if found:
            time.sleep(1.5)
            found[0].kill()
            return
        time.sleep(0.05)


def test_killed_worker_loses_no_submission(
    assignment: Assignment, submissions: list[Submission], tmp_path: Path
) -> None:
    killer = threading.Thread(target=kill_one_worker)
    killer.start()
    assert all_right(assignment, submissions, QUICK, tmp_path / "runs")
    killer.join()


def test_server_that_dies_while_it_forks_a_worker_loses_no_submission(
    assignment: Assignment,
    submissions: list[Submission],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    submit, calls = ProcessPoolExecutor.submit, []

    def fail_once(*words: object) -> object:
        calls.append(words)
        if len(calls) == 2:  # the first is running
            raise EOFError("unexpected EOF")
        return submit(*words)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", fail_once)
    assert all_right(assignment, submissions[:3], QUICK, tmp_path / "runs")


def test_worker_that_was_beginning_when_ctrl_c_came_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(executor: ProcessPoolExecutor) -> None:
        raise KeyboardInterrupt

    # What a pool does right after it has begun its first process.
    monkeypatch.setattr(ProcessPoolExecutor, "_start_executor_manager_thread", interrupted)
    workers = LocalWorkers(QUICK)
    with pytest.raises(KeyboardInterrupt):
        workers.executor().submit(os.getpid)
    begun = worker_processes()
    workers.stop()
    assert len(begun) == 1
    assert not begun[0].is_running()


def test_workers_that_died_before_they_read_their_jobs_are_ended() -> None:
    workers = LocalWorkers(dataclasses.replace(QUICK, jobs=1))
    executor = workers.executor()
    asleep = executor.submit(time.sleep, 60)
    jobs = [executor.submit(len, b"more than a pipe holds" * 100_000) for _ in range(2)]
    until = time.monotonic() + 60
    while not asleep.running() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1)
    for worker in worker_processes():
        worker.kill()
    stopping = threading.Thread(target=workers.stop, daemon=True)
    stopping.start()
    stopping.join(30)
    assert not stopping.is_alive()
    assert all(job.done() for job in jobs)


def test_pipe_of_a_broken_pool_is_closed_by_one_thread_alone() -> None:
    workers = LocalWorkers(dataclasses.replace(QUICK, jobs=1))
    executor = workers.executor()
    executor.submit(int).result()
    reader = executor._call_queue._reader  # type: ignore[attr-defined]
    close, closed = reader.close, []

    def close_slowly() -> None:
        closed.append(threading.current_thread())
        time.sleep(1)
        close()

    reader.close = close_slowly
    for worker in worker_processes():
        worker.kill()
    until = time.monotonic() + 60
    while not closed and time.monotonic() < until:
        time.sleep(0.01)
    workers.stop()
    assert len(closed) == 1


def test_submission_whose_worker_always_dies_stops_no_other(
    assignment: Assignment, submissions: list[Submission], tmp_path: Path
) -> None:
    # A step of the course's own that ends the worker, at one submission alone.
    step = (
        "\nimport os\nfrom nbgrader.preprocessors import NbGraderPreprocessor, ClearOutput\n"
        "class EndsTheWorker(NbGraderPreprocessor):\n"
        "    def preprocess(self, nb, resources):\n"
        "        if any('# the end' in cell.source for cell in nb.cells):\n"
        "            os._exit(1)\n"
        "        return nb, resources\n"
        "c.Autograde.sanitize_preprocessors = [EndsTheWorker, ClearOutput]\n"
    )
    config = tmp_path / "nbgrader_config.py"
    assert assignment.config is not None
    config.write_text(assignment.config.read_text(encoding="utf-8") + step, encoding="utf-8")
    ends = hand_in(tmp_path / "submitted", "ends", handed_in(assignment, q1_double="# the end"))
    changed = dataclasses.replace(assignment, config=config)
    outcomes = {
        outcome.submission.student: outcome
        for outcome in run_submissions(changed, [ends, *submissions[:3]], QUICK, tmp_path / "runs")
    }
    assert outcomes["ends"].status.value == "infrastructure error"
    assert "its worker died each time" in outcomes["ends"].note
    assert {tuple(scores(outcomes[f"s{n}"])[:2]) for n in range(3)} == {(2.0, 1.0)}


def test_workers_end_with_their_coordinator(assignment: Assignment, tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom rnnkit.grading.limits import Limits\n"
        "from rnnkit.grading.workers import LocalWorkers\n"
        "if __name__ == '__main__':\n"
        "    workers = LocalWorkers(Limits(jobs=1))\n"
        "    print(workers.executor().submit(__import__('os').getpid).result(), flush=True)\n"
        "    time.sleep(600)\n"
    )
    (tmp_path / "coordinator.py").write_text(script)
    coordinator = subprocess.Popen(
        [sys.executable, str(tmp_path / "coordinator.py")], stdout=subprocess.PIPE, text=True
    )
    assert coordinator.stdout is not None
    worker = psutil.Process(int(coordinator.stdout.readline()))
    family = psutil.Process(coordinator.pid).children(recursive=True)
    coordinator.kill()
    coordinator.wait()
    worker.wait(timeout=30)
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """A scheduler and two workers, as a user starts them."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    environment = {**os.environ, "TF_NUM_INTRAOP_THREADS": "1", "OMP_NUM_THREADS": "1"}
    log = (tmp_path / "cluster.txt").open("wb")

    def start(*words: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
            cwd=tmp_path,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )

    address_file = tmp_path / "scheduler.json"
    scheduler = start(
        "dask_scheduler",
        "--port=0",
        "--host=127.0.0.1",
        "--no-dashboard",
        "--scheduler-file",
        str(address_file),
    )
    until = time.monotonic() + 60
    while not address_file.exists() and time.monotonic() < until:
        time.sleep(0.1)
    import json

    address = json.loads(address_file.read_text())["address"]
    workers = [
        start("dask_worker", address, "--nthreads=1", "--no-nanny", "--no-dashboard")
        for _ in range(2)
    ]
    yield address, workers
    for process in (*workers, scheduler):
        process.send_signal(signal.SIGKILL)
        process.wait()
    log.close()


@pytest.mark.slow
def test_cluster_finishes_when_a_worker_is_killed_in_the_middle(
    assignment: Assignment,
    submissions: list[Submission],
    tmp_path: Path,
    cluster: tuple[str, list[subprocess.Popen]],
) -> None:
    address, workers = cluster
    limits = dataclasses.replace(QUICK, scheduler=address)
    outcomes = []
    for outcome in run_submissions(assignment, submissions, limits, tmp_path / "runs"):
        if not outcomes:
            workers[0].kill()  # it holds jobs at this moment
        outcomes.append(outcome)
    assert {tuple(scores(outcome)[:2]) for outcome in outcomes} == {(2.0, 1.0)}
    assert len(outcomes) == CLASS


def test_address_where_nobody_answers_is_told(
    assignment: Assignment, submissions: list[Submission], tmp_path: Path
) -> None:
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    limits = dataclasses.replace(QUICK, scheduler="not-an-address:-1")
    with pytest.raises(KitError, match="a Dask scheduler at not-an-address"):
        list(run_submissions(assignment, submissions, limits, tmp_path / "runs"))
