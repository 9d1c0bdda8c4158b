"""What this machine can do to keep submissions in."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import rnnkit
from rnnkit.grading.fence import landlock, seccomp
from rnnkit.grading.fence.keeper import run_fenced
from rnnkit.grading.fence.spec import FenceSpec, Report
from rnnkit.grading.fence.system import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    FenceError,
    mount,
    unshare,
)
from rnnkit.grading.outcome import Fence

__all__ = ["Ability", "believe", "probe"]

PROBE_SECONDS = 60
SETTINGS = Path("/proc/sys")
# A setting that closes user namespaces, its value when it does, and its remedy.
SWITCHES = (
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("user/max_user_namespaces", "0", "15000"),
)
IN_CONTAINER = (
    "start the container with --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
)


@dataclass(frozen=True)
class Ability:
    """What this machine gives for a fence.

    Args:
        level: The strongest fence that can be put up.
        lacks: For each thing that is missing, a sentence with the remedy.
        user_namespaces: Whether a process may make a user namespace.
        mount: Whether it may mount in it.
        proc: Whether it may mount a ``/proc`` of its own.
        pid: Whether it may have process numbers of its own.
        network: Whether it may have a network of its own.
        ipc: Whether it may have System V IPC of its own.
        landlock: The version of Landlock; 0 where there is none.
        seccomp: Whether system calls can be filtered.
    """

    level: Fence
    lacks: tuple[str, ...] = ()
    user_namespaces: bool = False
    mount: bool = False
    proc: bool = False
    pid: bool = False
    network: bool = False
    ipc: bool = False
    landlock: int = 0
    seccomp: bool = False


_told: Ability | None = None


def believe(ability: Ability) -> None:
    """Spare this process the measuring: `probe` then gives what another process found here.

    Args:
        ability: What it found.
    """
    global _told
    _told = ability


@functools.cache
def probe() -> Ability:
    """Find out what this machine can do; measured once in a process.

    The measuring is done by a small program of its own, so that the caller is
    neither forked nor changed.
    """
    if _told is not None:
        return _told
    if not sys.platform.startswith("linux"):
        return Ability(Fence.NONE, ("Fences need Linux: grade on Linux, or in WSL 2.",))
    paths = [str(Path(rnnkit.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    try:
        done = subprocess.run(
            [sys.executable, "-c", "from rnnkit.grading.fence.ability import tell; tell()"],
            capture_output=True,
            text=True,
            cwd="/",
            env=environment,
            timeout=PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Ability(Fence.NONE, (f"The fence could not be tried out: {error}.",))
    if done.returncode:
        last = done.stderr.strip().split("\n")[-1]
        return Ability(Fence.NONE, (f"The fence could not be tried out: {last}.",))
    found = json.loads(done.stdout.strip().split("\n")[-1])
    return Ability(**{**found, "level": Fence(found["level"]), "lacks": tuple(found["lacks"])})


def tell() -> None:
    """Measure in this process and its children, and print what came of it (JSON)."""
    ability = _measure()
    print(json.dumps({**asdict(ability), "level": ability.level.value}))


def _measure() -> Ability:
    found: dict[str, Any] = {
        "user_namespaces": _works(lambda: unshare(CLONE_NEWUSER)),
        "mount": _works(_try_mount),
        "proc": _works(_try_proc),
        "pid": _works(lambda: unshare(CLONE_NEWUSER | CLONE_NEWPID)),
        "network": _works(lambda: unshare(CLONE_NEWUSER | CLONE_NEWNET)),
        "ipc": _works(lambda: unshare(CLONE_NEWUSER | CLONE_NEWIPC)),
        "landlock": landlock.version(),
        "seccomp": seccomp.is_available(),
    }
    missing: list[str] = []
    for level in (Fence.FULL, Fence.WEAK):
        report = _try(level)
        if report.code == 0:
            return Ability(level, tuple(_remedies(level, found, missing)), **found)
        missing.append(report.note or f"a process inside ended early ({report})")
    return Ability(Fence.NONE, tuple(_remedies(Fence.NONE, found, missing)), **found)


def _works(attempt: Callable[[], None]) -> bool:
    """Whether an attempt in a child of its own meets no error."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            attempt()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def _enter() -> None:
    user, group = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER | CLONE_NEWPID)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _mount(kind: str, target: str) -> None:
    unshare(CLONE_NEWNS)
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    mount(kind, target, kind, MS_NOSUID | MS_NODEV | MS_NOEXEC)


def _try_mount() -> None:
    _enter()
    _mount("tmpfs", "/tmp")


def _try_proc() -> None:
    _enter()
    if not _works(lambda: _mount("proc", "/proc")):  # in the first process of the namespace
        raise FenceError("no /proc")


def _try(level: Fence) -> Report:
    """Put up the fence around nothing."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="rnnkit-probe-") as folder:
        spec = FenceSpec(level, os.path.realpath(folder), memory_bytes=1 << 30)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            run_fenced(spec, lambda: None, writing)
        os.close(writing)
        with open(reading, "rb") as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
    return Report.from_json(text)


def _remedies(level: Fence, found: dict[str, Any], missing: list[str]) -> list[str]:
    """What is missing for a full fence, and what to do about it."""
    if level is Fence.FULL:
        return []
    sentences = []
    closed = [name for name in ("user_namespaces", "mount", "pid", "network", "ipc", "proc")]
    closed = [name.replace("_", " ") for name in closed if not found[name]]
    if closed:
        sentences.append(
            f"No full fence: this machine does not give {', '.join(closed)} to a process "
            f"without privileges; {_how_to_open(found)}."
        )
    else:
        sentences.append(f"No full fence: {missing[0]}; Linux 5.12 or newer has all that it takes.")
    if level is Fence.NONE:
        if not found["landlock"]:
            sentences.append(
                "No weaker fence: there is no Landlock; use Linux 5.13 or newer, started with "
                "'landlock' among the names of the kernel parameter lsm=."
            )
        if not found["seccomp"]:
            sentences.append(
                "No weaker fence: system calls cannot be filtered; use a kernel with "
                "CONFIG_SECCOMP_FILTER."
            )
        if found["landlock"] and found["seccomp"]:
            sentences.append(f"No weaker fence: {missing[-1]}.")
    return sentences


def _how_to_open(found: dict[str, Any]) -> str:
    for name, closed, opened in SWITCHES:
        path = SETTINGS / name
        if path.exists() and path.read_text().strip() == closed:
            return f"run: sudo sysctl -w {name.replace('/', '.')}={opened}"
    if _in_container():
        return IN_CONTAINER
    return "use a kernel with CONFIG_USER_NS, and a login that may make namespaces"


def _in_container() -> bool:
    return any(Path(path).exists() for path in ("/.dockerenv", "/run/.containerenv"))
