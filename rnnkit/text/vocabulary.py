"""A two-way table of symbols and ids."""

import collections
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rnnkit.text.characters import characters
from rnnkit.text.padding import pad
from rnnkit.text.words import words

Splitter = Callable[[Sequence[str]], list[list[str]]]
Joiner = str | Callable[[Sequence[str]], str]

PAD, UNK, BOS, EOS = range(4)
_UNKNOWN = "\ufffd"  # how an unknown symbol is shown: Unicode's replacement character


class Vocabulary:
    """Symbols (characters by default) and their ids.

    Ids 0 to 3 are reserved: PAD fills up short texts, UNK stands for a symbol
    that is not in the table, BOS begins and EOS ends a text. The symbols come
    after them, from id 4, in the order given.

    Encoding and decoding gives back each text that was split into known
    symbols, as `split` normalised it (NFC). With words or word-pieces, there is
    one space between two of them, whatever stood there before.

    Used in units 03, 05 and 06.

    Args:
        symbols: The symbols, each once.
        split: Splits a list of texts into lists of symbols.
        joiner: What stands between two symbols in a text, "" for characters
            and " " for words; or a function from a list of symbols to a text.

    Raises:
        ValueError: A symbol is empty or comes twice.

    Example:

    >>> from rnnkit.text import Vocabulary
    >>> vocabulary = Vocabulary.from_texts(["abc", "cab"])
    >>> len(vocabulary)  # PAD, UNK, BOS, EOS, a, b, c
    7
    >>> ids, mask = vocabulary.encode(["ab", "cxa"])
    >>> ids
    array([[4, 5, 0],
           [6, 1, 4]], dtype=int32)
    >>> mask
    array([[ True,  True, False],
           [ True,  True,  True]])
    >>> vocabulary.decode(ids)
    ['ab', 'c\ufffda']
    """

    pad_id = PAD
    unk_id = UNK
    bos_id = BOS
    eos_id = EOS

    def __init__(
        self, symbols: Iterable[str], split: Splitter = characters, joiner: Joiner = ""
    ) -> None:
        self.symbols: tuple[str, ...] = tuple(symbols)
        self._split = split
        self._joiner = joiner
        self._ids = {symbol: id_ for id_, symbol in enumerate(self.symbols, start=EOS + 1)}
        if len(self._ids) != len(self.symbols) or "" in self._ids:
            raise ValueError(
                "symbols must be non-empty strings, each given once. "
                f"Received: {list(self.symbols)!r}"
            )
        # What an id looks like in a decoded text; PAD and BOS are left out there.
        self._shown = ("", _UNKNOWN, "", "", *self.symbols)

    @classmethod
    def from_texts(
        cls, texts: Sequence[str], split: Splitter = characters, joiner: Joiner = ""
    ) -> "Vocabulary":
        """Make a vocabulary of all symbols in some texts, in Unicode's order.

        Args:
            texts: The texts; their order does not matter.
            split: Splits a list of texts into lists of symbols.
            joiner: What stands between two symbols in a text.
        """
        found = {symbol for symbols in split(texts) for symbol in symbols}
        return cls(sorted(found), split=split, joiner=joiner)

    @classmethod
    def most_frequent(
        cls,
        texts: Sequence[str],
        maximum_size: int | None = None,
        minimum_count: int = 1,
        split: Splitter = words,
        joiner: Joiner = " ",
    ) -> "Vocabulary":
        """Make a vocabulary of the most frequent words of some texts, these first.

        Words that come equally often stand in Unicode's order.

        Args:
            texts: The texts; their order does not matter.
            maximum_size: The most ids, the 4 reserved ones included; None
                for no limit.
            minimum_count: How often a word must come to be taken.
            split: Splits a list of texts into lists of symbols.
            joiner: What stands between two symbols in a text.

        Raises:
            ValueError: `maximum_size` is less than 4, or `minimum_count` less
                than 1.

        Example:

        >>> texts = ["a cat saw a dog", "a dog saw"]
        >>> Vocabulary.most_frequent(texts, minimum_count=2).symbols
        ('a', 'dog', 'saw')
        """
        if maximum_size is not None and maximum_size <= EOS:
            raise ValueError(
                f"maximum_size must be at least {EOS + 1}, room for the reserved ids. "
                f"Received: {maximum_size}"
            )
        if minimum_count < 1:
            raise ValueError(f"minimum_count must be at least 1. Received: {minimum_count}")
        counts = collections.Counter(symbol for row in split(texts) for symbol in row)
        often = [symbol for symbol, count in counts.items() if count >= minimum_count]
        often.sort(key=lambda symbol: (-counts[symbol], symbol))
        room = None if maximum_size is None else maximum_size - (EOS + 1)
        return cls(often[:room], split=split, joiner=joiner)

    def __len__(self) -> int:
        return EOS + 1 + len(self.symbols)

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._ids

    def encode(
        self,
        texts: Sequence[str],
        length: int | None = None,
        bos: bool = False,
        eos: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Turn texts into ids, padded on the right.

        Args:
            texts: A list of texts.
            length: How many time steps the result has; those of the longest
                text by default.
            bos: Whether each row begins with BOS.
            eos: Whether each text ends with EOS.

        Returns:
            The ids, int32 `(batch, time)`, and the mask, bool
            `(batch, time)`, True for a real symbol (BOS and EOS too) and False
            for padding.

        Raises:
            ValueError: A text has more symbols than `length`.
        """
        before, after = [BOS] * bos, [EOS] * eos
        rows = [
            [*before, *(self._ids.get(symbol, UNK) for symbol in symbols), *after]
            for symbols in self._split(texts)
        ]
        longest = max((len(row) for row in rows), default=0)
        if length is not None and length < longest:
            index = next(i for i, row in enumerate(rows) if len(row) > length)
            raise ValueError(
                f"length must be at least {longest}, the number of symbols in the longest text. "
                f"Received: length={length}, and text {index} has {len(rows[index])} symbols: "
                f"{texts[index][:80]!r}"
            )
        return pad(rows, length, PAD)

    def decode(self, ids: np.ndarray | Sequence[Sequence[int]]) -> list[str]:
        """Turn ids back into texts.

        A text ends before its first EOS. PAD and BOS are left out, and UNK is
        shown as U+FFFD.

        Args:
            ids: Integers ``(batch, time)``: an array, a tensor or lists.

        Returns:
            One string for each row.

        Raises:
            ValueError: ``ids`` has another shape or type, or holds a number
                that is no id of this vocabulary.
        """
        rows = _integer_rows(ids)
        if rows.size and not (rows.min() >= 0 and rows.max() < len(self)):
            wrong = rows[(rows < 0) | (rows >= len(self))][0]
            raise ValueError(f"each id must be from 0 to {len(self) - 1}. Received: {wrong}")
        return [self._decode_row(row) for row in rows.tolist()]

    def _decode_row(self, row: list[int]) -> str:
        end = row.index(EOS) if EOS in row else len(row)
        symbols = [self._shown[id_] for id_ in row[:end] if id_ not in (PAD, BOS)]
        if isinstance(self._joiner, str):
            return self._joiner.join(symbols)
        return self._joiner(symbols)


def _integer_rows(ids: np.ndarray | Sequence[Sequence[int]]) -> np.ndarray:
    rows = np.asarray(ids)
    if rows.ndim != 2:
        raise ValueError(f"ids must have the shape (batch, time). Received: shape {rows.shape}")
    if rows.size and not np.issubdtype(rows.dtype, np.integer):
        raise ValueError(
            f"ids must be integers; take an argmax of probabilities first. Received: {rows.dtype}"
        )
    return rows
