"""``rnnkit colab``: run exercises and lectures as Colab would."""

import argparse
from pathlib import Path

from rnnkit.course.kit import find_kit
from rnnkit.errors import KitError

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="what to run, such as lectures/01_rnn or 01_rnn (default: all)",
    )
    parser.add_argument(
        "--python",
        metavar="FILE",
        type=Path,
        required=True,
        help="the Python of an environment with Colab's packages; `make test-colab` makes one",
    )


def run(args: argparse.Namespace) -> int:
    """Run the notebooks that have not passed yet; exit status 1 when one fails."""
    # Imported here: nbgrader takes a second to load, and --help must not wait.
    from rnnkit.course.colab import PASSED, ColabRuns
    from rnnkit.grading.tables import colab_table, print_table

    runs = ColabRuns(find_kit(), args.python)
    wanted = [
        each
        for each in runs.notebooks
        if not args.names or {each.name, each.name.rpartition("/")[2]} & {*args.names}
    ]
    if not wanted:
        known = ", ".join(each.name for each in runs.notebooks)
        raise KitError(
            f"names of notebooks: {known}",
            ", ".join(args.names) or "a kit without notebooks",
            "call the command again with one of these names, or with none for all",
        )
    results = []
    for number, notebook in enumerate(wanted, start=1):
        result = runs.run(notebook)
        results.append(result)
        how = "passed before" if result.earlier else f"{result.result} ({result.seconds:.0f} s)"
        print(f"[{number}/{len(wanted)}] {notebook.name}: {how}", flush=True)
    print_table(colab_table(results, runs.python_version()))
    return int(any(result.result != PASSED for result in results))
