"""Nothing is lost: a class is graded by the real command, which is struck at random moments.

``RNNKIT_STRIKES=24`` strikes oftener, ``RNNKIT_SEED`` at other moments; with ``-s`` the log
is printed, a line for each strike.
"""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from faults import (
    KINDS,
    PHASES,
    Command,
    copy_course,
    differences,
    picture,
    small_disk,
    struck,
)
from nbgrader.api import Gradebook
from tiny_unit import EXIT_IN_FUNCTION, UNIT, hand_in, handed_in, make_kit

from rnnkit.grading.assignment import Assignment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

STRIKES = int(os.environ.get("RNNKIT_STRIKES", "2"))
SEED = int(os.environ.get("RNNKIT_SEED", "4"))
BEGUN = 0.4  # seconds after which Python has begun to run the command
TRIES = 5  # how often a strike that found nothing to strike is tried again
PLUGIN = """
from nbgrader.plugins import BasePlugin

class HalfAPoint(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5
"""
SQUARE = "def double(x):\n    return x * x"
ENDLESS = "while True:\n    pass"
SLOW = "import time\ntime.sleep(1)\ndef double(x):\n    return x + x"


@dataclass
class Before:
    """A class before it is graded, and how it is graded without a fault."""

    kit: Path
    course: Path
    temporary: Path
    lengths: dict[str, float]
    picture: dict[str, Any]


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files, with a name that leaves room for a socket's."""
    folder = tempfile.mkdtemp(prefix="struck-", dir="/tmp")
    yield Path(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def before(assignment: Assignment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Before]:
    """A class of 13; two of them were graded before, and a person has graded what they wrote."""
    folder = tmp_path_factory.mktemp("faults")
    kit, course = make_kit(folder / "kit"), folder / "course"
    submitted = course / "submitted"
    config = (kit.root / "nbgrader_config.py").read_text(encoding="utf-8")
    for student in ("again", "hand"):
        hand_in(submitted, student, handed_in(assignment, q3_why=f"So says {student}."))
        moment = submitted / student / UNIT / "timestamp.txt"
        moment.write_text("2026-01-02 00:00:00 UTC", encoding="utf-8")
    (course / "half_a_point.py").write_text(PLUGIN, encoding="utf-8")
    (course / "nbgrader_config.py").write_text(
        config + 'c.AssignLatePenalties.plugin_class = "half_a_point.HalfAPoint"\n',
        encoding="utf-8",
    )
    temporary = Path(tempfile.mkdtemp(prefix="struck-", dir="/tmp"))
    first = Command(kit.root, course, temporary)
    assert first.wait() == 0, first.printed
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        book.update_or_create_assignment(UNIT, duedate="2026-01-01")
        book.find_submission(UNIT, "again").extension = timedelta(hours=6)
        for student, points in (("again", 3.0), ("hand", 2.5)):
            found = book.find_grade("q3-why", UNIT, UNIT, student)
            found.manual_score, found.needs_manual_grade = points, False
            book.find_comment("q3-why", UNIT, UNIT, student).manual_comment = "Well said."
        book.db.commit()
    (submitted / "again" / UNIT / f"{UNIT}.ipynb").unlink()
    (submitted / "again" / UNIT / "timestamp.txt").unlink()
    (submitted / "again" / UNIT).rmdir()
    again = handed_in(assignment, q1_double=SQUARE, q3_why="So says again.")
    hand_in(submitted, "again", again)
    for student in ("ada", "ben", "cyd"):
        hand_in(submitted, student, handed_in(assignment, q3_why=f"So says {student}."))
    for student in ("slow1", "slow2"):
        hand_in(submitted, student, handed_in(assignment, q1_double=SLOW, q3_why=student))
    hand_in(submitted, "wrong", handed_in(assignment, q1_double=SQUARE))
    hand_in(submitted, "endless", handed_in(assignment, q1_double=ENDLESS))
    hand_in(submitted, "exit", handed_in(assignment, q1_double=EXIT_IN_FUNCTION))
    hand_in(submitted, "cut", b'{"cells": [')
    hand_in(submitted, "empty", None)
    hand_in(submitted, "blank", assignment.released)
    calm = folder / "calm"
    copy_course(course, calm)
    command = Command(kit.root, calm, temporary)
    assert command.wait() == 0, command.printed
    assert command.left() == []
    yield Before(kit.root, course, temporary, command.lengths(), picture(calm))
    shutil.rmtree(temporary)


def mounts() -> str:
    return Path("/proc/self/mountinfo").read_text(encoding="utf-8")


def kinds_and_phases(number: random.Random) -> Iterator[tuple[str, str]]:
    """Each kind in turn, in the phase that was struck least."""
    times = dict.fromkeys(PHASES, 0)
    while True:
        for kind in KINDS:
            phases = sorted(KINDS[kind].phases, key=lambda phase: (times[phase], number.random()))
            times[phases[0]] += 1
            yield kind, phases[0]


def test_class_is_graded_as_without_a_fault(before: Before, tmp_path: Path) -> None:
    number = random.Random(SEED)
    plan = kinds_and_phases(number)
    phases = ", ".join(f"{phase} {length:.1f} s" for phase, length in before.lengths.items())
    print(f"\nseed {SEED}, {STRIKES} strikes; without a fault: {phases}")
    wrong = []
    for strike in range(1, STRIKES + 1):
        kind, phase = next(plan)
        for attempt in range(TRIES):  # each earlier in the phase: a worker may have ended by then
            seconds = number.uniform(0, before.lengths[phase]) / 2**attempt
            seconds = max(seconds, BEGUN if phase == PHASES[0] else 0.0)
            lines, faults = one_strike(before, tmp_path, kind, phase, seconds, strike % 2 == 0)
            if lines:
                break
        print(f"{strike:2}. {lines or 'never struck'}", *faults, sep="\n    ", flush=True)
        wrong += [f"{strike}. {fault}" for fault in faults]
        if not lines:
            wrong.append(f"{strike}. {kind}: never struck")
    assert not wrong, "\n".join(wrong)


def one_strike(
    before: Before, tmp_path: Path, kind: str, phase: str, seconds: float, for_good: bool
) -> tuple[str, list[str]]:
    """The line for the log, empty when nothing was struck, and what was not as it should be."""
    course = tmp_path / "course"
    for folder in (course, tmp_path / "copy"):
        shutil.rmtree(folder, ignore_errors=True)
    course.mkdir()
    mounted = mounts()
    with contextlib.ExitStack() as stack:
        disk = None
        seen = course
        if kind == "disk":
            try:
                disk = stack.enter_context(small_disk(course))
            except (OSError, subprocess.SubprocessError) as error:
                return f"{KINDS[kind].words}: not on this machine ({error})", []
            seen = disk.outside
        copy_course(before.course, seen)
        result = struck(before.kit, course, before.temporary, kind, phase, seconds, disk, for_good)
        faults = [f"left running: {words}" for words in result.left]
        if result.ends[-1] == 0:
            if disk is not None:  # SQLite would follow the way to it as if it led nowhere
                copy_course(seen, tmp_path / "copy")
                seen = tmp_path / "copy"
            expected = before.picture
            if result.whole:  # the second start is a run of its own, which changes nothing
                expected = {**expected, "changes.csv": []}
            faults += differences(picture(seen), expected)
        else:
            faults.append(f"it never ended with 0: {result.printed[-1][-1000:]}")
    if mounts() != mounted:
        faults.append("a mount was left")
    for printed in result.printed:
        if "Traceback" in printed:
            faults.append(f"a traceback was printed: {printed[-3000:]}")
    line = (
        f"{KINDS[kind].words} {result.more or ''}".rstrip()
        + f", at {result.seconds:.1f} s ({result.phase}, {result.done} done"
        + (", all written): ended with " if result.whole else "): ended with ")
        + ", then ".join(map(str, result.ends))
        + (": the same" if not faults else f": {len(faults)} FAULTS")
    )
    if result.more is None and not faults:
        return "", []
    return line, faults
