"""Calls to Linux that Python does not have."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    "FenceError",
    "drop_privileges",
    "mount",
    "pivot_root",
    "prctl",
    "set_mount_attributes",
    "step",
    "syscall",
    "unmount",
    "unshare",
]

# unshare
CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
# mount
MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
MOUNT_ATTR_RDONLY = 1
MOUNT_ATTR_NOSUID = 2
MOUNT_ATTR_NODEV = 4
MOUNT_ATTR_NOEXEC = 8
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
# prctl
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
# Neither user 0 nor a program file gives capabilities, and this cannot be taken back.
SECURE_BITS = 0b101111
CAPABILITY_VERSION = 0x20080522

# name: (x86_64, aarch64)
_OWN_NUMBERS = {"pivot_root": (155, 41), "mount_setattr": (442, 442), "capset": (126, 91)}
_ARCHITECTURES = {"x86_64": 0, "aarch64": 1}


@functools.cache
def _libc() -> ctypes.CDLL:
    """The C library; asked for late, since Windows has none of this name."""
    return ctypes.CDLL(None, use_errno=True)


class FenceError(Exception):
    """A part of the fence could not be put up; its text is a sentence for people."""


def architecture() -> int:
    """The column of this machine in tables of numbers.

    Raises:
        FenceError: The machine is of another kind.
    """
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        raise FenceError(f"expected an x86_64 or aarch64 machine. Received: {machine}")
    return _ARCHITECTURES[machine]


@contextmanager
def step(what: str) -> Iterator[None]:
    """Tell an error of the system as an error of this step.

    Args:
        what: What is being done, in words that follow "could not".
    """
    try:
        yield
    except OSError as error:
        text = error.strerror or str(error)
        raise FenceError(f"could not {what}: {text}") from error


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(number: int, *words: object) -> int:
    """Call the system by number.

    Args:
        number: The call.
        words: Whole numbers, or what ctypes passes.
    """
    passed = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    return _checked(_libc().syscall(ctypes.c_long(number), *passed))


def unshare(flags: int) -> None:
    """Give the process namespaces of its own."""
    _checked(_libc().unshare(ctypes.c_int(flags)))


def prctl(option: int, first: int = 0, second: int = 0) -> int:
    """Set something for this process."""
    words = (first, second, 0, 0)
    return _checked(_libc().prctl(ctypes.c_int(option), *(ctypes.c_ulong(word) for word in words)))


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system, or a folder or file at a second place."""
    _checked(
        _libc().mount(
            os.fsencode(source),
            os.fsencode(target),
            os.fsencode(kind) or None,
            ctypes.c_ulong(flags),
            options.encode() or None,
        )
    )


def unmount(target: str) -> None:
    """Take a mount, and what is mounted below it, out of sight."""
    _checked(_libc().umount2(os.fsencode(target), ctypes.c_int(MNT_DETACH)))


def pivot_root(new: str, old: str) -> None:
    """Make a mount the root, and put the old root below it."""
    number = _OWN_NUMBERS["pivot_root"][architecture()]
    syscall(number, ctypes.c_char_p(os.fsencode(new)), ctypes.c_char_p(os.fsencode(old)))


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("attr_set", ctypes.c_uint64),
        ("attr_clr", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    )


def set_mount_attributes(target: str, attributes: int) -> None:
    """Add attributes to a mount and all mounts below it (Linux 5.12)."""
    wanted = _MountAttributes(attr_set=attributes)
    syscall(
        _OWN_NUMBERS["mount_setattr"][architecture()],
        AT_FDCWD,
        ctypes.c_char_p(os.fsencode(target)),
        AT_RECURSIVE,
        ctypes.byref(wanted),
        ctypes.sizeof(wanted),
    )


def drop_privileges() -> None:
    """Give up every capability, for this process and all it starts."""
    with step("give up privileges"):
        # Without privileges there is nothing to drop, and under no_new_privs
        # nothing can be gained.
        with contextlib.suppress(OSError):
            for capability in range(64):
                prctl(PR_CAPBSET_DROP, capability)  # the first that is unknown ends it
        with contextlib.suppress(OSError):
            prctl(PR_SET_SECUREBITS, SECURE_BITS)
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
        nothing = (ctypes.c_uint32 * 6)()
        number = _OWN_NUMBERS["capset"][architecture()]
        syscall(number, ctypes.byref(header), ctypes.byref(nothing))
        prctl(PR_SET_NO_NEW_PRIVS, 1)
