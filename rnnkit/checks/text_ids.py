"""Checks for unit 05: a table of symbols and ids, and texts as padded ids."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, call
from rnnkit.text import Vocabulary

Array = np.ndarray
Table = dict[str, int]
PAD, UNK, BOS, EOS = (
    Vocabulary.pad_id,
    Vocabulary.unk_id,
    Vocabulary.bos_id,
    Vocabulary.eos_id,
)
FIRST = EOS + 1
_LETTERS = "zéxqdba+=732 ßmk"


@check
def symbol_ids(answer: Function, seed: int = 0) -> None:
    """Check `answer(texts)`, section s20: the characters of some texts, and their ids.

    Args:
        answer: The student's function of a list of texts; it returns a
            dictionary from each character to its id: 4, 5, ... in the order of
            `sorted`.
        seed: For the random texts.

    Raises:
        AssertionError: The table is not right.
    """
    generator = np.random.default_rng(seed)
    cases = [
        ["7+32=", *_texts(generator, 5), "dada bad"],
        _texts(generator, 1, longest=9),
        ["aa", "a"],
        ["ba", "", "ab"],
        [" ab", "ba\n", "\tcAb "],
    ]
    results = [_read_table(call("build_vocabulary", answer, texts)) for texts in cases]
    for texts, table in zip(cases, results, strict=True):
        expected = _table(sorted(set("".join(texts))))
        if table == expected:
            continue
        named = [
            sentence
            for sentence, ways in _table_slips().items()
            if any(
                all(slip(t) == found for t, found in zip(cases, results, strict=True))
                for slip in ways
            )
        ]
        raise AssertionError(
            f"build_vocabulary(texts): not right. {(named or [_difference(table, expected)])[0]}"
            f"\nTexts: {_shown(texts)}\nYours: {_shown(table)}\nExpected: {_shown(expected)}"
        )


def _texts(generator: np.random.Generator, count: int, longest: int = 6) -> list[str]:
    """Random texts of different lengths; no two neighbours are equally long."""
    lengths = [2 + (place * 3 + longest) % (longest - 1) for place in range(count)]
    return ["".join(generator.choice(list(_LETTERS), length)) for length in lengths]


def _read_table(value: Any) -> dict[Any, Any]:
    if value is None:
        raise AssertionError(
            "build_vocabulary(texts) is None. Does the function end with `return`?"
        )
    if not isinstance(value, Mapping):
        raise AssertionError(
            "build_vocabulary(texts) should return a dictionary from symbols to ids. "
            f"Received: {_shown(value)}"
        )
    return {_plain(key): _plain(entry) for key, entry in value.items()}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _table(symbols: Sequence[str], first: int = FIRST) -> dict[Any, Any]:
    return {symbol: number for number, symbol in enumerate(symbols, start=first)}


def _sorted(texts: Sequence[str]) -> list[str]:
    return sorted(set("".join(texts)))


_TABLE_SLIPS: dict[str, Function] = {
    "The ids begin at 0, but 0 to 3 are reserved (0 is padding). The first symbol gets 4.": (
        lambda texts: _table(_sorted(texts), 0)
    ),
    "The ids begin at 1, but 0 to 3 are reserved. The first symbol gets 4.": (
        lambda texts: _table(_sorted(texts), 1)
    ),
    "The ids begin at 3, which is the end token. The first symbol gets 4.": (
        lambda texts: _table(_sorted(texts), 3)
    ),
    "The ids begin at 5; one id is never used. The first symbol gets 4.": (
        lambda texts: _table(_sorted(texts), 5)
    ),
    "The symbols stand in the order in which they come up; they should be sorted.": (
        lambda texts: _table(list(dict.fromkeys("".join(texts))))
    ),
    "The most frequent symbols come first; they should be sorted.": (
        lambda texts: _table([symbol for symbol, _ in Counter("".join(texts)).most_common()])
    ),
    "The symbols are sorted from the last to the first.": (
        lambda texts: _table(_sorted(texts)[::-1])
    ),
    "It goes from ids to symbols; it should go from symbols to ids.": (
        lambda texts: {number: symbol for symbol, number in _table(_sorted(texts)).items()}
    ),
    "The symbols are whole texts; they should be characters.": (
        lambda texts: _table(sorted(set(texts)))
    ),
    "The symbols are words; they should be characters.": (
        lambda texts: _table(sorted({word for text in texts for word in text.split()}))
    ),
    "The symbols of the first text alone are there.": lambda texts: _table(_sorted(texts[:1])),
    "A symbol that comes again gets another id, so that ids are left out. Use each symbol "
    "once.": lambda texts: _table("".join(texts)),
    "The symbols are sorted, but a symbol that comes again gets another id. Use each symbol "
    "once.": lambda texts: _table(sorted("".join(texts))),
}


_CHANGED_TEXTS: dict[str, list[Callable[[str], str]]] = {
    "Blanks and line ends at the ends of a text are left out; they are characters too.": [
        str.strip,
        str.rstrip,
        str.lstrip,
        lambda text: text.rstrip("\n"),
        lambda text: text.strip(" "),
    ],
    "Capital letters are taken as small ones, or the other way round; they are other characters.": [
        str.lower,
        str.upper,
    ],
}


def _changed(way: Function, change: Callable[[str], str]) -> Function:
    return lambda texts, *more: way([change(text) for text in texts], *more)


def _table_slips() -> dict[str, list[Function]]:
    """The ways to make each known slip."""
    changed = {
        sentence: [_changed(lambda texts: _table(_sorted(texts)), change) for change in changes]
        for sentence, changes in _CHANGED_TEXTS.items()
    }
    return {sentence: [slip] for sentence, slip in _TABLE_SLIPS.items()} | changed


def _difference(table: dict[Any, Any], expected: Table) -> str:
    if set(table) == set(expected):
        if sorted(map(str, table.values())) == sorted(map(str, expected.values())):
            return (
                "The symbols have each other's ids. Are they sorted? The order of a set is another "
                "one each time Python starts."
            )
        return "All symbols are there, but their ids should be 4, 5, 6 and so on."
    more = [key for key in table if key not in expected]
    if more:
        return f"It holds what is no character of the texts: {_shown(more)}."
    return f"Characters are missing: {_shown([key for key in expected if key not in table])}."


@check
def encoded_texts(answer: Function, seed: int = 0) -> None:
    """Check `answer(texts, ids)`, section s20: padded ids, and the mask.

    Args:
        answer: The student's function of a list of texts and a dictionary from
            characters to ids. It returns the ids, `(batch, longest)`, padded on
            the right, and the mask, True for a real symbol. A character that is
            not in the dictionary gets the unknown id.
        seed: For the random texts.

    Raises:
        AssertionError: The ids or the mask are not right.
    """
    generator = np.random.default_rng(seed)
    known = _table(sorted(set(_LETTERS) - {"q", "3"}))
    # More than fit into one byte: the last ones have the ids 256 to 303.
    many = _table([chr(0x4E00 + place) for place in range(300)])

    def inputs(texts: list[str]) -> tuple[list[str], Table]:
        return texts, known

    expect_answers(
        "encode_texts(texts, ids)",
        answer,
        {
            "": inputs(["a3b", "32", *_texts(generator, 3, longest=7), "qq=x"]),
            "one text": inputs(["7+2="]),
            "a text of one symbol": inputs(["b", "ad"]),
            "an unknown symbol at the end": inputs(["abd", "zq"]),
            "blanks at the ends, and capital letters": inputs(["ab ", " Bm", "a\n"]),
            "300 known symbols": (["".join(many)[-48:], "a" + "".join(many)[100:140]], many),
        },
        _encoded,
        {
            "The padding stands on the left; it should stand on the right.": (
                lambda *i: _encoded(*i, left=True)
            ),
            "A symbol that is not in the dictionary is left out; it should become UNK_ID.": (
                lambda texts, ids: _encoded([[c for c in t if c in ids] for t in texts], ids)
            ),
            "A symbol that is not in the dictionary becomes padding; it should become "
            "UNK_ID.": lambda *i: _encoded(*i, unknown=PAD),
            "The mask is True everywhere; it should be False on padding.": lambda *i: {
                "ids": _encoded(*i)["ids"],
                "mask": np.ones_like(_encoded(*i)["mask"]),
            },
            "The mask is the wrong way round: True stands for a real symbol.": lambda *i: {
                "ids": _encoded(*i)["ids"],
                "mask": ~_encoded(*i)["mask"],
            },
            "The mask is False on unknown symbols; they are real, only not known.": lambda *i: {
                "ids": _encoded(*i)["ids"],
                "mask": _encoded(*i)["ids"] > UNK,
            },
            "The start token stands in front; here there should be the symbols alone.": (
                lambda *i: _encoded(*i, front=[BOS])
            ),
            "The end token stands behind each text; here there should be the symbols alone.": (
                lambda *i: _encoded(*i, behind=[EOS])
            ),
            "Each text is written backwards.": (
                lambda texts, ids: _encoded([t[::-1] for t in texts], ids)
            ),
            "The batch stands along the second axis; it should be the first.": lambda *i: {
                part: array.T for part, array in _encoded(*i).items()
            },
            **{
                sentence: [_changed(_encoded, change) for change in changes]
                for sentence, changes in _CHANGED_TEXTS.items()
            },
            "An id above 127 or 255 becomes another one: the integers of this array have too few "
            "bits. Take int32, or NumPy's own choice.": [
                lambda *i: _encoded(*i) | {"ids": _encoded(*i)["ids"].astype("uint8")},
                lambda *i: _encoded(*i) | {"ids": _encoded(*i)["ids"].astype("int8")},
            ],
            "Texts are cut to the length of max(texts), which is the last text in the alphabet; "
            "take the largest of their lengths.": (
                lambda texts, ids: _encoded([t[: len(max(texts))] for t in texts], ids)
            ),
            "Texts are cut to the length of the shortest; fill up to that of the longest.": (
                lambda texts, ids: _encoded([t[: min(map(len, texts))] for t in texts], ids)
            ),
        },
    )


def _encoded(
    texts: Sequence[Sequence[str]],
    ids: Table,
    *,
    left: bool = False,
    unknown: int = UNK,
    front: Sequence[int] = (),
    behind: Sequence[int] = (),
) -> dict[str, Array]:
    rows = [[*front, *(ids.get(symbol, unknown) for symbol in text), *behind] for text in texts]
    longest = max(map(len, rows))
    padded, mask = np.full((len(rows), longest), PAD), np.zeros((len(rows), longest), bool)
    for place, row in enumerate(rows):
        columns = slice(longest - len(row), None) if left else slice(None, len(row))
        padded[place, columns], mask[place, columns] = row, True
    return {"ids": padded, "mask": mask}
