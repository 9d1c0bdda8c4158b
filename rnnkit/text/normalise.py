"""One way to write each text: Unicode's normal forms, and small letters."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, get_args

from rnnkit.text.texts import tensorflow_text, valid_texts

Form = Literal["NFC", "NFKC"]
Case = Literal["keep", "lower", "fold"]
FORMS, CASES = get_args(Form), get_args(Case)

# What folding leaves out: characters that show nothing, such as a soft hyphen
# (Unicode's property Default_Ignorable_Code_Point).
_SHOWS_NOTHING = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def normalise(texts: Sequence[str | bytes], form: Form = "NFC", case: Case = "keep") -> list[str]:
    """Write texts that mean the same in the same way.

    Taught in unit 03, section s8.

    Args:
        texts: Strings, or bytes in UTF-8. What is not valid Unicode becomes
            U+FFFD.
        form: "NFC" writes a letter and its accent as one character where
            Unicode has one. "NFKC" also replaces characters that differ in
            looks alone: a ligature by its letters, a full-width letter by the
            usual one, a no-break space by a space.
        case: "keep" leaves letters as they are, "lower" makes them small, and
            "fold" makes texts equal that differ in case alone in any language
            ("Straße" and "STRASSE"); folding implies NFKC, and leaves out
            characters that show nothing.

    Returns:
        The texts, one for each.

    Raises:
        TypeError: `texts` is one string, or holds something else than
            strings and bytes.
        ValueError: `form` or `case` is unknown.

    Example:

    >>> from rnnkit.text import normalise
    >>> normalise(["Stra\u00dfe", "ﬁx"], form="NFKC", case="lower")
    ['straße', 'fix']
    >>> normalise(["Stra\u00dfe"], case="fold")
    ['strasse']
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}. Received: {form!r}")
    if case not in CASES:
        raise ValueError(f"case must be one of {', '.join(CASES)}. Received: {case!r}")
    valid = valid_texts(texts)
    if case == "lower":
        # Python's, on all systems: TensorFlow's cuts a text at a null character.
        valid = [text.lower() for text in valid]
    if not valid:
        return []
    library = tensorflow_text()
    if library is None:
        return [_fold(t) if case == "fold" else unicodedata.normalize(form, t) for t in valid]
    raw = [text.encode() for text in valid]
    normal = library.case_fold_utf8(raw) if case == "fold" else library.normalize_utf8(raw, form)
    return [text.decode() for text in normal.numpy().tolist()]


def _fold(text: str) -> str:
    apart = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFKC", _SHOWS_NOTHING.sub("", apart.casefold()))
