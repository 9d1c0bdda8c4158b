"""One submission as a job: all that a worker needs, and all that comes back.

A job is run by `run_job` in a worker process of this machine or of a cluster. It
carries the notebook and the unit's files, so that the worker needs no shared folder.
"""

import copy
import hashlib
import logging
import os
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.converters import Autograde
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    Execute,
    SaveAutoGrades,
)
from nbgrader.utils import setenv
from traitlets.config import Config

import rnnkit
from rnnkit.errors import in_a_line
from rnnkit.grading.execute import (
    ErrorStreamCostsNothing,
    FencedExecute,
    PlainPartialCredit,
    RunRecord,
)
from rnnkit.grading.files import write_files
from rnnkit.grading.folders import scratch_config
from rnnkit.grading.limits import Limits
from rnnkit.grading.zygote import GPU_BYTES

__all__ = ["STUDENT", "Bundle", "Job", "JobResult", "run_job"]

# The name inside a job; only the coordinator knows the real one.
STUDENT = "student"
# nbgrader says it of each test with hidden lines, which it has just put back.
USUAL = "Attribute 'checksum' for cell"
LONGEST_LOG = 20_000  # characters


@dataclass(frozen=True)
class Bundle:
    """What all jobs of a unit share.

    Args:
        unit: The unit.
        config: The text of the ``nbgrader_config.py`` in force; empty for none.
        gradebook: A gradebook file that holds the assignment and no student.
        files: The files beside the solution notebook, by their path.
        seconds: Limits of single cells, by their ``grade_id``.
        in_kernel: Tests that run in the student's process, by their ``grade_id``.
        version: The version of rnnkit that made it.
    """

    unit: str
    config: str
    gradebook: bytes
    files: Mapping[str, bytes]
    seconds: Mapping[str, int]
    in_kernel: tuple[str, ...] = ()
    version: str = rnnkit.__version__

    @property
    def digest(self) -> str:
        """Changes when anything in it changes."""
        parts = (self.unit, self.config, self.gradebook, sorted(self.files.items()), self.version)
        return hashlib.sha256(repr(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Job:
    """One submission, ready to run.

    Args:
        bundle: What all jobs of the unit share.
        notebook: The notebook (JSON).
        files: The student's files beside it, by their path.
        limits: Times, sizes and settings.
        mended: Whether preflight has made the notebook, with the exercise's own metadata.
    """

    bundle: Bundle
    notebook: str
    files: Mapping[str, bytes]
    limits: Limits
    mended: bool = False


@dataclass
class JobResult:
    """What came of a job.

    Args:
        notebook: The executed notebook (JSON); empty where it could not be run.
        record: What came to pass in its runs.
        note: Why it could not be run.
        seconds: Wall-clock seconds in the worker.
        log: What may help an instructor: warnings of nbgrader's steps, errors of tests, and
            what a kernel that ended by itself had written to its own output.
    """

    notebook: str = ""
    record: RunRecord = field(default_factory=RunRecord)
    note: str = ""
    seconds: float = 0.0
    log: str = ""


class _Lines(logging.Handler):
    """Keeps the warnings and errors of nbgrader's log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        if not line.startswith(USUAL):
            self.lines.append(line)


def run_job(job: Job, gpu: str = "") -> JobResult:
    """Run one submission.

    Whatever goes wrong becomes the result's note: nothing is raised.

    Args:
        job: The job.
        gpu: The number of the GPU that it may use; where the job wants one and this is
            empty, those of the worker's own environment.
    """
    begin = time.monotonic()
    lines = _Lines()
    log = logging.getLogger("traitlets")
    log.addHandler(lines)
    try:
        result = _run(job, gpu)
    except (Exception, SystemExit) as error:
        result = JobResult(note=in_a_line(error))
    finally:
        log.removeHandler(lines)
    result.seconds = time.monotonic() - begin
    record = result.record
    parts = [*lines.lines, *record.odd.values(), record.kernel_log]
    result.log = "\n".join(part.strip() for part in parts if part.strip())[:LONGEST_LOG]
    return result


def _run(job: Job, gpu: str) -> JobResult:
    if job.bundle.version != rnnkit.__version__:
        raise RuntimeError(
            f"expected rnnkit {job.bundle.version} on the worker, found {rnnkit.__version__}: "
            "install the same version there"
        )
    with tempfile.TemporaryDirectory(prefix="rnnkit-") as temporary:
        folder = Path(temporary)
        write_files(folder, {**job.files, **job.bundle.files})
        notebook = nbformat.reads(job.notebook, as_version=4)
        config = _config(job, gpu)
        resources: dict[str, Any] = {
            "metadata": {"path": str(folder), "name": job.bundle.unit},
            "unique_key": job.bundle.unit,
            "output_files_dir": f"{job.bundle.unit}_files",
            "nbgrader": {
                "student": STUDENT,
                "assignment": job.bundle.unit,
                "notebook": job.bundle.unit,
                "db_url": config.CourseDirectory.db_url,
            },
        }
        with setenv(NBGRADER_EXECUTION="autograde"):
            for step in _steps(config, job.mended):
                notebook, resources = step(config=config)(notebook, resources)
        return JobResult(nbformat.writes(notebook), resources["rnnkit"])


def _config(job: Job, gpu: str) -> Config:
    prepared = _prepared(job.bundle)
    config = copy.deepcopy(prepared.config)
    limits, run = job.limits, config.FencedExecute
    run.timeout = limits.cell_seconds
    run.notebook_seconds = limits.notebook_seconds
    run.cell_seconds = dict(job.bundle.seconds)
    run.limits_in_cells = False  # a student may have written it
    run.in_kernel = list(job.bundle.in_kernel)
    run.memory_bytes = limits.memory_bytes
    run.scratch_bytes = limits.scratch_bytes
    run.processes = limits.processes
    run.sandbox = limits.sandbox
    run.startup_timeout = 120
    run.environment = dict(limits.environment)
    if limits.gpus:
        gpu = gpu or os.environ.get("CUDA_VISIBLE_DEVICES", "")
        run.gpus = [number for number in gpu.split(",") if number]
        run.environment |= {
            "CUDA_VISIBLE_DEVICES": gpu,
            "TF_FORCE_GPU_ALLOW_GROWTH": "true",
            GPU_BYTES: str(limits.gpu_bytes),
        }
    return config


class _Prepared:
    """A bundle laid out on this machine; it goes when it is forgotten."""

    def __init__(self, bundle: Bundle) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="rnnkit-")
        folder = Path(self._folder.name)
        (folder / "gradebook.db").write_bytes(bundle.gradebook)
        path = folder / "nbgrader_config.py"
        path.write_text(bundle.config, encoding="utf-8")
        self.config = scratch_config(path if bundle.config else None, folder)


_PREPARED: dict[str, _Prepared] = {}
_ONE_PREPARES = threading.Lock()  # a worker of a cluster may run two jobs at once


def _prepared(bundle: Bundle) -> _Prepared:
    digest = bundle.digest
    with _ONE_PREPARES:
        if digest not in _PREPARED:
            if len(_PREPARED) >= 4:  # units that this worker served before
                _PREPARED.pop(next(iter(_PREPARED)))
            _PREPARED[digest] = _Prepared(bundle)
        return _PREPARED[digest]


def _steps(config: Config, mended: bool) -> list[Any]:
    """The course's steps, with ours in the place of nbgrader's; those that save stay out.

    Scores and penalties need the real gradebook, which has one writer: the coordinator.
    What preflight has made passes nbgrader's check of metadata, which takes longer than
    all other steps around a run.
    """
    left_out = {SaveAutoGrades, AssignLatePenalties, *([CheckCellMetadata] if mended else [])}
    converter = Autograde(config=config)
    steps: list[Any] = []
    for step in [*converter.sanitize_preprocessors, *converter.autograde_preprocessors]:
        if step is Execute:
            steps += [FencedExecute, ErrorStreamCostsNothing, PlainPartialCredit]
        elif step not in left_out:
            steps.append(step)
    return steps
