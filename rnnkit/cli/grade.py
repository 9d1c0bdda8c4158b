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
    parser.add_argument(
        "--regrade",
        metavar="STUDENT",
        nargs="*",
        help="run again what has not changed: of the students named, or of all",
    )
    parser.add_argument(
        "--mended",
        action="store_true",
        help="grade with the kit's tests as they are now, and keep them in the course folder",
    )
    parser.add_argument(
        "--no-feedback",
        action="store_true",
        help="make no pages for students; a later call without this makes them",
    )
    add_run_options(parser)


def run(args: argparse.Namespace) -> int:
    """Grade the class; exit status 0 whatever the submissions were like."""
    kit = kit_with(args.unit)
    _begin_imports(args)
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.grading.classroom import grade_class
    from rnnkit.grading.progress import Progress

    progress = Progress()
    result = grade_class(
        kit,
        args.unit,
        args.course,
        lambda seconds: limits_from(args, seconds),
        progress,
        regrade=args.regrade,
        feedback=not args.no_feedback,
        mended=args.mended,
    )
    show(result)
    return 0


def _begin_imports(args: argparse.Namespace) -> None:
    """Begin what takes longest, where something will surely be run on this machine."""
    from rnnkit.grading.files import results_folder

    is_new = (
        args.regrade is not None
        or args.mended
        or not results_folder(args.course, args.unit).exists()
    )
    if is_new and (args.course / "submitted").is_dir() and not args.scheduler:
        from rnnkit.grading.provisioner import begin_imports

        begin_imports(limits_from(args, None).slots)


def show(result: "ClassResult") -> None:
    """Print the table of a graded class, whose score changed, and where everything is."""
    from rnnkit.grading.tables import class_table, print_table

    print_table(class_table(result))
    if result.changes:
        print(f"Scores that changed: {len(result.changes)}")
        for change in result.changes:
            print(f"  {change.line}")
    elif result.rows:
        print("No earlier score changed.")
    print(f"Report:   {result.report}")
    print(f"Grades:   {result.grades}")
    print(f"Changes:  {result.changed}")
    print(f"Feedback: {result.course.root / result.course.coursedir.feedback_directory}")
    print(f"To grade by hand: start `jupyter lab` in {result.course.root} and open Formgrader.")
