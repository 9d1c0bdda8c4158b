"""The vectors that come from words' characters, made once for each word."""

from collections.abc import Sequence
from itertools import chain, compress

import numpy as np

from rnnkit.elmo.character_encoder import CharacterEncoder
from rnnkit.elmo.character_reader import CharacterReader
from rnnkit.elmo.characters import BEGIN_SENTENCE, END_SENTENCE, word_ids

CACHE_BYTES = 128_000_000
WORD_BYTES = 150  # of a word and its place, beside its vector
WORDS_AT_ONCE = 256  # whose characters are read side by side


class WordVectors:
    """What a `CharacterEncoder` gives for each word, remembered.

    Args:
        encoder: The encoder. Whoever changes its weights calls `forget`.
        max_characters: How many ids stand for a word.
    """

    def __init__(self, encoder: CharacterEncoder, max_characters: int) -> None:
        self._max_characters = max_characters
        self._places: dict[str, int] = {}
        self._read = CharacterReader(encoder)
        self._most = max(1, CACHE_BYTES // (4 * encoder.units + WORD_BYTES))
        self._table = np.zeros((WORDS_AT_ONCE, encoder.units), dtype="float32")  # row 0: no word

    def look_up(self, sentences: Sequence[Sequence[str]]) -> tuple[list[np.ndarray], np.ndarray]:
        """Where the vectors of the words of some sentences stand.

        Args:
            sentences: Lists of words.

        Returns:
            For each sentence, with its marks, rows of a table, none of them 0;
            and the table, `(rows, units)`, whose row 0 is zeros.
        """
        marked = [(BEGIN_SENTENCE, *sentence, END_SENTENCE) for sentence in sentences]
        words = list(chain.from_iterable(marked))
        rows = self._known(words)
        if not rows.all():
            self._learn(words, rows == 0)
            rows = self._known(words)
        ends = np.cumsum([len(sentence) for sentence in marked[:-1]])
        return np.split(rows, ends), self._table

    def _known(self, words: list[str]) -> np.ndarray:
        """For each word its row of the table, or 0."""
        find = self._places.get
        return np.array([find(word, 0) for word in words])

    def _learn(self, words: list[str], is_new: np.ndarray) -> None:
        """Make the vectors of new words, or of all where they do not fit beside the known ones."""
        new = list(dict.fromkeys(compress(words, is_new)))
        if len(self._places) + len(new) > self._most:
            self._places.clear()
            new = list(dict.fromkeys(words))
        for start in range(0, len(new), WORDS_AT_ONCE):
            self._add(new[start : start + WORDS_AT_ONCE])

    def forget(self) -> None:
        """Make all vectors anew, with the weights as they are then, when they are asked for."""
        self._places.clear()
        self._read.renew()

    def _add(self, words: list[str]) -> None:
        ids = np.stack([word_ids(word, self._max_characters) for word in words])
        first = len(self._places) + 1
        last = first + len(words)
        if last > len(self._table):
            rows = max(last, min(2 * len(self._table), self._most + 1))
            more = np.zeros((rows - len(self._table), self._table.shape[1]), dtype="float32")
            self._table = np.concatenate([self._table, more])
        self._table[first:last] = self._read(ids)
        self._places.update(zip(words, range(first, last), strict=True))
