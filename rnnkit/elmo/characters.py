"""Words as the character ids of the published format."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

MAX_CHARACTERS = 50
BEGIN_SENTENCE, END_SENTENCE = "<S>", "</S>"
# Bytes are 0 to 255; then the marks. Every id is raised by 1, so that 0 means "no word here".
_BEGIN_SENTENCE, _END_SENTENCE, _BEGIN_WORD, _END_WORD, _PADDING = range(256, 261)
TABLE_ROWS = 261  # ids that a published table has a row for
_MARKS = {BEGIN_SENTENCE: _BEGIN_SENTENCE, END_SENTENCE: _END_SENTENCE}


def word_ids(word: str, max_characters: int = MAX_CHARACTERS) -> np.ndarray:
    r"""The ids of one word: its bytes in UTF-8, between two marks, then padding.

    A word with more than `max_characters - 2` bytes is cut; a character may be
    cut in its middle. The two sentence marks `<S>` and `</S>` have an id of
    their own in place of their letters.

    Taught in unit 07, section s31.

    Args:
        word: The word, any Unicode text; half of a surrogate pair counts as "?".
        max_characters: The length of the result; at least 3.

    Returns:
        `(max_characters,)`, int32, from 1 to 261.

    Raises:
        ValueError: `max_characters` is less than 3.

    Example:

    >>> word_ids("at", max_characters=6)
    array([259,  98, 117, 260, 261, 261], dtype=int32)
    """
    if max_characters < 3:
        raise ValueError(
            f"word_ids expects max_characters >= 3. Received: max_characters={max_characters}"
        )
    mark = _MARKS.get(word)
    inner = word.encode("utf-8", errors="replace")[: max_characters - 2] if mark is None else [mark]
    ids = np.full(max_characters, _PADDING, dtype="int32")
    ids[0] = _BEGIN_WORD
    ids[1 : len(inner) + 1] = list(inner)
    ids[len(inner) + 1] = _END_WORD
    return ids + 1


def character_ids(
    sentences: Sequence[Sequence[str]], max_characters: int = MAX_CHARACTERS
) -> np.ndarray:
    """The character ids of a batch of sentences, each with its marks at both ends.

    Taught in unit 07, section s31.

    Args:
        sentences: Lists of words.
        max_characters: How many ids stand for a word.

    Returns:
        `(batch, words of the longest + 2, max_characters)`, int32; 0 on padding.

    Raises:
        TypeError: A sentence is a text and no list of words.

    Example:

    >>> ids = character_ids([["the", "bank"], ["no"]])
    >>> ids.shape, ids[:, :, 0].tolist()
    ((2, 4, 50), [[259, 259, 259, 259], [259, 259, 259, 0]])
    """
    check_sentences(sentences)
    longest = max(map(len, sentences), default=0) + 2
    ids = np.zeros((len(sentences), longest, max_characters), dtype="int32")
    known: dict[str, np.ndarray] = {}
    for row, sentence in enumerate(sentences):
        for column, word in enumerate([BEGIN_SENTENCE, *sentence, END_SENTENCE]):
            if word not in known:
                known[word] = word_ids(word, max_characters)
            ids[row, column] = known[word]
    return ids


def check_sentences(sentences: Sequence[Sequence[str]]) -> None:
    """See that sentences are lists of words.

    Args:
        sentences: What should be lists of words.

    Raises:
        TypeError: They are something else, such as texts.
    """
    if isinstance(sentences, str) or any(isinstance(sentence, str) for sentence in sentences):
        received = (
            sentences
            if isinstance(sentences, str)
            else next(sentence for sentence in sentences if isinstance(sentence, str))
        )
        raise TypeError(
            "Expected a list of sentences, each a list of words, such as "
            f'[["the", "bank"], ["no"]]. Received the text {received[:40]!r}: '
            "split it into words first, for example with rnnkit.text.words"
        )
    for word in chain.from_iterable(sentences):
        if not isinstance(word, str):
            raise TypeError(
                "Expected each word of a sentence to be a text. "
                f"Received: {word!r} of type {type(word).__name__}"
            )
