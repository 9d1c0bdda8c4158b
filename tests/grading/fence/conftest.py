"""Fixtures around fenced runs."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import fenced_runs

from fenced_runs import MIB, Run, start_run

from rnnkit.grading.fence import FenceSpec, landlock, limits, probe, watch
from rnnkit.grading.outcome import Fence


@pytest.fixture(params=["full", "weak", "weak as on Linux 6.8", "weak as on Linux 5.13"])
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Fence:
    """Each fence, with Landlock as new and as old systems have it."""
    kind = Fence(request.param.split()[0])
    if kind is Fence.FULL and probe().level is not Fence.FULL:
        pytest.skip("this machine has no full fence")
    if not landlock.version():
        pytest.skip("this machine has no Landlock")
    older = {"6.8": 4, "5.13": 1}.get(request.param.split()[-1])
    if older:
        monkeypatch.setattr(landlock, "version", lambda: older)
    return kind


@pytest.fixture
def full() -> Fence:
    if probe().level is not Fence.FULL:
        pytest.skip("this machine has no full fence")
    return Fence.FULL


@pytest.fixture
def no_room_for_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of memory to the byte, whatever the number of processors."""
    for module in (limits, watch):
        monkeypatch.setattr(module, "thread_bytes", lambda: 0)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    """Start a function behind a fence. What it returns goes through JSON."""
    runs: list[Run] = []

    def start_one(level: Fence, function: Callable[..., Any], *words: Any, **fields: Any) -> Run:
        folder = tmp_path / f"run{len(runs)}"
        for name in ("scratch", "sockets"):
            (folder / name).mkdir(parents=True)
        spec = FenceSpec(
            level,
            **{
                "scratch": str(folder / "scratch"),
                "sockets": str(folder / "sockets"),
                "scratch_bytes": 64 * MIB,
                **fields,
            },
        )
        runs.append(start_run(spec, function, *words))
        return runs[-1]

    yield start_one
    for run in runs:
        os.close(run.lifeline)
        os.close(run.report_pipe)
        os.close(run.result_pipe)


@pytest.fixture
def bystander() -> Iterator[int]:
    """A process of the same user that has nothing to do with the submission."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process.pid
    process.kill()
    process.wait()
