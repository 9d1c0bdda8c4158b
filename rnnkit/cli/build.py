"""The command ``rnnkit build``."""

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rnnkit.course.kit import Kit, find_kit
from rnnkit.errors import KitError

if TYPE_CHECKING:
    from rnnkit.course.build import BuiltFile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's words after ``rnnkit build``."""
    parser.add_argument("units", nargs="*", metavar="UNIT", help="a unit; all by default")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; name what is wrong, and exit 1 if there is anything",
    )
    parser.add_argument(
        "--no-run",
        action="store_true",
        help="with --check: do not run the reference solutions (runs take minutes)",
    )


def run(args: argparse.Namespace) -> int:
    """Build, or check what is built.

    Returns:
        0, or 1 when ``--check`` found something.
    """
    if args.no_run and not args.check:
        raise KitError(
            "--no-run together with --check",
            "--no-run alone",
            "leave it out: a build never runs the notebooks",
        )
    _need_course_extra()
    kit = find_kit()
    return _check(kit, args.units, run=not args.no_run) if args.check else _build(kit, args.units)


def _need_course_extra() -> None:
    try:
        import jupytext  # noqa: F401
        import nbgrader  # noqa: F401
    except ImportError as error:
        raise KitError(
            "the packages of the extra 'course' (nbgrader, jupytext)",
            str(error),
            'install them: pip install -c constraints.txt -e ".[course]"',
        ) from error


def _build(kit: Kit, names: Sequence[str]) -> int:
    for built in _built_files(kit, names):
        written = built.write()
        # A script is its author's: it is named only where points or numbers in it changed.
        if written or built.path.suffix != ".py":
            state = "written  " if written else "unchanged"
            print(f"{state}  {kit.shown(built.path)}", flush=True)
    return 0


def _built_files(kit: Kit, names: Sequence[str]) -> "Iterator[BuiltFile]":
    from rnnkit.course.build import (
        build_exercise,
        build_lecture,
        build_script,
        build_solution,
        select,
    )

    selection = select(kit, names)
    for unit in selection.units:
        yield build_script(kit, unit)
        solution = build_solution(kit, unit)
        yield solution
        yield from build_exercise(kit, unit, solution)
    for name in selection.lectures:
        yield build_lecture(kit, name)


def _check(kit: Kit, names: Sequence[str], *, run: bool) -> int:
    from rnnkit.course.check import check

    result = check(kit, names, run=run, say=lambda line: print(line, flush=True))
    for finding in result.findings:
        print(finding)
    ran = f"ran {_count(result.runs, 'reference')}" if run else "ran no reference (--no-run)"
    checked = (
        f"Checked {_count(len(result.selection.units), 'unit')} and "
        f"{_count(len(result.selection.lectures), 'lecture')}: "
        f"compared {_count(result.files, 'file')} with their sources, {ran}"
    )
    print(f"{checked}; {_count(len(result.findings), 'thing')} wrong.")
    return 1 if result.findings else 0


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
