"""Word vectors that were learnt from six thousand million words."""

import array
import functools
import itertools
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rnnkit.data.download import DataError, RemoteFile, fetch, on_github
from rnnkit.data.reading import decode, numbered_lines, odd_line, read_text
from rnnkit.data.registry import DataInfo, register

_FILES = {
    "6B.50d": RemoteFile(
        name="glove.6B.50d.zip",
        folder="glove",
        address="https://d2l-data.s3-accelerate.amazonaws.com/glove.6B.50d.zip",
        sha256=None,  # not known: recorded at the first download
        stands_in="bank_sentences",
    ),
    "sample": RemoteFile(
        name="glove.6B.100d.sample.txt.gz",
        folder="glove_sample",
        address=on_github(
            "allenai/allennlp",
            "80fb6061e568cb9d6ab5d45b661e86eb61b92c82",
            "test_fixtures/embeddings/glove.6B.100d.sample.txt.gz",
        ),
        sha256="156a9262a32df5a06156f0a4ee6e99730ec8c30142b223ede686bf283c8d07aa",
        stands_in="bank_sentences",
    ),
}


@dataclass(frozen=True, eq=False)
class WordVectors:
    """One vector for each word, whatever sentence it stands in.

    Args:
        words: The words, the most frequent first.
        matrix: Their vectors, float32 ``(len(words), dimensions)``.
    """

    words: list[str]
    matrix: np.ndarray

    @functools.cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in reversed(list(enumerate(self.words)))}

    @functools.cached_property
    def _directions(self) -> np.ndarray:
        """The vectors, each of length 1 (or 0)."""
        lengths = np.linalg.norm(self.matrix, axis=1, keepdims=True)
        return self.matrix / np.maximum(lengths, np.finfo(np.float32).tiny)

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def vector(self, word: str) -> np.ndarray:
        """The vector of a word, ``(dimensions,)``.

        Args:
            word: A word in lower case, as the words of GloVe 6B are.

        Raises:
            KeyError: The word has no vector.
        """
        if word not in self._rows:
            raise KeyError(
                f"word must be one of the {len(self.words):,} that have a vector (in lower case). "
                f"Received: {word!r}"
            )
        return self.matrix[self._rows[word]]

    def nearest(self, target: str | np.ndarray, count: int = 5) -> list[tuple[str, float]]:
        """The words whose vectors point most nearly in the same direction.

        Args:
            target: A word, which is not among its own neighbours, or a vector
                ``(dimensions,)``.
            count: How many words.

        Returns:
            Words with the cosine of the angle, the nearest first.

        Raises:
            KeyError: The word has no vector.

        Example:

        >>> three = WordVectors(["cat", "dog", "of"], np.array([[2, 1], [1, 1], [-1, 2.0]]))
        >>> [word for word, _ in three.nearest("cat", count=2)]
        ['dog', 'of']
        """
        itself = target if isinstance(target, str) else None
        vector = np.asarray(target) if itself is None else self.vector(itself)
        cosines = self._directions @ (vector / max(np.linalg.norm(vector), 1e-30))
        rows = np.argsort(-cosines, kind="stable")
        near = (row for row in rows if self.words[row] != itself)
        return [(self.words[row], float(cosines[row])) for row in itertools.islice(near, count)]


@register(
    DataInfo(
        name="glove",
        kind="download",
        description="word vectors for English (GloVe)",
        size="6B.50d: 400,000 words, 50 dimensions, about 70 MB; sample: 100 words, 0.1 MB",
        licence="PDDL 1.0 (no rights reserved)",
        source="Pennington and others (2014), nlp.stanford.edu/projects/glove, as d2l.ai gives "
        "them out; sample in github.com/allenai/allennlp",
        stands_in="bank_sentences",
    )
)
def glove(version: str = "6B.50d", limit: int | None = None) -> WordVectors:
    """Load word vectors, the same in each sentence. Taught in unit 07, section s30.

    Args:
        version: "6B.50d" or "sample" (100 frequent words with 100 dimensions,
            to try code with).
        limit: Take only so many words, the most frequent ones. None takes all.

    Returns:
        The words and their vectors.

    Raises:
        ValueError: There is no such version, or ``limit`` is less than 1.
        DataError: The file cannot be had, or has a line that is not of its form.
    """
    if version not in _FILES:
        raise ValueError(f"version must be one of {', '.join(_FILES)}. Received: {version!r}")
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be 1 or more, or None. Received: {limit}")
    return _read_vectors(fetch(_FILES[version]), limit)


def _read_vectors(path: Path, limit: int | None) -> WordVectors:
    text = _unzip(path) if path.suffix == ".zip" else read_text(path)
    words: list[str] = []
    numbers = array.array("f")  # of all words, one after the other: 32 bits each
    dimensions = 0
    for number, line in numbered_lines(text):
        if len(words) == limit:
            break
        word, *fields = line.rstrip().split(" ")
        dimensions = dimensions or len(fields)
        if len(fields) != dimensions or not dimensions:
            expected = f"a word and {dimensions or 'its'} numbers, apart by spaces"
            raise odd_line(path, number, expected, line)
        try:
            numbers.extend(map(float, fields))
        except ValueError as error:
            raise odd_line(path, number, "a word and its numbers", line) from error
        words.append(word)
    if not words:
        raise odd_line(path, 1, "a word and its numbers", text)
    return WordVectors(words, np.array(numbers, dtype=np.float32).reshape(-1, dimensions))


def _unzip(path: Path) -> str:
    """The text of the one ".txt" file in an archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith(".txt"))
            return decode(archive.read(name), name)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError) as error:
        raise DataError(
            f"{path} to be a zip archive with one .txt file",
            str(error),
            f"delete {path} and its .sha256, and run this again",
        ) from error
