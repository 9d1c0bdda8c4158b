"""The display says how far grading is."""

import io

from rich.console import Console

from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.outcome import Submission
from rnnkit.grading.progress import Progress
from rnnkit.grading.status import Status


def finish(progress: Progress, student: str) -> None:
    progress.finished(student, Recorded(Status.OK, 2.0, {"q1": 2.0}), 3.0, 4.0)


def test_live_display_counts_done_running_waiting_and_slots() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=200)
    progress = Progress(console)
    with progress.of(5, slots=2):
        for student in "abcd":  # two more are given out than run
            progress.started(Submission(student, None))
        finish(progress, "a")
        assert progress._counts() == "1 done, 2 running, 2 waiting, 2 of 2 slots busy"
        for student in "bcd":
            finish(progress, student)
        assert progress._counts() == "4 done, 0 running, 1 waiting, 0 of 2 slots busy"
    assert "left:" in console.file.getvalue()


def test_display_ends_with_an_interrupt() -> None:
    progress = Progress(Console(file=io.StringIO(), force_terminal=True))
    try:
        with progress.of(5):
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert progress._bar is None


def test_file_gets_a_line_for_each_submission() -> None:
    console = Console(file=io.StringIO(), width=100)
    progress = Progress(console)
    with progress.of(1):
        finish(progress, "ada")
    assert console.file.getvalue() == "Grading 1 submission.\n[1/1] ada: 2 of 4, ok (3 s)\n"


def test_many_pages_need_few_lines() -> None:
    console = Console(file=io.StringIO(), width=100)
    progress = Progress(console)
    with progress.of(250, 2, "feedback pages"):
        for _ in range(250):
            progress.advance()
    lines = console.file.getvalue().splitlines()
    assert lines == ["Making 250 feedback pages.", "[100/250]", "[200/250]"]


def test_nothing_to_do_is_not_shown() -> None:
    console = Console(file=io.StringIO())
    with Progress(console).of(0):
        pass
    assert console.file.getvalue() == ""


def test_line_moves_no_cursor() -> None:
    console = Console(file=io.StringIO(), width=200)
    progress = Progress(console)
    with progress.of(1):
        finish(progress, "ada\x1b[2J\x1b]0;x\x07\rben")
    assert "ada?[2J?]0;x?\nben: 2 of 4, ok" in console.file.getvalue()
