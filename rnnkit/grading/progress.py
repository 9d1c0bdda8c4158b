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

__all__ = ["Progress"]


class Progress:
    """Shows done, running and waiting submissions and the time left.

    Args:
        console: Where to write; standard output by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(soft_wrap=True)
        self._bar: RichProgress | None = None
        self._total = self._done = self._started = 0

    def say(self, text: str) -> None:
        """Print a line."""
        self.console.print(escape(text), highlight=False, soft_wrap=True)

    @contextmanager
    def of(self, total: int) -> Iterator[None]:
        """Show progress through a number of submissions."""
        self._total, self._done, self._started = total, 0, 0
        if not self.console.is_terminal:
            self.say(f"Grading {total} submissions.")
            yield
            return
        with RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
        ) as self._bar:
            self._task = self._bar.add_task(self._counts(), total=total)
            yield
        self._bar = None

    def started(self, submission: Submission) -> None:
        """A submission begins (this may be called in a thread)."""
        self._started += 1
        if self._bar is not None:
            self._bar.update(self._task, description=self._counts())

    def finished(self, student: str, recorded: Recorded, seconds: float, most: float) -> None:
        """A submission is done."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._task, advance=1, description=self._counts())
            return
        score = f"{number(recorded.score)} of {number(most)}, " if recorded.cells else ""
        self.say(
            f"[{self._done}/{self._total}] {student}: {score}{recorded.status.value} "
            f"({seconds:.0f} s)"
        )

    def _counts(self) -> str:
        running = max(0, self._started - self._done)
        waiting = max(0, self._total - self._started)
        return f"{self._done} done, {running} running, {waiting} waiting"
