"""What all splitters share: texts that are valid, and tensorflow-text where it is."""

import functools
import re
from collections.abc import Sequence
from typing import Any

import rnnkit

# One half of a UTF-16 pair, alone: Python strings can hold it, UTF-8 cannot.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def valid_texts(texts: Sequence[str | bytes]) -> list[str]:
    """Strings that UTF-8 can hold, from strings or from bytes in UTF-8.

    Args:
        texts: Strings, or bytes. What is not valid Unicode (a broken byte
            sequence, half of a surrogate pair) becomes U+FFFD.

    Raises:
        TypeError: `texts` is one string, or holds something else than strings
            and bytes.

    Example:

    >>> valid_texts(["a", b"b", b"c\\xff"])
    ['a', 'b', 'c\ufffd']
    """
    if isinstance(texts, str | bytes):
        raise TypeError(f"texts must be a list of strings, not one string. Received: {texts!r}")
    return [_valid_text(text) for text in texts]


def _valid_text(text: str | bytes) -> str:
    if isinstance(text, bytes):
        return text.decode("utf-8", errors="replace")
    if isinstance(text, str):
        return _LONE_SURROGATE.sub("\ufffd", text)
    raise TypeError(f"each text must be a string or bytes. Received: {text!r}")


@functools.cache
def tensorflow_text() -> Any:
    """The module tensorflow-text, or None where it is not installed (Windows has none)."""
    try:
        with rnnkit._without_import_log():
            import tensorflow_text
    except ModuleNotFoundError:
        return None
    return tensorflow_text


def decoded(rows: list[list[bytes]]) -> list[list[str]]:
    """TensorFlow's strings are bytes; these are Python's."""
    return [[token.decode() for token in row] for row in rows]
