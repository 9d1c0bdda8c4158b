"""The text that the kit's biLM has read, and static vectors of the same text."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from rnnkit import data
from rnnkit.elmo import StaticVectors

Sentences = list[list[str]]
LONGEST = 80  # words of a sentence; longer ones are cut into several


def pretraining_sources(quiet: bool = True) -> dict[str, Sentences]:
    """Load what the biLM of `rnnkit.elmo.load_pretrained` was trained on, text by text.

    The training parts of UD English-EWT, MASC and the sentence polarity set, and
    the test part of WikiText-2, in the order in which they were read.

    Args:
        quiet: Do not say of each set what it is.

    Returns:
        For each name the sentences, in pieces of at most `LONGEST` words, each once.

    Raises:
        DataError: A set cannot be had.
    """
    sources = {
        "UD English-EWT, training part": data.load("ud_english", split="train", quiet=quiet).words,
        "MASC, training part": data.load("masc", split="train", quiet=quiet).words,
        "WikiText-2, test part": wikipedia(data.load("wikitext2", split="test", quiet=quiet).text),
        "Sentence polarity, training part": [
            sentence.split()
            for sentence in data.load("sentence_polarity", split="train", quiet=quiet).sentences
        ],
    }
    return {name: each_once(sentences) for name, sentences in sources.items()}


def pretraining_text(quiet: bool = True) -> Sentences:
    """All sentences of `pretraining_sources`, about a million words.

    A static vector that is to be compared with the biLM's must come from them too.

    Args:
        quiet: Do not say of each set what it is.

    Returns:
        Lists of words.

    Raises:
        DataError: A set cannot be had.
    """
    return [sentence for source in pretraining_sources(quiet).values() for sentence in source]


def wikipedia(text: str) -> Sentences:
    """Sentences of WikiText-2, its signs inside numbers and words joined again.

    Args:
        text: The text as it is loaded.
    """
    text = re.sub(r" @(.)@ ", r"\1", text)
    lines = (line.split() for line in text.split("\n") if not line.lstrip().startswith("="))
    return [sentence for line in lines for sentence in _cut_at_stops(line)]


def _cut_at_stops(words: list[str]) -> Iterator[list[str]]:
    start = 0
    for place, word in enumerate(words, start=1):
        if word in (".", "?", "!"):
            yield words[start:place]
            start = place
    if start < len(words):
        yield words[start:]


def each_once(sentences: Sentences) -> Sentences:
    """Sentences of at most `LONGEST` words, none empty, none twice.

    Args:
        sentences: Lists of words; longer ones are cut into several.
    """
    parts = (
        tuple(sentence[start : start + LONGEST])
        for sentence in sentences
        for start in range(0, len(sentence), LONGEST)
    )
    return [list(part) for part in dict.fromkeys(parts)]


def word2vec(
    sentences: Sequence[Sequence[str]],
    size: int,
    window: int = 2,
    epochs: int = 10,
    minimum_count: int = 2,
    seed: int = 1,
) -> StaticVectors:
    """Train static vectors with gensim: skip-gram with negative sampling.

    The kit's pip extra `static` installs gensim. One thread trains, so that the
    same call gives the same vectors.

    Args:
        sentences: Lists of words.
        size: How many numbers a vector has.
        window: How many words to each side count as context.
        epochs: How often the text is read.
        minimum_count: How often a word must come to get a vector.
        seed: Of the first vectors and of the draws.

    Returns:
        The vectors, each with mean square 1 over all words, so that they are
        as large as what a net usually reads.

    Raises:
        ImportError: gensim is not installed.
    """
    try:
        from gensim.models import Word2Vec
    except ImportError as error:
        raise ImportError(
            'Static vectors are trained by gensim: pip install gensim, or "rnnkit[static]"'
        ) from error
    model = Word2Vec(
        [list(sentence) for sentence in sentences],
        vector_size=size,
        window=window,
        epochs=epochs,
        min_count=minimum_count,
        sg=1,
        seed=seed,
        workers=1,
    )
    matrix = np.asarray(model.wv.vectors, dtype="float32")
    return StaticVectors(model.wv.index_to_key, matrix / np.sqrt((matrix**2).mean()))
