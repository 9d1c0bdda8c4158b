"""The child process that grades one submission: ``python -m rnnkit.grading.worker JOB``.

It works in a private folder. The job file says what to do; the result file says
how it ended. All else (time limits from outside, repeated runs, the course's
gradebook) is the coordinator's work, in `rnnkit.grading.runner`.
"""

import json
import logging
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, Execute
from traitlets.config import Config

from rnnkit.grading.execute import (
    CellStopped,
    ErrorStreamCostsNothing,
    PlainPartialCredit,
    WatchedExecute,
    write_whole,
)
from rnnkit.grading.folders import scratch_config
from rnnkit.grading.processes import TOKEN, kill_marked

__all__ = ["STUDENT", "main"]

# The name in the private folder; only the coordinator knows the real one, so
# that no name of a person can break a path or a pattern.
STUDENT = "student"
# The system's limit for the name of a socket is 107 characters; "-1" to "-5" is added.
LONGEST_SOCKET = 100


class GradedRun(WatchedExecute):
    """Remembers the stop that nbgrader's converter turns into its own error."""

    stop: CellStopped | None = None
    started = False

    def preprocess(self, nb: Any, resources: Any = None, km: Any = None) -> tuple[Any, Any]:
        GradedRun.started = True
        try:
            return super().preprocess(nb, resources, km)
        except CellStopped as stop:
            GradedRun.stop = stop
            raise


class _LastError(logging.Handler):
    """Keeps the error lines of nbgrader's log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def _config(job: dict[str, Any], folder: Path) -> Config:
    config = scratch_config(Path(job["config"]) if job["config"] else None, folder)
    config.CourseDirectory.assignment_id = job["unit"]
    config.CourseDirectory.student_id = STUDENT
    watched = config.GradedRun
    watched.progress_file = str(folder / "progress.json")
    watched.checkpoint_file = str(folder / "checkpoint.json")
    watched.left_out = job["left_out"]
    watched.finish_reason = job["finish_reason"]
    watched.deadline = job["deadline"]
    watched.notebook_seconds = job["notebook_seconds"]
    watched.timeout = job["cell_seconds"]
    watched.startup_timeout = 120
    _use_sockets(config, folder)
    return config


def _use_sockets(config: Config, folder: Path) -> None:
    """Let the kernel speak through files in the private folder.

    Over TCP, a kernel is told ports that were free a moment ago. Where several
    start at once, two may be told the same one, and the second dies.
    """
    sockets = str(folder / "k")
    if len(sockets) <= LONGEST_SOCKET:
        config.KernelManager.transport = "ipc"
        config.KernelManager.ip = sockets


def _steps(configured: list[Any]) -> list[Any]:
    """The course's steps after sanitizing, with ours in the place of nbgrader's."""
    steps: list[Any] = []
    for step in configured:
        if step is Execute:
            steps += [GradedRun, ErrorStreamCostsNothing, PlainPartialCredit]
        elif step is not AssignLatePenalties:  # needs the real gradebook: the coordinator's
            steps.append(step)
    return steps


def _grade(job: dict[str, Any], folder: Path) -> dict[str, Any]:
    config = _config(job, folder)
    errors = _LastError()
    log = logging.getLogger("traitlets")
    log.addHandler(errors)
    coursedir = CourseDirectory(config=config)
    converter = Autograde(coursedir=coursedir, config=config)
    converter.autograde_preprocessors = _steps(converter.autograde_preprocessors)
    try:
        converter.start()
    except (Exception, SystemExit) as error:
        if GradedRun.stop is not None:
            return {"end": "stopped", "cell": GradedRun.stop.key, "why": GradedRun.stop.reason}
        cause = _cause(errors.lines, error)
        return {"end": "failed" if GradedRun.started else "unreadable", "note": cause}
    return {"end": "graded"}


def _cause(lines: list[str], error: BaseException) -> str:
    """One line that says what nbgrader ran into."""
    for text in lines:
        if "Traceback" in text:
            return "nbgrader: " + text.strip().splitlines()[-1][:300]
    words = " ".join((lines[0] if lines else str(error)).split())
    return "nbgrader: " + words[:300]


def _end_with(coordinator: int, folder: Path) -> None:
    """When the coordinator is killed, kill what the submission runs, and end."""
    while os.getppid() == coordinator:
        time.sleep(0.5)
    kill_marked(os.environ.get(TOKEN, ""))
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def main(job_file: str) -> int:
    """Grade one submission.

    Args:
        job_file: The job (JSON), in the private folder.

    Returns:
        0; how the grading ended is in ``result.json`` beside the job.
    """
    folder = Path(job_file).resolve().parent
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    threading.Thread(target=_end_with, args=(job["coordinator"], folder), daemon=True).start()
    write_whole(folder / "result.json", json.dumps(_grade(job, folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
