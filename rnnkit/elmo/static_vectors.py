"""Static vectors: one for each word, whatever sentence it stands in."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from keras import ops

from rnnkit.elmo.characters import check_sentences
from rnnkit.elmo.static_files import read_vectors
from rnnkit.layers import Tensor
from rnnkit.text import pad


class StaticVectors:
    """One vector for each word, as GloVe and word2vec make them. Nothing trains them.

    A word is looked up as it is written, then in lower case. All words that are
    found in neither form have the same vector, zeros: it says nothing of them,
    and it stays the same whichever words are kept. (The mean of all known
    vectors, which others take, would change with them.)

    Taught in unit 07, section s30.

    Args:
        words: The words. Of one that comes twice the first counts.
        matrix: Their vectors, `(words, size)`, such as `rnnkit.data.glove()` has
            them; kept as float32.

    Raises:
        ValueError: There is no word, or not as many vectors.

    Example:

    >>> static = StaticVectors(["bank", "the"], np.array([[1, 2], [3, 4]]))
    >>> vectors, mask = static.vectors([["The", "Zzz", "bank"], ["bank"]])
    >>> vectors[0].tolist()
    [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]
    >>> mask.sum(axis=1).tolist()
    [3, 1]
    """

    def __init__(self, words: Sequence[str], matrix: np.ndarray) -> None:
        self._matrix = np.asarray(matrix, dtype="float32").view()
        shape = self._matrix.shape
        if len(shape) != 2 or 0 in shape or shape[0] != len(words):
            raise ValueError(
                "StaticVectors expects a vector for each word, (words, size). "
                f"Received: {len(words)} words and vectors of shape {shape}"
            )
        self._matrix.flags.writeable = False
        places = range(len(words) - 1, -1, -1)
        self._rows = {words[row]: row for row in places}  # the first one last, so that it counts

    @classmethod
    def from_file(
        cls, path: str | Path, words: Iterable[str] | None = None, form: str | None = None
    ) -> "StaticVectors":
        """Read a file in the form of GloVe or word2vec, with gensim.

        Args:
            path: The file, as text or binary; ".gz" at the end of its name means
                that it is packed with gzip.
            words: The words that will be looked up; None keeps all of the file.
                Give them for a large file: only their vectors, and those of
                their lower case, are kept in memory while it is read.
            form: "glove" (text), "word2vec" (text after a line with two counts)
                or "word2vec-binary"; None: it is found out from how the file starts.

        Returns:
            The vectors.

        Raises:
            FileNotFoundError: There is no such file.
            ImportError: gensim is not installed.
            TypeError: `words` is a text and no list of words.
            ValueError: There is no such form, the file is of another one or
                broken, or it has none of the words.

        Example:

        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "vectors.txt"
        >>> _ = path.write_text("the 0.5 1\\nbank 2 3\\nriver 4 5\\n")
        >>> static = StaticVectors.from_file(path, words=["Bank", "the"])
        >>> len(static), static.size, static.vector("Bank").tolist()
        (2, 2, [2.0, 3.0])
        """
        if isinstance(words, str):
            raise TypeError(f"words must be a list of words, or None. Received the text {words!r}")
        if words is not None:
            kept = list(words)
            words = {*kept, *(word.lower() for word in kept)}
        return cls(*read_vectors(path, words, form))

    @property
    def size(self) -> int:
        """How many numbers a vector has."""
        return int(self._matrix.shape[1])

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._row(word) >= 0

    def vector(self, word: str) -> np.ndarray:
        """The vector of one word, `(size,)`; zeros where it is unknown.

        Args:
            word: The word.
        """
        return self._look_up(np.array(self._row(word)))

    def vectors(self, sentences: Sequence[Sequence[str]]) -> tuple[np.ndarray, np.ndarray]:
        """The vectors of all words of a batch, padded with zeros.

        Args:
            sentences: Lists of words.

        Returns:
            The vectors, float32 `(batch, time, size)`, and the mask, bool
            `(batch, time)`: True for a word, known or not, False for padding.

        Raises:
            TypeError: A sentence is no list of words.
        """
        check_sentences(sentences)
        rows, mask = pad([[self._row(word) for word in words] for words in sentences], pad_id=-1)
        return self._look_up(rows), mask

    def embed(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """The vectors of all words of some sentences, sentence by sentence.

        Args:
            sentences: Lists of words.

        Returns:
            For each sentence an array `(words, size)`, float32.

        Raises:
            TypeError: A sentence is no list of words.
        """
        vectors, mask = self.vectors(sentences)
        return [row[real] for row, real in zip(vectors, mask, strict=True)]

    def _row(self, word: str) -> int:
        """Where the vector of a word stands; -1 for an unknown one, as for padding."""
        row = self._rows.get(word)
        return self._rows.get(word.lower(), -1) if row is None else row

    def _look_up(self, rows: np.ndarray) -> np.ndarray:
        found = self._matrix[rows]
        return np.where(rows[..., None] < 0, np.float32(0), found)


def joined(static: Any, contextual: Any) -> Tensor:
    r"""Each word's static vector with what a network says of it in its sentence.

    $$[x_k;\, \mathrm{ELMo}_k]$$

    This is what the task's network reads in the published recipe. The same join
    serves at its output: $[h_k;\, \mathrm{ELMo}_k]$.

    Taught in unit 07, section s34.

    Args:
        static: `(..., size)`, for example `(batch, time, size)` as
            `StaticVectors.vectors` gives them.
        contextual: `(..., other size)`, such as `ScalarMix` gives them.

    Returns:
        `(..., size + other size)`, a tensor.

    Raises:
        ValueError: The two are not of the same words.

    Example:

    >>> static, contextual = np.zeros((2, 5, 100)), np.ones((2, 5, 32))
    >>> tuple(joined(static, contextual).shape)
    (2, 5, 132)
    """
    static, contextual = (
        each if hasattr(each, "shape") else np.asarray(each) for each in (static, contextual)
    )
    shapes = tuple(static.shape), tuple(contextual.shape)
    if not _of_the_same_words(*shapes):
        raise ValueError(
            "joined expects vectors of the same words, such as (batch, time, size) and "
            f"(batch, time, other size). Received: shapes {shapes[0]} and {shapes[1]}"
            f"{_likely_reason(*shapes)}"
        )
    return ops.concatenate([static, contextual], axis=-1)


def _of_the_same_words(static: tuple, contextual: tuple) -> bool:
    pairs = zip(static[:-1], contextual[:-1], strict=False)
    return len(static) == len(contextual) > 0 and all(
        one == other or None in (one, other) for one, other in pairs
    )


def _likely_reason(static: tuple, contextual: tuple) -> str:
    if len(contextual) == len(static) + 1:
        return ". Mix the layers to one first, with ScalarMix"
    *before, time = static[:-1] or (None,)
    if time is not None and contextual[:-1] == (*before, time + 2):
        return ". Leave out the marks at both ends of the sentences: contextual[:, 1:-1]"
    return ""
