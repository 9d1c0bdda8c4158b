"""The measured results that the lectures show, in a section for each.

    python benchmarks/lecture_numbers.py               all of them
    python benchmarks/lecture_numbers.py copying       some; the other sections stay as they are

They are written to docs/reports/lecture_numbers.md. With RNNKIT_FAST=1, the
short setting is run and printed, and nothing is written.
"""

import argparse
import inspect
import os
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rnnkit import experiments
from rnnkit.experiments.training import Training, spread

REPORT = Path(__file__).resolve().parents[1] / "docs" / "reports" / "lecture_numbers.md"
HEAD = """# Numbers that the lectures show

Each section comes from the command in it, which runs an experiment of `rnnkit.experiments` with its
defaults. A number is the median over the seeds, with the smallest and the largest beside it.
Seconds are the wall-clock time of one training on 2 processor cores, which may have had other work
too: an upper limit.
"""


class Table(NamedTuple):
    """One table of a section.

    Args:
        caption: What stands above: what was measured, against what.
        series: Curves as `rnnkit.plots.curves` takes them, in panels or not.
        columns: The x to show; None for all.
        digits: After the point.
        kind: "f", or "e" for powers of ten.
    """

    caption: str
    series: Mapping[str, Any]
    columns: Sequence[float] | None = None
    digits: int = 2
    kind: str = "f"


DISTANCES = (1, 2, 5, 10, 20, 50, 100)


class Experiment(NamedTuple):
    """What a section is made from.

    Args:
        measure: The experiment, called without arguments.
        tables: The tables of its result.
    """

    measure: Callable[[], Any]
    tables: Callable[[Any], list[Table]]


def ngram_tables(result: experiments.NgramsResult) -> list[Table]:
    """The tables of `against_ngrams`."""
    return [
        Table("Bits per character, against the order of the n-grams", result.by_order()),
        Table("Bits per character, against epochs", result.series()),
    ]


def against_ngrams_shakespeare() -> experiments.NgramsResult:
    """Compare a character LSTM with n-grams on plays of Shakespeare that neither has seen (S10)."""
    return experiments.against_ngrams("shakespeare")


# In the order of the report.
EXPERIMENTS: dict[str, Experiment] = {
    "time_per_step": Experiment(
        experiments.time_per_step,
        lambda result: [
            Table(
                f"Milliseconds a forward pass of {result.batch} sequences, width {result.width}, "
                "against the length in steps",
                result.series(),
                digits=1,
            ),
            Table(
                f"The same at length {result.length}, against the width in units",
                result.series_by_width(),
                digits=1,
            ),
        ],
    ),
    "gradients": Experiment(
        experiments.gradients,
        lambda result: [
            Table(caption, series, DISTANCES, digits=1, kind="e")
            for caption, series in {
                "Elman net, norm against the distance in steps": result.series(),
                "LSTM, state h, inputs of standard deviation 1": result.by_forget_bias("h"),
                "LSTM, memory c, inputs of standard deviation 1": result.by_forget_bias("c"),
                "LSTM, state h, small inputs": result.by_forget_bias("h", "small inputs"),
                "LSTM, memory c, small inputs": result.by_forget_bias("c", "small inputs"),
            }.items()
        ],
    ),
    "copying": Experiment(
        experiments.copying,
        lambda result: [
            Table(
                f"Accuracy after {result.delay + 1} steps, against the forget bias",
                result.series(),
            )
        ],
    ),
    "agreement": Experiment(
        experiments.agreement,
        lambda result: [
            Table("Accuracy at the verb, against attractors", result.series()),
            Table("Accuracy at the verb, against epochs", result.by_epoch()),
        ],
    ),
    "long_range": Experiment(
        experiments.long_range,
        lambda result: [
            Table("Probability of the right word, against its distance in words", result.series())
        ],
    ),
    "right_context": Experiment(
        experiments.right_context,
        lambda result: [
            Table("Accuracy at the ambiguous word, against epochs", result.series(), digits=3)
        ],
    ),
    "bottleneck": Experiment(
        experiments.bottleneck,
        lambda result: [
            Table("Strings written backwards without a fault, against length", result.series())
        ],
    ),
    "against_ngrams": Experiment(experiments.against_ngrams, ngram_tables),
    "against_ngrams_shakespeare": Experiment(against_ngrams_shakespeare, ngram_tables),
    "structure_cells": Experiment(
        experiments.structure_cells,
        lambda result: [
            Table(
                "Score on new text, against the rank of the cell", result.series(), (1, 2, 3, 5, 10)
            )
        ],
    ),
    "fine_tuning": Experiment(
        experiments.fine_tuning,
        lambda result: [
            Table("Matthews' correlation, against the number of labels", result.series())
        ],
    ),
}


def section(name: str) -> str:
    """Run an experiment, and write its section."""
    experiment = EXPERIMENTS[name]
    result = experiment.measure()
    question = (inspect.getdoc(experiment.measure) or "").split("\n\n")[0]
    lines = [f"## {name}", "", " ".join(question.split()), ""]
    backend = os.environ["KERAS_BACKEND"]  # set by rnnkit where the user has not
    before = "" if backend == "tensorflow" else f"KERAS_BACKEND={backend} "
    lines += [f"`{before}python benchmarks/lecture_numbers.py {name}`", ""]
    for table in experiment.tables(result):
        lines += [f"{table.caption}:", "", *_rows(table), ""]
    for name, written in getattr(result, "samples", {}).items():
        lines += [f"Written by the {name}:", "", "```text", written.strip("\n"), "```", ""]
    lines += _trainings(getattr(result, "trainings", []))
    return "\n".join(lines)


def _rows(table: Table) -> list[str]:
    """A curve a row, an x a column."""
    panels: Mapping[str, Any] = table.series
    if not any(isinstance(value, Mapping) for value in panels.values()):
        panels = {"": panels}
    curves = {
        (panel, name): dict(points)
        for panel, lines in panels.items()
        for name, points in lines.items()
    }
    places = sorted({x for points in curves.values() for x in points})
    if table.columns is not None:
        places = [x for x in places if x in table.columns]
    named = [""] if "" not in panels else []
    rows = [_row([*named, "", *(f"{x:g}" for x in places)])]
    rows.append(_row(["---"] * (len(named) + 1 + len(places))))
    for (panel, name), points in curves.items():
        cells = [
            spread(_as_list(points[x]), table.digits, table.kind) if x in points else ""
            for x in places
        ]
        rows.append(_row([*([panel] if named else []), name, *cells]))
    return rows


def _trainings(trainings: Sequence[Training]) -> list[str]:
    if not trainings:
        return []
    lines = [_row(["model", "seeds", "weights", "training (s)"]), _row(["---"] * 4)]
    for model in dict.fromkeys(training.model for training in trainings):
        of_model = [training for training in trainings if training.model == model]
        seconds = statistics.median(training.seconds for training in of_model)
        cells = [str(len(of_model)), f"{of_model[0].weights:,}", f"{seconds:.0f}"]
        lines.append(_row([model, *cells]))
    return [*lines, ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _as_list(value: Any) -> list[float]:
    return list(value) if isinstance(value, Sequence) else [float(value)]


def sections(report: str) -> dict[str, str]:
    """The sections of a report by name."""
    found = re.split(r"^(?=## )", report, flags=re.MULTILINE)[1:]
    return {part.split("\n", 1)[0].removeprefix("## "): part.strip() + "\n" for part in found}


def main() -> None:
    """Run what is asked for; write after each, so that nothing gets lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(EXPERIMENTS)}")
    names = parser.parse_args().names or list(EXPERIMENTS)
    unknown = sorted(set(names) - set(EXPERIMENTS))
    if unknown:
        parser.error(f"expected names of {', '.join(EXPERIMENTS)}. Received: {', '.join(unknown)}")
    for name in names:
        text = section(name)
        print(text, flush=True)
        if os.environ.get("RNNKIT_FAST") == "1":
            continue
        known = sections(REPORT.read_text("utf-8")) if REPORT.exists() else {}
        known[name] = text
        ordered = [known[each].strip() + "\n" for each in EXPERIMENTS if each in known]
        REPORT.write_text("\n".join([HEAD, *ordered]), "utf-8")


if __name__ == "__main__":
    main()
