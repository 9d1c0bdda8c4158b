"""Landlock: rules on files, which a process lays on itself."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from rnnkit.grading.fence.system import PR_SET_NO_NEW_PRIVS, prctl, step, syscall

__all__ = ["MAKE_SOCKETS", "READ", "READ_WRITE", "WRITE_FILE", "restrict", "version"]

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
RULE_PATH_BENEATH = 1
ASK_VERSION = 1

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
REMOVE_FILE = 1 << 5
MAKE_SOCK = 1 << 9
REFER = 1 << 13
TRUNCATE = 1 << 14
IOCTL_DEV = 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
MAKE_SOCKETS = MAKE_SOCK | READ_FILE | READ_DIR
READ_WRITE = (1 << 16) - 1
# What a rule may say about a thing that is not a folder.
FOR_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
# What each version adds, as the number of rights on files.
RIGHTS_OF_VERSION = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
TCP = 0b11  # bind and connect, version 4
SCOPES = 0b11  # abstract sockets and signals, version 6


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The version of Landlock that the system has; 0 where there is none."""
    try:
        return syscall(CREATE_RULESET, None, 0, ASK_VERSION)
    except OSError:
        return 0


def restrict(rules: Iterable[tuple[str, int]], *, alone: bool) -> None:
    """Let this process, and all it starts, use only what the rules name.

    Args:
        rules: A path, and what may be done with it and below it. What is not there
            is passed over.
        alone: Whether there are no namespaces around the process, so that Landlock
            also keeps it from the network and from other processes, as far as it can.
    """
    known = version()
    if not known:
        return
    all_files = (1 << RIGHTS_OF_VERSION[min(known, max(RIGHTS_OF_VERSION))]) - 1
    ruleset = _Ruleset(files=all_files)
    if alone and known >= 4:
        ruleset.network = TCP
    if alone and known >= 6:
        ruleset.scoped = SCOPES
    size = {1: 8, 2: 8, 3: 8, 4: 16, 5: 16}.get(known, ctypes.sizeof(ruleset))
    with step("make rules for files (Landlock)"):
        descriptor = syscall(CREATE_RULESET, ctypes.byref(ruleset), size, 0)
        try:
            for path, access in rules:
                _add(descriptor, path, access & all_files)
            prctl(PR_SET_NO_NEW_PRIVS, 1)
            syscall(RESTRICT_SELF, descriptor, 0)
        finally:
            os.close(descriptor)


def _add(descriptor: int, path: str, access: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # not there, or closed to this user
    try:
        if not os.path.isdir(path):
            access &= FOR_FILES
        rule = _PathBeneath(access=access, parent=parent)
        syscall(ADD_RULE, descriptor, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)
