"""The nearest neighbours of a word in its sentence, beside those of its static vector."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rnnkit import data
from rnnkit.experiments.elmo_lab import ElmoLab, Tagged

NOUN, VERB = "NOUN", "VERB"
# Sentences of ours that any word with both uses fits into.
FRAMES = {
    NOUN: ("They", "talked", "about", "the", "{}", "again", "."),
    VERB: ("They", "wanted", "to", "{}", "them", "again", "."),
}


class _Setting(NamedTuple):
    searched: int  # sentences whose words may be neighbours
    tested: int  # sentences with words that look for their like
    shown: int  # words
    counted: int  # words


FULL = _Setting(searched=4000, tested=10_000, shown=4, counted=40)
SMALL = _Setting(searched=100, tested=100, shown=1, counted=10)


class Neighbour(NamedTuple):
    """A word near another.

    Args:
        word: The word.
        tag: Its part of speech there; None for a static vector, which has none.
        sentence: Where it stands; empty for a static vector.
        place: Its place in the sentence.
        cosine: How near it is.
    """

    word: str
    tag: str | None
    sentence: list[str]
    place: int
    cosine: float


class NeighboursResult(NamedTuple):
    """Nearest neighbours, and how often they are used as the word itself is.

    Args:
        static: For each shown word its nearest words.
        in_context: For each shown word and each use the nearest words in
            context, each word once, with their sentences.
        same_use: For each layer, how often the nearest occurrence of the same
            word has its part of speech, noun or verb.
        more_frequent: How often the word's more frequent part of speech in the
            searched text is the right one: what can be had without context.
        occurrences: How many occurrences were looked at.
    """

    static: dict[str, list[Neighbour]]
    in_context: dict[str, dict[str, list[Neighbour]]]
    same_use: dict[str, float]
    more_frequent: float
    occurrences: int

    def series(self) -> dict[str, list[tuple[float, list[float]]]]:
        """The share with the same use against the layer, for `rnnkit.plots.curves`."""
        layers = enumerate(self.same_use.values())
        return {"same part of speech": [(number, [share]) for number, share in layers]}


def elmo_neighbours(
    count: int = 5,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> NeighboursResult:
    """Find the nearest neighbours of words as nouns, as verbs, and without context (S36).

    The words are not chosen by hand: those of UD English-EWT's training part
    whose rarer one of the two uses is the most frequent. Each is put into two
    sentences of ours, as a noun and as a verb; the neighbours in context are
    words in sentences of the training part, by the cosine of the last layer.

    Two sentences show little, so this is counted too: for each use of such a
    word in the test part, does the nearest occurrence of the same word in the
    training part have the same part of speech?

    Taught in unit 07, sections s30 and s36.

    Args:
        count: How many neighbours.
        lab: The vectors; by default those of the kit's biLM.
        fast: The small setting of a new lab: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The neighbours, and the shares. There is no chance in them.
    """
    lab = ElmoLab(fast=fast) if lab is None else lab
    setting = SMALL if lab.fast else FULL
    train, test = _texts(lab.fast)
    words = used_in_two_ways(train)[: setting.counted]
    searched = Tagged(*(rows[: setting.searched] for rows in train))
    tested = Tagged(*(rows[: setting.tested] for rows in test))
    occurrences = _Occurrences(lab, searched)
    shown = words[: setting.shown]
    lab.layers([framed(word, use) for word in shown for use in FRAMES])  # all in one batch
    result = NeighboursResult(
        {word: _static_neighbours(lab, searched, word, count) for word in shown},
        {word: _in_frames(lab, occurrences, word, count) for word in shown},
        *_shares(lab, occurrences, tested, words),
    )
    if not quiet:
        print(
            f"{result.occurrences} occurrences, same part of speech: {result.same_use}, "
            f"without context {result.more_frequent:.3f}",
            flush=True,
        )
    return result


def used_in_two_ways(text: Tagged) -> list[str]:
    """The words of a text by how often they have the rarer one of the uses noun and verb.

    Args:
        text: Sentences with universal parts of speech.

    Example:

    >>> used_in_two_ways(Tagged([["play", "a", "play"]], [["VERB", "DET", "NOUN"]]))
    ['play']
    """
    counts = Counter(
        (word, tag)
        for sentence, tags in zip(text.words, text.tags, strict=True)
        for word, tag in zip(sentence, tags, strict=True)
    )
    rarer = {word: min(counts[word, NOUN], counts[word, VERB]) for word, _ in counts}
    return sorted((word for word in rarer if rarer[word]), key=lambda word: (-rarer[word], word))


def framed(word: str, use: str) -> list[str]:
    """A sentence of ours with the word as a noun or as a verb."""
    return [part.format(word) for part in FRAMES[use]]


class _Occurrences:
    """All words of some sentences, with their vectors."""

    def __init__(self, lab: ElmoLab, text: Tagged) -> None:
        self.text = text
        self.where = [
            (number, place)
            for number, sentence in enumerate(text.words)
            for place in range(len(sentence))
        ]
        self.words = [text.words[number][place] for number, place in self.where]
        self.tags = [text.tags[number][place] for number, place in self.where]
        self.layers = _unit(np.concatenate(lab.layers(text.words), axis=1))
        self.of_word: dict[str, list[int]] = {}
        for row, word in enumerate(self.words):
            self.of_word.setdefault(word, []).append(row)

    def neighbour(self, row: int, cosine: float) -> Neighbour:
        number, place = self.where[row]
        sentence = self.text.words[number]
        return Neighbour(self.words[row], self.tags[row], sentence, place, cosine)


def _in_frames(
    lab: ElmoLab, occurrences: _Occurrences, word: str, count: int
) -> dict[str, list[Neighbour]]:
    found = {}
    for use, frame in FRAMES.items():
        [layers] = lab.layers([framed(word, use)])
        cosines = occurrences.layers[-1] @ _unit(layers)[-1, frame.index("{}")]
        near: dict[str, Neighbour] = {}
        for row in np.argsort(-cosines, kind="stable"):
            near.setdefault(occurrences.words[row], occurrences.neighbour(row, float(cosines[row])))
            if len(near) == count:
                break
        found[use] = list(near.values())
    return found


def _static_neighbours(lab: ElmoLab, text: Tagged, word: str, count: int) -> list[Neighbour]:
    """The nearest among the words of the text, without the word itself."""
    others = sorted({each for sentence in text.words for each in sentence} - {word})
    known = [each for each in others if each in lab.static]
    if not known:
        return []
    vectors = _unit(np.stack([lab.static.vector(each) for each in known]))
    cosines = vectors @ _unit(lab.static.vector(word))
    nearest = np.argsort(-cosines, kind="stable")[:count]
    return [Neighbour(known[row], None, [], 0, float(cosines[row])) for row in nearest]


def _shares(
    lab: ElmoLab, occurrences: _Occurrences, tested: Tagged, words: Sequence[str]
) -> tuple[dict[str, float], float, int]:
    right: dict[str, list[bool]] = {f"layer {number}": [] for number in range(lab.layer_count)}
    most_frequent: list[bool] = []
    wanted = set(words)
    read = lab.layers(tested.words)
    for sentence, tags, layers in zip(tested.words, tested.tags, read, strict=True):
        places = [
            place
            for place, (word, tag) in enumerate(zip(sentence, tags, strict=True))
            if word in wanted and tag in FRAMES and word in occurrences.of_word
        ]
        for place in places:
            rows = [
                row
                for row in occurrences.of_word[sentence[place]]
                if occurrences.tags[row] in FRAMES
            ]
            if rows:
                own_tags = [occurrences.tags[row] for row in rows]
                vectors = occurrences.layers[:, rows]
                cosines = np.einsum("lrs,ls->lr", vectors, _unit(layers)[:, place])
                # Layer 0 is the same at each of them: the first one is taken.
                for name, best in zip(right, cosines.argmax(axis=1), strict=True):
                    right[name].append(own_tags[best] == tags[place])
                most_frequent.append(Counter(own_tags).most_common(1)[0][0] == tags[place])
    count = len(most_frequent)
    shares = {name: float(np.mean(each)) if count else 0.0 for name, each in right.items()}
    return shares, float(np.mean(most_frequent)) if count else 0.0, count


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-12)


def _texts(fast: bool) -> tuple[Tagged, Tagged]:
    if fast:
        made = [data.tagged_sentences(200, split, seed=1) for split in ("train", "test")]
        train, test = (Tagged(each.sentences, each.tags) for each in made)
        return train, test
    train, test = (
        Tagged(*data.load("ud_english", split=split, quiet=True)) for split in ("train", "test")
    )
    return train, test
