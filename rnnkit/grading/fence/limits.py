"""Limits that the system holds each process to."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from rnnkit.grading.fence.spec import FenceSpec
from rnnkit.grading.fence.system import step
from rnnkit.grading.outcome import Fence

__all__ = ["limit_processes_in_namespace", "set_limits", "thread_bytes"]

THREAD_STACK = 8 << 20
THREADS = 256  # besides those that grow with the processors
LEAST_HIGHEST = 301  # the least that the system takes as the highest process number


def _cores() -> int:
    return os.cpu_count() or 1


def thread_bytes() -> int:
    """Room for the stacks of TensorFlow's threads, which are reserved and hardly used."""
    return 16 * _cores() * THREAD_STACK


def set_limits(spec: FenceSpec) -> None:
    """Hold this process, and each that it starts, to the limits.

    Args:
        spec: What may be used.
    """
    import resource  # Windows has none, and reads this file too

    wanted = {
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_CPU: (spec.cpu_seconds, spec.cpu_seconds + 2),
        resource.RLIMIT_FSIZE: (spec.file_bytes, spec.file_bytes),
        resource.RLIMIT_NOFILE: (spec.open_files, spec.open_files),
        resource.RLIMIT_NPROC: _tasks(spec),
    }
    if not spec.gpus:  # a GPU's driver reserves and locks more than it uses
        wanted[resource.RLIMIT_MEMLOCK] = (0, 0)
        wanted[resource.RLIMIT_DATA] = _data(spec)
    with step("set limits"):
        for kind, (soft, hard) in wanted.items():
            _, most = resource.getrlimit(kind)
            if most != resource.RLIM_INFINITY:
                soft, hard = min(soft, most), min(hard, most)
            resource.setrlimit(kind, (soft, hard))


def _data(spec: FenceSpec) -> tuple[int, int]:
    """Written memory: what the process was forked with, and what the submission may add."""
    most = _own("VmData") * 1024 + spec.memory_bytes + thread_bytes()
    return most, most


def _tasks(spec: FenceSpec) -> tuple[int, int]:
    """Processes and threads.

    Linux counts them for each user namespace from 5.14 on; else all of the user's
    count, also those of other submissions, and the keeper's watch must do.
    """
    tasks = spec.processes + THREADS + 16 * _cores()
    if spec.level is not Fence.FULL or _release() < (5, 14):
        tasks += _tasks_of_user() + 1024 + 512 * _cores()
    return tasks, tasks


def _release() -> tuple[int, ...]:
    words = platform.release().split("-")[0].split(".")
    return tuple(int(word) for word in words[:2] if word.isdigit())


def _tasks_of_user() -> int:
    me, total = os.getuid(), 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == me:
                total += os.stat(f"/proc/{name}/task").st_nlink - 2
        except OSError:
            continue  # it has ended
    return total


def _own(field: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").split("\n"):
        if line.startswith(field + ":"):
            return int(line.split()[1])
    return 0


def limit_processes_in_namespace(spec: FenceSpec) -> None:
    """Limit the numbers for processes and threads, which holds for the system's root too.

    Only where each process namespace has a limit of its own (Linux 6.14); before, this
    would be the whole machine's. To be called with the namespace's own ``/proc``.

    Args:
        spec: What may be used.
    """
    if _release() >= (6, 14):
        tasks = max(LEAST_HIGHEST, spec.processes + THREADS + 16 * _cores())
        with step("limit the number of processes"), open("/proc/sys/kernel/pid_max", "w") as file:
            file.write(str(tasks))
