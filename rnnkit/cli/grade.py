"""``rnnkit grade``: grade a class."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rnnkit.cli.options import add_run_options, kit_with, limits_from

if TYPE_CHECKING:
    from rnnkit.grading.classroom import ClassResult

__all__ = ["add_arguments", "run", "show"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("unit", metavar="UNIT", help="the unit, such as 06_attention")
    parser.add_argument(
        "--course",
        metavar="DIR",
        type=Path,
        required=True,
        help="the course folder, with submitted/STUDENT/UNIT/UNIT.ipynb",
    )
    add_run_options(parser)


def run(args: argparse.Namespace) -> int:
    """Grade the class; exit status 0 whatever the submissions were like."""
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.grading.classroom import grade_class
    from rnnkit.grading.progress import Progress

    kit = kit_with(args.unit)
    progress = Progress()
    result = grade_class(
        kit, args.unit, args.course, lambda seconds: limits_from(args, seconds), progress
    )
    show(result)
    return 0


def show(result: "ClassResult") -> None:
    """Print the table of a graded class and where everything is."""
    from rnnkit.grading.tables import class_table, print_table

    print_table(class_table(result))
    print(f"Report:   {result.report}")
    print(f"Grades:   {result.grades}")
    print(f"Feedback: {result.course.root / result.course.coursedir.feedback_directory}")
    print(f"To grade by hand: start `jupyter lab` in {result.course.root} and open Formgrader.")
