"""What a long training says while it runs."""

import time


class TrainingProgress:
    """Writes a line to stdout every few seconds: loss, words a second, time left.

    Args:
        steps: How many steps the training has.
        done: How many of them are done already.
        words: How many words of the text a step reads.
        quiet: Write nothing.
        seconds: The time from one line to the next.

    Example:

    >>> progress = TrainingProgress(steps=2, done=0, words=100, seconds=0)
    >>> progress.step(4.25)  # the first step makes the graph, its time tells nothing
    step 1 of 2: loss 4.250
    """

    def __init__(
        self, steps: int, done: int, words: int, quiet: bool = False, seconds: float = 10.0
    ) -> None:
        self._steps = steps
        self._done = self._first = done
        self._words = words
        self._quiet = quiet
        self._seconds = seconds
        self._losses: list[float] = []  # since the last line
        self._began = self._said = time.perf_counter()

    def step(self, loss: float) -> None:
        """Count a step, and say so where it is time to.

        Args:
            loss: Its loss.
        """
        now = time.perf_counter()
        self._done += 1
        self._losses.append(loss)
        timed = self._done - self._first - 1
        if not timed:
            self._began = now
        if now - self._said < self._seconds:
            return
        mean = sum(self._losses) / len(self._losses)
        self.say(
            f"step {self._done:,} of {self._steps:,}: loss {mean:.3f}{self._speed(timed, now)}"
        )
        self._said = now
        self._losses.clear()

    def say(self, line: str) -> None:
        """Write a line, unless all is to be quiet."""
        if not self._quiet:
            print(line, flush=True)  # at once, where the output is a file too

    def _speed(self, timed: int, now: float) -> str:
        if not timed:
            return ""
        seconds = (now - self._began) / timed
        left = _in_words(seconds * (self._steps - self._done))
        return f", {self._words / seconds:,.0f} words/s, {left} left"


def _in_words(seconds: float) -> str:
    """A time as a person says it.

    Example:

    >>> _in_words(40), _in_words(600), _in_words(9000)
    ('40 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
