"""A text in numbers, as the streams that a biLM is trained on."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rnnkit.elmo.character_encoder import CharacterEncoder
from rnnkit.elmo.characters import BEGIN_SENTENCE, END_SENTENCE, check_sentences, word_ids
from rnnkit.elmo.word_list import WordList

BEGIN_FORM, END_FORM = 0, 1  # the numbers of the sentence marks
# A batch has another number of distinct words each time. Rounded up, there are few sizes.
WORDS_STEP = 256
CHARACTERS_STEP = 8


class IndexedText(NamedTuple):
    """A text whose words have become numbers, once and for all.

    A form is a distinct word of the text, known to the word list or not.

    Args:
        ids: `(tokens,)`, int32: all sentences, each with its marks, one after
            the other, as numbers of forms.
        starts: `(sentences + 1,)`: where each sentence begins, and the end.
        words: `(forms,)`, int32: the place of each form in the word list.
        characters: `(forms, max_characters)`, int16: what `word_ids` gives.
        digest: SHA-256 of the text.
    """

    ids: np.ndarray
    starts: np.ndarray
    words: np.ndarray
    characters: np.ndarray
    digest: str

    @property
    def unknown(self) -> float:
        """The share of words that the word list does not know; marks do not count."""
        is_word = self.ids > END_FORM
        if not is_word.any():
            return 0.0
        return float((self.words[self.ids[is_word]] == WordList.unknown_id).mean())


def index_text(
    sentences: Sequence[Sequence[str]], words: WordList, max_characters: int
) -> IndexedText:
    """Turn a text into numbers.

    Args:
        sentences: Lists of words.
        words: The words of the softmax.
        max_characters: How many ids stand for a word.

    Raises:
        TypeError: A sentence is a text and no list of words.
        ValueError: There are no sentences.

    Example:

    >>> text = index_text([["no", "bank"], ["no"]], WordList(["no"]), max_characters=6)
    >>> text.ids.tolist(), text.starts.tolist(), text.words.tolist()
    ([0, 2, 3, 1, 0, 2, 1], [0, 4, 7], [0, 1, 3, 2])
    """
    check_sentences(sentences)
    if not len(sentences):
        raise ValueError("Expected a text of at least one sentence. Received: no sentences")
    numbers: dict[str, int] = {BEGIN_SENTENCE: BEGIN_FORM, END_SENTENCE: END_FORM}
    inner = [numbers.setdefault(word, len(numbers)) for sentence in sentences for word in sentence]
    lengths = np.array([len(sentence) + 2 for sentence in sentences], dtype="int64")
    starts = np.concatenate([[0], np.cumsum(lengths)])
    ids = np.empty(starts[-1], dtype="int32")
    is_inner = np.ones(len(ids), dtype=bool)
    is_inner[starts[:-1]] = is_inner[starts[1:] - 1] = False
    ids[starts[:-1]], ids[starts[1:] - 1], ids[is_inner] = BEGIN_FORM, END_FORM, inner
    characters = np.stack([word_ids(form, max_characters) for form in numbers]).astype("int16")
    return IndexedText(ids, starts, words.ids(numbers), characters, _digest(numbers, ids))


def _digest(forms: dict[str, int], ids: np.ndarray) -> str:
    sha = hashlib.sha256(ids.tobytes())  # marks stand in it, so it tells of the sentences too
    sha.update("\0".join(forms).encode("utf-8", errors="surrogatepass"))
    return sha.hexdigest()


def shuffled(text: IndexedText, seed: int, epoch: int) -> np.ndarray:
    """The order of the sentences in an epoch; it depends on nothing but the arguments."""
    return np.random.default_rng([seed, 0, epoch]).permutation(len(text.starts) - 1)


def both_streams(text: IndexedText, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The text as the forward model reads it, and as the backward model does.

    Taught in unit 07, section s31.

    Args:
        text: The text.
        order: `(sentences,)`: which sentence comes first, second and so on.

    Returns:
        Twice `(tokens,)`: all sentences one after the other; and the same with
        each sentence turned round, from `</S>` to `<S>`.

    Example:

    >>> text = index_text([["no", "bank"], ["no"]], WordList(["no"]), max_characters=6)
    >>> ahead, back = both_streams(text, np.array([1, 0]))
    >>> ahead.tolist(), back.tolist()
    ([0, 2, 1, 0, 2, 3, 1], [1, 2, 0, 1, 3, 2, 0])
    """
    starts, ends = text.starts[order], text.starts[order + 1]
    lengths = ends - starts
    begins = np.cumsum(lengths) - lengths  # of each sentence, in the stream
    places = np.arange(len(text.ids)) + np.repeat(starts - begins, lengths)
    mirrored = np.repeat(starts + ends - 1, lengths) - places
    return text.ids[places], text.ids[mirrored]


def distinct_words(
    text: IndexedText, ids: np.ndarray, encoder: CharacterEncoder
) -> tuple[np.ndarray, np.ndarray]:
    """The words of a batch, each once, so that its characters are read once.

    Args:
        text: The text that the batch is of.
        ids: Numbers of forms, any shape.
        encoder: What reads the characters; it says how many of them matter.

    Returns:
        Characters, `(words, characters)`, int32, with rows of 0 at the end; and
        for each of the ids its row, int32. Both sizes are rounded up.
    """
    forms, rows = np.unique(ids, return_inverse=True)
    longest = text.characters.shape[1]
    needed = encoder.trim(text.characters[forms]).shape[1]
    width = min(round_up(needed, CHARACTERS_STEP), longest)
    characters = np.zeros((round_up(len(forms), WORDS_STEP), width), dtype="int32")
    characters[: len(forms)] = text.characters[forms, :width]
    return characters, rows.reshape(ids.shape).astype("int32")


def round_up(number: int, step: int) -> int:
    """The next multiple of `step`.

    Example:

    >>> round_up(9, 8), round_up(8, 8)
    (16, 8)
    """
    return -(-number // step) * step
