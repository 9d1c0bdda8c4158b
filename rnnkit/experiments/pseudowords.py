"""Pseudowords: two words merged into one form, to be told apart by the context alone."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rnnkit import data
from rnnkit.experiments.elmo_text import Sentences, wikipedia

LONGEST = 60  # words of a sentence
COMMON_TAG = "NN"  # of MASC: a noun in the singular
LEAST_COUNT, LEAST_SHARE = 20, 0.95


class Pseudoword(NamedTuple):
    """Sentences with a word that stands for two.

    Args:
        words: The two words.
        form: What stands in the place of either.
        sentences: For each of the two, sentences that had it.
        places: For each of the two, where it stood in each of them.
    """

    words: tuple[str, str]
    form: str
    sentences: tuple[Sentences, Sentences]
    places: tuple[list[int], list[int]]


def pseudowords(
    text: Sequence[Sequence[str]], nouns: Sequence[str], pairs: int
) -> list[Pseudoword]:
    """Merge the frequent nouns of a text, two by two.

    The most frequent one is merged with the second, the third with the fourth,
    and so on: no pair is chosen by hand, and both of a pair are about as
    frequent. The form is the two words written together, so what stands there
    says nothing of which of the two it was.

    Args:
        text: Sentences.
        nouns: The words that may be merged.
        pairs: How many pseudowords to make.

    Returns:
        The pseudowords, those of frequent words first. A sentence with both
        words of a pair, or with one of them twice, is left out.

    Raises:
        ValueError: The text has too few of the nouns.

    Example:

    >>> text = [["the", "cat", "sat"], ["a", "dog", "ran"], ["the", "cat", "ran"]]
    >>> [made] = pseudowords(text, ["cat", "dog"], pairs=1)
    >>> made.form, made.sentences[1], made.places
    ('catdog', [['a', 'catdog', 'ran']], ([1, 1], [1]))
    """
    counts = Counter(word for sentence in text for word in sentence)
    known = sorted(set(nouns), key=lambda word: (-counts[word], word))
    chosen = [word for word in known if counts[word]][: 2 * pairs]
    if pairs < 1 or len(chosen) < 2 * pairs:
        raise ValueError(
            f"pseudowords expects {2 * pairs} nouns (2 or more) that are in the text. "
            f"Received: {len(chosen)}"
        )
    return [
        _merged(text, (first, second))
        for first, second in zip(chosen[::2], chosen[1::2], strict=True)
    ]


def _merged(text: Sequence[Sequence[str]], words: tuple[str, str]) -> Pseudoword:
    form = "".join(words)
    made = Pseudoword(words, form, ([], []), ([], []))
    for sentence in text:
        found = [place for place, word in enumerate(sentence) if word in words]
        if len(found) == 1 and len(sentence) <= LONGEST:
            [place] = found
            which = words.index(sentence[place])
            made.sentences[which].append([*sentence[:place], form, *sentence[place + 1 :]])
            made.places[which].append(place)
    return made


def real_pseudowords(pairs: int) -> list[Pseudoword]:
    """Pseudowords of real text that the kit's biLM has not read.

    The text: the validation and test parts of UD English-EWT, MASC and the
    sentence polarity set, and the validation part of WikiText-2. The nouns:
    what the training part of MASC tags as a noun in the singular at least 19
    times in 20, and has at least 20 times; letters in lower case, 3 or more.

    Args:
        pairs: How many pseudowords to make.

    Raises:
        DataError: A set cannot be had.
    """
    text: Sentences = []
    for split in ("valid", "test"):
        text += data.load("ud_english", split=split, quiet=True).words
        text += data.load("masc", split=split, quiet=True).words
        polarity = data.load("sentence_polarity", split=split, quiet=True)
        text += [sentence.split() for sentence in polarity.sentences]
    text += wikipedia(data.load("wikitext2", split="valid", quiet=True).text)
    text = [list(each) for each in dict.fromkeys(map(tuple, text))]
    masc = data.load("masc", split="train", quiet=True)
    return pseudowords(text, common_nouns(masc.words, masc.tags), pairs)


def common_nouns(words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[str]:
    """Words that a tagged text has often, and nearly always as a noun in the singular.

    Args:
        words: The words of each sentence.
        tags: Their tags, those of the Penn Treebank.
    """
    all_tags: dict[str, Counter[str]] = {}
    for sentence, row in zip(words, tags, strict=True):
        for word, tag in zip(sentence, row, strict=True):
            all_tags.setdefault(word, Counter())[tag] += 1
    return [
        word
        for word, counts in all_tags.items()
        if len(word) >= 3
        and word.isascii()
        and word.isalpha()
        and word.islower()
        and counts.total() >= LEAST_COUNT
        and counts[COMMON_TAG] >= LEAST_SHARE * counts.total()
    ]


class Parts(NamedTuple):
    """Examples in three parts, each with a label.

    Args:
        train: Places of the examples to learn from.
        valid: Of those to choose settings on.
        test: Of those to measure on.
    """

    train: np.ndarray
    valid: np.ndarray
    test: np.ndarray


def parts(labels: Sequence[int] | np.ndarray, seed: int, most: int) -> Parts:
    """Parts 6 : 2 : 2 in which each label is equally frequent.

    Args:
        labels: The label of each example.
        seed: Of the choice.
        most: How many examples of each label are taken at most.

    Example:

    >>> [len(part) for part in parts([0] * 20 + [1] * 10, seed=0, most=50)]
    [12, 4, 4]
    """
    labels = np.asarray(labels)
    generator = np.random.default_rng(seed)
    by_label = [generator.permutation(np.flatnonzero(labels == each)) for each in np.unique(labels)]
    count = min(most, *map(len, by_label))
    first, second = round(0.6 * count), round(0.8 * count)
    cuts = ((0, first), (first, second), (second, count))
    return Parts(
        *(np.concatenate([places[start:stop] for places in by_label]) for start, stop in cuts)
    )
