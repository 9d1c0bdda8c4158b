"""Splitting texts into words and punctuation, in any script."""

import itertools
import unicodedata
from collections.abc import Sequence

from rnnkit.text.scripts import script_of
from rnnkit.text.texts import decoded, tensorflow_text
from rnnkit.text.words import words

_DOTTED_CIRCLE = "\u25cc"  # in print, it stands for a missing letter under a mark
_JOINERS = "\u200c\u200d"  # they stand inside words of Persian or Hindi, and inside emoji


def script_words(texts: Sequence[str | bytes]) -> list[list[str]]:
    """Split each text at white space, and wherever the script changes.

    Digits and punctuation belong to no script of their own (Unicode calls
    theirs Common), so they are cut from letters, but not from one another:
    "don't" gives three tokens, "3.14" and "!?" give one. Japanese is cut
    between kanji and kana. Combining marks and joiners stay with the character
    before them. Tokens are NFC-normalised. Used in units 03 and 04.

    Args:
        texts: Strings, or bytes in UTF-8. What is not valid Unicode becomes
            U+FFFD.

    Returns:
        For each text, the list of its tokens. All of them together are the
        text without its white space.

    Raises:
        TypeError: `texts` is one string, or holds something else than
            strings and bytes.

    Example:

    >>> from rnnkit.text import script_words
    >>> script_words(["Is it 3.14, or not?", "日本語が"])
    [['Is', 'it', '3.14,', 'or', 'not', '?'], ['日本語', 'が']]
    """
    # At white space first: tensorflow-text leaves the space of "3 4" out, and
    # makes one token of both numbers.
    rows = words(texts)
    # tensorflow-text also cuts a mark from its letter. It gets one character for
    # each cluster, and its tokens are filled up again.
    clusters = [_clusters(word) for row in rows for word in row]
    if not clusters:
        return [[] for _ in rows]
    firsts = ["".join(_first(cluster) for cluster in word) for word in clusters]
    split = _split_in_python if tensorflow_text() is None else _split_with_tensorflow
    tokens = map(_fill, split(firsts), clusters)  # for each word
    return [[token for _ in row for token in next(tokens)] for row in rows]


def _clusters(word: str) -> list[str]:
    """A word cut into characters, each with the marks that follow it."""
    clusters: list[str] = []
    for character in word:
        if clusters and _joins(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _joins(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character).startswith("M")


def _first(cluster: str) -> str:
    """What decides a cluster's script: its letter; a mark alone counts as punctuation."""
    return _DOTTED_CIRCLE if _joins(cluster[0]) else cluster[0]


def _fill(tokens: list[str], clusters: list[str]) -> list[str]:
    """The tokens of a word again, with whole clusters for their characters."""
    rest = iter(clusters)
    return ["".join(itertools.islice(rest, len(token))) for token in tokens]


def _split_with_tensorflow(parts: list[str]) -> list[list[str]]:
    tokenizer = tensorflow_text().UnicodeScriptTokenizer()
    return decoded(tokenizer.tokenize([part.encode() for part in parts]).to_list())


def _split_in_python(parts: list[str]) -> list[list[str]]:
    return [["".join(run) for _, run in itertools.groupby(part, script_of)] for part in parts]
