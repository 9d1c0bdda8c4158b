"""``rnnkit report``: list submissions that are more alike than chance."""

import argparse
from pathlib import Path

from rnnkit.cli.options import kit_with

__all__ = ["add_arguments", "run"]

SHOWN = 20


def _share(text: str) -> float:
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = 0.0
    if not 1 <= number <= 100:
        raise argparse.ArgumentTypeError(f"expected a share from 1 to 100, received {text!r}")
    return number / 100


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
        "--at-least",
        metavar="PERCENT",
        type=_share,
        help="list pairs that share this much (default: what is more than chance in this class)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the page and print the pairs; exit status 0 whatever was found."""
    kit = kit_with(args.unit)
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.grading.likeness_report import report_likeness
    from rnnkit.plain_text import in_one_line

    report = report_likeness(
        kit, args.unit, args.course, args.at_least, lambda line: print(line, flush=True)
    )
    found = report.likeness
    print(
        f"Compared {found.students} submissions. The pair in the middle shares "
        f"{found.usual:.0%} of what is its own; listed are pairs that share {found.limit:.0%} "
        "or more."
    )
    for pair in found.pairs[:SHOWN]:
        cells = ", ".join(cell.name or "own cells" for cell in pair.cells) or "spread"
        line = f"{pair.one} and {pair.other}: {pair.share:.0%} ({cells})"
        print(f"  {in_one_line(line)}")
    if len(found.pairs) > SHOWN:
        print(f"  and {len(found.pairs) - SHOWN} more")
    if not found.pairs:
        print("  none")
    print(f"To read them side by side: {report.page}")
    print("Alike is no finding: read both answers, and speak with the people.")
    return 0
