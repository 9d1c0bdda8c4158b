import ctypes
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fenced_runs import is_alive, sleep_for_ever

from rnnkit.grading.fence import Report, seccomp
from rnnkit.grading.fence.system import architecture, syscall

CLOSED = ["mount", "ptrace", "process_vm_readv", "keyctl", "bpf", "userfaultfd", "setns"]
CLOSED += ["perf_event_open", "unshare", "io_uring_setup", "memfd_create", "shmget", "chroot"]


def error_of(attempt):
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
    return ""


# The network


def test_no_server_outside_can_be_reached(level, start, tmp_path):
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as letters,
    ):
        udp.bind(("127.0.0.1", 0))
        abstract.bind(f"\0rnnkit-{os.getpid()}")
        abstract.listen()
        named.bind(str(tmp_path / "engine"))
        named.listen()
        letters.bind(str(tmp_path / "letters"))
        servers = [tcp, udp, abstract, named, letters]
        for server in servers:
            server.settimeout(0)
        addresses = [server.getsockname() for server in servers]

        def reach(_):
            def say(server, address):
                with socket.socket(server.family, server.type) as client:
                    client.settimeout(1)
                    if server.type == socket.SOCK_DGRAM:
                        client.sendto(b"grades", address)
                        client.sendmsg([b"grades"], [], 0, address)
                    else:
                        client.connect(address)

            pairs = zip(servers, addresses, strict=True)
            for server, address in pairs:
                error_of(lambda server=server, address=address: say(server, address))
            return "tried"

        run = start(level, reach)
        assert run.result == "tried"
        run.wait()
        reached = []
        for server in servers:
            datagram = server.type == socket.SOCK_DGRAM
            attempt = (lambda s=server: s.recv(10)) if datagram else (lambda s=server: s.accept())
            reached.append(error_of(attempt))
        assert reached == ["EAGAIN"] * 5


def test_a_datagram_from_a_pair_reaches_nobody_outside(level, start, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as letters:
        letters.bind(str(tmp_path / "letters"))
        letters.settimeout(0)

        def reach(_):
            ours, _theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
            ours.sendmsg([b"grades"], [], 0, str(tmp_path / "letters"))

        start(level, reach).wait()
        assert error_of(lambda: letters.recv(10)) == "EAGAIN"


def test_processes_inside_can_speak_to_each_other(level, start):
    def speak(_):
        ours, theirs = socket.socketpair()
        if os.fork() == 0:
            ours.sendall(b"hello")
            os._exit(0)
        return theirs.recv(10).decode()

    assert start(level, speak).result == "hello"


# Other processes


def test_in_a_full_fence_no_other_process_is_seen(full, start):
    def look(_):
        return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())

    assert start(full, look).result == [1, 2]


def test_another_process_cannot_be_reached(level, start, bystander):
    def reach(_):
        return [
            error_of(lambda: os.kill(bystander, signal.SIGKILL)),
            error_of(lambda: resource.prlimit(bystander, resource.RLIMIT_CPU, (1, 1))),
            error_of(lambda: os.sched_setaffinity(bystander, {0})),
            error_of(lambda: os.setpriority(os.PRIO_PROCESS, bystander, 19)),
            error_of(lambda: os.pidfd_open(bystander) and signal.pidfd_send_signal(bystander, 9)),
            error_of(lambda: Path(f"/proc/{bystander}/environ").read_bytes()),
            error_of(lambda: Path(f"/proc/{bystander}/mem").open("r+b")),
        ]

    before = resource.prlimit(bystander, resource.RLIMIT_CPU)
    assert "" not in start(level, reach).result
    assert is_alive(bystander)
    assert resource.prlimit(bystander, resource.RLIMIT_CPU) == before


def test_the_keeper_and_the_guard_cannot_be_killed(level, start):
    def kill(_):
        guard = os.getppid()
        words = Path(f"/proc/{guard}/stat").read_text().rpartition(")")[2].split()
        for pid in (guard, int(words[1])):
            for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
                error_of(lambda pid=pid, number=number: pid and os.kill(pid, number))
        error_of(lambda: os.kill(-1, signal.SIGCONT))
        return "goes on"

    run = start(level, kill_ignoring_interrupts, kill)
    assert run.result == "goes on"
    assert run.wait().code == 0


def kill_ignoring_interrupts(pipe, kill):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return kill(pipe)


def test_the_system_v_memory_of_others_cannot_be_reached(level, start):
    library = ctypes.CDLL(None, use_errno=True)
    key = os.getpid()
    segment = library.shmget(key, 4096, 0o1600)  # IPC_CREAT
    if segment < 0:
        pytest.skip("this machine has no System V IPC")
    try:
        assert start(level, lambda _: library.shmget(key, 4096, 0o600)).result == -1
    finally:
        library.shmctl(segment, 0, None)


@pytest.mark.parametrize("name", CLOSED)
def test_calls_that_open_doors_are_refused(level, start, name):
    number = seccomp.NUMBERS[name][architecture()]
    assert start(level, lambda _: error_of(lambda: syscall(number, 0, 0, 0, 0))).result == "EPERM"


def test_no_namespace_can_be_made_by_a_fork(level, start):
    number = seccomp.NUMBERS["clone"][architecture()]
    flags = 0x10000000 | signal.SIGCHLD  # a user namespace
    assert start(level, lambda _: error_of(lambda: syscall(number, flags, 0))).result == "EPERM"


def test_nothing_gives_more_rights(level, start):
    def look(_):
        lines = Path("/proc/self/status").read_text().split("\n")
        return dict(line.replace("\t", "").split(":", 1) for line in lines if line)

    status = start(level, look).result
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert {int(status[name], 16) for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")} == {0}


def test_a_child_can_be_ended_by_its_parent_in_a_full_fence(full, start):
    def end(_):
        child = subprocess.Popen(["sleep", "100"])
        child.terminate()
        return child.wait()

    assert start(full, end).result == -signal.SIGTERM


# How it ends


@pytest.mark.parametrize(
    ("function", "code", "number"),
    [
        (lambda _: None, 0, None),
        (lambda _: sys.exit(3), 3, None),
        (lambda _: sys.exit("a sentence"), 1, None),
        (lambda _: 1 / 0, 1, None),
        (lambda _: os._exit(5), 5, None),
        (lambda _: os.kill(os.getpid(), signal.SIGKILL), None, signal.SIGKILL),
        (lambda _: ctypes.string_at(0), None, signal.SIGSEGV),
    ],
    ids=["return", "exit", "sentence", "error", "_exit", "kill", "segfault"],
)
def test_the_report_says_how_it_ended(level, start, function, code, number):
    report = start(level, function).wait()
    assert (report.code, report.signal, report.why) == (code, number, "")


def daemon(pipe, ready=b"ready"):
    """Leave a process running that nobody waits for."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.write(pipe, ready)
            while True:
                time.sleep(1)
        os._exit(0)
    os.wait()


def test_a_daemon_is_gone_at_the_end(level, start):
    def leave(pipe):
        daemon(pipe)
        time.sleep(0.2)

    run = start(level, leave)
    assert run.first_line() == b"ready"
    assert run.wait().code == 0
    assert run.nothing_is_left()


@pytest.mark.parametrize("end", ["lifeline", "terminate"])
def test_the_caller_can_end_it(level, start, end):
    run = start(level, lambda pipe: [daemon(pipe), sleep_for_ever(pipe)])
    run.first_line()
    if end == "lifeline":
        os.dup2(os.open(os.devnull, os.O_RDONLY), run.lifeline)
    else:
        os.kill(run.keeper, signal.SIGTERM)
    assert run.wait().why == "stopped"
    assert run.nothing_is_left()


def test_a_killed_keeper_leaves_nothing(level, start):
    run = start(level, lambda pipe: [daemon(pipe), sleep_for_ever(pipe)])
    run.first_line()
    os.kill(run.keeper, signal.SIGKILL)
    assert run.nothing_is_left()
    assert run.wait() == Report(note="the keeper was killed")


def test_a_killed_parent_leaves_nothing(level, start):
    reading, writing = os.pipe()
    parent = os.fork()
    if parent == 0:
        try:
            run = start(level, lambda pipe: [daemon(pipe), sleep_for_ever(pipe)])
            run.first_line()
            os.write(writing, b"ready")
            signal.pause()
        finally:
            os._exit(1)
    os.close(writing)
    # The keeper's group of processes inherits no end of this pipe but through its parent.
    assert os.read(reading, 10) == b"ready"
    below = everything_below(parent)
    assert len(below) >= 4
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    until = time.monotonic() + 20
    while any(is_alive(pid) for pid in below):
        assert time.monotonic() < until, "some process goes on"
        time.sleep(0.01)
    os.close(reading)


def everything_below(pid):
    from rnnkit.grading.fence.watch import descendants

    return descendants(pid)


def test_an_interrupt_reaches_the_function(level, start):
    def wait(pipe):
        try:
            sleep_for_ever(pipe)
        except KeyboardInterrupt:
            os.write(pipe, b" interrupted")

    run = start(level, wait)
    assert run.first_line() == b"begun"
    os.kill(run.keeper, signal.SIGINT)
    assert run.first_line() == b" interrupted"
    assert run.wait().code == 0


def test_many_fences_stand_at_once(level, start):
    runs = [start(level, lambda _: os.getcwd()) for _ in range(20)]
    assert [run.result for run in runs] == [run.spec.scratch for run in runs]
    assert {run.wait().code for run in runs} == {0}
