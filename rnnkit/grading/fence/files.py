"""The files that a fenced process sees: a system of its own, or the outer one with rules."""

from __future__ import annotations

import glob
import os
import shutil
import stat
from collections.abc import Iterator

from rnnkit.grading.fence import landlock
from rnnkit.grading.fence.limits import limit_processes_in_namespace
from rnnkit.grading.fence.spec import FenceSpec
from rnnkit.grading.fence.system import (
    MOUNT_ATTR_NODEV,
    MOUNT_ATTR_NOEXEC,
    MOUNT_ATTR_NOSUID,
    MOUNT_ATTR_RDONLY,
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    mount,
    pivot_root,
    set_mount_attributes,
    step,
    unmount,
)

__all__ = ["copy_files", "outer_rules", "own_rules", "own_system", "private_folders"]

OLD = "/.outside"
SOCKETS = "/.sockets"
SPACE = "/.space"  # the one memory file system behind all folders that may be written to
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# TensorFlow asks these for the number of processors and where memory lies.
MACHINE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
GPU_DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-caps")
GPU_MACHINE = ("/sys/devices", "/sys/bus/pci", "/sys/module", "/proc/driver/nvidia")
BYTES_PER_FILE = 16384  # each file also costs the system memory, so their number is limited


def own_system(spec: FenceSpec) -> tuple[int, int]:
    """Make a file system of only what the process may see, and leave the outer one.

    To be called by the first process of a new process namespace, in a new mount
    namespace.

    Args:
        spec: What is let in.

    Returns:
        Descriptors of the new ``/proc`` and of the space for files.
    """
    home = _outer_home(spec)
    links = {path: os.path.realpath(path) for path in _outer_paths(spec, home)}
    with step("leave the file system outside"):
        mount("none", "/", flags=MS_REC | MS_PRIVATE)
        options = "size=4m,nr_inodes=20000,mode=755"
        mount("tmpfs", spec.scratch, "tmpfs", MS_NOSUID | MS_NODEV, options)
        os.mkdir(spec.scratch + OLD)
        pivot_root(spec.scratch, spec.scratch + OLD)
        os.chdir("/")
    with step("make room for files"):
        _make_space(spec)
    _lay_out(spec, home, links)
    if spec.sockets:
        _add_sockets(spec, OLD + links[spec.sockets])
    with step("link to folders of the system"):
        for path, real in links.items():
            if path not in (real, spec.sockets, spec.files) and not os.path.lexists(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                os.symlink(real, path)
        _write_accounts(home)
    _add_devices(spec)
    proc = _add_proc(spec)
    if spec.files:
        copy_files(OLD + links[spec.files], spec.scratch)
    with step("close the file system outside"):
        space = os.open(SPACE, os.O_RDONLY | os.O_DIRECTORY)
        for path in (OLD, SPACE):
            unmount(path)
            os.rmdir(path)
        mount("tmpfs", "/", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.environ["TMPDIR"] = "/tmp"
    os.environ["HOME"] = home
    return proc, space


def _outer_home(spec: FenceSpec) -> str:
    """Where the home folder lies; programs remember it from before the fence."""
    home = os.path.realpath(os.path.expanduser("~"))
    used = [os.path.realpath(path) for path in (*spec.readable, "/proc", "/dev", "/sys", "/etc")]
    inside_system = any(home == path or home.startswith(path + "/") for path in used)
    return "/home/student" if home == "/" or inside_system else home


def _outer_paths(spec: FenceSpec, home: str) -> Iterator[str]:
    yield from spec.readable
    yield from (path for path in (spec.scratch, spec.files, spec.sockets) if path)
    yield from ("/tmp", "/dev/shm", home)


def _make_space(spec: FenceSpec) -> None:
    os.mkdir(SPACE)
    files = max(1000, spec.scratch_bytes // BYTES_PER_FILE)
    options = f"size={spec.scratch_bytes},nr_inodes={files},mode=755"
    mount("tmpfs", SPACE, "tmpfs", MS_NOSUID | MS_NODEV, options)
    for name in ("work", "tmp", "home", "shm"):
        os.mkdir(f"{SPACE}/{name}")


def _lay_out(spec: FenceSpec, home: str, links: dict[str, str]) -> None:
    """Mount folders and files, those above others first."""
    plain = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV
    places = {}
    for path in (*spec.readable, *MACHINE):
        real = links.get(path, path)
        places[real] = (OLD + real, plain | MOUNT_ATTR_RDONLY)
    scratch = links[spec.scratch]
    for path, name in (("/tmp", "tmp"), ("/dev/shm", "shm"), (home, "home"), (scratch, "work")):
        places[os.path.normpath(path)] = (f"{SPACE}/{name}", plain)
    for path in sorted(places, key=lambda path: (path.count("/"), path)):
        source, attributes = places[path]
        if os.path.exists(source) and not _same(source, path):
            with step(f"let in {path}"):
                _bind(source, path, attributes)


def _add_sockets(spec: FenceSpec, source: str) -> None:
    """Let in the folder of sockets, at a place that no rule for another folder covers."""
    with step(f"let in {spec.sockets}"):
        _bind(source, SOCKETS, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)
        os.makedirs(os.path.dirname(spec.sockets), exist_ok=True)
        os.symlink(SOCKETS, spec.sockets)


def _same(first: str, second: str) -> bool:
    """Whether the folder is there already, with one above it."""
    return os.path.lexists(second) and os.path.samefile(first, second)


def _bind(source: str, target: str, attributes: int) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    mount(source, target, flags=MS_BIND | MS_REC)
    set_mount_attributes(target, attributes)


def _write_accounts(home: str) -> None:
    """The few settings that name accounts, without the names of this machine."""
    user, group = os.getuid(), os.getgid()
    texts = {
        "passwd": f"student:x:{user}:{group}:student:{home}:/bin/sh\n",
        "group": f"student:x:{group}:\n",
        "hosts": "127.0.0.1 localhost\n::1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    os.makedirs("/etc", exist_ok=True)
    for name, text in texts.items():
        with open(f"/etc/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _add_devices(spec: FenceSpec) -> None:
    with step("let in devices"):
        os.makedirs("/dev/pts", exist_ok=True)
        for path in (*DEVICES, *_gpu_devices(spec, OLD + "/dev")):
            if os.path.exists(OLD + path):
                _bind(OLD + path, path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC)
        for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1")):
            os.symlink(f"/proc/self/{target}", f"/dev/{name}")
        os.symlink("/proc/self/fd/2", "/dev/stderr")
        os.symlink("pts/ptmx", "/dev/ptmx")
        options = "newinstance,ptmxmode=0666,mode=0620"
        mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, options)
        if spec.gpus:
            attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV
            for path in GPU_MACHINE[:3]:
                if os.path.exists(OLD + path) and not _same(OLD + path, path):
                    _bind(OLD + path, path, attributes)


def _gpu_devices(spec: FenceSpec, folder: str = "/dev") -> list[str]:
    if not spec.gpus:
        return []
    numbers = spec.gpus
    if not all(number.isdigit() for number in numbers):  # the name of a part of a GPU
        numbers = ("[0-9]*",)
    found = [path for number in numbers for path in glob.glob(f"{folder}/nvidia{number}")]
    return [*GPU_DEVICES, *(f"/dev/{os.path.basename(path)}" for path in found)]


def _add_proc(spec: FenceSpec) -> int:
    """Mount a ``/proc`` that shows only this process namespace, and cannot be written to."""
    with step("mount /proc"):
        os.makedirs("/proc", exist_ok=True)
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    with step("forbid more namespaces"):
        _write("/proc/sys/user/max_user_namespaces", "0")
    limit_processes_in_namespace(spec)
    with step("let nobody write to /proc"):
        set_mount_attributes("/proc", MOUNT_ATTR_RDONLY)
        return os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def copy_files(source: str, target: str) -> None:
    """Copy what a submission brought along; links stay links, and devices stay outside.

    Args:
        source: The folder with the files.
        target: Where to copy them.
    """
    with step("copy the submission's files"):
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=_no_file)


def _no_file(folder: str, names: list[str]) -> list[str]:
    kinds = (stat.S_ISREG, stat.S_ISDIR, stat.S_ISLNK)
    modes = {name: os.lstat(os.path.join(folder, name)).st_mode for name in names}
    return [name for name, mode in modes.items() if not any(kind(mode) for kind in kinds)]


def own_rules(spec: FenceSpec) -> list[tuple[str, int]]:
    """Landlock's rules inside a file system of its own: a second wall.

    Args:
        spec: What is let in.
    """
    home = os.environ["HOME"]
    writable = [spec.scratch, "/tmp", "/dev/shm", home]
    rules = [("/", landlock.READ), (SOCKETS, landlock.MAKE_SOCKETS)]
    rules += [(path, landlock.READ_WRITE) for path in writable]
    rules += [(path, landlock.READ_WRITE) for path in ("/dev/pts", *_gpu_devices(spec))]
    rules += [(path, landlock.WRITE_FILE | landlock.READ) for path in DEVICES]
    return rules


def private_folders(spec: FenceSpec) -> None:
    """Without mounts: folders for the home and for passing files, inside the scratch folder.

    Args:
        spec: What is let in.
    """
    home = os.path.join(spec.scratch, ".home")
    temporary = os.path.join(home, "tmp")
    with step("make a home folder in the scratch folder"):
        for path in (home, temporary):
            if not os.path.isdir(path):
                os.mkdir(path)
    os.environ["HOME"] = home
    os.environ["TMPDIR"] = temporary


def outer_rules(spec: FenceSpec) -> list[tuple[str, int]]:
    """Landlock's rules in the outer file system: the weaker fence's only wall.

    Args:
        spec: What is let in.
    """
    rules = [(path, landlock.READ) for path in (*spec.readable, *MACHINE, "/proc")]
    rules.append((spec.scratch, landlock.READ_WRITE))
    if spec.sockets:
        rules.append((spec.sockets, landlock.MAKE_SOCKETS))
    rules += [(path, landlock.WRITE_FILE | landlock.READ) for path in DEVICES]
    if spec.gpus:
        rules += [(path, landlock.READ_WRITE) for path in _gpu_devices(spec)]
        rules += [(path, landlock.READ) for path in GPU_MACHINE]
    return rules
