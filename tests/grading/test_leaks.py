"""A process that grades for long keeps nothing of the submissions that it has graded."""

import contextlib
import gc
import multiprocessing.util
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from test_job import job_of
from tiny_unit import QUICK, hand_in, handed_in
from worker_processes import worker_processes

from rnnkit.grading import warm
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.job import run_job
from rnnkit.grading.runner import run_submissions

pytestmark = pytest.mark.slow

FEW, MANY = 20, 100
LOOKS = 10  # at each time: some find a worker between two submissions, where it has least
# What may differ from look to look; one for each submission would be 40 for a worker.
MORE = {"descriptors": 15, "threads": 5, "zombies": 0, "files": 20, "bytes": 10_000_000}
SETTLE_SECONDS = 10.0


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files, with nothing of others in it."""
    multiprocessing.util.get_temp_dir()  # it has one for the whole life of a process
    folder = tempfile.mkdtemp(prefix="leaks-", dir="/tmp")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setenv("TMPDIR", folder)
    yield Path(folder)
    warm.close_zygotes()
    shutil.rmtree(folder, ignore_errors=True)


def names_of_descriptors() -> list[str]:
    """What the open descriptors of this process stand for, without numbers of their own."""
    names = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the one of the listing itself
            names.append(os.readlink(f"/proc/self/fd/{name}").split(":")[0])
    return sorted(names)


def kept(temporary: Path) -> dict[str, Any]:
    """What this process has: descriptors, threads, children, and the temporary files."""
    gc.collect()
    process = psutil.Process()
    children = process.children(recursive=True)
    return {
        "descriptors": names_of_descriptors(),
        "threads": process.num_threads(),
        "children": len(children),
        "zombies": sum(child.status() == psutil.STATUS_ZOMBIE for child in children),
        "files": sorted(path.name.split("-")[0] for path in temporary.iterdir()),
    }


def settled(temporary: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    """What the process has, once what was on its way out has gone."""
    until = time.monotonic() + SETTLE_SECONDS
    while (now := kept(temporary)) != wanted and time.monotonic() < until:
        time.sleep(0.1)
    return now


def test_process_that_runs_jobs_keeps_nothing_of_them(
    assignment: Assignment, tmp_path: Path, temporary: Path
) -> None:
    code = "import threading, time\nthreading.Thread(target=time.sleep, args=(9,)).start()\n"
    job = job_of(assignment, tmp_path, q1_double=code + "double = lambda x: 2 * x")
    for _ in range(3):  # pools and caches fill with the first
        assert run_job(job).note == ""
    before = kept(temporary)
    for _ in range(10):
        run_job(job)
    assert settled(temporary, before) == before


def test_runs_leave_no_process_thread_or_file(
    assignment: Assignment, tmp_path: Path, temporary: Path
) -> None:
    (tmp_path / "runs").mkdir()
    submission = hand_in(tmp_path / "submitted", "student", handed_in(assignment))

    def run() -> None:
        assert len(list(run_submissions(assignment, [submission], QUICK, tmp_path / "runs"))) == 1

    run()
    before = kept(temporary)
    for _ in range(3):
        run()
    assert settled(temporary, before) == before


def test_workers_keep_nothing_of_a_hundred_submissions(
    assignment: Assignment, tmp_path: Path, temporary: Path
) -> None:
    (tmp_path / "runs").mkdir()
    submissions = [
        hand_in(tmp_path / "submitted", f"s{number}", handed_in(assignment, q3_why=str(number)))
        for number in range(MANY)
    ]
    few, many = [], []
    outcomes = run_submissions(assignment, submissions, QUICK, tmp_path / "runs")
    for number, _ in enumerate(outcomes, 1):
        if FEW - LOOKS < number <= FEW:
            few.append(look_at_workers(temporary))
        elif MANY - LOOKS - 2 < number <= MANY - 2:  # the last two leave a worker without work
            many.append(look_at_workers(temporary))
    for name, more in MORE.items():
        assert kept_always(many, name) <= kept_always(few, name) + more, name


Look = dict[int, dict[str, int]]  # by process, 0 for what belongs to none


def kept_always(looks: list[Look], name: str) -> int:
    """The least that a process had at any look, of the process where this is most."""
    processes = {process for look in looks for process in look if name in look[process]}
    return max(
        min(look[process][name] for look in looks if process in look) for process in processes
    )


def look_at_workers(temporary: Path) -> Look:
    """What each worker has at this moment, and how many temporary files there are."""
    found: Look = {}
    for worker in worker_processes():
        children = worker.children(recursive=True)
        found[worker.pid] = {
            "descriptors": worker.num_fds(),
            "threads": worker.num_threads(),
            "zombies": sum(child.status() == psutil.STATUS_ZOMBIE for child in children),
            "bytes": worker.memory_info().rss,
        }
    files = sum(len(folders) + len(files) for _, folders, files in os.walk(temporary))
    found[0] = {"files": files}
    return found
