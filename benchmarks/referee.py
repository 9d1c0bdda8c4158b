"""What the referee costs: the same submissions with tests in it and in the student's kernel.

    python benchmarks/referee.py > docs/reports/referee.md

A light notebook is unit 06 without its trained cells. A call is a student's function of one
array that the test calls again and again: its seconds are those of a submission with many
calls less those of one with a single call, shared out among the calls. Copying is seen in
arrays of several sizes, which go over and come back.
"""

import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from both_graders import kit_in_kernel
from grading import light_reference, make_kit, small_reference
from nbformat.notebooknode import NotebookNode

from rnnkit.course.kit import Kit
from rnnkit.grading.assignment import prepare_assignment
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Submission
from rnnkit.grading.runner import run_submissions

UNIT = "light"
ROUNDS, SUBMISSIONS = 5, 9
CALLS = 2000
FLOATS = (1, 1_000, 100_000)
HEAD = """# What the referee costs

`python benchmarks/referee.py`, {cores} processor cores, one submission at a time. The referee and
the kernel take turns, {rounds} each; the first submission of a turn, which warms up, is left out.
"""


def seconds_of(kit: Kit, notebook: NotebookNode, count: int) -> list[float]:
    """Wall-clock seconds of each of some submissions of a unit's solutions, one after the other."""
    with tempfile.TemporaryDirectory(prefix="rnnkit-bench-") as temporary:
        place = Path(temporary)
        (place / "assignment").mkdir()
        (place / "runs").mkdir()
        assignment = prepare_assignment(
            UNIT, kit.solutions / UNIT, kit.root / "nbgrader_config.py", place / "assignment"
        )
        submissions = []
        for number in range(count):
            folder = place / "submitted" / str(number)
            folder.mkdir(parents=True)
            nbformat.write(notebook, folder / f"{UNIT}.ipynb")
            submissions.append(Submission(str(number), folder, mend=False))
        limits = Limits(jobs=1, fast=True, sandbox="try")
        outcomes = list(run_submissions(assignment, submissions, limits, place / "runs"))
    for outcome in outcomes:
        if any(points != most for points, most in outcome.points.values() if points is not None):
            raise RuntimeError(f"a right answer lost points: {outcome.points}, {outcome.note}")
    return [outcome.seconds for outcome in outcomes[1:]]


def both(notebook: NotebookNode, rounds: int, count: int) -> dict[str, list[float]]:
    """Seconds of submissions with the tests in the referee, and in the kernel, turn by turn."""
    with tempfile.TemporaryDirectory(prefix="rnnkit-bench-") as temporary:
        place = Path(temporary)
        make_kit(place / "referee", UNIT, notebook)
        kits = {"referee": Kit(place / "referee")}
        (place / "kernel").mkdir()
        kits["kernel"] = kit_in_kernel(kits["referee"], UNIT, place / "kernel")
        times: dict[str, list[float]] = {name: [] for name in kits}
        for turn in range(rounds):
            for name, kit in kits.items():
                print(f"turn {turn + 1} of {rounds}: {name} ...", file=sys.stderr, flush=True)
                times[name] += seconds_of(kit, notebook, count)
    return times


def spread(values: list[float], unit: str, scale: float = 1.0) -> str:
    """The median with its quartiles."""
    low, middle, high = statistics.quantiles([scale * value for value in values], n=4)
    return f"{middle:.2f} {unit} ({low:.2f} to {high:.2f})"


def notebook_with_calls(calls: int, floats: int) -> NotebookNode:
    """A unit of three questions; the test of the first calls its function so many times."""
    notebook = small_reference()
    test = next(cell for cell in notebook.cells if cell.id == "q1-test")
    test.source = (
        "import numpy as np\n\n"
        f"numbers = np.ones({floats}, dtype='float32')\n"
        f"for _ in range({calls}):\n"
        "    assert f1(numbers)[0] == 1"
    )
    return notebook


def call_rows() -> Iterator[str]:
    """For each size of an array, the milliseconds of a call with each grader."""
    for floats in FLOATS:
        calls = CALLS if floats < FLOATS[-1] else CALLS // 10
        cells = []
        one, many = (both(notebook_with_calls(n, floats), 3, 4) for n in (1, calls + 1))
        for grader, seconds in many.items():
            alone = statistics.median(one[grader])
            each = [(value - alone) / calls for value in seconds]
            cells.append(spread(each, "ms", 1000))
        yield f"| {floats:,} floats, {4 * floats / 1000:,g} kB | {' | '.join(cells)} |"


def main() -> None:
    """Measure and print the report."""
    print(HEAD.format(cores=os.cpu_count(), rounds=ROUNDS))
    notebook = light_reference(0.0)
    tests = sum(
        bool(cell.metadata.get("nbgrader", {}).get("grade")) and cell.cell_type == "code"
        for cell in notebook.cells
    )
    times = both(notebook, ROUNDS, SUBMISSIONS)
    more = statistics.median(times["referee"]) - statistics.median(times["kernel"])
    print(f"## A light notebook, {tests} tests\n")
    print("| tests in the | a submission |\n| --- | --- |")
    for grader, seconds in times.items():
        print(f"| {grader} | {spread(seconds, 's')} |")
    print(f"\nThe referee takes {more:.2f} s more.\n")
    print("## A call, with its array there and back\n")
    print("| array | in the referee | in the kernel |\n| --- | --- | --- |")
    for line in call_rows():
        print(line, flush=True)


if __name__ == "__main__":
    main()
