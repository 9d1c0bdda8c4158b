"""Strikes against a grading run: what is struck, when, and what a course must look like after."""

import contextlib
import csv
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import psutil
from made_up_runs import content
from nbgrader.utils import determine_grade, is_grade
from tiny_unit import UNIT
from worker_processes import words_of

MARK = "RNNKIT_STRUCK_RUN"  # in the environment of all processes of one run
PHASES = ("start", "warming", "runs", "pages")
GONE_SECONDS = 30  # how long processes may take to notice that their run is over
LOCK_SECONDS = 3.0
FULL_SECONDS = 2.0
EDITED = " and the environment changed (rnnkit)"
DISK_BYTES = 16_000_000


@dataclass
class Line:
    """What the command printed, and how many seconds after its start."""

    seconds: float
    text: str


class Command:
    """``rnnkit grade`` as a user calls it, in a group of its own as in a shell.

    Args:
        kit: The kit's folder.
        course: The course folder.
        temporary: The folder for temporary files; its name is short.
        inside: The process whose namespaces it runs in; None for ours.
    """

    def __init__(self, kit: Path, course: Path, temporary: Path, inside: int | None = None) -> None:
        self.lines: list[Line] = []
        self.mark = os.urandom(8).hex()
        program = str(Path(sys.executable).with_name("rnnkit"))
        words = ["env", "-C", str(kit), program, "grade", UNIT]
        words += ["--course", str(course), "--cell-timeout", "5", "--jobs", "2"]
        if inside is not None:
            words = ["nsenter", "-t", str(inside), "-U", "-m", "--preserve-credentials", *words]
        environment = {
            **os.environ,
            MARK: self.mark,
            "TMPDIR": str(temporary),
            "TF_NUM_INTRAOP_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONUNBUFFERED": "1",
            "COLUMNS": "200",
        }
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            words,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for text in self.process.stdout:
            self.lines.append(Line(self.seconds, text.rstrip("\n")))

    @property
    def seconds(self) -> float:
        """Since its start."""
        return time.monotonic() - self.begin

    @property
    def printed(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def begun(self) -> dict[str, float]:
        """When each phase began that has begun, in seconds since the start."""
        found = {"start": 0.0}
        for line in self.lines:
            for phase, pattern in (
                ("warming", "Grading "),
                ("runs", "[3/"),  # two of the class have nothing to run
                ("pages", "Making "),
            ):
                if line.text.startswith(pattern):
                    found.setdefault(phase, line.seconds)
        return found

    @property
    def phase(self) -> str:
        return list(self.begun)[-1]

    @property
    def done(self) -> int:
        """How many submissions it has graded."""
        return sum(re.match(r"\[\d+/\d+\] \S+:", line.text) is not None for line in self.lines)

    def lengths(self) -> dict[str, float]:
        """How long each phase took, after the end."""
        begun = self.begun
        ends = [*list(begun.values())[1:], self.seconds]
        return {phase: end - begun[phase] for phase, end in zip(begun, ends, strict=True)}

    def wait(self, seconds: float = 180.0) -> int:
        """Wait for its end; the exit status."""
        status = self.process.wait(seconds)
        # What it started may hold the pipe for a moment longer.
        self._reader.join(GONE_SECONDS)
        return status

    def wait_for(self, phase: str, seconds: float) -> bool:
        """Wait for a moment of a phase; false when the command ends before it."""
        while self.process.poll() is None:
            begin = self.begun.get(phase)
            if begin is not None and self.seconds >= begin + seconds:
                return True
            time.sleep(0.005)
        return False

    def family(self) -> list[psutil.Process]:
        """All that it started and that runs, wherever it stands now."""
        mark, found = f"{MARK}={self.mark}".encode(), []
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                environment = Path("/proc", name, "environ").read_bytes()
            except OSError:  # it has ended, or is another user's
                continue
            if mark in environment:
                with contextlib.suppress(psutil.NoSuchProcess):
                    found.append(psutil.Process(int(name)))
        return found

    def left(self) -> list[str]:
        """What of its processes is left, once they had the time to end."""
        until = time.monotonic() + GONE_SECONDS
        while (family := self.family()) and time.monotonic() < until:
            time.sleep(0.1)
        return [f"{process.pid} {words_of(process)}" for process in family]

    def children(self, of: psutil.Process | None = None) -> dict[str, list[psutil.Process]]:
        """The family by what each is for."""
        found: dict[str, list[psutil.Process]] = {
            "coordinator": [],
            "server": [],
            "worker": [],
            "zygote": [],
            "keeper": [],
            "rest": [],
        }
        family = self.family()
        parents = {process.pid: _parent(process) for process in family}
        words = {process.pid: words_of(process) for process in family}
        for process in family:
            own = words[process.pid]
            above = words.get(parents[process.pid], "")
            kind = "rest"
            if process.pid == self.process.pid:
                kind = "coordinator"
            elif "forkserver" in own:
                kind = "worker" if "forkserver" in above else "server"
            elif "rnnkit.grading.zygote" in own:
                if "rnnkit.grading.zygote" not in above:
                    kind = "zygote"
                elif parents[process.pid] in {p.pid for p in found["zygote"]}:
                    kind = "keeper"
            found[kind].append(process)
        return found


def _parent(process: psutil.Process) -> int:
    try:
        return process.ppid()
    except psutil.Error:
        return 0


@dataclass
class Disk:
    """A small disk of its own that a course lies on, seen in one process's namespaces alone."""

    place: Path
    holder: subprocess.Popen[str]

    @property
    def outside(self) -> Path:
        """The same folder as it is reached from here."""
        return Path(f"/proc/{self.holder.pid}/root{self.place}")

    def fill(self) -> None:
        with (self.outside / "others.bin").open("wb", buffering=0) as file:
            size = 1 << 20
            while size:
                try:
                    file.write(b"\0" * size)
                except OSError:
                    size //= 2

    def free(self) -> None:
        (self.outside / "others.bin").unlink(missing_ok=True)


@contextlib.contextmanager
def small_disk(place: Path) -> Iterator[Disk]:
    """A disk of a few megabytes at an empty folder, in namespaces of its own.

    Raises:
        OSError: It cannot be had on this machine.
    """
    mount = f'mount -t tmpfs -o size={DISK_BYTES} tmpfs "$0" && echo ready && exec sleep 100000'
    holder = subprocess.Popen(
        ["unshare", "-Urm", "sh", "-c", mount, str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert holder.stdout is not None
        if "ready" not in (answer := holder.stdout.readline()):
            raise OSError(f"no small disk: {answer}")
        yield Disk(place, holder)
    finally:
        holder.kill()
        holder.wait()


# What a strike does; each gives a word more for the log, or None when there was nothing to strike.
Strike = Callable[[Command, Path], str | None]


def _kill(kind: str) -> Strike:
    def strike(command: Command, course: Path) -> str | None:
        until = time.monotonic() + 10
        while command.process.poll() is None and time.monotonic() < until:
            found = command.children()[kind]
            if found:
                with contextlib.suppress(psutil.NoSuchProcess):
                    found[-1].kill()
                    return ""
            time.sleep(0.005)
        return None

    return strike


def _interrupt(command: Command, course: Path) -> str:
    os.killpg(command.process.pid, signal.SIGINT)  # as a terminal does
    return ""


def _kill_all(command: Command, course: Path) -> str:
    family = command.family()
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    return f"({len(family)})"


def _lock(command: Command, course: Path) -> str | None:
    path = course / "gradebook.db"
    connection = sqlite3.connect(path, timeout=20)
    with contextlib.closing(connection):
        connection.execute("BEGIN EXCLUSIVE")
        time.sleep(LOCK_SECONDS)
        connection.rollback()
    return f"for {LOCK_SECONDS:g} s"


@dataclass
class Kind:
    """A kind of strike, and the phases that have something to be struck."""

    words: str
    strike: Strike
    phases: tuple[str, ...] = PHASES


KINDS = {
    "worker": Kind("kill -9 of a worker", _kill("worker"), ("warming", "runs", "pages")),
    "keeper": Kind("kill -9 of a kernel's keeper", _kill("keeper"), ("warming", "runs")),
    "zygote": Kind("kill -9 of the zygote", _kill("zygote"), ("warming", "runs")),
    "coordinator": Kind("kill -9 of the coordinator", _kill("coordinator")),
    "interrupt": Kind("Ctrl-C", _interrupt),
    "disk": Kind("the disk full", lambda command, course: None),  # see `struck`
    "lock": Kind("the gradebook locked", _lock),
    "all": Kind("kill -9 of all its processes", _kill_all),
    "server": Kind("kill -9 of the workers' server", _kill("server"), ("warming", "runs", "pages")),
}


@dataclass
class Struck:
    """How a run went on that was struck; `whole` where all was written by then."""

    seconds: float = 0.0
    phase: str = ""
    done: int = 0
    more: str | None = None
    whole: bool = False
    ends: list[int] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def struck(
    kit: Path,
    course: Path,
    temporary: Path,
    kind: str,
    phase: str,
    seconds: float,
    disk: Disk | None = None,
    for_good: bool = False,
) -> Struck:
    """Grade, strike once, and start again until the command ends with 0.

    Args:
        kit: The kit's folder.
        course: The course folder.
        temporary: The folder for temporary files.
        kind: A key of `KINDS`.
        phase: The phase to strike in.
        seconds: How long after the begin of the phase.
        disk: The disk that the course lies on; None for that of the machine.
        for_good: Whether a full disk stays full until the command has ended.
    """
    inside = disk.holder.pid if disk is not None else None
    result = Struck()
    command = Command(kit, course, temporary, inside)
    if command.wait_for(phase, seconds):
        result.seconds, result.phase = command.seconds, command.phase
        result.done = command.done
        if disk is None:
            result.more = KINDS[kind].strike(command, course)
        else:
            disk.fill()
            if not for_good:
                time.sleep(FULL_SECONDS)
                disk.free()
            result.more = "until it ended" if for_good else f"for {FULL_SECONDS:g} s"
    while True:
        result.ends.append(command.wait())
        result.printed.append(command.printed)
        if disk is not None:
            disk.free()
        result.left += command.left()
        if len(result.ends) == 1 and result.ends != [0] and result.phase == "pages":
            seen = disk.outside if disk is not None else course
            result.whole = not (seen / ".rnnkit" / UNIT / "run.json").exists()
        if result.ends[-1] == 0 or len(result.ends) == 4:
            return result
        command = Command(kit, course, temporary, inside)


# What a course must look like


def picture(course: Path) -> dict[str, Any]:
    """All that an instructor or a student finds in a graded course, times and sizes apart."""
    return {
        "gradebook": content(course),
        "autograded": {
            str(path.relative_to(course)): _notebook(path)
            for path in sorted((course / "autograded").rglob("*.ipynb"))
        },
        "grades.csv": _rows(course / "grades.csv"),
        "changes.csv": _rows(course / "changes.csv"),
        "logs": {
            path.name: _log(path, course) for path in sorted((course / "logs").rglob("*.txt"))
        },
        "feedback": {
            str(path.relative_to(course)): _page(path)
            for path in sorted((course / "feedback").rglob("*.html"))
        },
        "files": sorted(
            str(path.relative_to(course)) + "/" * path.is_dir() for path in course.rglob("*")
        ),
    }


def _notebook(path: Path) -> list[tuple[Any, ...]]:
    notebook = nbformat.read(path, as_version=4)
    return [
        (
            cell.metadata.get("nbgrader", {}).get("grade_id"),
            cell.source,
            determine_grade(cell) if is_grade(cell) else None,
            [output.get("ename") for output in cell.get("outputs", [])],
        )
        for cell in notebook.cells
    ]


def _page(path: Path) -> str:
    """A page without its last line, which changes with the times in the notebook."""
    return path.read_text(encoding="utf-8").rpartition("<!-- made from ")[0]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for cost in ("seconds", "peak MB"):
            row.pop(cost, None)
        if "because" in row:  # somebody may work on the kit while a long test runs
            row["because"] = row["because"].replace(EDITED, "")
    return rows


def _log(path: Path, course: Path) -> list[str]:
    """A log without what a run cost, and without the lines of its own, which tell of a fault."""
    lines = path.read_text(encoding="utf-8").replace(str(course), "COURSE").splitlines()
    own = ("seconds:", "peak memory:", "folder:", "from the run:", "    ")
    return [line for line in lines if not line.startswith(own)]


def differences(found: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Where two pictures are not the same, in words."""
    lines = []
    for part in expected:
        if found[part] == expected[part]:
            continue
        items: Any = expected[part]
        if isinstance(items, dict):
            names = {
                name
                for name in {**items, **found[part]}
                if found[part].get(name) != items.get(name)
            }
            for name in sorted(names):
                lines.append(f"{part}, {name}: {_short(found[part].get(name), items.get(name))}")
        else:
            lines.append(f"{part}: {_short(found[part], items)}")
    return lines


def _short(found: Any, expected: Any) -> str:
    """The items of two lists that are not in both."""
    if isinstance(found, list) and isinstance(expected, list):
        more = [item for item in found if item not in expected]
        less = [item for item in expected if item not in found]
        return f"found {more!r:.600} instead of {less!r:.600}"
    if isinstance(found, str) and isinstance(expected, str):
        return _short(found.splitlines(), expected.splitlines())
    return f"found {found!r:.300} instead of {expected!r:.300}"


def copy_course(source: Path, target: Path) -> None:
    """Copy a course to an empty or new folder."""
    shutil.copytree(source, target, dirs_exist_ok=True)
