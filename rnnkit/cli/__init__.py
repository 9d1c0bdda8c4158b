"""The command ``rnnkit``.

Each command is a module of this package with two functions:
``add_arguments(parser)`` and ``run(args) -> int`` (the exit status).
"""

import argparse
import importlib
import importlib.util
import sys
from pathlib import Path

import rnnkit
from rnnkit.errors import KitError, in_a_line

__all__ = ["main"]

# command: one line of help
COMMANDS = {
    "new": "begin a unit: a script with small questions, and answers to it",
    "build": "make notebooks from percent scripts, and exercises from solutions",
    "publish": "write the repository that students get",
    "colab": "run exercises and lectures as Colab would, with its packages",
    "answers": "grade answer files and print the points of each cell",
    "mutants": "change the reference's answers by machine, and see what the tests miss",
    "collect": "bring an LMS's zips to where grading looks for them",
    "grade": "grade a class: gradebook, feedback, grades.csv and a report",
    "export": "write grades and feedback as an LMS imports them",
    "report": "list submissions that are more alike than chance, to look at",
    "site": "make a web page of each lecture and exercise, to be read without a network",
    "slides": "make slides of each lecture, to be shown without a network",
    "demo": "make a sample class and grade it",
    "lab": "open JupyterLab, and say what is missing for it",
    "elmo": "write the vectors of each line of a text to an HDF5 file",
    "doctor": "say what this machine can do for grading, and what it lacks",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rnnkit", description="A course kit on recurrent networks for language."
    )
    parser.add_argument("--version", action="version", version=f"rnnkit {rnnkit.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in _commands_here().items():
        command = commands.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        importlib.import_module(f"rnnkit.cli.{name}").add_arguments(command)
    return parser


def _commands_here() -> dict[str, str]:
    """The commands that this copy of the package has: a student's has few of them."""
    return {
        name: summary
        for name, summary in COMMANDS.items()
        if importlib.util.find_spec(f"rnnkit.cli.{name}") is not None
    }


def _of_the_system(error: OSError) -> KitError:
    """An error of the file system, told as ours."""
    return KitError(
        "files and folders that can be read and written",
        in_a_line(error),
        "make room on the disk or change the permissions, then call the command again",
    )


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The words after ``rnnkit``; those of the process by default.

    Returns:
        The exit status: 0 when all is well, 1 when a check found something,
        2 when the command could not do its work.
    """
    try:
        args = _parsed(arguments)
    except KeyboardInterrupt:  # while the commands are imported
        print("\nrnnkit: stopped by you.", file=sys.stderr)
        return 130
    try:
        return int(importlib.import_module(f"rnnkit.cli.{args.command}").run(args))
    except KitError as error:
        print(f"rnnkit {args.command}: cannot go on.\n{error}", file=sys.stderr)
        return 2
    except OSError as error:  # a full disk, a file that may not be written
        print(f"rnnkit {args.command}: cannot go on.\n{_of_the_system(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nrnnkit {args.command}: stopped by you.", file=sys.stderr)
        return 130


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = _parser()
    args, more = parser.parse_known_args(arguments)
    # argparse takes no list of files behind an option, as in `answers UNIT --json FILE`.
    if more and (not hasattr(args, "files") or any(word.startswith("-") for word in more)):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:
        args.files = [*args.files, *map(Path, more)]
    return args
