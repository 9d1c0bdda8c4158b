"""What fenced processes use together, looked at from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import time

from rnnkit.grading.fence.limits import thread_bytes
from rnnkit.grading.fence.spec import FenceSpec

__all__ = ["Watch", "descendants", "go_first", "kill_descendants", "own_memory"]

KIB = 1024
TICKS = 100  # of processor time in a second, the same on all machines that have a fence
BLOCK = 512
LEAST_FILE = 4096  # also an empty one costs the disk something
ENDED = (b"Z", b"X")
MANY = 4
WORTH_MEASURING = 64 << 20
PATIENCE = 0.1  # seconds
LAST_PATIENCE = 2.0
MEMORY = (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:")
SHARES = (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:")
RESERVED = (b"VmData:",)
EVERY = 0.1  # seconds
DISK_EVERY = 1.0
# The share of its time that looking may take.
AT_MOST = 0.1


def _read(path: str, folder: int | None = None) -> bytes:
    """A small file of ``/proc``; empty where its process has ended."""
    try:
        descriptor = os.open(path, os.O_RDONLY, dir_fd=folder)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _words(pid: int, proc: int | None = None) -> list[bytes]:
    """What ``stat`` says after the name, which may hold anything; empty where it has ended."""
    path = f"{pid}/stat" if proc is not None else f"/proc/{pid}/stat"
    return _read(path, proc).rpartition(b")")[2].split()


def _parent(pid: int) -> int:
    words = _words(pid)
    return int(words[1]) if words else 0


def go_first() -> None:
    """Run before the processes of a submission, where this user may; what is forked may not.

    Linux does not hold its root to a number of processes, so that the keeper, which needs
    few moments, must get them.
    """
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def _is_zombie(pid: int) -> bool:
    return _words(pid)[:1] == [b"Z"]


def _sum(text: bytes, fields: tuple[bytes, ...]) -> int:
    lines = text.split(b"\n")
    return KIB * sum(int(line.split()[1]) for line in lines if line.startswith(fields))


def own_memory() -> int:
    """The bytes that this process holds now."""
    return _sum(_read("/proc/self/status"), MEMORY)


def descendants(root: int) -> list[int]:
    """All processes below one, those that have ended but were not waited for included.

    Args:
        root: The process.
    """
    parents = {int(name): 0 for name in os.listdir("/proc") if name.isdigit()}
    for pid in parents:
        parents[pid] = _parent(pid)
    children: dict[int, list[int]] = {}
    for pid, parent in parents.items():
        children.setdefault(parent, []).append(pid)
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def kill_descendants(last: int = 0) -> None:
    """Kill all processes below the caller, and wait until none is left.

    The caller must be the one that orphans below it fall to. A process may start
    others while we look, so that we look again until there are none.

    Args:
        last: A process that is killed when there is no other any more.
    """
    pause = 0.0005
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        below = descendants(os.getpid())
        for pid in [pid for pid in below if pid != last and not _is_zombie(pid)] or below:
            with contextlib.suppress(OSError):  # it has ended
                os.kill(pid, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


class Watch:
    """Looks at what fenced processes use, and says when it is too much.

    Memory is what they hold beyond what the first was forked with: pages that it shares
    with the process that it was forked from belong to neither. The plain sum counts pages
    that they share with each other once for each, so it is an upper bound; where there
    are several processes, and it matters, their shares are measured, which takes longer.

    Args:
        spec: What may be used.
        guard: The process above the fenced ones, as this process sees it.
        forked_with: What `own_memory` said in the first fenced process at its begin. The
            caller was forked from the same process, and holds the same pages.
        proc: The ``/proc`` of a full fence, in which the guard is process 1; else None.
        space: The memory file system of a full fence; else None.
    """

    def __init__(
        self,
        spec: FenceSpec,
        guard: int,
        forked_with: int,
        proc: int | None,
        space: int | None,
    ) -> None:
        self.spec = spec
        self.peak_bytes = 0
        self.half_full = False
        self.cpu_seconds = 0.0
        self.wait_seconds = EVERY
        self._forked_with = forked_with
        self._in_namespace = proc is not None
        self._proc = proc if proc is not None else os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        self._space = space
        self._roots = {os.getpid(), guard}
        self._known: set[int] = set()
        self._foreign: set[int] = set()
        self._disk_at = 0.0
        self._patience = PATIENCE
        self._at_most = spec.memory_bytes + thread_bytes()
        self._reserved_with = _sum(_read("/proc/self/status"), RESERVED)

    def look(self, *, last: bool = False) -> str:
        """Look once.

        Args:
            last: Whether it is the last look, so that what is not known now never will be.

        Returns:
            The limit that is passed: "processes", "memory", "cpu" or "disk"; else "".
        """
        if last:
            self._patience = max(self._patience, LAST_PATIENCE)
        begin = time.process_time()  # by the clock, others' work would count as ours
        why = self._look()
        took = time.process_time() - begin
        self.wait_seconds = min(max(EVERY, took / AT_MOST), 10 * EVERY)
        return why

    def _look(self) -> str:
        listed = self._listed()
        if len(listed) > MANY * self.spec.processes:  # some may have ended, but not so many
            return "processes"
        stats = {pid: _words(pid, self._proc) for pid in listed}
        running = [pid for pid, words in stats.items() if words and words[0] not in ENDED]
        if len(running) > self.spec.processes:
            return "processes"
        statuses = [_read(f"{pid}/status", self._proc) for pid in running]
        held = self._held(running, statuses)
        self.peak_bytes = max(self.peak_bytes, held)
        if max(held, self._most_reserved(statuses)) > self._at_most / 2:
            self.half_full = True
        if held > self._at_most:
            return "memory"
        # Of each, and of those that it waited for.
        ticks = sum(int(word) for words in stats.values() for word in words[11:15])
        self.cpu_seconds = max(self.cpu_seconds, ticks / TICKS)
        if self.cpu_seconds > self.spec.cpu_seconds:
            return "cpu"
        return "disk" if self._disk_is_full(running) else ""

    def _listed(self) -> list[int]:
        now = {int(name) for name in os.listdir(self._proc) if name.isdigit()}
        return sorted(now - {1}) if self._in_namespace else self._below(now)

    def _below(self, now: set[int]) -> list[int]:
        """Those that descend from us. What was looked at once is remembered."""
        self._known &= now
        self._foreign &= now
        new = {pid: _parent(pid) for pid in now - self._known - self._foreign - self._roots}
        ours = self._known | self._roots
        while found := {pid for pid, parent in new.items() if parent in ours}:
            ours |= found
            self._known |= found
            new = {pid: parent for pid, parent in new.items() if pid not in found}
        self._foreign |= set(new)
        return sorted(self._known)

    def _most_reserved(self, statuses: list[bytes]) -> int:
        """The most that one process has asked for since the fork, used or not.

        This is what the system holds to the limit, when it refuses more.
        """
        if self.spec.gpus:  # a driver reserves more than it uses, and nothing is refused
            return 0
        most = max((_sum(text, RESERVED) for text in statuses), default=0)
        return most - self._reserved_with

    def _held(self, pids: list[int], statuses: list[bytes]) -> int:
        files = self._bytes_in_space()
        alone = sum(_sum(text, MEMORY) for text in statuses)
        held = alone - self._forked_with
        if len(pids) > 1 and held + files > max(self.peak_bytes, WORTH_MEASURING):
            shares = self._shares(pids)
            if shares is None:
                return self.peak_bytes  # not known yet
            held = min(held, shares - self._foreign_share(len(pids)))
        return max(0, held) + files

    def _shares(self, pids: list[int]) -> int | None:
        """The shares of several processes in what they hold; None when that takes too long.

        A process that is just being copied lets us wait. If that goes on, the next try
        may take longer, so that nobody can hide.
        """
        until = time.monotonic() + self._patience
        total = 0
        for pid in pids:
            if time.monotonic() > until:
                self._patience *= 2
                return None
            total += _sum(_read(f"{pid}/smaps_rollup", self._proc), SHARES)
        self._patience = PATIENCE
        return total

    def _foreign_share(self, processes: int) -> int:
        """What several processes' shares hold of the pages that they were forked with.

        Each has the same share of them as we have. Of those that a process has written to
        it has a copy, and we a larger share; so there is a bound.
        """
        ours = _read("/proc/self/smaps_rollup")
        shared = _sum(ours, SHARES) - _sum(ours, (b"Private_Dirty:",))
        return min(processes * max(0, shared), self._forked_with)

    def _bytes_in_space(self) -> int:
        if self._space is None:
            return 0
        used = os.fstatvfs(self._space)
        return (used.f_blocks - used.f_bfree) * used.f_frsize

    def _disk_is_full(self, pids: list[int]) -> bool:
        if time.monotonic() < self._disk_at:
            return False
        begin = time.process_time()
        total = _bytes_below(self.spec.sockets) if self.spec.sockets else 0
        if self._space is None:
            total += _bytes_below(self.spec.scratch) + self._deleted_bytes(pids)
        took = time.process_time() - begin
        self._disk_at = time.monotonic() + max(DISK_EVERY, took / AT_MOST)
        return total > self.spec.scratch_bytes

    def _deleted_bytes(self, pids: list[int]) -> int:
        """Files that were removed and are still open: they take room that no folder shows."""
        found = {}
        for pid in pids:
            try:
                for name in os.listdir(f"/proc/{pid}/fd"):
                    status = os.stat(f"/proc/{pid}/fd/{name}")
                    if status.st_nlink == 0:
                        found[status.st_dev, status.st_ino] = status.st_blocks * BLOCK
            except OSError:
                continue  # it has ended
        return sum(found.values())


def _bytes_below(folder: str) -> int:
    total = 0
    for path, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            with contextlib.suppress(OSError):  # it has gone
                used = os.lstat(os.path.join(path, name)).st_blocks * BLOCK
                total += max(used, LEAST_FILE)
    return total
