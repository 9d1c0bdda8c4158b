"""What one submission may use, and how many run at once."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Limits"]


def _cpu_count() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Limits:
    """Limits and settings of a grading run.

    Args:
        cell_seconds: The longest that one cell may run, where its unit gives no other limit.
        notebook_seconds: The longest that one submission may take, all its cells
            and repeated runs together.
        jobs: How many submissions run at once.
        fast: Whether notebooks see ``RNNKIT_FAST=1``, the short setting.
        notebook_bytes: A larger notebook is refused before it is read.
        folder_bytes: The most that files beside a notebook may have together;
            what is more is not copied.
        memory_bytes: The most memory that a submission's processes may hold together,
            beyond the libraries.
        scratch_bytes: The most that it may write into files.
        processes: The most processes that it may have at once.
        sandbox: "need" refuses to run without a fence, "try" runs with a mark on each
            result, "off" puts up none.
        scheduler: The address of a Dask scheduler; empty for processes of this machine.
        gpus: The numbers of the GPUs that submissions may use; none by default.
        per_gpu: How many submissions share a GPU.
        gpu_bytes: The most memory of its GPU for each; 0 to let it grow as it needs.
    """

    cell_seconds: int = 240
    notebook_seconds: int = 1200
    jobs: int = field(default_factory=_cpu_count)
    fast: bool = False
    notebook_bytes: int = 50_000_000
    folder_bytes: int = 100_000_000
    memory_bytes: int = 4_000_000_000
    scratch_bytes: int = 1_000_000_000
    processes: int = 64
    sandbox: Literal["need", "try", "off"] = "need"
    scheduler: str = ""
    gpus: tuple[str, ...] = ()
    per_gpu: int = 1
    gpu_bytes: int = 0

    @property
    def slots(self) -> int:
        """How many submissions run at once on this machine."""
        return len(self.gpus) * self.per_gpu if self.gpus else max(1, self.jobs)

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment variables that a notebook sees because of the settings."""
        return {"RNNKIT_FAST": "1"} if self.fast else {}
