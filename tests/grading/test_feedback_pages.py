"""Pages are made in processes, and a process that dies costs no page but its own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_unit import UNIT, make_kit

from rnnkit.grading import feedback_pages
from rnnkit.grading.feedback_pages import DIED, Page, make_pages
from rnnkit.grading.status import Status

ENDS = "this note ends the process"
ENDS_ONCE = "this note ends the process that meets it first"


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Path]:
    """A course whose settings end a process at a page with such a note."""
    kit = make_kit(tmp_path)
    config = kit.root / "nbgrader_config.py"
    trap = f"""
import os
from pathlib import Path
from rnnkit.grading import feedback_pages
real = feedback_pages.status_page
def status_page(student, unit, status, note):
    once = Path({str(tmp_path / "once")!r})
    if note == {ENDS!r} or (note == {ENDS_ONCE!r} and not once.exists()):
        once.touch()
        os._exit(1)
    return real(student, unit, status, note)
if os.getpid() != {os.getpid()}:
    feedback_pages.status_page = status_page
"""
    config.write_text(config.read_text(encoding="utf-8") + trap, encoding="utf-8")
    return tmp_path


def pages_of(course: Path, notes: dict[int, str]) -> list[Page]:
    return [
        Page(
            f"s{number}",
            Status.MISSING,
            notes.get(number, "nothing"),
            None,
            course / "feedback" / f"s{number}" / "page.html",
            f"digest {number}",
        )
        for number in range(8)
    ]


def made(course: Path, notes: dict[int, str]) -> tuple[dict[str, str], list[str]]:
    pages = pages_of(course, notes)
    found = dict(make_pages(course, UNIT, course / "nbgrader_config.py", pages, 2))
    return found, [page.student for page in pages if not feedback_pages.is_made(page)]


def test_process_that_is_killed_costs_no_page(course: Path) -> None:
    notes, missing = made(course, {3: ENDS_ONCE})
    assert missing == []
    assert notes == {f"s{number}": "" for number in range(8)}


def test_page_that_ends_its_process_stops_no_other(course: Path) -> None:
    notes, missing = made(course, {0: ENDS, 5: ENDS})
    assert missing == ["s0", "s5"]
    assert {student for student, note in notes.items() if note == DIED} == {"s0", "s5"}
    assert len(notes) == 8


def test_processes_that_cannot_begin_are_told_for_each_page(course: Path) -> None:
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(f"\nif os.getpid() != {os.getpid()}:\n    os._exit(1)\n")
    notes, missing = made(course, {})
    assert len(missing) == 8
    assert notes == {f"s{number}": DIED for number in range(8)}
