"""English web sentences with the tense of their main verb, by Universal Dependencies."""

from pathlib import Path
from typing import NamedTuple

from rnnkit.data.download import fetch
from rnnkit.data.real_ud_english import FILES, analyses
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split

_TENSES = {"Tense=Pres": 0, "Tense=Past": 1}
_FEATURES, _HEAD = 5, 6  # columns


class TenseSentences(NamedTuple):
    """Sentences and the tense of their main verb.

    Args:
        sentences: The words of each sentence.
        labels: 1 for the past tense, 0 for the present tense.
    """

    sentences: list[list[str]]
    labels: list[int]


@register(
    DataInfo(
        name="ud_english_tense",
        kind="download",
        description="sentences from the web with the tense of the main verb (UD English-EWT)",
        size="3,329 sentences to train on (54 % present), 459 valid, 455 test (64 % present)",
        licence="CC BY-SA 4.0",
        source="Universal Dependencies, github.com/UniversalDependencies/UD_English-EWT",
        stands_in="tagged_sentences",
    )
)
def ud_english_tense(split: str = "train") -> TenseSentences:
    """Load English sentences with the tense of their main verb.

    A sentence counts where the root of its syntactic analysis is itself a verb
    in the present or the past tense: "She wrote to us." is past. With an
    auxiliary the root has no tense ("She will write"), so such sentences are
    left out. The question is one of those that Conneau and others (2018) ask
    to find out what a sentence's vector holds. Taught in unit 07, section s38.

    Args:
        split: "train", "valid" (the file calls it dev) or "test".

    Returns:
        The sentences and their labels.

    Raises:
        ValueError: There is no such split.
        DataError: The file cannot be had, or has a line that is not CoNLL-U.
    """
    check_split(split)
    return _read_tenses(fetch(FILES[split]))


def _read_tenses(path: Path) -> TenseSentences:
    """The sentences of a CoNLL-U file whose root is a verb in a tense."""
    read = TenseSentences([], [])
    for rows in analyses(path):
        features = next((row[_FEATURES].split("|") for row in rows if row[_HEAD] == "0"), [])
        tense = next((_TENSES[each] for each in features if each in _TENSES), None)
        if tense is not None and "VerbForm=Fin" in features:
            read.sentences.append([row[1] for row in rows])
            read.labels.append(tense)
    return read
