"""Names of people as keys: whatever the accents, the apostrophes and the order."""

import itertools
import re
import unicodedata

__all__ = ["key", "keys_of", "student_name", "words"]

# Letters that Unicode does not take apart into a plain letter and a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_NOT_IN_NAMES = re.compile(r"[^\w]+|_+")
MOST_WORDS = 6  # of a name whose words are tried in each order that begins elsewhere


def key(text: str, spelled_out: bool = False) -> str:
    """A name as it is compared: no accents, no case, letters and digits only.

    Args:
        text: The name.
        spelled_out: Whether ä stands for ae, as people write who lack the letter.

    Example:

    >>> key("O’Brien, Zoë"), key("Müller"), key("Müller", spelled_out=True), key("Strauß")
    ('obrienzoe', 'muller', 'mueller', 'strauss')
    """
    return "".join(words(text, spelled_out))


def words(text: str, spelled_out: bool = False) -> list[str]:
    """The words of a name, each as `key` has it; an apostrophe parts no word.

    Args:
        text: The name.
        spelled_out: As for `key`.

    Example:

    >>> words("García-Márquez, Ana d'Arc")
    ['garcia', 'marquez', 'ana', 'darc']
    """
    text = unicodedata.normalize("NFC", text).casefold()
    if spelled_out:
        text = text.translate(_SPELLED_OUT)
    letters = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = re.sub(r"['’‘ʼ`´]", "", plain)
    return [word for word in _NOT_IN_NAMES.split(plain) if word]


def keys_of(given: str, surname: str, full: str) -> set[str]:
    """All keys under which a person's name may stand in an LMS.

    Args:
        given: Given names; may be empty.
        surname: Surnames; may be empty.
        full: The whole name, where it is not known which part is which.

    Example:

    >>> sorted(keys_of("Ada", "Lovelace", ""))
    ['adalovelace', 'lovelaceada']
    """
    found = set()
    for spelled_out in (False, True):
        if given or surname:
            parts = [key(part, spelled_out) for part in (given, surname)]
            found |= {"".join(parts), "".join(reversed(parts))}
        listed = words(full, spelled_out)
        turns = range(len(listed)) if len(listed) <= MOST_WORDS else range(1)
        found |= {"".join(itertools.chain(listed[k:], listed[:k])) for k in turns}
    return found - {""}


def student_name(name: str) -> str:
    """A name for a student's folder, made of the name that the LMS gives.

    Args:
        name: The name.

    Example:

    >>> student_name("Zoë O'Brien")
    'zoe_obrien'
    """
    return "_".join(words(name))[:80]
