"""Words cut into pieces, so that a small vocabulary can write nearly every word."""

import collections
import functools
from collections.abc import Iterable, Sequence
from typing import Any

from rnnkit.text.script_words import script_words
from rnnkit.text.texts import decoded, tensorflow_text

UNKNOWN_WORD = "[UNK]"
_CONTINUES = "##"


class WordPieces:
    """Splits texts into word-pieces: the longest piece that fits, again and again.

    A piece that continues a word begins with `##`: "playing" may become "play"
    and "##ing". A text is first cut into words and punctuation by
    `script_words`. Taught in unit 07, section s31.

    Args:
        symbols: The pieces, each once.

    Call arguments:
        texts: A list of strings.

    Returns:
        For each text, the list of its pieces. A word that cannot be written
        with the pieces becomes `[UNK]`, one for the whole word.

    Raises:
        ValueError: A piece is empty or comes twice.
        ImportError: tensorflow-text is not installed; there is none for
            Windows.

    Example:

    >>> from rnnkit.text import Vocabulary, WordPieces
    >>> pieces = WordPieces(["play", "##ing", "##s", "a"])
    >>> pieces(["a playing", "plays jazz"])
    [['a', 'play', '##ing'], ['play', '##s', '[UNK]']]
    >>> vocabulary = Vocabulary(pieces.symbols, split=pieces, joiner=pieces.join)
    >>> vocabulary.decode(vocabulary.encode(["a playing"])[0])
    ['a playing']

    Reference:
        Wu et al. (2016), Google's neural machine translation system, section 4.1.
    """

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols: tuple[str, ...] = tuple(symbols)
        if len(set(self.symbols)) != len(self.symbols) or "" in self.symbols:
            raise ValueError(
                "symbols must be non-empty strings, each given once. "
                f"Received: {list(self.symbols)!r}"
            )

    @classmethod
    def learn(cls, texts: Sequence[str | bytes], size: int) -> "WordPieces":
        """Choose the pieces that write some texts in few pieces.

        The same texts give the same pieces, in whatever order they stand. All
        single characters are among them, so that each of the texts can be
        written. Words of more than 50 characters teach nothing.

        Args:
            texts: The texts.
            size: The most pieces; there may be a few less.

        Raises:
            ValueError: The texts hold no word, or `size` is less than what
                their single characters need.
            ImportError: tensorflow-text is not installed.
        """
        _needed()
        from tensorflow_text.tools.wordpiece_vocab import wordpiece_tokenizer_learner_lib

        counts = collections.Counter(word for row in script_words(texts) for word in row)
        if not counts:
            raise ValueError("texts must hold at least one word. Received: texts without words")
        characters = {character for word in counts for character in word}
        least = 2 * len(characters)  # each may begin a word, or continue one
        if size < least:
            raise ValueError(
                f"size must be at least {least}, twice the number of different characters. "
                f"Received: size={size}"
            )
        learned = wordpiece_tokenizer_learner_lib.learn(
            sorted(counts.items()),
            vocab_size=size,
            reserved_tokens=[UNKNOWN_WORD],
            lower_thresh=1,
            max_unique_chars=len(characters),
            joiner=_CONTINUES,
        )
        # The learner looks for a size near the one asked for, and may give more.
        # It puts frequent pieces first.
        pieces = [piece for piece in learned if piece != UNKNOWN_WORD]
        single = [piece for piece in pieces if len(piece.removeprefix(_CONTINUES)) == 1]
        longer = [piece for piece in pieces if len(piece.removeprefix(_CONTINUES)) > 1]
        return cls([*single, *longer[: size - len(single)]])

    def __call__(self, texts: Sequence[str | bytes]) -> list[list[str]]:
        """Split each text into its pieces."""
        tokenizer = self._tokenizer
        rows = script_words(texts)
        words = [word.encode() for row in rows for word in row]
        if not words:
            return [[] for _ in rows]
        pieces = iter(decoded(tokenizer.tokenize(words).to_list()))
        return [[piece for _ in row for piece in next(pieces)] for row in rows]

    def join(self, pieces: Sequence[str]) -> str:
        """Write pieces as a text again, with one space between words.

        Args:
            pieces: The pieces of one text.

        Example:

        >>> WordPieces(["play", "##ing"]).join(["play", "##ing", "play"])
        'playing play'
        """
        return " ".join(pieces).replace(f" {_CONTINUES}", "")

    @functools.cached_property
    def _tokenizer(self) -> Any:
        return _needed().FastWordpieceTokenizer(
            [UNKNOWN_WORD, *self.symbols],
            suffix_indicator=_CONTINUES,
            unknown_token=UNKNOWN_WORD,
            token_out_type=_string_type(),
            no_pretokenization=True,
        )


def _string_type() -> Any:
    import tensorflow

    return tensorflow.string


def _needed() -> Any:
    module = tensorflow_text()
    if module is None:
        raise ImportError(
            "WordPieces needs tensorflow-text, which has no version for Windows. "
            "Use Colab, or Windows Subsystem for Linux (WSL)"
        )
    return module
