"""Splitting texts into words at white space."""

import re
from collections.abc import Sequence

from rnnkit.text.normalise import normalise
from rnnkit.text.texts import decoded, tensorflow_text

# Unicode's property White_Space. Python's str.split() also splits at U+001C to U+001F.
_SPACES = "\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
WHITE_SPACE = re.compile(f"[{_SPACES}]")


def words(texts: Sequence[str | bytes]) -> list[list[str]]:
    """Split each text at white space; punctuation stays with its word.

    Words are NFC-normalised. Joining them with single spaces gives the text
    back, except for the kind and the number of spaces. Used in unit 03.

    Args:
        texts: Strings, or bytes in UTF-8. What is not valid Unicode becomes
            U+FFFD.

    Returns:
        For each text, the list of its words; an empty list for a text that is
        empty or all white space.

    Raises:
        TypeError: `texts` is one string, or holds something else than
            strings and bytes.

    Example:

    >>> from rnnkit.text import words
    >>> words(["The cat sat.", " "])
    [['The', 'cat', 'sat.'], []]
    """
    normal = normalise(texts)
    if not normal:
        return []
    return (_split_in_python if tensorflow_text() is None else _split_with_tensorflow)(normal)


def _split_with_tensorflow(texts: list[str]) -> list[list[str]]:
    # The tokenizer leaves a part of each space of more than one byte (such as
    # U+3000) at the end of the word before it, so it gets simple spaces alone.
    simple = [WHITE_SPACE.sub(" ", text).encode() for text in texts]
    return decoded(tensorflow_text().WhitespaceTokenizer().tokenize(simple).to_list())


def _split_in_python(texts: list[str]) -> list[list[str]]:
    return [[word for word in WHITE_SPACE.split(text) if word] for text in texts]
