"""What ELMo showed, measured with the biLM that comes with the kit.

    python benchmarks/elmo_tables.py               all tables
    python benchmarks/elmo_tables.py gain layers   some; the other sections stay as they are
    python benchmarks/elmo_tables.py --rest        those that the report lacks

They are written to docs/reports/elmo.md, each as soon as it is measured. The texts are loaded by
`rnnkit.data` (a download, or from RNNKIT_DATA); gensim trains the static vectors. With
RNNKIT_FAST=1, the short setting is run with random vectors and printed, and nothing is written.
"""

import argparse
import inspect
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rnnkit import experiments
from rnnkit.elmo import BiLM, BiLMOptions, StaticVectors
from rnnkit.experiments.elmo_fine_tuning import PRETRAINED, SCRATCH
from rnnkit.experiments.elmo_lab import NAMES, POS
from rnnkit.experiments.elmo_layers import AROUND, PSEUDOWORDS, SENSES, STATIC, USES
from rnnkit.experiments.elmo_tagging import ELMO, TOKENS
from rnnkit.experiments.elmo_tagging import STATIC as STATIC_TAGGER
from rnnkit.experiments.intervals import interval, separate

REPORT = Path(__file__).resolve().parents[1] / "docs" / "reports" / "elmo.md"
HEAD = """# What ELMo showed, at the size of the kit

Each section comes from the command in it: an experiment of `rnnkit.experiments` with its defaults,
and the biLM of `rnnkit.elmo.load_pretrained()`, whose vectors are frozen everywhere but in
`fine_tuning`. Static vectors are word2vec's (gensim: skip-gram, 128 numbers, 2 words to each side,
10 epochs), trained on the text that the biLM has read. The token layer of the biLM is the second
baseline without context: it knows a word's characters, but not its sentence.

A number is the mean over 5 seeds with its 95 % interval (Student's t). A seed draws the labelled
sentences and the first weights, and is the same one for all that is compared, so a difference is
also given seed by seed. Learning rates and numbers of updates were set once and are the same for
all that is compared, but for a rate twice as high for the classifier from scratch; how strongly a
linear probe is held back is chosen on the validation part. All numbers are of test parts (of a
tagger: of its first 1,000 sentences). An effect *shows* where the two intervals are separate.
In `fine_tuning`, the question about the tense, and the mean of all layers as what is classified,
were chosen by linear probes that were scored on the test parts; rates and numbers of updates by a
few seeds, most of them on the validation part.

What shows and what does not, of what Peters and others (2018) and Dai and Le (2015) report of
models a hundred times as large:
"""
Rows = list[tuple[str, list[np.ndarray]]]  # a name, and one array of seeds for each column


class Section(NamedTuple):
    """One section of the report.

    Args:
        measure: The experiment, called with a lab.
        lines: Its tables and verdicts.
    """

    measure: Callable[..., Any]
    lines: Callable[[Any], Iterator[str]]


def cell(values: np.ndarray) -> str:
    """A mean and its interval.

    Args:
        values: One number for each seed.
    """
    mean, low, high = interval(values)
    return f"{mean:.3f} ({low:.3f} to {high:.3f})"


def table(head: Sequence[str], rows: Rows) -> Iterator[str]:
    """A table of means and intervals, and an empty line."""
    yield f"| {' | '.join(['', *head])} |"
    yield f"|{' --- |' * (len(head) + 1)}"
    for name, columns in rows:
        yield f"| {' | '.join([name, *map(cell, columns)])} |"
    yield ""


def verdict(claim: str, better: np.ndarray, worse: np.ndarray) -> str:
    """Whether an effect shows.

    Args:
        claim: What is claimed: "ELMo over static vectors".
        better: One number for each seed, of what should be better.
        worse: The same seeds of the other.
    """
    mean, low, high = interval(better - worse)
    difference = f"{mean:+.3f} ({low:+.3f} to {high:+.3f}) seed by seed"
    if separate(better, worse):
        return f"- {claim}: **shows**, {difference}."
    if separate(worse, better):
        return f"- {claim}: **the other way round**, {difference}."
    if low > 0:
        return f"- {claim}: shows only seed by seed, the intervals overlap; {difference}."
    if high < 0:
        return f"- {claim}: seed by seed it is the other way round; {difference}."
    return f"- {claim}: does not show at this size, {difference}."


def tagging_tables(result: Any) -> Iterator[str]:
    """A table for each task of a `TaggingResult`."""
    names = {POS: "Share of right parts of speech", NAMES: "F1 of names"}
    for task, arrangements in result.scores.items():
        labels = list(next(iter(arrangements.values())))
        yield f"{names[task]}, by the number of labelled sentences:"
        yield ""
        rows = [(name, list(each.values())) for name, each in arrangements.items()]
        yield from table([f"{count:,}" for count in labels], rows)


def compared(result: Any, better: str, worse: str, claim: str) -> Iterator[str]:
    """A verdict for each task and each number of labels."""
    for task, arrangements in result.scores.items():
        for count, values in arrangements[better].items():
            yield verdict(f"{claim}, {task}, {count:,}", values, arrangements[worse][count])
    yield ""


def gain(result: Any) -> Iterator[str]:
    """The lines of `elmo_gain`."""
    yield from tagging_tables(result)
    yield from compared(result, ELMO, STATIC_TAGGER, "ELMo over static vectors")
    yield from compared(result, ELMO, TOKENS, "ELMo over its own token layer")


def all_layers(result: Any) -> Iterator[str]:
    """The lines of `elmo_all_layers`."""
    yield from tagging_tables(result)
    yield from compared(result, "all layers", "last layer", "all layers over the last one")


def weights_table(rows: dict[str, np.ndarray]) -> Iterator[str]:
    """The weights of the layers."""
    count = next(iter(rows.values())).shape[1]
    head = ["token layer", *(f"layer {number}" for number in range(1, count))]
    yield from table(head, [(name, list(each.T)) for name, each in rows.items()])


def regularization(result: Any) -> Iterator[str]:
    """The lines of `elmo_regularization`."""
    yield from tagging_tables(result)
    large, small = next(iter(result.scores.values()))
    yield from compared(result, small, large, f"{small} over {large}")
    yield "Weights of the layers with the most labels:"
    yield ""
    yield from weights_table(
        {
            f"{task}, {name}": places["input"]
            for task, by_name in result.weights.items()
            for name, places in by_name.items()
        }
    )


def placement(result: Any) -> Iterator[str]:
    """The lines of `elmo_placement`."""
    yield from tagging_tables(result)
    yield from compared(result, "at both", "at the input", "both places over the input")
    yield from compared(result, "at the input", "at the output", "the input over the output")


def layers(result: Any) -> Iterator[str]:
    """The lines of `elmo_layer_probes`."""
    merged = ", ".join("/".join(pair) for pair in result.words)
    yield f"Share that a linear softmax gets right; the merged words are {merged}:"
    yield ""
    by_task = result.accuracy
    names = list(dict.fromkeys(name for kinds in by_task.values() for name in kinds))
    yield f"| | {' | '.join(by_task)} |"
    yield f"|{' --- |' * (len(by_task) + 1)}"
    for name in names:
        cells = [cell(kinds[name]) if name in kinds else "" for kinds in by_task.values()]
        yield f"| {' | '.join([name, *cells])} |"
    yield ""
    for task in (PSEUDOWORDS, SENSES, USES):
        kinds = by_task[task]
        yield verdict(
            f"context (layer 2) over static vectors, {task}", kinds["layer 2"], kinds[STATIC]
        )
    for task in (PSEUDOWORDS, SENSES):
        kinds = by_task[task]
        yield verdict(f"layer 2 over layer 1, {task}", kinds["layer 2"], kinds["layer 1"])
    for task in (POS, USES):
        kinds = by_task[task]
        yield verdict(f"layer 1 over layer 2, {task}", kinds["layer 1"], kinds["layer 2"])
    kinds = by_task[POS]
    yield verdict("layer 1 over the token layer, " + POS, kinds["layer 1"], kinds["layer 0"])
    kinds = by_task[PSEUDOWORDS]
    yield verdict(
        f"layer 2 over the static vectors of the words around, {PSEUDOWORDS}",
        kinds["layer 2"],
        kinds[AROUND],
    )
    yield ""


def neighbours(result: Any) -> Iterator[str]:
    """The lines of `elmo_neighbours`."""
    yield "Nearest words, and their part of speech where they stand:"
    yield ""
    yield "| word | static vector | as a noun | as a verb |"
    yield "| --- | --- | --- | --- |"
    for word, near in result.static.items():
        uses = [
            ", ".join(f"{each.word} ({each.tag.lower()})" for each in found)
            for found in result.in_context[word].values()
        ]
        yield f"| {word} | {', '.join(each.word for each in near)} | {' | '.join(uses)} |"
    yield ""
    yield (
        f"How often the nearest occurrence of the same word is used as it is, noun or verb "
        f"({result.occurrences} occurrences; no chance in it, so no interval):"
    )
    yield ""
    yield f"| without context | {' | '.join(result.same_use)} |"
    yield f"|{' --- |' * (len(result.same_use) + 1)}"
    shares = [result.more_frequent, *result.same_use.values()]
    yield f"| {' | '.join(f'{share:.3f}' for share in shares)} |"
    yield ""
    yield "Without context: the more frequent use of the word is taken each time."
    yield ""


def layer_weights(result: Any) -> Iterator[str]:
    """The lines of `elmo_layer_weights`."""
    yield "Weights of the layers, s, which sum to 1; each begins at 0.333:"
    yield ""
    yield from weights_table(result.weights)
    for task, each in result.weights.items():
        most, other = np.argsort(each.mean(axis=0))[[-1, -2]]
        yield verdict(f"{task}: layer {most} over layer {other}", each[:, most], each[:, other])
    yield ""


def fine_tuning(result: Any) -> Iterator[str]:
    """The lines of `elmo_fine_tuning`."""
    for task, by_start in result.accuracy.items():
        yield (
            f"Share of test sentences with the right label, {task}, by the number of labelled "
            f"sentences; the more frequent label alone gets {result.most_frequent[task]:.3f}:"
        )
        yield ""
        head = [f"{count:,}" for count in result.labels[task]]
        yield from table(head, [(name, list(each.T)) for name, each in by_start.items()])
        both = zip(result.labels[task], by_start[PRETRAINED].T, by_start[SCRATCH].T, strict=True)
        for count, better, worse in both:
            yield verdict(f"pretrained over scratch, {task}, {count:,}", better, worse)
        yield ""


# In the order of the report.
SECTIONS: dict[str, Section] = {
    "gain": Section(experiments.elmo_gain, gain),
    "all_layers": Section(experiments.elmo_all_layers, all_layers),
    "regularization": Section(experiments.elmo_regularization, regularization),
    "placement": Section(experiments.elmo_placement, placement),
    "layers": Section(experiments.elmo_layer_probes, layers),
    "neighbours": Section(experiments.elmo_neighbours, neighbours),
    "layer_weights": Section(experiments.elmo_layer_weights, layer_weights),
    "fine_tuning": Section(experiments.elmo_fine_tuning, fine_tuning),
}


def section(name: str, lab: experiments.ElmoLab) -> str:
    """Run an experiment, and write its section."""
    begin = time.monotonic()
    measured = SECTIONS[name].measure(lab=lab)
    seconds = time.monotonic() - begin
    question = (inspect.getdoc(SECTIONS[name].measure) or "").split("\n\n")[0]
    lines = [f"## {name}", "", " ".join(question.split()), ""]
    lines += [f"`python benchmarks/elmo_tables.py {name}`, {seconds:.0f} seconds", ""]
    return "\n".join([*lines, *SECTIONS[name].lines(measured)]).strip() + "\n"


def sections(report: str) -> dict[str, str]:
    """The sections of a report by name."""
    found = re.split(r"^(?=## )", report, flags=re.MULTILINE)[1:]
    return {part.split("\n", 1)[0].removeprefix("## "): part.strip() + "\n" for part in found}


def whole_report(known: dict[str, str]) -> str:
    """The report: all verdicts first, then the sections in their order."""
    ordered = [known[each].strip() + "\n" for each in SECTIONS if each in known]
    verdicts = [line for text in ordered for line in text.splitlines() if line.startswith("- ")]
    return "\n".join([HEAD, *verdicts, "", *ordered])


def small_lab() -> experiments.ElmoLab:
    """A lab with random vectors."""
    generator = np.random.default_rng(1)
    static = StaticVectors(["the", "guard", "watches"], generator.normal(size=(3, 8)))
    bilm = BiLM(BiLMOptions(memory=8, projection=4, filters=((1, 4), (2, 4))))
    return experiments.ElmoLab(bilm, static)


def main() -> None:
    """Run what is asked for; write after each, so that nothing gets lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--rest", action="store_true", help="only those that the report lacks")
    arguments = parser.parse_args()
    names = arguments.names or list(SECTIONS)
    unknown = sorted(set(names) - set(SECTIONS))
    if unknown:
        parser.error(f"expected names of {', '.join(SECTIONS)}. Received: {', '.join(unknown)}")
    fast = os.environ.get("RNNKIT_FAST") == "1"
    known = sections(REPORT.read_text("utf-8")) if REPORT.exists() else {}
    lab = small_lab() if fast else experiments.ElmoLab()
    for name in names:
        if arguments.rest and name in known:
            continue
        known[name] = section(name, lab)
        print(known[name], flush=True)
        if not fast:
            REPORT.write_text(whole_report(known), "utf-8")


if __name__ == "__main__":
    main()
