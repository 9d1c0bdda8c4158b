"""``rnnkit collect``: bring what an LMS gives to where grading looks for it."""

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rnnkit.cli.options import kit_with
from rnnkit.errors import KitError
from rnnkit.plain_text import in_one_line

if TYPE_CHECKING:
    from rnnkit.course.collecting import Collected

__all__ = ["add_arguments", "run", "show"]

MOST_LINES = 20  # of one kind; the record has all


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("unit", metavar="UNIT", help="the unit, such as 06_attention")
    parser.add_argument(
        "files",
        metavar="ZIP",
        type=Path,
        nargs="*",
        help="a zip as Moodle or Canvas gives it, or a folder or a zip of notebooks",
    )
    parser.add_argument(
        "--course",
        metavar="DIR",
        type=Path,
        required=True,
        help="the course folder; it is made if it is not there",
    )
    parser.add_argument(
        "--roster",
        metavar="CSV",
        type=Path,
        help="the class list; later calls remember it",
    )


def run(args: argparse.Namespace) -> int:
    """Collect; exit status 1 where somebody's files could not be given to a student."""
    kit = kit_with(args.unit)
    if not args.files and not args.roster:
        raise KitError(
            "a zip or a folder to collect, or --roster to match again what was put aside",
            "neither",
            f"rnnkit collect {args.unit} ZIP --course {args.course}",
        )
    root = _course_folder(args.course)
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.course.collecting import collect, grade_ids
    from rnnkit.grading.folders import course_directory, load_config

    own = root / "nbgrader_config.py"
    config = load_config(own if own.exists() else kit.root / own.name)
    coursedir = course_directory(root, config)

    def place(student: str) -> Path:
        return Path(coursedir.format_path(coursedir.submitted_directory, student, args.unit))

    result = collect(
        args.unit,
        args.files,
        root,
        place,
        roster=args.roster,
        cells=grade_ids(kit.solution_notebook(args.unit)),
    )
    show(result)
    return 1 if result.aside else 0


def _course_folder(root: Path) -> Path:
    if root.exists() and not root.is_dir():
        raise KitError("a course folder", f"{root} is not a folder", "name another folder")
    if not root.absolute().parent.is_dir():
        raise KitError(
            "a course folder, or a place where it can be made",
            f"no folder {root.absolute().parent}",
            "check the path, or make that folder first",
        )
    root.mkdir(exist_ok=True)
    return root.resolve()


def show(result: "Collected") -> None:
    """Print what was collected, and what to look at."""
    students = len({attempt.student for attempt in result.new})
    print(
        f"Attempts added: {len(result.new)} by {students} students; "
        f"there already: {result.unchanged}."
    )
    print(f"Students with a submission: {result.students}. All attempts: {result.folder}")
    if result.missing is not None:
        _listed(
            "Of the class list, missing",
            [f"{person.student} ({person.shown})" for person in result.missing],
        )
    _listed(
        "Could not be given to a student, and kept aside",
        [
            f"{attempt.lms_name} ({attempt.source}): {attempt.why_aside}; "
            f"{result.folder.name}/{attempt.folder}"
            for attempt in result.aside
        ],
    )
    if result.aside:
        print(
            "  To do: write the name above into the column 'also' of that student's line in "
            "the class list, and call `rnnkit collect` with --roster again."
        )
    _listed("To look at", [f"{student}: {why}" for student, why in result.odd])
    _listed(
        "Changed by hand in submitted/, replaced, and kept",
        [f"{student}: {path}" for student, path in result.by_hand],
    )
    _show_passed(result)
    for source in result.untimed if result.new else ():
        print(
            f"{in_one_line(source)} does not say of all files when they were handed in: no "
            "timestamp.txt was written for those, and nobody is late by it."
        )


def _show_passed(result: "Collected") -> None:
    """Files that were passed over: those that nobody handed in only by their number."""
    kinds = Counter(why for _, _, why in result.passed)
    few = {why for why, count in kinds.items() if count <= MOST_LINES}
    lines = [f"{path} ({source}): {why}" for source, path, why in result.passed if why in few]
    lines += [f"{count} files: {why}" for why, count in kinds.items() if why not in few]
    _listed("Passed over", lines)


def _listed(title: str, lines: list[str]) -> None:
    if not lines:
        return
    print(f"{title}: {len(lines)}")
    for line in lines[:MOST_LINES]:
        print(f"  {in_one_line(line)[:300]}")
    if len(lines) > MOST_LINES:
        print(f"  and {len(lines) - MOST_LINES} more")
