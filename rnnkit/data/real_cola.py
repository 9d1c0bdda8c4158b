"""Sentences that linguists judged as good English or not."""

from pathlib import Path
from typing import NamedTuple

from rnnkit.data.download import RemoteFile, fetch, on_github
from rnnkit.data.reading import numbered_lines, odd_line, read_text
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split

_PARTS = (
    (
        "train",
        "in_domain_train",
        "f320a10f92d3bce6b29152fde322a362eac39238e50d8de0c8815457fdf4fc12",
    ),
    ("valid", "in_domain_dev", "77176f6a03faa5a1c4f23c69971fc1bff565931112fb65af47b2d6e24b7f42f7"),
    ("test", "out_of_domain_dev", None),  # not known: recorded at the first download
)
_FILES = {
    split: RemoteFile(
        name=f"{part}.tsv",
        folder="cola_public",
        address=on_github(
            "nyu-mll/CoLA-baselines",
            "dd095d3646ed05a315280aaa8ed4ec84ba435b3e",
            f"acceptability_corpus/cola_public/raw/{part}.tsv",
        ),
        sha256=sha256,
        stands_in="acceptability",
    )
    for split, part, sha256 in _PARTS
}


class Judgements(NamedTuple):
    """Sentences and whether they are good English.

    Args:
        sentences: The sentences.
        labels: 1 for each good sentence, 0 for each bad one.
        books: The code of the book that each sentence is from: "gj04".
    """

    sentences: list[str]
    labels: list[int]
    books: list[str]


@register(
    DataInfo(
        name="cola",
        kind="download",
        description="sentences of linguists' books, judged good or bad (CoLA)",
        size="8,551 to train on, 527 valid, 516 test, 0.5 MB",
        licence="no open licence: for research, not redistributed",
        source="Warstadt and others (2018), github.com/nyu-mll/CoLA-baselines",
        stands_in="acceptability",
    )
)
def cola(split: str = "train") -> Judgements:
    """Load sentences with judgements. Taught in unit 04, section s17.

    About 70 % of them are good, so the accuracy says little: use the Matthews
    correlation coefficient.

    Args:
        split: "train", "valid" (of the same books: the file calls it in-domain
            dev) or "test" (of other books: out-of-domain dev). The labels of
            the test that papers report are not public.

    Returns:
        The sentences, their labels and their books.

    Raises:
        ValueError: There is no such split.
        DataError: The file cannot be had, or has a line that is not of its form.
    """
    check_split(split)
    return _read_judgements(fetch(_FILES[split]))


def _read_judgements(path: Path) -> Judgements:
    read = Judgements([], [], [])
    for number, line in numbered_lines(read_text(path)):
        fields = line.split("\t")
        if len(fields) != 4 or fields[1] not in ("0", "1") or not fields[3].strip():
            raise odd_line(path, number, "a book, 0 or 1, the book's mark, a sentence", line)
        read.books.append(fields[0])
        read.labels.append(int(fields[1]))
        read.sentences.append(fields[3].strip())
    return read
