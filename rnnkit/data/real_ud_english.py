"""English web texts with parts of speech, by Universal Dependencies."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rnnkit.data.download import RemoteFile, fetch, on_github
from rnnkit.data.reading import odd_line, read_text
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split

_COMMIT = "15d613d8447b3478787d4c278730a1e48a945efb"
_PARTS = (
    ("train", "train", None),  # not known: recorded at the first download
    ("valid", "dev", "531a54ff90d6ab12201c5a50c3e78e6ddac4de69abc4bce5d275d3cd29efe2b6"),
    ("test", "test", "e266e515a0a7547657ed3d90d9ba46487d6bd251f27ad4269d4e8a427c8555cd"),
)
FILES = {
    split: RemoteFile(
        name=f"en_ewt-ud-{part}.conllu",
        folder="ud_english_ewt",
        address=on_github(
            "UniversalDependencies/UD_English-EWT", _COMMIT, f"en_ewt-ud-{part}.conllu"
        ),
        sha256=sha256,
        stands_in="tagged_sentences",
    )
    for split, part, sha256 in _PARTS
}
_COLUMNS = 10
_TAGS = frozenset(
    [
        "ADJ",
        "ADP",
        "ADV",
        "AUX",
        "CCONJ",
        "DET",
        "INTJ",
        "NOUN",
        "NUM",
        "PART",
        "PRON",
        "PROPN",
        "PUNCT",
        "SCONJ",
        "SYM",
        "VERB",
        "X",
    ]
)


class TaggedWords(NamedTuple):
    """Sentences with one tag for each word.

    Args:
        words: The words of each sentence: ``[["I", "saw", "it"], ...]``.
        tags: The tags of each sentence, as many as its words.
    """

    words: list[list[str]]
    tags: list[list[str]]


@register(
    DataInfo(
        name="ud_english",
        kind="download",
        description="sentences from the web with parts of speech (UD English-EWT)",
        size="12,544 sentences to train on (204,577 words), 2,001 valid, 2,077 test",
        licence="CC BY-SA 4.0",
        source="Universal Dependencies, github.com/UniversalDependencies/UD_English-EWT",
        stands_in="tagged_sentences",
    )
)
def ud_english(split: str = "train") -> TaggedWords:
    """Load English sentences with universal parts of speech.

    Words are those of the syntactic analysis: "don't" is "do" and "n't". There
    are 17 tags. Taught in unit 04, section s19, and unit 07, section s35.

    Args:
        split: "train", "valid" (the file calls it dev) or "test".

    Returns:
        The sentences and their tags.

    Raises:
        ValueError: There is no such split.
        DataError: The file cannot be had, or has a line that is not CoNLL-U.
    """
    check_split(split)
    return _read_conllu(fetch(FILES[split]))


def analyses(path: Path) -> Iterator[list[list[str]]]:
    """The sentences of a CoNLL-U file: for each of its words the columns.

    Left out: comments, the lines of words that are written together (numbered
    "3-4"; their parts follow), and words that are not in the text ("5.1").

    Args:
        path: The file.

    Raises:
        DataError: A line is not CoNLL-U.
    """
    rows: list[list[str]] = []
    for number, line in enumerate([*read_text(path).split("\n"), ""], start=1):
        fields = line.split("\t")
        if not line.strip():
            if rows:
                yield rows
            rows = []
        elif line.startswith("#") or _not_a_word(fields):
            continue
        elif len(fields) == _COLUMNS and fields[0].isdecimal() and fields[3] in _TAGS:
            rows.append(fields)
        else:
            expected = "10 columns between tabs: a number, a word, ..., a universal tag, ..."
            raise odd_line(path, number, expected, line)


def _read_conllu(path: Path) -> TaggedWords:
    """Words and universal tags of a CoNLL-U file."""
    read = list(analyses(path))
    return TaggedWords(
        [[fields[1] for fields in rows] for rows in read],
        [[fields[3] for fields in rows] for rows in read],
    )


def _not_a_word(fields: list[str]) -> bool:
    first, _, second = fields[0].replace(".", "-").partition("-")
    return len(fields) == _COLUMNS and first.isdecimal() and second.isdecimal()
