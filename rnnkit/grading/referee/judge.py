"""The referee itself: a process that runs tests, and talks to the student's process.

It is forked from the warm process like a kernel, behind a fence of its own. The worker tells
it what to run and gets back what a notebook's cell would show.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import socket
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from rnnkit.grading.own_errors import TEST_STOPPED, students_name
from rnnkit.grading.referee.channel import Channel, Closed
from rnnkit.grading.referee.proxy import Link, StudentError
from rnnkit.plain_text import with_colours

__all__ = ["HIDDEN_LINE", "THIS_CELL", "Referee", "asked", "judge"]

MOST_PRINTED = 100_000  # characters that a test may print
CELL = "<test {name}>"
GIVEN = "<given cell {name}>"
HIDDEN_LINE = "(a hidden test)"
THIS_CELL = "In[THIS]"  # the worker knows its number


def judge(student: int, worker: int) -> None:
    """Run tests until the worker has no more.

    Args:
        student: A descriptor that leads to the student's process.
        worker: One that leads to the worker.
    """
    control = Channel(socket.socket(fileno=worker))
    with contextlib.suppress(Closed):
        referee = Referee(socket.socket(fileno=student), control)
        while True:
            message = control.receive()
            if message.get("stop"):
                continue  # it came when its test had ended
            control.send(referee.run(message))


class _Stopped(Closed):
    """The worker does not wait for this test any more."""


class Referee:
    """Runs the tests of one submission.

    Args:
        student: The socket that leads to the student's process.
        worker: The connection to the worker; what comes while a test runs ends the test.
    """

    def __init__(self, student: socket.socket, worker: Channel) -> None:
        self._worker = worker
        self.channel = Channel(student, self._look_at_worker)
        self.namespace: dict[str, Any] = {"__name__": "__main__", "display": _show_nothing}
        self.link = Link(self.channel, asked)
        self._ran: set[str] = set()

    def _look_at_worker(self) -> None:
        if self._worker.is_ready(0):
            raise _Stopped("the worker does not wait any more")

    def run(self, test: dict[str, Any]) -> dict[str, Any]:
        """Run one test; the worker is told when the student's process will be asked.

        Args:
            test: Its name and source, the given cells that it needs, and the names that it
                asks for.

        Returns:
            The outputs of the cell; ``missing``, a name that the student's process does not
            have; and ``odd``, the text of an error that is neither a failed check nor the
            student's. Both are empty where there is none.
        """
        printed = _Printed()
        outputs: list[dict[str, Any]] = []
        missing = odd = ""
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            try:
                self._run_given(test["given"])
                self._worker.send({"ready": True})
                self.link.begin()
                self.namespace |= self.link.names(test["asks"]) if test["asks"] else {}
                value = _run(test["source"], CELL.format(name=test["name"]), self.namespace)
                if value is not None and value is not True:
                    outputs.append(_result(value))
            except BaseException as error:
                failure, missing, odd = _failure(error, test)
                outputs.append(failure)
        self._let_go()
        if text := with_colours(printed.getvalue()):
            outputs.insert(0, {"output_type": "stream", "name": "stdout", "text": text})
        return {"outputs": outputs, "missing": missing, "odd": odd}

    def _run_given(self, cells: Sequence[Sequence[str]]) -> None:
        for name, source in cells:
            if name not in self._ran:
                self._ran.add(name)
                with contextlib.redirect_stdout(io.StringIO()):
                    _run(source, GIVEN.format(name=name), self.namespace)

    def _let_go(self) -> None:
        """Tell the student's side that the test has ended."""
        if not self.link.broken:
            with contextlib.suppress(Closed):
                self.channel.send({"do": "end"})


class _Printed(io.StringIO):
    """What a test prints, up to a limit."""

    def write(self, text: str) -> int:
        if self.tell() < MOST_PRINTED:
            super().write(text[: MOST_PRINTED - self.tell()])
        return len(text)


def _show_nothing(*values: Any, **settings: Any) -> None:
    """`display` in a test: nobody looks."""


def asked() -> tuple[str, tuple[str, ...]] | None:
    """What the check that runs now forbids; only where checks are used at all."""
    module = sys.modules.get("rnnkit.checks.ready_made")
    return module.asked() if module is not None else None


def _run(source: str, name: str, namespace: dict[str, Any]) -> Any:
    """Run a cell's source; the value of its last line, where Jupyter would show it.

    A constant there, such as a text in quotes, stands for nothing that was found out.
    """
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree = ast.parse(source, name)
    last = tree.body[-1] if tree.body else None
    shown = isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant)
    if not shown or source.rstrip().endswith(";"):
        last = None
    else:
        tree.body.pop()
    exec(compile(tree, name, "exec"), namespace)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), namespace)


def _result(value: Any) -> dict[str, Any]:
    """The value of a test's last line: a number is points, and False is none.

    Anything else, such as an array of several numbers, would count as full points.
    """
    points = None
    with contextlib.suppress(TypeError, ValueError):
        numbers = np.asarray(value)
        points = float(numbers.item()) if numbers.dtype.kind in "biuf" else None
    if points is None:
        raise AssertionError("the check came to a value that is no number of points")
    return {
        "output_type": "execute_result",
        "execution_count": None,
        "metadata": {},
        "data": {"text/plain": repr(points)},
    }


def _failure(error: BaseException, test: dict[str, Any]) -> tuple[dict[str, Any], str, str]:
    """The error as a cell shows it, a name that was missing, and the text of an odd one."""
    frames = _line_of(error, test)
    kind, message = type(error).__name__, str(error)
    missing, odd = "", ""
    if isinstance(error, StudentError):
        kind, message = students_name(error.kind), error.message
        frames += error.frames
    elif isinstance(error, NameError) and error.name in test["asks"]:
        missing = str(error.name)
    elif not isinstance(error, AssertionError):
        odd = _told(error)
    if odd:
        message = f"The test could not go on with what the answer gave. {kind}: {message}"
        kind = TEST_STOPPED
    message = with_colours(message[:MOST_PRINTED])
    output = {
        "output_type": "error",
        "ename": kind,
        "evalue": message,
        "traceback": [*map(with_colours, frames), f"{kind}: {message}"],
    }
    return output, missing, with_colours(odd)


def _line_of(error: BaseException, test: dict[str, Any]) -> list[str]:
    """The line of the test that failed, as Jupyter shows it; not of a hidden one."""
    name = CELL.format(name=test["name"])
    numbers = [
        line
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == name
    ]
    lines = test["source"].split("\n")
    if not numbers or not 0 < numbers[0] <= len(lines):
        return []
    text = lines[numbers[0] - 1].strip()
    if text not in {line.strip() for line in test["visible"].split("\n")}:
        text = HIDDEN_LINE
    return [f"Cell {THIS_CELL}, line {numbers[0]}\n----> {numbers[0]} {text}"]


def _told(error: BaseException) -> str:
    """An odd error's traceback, for the instructor."""
    lines = traceback.format_exception(error)
    return "".join(lines)[-10_000:].replace(os.getcwd(), ".")
