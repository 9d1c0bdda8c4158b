"""Running a notebook so that no cell can take the whole notebook with it.

These are preprocessors for nbgrader's ``Autograde``: they stand in its list
``autograde_preprocessors`` in the place of nbgrader's own ``Execute``.
"""

import json
import math
import os
import re
import time
from pathlib import Path
from typing import Any

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Dict, Float, Integer, Unicode

__all__ = [
    "NOT_POINTS",
    "CellStopped",
    "ErrorStreamCostsNothing",
    "PlainPartialCredit",
    "WatchedExecute",
    "cell_key",
    "write_whole",
]

CUT = "\n... This output was cut here: it is longer than {limit:,} characters. ...\n"
NO_INPUT = (
    "A graded notebook cannot ask for input: nobody is there to type. "
    "Give the value in the code instead of calling input()."
)
OUTPUT_SECONDS = 60  # how long the last output of a cell may take to arrive after it ended
ERROR_STREAM_MARK = "[written to the error stream]\n"
NOT_POINTS = "PointsOutOfRange"
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
        reason: ``"crashed"`` (the kernel ended) or ``"timed out"`` (it would not stop).
    """

    def __init__(self, key: str, reason: str) -> None:
        self.key = key
        self.reason = reason
        super().__init__(f"{key}: {reason}")


def cell_key(cell: NotebookNode, index: int) -> str:
    """A name for a cell that is the same in each run of one notebook.

    Args:
        cell: The cell.
        index: Its place in the notebook, from 0.

    Returns:
        Its place and, where it has one, its ``grade_id``.
    """
    grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    return f"{index}:{grade_id}"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old text or the new, never a part."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def _error(name: str, sentence: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=sentence, traceback=[f"{name}: {sentence}"])


class WatchedExecute(Execute):
    """nbgrader's `Execute` that tells which cell it is in and survives any cell.

    A cell that ends the kernel, or that goes on after it was interrupted, raises
    `CellStopped`; the run is then repeated with that cell in ``left_out``. What
    ran is kept in a checkpoint, from which a run can be finished without a kernel.
    """

    progress_file = Unicode(help="where the cell that is running is written").tag(config=True)
    checkpoint_file = Unicode(help="where the outputs so far are written").tag(config=True)
    left_out = Dict(help="cells that are not run: key to sentence").tag(config=True)
    finish_reason = Unicode(
        help="when set, no kernel starts: the checkpoint is used, the rest is marked with this"
    ).tag(config=True)
    deadline = Float(0.0, help="when the notebook must be done (seconds, time.time())").tag(
        config=True
    )
    notebook_seconds = Integer(1200, help="the notebook's limit, for messages").tag(config=True)
    patience = Integer(5, help="seconds in which an interrupted cell must end").tag(config=True)
    max_characters = Integer(100_000, help="the longest text output of a cell").tag(config=True)
    max_data_characters = Integer(4_000_000, help="the longest picture or table").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: Any = None, km: Any = None
    ) -> tuple[NotebookNode, Any]:
        """Run the notebook, or finish it from its checkpoint."""
        self._done: dict[str, dict[str, Any]] = {}
        self._events: list[dict[str, str]] = []
        self._out_of_time = False
        if self.finish_reason:
            return self._finish(nb), resources
        return super().preprocess(nb, resources, km)

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, index: int
    ) -> tuple[NotebookNode, Any]:
        """Run one cell and keep its outputs."""
        if cell.cell_type != "code" or not cell.source.strip():
            return cell, resources
        key = cell_key(cell, index)
        if key in self.left_out:
            cell.outputs = [_error("CellLeftOut", self.left_out[key])]
        elif self._out_of_time or self._seconds_left() <= 0:
            self._out_of_time = True
            cell.outputs = [_error("CellNotRun", self._notebook_limit_sentence())]
            self._events.append({"cell": key, "what": "not run"})
        else:
            self._run_cell(cell, index, key)
        self._keep(cell, key)
        return cell, resources

    def _run_cell(self, cell: NotebookNode, index: int, key: str) -> None:
        write_whole(Path(self.progress_file), json.dumps({"cell": key}))
        self._characters = 0
        self.iopub_timeout = OUTPUT_SECONDS
        try:
            self.execute_cell(cell, index, store_history=True)
        except DeadKernelError:
            raise CellStopped(key, "crashed") from None
        except CellTimeoutError:
            raise CellStopped(key, "timed out") from None

    def _seconds_left(self) -> float:
        return self.deadline - time.time()

    def _notebook_limit_sentence(self) -> str:
        return (
            "This cell was not run: the notebook had already used all of its "
            f"{self.notebook_seconds} seconds."
        )

    # nbclient asks this before each cell.
    def _get_timeout(self, cell: NotebookNode | None) -> int | None:
        timeout = super()._get_timeout(cell)
        left = max(1, int(self._seconds_left()))
        return left if timeout is None else min(timeout, left)

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
            "ename": "CellTimeoutError",
            "evalue": sentence,
            "traceback": [f"CellTimeoutError: {sentence}"],
        }
        reply = await super()._async_handle_timeout(timeout, cell)
        if cell is not None:
            key = json.loads(Path(self.progress_file).read_text(encoding="utf-8"))["cell"]
            self._events.append({"cell": key, "what": "timed out"})
        return reply

    def on_cell_executed(self, **kwargs: Any) -> None:
        """Keep nbgrader's record of errors and say what ``input()`` ran into."""
        super().on_cell_executed(**kwargs)
        for output in kwargs["cell"].outputs:
            if output.output_type == "error" and output.ename == "StdinNotImplementedError":
                output.evalue = NO_INPUT
                output.traceback = [*output.traceback[:-1], f"{output.ename}: {NO_INPUT}"]

    def process_message(
        self, msg: dict[str, Any], cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """Take one message of the kernel; pictures and tables are cut before they are kept."""
        data = msg["content"].get("data", {})
        if msg["msg_type"] in ("display_data", "execute_result", "update_display_data"):
            for kind, value in data.items():
                limit = self.max_characters if kind == "text/plain" else self.max_data_characters
                if isinstance(value, str) and len(value) > limit:
                    start = value[:1000] if kind == "text/plain" else ""
                    data[kind] = start + CUT.format(limit=limit)
        return super().process_message(msg, cell, cell_index)

    def output(
        self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str, cell_index: int
    ) -> NotebookNode | None:
        """Take one output of the kernel, cut where it is too long to keep."""
        content = msg["content"]
        if msg["msg_type"] == "stream":
            room = self.max_characters - self._characters
            self._characters += len(content["text"])
            if room <= 0:
                return None
            if len(content["text"]) > room:
                content["text"] = content["text"][:room] + CUT.format(limit=self.max_characters)
        if msg["msg_type"] == "error" and len(content["evalue"]) > self.max_characters:
            content["evalue"] = content["evalue"][:1000] + CUT.format(limit=1000)
            content["traceback"] = [f"{content['ename']}: {content['evalue']}"]
        return super().output(outs, msg, display_id, cell_index)

    def _keep(self, cell: NotebookNode, key: str) -> None:
        self._done[key] = {"outputs": cell.outputs, "execution_count": cell.execution_count}
        text = json.dumps({"done": self._done, "events": self._events})
        write_whole(Path(self.checkpoint_file), text)

    def _finish(self, nb: NotebookNode) -> NotebookNode:
        path = Path(self.checkpoint_file)
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self._events = kept.get("events", [])
        for index, cell in enumerate(nb.cells):
            if cell.cell_type != "code" or not cell.source.strip():
                continue
            key = cell_key(cell, index)
            if key in kept.get("done", {}):
                cell.outputs = [NotebookNode(output) for output in kept["done"][key]["outputs"]]
                cell.execution_count = kept["done"][key]["execution_count"]
            elif key in self.left_out:
                cell.outputs = [_error("CellLeftOut", self.left_out[key])]
            else:
                cell.outputs = [_error("CellNotRun", self.finish_reason)]
                self._events.append({"cell": key, "what": "not run"})
            self._keep(cell, key)
        return nb


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
        """Unwrap the number; put an error in the place of one that cannot be points."""
        if cell.cell_type == "code" and is_grade(cell) and not is_solution(cell):
            most = float(cell.metadata.nbgrader["points"])
            cell.outputs = [_plain_points(output, most) for output in cell.outputs]
        return cell, resources


def _plain_points(output: NotebookNode, most: float) -> NotebookNode:
    if output.output_type != "execute_result":
        return output
    text = str(output.data.get("text/plain", "")).strip()
    found = _WRAPPED.fullmatch(text)
    if found is None:
        return output
    points = float(found[1] or found[2])
    if math.isclose(points, most):  # sums of parts miss it by a rounding error
        points = most
    if not 0 <= points <= most:
        sentence = f"The check came to {text[:100]} points; it must be 0 to {most:g}."
        return _error(NOT_POINTS, sentence)
    output.data["text/plain"] = repr(points)
    return output
