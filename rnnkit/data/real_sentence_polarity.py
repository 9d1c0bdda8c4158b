"""Sentences of film reviews, for the film or against it."""

from typing import NamedTuple

from rnnkit.data.download import DataError, RemoteFile, fetch, on_github
from rnnkit.data.reading import numbered_lines, unzip_texts
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split, part_of

_FILE = RemoteFile(
    name="sentence_polarity.zip",
    folder="nltk_data",
    address=on_github(
        "nltk/nltk_data",
        "5db857e6f7df11eabb5e5665836db9ec8df07e28",
        "packages/corpora/sentence_polarity.zip",
    ),
    sha256="6e1ed4405b65c7eabf1d199a7f7c437091ac21da0ea7467b410a74062574566b",
    stands_in="acceptability",
)
_PARTS = ("rt-polarity.pos", "rt-polarity.neg")


class ReviewSentences(NamedTuple):
    """Sentences and what they say of a film.

    Args:
        sentences: The sentences: words and signs in lower case, apart by spaces.
        labels: 1 for each that is for the film, 0 for each against it.
    """

    sentences: list[str]
    labels: list[int]


@register(
    DataInfo(
        name="sentence_polarity",
        kind="download",
        description="sentences of film reviews, for or against the film",
        size="10,662 sentences (half for, half against), 0.5 MB",
        licence="CC BY 4.0",
        source="Pang and Lee (2005), in github.com/nltk/nltk_data",
        stands_in="acceptability",
    )
)
def sentence_polarity(split: str = "train") -> ReviewSentences:
    """Load sentences of film reviews with what they say of the film.

    Half of each split is for, half against; the two stand side by side in turn.
    Taught in unit 07, section s38.

    Args:
        split: "train", "valid" or "test": of each ten sentences of either kind,
            eight to train on, one for validation, one for test.

    Returns:
        The sentences and their labels.

    Raises:
        ValueError: There is no such split.
        DataError: The file cannot be had, or is of another form.
    """
    check_split(split)
    path = fetch(_FILE)
    texts = unzip_texts(path, _PARTS[0], _PARTS)
    kinds = [[line.strip() for _, line in numbered_lines(texts.get(part, ""))] for part in _PARTS]
    if len(kinds[0]) != len(kinds[1]):
        raise DataError(
            f"as many sentences in {_PARTS[0]} as in {_PARTS[1]}",
            f"{len(kinds[0])} and {len(kinds[1])}",
            f"delete {path} and run this again",
        )
    # The file has no parts of its own.
    pairs = [pair for place, pair in enumerate(zip(*kinds, strict=True)) if part_of(place) == split]
    return ReviewSentences([text for pair in pairs for text in pair], [1, 0] * len(pairs))
