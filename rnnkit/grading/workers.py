"""The processes that run jobs: of this machine, or of a Dask cluster.

Whatever they are, they are asked through `concurrent.futures.Executor`.
"""

import os
import signal
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from rnnkit.errors import KitError, in_a_line
from rnnkit.grading.fence import Ability, believe, probe
from rnnkit.grading.job import Job, JobResult, run_job
from rnnkit.grading.limits import Limits
from rnnkit.grading.processes import fork_context
from rnnkit.grading.provisioner import WORKERS, begin_imports, kernel_environment
from rnnkit.grading.temporary import HeldFolder, short_folder
from rnnkit.grading.warm import PRELOAD, use_zygote

__all__ = ["DaskWorkers", "LocalWorkers", "Workers", "run_here", "workers_for"]

UNREAD_SECONDS = 30  # after this, the executor surely waits for jobs to be read
GRACE_SECONDS = 300  # what a worker may take past a notebook's limit before it gives itself up


class Workers(ABC):
    """Where jobs run.

    Attributes:
        slots: How many run at once.
    """

    slots: int

    @abstractmethod
    def executor(self) -> Executor:
        """The executor to give jobs to."""

    @abstractmethod
    def renew(self) -> None:
        """Begin again after a worker died and took the executor with it."""

    @abstractmethod
    def stop(self) -> None:
        """End at once, also what runs."""


class LocalWorkers(Workers):
    """Processes of this machine, which fork their kernels from one warm process.

    Args:
        limits: How many, and what a submission may use.
    """

    def __init__(self, limits: Limits) -> None:
        self.slots = limits.slots
        self._limits = limits
        self._address = begin_imports(limits.slots)
        self._executor = self._begin()

    def _begin(self) -> ProcessPoolExecutor:
        # Workers are ended in the middle of things: what they leave goes with this folder.
        self._folder = HeldFolder("rk-", short_folder())
        context = fork_context(WORKERS)
        # Nobody writes to it: its end tells the workers that we have stopped, or are dead.
        lifeline, self._lifeline = context.Pipe(duplex=False)
        devices: Any = context.Queue() if self._limits.gpus else None
        for gpu in self._limits.gpus * self._limits.per_gpu:
            devices.put(gpu)
        return ProcessPoolExecutor(
            self.slots,
            mp_context=context,
            initializer=_begin_worker,
            initargs=(
                dict(os.environ),
                self._folder.path,
                self._address,
                probe(),
                lifeline,
                devices,
            ),
        )

    def executor(self) -> Executor:
        """The processes; they begin with the first job."""
        return self._executor

    def renew(self) -> None:
        """End what is left of the processes, and begin with new ones."""
        self.stop()
        self._executor = self._begin()

    def stop(self) -> None:
        """End all processes at once; the kernels that they run end with them."""
        self._lifeline.close()
        executor: Any = self._executor  # what it keeps to itself has no types
        begun = list((executor._processes or {}).values())
        manager, jobs = executor._executor_manager_thread, executor._call_queue
        executor.shutdown(wait=False, cancel_futures=True)
        if manager is not None:
            manager.join(UNREAD_SECONDS)
            if manager.is_alive():
                # Before 3.11.5, Python waits for ever where a worker died before it had read the
                # jobs that are written to it (python/cpython#94777). Later versions close this
                # end themselves, so it must not be closed while the manager may do so.
                jobs._reader.close()
                manager.join()
        for process in begun:  # where Ctrl-C came while they began, the executor forgets them
            process.kill()
            process.join()
        self._folder.remove()


class DaskWorkers(Workers):
    """The workers of a Dask cluster.

    Args:
        limits: The address of the scheduler, and whether jobs need GPUs.

    Raises:
        KitError: Dask is not installed, or nobody answers at the address.
    """

    def __init__(self, limits: Limits) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise KitError(
                "the package distributed, to grade on a cluster",
                str(error),
                'install it: pip install -c constraints.txt -e ".[cluster]"',
            ) from error
        try:
            self._client = Client(limits.scheduler, timeout="10s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise KitError(
                f"a Dask scheduler at {limits.scheduler}",
                in_a_line(error),
                "start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
            ) from error
        resources = {"GPU": 1} if limits.gpus else None
        self._executor = self._client.get_executor(
            pure=False, retries=0, **({"resources": resources} if resources else {})
        )

    @property
    def slots(self) -> int:  # type: ignore[override]
        """The threads of all workers that are there now; at least 1, for those to come."""
        return max(1, sum(self._client.nthreads().values()))

    def executor(self) -> Executor:
        """The cluster."""
        executor: Executor = self._executor
        return executor

    def renew(self) -> None:
        """Nothing: the cluster gives a dead worker's jobs to others by itself."""

    def stop(self) -> None:
        """Take back what has not run, and leave the cluster as it was."""
        self._executor.shutdown(wait=False)
        self._client.close()


def workers_for(limits: Limits) -> Workers:
    """The workers that the settings ask for.

    Args:
        limits: The settings.
    """
    return DaskWorkers(limits) if limits.scheduler else LocalWorkers(limits)


# In a worker process of this machine:

_give_up_at = float("inf")  # when this worker's job has surely hung
_gpu = ""  # the one that this worker's jobs use


def _begin_worker(
    environment: dict[str, str],
    folder: str,
    address: str,
    ability: Ability,
    lifeline: Connection,
    devices: Any,
) -> None:
    global _gpu
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's to handle
    os.environ.clear()
    os.environ.update(environment)
    os.environ.pop("RNNKIT_FAST", None)  # a job says by itself which setting it wants
    tempfile.tempdir = folder
    use_zygote(PRELOAD, kernel_environment(), address)
    believe(ability)
    _gpu = devices.get() if devices is not None else ""
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()


def _watch(lifeline: Connection) -> None:
    """End this worker with its coordinator, or when a job hangs."""
    while not lifeline.poll(5.0) and time.monotonic() < _give_up_at:
        pass
    os._exit(1)


@contextmanager
def _giving_up(seconds: float) -> Iterator[None]:
    global _give_up_at
    _give_up_at = time.monotonic() + seconds
    try:
        yield
    finally:
        _give_up_at = float("inf")


def run_here(job: Job) -> JobResult:
    """Run a job in this worker, on the worker's GPU where it has one.

    Args:
        job: The job.
    """
    with _giving_up(job.limits.notebook_seconds + GRACE_SECONDS):
        return run_job(job, _gpu)
