"""Running a function behind a fence, and seeing what came of it."""

import json
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rnnkit.grading.fence import FenceSpec, Report, run_fenced

MIB = 1 << 20
SECONDS = 20  # the longest that anything here may take to end


@dataclass
class Run:
    """A fenced process, from outside."""

    keeper: int
    spec: FenceSpec
    report_pipe: int
    result_pipe: int
    lifeline: int
    _text: dict[int, bytes] = field(default_factory=dict)

    def wait(self) -> Report:
        """The report, once all has ended."""
        text = self._read(self.report_pipe)
        os.waitpid(self.keeper, 0)
        return Report.from_json(text)

    @property
    def result(self) -> Any:
        """What the function returned; None where it did not."""
        text = self._read(self.result_pipe)
        return json.loads(text) if text else None

    def nothing_is_left(self) -> bool:
        """Whether no process of the run holds its pipe any more."""
        self._read(self.result_pipe)  # fails when it does not end
        return True

    def first_line(self) -> bytes:
        """What the function has written so far, once it has written something."""
        assert select.select([self.result_pipe], [], [], SECONDS)[0], "it wrote nothing"
        return os.read(self.result_pipe, 65536)

    def _read(self, pipe: int) -> bytes:
        if pipe not in self._text:
            text, until = b"", time.monotonic() + SECONDS
            while True:
                left = max(0.0, until - time.monotonic())
                assert select.select([pipe], [], [], left)[0], "some process goes on"
                part = os.read(pipe, 65536)
                if not part:
                    break
                text += part
            self._text[pipe] = text
        return self._text[pipe]


def start_run(spec: FenceSpec, function: Callable[..., Any], *words: Any, user: int = 0) -> Run:
    """Fork a keeper that runs the function, which gets the pipe for its result first."""
    report, its_report = os.pipe()
    result, its_result = os.pipe()
    its_lifeline, lifeline = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        try:
            for descriptor in (report, result, lifeline):
                os.close(descriptor)
            if user:
                os.setgid(user)
                os.setuid(user)

            def main() -> None:
                told = function(its_result, *words)
                if told is not None:
                    os.write(its_result, json.dumps(told).encode())

            run_fenced(spec, main, its_report, keep_fds=[its_result], lifeline_fd=its_lifeline)
        finally:
            os._exit(99)
    for descriptor in (its_report, its_result, its_lifeline):
        os.close(descriptor)
    return Run(keeper, spec, report, result, lifeline)


def is_alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state not in "ZX"


def sleep_for_ever(pipe: int) -> None:
    """A submission that never ends, and says when it has begun."""
    os.write(pipe, b"begun")
    while True:
        signal.pause()
