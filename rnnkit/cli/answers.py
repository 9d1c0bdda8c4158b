"""``rnnkit answers``: grade answer files or notebooks and print the points of each cell."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rnnkit.cli.options import add_run_options, kit_with, limits_from

if TYPE_CHECKING:
    from rnnkit.grading.answers import GradedAnswer

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("unit", metavar="UNIT", help="the unit, such as 06_attention")
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=Path,
        help="answer files, or a student's notebook; by default all of tests/answers/UNIT and "
        "the reference",
    )
    parser.add_argument(
        "--json", action="store_true", help="print {file: {grade_id: [points, max]}} only"
    )
    add_run_options(parser)


def run(args: argparse.Namespace) -> int:
    """Grade the answers; exit status 1 when an answer does not do what it says."""
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.grading.answers import (
        REFERENCE,
        STUDENTS,
        Answer,
        answer_files,
        grade_answers,
        read_answer,
    )

    kit = kit_with(args.unit)
    answers = [read_answer(path) for path in args.files or answer_files(kit, args.unit)]
    if not args.files:
        answers.insert(0, Answer(None, REFERENCE, "the solutions themselves"))
    strangers = any(answer.kind == STUDENTS for answer in answers)
    # Our own answers may run with a mark where this machine can put up no fence.
    limits = limits_from(args, course_cell_seconds=None, sandbox="need" if strangers else "try")

    def tell(graded: "GradedAnswer") -> None:
        seconds = graded.outcome.seconds
        print(f"graded {graded.answer.name} ({seconds:.0f} s)", file=sys.stderr, flush=True)

    results = grade_answers(kit, args.unit, answers, limits, tell)
    if args.json:
        points = {
            _key(result.answer.path) or REFERENCE: {
                name: list(pair) for name, pair in result.outcome.points.items()
            }
            for result in results
        }
        print(json.dumps(points, indent=1))
        return 0
    from rnnkit.grading.tables import answers_table, print_table

    print_table(answers_table(args.unit, results, limits.fast))
    for result in results:
        if result.answer.kind == STUDENTS:
            _explain(result)
    faults = [line for result in results for line in result.faults()]
    for line in faults:
        print(line)
    return 1 if faults else 0


def _explain(result: "GradedAnswer") -> None:
    """Print why a student's notebook lost points."""
    from rnnkit.plain_text import in_one_line

    name, outcome = in_one_line(result.answer.name), result.outcome
    if outcome.note:
        print(f"{name}: {outcome.note}")
    for cell, (points, most) in outcome.points.items():
        if points is not None and points < most:
            why = result.messages.get(cell, "")
            print(f"{name}: {cell} gave {points:g} of {most:g}. {in_one_line(why)}")


def _key(path: Path | None) -> str:
    """A file as the user named it."""
    return "" if path is None else os.path.relpath(path)
