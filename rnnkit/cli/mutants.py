"""``rnnkit mutants``: change the reference's answers by machine, and see what the tests miss."""

import argparse
from pathlib import Path

from rnnkit.cli.options import add_run_options, kit_with, limits_from, positive

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("unit", metavar="UNIT", nargs="?", help="the unit, such as 06_attention")
    parser.add_argument("--all", action="store_true", help="all units, one after another")
    parser.add_argument(
        "--cell",
        metavar="GRADE_ID",
        action="append",
        default=[],
        help="only mutants of this answer; may be given several times",
    )
    parser.add_argument(
        "--most",
        type=positive,
        metavar="N",
        default=12,
        help="the most mutants of one answer (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        default=0,
        help="another seed draws other mutants and inputs (default: %(default)s)",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write the report there, in Markdown"
    )
    add_run_options(parser)


def run(args: argparse.Namespace) -> int:
    """Try mutants; exit status 1 when too many that changed behaviour lost no points."""
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from dataclasses import replace

    from rnnkit.course.kit import find_kit
    from rnnkit.errors import KitError
    from rnnkit.grading.files import write_whole
    from rnnkit.grading.mutants.cache import Cache
    from rnnkit.grading.mutants.report import explained, markdown, summary
    from rnnkit.grading.mutants.trials import CELL_SECONDS, UnitMutants, try_mutants

    if bool(args.unit) == args.all:
        raise KitError(
            "a unit, or --all", "both" if args.unit else "neither", "say which units to try"
        )
    kit = find_kit() if args.all else kit_with(args.unit)
    # Our own answers may run with a mark where this machine can put up no fence.
    limits = replace(limits_from(args, CELL_SECONDS, sandbox="try"), fast=True)
    results = {}
    for name in kit.units() if args.all else [args.unit]:
        mutants = UnitMutants(kit, name, args.most, args.seed, args.cell)
        cache = Cache(kit.root / "build" / "mutants" / f"{name}.jsonl")
        results[name] = try_mutants(mutants, cache, limits, lambda line: print(line, flush=True))
        print(summary(name, results[name]), flush=True)
    for tried in results.values():
        for each in tried:
            if each.trial.survived:
                print(f"\n{each.mutant.name} ({each.trial.why})\n{each.diff}")
    if args.report:
        write_whole(args.report, markdown(results, explained(kit), args.most, args.seed))
    changed = sum(each.trial.changed for tried in results.values() for each in tried)
    survived = sum(each.trial.survived for tried in results.values() for each in tried)
    return 1 if survived > 0.05 * changed else 0
