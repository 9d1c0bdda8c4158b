"""``rnnkit new``: begin a unit."""

import argparse

from rnnkit.course.kit import find_kit

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("unit", metavar="UNIT", help="the new unit's name, such as 08_my_unit")
    parser.add_argument(
        "--title", metavar="TEXT", default="", help="the notebook's title (default: the name)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the unit's sources, and say what to do next."""
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.course.new_unit import begin_unit

    kit = find_kit(without_units=True)
    for path in begin_unit(kit, args.unit, args.title):
        print(f"written    {kit.shown(path)}")
    print("Next:")
    print(f"  rnnkit build {args.unit}            makes its notebooks")
    print(f"  rnnkit build --check {args.unit}    finds what is wrong with it")
    print(f"  rnnkit answers {args.unit}          grades the answers")
    return 0
