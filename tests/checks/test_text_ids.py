"""The checks of vocabularies and padded ids, on answers as people write them."""

import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from rnnkit import checks, text
from rnnkit.checks import text_ids


def in_a_loop(texts: list[str]) -> dict[str, int]:
    table: dict[str, int] = {}
    for character in sorted({character for one in texts for character in one}):
        table[character] = 4 + len(table)
    return table


def with_numpy(texts: list[str]) -> dict[np.str_, np.int64]:
    symbols = np.unique(list("".join(texts)))
    return dict(zip(symbols, np.arange(4, 4 + len(symbols)), strict=True))


@pytest.mark.parametrize("answer", [in_a_loop, with_numpy])
@pytest.mark.parametrize("seed", range(3))
def test_right_table_passes(answer: Callable, seed: int) -> None:
    checks.symbol_ids(answer, seed=seed)


@pytest.mark.parametrize("seed", range(3))
def test_each_slip_in_a_table_is_named_and_no_other(seed: int) -> None:
    slips = text_ids._table_slips()
    for sentence, slip in [(sentence, slip) for sentence, ways in slips.items() for slip in ways]:
        with pytest.raises(AssertionError) as failure:
            checks.symbol_ids(slip, seed=seed)
        message = str(failure.value)
        assert [other for other in slips if other in message] == [sentence]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda texts: None, "is None"),
        (lambda texts: sorted(set("".join(texts))), "should return a dictionary"),
        (lambda texts: {**in_a_loop(texts), "<pad>": 0}, "no character of the texts: ['<pad>']"),
        (lambda texts: dict(list(in_a_loop(texts).items())[:-1]), "Characters are missing"),
        (lambda texts: {c: 9 - i for c, i in in_a_loop(texts).items()}, "should be 4, 5, 6"),
        (
            lambda texts: {
                c: 4 + (i - 3) % len(in_a_loop(texts)) for c, i in in_a_loop(texts).items()
            },
            "Are they sorted?",
        ),
        (lambda texts: Counter("".join(texts)), "should be 4, 5, 6"),
    ],
)
def test_other_wrong_table_is_described(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=re.escape(words)):
        checks.symbol_ids(answer)


def test_ready_made_vocabulary_is_noticed() -> None:
    def table(texts: list[str]) -> dict[str, int]:
        return {s: i for i, s in enumerate(text.Vocabulary.from_texts(texts).symbols, start=4)}

    def encoded(texts: list[str], ids: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
        return text.Vocabulary(sorted(ids)).encode(texts)

    def padded(texts: list[str], ids: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
        return text.pad([[ids.get(character, 1) for character in one] for one in texts])

    with pytest.raises(AssertionError, match="ready-made"):
        checks.symbol_ids(table)
    for answer in (encoded, padded):
        with pytest.raises(AssertionError, match="ready-made"):
            checks.encoded_texts(answer)
