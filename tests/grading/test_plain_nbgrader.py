"""Plain nbgrader under the course's settings: the same points, the same warm kernels, one fence."""

import asyncio
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from class_of_cases import STUBBORN
from made_up_runs import content
from nbgrader.apps.api import NbGraderAPI
from tiny_unit import CONFIG, EXIT_IN_FUNCTION, UNIT, hand_in, handed_in, make_kit

from rnnkit.grading import warm
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.folders import course_directory, load_config

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

BIN = Path(sys.executable).parent
MARK = "RNNKIT_PLAIN_RUN"  # in the environment of all processes of one command
SPY = """import os, socket
found = [name for name in {names!r} if os.path.exists(name)]
# Not where programs lie: nbgrader brings a gradebook of its own, and to walk through the
# packages of a machine may take longer than a cell has.
for folder, folders, files in os.walk("/"):
    programs = {{"proc", "sys", "usr"}} if folder == "/" else {{"site-packages"}}
    folders[:] = set(folders) - programs
    found += [name for name in files if name == "gradebook.db"]
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=2)
    found.append("the network")
except OSError:
    pass
print("found", found)
def greet(name):
    return "hello " + name"""


RIGGED = """class Yes:
    def __eq__(self, other):
        return True
def double(x):
    return Yes()"""


@dataclass
class Graded:
    """A course that plain nbgrader graded.

    Args:
        root: The course.
        zygotes: The process ids of the warm processes that served it.
        connections: How often somebody came to the door of the test.
    """

    root: Path
    zygotes: set[int]
    connections: int


def nbgrader(root: Path, *words: str, mark: str = "") -> subprocess.Popen[str]:
    """nbgrader as an instructor calls it in the course's folder."""
    environment = {
        **os.environ,
        MARK: mark,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "TF_NUM_INTRAOP_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.Popen(
        [str(BIN / "nbgrader"), *words],
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def warm_processes(mark: str) -> set[int]:
    """Those of one command that kernels are forked from, without the kernels."""
    found: dict[int, int] = {}
    for path in Path("/proc").iterdir():
        try:
            if f"{MARK}={mark}".encode() not in (path / "environ").read_bytes():
                continue
            if b"rnnkit.grading.zygote" in (path / "cmdline").read_bytes():
                stat = (path / "stat").read_text()
                found[int(path.name)] = int(stat.rpartition(")")[2].split()[1])
        except (OSError, ValueError):  # no process, one that has ended, or another's
            continue
    return {pid for pid, parent in found.items() if parent not in found}


def new_course(folder: Path) -> Path:
    """A course folder as `nbgrader` uses it, with our settings and a short limit for cells."""
    kit = make_kit(folder / "kit")
    course = folder / "course"
    shutil.copytree(kit.solutions, course / "solutions")
    settings = CONFIG.read_text(encoding="utf-8") + "\nc.ExecutePreprocessor.timeout = 3\n"
    (course / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    command = nbgrader(course, "generate_assignment", UNIT)
    printed, _ = command.communicate(timeout=120)
    assert command.returncode == 0, printed
    return course


@pytest.fixture(scope="module")
def graded(assignment: Assignment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graded]:
    """Four submissions that `nbgrader autograde` graded; the tests only read."""
    root = new_course(tmp_path_factory.mktemp("plain"))
    with socket.create_server(("127.0.0.1", 0)) as door:
        names = [str(root / "gradebook.db"), str(root / "solutions"), str(root / "submitted")]
        spy = SPY.format(names=names, port=door.getsockname()[1])
        submitted = root / "submitted"
        hand_in(submitted, "right", handed_in(assignment, q2_greet=spy))
        hand_in(submitted, "stubborn", handed_in(assignment, q1_double=STUBBORN))
        hand_in(submitted, "exits", handed_in(assignment, q1_double=EXIT_IN_FUNCTION))
        hand_in(submitted, "rigged", handed_in(assignment, q1_double=RIGGED))
        mark, zygotes = os.urandom(8).hex(), set()
        command = nbgrader(root, "autograde", UNIT, "--create", mark=mark)
        reader = threading.Thread(target=command.communicate)
        reader.start()
        while reader.is_alive():
            zygotes |= warm_processes(mark)
            time.sleep(0.2)
        reader.join()
        assert command.returncode == 0
        door.setblocking(False)
        connections = 0
        try:
            door.accept()
            connections = 1
        except BlockingIOError:
            pass
        yield Graded(root, zygotes, connections)


def points(root: Path) -> dict[tuple[Any, ...], Any]:
    """Points of each student's cells, and whether a person has to look."""
    return {row[:2]: row[2:] for row in content(root)["grades"]}


def outputs(root: Path, student: str, grade_id: str) -> str:
    path = root / "autograded" / student / UNIT / f"{UNIT}.ipynb"
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id:
            return "".join(out.get("text", "") + out.get("evalue", "") for out in cell.outputs)
    raise AssertionError(grade_id)


def test_points_are_those_that_the_kits_own_command_gives(graded: Graded, tmp_path: Path) -> None:
    kit, root = make_kit(tmp_path / "kit"), tmp_path / "course"
    shutil.copytree(graded.root / "submitted", root / "submitted")
    command = subprocess.run(
        [str(BIN / "rnnkit"), "grade", UNIT, "--course", str(root), "--cell-timeout", "3"],
        cwd=kit.root,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert command.returncode == 0, command.stderr
    expected = points(root)
    assert {key[0] for key in expected} == {"right", "stubborn", "exits", "rigged"}
    assert points(graded.root) == expected


def test_only_what_depends_on_the_cell_is_lost(graded: Graded) -> None:
    found = points(graded.root)
    for student, double in (("right", 2.0), ("stubborn", 0.0), ("exits", 0.0)):
        assert found[student, "q1-double-test"][0] == double, student
        assert found[student, "q2-greet-test"][0] == 1.0, student
    assert "could not be interrupted" in outputs(graded.root, "stubborn", "q1-double-test")
    assert "Python itself ended" in outputs(graded.root, "exits", "q1-double-test")


def test_rigged_answer_gets_nothing_and_no_hidden_line_is_in_the_graded_notebook(
    graded: Graded,
) -> None:
    assert points(graded.root)["rigged", "q1-double-test"][0] == 0.0
    path = graded.root / "autograded" / "rigged" / UNIT / f"{UNIT}.ipynb"
    assert "secret_number" not in path.read_text(encoding="utf-8")


def test_submission_sees_neither_gradebook_nor_network(graded: Graded) -> None:
    assert outputs(graded.root, "right", "q2-greet") == "found []\n"
    assert graded.connections == 0


def test_one_warm_process_serves_all_and_ends_with_the_command(graded: Graded) -> None:
    assert len(graded.zygotes) == 1
    until = time.monotonic() + 30
    (zygote,) = graded.zygotes
    while Path(f"/proc/{zygote}").exists() and time.monotonic() < until:
        time.sleep(0.1)
    assert not Path(f"/proc/{zygote}").exists()


def test_formgraders_button_does_the_same_in_a_server(
    graded: Graded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "course"
    for name in ("solutions", "submitted"):
        shutil.copytree(graded.root / name, root / name)
    shutil.copy(graded.root / "nbgrader_config.py", root)
    with sqlite3.connect(graded.root / "gradebook.db") as book:
        book.execute("VACUUM INTO ?", (str(root / "gradebook.db"),))
    own = warm._Warm()
    monkeypatch.setattr(warm, "_warm", own)
    monkeypatch.chdir(tmp_path)  # a server runs elsewhere
    config = load_config(root / "nbgrader_config.py")
    api = NbGraderAPI(course_directory(root, config), config=config)

    async def press(student: str) -> tuple[dict[str, Any], set[int]]:
        # As the server's handler does: it calls in the middle of the running loop.
        result = api.autograde(UNIT, student)
        return result, {zygote.pid for zygote in own.zygotes.values()}

    async def press_for_all() -> list[tuple[dict[str, Any], set[int]]]:
        return [await press(student) for student in ("right", "stubborn", "exits")]

    try:
        answers = asyncio.run(press_for_all())
    finally:
        warm.close_zygotes()
    assert [answer["success"] for answer, _ in answers] == [True] * 3, answers
    assert points(root) == points(graded.root)
    assert outputs(root, "right", "q2-greet") == "found []\n"
    assert len(set.union(*(zygotes for _, zygotes in answers))) == 1
