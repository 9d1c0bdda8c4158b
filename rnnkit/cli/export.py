"""``rnnkit export``: grades and feedback as an LMS imports them."""

import argparse
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from rnnkit.errors import KitError
from rnnkit.plain_text import in_one_line

if TYPE_CHECKING:
    from rnnkit.course.exporting import Exported, FeedbackZip

__all__ = ["add_arguments", "run", "show"]

NAMES = 10  # of students in a line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("unit", metavar="UNIT", help="the unit, such as 06_attention")
    parser.add_argument(
        "--course", metavar="DIR", type=Path, required=True, help="the course folder"
    )
    parser.add_argument(
        "--to",
        choices=("moodle", "canvas", "csv"),
        required=True,
        help="who imports the grades; csv is a table for a spreadsheet",
    )
    parser.add_argument(
        "--output", metavar="FILE", type=Path, help="the table (default: DIR/UNIT-moodle.csv)"
    )
    parser.add_argument(
        "--title",
        metavar="TEXT",
        help="with canvas: the column's name there, such as 'Lab 6 (12345)' (default: UNIT)",
    )
    parser.add_argument(
        "--feedback", metavar="ZIP", type=Path, help="write the feedback pages into a zip too"
    )


def run(args: argparse.Namespace) -> int:
    """Write the table, and the zip where one is asked for."""
    if args.feedback and args.to == "csv":
        raise KitError(
            "--feedback with --to moodle or --to canvas, whose names the pages get",
            "--to csv",
            "name the LMS that shall hand the pages out",
        )
    if not args.course.is_dir():
        raise KitError(
            "a course folder", f"no folder {args.course}", "name the folder that was graded"
        )
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.course.exporting import feedback_zip
    from rnnkit.grading.folders import course_directory, load_config

    root = args.course.resolve()
    config_file = root / "nbgrader_config.py"
    config = load_config(config_file if config_file.exists() else None)
    coursedir = course_directory(root, config)
    exported = _export(args, root, coursedir.db_url, coursedir.course_id)
    made = None
    if args.feedback:

        def page_of(student: str) -> Path:
            step = coursedir.feedback_directory
            folder = coursedir.format_path(step, student, args.unit)
            return Path(folder) / f"{args.unit}.html"

        made = feedback_zip(args.feedback, args.unit, root, page_of, args.to)
    show(exported, made)
    return 0


def _export(args: argparse.Namespace, root: Path, db_url: str, course_id: str) -> "Exported":
    from nbgrader.api import Gradebook
    from sqlalchemy.exc import DatabaseError

    from rnnkit.course.exporting import CanvasExport, CsvExport, MoodleExport

    _check_gradebook(db_url, args.unit)
    name = f"{args.unit}-{'grades' if args.to == 'csv' else args.to}.csv"
    exporter = {"moodle": MoodleExport, "canvas": CanvasExport, "csv": CsvExport}[args.to]
    plugin = exporter(
        to=str(args.output or root / name),
        assignment=[args.unit],
        course_root=str(root),
    )
    if args.title and args.to == "canvas":
        plugin.titles = {args.unit: args.title}
    try:
        with Gradebook(db_url, *([course_id] if course_id else [])) as gradebook:
            plugin.export(gradebook)
    except DatabaseError as error:
        raise KitError(
            f"nbgrader's gradebook at {db_url}",
            in_one_line(str(error.orig)),
            "close other programs that use it, or move away a file that is no gradebook",
        ) from error
    exported: Exported = plugin.exported
    return exported


def _check_gradebook(db_url: str, unit: str) -> None:
    """That there is a gradebook: nbgrader would make an empty one."""
    path = Path(db_url.removeprefix("sqlite:///"))
    if not db_url.startswith("sqlite:///"):
        return
    found = "" if path.is_file() else "no such file"
    if not found:
        try:
            with sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True) as connection:
                connection.execute("SELECT count(*) FROM assignment").fetchone()
        except sqlite3.Error as error:
            found = str(error)
    if found:
        raise KitError(
            f"the course's gradebook ({path})",
            found,
            f"grade the class first: rnnkit grade {unit} --course DIR",
        )


def show(exported: "Exported", made: "FeedbackZip | None") -> None:
    """Print what was written, and who is not in it."""
    print(f"Grades of {exported.rows} students: {exported.path}")
    _named("Without a score", exported.left_out)
    _named("With written answers that wait for hand grading", exported.waiting)
    _named("Without a number that Canvas knows, so found by name", exported.by_name)
    if made is not None:
        print(f"Feedback pages of {made.pages} students: {made.path}")
        _named("Without a page", made.no_page)
        _named("Without a known place in the LMS, so not in the zip", made.no_place)


def _named(title: str, students: list[str]) -> None:
    if students:
        names = ", ".join(in_one_line(student) for student in students[:NAMES])
        more = f" and {len(students) - NAMES} more" if len(students) > NAMES else ""
        print(f"{title}: {len(students)} ({names}{more})")
