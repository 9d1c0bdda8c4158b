"""The words that a biLM predicts, most frequent first."""

import collections
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from rnnkit.elmo.characters import BEGIN_SENTENCE, END_SENTENCE, check_sentences

UNKNOWN = "<UNK>"
MARKS = (BEGIN_SENTENCE, END_SENTENCE, UNKNOWN)


class WordList:
    """The words of the softmax, and their ids.

    A biLM reads any word, since it reads characters; it predicts only the
    words of a list. The list begins with `<S>`, `</S>` and `<UNK>`, which
    stands for every word that is not in it. The others follow by falling count
    in the text, because negatives are drawn by their place in the list.

    Taught in unit 07, section s31.

    Args:
        words: The words without the three marks, most frequent first, each once.

    Raises:
        ValueError: A word is empty, holds a line break, is a mark or comes twice.

    Example:

    >>> words = WordList.from_sentences([["the", "cat"], ["the", "bat", "sat"]], minimum_count=1)
    >>> words.words
    ('<S>', '</S>', '<UNK>', 'the', 'bat', 'cat', 'sat')
    >>> words.ids(["the", "dog"])
    array([3, 2], dtype=int32)
    """

    unknown_id = MARKS.index(UNKNOWN)

    def __init__(self, words: Iterable[str]) -> None:
        self.words: tuple[str, ...] = (*MARKS, *words)
        self._ids = {word: id_ for id_, word in enumerate(self.words)}
        _check(self.words)

    @classmethod
    def from_sentences(
        cls,
        sentences: Sequence[Sequence[str]],
        minimum_count: int = 1,
        maximum_size: int | None = None,
    ) -> "WordList":
        """List the words of a text.

        Args:
            sentences: Lists of words.
            minimum_count: How often a word must come to be taken.
            maximum_size: The most words that the list has, the three marks
                included; None for no limit.

        Returns:
            The list: words by falling count, those with one count in
            alphabetical order.

        Raises:
            TypeError: A sentence is a text and no list of words.
            ValueError: There is no word, or a limit is too small.
        """
        check_sentences(sentences)
        if minimum_count < 1 or (maximum_size is not None and maximum_size < len(MARKS)):
            raise ValueError(
                f"WordList expects minimum_count >= 1 and maximum_size >= {len(MARKS)}, room for "
                f"the marks. Received: minimum_count={minimum_count}, maximum_size={maximum_size}"
            )
        counts = collections.Counter(word for sentence in sentences for word in sentence)
        if not counts:
            raise ValueError(
                "WordList expects sentences with at least one word. "
                f"Received: {len(sentences)} sentences without words"
            )
        taken = [
            word for word, count in counts.items() if count >= minimum_count and word not in MARKS
        ]
        taken.sort(key=lambda word: (-counts[word], word))
        return cls(taken if maximum_size is None else taken[: maximum_size - len(MARKS)])

    @classmethod
    def from_file(cls, path: str | Path) -> "WordList":
        """Read a list in the published format.

        Args:
            path: The file: one word a line, the three marks first.

        Raises:
            ValueError: The first lines are others, or a word cannot be one.
        """
        with open(path, encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            lines = [line.rstrip("\r\n") for line in file]
        if tuple(lines[: len(MARKS)]) != MARKS:
            raise ValueError(
                f"{path}: expected a list of words whose first lines are {', '.join(MARKS)}. "
                f"Received: {lines[: len(MARKS)]}"
            )
        try:
            return cls(lines[len(MARKS) :])
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    def save(self, path: str | Path) -> None:
        """Write the list in the published format.

        Args:
            path: The file.
        """
        text = "".join(f"{word}\n" for word in self.words)
        Path(path).write_bytes(text.encode("utf-8", errors="surrogatepass"))

    def ids(self, words: Iterable[str]) -> np.ndarray:
        """The places of words in the list.

        Args:
            words: Any words.

        Returns:
            `(words,)`, int32; that of `<UNK>`, 2, where a word is not in the list.
        """
        found = [self._ids.get(word, self.unknown_id) for word in words]
        return np.array(found, dtype="int32")

    @property
    def digest(self) -> str:
        """SHA-256 of the list, in hexadecimal."""
        text = "\n".join(self.words)
        return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids


def _check(words: tuple[str, ...]) -> None:
    for word in words:
        if not isinstance(word, str) or not word or "\n" in word or "\r" in word:
            raise ValueError(
                "WordList expects words that are not empty and have no line breaks. "
                f"Received: {word!r}"
            )
    if len(set(words)) < len(words):
        twice = collections.Counter(words).most_common(1)[0][0]
        raise ValueError(
            f"WordList expects each word once, and the marks {', '.join(MARKS)} not among them. "
            f"Received: {twice!r} twice"
        )
