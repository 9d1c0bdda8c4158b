"""How far a grading run is: a live display on a terminal, plain lines elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress

from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.outcome import Submission
from rnnkit.grading.tables import number
from rnnkit.plain_text import plain_text

__all__ = ["Progress"]

LINES_APART = 100  # feedback pages between two plain lines


class Progress:
    """Shows what is done, runs and waits, the slots in use and the time left.

    Args:
        console: Where to write; standard output by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(soft_wrap=True)
        self._bar: RichProgress | None = None
        self._what = ""
        self._total = self._done = self._started = self._slots = 0

    def say(self, text: str) -> None:
        """Print a line."""
        self.console.print(escape(plain_text(text)), highlight=False, soft_wrap=True)

    @contextmanager
    def of(self, total: int, slots: int = 1, what: str = "submissions") -> Iterator[None]:
        """Show progress through a number of things.

        Args:
            total: How many there are; nothing is shown for none.
            slots: How many are worked on at once.
            what: What they are.
        """
        self._total, self._slots, self._what = total, slots, what
        self._done = self._started = 0
        if not self.console.is_terminal or not total:
            if total:
                things = what if total > 1 else what.removesuffix("s")
                self.say(f"{'Grading' if what == 'submissions' else 'Making'} {total} {things}.")
            yield
            return
        columns = [
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
        ]
        with RichProgress(*columns, console=self.console, transient=True) as self._bar:
            self._task = self._bar.add_task(self._counts(), total=total)
            try:
                yield
            finally:
                self._bar = None

    def started(self, submission: Submission) -> None:
        """A submission is on its way (this may be called in a thread)."""
        self._started += 1
        if self._bar is not None:
            self._bar.update(self._task, description=self._counts())

    def finished(self, student: str, recorded: Recorded, seconds: float, most: float) -> None:
        """A submission is done."""
        if not self._advanced():
            score = f"{number(recorded.score)} of {number(most)}, " if recorded.cells else ""
            self.say(
                f"[{self._done}/{self._total}] {student}: {score}{recorded.status.value} "
                f"({seconds:.0f} s)"
            )

    def advance(self) -> None:
        """One thing more is done, which needs no line of its own."""
        if not self._advanced() and self._done % LINES_APART == 0:
            self.say(f"[{self._done}/{self._total}]")

    def _advanced(self) -> bool:
        """Count one; false where there is no live display to show it."""
        self._done += 1
        if self._bar is None:
            return False
        self._bar.update(self._task, advance=1, description=self._counts())
        return True

    def _counts(self) -> str:
        left = self._total - self._done
        if self._what != "submissions":
            return f"{self._what}: {self._done} done, {left} waiting"
        # More are given out than run at once, so that no slot waits.
        busy = min(self._slots, max(0, self._started - self._done))
        return (
            f"{self._done} done, {busy} running, {max(0, left - busy)} waiting, "
            f"{busy} of {self._slots} slots busy"
        )
