"""Kernels forked from a process that has imported TensorFlow already.

A `Zygote` is such a process. It serves all workers of a machine: they are told its address.
`start_kernel` forks a kernel from it, or starts a fresh one where that is not possible.
"""

import array
import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rnnkit
from rnnkit.grading.fence import Report
from rnnkit.grading.temporary import HeldFolder, short_folder
from rnnkit.grading.zygote import LONGEST_MESSAGE

__all__ = [
    "PRELOAD",
    "KernelProcess",
    "begin_zygote",
    "close_zygotes",
    "start_kernel",
    "use_zygote",
]

PRELOAD = (
    "ipykernel.kernelapp",
    # What a kernel imports when it starts.
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.logger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "sqlite3",
    "tornado.platform.asyncio",
    "tornado.queues",
    "matplotlib_inline.backend_inline",
    "numpy",
    "matplotlib.pyplot",
    "tensorflow",
    "keras",
    "tensorflow_text",
    "rnnkit.text",
    "rnnkit.data",
    "rnnkit.metrics",
    "rnnkit.decoding",
    "rnnkit.layers",
    "rnnkit.models",
    "rnnkit.elmo",
    "rnnkit.plots",
    "rnnkit.checks",
    "rnnkit.grading.referee.agent",
    "rnnkit.grading.referee.judge",
)
# The Python that is started may know another rnnkit, such as one that is installed beside a
# course's own. The fence shows our package alone, and the tests must be ours too.
_BEGIN = (
    "import socket, sys; sys.path.insert(0, sys.argv.pop(1)); import rnnkit; del sys.path[0]; "
    "import rnnkit.grading.zygote as zygote; "
    "zygote.main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])"
)
READY_SECONDS = 180.0  # how long the imports may take, on a slow disk
PID_SECONDS = 30.0  # how long a fork may take
END_SECONDS = 5.0  # how long a keeper may take to end what it keeps


class ZygoteError(Exception):
    """The zygote cannot fork; the text says why."""


class Zygote:
    """A process to fork kernels from.

    Args:
        preload: The modules that it imports.
        environment: Its environment variables; a kernel's own come with each request.
    """

    def __init__(self, preload: Sequence[str], environment: Mapping[str, str]) -> None:
        self._folder = HeldFolder("rk-", short_folder())  # only the owner may enter it
        self.address = str(Path(self._folder.path) / "z")
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(self.address)
            listener.listen(64)
            # -P: a file in the working folder never stands in for a module.
            command = [sys.executable, "-P", "-c", _BEGIN, str(Path(rnnkit.__file__).parents[1])]
            self._process = subprocess.Popen(
                [*command, str(listener.fileno()), *preload],
                env=dict(environment),
                pass_fds=[listener.fileno()],
                stdin=subprocess.PIPE,  # it ends when we do
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End it, and the kernels that run with it."""
        self._process.kill()
        self._process.communicate()
        self._folder.remove()


class Client:
    """A connection to a zygote, of this process or of another.

    Args:
        address: The zygote's socket.

    Raises:
        ZygoteError: It has ended, or does not answer.
    """

    def __init__(self, address: str) -> None:
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._socket.connect(address)
        except OSError as error:
            raise ZygoteError(f"the process with the imports has ended: {error}") from error
        #: ``failed``: modules that could not be imported, with the error; ``why_not_fork``,
        #: empty when it may be forked; ``seconds``: how long the imports took.
        self.greeting = self._answer(READY_SECONDS)

    def fork(self, request: Mapping[str, Any], descriptors: Sequence[int]) -> int:
        """Start a kernel.

        Args:
            request: What `rnnkit.grading.zygote` reads.
            descriptors: The log, the report and the lifeline, and those that it keeps.

        Returns:
            The process id of the kernel's keeper.

        Raises:
            ZygoteError: It cannot fork, or has ended.
        """
        why = self.greeting["why_not_fork"]
        if why:
            raise ZygoteError(why)
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
        with self._lock:
            try:
                self._socket.sendmsg([json.dumps(request).encode()], [rights])
            except OSError as error:
                raise ZygoteError(f"the process with the imports has ended: {error}") from error
            return int(self._answer(PID_SECONDS)["pid"])

    def _answer(self, seconds: float) -> dict[str, Any]:
        self._socket.settimeout(seconds)
        try:
            text = self._socket.recv(LONGEST_MESSAGE)
        except OSError as error:
            raise ZygoteError(f"the process with the imports does not answer: {error}") from error
        if not text:
            raise ZygoteError("the process with the imports has ended")
        answer: dict[str, Any] = json.loads(text)
        return answer

    def close(self) -> None:
        """Leave the zygote."""
        self._socket.close()


class _Warm:
    """The zygotes and connections of this process, by their imports and environment."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.zygotes: dict[tuple[Any, ...], Zygote] = {}
        self.clients: dict[tuple[Any, ...], Client] = {}
        self.shared: dict[tuple[Any, ...], str] = {}

    def begin(self, key: tuple[Any, ...]) -> str:
        """The address of a zygote that runs; its imports may still be going on."""
        if key in self.shared:
            return self.shared[key]
        if key not in self.zygotes or not self.zygotes[key].runs:
            self.zygotes[key] = Zygote(key[0], dict(key[1]))
        return self.zygotes[key].address

    def client(self, key: tuple[Any, ...]) -> Client:
        with self.lock:
            if key not in self.clients:
                self.clients[key] = Client(self.begin(key))
            return self.clients[key]

    def forget(self, key: tuple[Any, ...]) -> None:
        """Leave a zygote that does not answer; the next call begins one of our own."""
        with self.lock:
            self.shared.pop(key, None)
            if key in self.clients:
                self.clients.pop(key).close()
            if key in self.zygotes:
                self.zygotes.pop(key).close()


_warm = _Warm()


def _key(preload: Sequence[str], environment: Mapping[str, str]) -> tuple[Any, ...]:
    return tuple(preload), tuple(sorted(environment.items()))


def begin_zygote(preload: Sequence[str], environment: Mapping[str, str]) -> str:
    """Let a zygote begin its imports, if this process has none like it.

    Args:
        preload: The modules that it imports.
        environment: Its environment variables.

    Returns:
        Its address, for `use_zygote` in other processes of this machine.
    """
    with _warm.lock:
        return _warm.begin(_key(preload, environment))


def use_zygote(preload: Sequence[str], environment: Mapping[str, str], address: str) -> None:
    """Fork kernels from the zygote of another process, as long as it answers.

    Args:
        preload: The modules that it imports.
        environment: Its environment variables.
        address: Its address.
    """
    _warm.shared[_key(preload, environment)] = address


def close_zygotes() -> None:
    """End all zygotes of this process."""
    for key in [*_warm.zygotes, *_warm.clients]:
        _warm.forget(key)


atexit.register(close_zygotes)


class KernelProcess:
    """A kernel behind its fence, as `jupyter_client` handles a process.

    It stands for the keeper: the process that watches the kernel, ends all that
    the kernel left running, and writes the report.

    Args:
        pid: The keeper's process id.
        report: The end of a pipe that the keeper writes its report to.
        lifeline: The keeper ends everything when this is closed.
        zygote: The process that it was forked from, where it serves this kernel alone:
            a keeper ends with it, so that it is ended after the keeper.
    """

    stdin = stdout = stderr = None

    def __init__(self, pid: int, report: int, lifeline: int, zygote: Zygote | None = None) -> None:
        self.pid = pid
        self._zygote = zygote
        self.report: Report | None = None
        self.returncode: int | None = None
        self._pipe = report
        self._lifeline = lifeline
        self._text = b""
        os.set_blocking(report, False)

    def poll(self) -> int | None:
        """Its exit status once it has ended; else None."""
        if self.returncode is None:
            try:
                while part := os.read(self._pipe, 65536):
                    self._text += part
            except BlockingIOError:
                return None
            os.close(self._pipe)
            self._close_lifeline()
            self.report = Report.from_json(self._text.decode()) if self._text else None
            self.returncode = _exit_status(self.report)
            if self._zygote is not None:
                self._zygote.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended.

        Args:
            timeout: Seconds; None for ever.

        Raises:
            TimeoutError: It goes on.
        """
        until = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError(f"process {self.pid} goes on")
            select.select([self._pipe], [], [], left)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """End it, for any signal that ends: interrupts go by message."""
        if number != signal.SIGINT and self.poll() is None:
            self._close_lifeline()

    def kill(self) -> None:
        """End it and all that it started; the report tells what it used."""
        self._close_lifeline()
        try:
            self.wait(END_SECONDS)
        except TimeoutError:  # the keeper itself is stuck: without it the kernel ends too
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    terminate = kill

    def _close_lifeline(self) -> None:
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1


def _exit_status(report: Report | None) -> int:
    if report is None:
        return -signal.SIGKILL
    if report.signal is not None:
        return -report.signal
    return report.code if report.code is not None else 1


def start_kernel(
    request: Mapping[str, Any],
    log: Path,
    preload: Sequence[str],
    environment: Mapping[str, str],
    kept: Sequence[int] = (),
) -> tuple[KernelProcess, str]:
    """Start a kernel or a referee: forked from the zygote, or fresh where that is not possible.

    Args:
        request: What `rnnkit.grading.zygote` reads.
        log: A file for what the kernel writes to its own output.
        preload: The modules that the zygote imports.
        environment: The zygote's environment variables.
        kept: Descriptors that the process gets; they stay open here too.

    Returns:
        The process, and why it was not forked (empty when it was).
    """
    why = ""
    key = _key(preload, environment)
    for _ in range(2):  # a zygote that has ended, or that was idle too long, is begun again
        try:
            return _started(_warm.client(key), request, log, kept), ""
        except (ZygoteError, OSError) as error:
            why = str(error)
            _warm.forget(key)
    fresh = Zygote(("ipykernel.kernelapp",), environment)
    try:
        return _started(Client(fresh.address), request, log, kept, fresh), why
    except BaseException:
        fresh.close()
        raise


def _started(
    zygote: Client,
    request: Mapping[str, Any],
    log: Path,
    kept: Sequence[int],
    own: Zygote | None = None,
) -> KernelProcess:
    report, its_report = os.pipe()
    its_lifeline, lifeline = os.pipe()
    its_log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        pid = zygote.fork(request, [its_log, its_report, its_lifeline, *kept])
    except BaseException:
        os.close(report)
        os.close(lifeline)
        raise
    finally:
        for number in (its_log, its_report, its_lifeline):
            os.close(number)
    return KernelProcess(pid, report, lifeline, own)
