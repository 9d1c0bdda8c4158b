"""Running a notebook so that no cell can take the whole notebook with it, or the machine.

These are preprocessors for nbgrader's ``Autograde``: they stand in its list
``autograde_preprocessors`` in the place of nbgrader's own ``Execute``.
"""

import json
import math
import os
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbformat.notebooknode import NotebookNode, from_dict
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade
from traitlets import Bool, Dict, Enum, Integer, List, Unicode

from rnnkit.errors import KitError
from rnnkit.grading.fence import FenceSpec, Report, default_readable, probe
from rnnkit.grading.outcome import Fence
from rnnkit.grading.own_errors import LEFT_OUT, NOT_POINTS, NOT_RUN, TIMED_OUT, students_name
from rnnkit.grading.provisioner import (
    WarmKernelManager,
    WarmProvisioner,
    kernel_environment,
    own_environment,
)
from rnnkit.grading.referee.host import SERVE, Host, RefereeFailed
from rnnkit.grading.referee.judge import THIS_CELL
from rnnkit.grading.referee.plan import cells_of_gradebook, is_test, plan_tests
from rnnkit.grading.temporary import short_folder
from rnnkit.grading.warm import PRELOAD, KernelProcess, start_kernel
from rnnkit.plain_text import with_colours

__all__ = [
    "CellStopped",
    "ErrorStreamCostsNothing",
    "FencedExecute",
    "PlainPartialCredit",
    "RunRecord",
    "cell_key",
    "fence_for",
]

CUT = "\n... This output was cut here: it is longer than {limit:,} characters. ...\n"
NO_INPUT_ERROR = "StdinNotImplementedError"
NO_MEMORY_ERROR = "MemoryError"
NO_INPUT = (
    "A graded notebook cannot ask for input: nobody is there to type. "
    "Give the value in the code instead of calling input()."
)
OUTPUT_SECONDS = 60  # how long the last output of a cell may take to arrive after it ended
MOST_LOG_BYTES = 100_000
LONGEST_KERNEL_LOG = 1500  # characters: what ended Python, and where, comes first
MOST_DATA = 4  # pictures or tables of the largest size that a cell may show
STARTS = 3  # how often a run is begun that ended before its first cell
REPEATS = 2  # how often a notebook is run again without a cell that stopped it
WHY_LEFT_OUT = {
    "crashed": (
        "This cell was left out, because Python itself ended while it ran. "
        "Look for exit() or os._exit(), or for a library that stops the program."
    ),
    "timed out": (
        "This cell was left out, because it ran past its limit of time and "
        "could not be interrupted. Look for a loop that never ends or that catches every error."
    ),
    "out of memory": (
        "This cell was left out, because it needed more than the {gigabytes} GB of memory that a "
        "notebook may have. Look for a list or an array that grows without end."
    ),
    "too many processes": (
        "This cell was left out, because it started more than {processes} processes."
    ),
}
WHY_NOT_RUN = {
    "crashed": "This cell was not run: cells before it ended Python itself too often.",
    "timed out": "This cell was not run: cells before it could not be stopped.",
    "out of memory": "This cell was not run: cells before it needed too much memory.",
    "too many processes": "This cell was not run: cells before it started too many processes.",
    "limit": "This cell was not run: the notebook had used all of its {notebook_seconds} seconds.",
}
# What a student's process may show of itself while it answers a test.
PRINTED = ("stream", "display_data")
ERROR_STREAM_MARK = "[written to the error stream]\n"
_NUMBER = r"([-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan))"
# A number as NumPy, Keras and TensorFlow show it: np.float64(0.5), array([0.]), numpy=0.5>
_WRAPPED = re.compile(
    rf"(?:[\w.]*\()?[\[(]*{_NUMBER}[\])]*(?:, dtype=[^()]*)?\)?"
    rf"|<.*\bnumpy=[\[(]*{_NUMBER}[\])]*.*>",
    re.IGNORECASE | re.DOTALL,
)


class CellStopped(Exception):
    """A cell took the kernel with it.

    Args:
        key: The cell's key (see `cell_key`).
        reason: A key of `WHY_LEFT_OUT`.
    """

    def __init__(self, key: str, reason: str) -> None:
        self.key = key
        self.reason = reason
        super().__init__(f"{key}: {reason}")


class _KernelLost(Exception):
    """The kernel was taken away from outside, which is no student's doing."""


@dataclass
class RunRecord:
    """What came to pass in the runs of one notebook.

    Args:
        events: What befell single cells: ``{"cell": key, "what": word}``.
        left_out: Cells that were not run again, and the sentence that stands there.
        reasons: Why, a key of `WHY_LEFT_OUT` for each.
        starts: How many kernels were started.
        not_forked: Why a kernel was not forked from the warm process; empty when it was.
        fence: The fence that was up.
        peak_bytes: The most memory that one run's processes held at once.
        cpu_seconds: Processor time of all runs.
        missing: For each test that asked for a name which was not there, the name.
        odd: For each test that ended in an error which is neither a failed check nor the
            student's, its traceback: the test itself may be wrong.
        kernel_log: The begin of what a kernel that ended by itself wrote to its own output.
        in_kernel: Tests that ran in the student's process, where they can be tampered with.
        odd_points: Tests that came to points which cannot be.
    """

    events: list[dict[str, str]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    starts: int = 0
    not_forked: str = ""
    fence: str = Fence.FULL.value
    peak_bytes: int = 0
    cpu_seconds: float = 0.0
    missing: dict[str, str] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    kernel_log: str = ""
    in_kernel: list[str] = field(default_factory=list)
    odd_points: list[str] = field(default_factory=list)


def cell_key(cell: NotebookNode, index: int) -> str:
    """A name for a cell that is the same in each run of one notebook.

    Args:
        cell: The cell.
        index: Its place in the notebook, from 0.

    Returns:
        Its place and, where it has one, its ``grade_id``.
    """
    return f"{index}:{_grade_id(cell)}"


def _grade_id(cell: NotebookNode) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def _of_referee(cell: NotebookNode, output: dict[str, Any]) -> NotebookNode:
    """An output of the referee's, as if the cell had run in the kernel."""
    if output["output_type"] == "error":
        if output["ename"] == NO_INPUT_ERROR:
            last = f"{NO_INPUT_ERROR}: {NO_INPUT}"
            output = {**output, "evalue": NO_INPUT, "traceback": [*output["traceback"][:-1], last]}
        number = f"In[{cell.execution_count or 0}]"
        frames = [frame.replace(THIS_CELL, number, 1) for frame in output["traceback"]]
        output = {**output, "traceback": frames}
    return from_dict(output)


def _timed_out(outputs: list[NotebookNode], judged: list[NotebookNode]) -> list[NotebookNode]:
    """The error of a cell that was stopped, below the student's lines where it was."""
    places = [line for output in judged for line in output.get("traceback", [])[:-1]]
    return [
        from_dict({**output, "traceback": [*places, *output.traceback[-1:]]})
        for output in outputs
        if output.output_type == "error" and output.ename == TIMED_OUT
    ] or judged


def _shown(value: Any) -> Any:
    """The same, its texts without what does something where they are shown."""
    if isinstance(value, str):
        return with_colours(value)
    if isinstance(value, dict):
        return {_shown(key): _shown(entry) for key, entry in value.items()}
    return [_shown(entry) for entry in value] if isinstance(value, list) else value


def _of_kernel(content: dict[str, Any]) -> dict[str, Any]:
    """What a message of the kernel says, none of its errors taken for one of ours."""
    shown: dict[str, Any] = _shown(content)
    if isinstance(name := shown.get("ename"), str):
        shown["ename"] = students_name(name)
    return shown


def _reply_of_kernel(content: Any) -> dict[str, Any]:
    """What a kernel replies, in the form that nbgrader and nbclient take for granted."""
    if not isinstance(content, dict) or content.get("status") != "error":
        return {"status": "ok"}
    lines = content.get("traceback")
    return _of_kernel(
        {
            "status": "error",
            "ename": str(content.get("ename", "")),
            "evalue": str(content.get("evalue", "")),
            "traceback": [str(line) for line in lines] if isinstance(lines, list) else [],
        }
    )


def _is_sound(output: NotebookNode) -> bool:
    """Whether an output has the form that a notebook's outputs have."""
    if output.output_type == "stream":
        return output.name in ("stdout", "stderr") and isinstance(output.text, str)
    if output.output_type == "error":
        texts = [output.ename, output.evalue, *output.traceback]
        return all(isinstance(text, str) for text in texts)
    return isinstance(output.metadata, dict) and all(
        isinstance(kind, str) and (isinstance(value, str) or "json" in kind)
        for kind, value in output.data.items()
    )


def _error(name: str, sentence: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=sentence, traceback=[f"{name}: {sentence}"])


def fence_for(sandbox: str) -> Fence:
    """The fence that a submission gets on this machine.

    Args:
        sandbox: "need", "try" or "off" (see `FencedExecute`).

    Raises:
        KitError: A fence is needed, and none can be put up here.
    """
    if sandbox == "off":
        return Fence.NONE
    ability = probe()
    if ability.level is Fence.NONE and sandbox == "need":
        raise KitError(
            "a machine that can fence in what students hand in",
            "neither user namespaces nor Landlock",
            " ".join(ability.lacks) + " Or run without a fence, each result with a mark: "
            "rnnkit grade --no-sandbox (in nbgrader_config.py: "
            'c.FencedExecute.sandbox = "off")',
        )
    return ability.level


class FencedExecute(Execute):
    """nbgrader's `Execute` with a warm kernel, behind a fence, that survives any cell.

    A cell that ends the kernel, or that goes on after it was interrupted, is left out,
    and the notebook is run again without it, in a new kernel. What happened stands
    in ``resources["rnnkit"]``, a `RunRecord`.

    It takes the place of `Execute` in ``Autograde.autograde_preprocessors``.
    """

    notebook_seconds = Integer(1200, help="the longest that a notebook may take").tag(config=True)
    cell_seconds = Dict(help="limits of single cells: grade_id to seconds").tag(config=True)
    limits_in_cells = Bool(
        True, help="whether a cell may give its own limit, as the metadata rnnkit.seconds"
    ).tag(config=True)
    patience = Integer(5, help="seconds in which an interrupted cell must end").tag(config=True)
    max_characters = Integer(100_000, help="the longest text output of a cell").tag(config=True)
    max_data_characters = Integer(4_000_000, help="the longest picture or table").tag(config=True)
    memory_bytes = Integer(4_000_000_000, help="the most memory of a notebook").tag(config=True)
    scratch_bytes = Integer(1_000_000_000, help="the most that it may write").tag(config=True)
    processes = Integer(64, help="the most processes at once").tag(config=True)
    preload = List(Unicode(), list(PRELOAD), help="modules that are imported once").tag(config=True)
    sandbox = Enum(
        ["need", "try", "off"],
        "need",
        help="need: refuse to run without a fence; try: run, with a mark; off: no fence",
    ).tag(config=True)
    environment = Dict(help="environment variables to add").tag(config=True)
    gpus = List(Unicode(), help="the devices that a notebook may use").tag(config=True)
    in_kernel = List(
        Unicode(), help="the grade_ids of tests that run in the student's process"
    ).tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("kernel_manager_class", WarmKernelManager)
        kwargs.setdefault("shutdown_kernel", "immediate")
        super().__init__(*args, **kwargs)

    def preprocess(
        self, nb: NotebookNode, resources: Any = None, km: Any = None
    ) -> tuple[NotebookNode, Any]:
        """Run the notebook, again without a cell that stopped it, at most `REPEATS` times more."""
        self.record = RunRecord(fence=fence_for(self.sandbox).value)
        self._readable = default_readable()
        self._deadline = math.inf  # the time begins with the first cell: a slow start is not theirs
        self._out_of_time = False
        # How a run ended will stand there. What stands there now, a student wrote.
        nb.metadata.pop("rnnkit", None)
        unit = resources["nbgrader"]
        cells = cells_of_gradebook(unit["db_url"], unit["assignment"], unit["notebook"])
        self._plans = plan_tests(cells, tuple(self.in_kernel))
        self._hide_tests(nb)
        for repeat in range(REPEATS + 1):
            stop = self._attempt(nb, resources, km)
            if stop is None:
                break
            out_of_time = self._seconds_left() <= 0
            if out_of_time and stop.reason == "timed out":
                self._mark_rest(nb, stop.key, "limit", also=True)
                break
            self.record.reasons.append(stop.reason)
            self.record.left_out[stop.key] = self._sentence(WHY_LEFT_OUT, stop.reason)
            if out_of_time or repeat == REPEATS:
                self._mark_rest(nb, stop.key, "limit" if out_of_time else stop.reason)
        resources["rnnkit"] = self.record
        return nb, resources

    def _hide_tests(self, nb: NotebookNode) -> None:
        """Leave the visible part of each test in the notebook, which everyone may see then."""
        for cell in nb.cells:
            name = _grade_id(cell)
            if name in self._plans:
                cell.source = self._plans[name].visible
            elif name in self.in_kernel:
                self.record.in_kernel.append(name)

    def _attempt(self, nb: NotebookNode, resources: Any, km: Any) -> CellStopped | None:
        """One run in a new kernel, begun again where it did not start or was taken away.

        That is no student's doing.
        """
        for start in range(1, STARTS + 1):
            left = self._seconds_left()
            self.record.events = []
            self._refused_memory: list[str] = []
            self._began = False
            self._manager: WarmKernelManager | None = None
            self.record.starts += 1
            with tempfile.TemporaryDirectory(prefix="rk-", dir=short_folder()) as place:
                self._place = Path(place)
                try:
                    self._run(nb, resources, km)
                    return None
                except CellStopped as stop:
                    return stop
                except _KernelLost as lost:
                    if start == STARTS:
                        return self._lost_too_often(str(lost))
                    self._deadline = time.monotonic() + left
                except (RuntimeError, DeadKernelError, TimeoutError) as error:
                    if self._began:
                        raise
                    if start == STARTS:
                        raise RuntimeError(f"{error} ({self._why_no_start()})") from error
        raise AssertionError("the last start returns or raises")

    def _lost_too_often(self, why: str) -> CellStopped:
        """The stop, where the cell itself may have done it: a full fence keeps it from that."""
        if self.record.fence == Fence.FULL.value:
            raise RuntimeError(why or "the process that watches the kernel was killed each time")
        return CellStopped(self._key, "crashed")

    def _run(self, nb: NotebookNode, resources: Any, km: Any) -> None:
        place = self._place
        for cell in nb.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        inside = dict(resources, metadata=dict(resources.get("metadata", {}), path=str(place)))
        files = place / "files"
        outer = resources.get("metadata", {}).get("path") or ""
        ignore = shutil.ignore_patterns("*.ipynb", "gradebook.db")
        if outer:
            # A link stays a link, which leads nowhere inside the fence.
            shutil.copytree(outer, files, ignore=ignore, symlinks=True)
        else:
            files.mkdir()
        for name in ("scratch", "sockets"):
            (place / name).mkdir()
        self.record.missing, self.record.odd = {}, {}
        self._host = Host(self._start_referee) if self._plans else None
        try:
            if self._host is not None:
                self._host.begin()  # while the kernel starts
            super().preprocess(nb, inside, km)
        finally:
            self._take_report()
            if self._host is not None:
                self._host.close()

    def create_kernel_manager(self) -> WarmKernelManager:
        """A manager whose kernel is forked behind the fence and speaks through files."""
        place = self._place
        spec = self._fence("scratch", sockets=str(place / "sockets"), gpus=tuple(self.gpus))
        # Over TCP, a kernel is told ports that were free a moment ago, and the network is shut.
        self.km = self._manager = manager = WarmKernelManager(
            kernel_name="python3",
            transport="ipc",
            ip=str(place / "sockets" / "k"),
            connection_file=str(place / "connection.json"),
        )
        manager.provisioner_config = {
            "preload": self.preload,
            "environment": kernel_environment(),
            "own_environment": dict(self.environment),
            "fence": spec.to_json(),
            "log_file": str(place / "log.txt"),
            "kept": [self._host.students_end] if self._host is not None else [],
        }
        return manager

    def _fence(self, scratch: str, **more: Any) -> FenceSpec:
        """A fence with a scratch folder of this run, and the files beside the notebook in it."""
        return FenceSpec(
            level=Fence(self.record.fence),
            scratch=str(self._place / scratch),
            files=str(self._place / "files"),
            readable=self._readable,
            memory_bytes=self.memory_bytes,
            scratch_bytes=self.scratch_bytes,
            processes=self.processes,
            cpu_seconds=self.notebook_seconds * (os.cpu_count() or 1),
            file_bytes=self.scratch_bytes,
            open_files=1024,
            **more,
        )

    def _start_referee(self, ends: Sequence[int]) -> KernelProcess:
        """Fork the process that runs the tests, behind a fence of its own."""
        spec = self._fence(Path(tempfile.mkdtemp(prefix="referee-", dir=self._place)).name)
        environment = kernel_environment()
        request = {
            "referee": True,
            "environment": own_environment(
                spec, {**environment, **self.environment, "CUDA_VISIBLE_DEVICES": ""}
            ),
            "folder": spec.scratch,
            "fence": spec.to_json(),
        }
        log = self._place / "referee.txt"
        return start_kernel(request, log, self.preload, environment, ends)[0]

    def _take_report(self) -> None:
        """Add up what the run used."""
        if self._manager is None:
            return
        provisioner, report = self._manager.provisioner, self._report()
        if isinstance(provisioner, WarmProvisioner):
            self.record.not_forked = provisioner.not_forked
        if report is not None:
            self.record.peak_bytes = max(self.record.peak_bytes, report.peak_bytes)
            self.record.cpu_seconds += report.cpu_seconds
            # The error alone says nothing: anybody can raise it.
            if report.half_full:
                keys, self._refused_memory = self._refused_memory, []
                self.record.events += [{"cell": key, "what": "out of memory"} for key in keys]

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, index: int
    ) -> tuple[NotebookNode, Any]:
        """Run one cell, or say why it is not run."""
        if cell.cell_type != "code" or not cell.source.strip():
            return cell, resources
        self._began = True
        self._deadline = min(self._deadline, time.monotonic() + self.notebook_seconds)
        key = cell_key(cell, index)
        if key in self.record.left_out:
            cell.outputs = [_error(LEFT_OUT, self.record.left_out[key])]
        elif self._out_of_time or self._seconds_left() <= 0:
            self._out_of_time = True
            self._not_run(cell, key, "limit")
        else:
            self._run_cell(cell, index, key)
        return cell, resources

    def _run_cell(self, cell: NotebookNode, index: int, key: str) -> None:
        self._key = key
        self._characters = self._data_characters = 0
        self.iopub_timeout = OUTPUT_SECONDS
        name = _grade_id(cell)
        if name in self._plans:
            self._judge(cell, index, key, name)
        else:
            self._execute(cell, index, key)
        if type(cell.execution_count) is not int:
            cell.execution_count = None  # the kernel may say anything
        cell.outputs = [output for output in cell.outputs if _is_sound(output)]
        if any(output.get("ename") == NO_MEMORY_ERROR for output in cell.outputs):
            self._refused_memory.append(key)

    def _execute(self, cell: NotebookNode, index: int, key: str) -> None:
        try:
            self.execute_cell(cell, index, store_history=True)
        except DeadKernelError:
            self.record.kernel_log = self._kernel_log()[:LONGEST_KERNEL_LOG]
            raise CellStopped(key, self._why_dead()) from None
        except CellTimeoutError:
            raise CellStopped(key, "timed out") from None

    def _judge(self, cell: NotebookNode, index: int, key: str, name: str) -> None:
        """Let the referee run a test, and the student's process answer it."""
        try:
            found = self._verdict_on(cell, index, key, name)
        except RefereeFailed as error:
            raise _KernelLost(str(error)) from error  # it is begun again, with a new kernel
        if self._host is not None and name == list(self._plans)[-1]:
            self._host.let_go()
        # What comes for an output that is not there any more must change no other.
        self.clear_display_id_mapping(index)
        # Whatever else the student's process sends could pass for points or for an error.
        printed = [output for output in cell.outputs if output.output_type in PRINTED]
        judged = [_of_referee(cell, each) for each in found["outputs"]]
        if {"cell": key, "what": "timed out"} in self.record.events:
            judged = _timed_out(cell.outputs, judged)
        cell.outputs = printed + judged
        if found["missing"]:
            self.record.missing[name] = found["missing"]
        if found["odd"]:
            self.record.odd[name] = found["odd"]

    def _verdict_on(self, cell: NotebookNode, index: int, key: str, name: str) -> dict[str, Any]:
        assert self._host is not None
        found = self._host.give(name, self._plans[name])
        if found is not None:
            return found
        visible, cell.source = cell.source, SERVE
        try:
            self._execute(cell, index, key)
        finally:
            cell.source = visible
        return self._host.verdict()

    def _report(self) -> Report | None:
        """What the keeper of the last kernel wrote, once it has ended."""
        provisioner = self._manager.provisioner if self._manager is not None else None
        return provisioner.report if isinstance(provisioner, WarmProvisioner) else None

    def _why_no_start(self) -> str:
        """What the keeper or the kernel wrote before it could run anything."""
        report = self._report()
        if report is not None and report.note:
            return report.note
        lines = self._kernel_log().split("\n")
        return next((line[:300] for line in reversed(lines) if line.strip()), "no message")

    def _kernel_log(self) -> str:
        """What the kernel wrote to its own output and error output; mostly nothing."""
        try:
            with (self._place / "log.txt").open("rb") as file:
                return file.read(MOST_LOG_BYTES).decode("utf-8", "replace")
        except OSError:  # it had not begun
            return ""

    def _why_dead(self) -> str:
        """What the keeper wrote of the kernel's end.

        Raises:
            _KernelLost: It could not write, or was told to stop.
        """
        report = self._report()
        if report is None or report.why in ("stopped", "fence"):
            raise _KernelLost
        found = {"memory": "out of memory", "cpu": "timed out", "processes": "too many processes"}
        # Where the system refuses a library more, it may end the process before we look.
        full = report.peak_bytes > self.memory_bytes
        return found.get(report.why, "out of memory" if full else "crashed")

    def _mark_rest(self, nb: NotebookNode, stopped: str, why: str, also: bool = False) -> None:
        """Say in the cells after a stop that they were not run."""
        after = False
        for index, cell in enumerate(nb.cells):
            if cell.cell_type != "code" or not cell.source.strip():
                continue
            key = cell_key(cell, index)
            if key in self.record.left_out:
                cell.outputs = [_error(LEFT_OUT, self.record.left_out[key])]
            elif after or (also and key == stopped):
                self._not_run(cell, key, why)
            after = after or key == stopped

    def _not_run(self, cell: NotebookNode, key: str, why: str) -> None:
        cell.outputs = [_error(NOT_RUN, self._sentence(WHY_NOT_RUN, why))]
        self.record.events.append({"cell": key, "what": "not run"})

    def _sentence(self, sentences: dict[str, str], why: str) -> str:
        return sentences[why].format(
            notebook_seconds=self.notebook_seconds,
            gigabytes=f"{self.memory_bytes / 1e9:g}",
            processes=self.processes,
        )

    def _seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    # nbclient asks this before each cell.
    def _get_timeout(self, cell: NotebookNode | None) -> int | None:
        timeout = self._cell_limit(cell)
        left = max(1, int(min(self._seconds_left(), self.notebook_seconds)))
        return left if timeout is None else min(timeout, left)

    def _cell_limit(self, cell: NotebookNode | None) -> int | None:
        """The limit of this cell: the unit's for it, else its own, else that for all."""
        if cell is None:
            return super()._get_timeout(cell)
        own = self.cell_seconds.get(_grade_id(cell))
        if own is None and self.limits_in_cells:
            own = cell.metadata.get("rnnkit", {}).get("seconds")
        return int(own) if isinstance(own, int | float) and own > 0 else super()._get_timeout(cell)

    # nbclient calls this when a cell has passed its time.
    async def _async_handle_timeout(
        self, timeout: int, cell: NotebookNode | None = None
    ) -> dict[str, Any] | None:
        self.iopub_timeout = self.patience
        if self._seconds_left() <= 1:
            limit = f"the notebook had used all of its {self.notebook_seconds} seconds"
        else:
            limit = f"it had run for {timeout} seconds, the limit for one cell"
        sentence = f"This cell was stopped: {limit}. Look for a loop that never ends."
        self.error_on_timeout = {
            "ename": TIMED_OUT,
            "evalue": sentence,
            "traceback": [f"{TIMED_OUT}: {sentence}"],
        }
        reply = await super()._async_handle_timeout(timeout, cell)
        if cell is not None:
            self.record.events.append({"cell": self._key, "what": "timed out"})
        return reply

    def on_cell_executed(self, **kwargs: Any) -> None:
        """Keep nbgrader's record of errors and say what ``input()`` ran into."""
        reply = kwargs["execute_reply"]
        if "header" in reply:  # else it is ours: the cell has passed its time
            reply["content"] = _reply_of_kernel(reply["content"])
        super().on_cell_executed(**kwargs)
        for output in kwargs["cell"].outputs:
            if output.output_type == "error" and output.ename == NO_INPUT_ERROR:
                output.evalue = NO_INPUT
                output.traceback = [*output.traceback[:-1], f"{output.ename}: {NO_INPUT}"]

    def process_message(
        self, msg: dict[str, Any], cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """Take one message of the kernel; pictures and tables are cut before they are kept.

        A message of no known form, which only a student's own code can send, is passed over,
        and so are those of widgets: their state is not kept.
        """
        if msg["msg_type"].startswith("comm"):
            return None
        try:
            if not self._shorten(msg["msg_type"], msg["content"]):
                return None
            msg["content"] = _of_kernel(msg["content"])
            return super().process_message(msg, cell, cell_index)
        except CellExecutionComplete:
            raise
        except Exception:  # nbclient and nbformat take much for granted
            return None

    def _shorten(self, kind: str, content: dict[str, Any]) -> bool:
        """Cut what is too long to keep; false where nothing of it is kept."""
        if kind in ("display_data", "execute_result", "update_display_data"):
            self._cut(content["data"])
        elif kind == "stream":
            room = self.max_characters - self._characters
            self._characters += len(content["text"])
            if len(content["text"]) > room > 0:
                content["text"] = content["text"][:room] + CUT.format(limit=self.max_characters)
            return room > 0
        elif kind == "error" and len(content["evalue"]) > self.max_characters:
            content["evalue"] = content["evalue"][:1000] + CUT.format(limit=1000)
            content["traceback"] = [f"{content['ename']}: {content['evalue']}"]
        return True

    def _cut(self, data: dict[str, Any]) -> None:
        """Cut what is shown where it, or all of its cell together, is too large to keep."""
        for kind, value in data.items():
            limit = self.max_characters if kind == "text/plain" else self.max_data_characters
            size = len(value) if isinstance(value, str) else len(json.dumps(value))
            self._data_characters += size
            if size > limit or self._data_characters > MOST_DATA * self.max_data_characters:
                start = value[:1000] if kind == "text/plain" and isinstance(value, str) else ""
                data[kind] = start + CUT.format(limit=limit)


class ErrorStreamCostsNothing(NbGraderPreprocessor):
    """Warnings and log lines of a graded cell, kept but worth no loss.

    nbgrader gives 0 to a test cell that writes to the error stream, which
    libraries do in right answers too. A failed check is an error, not a line of text.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, cell_index: int
    ) -> tuple[NotebookNode, Any]:
        """Turn the error stream of a graded code cell into marked ordinary output."""
        if cell.cell_type == "code" and is_grade(cell):
            for output in cell.outputs:
                if output.output_type == "stream" and output.name == "stderr":
                    output.name = "stdout"
                    output.text = ERROR_STREAM_MARK + output.text
        return cell, resources


class PlainPartialCredit(NbGraderPreprocessor):
    """A test cell's last value as nbgrader reads points: a plain number from 0 to the maximum.

    nbgrader gives full marks for ``np.float64(0.0)``, for NaN and for a number below 0,
    and stops at a number above the maximum.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, cell_index: int
    ) -> tuple[NotebookNode, Any]:
        """Unwrap the number; clamp one out of range, and say so in the cell."""
        if is_test(cell):
            most = float(cell.metadata.nbgrader["points"])
            found = [_plain_points(output, most) for output in cell.outputs]
            cell.outputs = [output for outputs, _ in found for output in outputs]
            if any(is_odd for _, is_odd in found) and "rnnkit" in resources:
                resources["rnnkit"].odd_points.append(_grade_id(cell))
        return cell, resources


def _plain_points(output: NotebookNode, most: float) -> tuple[list[NotebookNode], bool]:
    """What stands for an output, and whether it is a number of points that cannot be."""
    if output.output_type != "execute_result":
        return [output], False
    text = str(output.data.get("text/plain", "")).strip()
    found = _WRAPPED.fullmatch(text)
    if found is None:
        return [output], False
    points = float(found[1] or found[2])
    if not math.isfinite(points):
        sentence = f"The check came to {text[:100]}, which is no number of points."
        return [_error(NOT_POINTS, sentence)], True
    counts = min(max(points, 0.0), most)
    if math.isclose(points, most):  # sums of parts miss it by a rounding error
        points = counts = most
    output.data["text/plain"] = repr(counts)
    if counts == points:
        return [output], False
    mark = f"[points] The check came to {text[:100]} points; "
    mark += f"it must be 0 to {most:g}, so {counts:g} counts.\n"
    return [new_output("stream", name="stdout", text=mark), output], True
