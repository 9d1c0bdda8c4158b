"""``rnnkit demo``: make a sample class and grade it."""

import argparse
import os
import tempfile
from pathlib import Path

from rnnkit.cli.options import kit_with
from rnnkit.errors import KitError

__all__ = ["add_arguments", "run"]

UNIT = "06_attention"
CELL_SECONDS = 90  # many times what the slowest cell takes, for slow and busy machines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        default=Path("demo"),
        help="where to make the class (default: demo/; what an earlier demo left is deleted)",
    )
    parser.add_argument(
        "--unit", metavar="UNIT", default=UNIT, help="the unit to grade (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Make the class and grade it."""
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.cli.grade import show
    from rnnkit.grading.answers import answer_files
    from rnnkit.grading.assignment import prepare_assignment
    from rnnkit.grading.classroom import grade_class
    from rnnkit.grading.limits import Limits
    from rnnkit.grading.progress import Progress
    from rnnkit.grading.sample_class import clear_folder, write_sample_class

    kit = kit_with(args.unit)
    if not answer_files(kit, args.unit):
        raise KitError(
            f"answer files in {kit.answers / args.unit}",
            "none",
            "write some: the students of the demo are made from them",
        )
    progress = Progress()
    with tempfile.TemporaryDirectory(prefix="rnnkit-") as place:
        assignment = prepare_assignment(
            args.unit,
            kit.solutions / args.unit,
            kit.root / "nbgrader_config.py",
            Path(place) / "assignment",
        )
        clear_folder(args.folder)
        students = write_sample_class(kit, assignment, args.folder / "submitted")
    progress.say(f"Made a class of {len(students)} in {args.folder.resolve()}.")
    progress.say(
        "Grading it with the short setting (RNNKIT_FAST=1, less training) and a limit of "
        f"{CELL_SECONDS} seconds for a cell. This takes a few minutes."
    )
    limits = Limits(cell_seconds=CELL_SECONDS, jobs=os.cpu_count() or 1, fast=True, sandbox="try")
    show(grade_class(kit, args.unit, args.folder, lambda _: limits, progress))
    return 0
