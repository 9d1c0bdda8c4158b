"""Files of word vectors in the forms of GloVe and word2vec, read by gensim."""

import gzip
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

GLOVE, WORD2VEC, WORD2VEC_BINARY = FORMS = ("glove", "word2vec", "word2vec-binary")
_SAMPLE = 4096  # bytes that are looked at to find out a file's form
_PACKED = {b"\x1f\x8b": "gzip", b"PK": "zip", b"BZ": "bzip2"}  # how such files start
_BROKEN = (ValueError, EOFError, gzip.BadGzipFile, zlib.error)


def read_vectors(
    path: str | Path, words: Iterable[str] | None = None, form: str | None = None
) -> tuple[list[str], np.ndarray]:
    """Read a file of word vectors.

    Args:
        path: The file; a name that ends in ".gz" means that it is packed with gzip.
        words: The words to keep, exactly as the file writes them; None keeps all.
        form: One of `FORMS`; None: it is found out.

    Returns:
        The words in the order of the file, and their vectors, float32
        `(words, size)`. Of a word that comes twice the first counts.

    Raises:
        FileNotFoundError: There is no such file.
        ImportError: gensim is not installed.
        ValueError: There is no such form, the file is of another one or broken,
            or none of the words is in it.
    """
    path = Path(path)
    if form is not None and form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, or None. Received: {form!r}")
    if not path.is_file():
        raise FileNotFoundError(f"Expected a file of word vectors. Received: {path}, no such file")
    looks_like: str | None = None
    try:
        looks_like = form_of(path)
        if (form, looks_like) == (WORD2VEC_BINARY, WORD2VEC):
            raise ValueError("numbers written as text")  # gensim would read them as other numbers
        return _load(path, words, form or looks_like)
    except _BROKEN as error:
        hint = (
            f", and it looks like {looks_like!r}" if form and looks_like not in (None, form) else ""
        )
        raise ValueError(
            f"Expected {path} to be a whole file of word vectors, of the form "
            f"{form or looks_like or 'glove or word2vec'!r}. Received: {_short(error)}{hint}"
        ) from error


def form_of(path: Path) -> str:
    """Find out the form of a file from how it starts.

    Word2vec's forms start with a line that says how many words and how many
    numbers for each there are; GloVe's starts with the first word.

    Args:
        path: The file.

    Returns:
        One of `FORMS`.

    Raises:
        ValueError: It is empty, or packed and not named so.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        start = stream.read(_SAMPLE)
    if not start.strip():
        raise ValueError("an empty file")
    for mark, program in _PACKED.items():
        if start.startswith(mark) and not _is_text(start):
            raise ValueError(f"a file packed with {program}: unpack it, or for gzip name it .gz")
    head, _, rest = start.partition(b"\n")
    if not _counts_words(head):
        return GLOVE
    return WORD2VEC if _is_text(rest) else WORD2VEC_BINARY


def _counts_words(head: bytes) -> bool:
    fields = head.split()
    return len(fields) == 2 and all(field.isdigit() for field in fields)


def _is_text(start: bytes) -> bool:
    """Whether bytes are text; numbers of 32 bits soon hold a byte that no text has."""
    try:
        text = getincrementaldecoder("utf-8")().decode(start)  # it may end inside a character
    except UnicodeDecodeError:
        return False
    return all(character >= " " or character in "\t\r\n" for character in text)


class _Unread(str):
    """A number of a text, left as it is until its word is known to be wanted.

    gensim would make numbers of all of them one by one, minutes for a large file.
    """

    def item(self) -> str:
        """The value, as gensim asks numbers of numpy for it."""
        return self


def _load(path: Path, words: Iterable[str] | None, form: str) -> tuple[list[str], np.ndarray]:
    wanted = None if words is None else frozenset(words)
    read = _reader(wanted, form).load_word2vec_format(
        path,
        binary=form == WORD2VEC_BINARY,
        no_header=form == GLOVE,
        unicode_errors="replace",  # word2vec's own program cuts long words inside a character
        datatype=np.float32 if form == WORD2VEC_BINARY else _Unread,
    )
    found = list(read.key_to_index)
    vectors = read.vectors[: len(found)]  # there is a row too many for each word that comes twice
    if not found or not read.vector_size:
        raise ValueError("no word with its vector" if wanted is None else "none of the words")
    if not np.isfinite(vectors).all():
        raise ValueError("numbers that are not finite")
    return found, vectors


def _reader(wanted: frozenset[str] | None, form: str) -> Any:
    """A class of gensim's that takes only some words in, so that it needs little memory."""
    try:
        from gensim.models import KeyedVectors
    except ModuleNotFoundError as error:
        raise ImportError(
            "reading files of word vectors needs gensim. Run: pip install rnnkit[static]"
        ) from error

    class Wanted(KeyedVectors):
        def __init__(self, vector_size: int, count: int = 0, dtype: Any = None) -> None:
            most = count if wanted is None else min(count, len(wanted))
            super().__init__(vector_size, most, np.float32)

        def add_vector(self, key: str, vector: Any) -> int:
            if len(vector) > self.vector_size:
                key, vector = _apart([key, *vector], self.vector_size)
            if form == GLOVE and not key and not len(vector):
                return -1  # an empty line
            if len(vector) != self.vector_size:
                raise ValueError(
                    f"{len(vector)} numbers for {key!r}, where others have {self.vector_size}"
                )
            if self.has_index_for(key) or not (wanted is None or key in wanted):
                return -1
            return super().add_vector(key, np.array(vector, dtype="float32"))

        def set_vecattr(self, *_: Any) -> None:
            """Keep no counts of words: the file has none, and gensim would make them up."""

    return Wanted


def _apart(fields: list[Any], size: int) -> tuple[str, list[Any]]:
    """A word and its numbers: the last `size` fields, where the word holds spaces.

    Example:

    >>> _apart(["at", "name@domain.com", "0.5", "1"], size=2)
    ('at name@domain.com', ['0.5', '1'])
    >>> _apart(["at", "3", "0.5", "1"], size=2)  # too many numbers
    ('at', ['3', '0.5', '1'])
    """
    start = len(fields) - size
    if start > 1 and not all(map(_is_number, fields[1:start])):
        return " ".join(fields[:start]), fields[start:]
    return fields[0], fields[1:]


def _is_number(text: Any) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _short(error: BaseException) -> str:
    text = str(error)
    return text if len(text) <= 120 else f"{text[:117]}..."
