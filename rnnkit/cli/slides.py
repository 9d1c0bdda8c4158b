"""The command ``rnnkit slides``."""

import argparse

from rnnkit.cli.lecture_runs import (
    add_export_arguments,
    kit_to_export,
    run_lectures,
    say_exported,
)

__all__ = ["add_arguments", "run"]

FOLDER = "build/slides"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_export_arguments(parser, FOLDER)


def run(args: argparse.Namespace) -> int:
    """Write slides for each lecture.

    Returns:
        0, or 1 where a link leads nowhere.
    """
    kit = kit_to_export()
    from rnnkit.course.site import export_slides

    folder = args.folder or kit.root / FOLDER
    lectures = run_lectures(kit, fast=args.fast)
    return say_exported(export_slides(kit, lectures, folder, fast=args.fast), folder)
