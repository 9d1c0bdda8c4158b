"""What one submission may use."""

import os
from dataclasses import dataclass, field

__all__ = ["Limits"]


def _cpu_count() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Limits:
    """Limits and settings of a grading run.

    Args:
        cell_seconds: The longest that one cell may run.
        notebook_seconds: The longest that one submission may take, all its cells
            and repeated runs together.
        jobs: How many submissions run at once.
        fast: Whether notebooks see ``RNNKIT_FAST=1``, the short setting.
        notebook_bytes: A larger notebook is refused before it is read.
        folder_bytes: The most that files beside a notebook may have together;
            what is more is not copied.
    """

    cell_seconds: int = 240
    notebook_seconds: int = 1200
    jobs: int = field(default_factory=_cpu_count)
    fast: bool = False
    notebook_bytes: int = 50_000_000
    folder_bytes: int = 100_000_000
