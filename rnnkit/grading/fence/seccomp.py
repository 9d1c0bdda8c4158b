"""The filter of system calls.

Names and paths behind pointers cannot be looked at here; files are Landlock's and the
mounts' work. The filter closes what they leave open: calls that reach other processes,
memory that no limit counts, and doors that only administrators need.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct

from rnnkit.grading.fence.system import PR_SET_NO_NEW_PRIVS, architecture, prctl, step

__all__ = ["allow_less", "is_available"]

PR_GET_SECCOMP = 21
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
ALLOW = 0x7FFF0000
KILL = 0x80000000
ERRNO = 0x00050000
PRETEND = ERRNO  # error 0: the call does nothing and says that all is well
AUDIT_NUMBERS = (0xC000003E, 0xC00000B7)
X32_BIT = 0x40000000
# Operations of the filter's small machine.
LOAD = 0x20
EQUAL = 0x15
AT_LEAST = 0x35
ANY_BIT = 0x45
AND = 0x54
RETURN = 0x06

# name: (x86_64, aarch64); -1 where the machine has no such call
NUMBERS = {
    # other mounts and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "mount_setattr": (442, 442),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "perf_event_open": (298, 241),
    # the kernel's own doors
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "fanotify_init": (300, 262),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    # memory that belongs to no process, so that no limit would count it
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # looked at below
    "clone": (56, 220),
    "clone3": (435, 435),
    "ioctl": (16, 29),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "sendto": (44, 206),
    "prlimit64": (302, 261),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "fcntl": (72, 25),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "open": (2, -1),
    "openat": (257, 56),
    "openat2": (437, 437),
    "truncate": (76, 45),
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "inotify_add_watch": (254, 27),
}
_NAMES = list(NUMBERS)
CLOSED = _NAMES[: _NAMES.index("clone")]
NEW_NAMESPACES = 0x7E020000
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
FIOSETOWN, SIOCSPGRP = 0x8901, 0x8902
F_SETOWN, F_SETOWN_EX = 8, 15
ABOUT_FILES = [
    "chmod",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "utime",
    "utimes",
    "futimesat",
    "utimensat",
]
ATTRIBUTES = [
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "setxattrat",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "removexattrat",
    "file_setattr",
]


def is_available() -> bool:
    """Whether system calls can be filtered here."""
    try:
        prctl(PR_GET_SECCOMP)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT  # it would have read our filter
    return False


class _Filter:
    """A program for the filter, call by call."""

    def __init__(self) -> None:
        self.column = architecture()
        self.lines: list[tuple[int, int, int, int]] = [
            (LOAD, 0, 0, 4),
            (EQUAL, 1, 0, AUDIT_NUMBERS[self.column]),
            (RETURN, 0, 0, KILL),
            (LOAD, 0, 0, 0),
        ]
        if self.column == 0:
            self.lines += [(AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, ERRNO | errno.ENOSYS)]

    def _call(self, name: str, body: list[tuple[int, int, int, int]]) -> None:
        number = NUMBERS[name][self.column]
        if number >= 0:
            self.lines += [(EQUAL, 0, len(body), number), *body]

    def close(self, name: str, answer: int = ERRNO | errno.EPERM) -> None:
        """Never let the call through."""
        self._call(name, [(RETURN, 0, 0, answer)])

    def refuse(self, name: str, word: int, values: list[int]) -> None:
        """Refuse the call where an argument has one of these values."""
        body = [(LOAD, 0, 0, 16 + 8 * word)]
        for value in values:
            body += [(EQUAL, 0, 1, value), (RETURN, 0, 0, ERRNO | errno.EPERM)]
        self._call(name, [*body, (RETURN, 0, 0, ALLOW)])

    def allow_only(self, name: str, word: int, values: list[int], error: int = errno.EPERM) -> None:
        """Let the call through only where an argument has one of these values."""
        body = [(LOAD, 0, 0, 16 + 8 * word)]
        for value in values:
            body += [(EQUAL, 0, 1, value & 0xFFFFFFFF), (RETURN, 0, 0, ALLOW)]
        self._call(name, [*body, (RETURN, 0, 0, ERRNO | error)])

    def refuse_bits(self, name: str, word: int, bits: int) -> None:
        """Refuse the call where an argument has one of these bits."""
        self._call(
            name,
            [
                (LOAD, 0, 0, 16 + 8 * word),
                (ANY_BIT, 0, 1, bits),
                (RETURN, 0, 0, ERRNO | errno.EPERM),
                (RETURN, 0, 0, ALLOW),
            ],
        )

    def refuse_masked(self, name: str, word: int, mask: int, value: int) -> None:
        """Refuse the call where some bits of an argument have this value."""
        self._call(
            name,
            [
                (LOAD, 0, 0, 16 + 8 * word),
                (AND, 0, 0, mask),
                (EQUAL, 0, 1, value),
                (RETURN, 0, 0, ERRNO | errno.EPERM),
                (RETURN, 0, 0, ALLOW),
            ],
        )

    def streams_only(self, name: str, families: list[int]) -> None:
        """Let only streams of these families be made: a datagram names its own goal."""
        refused, allowed = (RETURN, 0, 0, ERRNO | errno.EACCES), (RETURN, 0, 0, ALLOW)
        body = [(LOAD, 0, 0, 16)]
        for place, family in enumerate(families, 1):
            body.append((EQUAL, len(families) - place + 1, 0, family))
        body += [refused, (LOAD, 0, 0, 24), (AND, 0, 0, 0xF)]
        for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
            body += [(EQUAL, 0, 1, int(kind)), allowed]
        self._call(name, [*body, refused])

    def refuse_pointer(self, name: str, word: int) -> None:
        """Refuse the call where an argument is a pointer other than NULL."""
        place = 16 + 8 * word
        refused, allowed = (RETURN, 0, 0, ERRNO | errno.EPERM), (RETURN, 0, 0, ALLOW)
        load_low, load_high = (LOAD, 0, 0, place), (LOAD, 0, 0, place + 4)
        self._call(
            name,
            [
                load_low,
                (EQUAL, 1, 0, 0),
                refused,
                load_high,
                (EQUAL, 1, 0, 0),
                refused,
                allowed,
            ],
        )

    def install(self) -> None:
        """Lay the filter on this process, for good."""
        lines = [*self.lines, (RETURN, 0, 0, ALLOW)]
        code = b"".join(struct.pack("=HBBI", *line) for line in lines)
        kept = ctypes.create_string_buffer(code, len(code))
        program = struct.pack("@HP", len(lines), ctypes.addressof(kept))
        passed = ctypes.create_string_buffer(program, len(program))
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(passed))


def allow_less(*, alone: bool, gpus: bool, landlock: int) -> None:
    """Lay the filter on this process and all it starts.

    Args:
        alone: Whether there are no namespaces around the process.
        gpus: Whether a GPU's driver runs in it, which may need memory without a process.
        landlock: The version of Landlock, whose gaps are filled.
    """
    with step("filter system calls (seccomp)"):
        made = _Filter()
        for name in CLOSED:
            if not (gpus and name == "memfd_create"):
                made.close(name)
        made.refuse_bits("clone", 0, NEW_NAMESPACES)
        # Its flags lie behind a pointer. The C library goes back to clone.
        made.close("clone3", ERRNO | errno.ENOSYS)
        if alone:
            _stay_away_from_others(made, landlock)
        else:
            families = [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK]
            made.allow_only("socket", 0, [int(family) for family in families], errno.EAFNOSUPPORT)
            made.refuse("ioctl", 1, [TIOCSTI, TIOCLINUX])
        made.install()


def _stay_away_from_others(made: _Filter, landlock: int) -> None:
    """Without namespaces: no network, no other process, no attribute of other files."""
    # No connection out. A pathname socket, such as a container engine's, is no file to
    # Landlock; and a datagram can be sent to any address, so only streams are made.
    made.streams_only("socket", [int(socket.AF_UNIX)])
    made.streams_only("socketpair", [int(socket.AF_UNIX)])
    made.close("connect", ERRNO | errno.EACCES)
    made.refuse_pointer("sendto", 4)
    # Landlock says nothing about a file's mode, owner, times and attributes.
    for name in ABOUT_FILES:
        made.close(name, PRETEND)
    for name in ATTRIBUTES:
        made.close(name, ERRNO | errno.ENOTSUP)
    made.close("inotify_add_watch")
    me = os.getpid()
    for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler"):
        made.allow_only(name, 0, [0, me])
    for name in ("sched_setparam", "sched_setattr"):
        made.allow_only(name, 0, [0, me])
    for name in ("setpriority", "ioprio_set"):
        made.allow_only(name, 1, [0, me])
    commands = [TIOCSTI, TIOCLINUX]
    if landlock < 6:  # signals are not kept in
        made.allow_only("kill", 0, [0, me, -me])
        made.allow_only("tgkill", 0, [me])
        made.close("tkill")
        made.close("rt_sigqueueinfo")
        made.close("rt_tgsigqueueinfo")
        made.close("pidfd_send_signal")
        made.refuse("fcntl", 1, [F_SETOWN, F_SETOWN_EX])
        commands += [FIOSETOWN, SIOCSPGRP]
    made.refuse("ioctl", 1, commands)
    if landlock < 3:  # cutting a file short is no writing
        made.close("truncate")
        for name, word in (("open", 1), ("openat", 2)):
            made.refuse_masked(name, word, os.O_TRUNC | os.O_ACCMODE, os.O_TRUNC | os.O_RDONLY)
    made.close("openat2", ERRNO | errno.ENOSYS)
