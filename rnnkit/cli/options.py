"""Options that the grading commands share."""

import argparse
import os

from rnnkit.course.kit import Kit, find_kit
from rnnkit.grading.limits import Limits

__all__ = ["add_run_options", "kit_with", "limits_from"]


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, received {text!r}")
    return number


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a grading run."""
    parser.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="how many notebooks run at once (default: one for each processor)",
    )
    parser.add_argument(
        "--cell-timeout",
        type=_positive,
        metavar="SECONDS",
        help="the longest that one cell may run (default: the course's setting, else 240)",
    )
    parser.add_argument(
        "--notebook-timeout",
        type=_positive,
        metavar="SECONDS",
        default=Limits.notebook_seconds,
        help="the longest that one submission may take (default: %(default)s)",
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="the short setting RNNKIT_FAST=1: less training; not for grading a class",
    )


def limits_from(args: argparse.Namespace, course_cell_seconds: int | None) -> Limits:
    """The limits that the options ask for.

    Args:
        args: The parsed options.
        course_cell_seconds: The cell limit in the course's settings, if there is one.
    """
    return Limits(
        cell_seconds=args.cell_timeout or course_cell_seconds or Limits.cell_seconds,
        notebook_seconds=args.notebook_timeout,
        jobs=args.jobs or os.cpu_count() or 1,
        fast=args.fast or os.environ.get("RNNKIT_FAST") == "1",
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
