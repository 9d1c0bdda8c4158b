"""The worker's side of the referee: starts it, gives it tests, takes what came of them."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

from rnnkit.grading.own_errors import NO_ANSWER
from rnnkit.grading.referee.channel import Channel, Closed, pair
from rnnkit.grading.referee.plan import TestPlan
from rnnkit.grading.warm import KernelProcess

__all__ = ["SERVE", "Host", "RefereeFailed"]

# What the kernel runs in the place of a test.
SERVE = (
    '__import__("rnnkit.grading.referee.agent", fromlist=["serve"]).serve(get_ipython().user_ns);'
)
GIVEN_SECONDS = 600.0  # in which the given cells that one test needs must end
LAST_WORD_SECONDS = 10.0  # in which a referee ends a test whose student's process is gone

Start = Callable[[Sequence[int]], KernelProcess]


class RefereeFailed(RuntimeError):
    """The referee itself has failed: that is no student's doing."""


class _Late(Exception):
    """The referee needs longer than it may."""


class Host:
    """One submission's referee.

    Args:
        start: Starts it, told the descriptors that lead to the student and to us.
    """

    def __init__(self, start: Start) -> None:
        self._start = start
        self._referees_end, self.students_end = pair()
        self._control: Channel | None = None
        self._process: KernelProcess | None = None
        self._until = float("inf")

    def give(self, name: str, plan: TestPlan) -> dict[str, Any] | None:
        """Let it begin with a test, and run the given cells that the test needs.

        Args:
            name: The test's name.
            plan: What it needs.

        Returns:
            None when it will ask the student's process now; else what came of the test.

        Raises:
            RefereeFailed: It could not be started, or a given cell does not end.
        """
        control = self._control or self.begin()
        self._until = time.monotonic() + GIVEN_SECONDS
        try:
            control.send(
                {
                    "name": name,
                    "source": plan.source,
                    "visible": plan.visible,
                    "given": [list(cell) for cell in plan.given],
                    "asks": list(plan.asks),
                }
            )
            answer: dict[str, Any] = control.receive()
        except (Closed, _Late) as error:
            raise RefereeFailed(self._why(error)) from error
        return None if answer.get("ready") else answer

    def begin(self) -> Channel:
        """Start the process; the first test does it where nobody has."""
        ours, its = pair()
        try:
            self._process = self._start([self._referees_end, its])
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(its)
        self._control = Channel(socket.socket(fileno=ours), self._look)
        return self._control

    def _look(self) -> None:
        if self._process is not None and self._process.poll() is not None:
            raise Closed("it has ended")
        if time.monotonic() > self._until:
            raise _Late

    def verdict(self) -> dict[str, Any]:
        """What came of the test, now that the student's process serves it no more.

        Where the referee still works at what the student's process gave, or has taken too much
        memory for it, that test has failed; the next one gets a new referee.

        Raises:
            RefereeFailed: The referee has ended for another reason.
        """
        assert self._control is not None
        try:
            if not self._control.is_ready(0.05):  # a served test has sent it already
                self._until = time.monotonic() + LAST_WORD_SECONDS
                self._control.send({"stop": True})
            found: dict[str, Any] = self._control.receive()
        except _Late:
            return self._given_up("could not be looked at in time")
        except Closed as error:
            if self._process is not None and self._process.poll() is not None:
                report = self._process.report
                if report is not None and report.why in ("memory", "cpu"):
                    return self._given_up("was too much to be looked at")
            raise RefereeFailed(self._why(error)) from error
        return found

    def _given_up(self, why: str) -> dict[str, Any]:
        self._end_process()
        message = f"What the answer gave {why}."
        error: dict[str, Any] = {"output_type": "error", "ename": NO_ANSWER, "evalue": message}
        error["traceback"] = [f"{NO_ANSWER}: {message}"]
        return {"outputs": [error], "missing": "", "odd": ""}

    def _why(self, error: Exception) -> str:
        report = self._process.report if self._process is not None else None
        detail = (report.note or report.why) if report is not None else ""
        what = "does not end a given cell" if isinstance(error, _Late) else "has ended"
        return f"the process that runs the tests {what}" + (f" ({detail})" if detail else "")

    def let_go(self) -> None:
        """Let it end, while something else is done: there is no further test."""
        if self._control is not None:
            self._control.close()
            self._control = None

    def _end_process(self) -> None:
        self.let_go()
        if self._process is not None:
            self._process.kill()
            self._process = None

    def close(self) -> None:
        """End it."""
        self._end_process()
        for end in (self._referees_end, self.students_end):
            os.close(end)
