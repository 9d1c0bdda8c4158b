"""Options that the grading commands share."""

import argparse
import os
from typing import Literal

from rnnkit.cli.numbers import positive
from rnnkit.course.kit import Kit, find_kit
from rnnkit.grading.limits import Limits

__all__ = ["add_run_options", "kit_with", "limits_from", "positive"]


def _gigabytes(text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.1 <= number < 1e6:
        raise argparse.ArgumentTypeError(
            f"expected a number of gigabytes from 0.1 up, received {text!r}"
        )
    return int(number * 1e9)


def _numbers(text: str) -> tuple[str, ...]:
    numbers = tuple(part.strip() for part in text.split(","))
    if not all(part.isdigit() for part in numbers) or len(set(numbers)) < len(numbers):
        raise argparse.ArgumentTypeError(
            f"expected numbers of GPUs with commas between them, such as 0,1, received {text!r}"
        )
    return numbers


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a grading run."""
    parser.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="how many notebooks run at once (default: one for each processor)",
    )
    parser.add_argument(
        "--cell-timeout",
        type=positive,
        metavar="SECONDS",
        help="the longest that one cell may run (default: the course's setting, else 240)",
    )
    parser.add_argument(
        "--notebook-timeout",
        type=positive,
        metavar="SECONDS",
        default=Limits.notebook_seconds,
        help="the longest that one submission may take (default: %(default)s)",
    )
    parser.add_argument(
        "--memory",
        type=_gigabytes,
        metavar="GB",
        default=Limits.memory_bytes,
        help="the most memory of one submission, beyond the libraries (default: 4)",
    )
    parser.add_argument(
        "--no-sandbox",
        action="store_true",
        help="run without a fence what students wrote; each result is marked",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        default="",
        help="run on the workers of a Dask cluster, such as tcp://host:8786",
    )
    parser.add_argument(
        "--gpus",
        type=_numbers,
        metavar="N,N",
        default=(),
        help="the GPUs that submissions may use, such as 0,1 (default: none)",
    )
    parser.add_argument(
        "--per-gpu",
        type=positive,
        metavar="N",
        default=1,
        help="how many submissions share a GPU (default: 1)",
    )
    parser.add_argument(
        "--gpu-memory",
        type=_gigabytes,
        metavar="GB",
        default=0,
        help="the most memory of its GPU for each submission (default: as it needs)",
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="the short setting RNNKIT_FAST=1: less training; not for grading a class",
    )


def limits_from(
    args: argparse.Namespace,
    course_cell_seconds: int | None,
    sandbox: Literal["need", "try"] = "need",
) -> Limits:
    """The limits that the options ask for.

    Args:
        args: The parsed options.
        course_cell_seconds: The cell limit in the course's settings, if there is one.
        sandbox: Whether a machine that can put up no fence is refused ("need"), or runs
            with a mark ("try"), unless the options say that there shall be none.
    """
    return Limits(
        cell_seconds=args.cell_timeout or course_cell_seconds or Limits.cell_seconds,
        notebook_seconds=args.notebook_timeout,
        jobs=args.jobs or os.cpu_count() or 1,
        fast=args.fast or os.environ.get("RNNKIT_FAST") == "1",
        memory_bytes=args.memory,
        sandbox="off" if args.no_sandbox else sandbox,
        scheduler=args.scheduler,
        gpus=args.gpus,
        per_gpu=args.per_gpu,
        gpu_bytes=args.gpu_memory,
    )


def kit_with(unit: str) -> Kit:
    """The kit that has a unit.

    Args:
        unit: The unit.

    Raises:
        KitError: There is no such unit.
    """
    kit = find_kit()
    kit.check_unit(unit)
    return kit
