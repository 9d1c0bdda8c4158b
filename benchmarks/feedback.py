"""What each wrong answer of the bank is told, counted; what has no number of it, listed.

    python benchmarks/both_graders.py --cache FOLDER --graders referee
    python benchmarks/feedback.py --cache FOLDER > docs/reports/feedback.md

The first command grades the answers and keeps the feedback, the second reads what was kept.
Exit status 1: an answer is not graded, or its feedback has not the words that it must have.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from both_graders import Cache, all_answers

from rnnkit.course.kit import Kit, find_kit

# A message shows what came out of the student's code: numbers, or True and False.
NUMBERS = re.compile(r"\d|Yours:")
OWN = re.compile(r"\n(Yours|Expected):")
SENTENCE = re.compile(r"[.?!](?=\s|$)")
READY_MADE = "calls the ready-made"
HEAD = """# What a wrong answer is told

`python benchmarks/feedback.py`, from the feedback of `python benchmarks/both_graders.py`.

Each wrong answer in `tests/answers` names the cells that it must lose and words that the feedback
must hold, which name its slip. "Sentences" are those before the lines "Yours" and "Expected".

| unit | wrong answers | cells lost | with the words | with numbers | \
uses what is ready-made | sentences: median, most |
| --- | --- | --- | --- | --- | --- | --- |
"""
LIST = """
Without a number, and not about something ready-made:

| unit | answer | cell | message |
| --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Message:
    """What stands under a cell that a wrong answer must lose."""

    unit: str
    answer: str
    cell: str
    text: str
    has_words: bool

    @property
    def has_numbers(self) -> bool:
        """Whether there is any number in it."""
        return bool(NUMBERS.search(self.text))

    @property
    def is_ready_made(self) -> bool:
        """Whether it says that something ready-made was called, which has no numbers."""
        return READY_MADE in self.text

    @property
    def sentences(self) -> int:
        """How many it takes to say what is wrong."""
        return len(SENTENCE.findall(OWN.split(self.text)[0]))


def messages(kit: Kit, unit: str, cache: Cache) -> Iterator[Message]:
    """The messages of a unit's wrong answers.

    Raises:
        LookupError: An answer is not graded.
    """
    for answer in all_answers(kit, unit):
        if answer.kind != "wrong":
            continue
        result = cache.get(unit, "referee", answer)
        if result is None:
            raise LookupError(f"{unit}: {answer.name} is not graded as it is now")
        for cell in answer.loses:
            text = result.messages.get(cell, "").rpartition("AssertionError: ")[2].strip()
            yield Message(unit, answer.name, cell, text, not result.faults)


def row(unit: str, found: list[Message]) -> str:
    """A unit's line of the table."""
    lengths = sorted(each.sentences for each in found)
    ready_made = sum(each.is_ready_made for each in found)
    cells = [
        unit,
        len({each.answer for each in found}),
        len(found),
        sum(each.has_words for each in found),
        sum(each.has_numbers for each in found),
        ready_made,
        f"{lengths[len(lengths) // 2]}, {lengths[-1]}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="default: all units")
    parser.add_argument("--cache", type=Path, required=True, help="folder of both_graders.py")
    options = parser.parse_args()
    kit = find_kit()
    cache = Cache(options.cache, kit)
    try:
        found = {unit: list(messages(kit, unit, cache)) for unit in options.units or kit.units()}
    except LookupError as error:
        print(f"{error}; run benchmarks/both_graders.py first", file=sys.stderr)
        return 1
    print(HEAD + "\n".join(row(unit, each) for unit, each in found.items()))
    every = [message for each in found.values() for message in each]
    print(LIST.rstrip("\n"))
    for each in every:
        if not each.has_numbers and not each.is_ready_made:
            text = " ".join(each.text.split()).replace("|", "\\|")
            print(f"| {each.unit} | {each.answer} | {each.cell} | {text} |")
    return 0 if all(each.has_words for each in every) else 1


if __name__ == "__main__":
    sys.exit(main())
