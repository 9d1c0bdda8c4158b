"""Run a function behind a fence, and leave nothing behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NoReturn

from rnnkit.grading.fence.spec import FenceSpec, Report

__all__ = ["run_fenced"]


def run_fenced(
    spec: FenceSpec,
    main: Callable[[], None],
    report_fd: int,
    *,
    keep_fds: Sequence[int] = (),
    lifeline_fd: int | None = None,
) -> NoReturn:
    """Become the keeper of a fenced process that runs a function.

    To be called in a freshly forked process with one thread. The process becomes the
    keeper: SIGINT is passed on to the fenced process, SIGTERM ends everything. It
    never returns; it writes one `Report` as a line of JSON and exits with status 0.

    Args:
        spec: What is let in.
        main: What to run inside. Its return, or SystemExit, gives the exit status; any
            other exception is printed to the error stream and gives 1.
        report_fd: Where the report is written.
        keep_fds: Descriptors, beside 0, 1 and 2, that the fenced process keeps.
        lifeline_fd: Everything ends when the other end of this pipe is closed.
    """
    report = Report(why="fence", note="not built yet")
    os.write(report_fd, (report.to_json() + "\n").encode())
    os._exit(0)
