"""Run a function behind a fence, and leave nothing behind.

Three processes: the *keeper* watches and reports, the *guard* stands above all that the
submission starts (in a full fence it is process 1 of a namespace), and the *fenced
process* closes itself in and runs the function. Whichever of them is killed, the system
or the next one ends the others.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from rnnkit.grading.fence import files, landlock, seccomp
from rnnkit.grading.fence.limits import set_limits
from rnnkit.grading.fence.spec import FenceSpec, Report
from rnnkit.grading.fence.system import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    FenceError,
    drop_privileges,
    prctl,
    step,
    unshare,
)
from rnnkit.grading.fence.watch import Watch, go_first, kill_descendants, own_memory
from rnnkit.grading.outcome import Fence

__all__ = ["run_fenced"]

LINUX = sys.platform.startswith("linux")
OWN_NAMESPACES = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
SETUP_SECONDS = 60.0
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
GUARD_SIGNALS = {signal.SIGINT, signal.SIGTERM, *([signal.SIGCHLD] if LINUX else [])}
# The keeper must get its turn among many processes of a submission.
LESS_URGENT = 5
# The system counts the time for its limit by ticks, which on a busy machine fall unevenly.
MEASURED = 0.5  # the least share of the limit that whoever met it has used, as others see it
# The system ends a submission before the coordinator when memory runs out.
FIRST_TO_GO = "1000"


def run_fenced(
    spec: FenceSpec,
    main: Callable[[], None],
    report_fd: int,
    *,
    keep_fds: Sequence[int] = (),
    lifeline_fd: int | None = None,
) -> NoReturn:
    """Become the keeper of a fenced process that runs a function.

    To be called in a freshly forked process with one thread. The process becomes the
    keeper: SIGINT is passed on to the fenced process, SIGTERM ends everything, and so
    does the end of the thread that forked it. It never returns; it writes one `Report`
    as a line of JSON and exits with status 0.

    The fenced process is the leader of a session of its own, its working folder is the
    scratch folder, and its ``HOME`` and ``TMPDIR`` are inside.

    Args:
        spec: What is let in.
        main: What to run inside. Its return, or SystemExit, gives the exit status; any
            other exception is printed to the error stream and gives 1.
        report_fd: Where the report is written.
        keep_fds: Descriptors, beside 0, 1 and 2, that the fenced process keeps.
        lifeline_fd: Everything ends when the other end of this pipe is closed.
    """
    try:
        gc.disable()  # it would write to memory that is shared with the parent
        report = _keep(spec, main, report_fd, keep_fds, lifeline_fd)
    except FenceError as error:
        report = Report(why="fence", note=str(error))
    except BaseException as error:  # nothing of the caller may go on in this process
        report = Report(why="fence", note=f"{type(error).__name__}: {error}")
    try:
        os.write(report_fd, report.to_json().encode() + b"\n")
    finally:
        os._exit(0)


def _keep(
    spec: FenceSpec,
    main: Callable[[], None],
    report_fd: int,
    keep_fds: Sequence[int],
    lifeline_fd: int | None,
) -> Report:
    if not LINUX:
        raise FenceError("expected Linux, which a fence is made of")
    stop, wake = _own_signals()
    if os.getsid(0) != os.getpid():
        os.setsid()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    go_first()
    if spec.level is Fence.FULL:
        _enter_namespaces()
    _die_with_parent(signal.SIGKILL)
    channel, its_channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    guard = _fork()
    if guard == 0:
        _guard(spec, main, its_channel, keep_fds)  # never returns
    its_channel.close()
    ends = [stop] if lifeline_fd is None else [stop, lifeline_fd]
    _let_go_of_descriptors([report_fd, channel.fileno(), wake, *ends], standard=False)
    try:
        watch, ending, why = _watch_over(spec, guard, channel, ends)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _end_all(spec, guard)
    return _report(spec, watch, ending, why)


def _own_signals() -> tuple[int, int]:
    """Handle the keeper's signals; the first descriptor can be read when it must end."""
    for number in (signal.SIGCHLD, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGTERM, lambda number, frame: _write_quietly(writing))
    # An interrupt waits until there is someone to pass it on to.
    signal.pthread_sigmask(signal.SIG_SETMASK, [signal.SIGINT])
    return reading, writing


def _write_quietly(descriptor: int) -> None:
    with contextlib.suppress(OSError):
        os.write(descriptor, b"!")


def _die_with_parent(number: int) -> None:
    parent = os.getppid()
    prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # it died before


def _fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _enter_namespaces() -> None:
    """Get namespaces, with this user as the one user that they know."""
    user, group = os.geteuid(), os.getegid()
    with step("make namespaces"):
        prctl(PR_SET_DUMPABLE, 1)  # after a change of user, /proc/self belongs to root
        unshare(OWN_NAMESPACES)
    with step("name the user in a namespace"):
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)


def _let_go_of_descriptors(kept: Sequence[int], *, standard: bool) -> None:
    """Close all other descriptors.

    Objects of the parent that own one still live here, and would close it again when
    they go: so its number stays taken, by the null device.
    """
    null = os.open(os.devnull, os.O_RDWR)
    left = {*kept, null, *((0, 1, 2) if standard else ())}
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in left:
            try:
                os.fstat(int(name))  # the one of the listing itself is closed by now
                os.dup2(null, int(name), inheritable=int(name) < 3)
            except OSError:
                continue
    os.close(null)


# The keeper


def _watch_over(
    spec: FenceSpec, guard: int, channel: socket.socket, ends: Sequence[int]
) -> tuple[Watch | None, dict[str, Any], str]:
    """Watch until all has ended, or must; `ends` can be read when it must.

    Returns:
        The watch, how the fenced process ended by itself, and why it must end.
    """
    watch: Watch | None = None
    descriptors: list[int] = []
    ending: dict[str, Any] = {}
    why = ""
    give_up = time.monotonic() + SETUP_SECONDS
    while not ending and not why:
        seconds = watch.wait_seconds if watch else max(0.0, give_up - time.monotonic())
        ready, _, _ = select.select([channel.fileno(), *ends], [], [], seconds)
        if channel.fileno() in ready:
            message, received = _received(channel)
            descriptors += received
            if not message:
                break  # the guard is gone
            if "ready" in message:
                watch = _watch_of(spec, guard, message, descriptors)
                _pass_interrupts_on(guard)
            elif "error" in message:
                raise FenceError(message["error"])
            else:
                ending = message
        elif ready:
            why = "stopped"
        elif watch is None:
            raise FenceError("the fence was not up in time")
        if watch and not ending:
            # Also when it is told to stop: that look is the last, and may take longer.
            passed = watch.look(last=bool(why))
            why = why or passed
    return watch, ending, why


def _received(channel: socket.socket) -> tuple[dict[str, Any], list[int]]:
    message, descriptors, _, _ = socket.recv_fds(channel, 65536, 4)
    return (json.loads(message) if message else {}), descriptors


def _watch_of(
    spec: FenceSpec, guard: int, message: dict[str, Any], descriptors: list[int]
) -> Watch:
    proc, space = descriptors or (None, None)
    return Watch(spec, guard, message["ready"], proc, space)


def _pass_interrupts_on(guard: int) -> None:
    def pass_on(number: int, frame: Any) -> None:
        with contextlib.suppress(OSError):  # it has ended
            os.kill(guard, signal.SIGINT)

    _take_interrupts(pass_on)


def _take_interrupts(handler: Callable[[int, Any], Any]) -> None:
    signal.signal(signal.SIGINT, handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _end_all(spec: FenceSpec, guard: int) -> None:
    """End all that is below.

    In a full fence the guard is process 1, whose end ends all others at once. Elsewhere it
    goes last: if this process is killed now, the guard goes on with ending the others.
    """
    if spec.level is Fence.FULL:
        with contextlib.suppress(OSError):  # it has ended
            os.kill(guard, signal.SIGKILL)
    kill_descendants(last=guard)


def _report(spec: FenceSpec, watch: Watch | None, ending: dict[str, Any], why: str) -> Report:
    times = os.times()
    used = times.children_user + times.children_system
    if watch is None:
        return Report(why=why or "fence", cpu_seconds=used, note="it ended before it began")
    # What was killed together with the guard is in nobody's sum, but was looked at before.
    used = max(used, watch.cpu_seconds)
    code, number = ending.get("code"), ending.get("signal")
    if not ending:
        number = signal.SIGKILL
    if _is_out_of_time(number, used, spec):
        why = why or "cpu"
    return Report(code, number, why, watch.peak_bytes, round(used, 2), half_full=watch.half_full)


def _is_out_of_time(number: int | None, used: float, spec: FenceSpec) -> bool:
    """Whether the system has ended it for its processor time, and not it itself with the signal."""
    if number == signal.SIGXCPU:
        return used > MEASURED * spec.cpu_seconds
    return number == signal.SIGKILL and used > spec.cpu_seconds


# The guard


def _guard(
    spec: FenceSpec, main: Callable[[], None], channel: socket.socket, keep_fds: Sequence[int]
) -> NoReturn:
    try:
        full = spec.level is Fence.FULL
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, GUARD_SIGNALS)
        _die_with_parent(signal.SIGKILL if full else signal.SIGTERM)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        descriptors: list[int] = []
        if full:
            _start_loopback()
            with step("make a namespace for mounts"):
                unshare(CLONE_NEWNS)
            descriptors = [*files.own_system(spec)]
        else:
            files.private_folders(spec)
            if spec.files:
                files.copy_files(spec.files, spec.scratch)
        fenced = _fork()
        if fenced == 0:
            _fenced(spec, main, channel, descriptors, keep_fds)
        for descriptor in descriptors:
            os.close(descriptor)
        _let_go_of_descriptors([channel.fileno()], standard=False)
        _stand_by(fenced, channel, full=full)
    except BaseException as error:
        _tell_error(channel, error)
    finally:
        os._exit(1)


def _stand_by(fenced: int, channel: socket.socket, *, full: bool) -> NoReturn:
    """Take leave of orphans until the fenced process itself ends, and tell how.

    Signals are fetched, not handled: none can fall between a look and a wait.
    """
    code: int | None = None
    while code is None:
        number = signal.sigwait(GUARD_SIGNALS - ({signal.SIGTERM} if full else set()))
        if number == signal.SIGTERM:  # the keeper has died
            kill_descendants()
            os._exit(1)
        if number == signal.SIGINT:
            with contextlib.suppress(OSError):  # it has no group yet, or it has ended
                os.killpg(fenced, signal.SIGINT)
        code = _ended(fenced)
    if not full:  # there, the end of process 1 ends all others
        kill_descendants()
    ending = {"code": code, "signal": None} if code >= 0 else {"code": None, "signal": -code}
    channel.send(json.dumps(ending).encode())
    os._exit(0)


def _ended(fenced: int) -> int | None:
    """Take leave of all that have ended; the fenced process's exit code if it is among them."""
    code = None
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            if ended[0] == fenced:
                code = os.waitstatus_to_exitcode(ended[1])
    return code


def _tell_error(channel: socket.socket, error: BaseException) -> None:
    text = str(error) if isinstance(error, FenceError) else f"{type(error).__name__}: {error}"
    with contextlib.suppress(OSError):  # the keeper is gone too
        channel.send(json.dumps({"error": text}).encode())


def _start_loopback() -> None:
    """Let processes inside speak to each other; ipykernel listens on 127.0.0.1."""
    import fcntl
    import struct

    with (
        contextlib.suppress(OSError),  # nobody depends on it
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaker,
    ):
        fcntl.ioctl(speaker, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))


# The fenced process


def _fenced(
    spec: FenceSpec,
    main: Callable[[], None],
    channel: socket.socket,
    descriptors: Sequence[int],
    keep_fds: Sequence[int],
) -> NoReturn:
    """Close this process in, and run the function."""
    try:
        _close_in(spec, channel, descriptors, keep_fds)
    except BaseException as error:
        _tell_error(channel, error)
        os._exit(1)
    code = 1
    try:
        code = _call(main)
    finally:
        os._exit(code)


def _close_in(
    spec: FenceSpec,
    channel: socket.socket,
    descriptors: Sequence[int],
    keep_fds: Sequence[int],
) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _take_interrupts(signal.default_int_handler)
    os.setsid()
    _die_with_parent(signal.SIGKILL)
    with step("go to the scratch folder"):
        os.chdir(spec.scratch)
    _forget_outer_places()
    os.nice(LESS_URGENT)
    _write_quietly_to("/proc/self/oom_score_adj", FIRST_TO_GO)
    memory = own_memory()
    _let_go_of_descriptors([channel.fileno(), *descriptors, *keep_fds], standard=True)
    set_limits(spec)
    drop_privileges()
    known = landlock.version()
    gpus = bool(spec.gpus)
    if spec.level is Fence.FULL:
        landlock.restrict(files.own_rules(spec), alone=False)
        seccomp.allow_less(alone=False, gpus=gpus, landlock=known)
    elif spec.level is Fence.WEAK:
        if not known:
            raise FenceError("expected a system with Landlock (Linux 5.13)")
        landlock.restrict(files.outer_rules(spec), alone=True)
        seccomp.allow_less(alone=True, gpus=gpus, landlock=known)
    ready = json.dumps({"ready": memory}).encode()
    socket.send_fds(channel, [ready], list(descriptors))
    channel.close()
    for descriptor in descriptors:
        os.close(descriptor)
    gc.enable()


def _forget_outer_places() -> None:
    tempfile = sys.modules.get("tempfile")
    if tempfile is not None:
        tempfile.tempdir = None  # type: ignore[attr-defined]
    # ipykernel would take the guard, process 1, for a parent that has died.
    os.environ.pop("JPY_PARENT_PID", None)


def _write_quietly_to(path: str, text: str) -> None:
    # A container may forbid it; the other limits hold.
    with contextlib.suppress(OSError), open(path, "w", encoding="ascii") as file:
        file.write(text)


def _call(main: Callable[[], None]) -> int:
    """Run the function as a program would, and give its exit status."""
    try:
        main()
        code = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        # It may be closed, or its reader gone.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    return code & 0xFF
