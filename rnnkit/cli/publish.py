"""``rnnkit publish``: write the repository that students get."""

import argparse
from pathlib import Path

from rnnkit.course.kit import find_kit

__all__ = ["add_arguments", "run"]

MOST_LINES = 20  # of one kind; the folder has all


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        help="where to write it: a new or empty folder, or one that was published before",
    )


def run(args: argparse.Namespace) -> int:
    """Write the repository, or bring it up to date."""
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.course.publish import students_files
    from rnnkit.course.published import check_folder, write_published
    from rnnkit.course.settings import SECTION, publish_settings

    kit = find_kit()
    check_folder(kit, args.folder)
    settings = publish_settings(kit)
    done = write_published(args.folder, students_files(kit))
    for word, names in (
        ("new", done.new),
        ("changed", done.changed),
        ("removed", done.removed),
    ):
        for name in names[:MOST_LINES]:
            print(f"{word:<9}  {name}")
        if len(names) > MOST_LINES:
            print(f"{word:<9}  and {len(names) - MOST_LINES} more files")
    print(
        f"{args.folder}: {len(done.new)} new, {len(done.changed)} changed, "
        f"{len(done.removed)} removed, {done.same} as they were."
    )
    if not settings.repository:
        print(
            f"No badges for Colab: write the repository's address into [{SECTION}] of "
            "pyproject.toml (repository = ...), and publish again."
        )
    elif not settings.on_github:
        print(f"No badges for Colab: it opens notebooks of GitHub, not of {settings.repository}.")
    return 0
