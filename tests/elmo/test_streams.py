"""A text in numbers: streams, distinct words of a batch, and rows for a test."""

import numpy as np
import pytest
from conftest import SMALL, random_bilm
from keras import ops

from rnnkit.elmo import word_ids
from rnnkit.elmo.readings import readings
from rnnkit.elmo.streams import both_streams, distinct_words, index_text, shuffled
from rnnkit.elmo.word_list import WordList

SENTENCES = [["the", "bank", "of"], [], ["no"], ["the", "unusualcompoundword", "bank", "no"]]
WORDS = WordList(["the", "no"])


@pytest.fixture
def text():
    return index_text(SENTENCES, WORDS, 50)


def forms(sentences) -> list[str]:
    return list(dict.fromkeys(["<S>", "</S>", *(word for words in sentences for word in words)]))


def as_words(ids) -> list[str]:
    return [forms(SENTENCES)[id_] for id_ in ids]


def test_each_form_has_its_characters_and_its_place_in_the_list(text) -> None:
    for number, form in enumerate(forms(SENTENCES)):
        np.testing.assert_array_equal(text.characters[number], word_ids(form))
    assert text.words.tolist() == [0, 1, 3, 2, 2, 4, 2]
    assert text.unknown == 4 / 8


def test_a_text_of_marks_alone_has_no_unknown_words() -> None:
    assert index_text([[]], WORDS, 50).unknown == 0.0


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2]])
def test_streams_hold_the_sentences_in_their_order_and_turned_round(text, order) -> None:
    ahead, back = both_streams(text, np.array(order))
    marked = [["<S>", *SENTENCES[number], "</S>"] for number in order]
    assert as_words(ahead) == [word for words in marked for word in words]
    assert as_words(back) == [word for words in marked for word in words[::-1]]


def test_the_order_is_new_in_each_epoch_and_with_each_seed(text) -> None:
    many = index_text([["a"]] * 30, WORDS, 50)
    orders = [shuffled(many, seed, epoch).tolist() for seed in (0, 1) for epoch in (0, 1)]
    assert all(sorted(order) == list(range(30)) for order in orders)
    assert len({tuple(order) for order in orders}) == 4
    assert shuffled(many, 0, 0).tolist() == orders[0]


def test_the_digest_tells_texts_apart() -> None:
    texts = [SENTENCES, SENTENCES[::-1], [["the", "bank"], ["of"]], [["the"], ["bank", "of"]]]
    digests = [index_text(sentences, WORDS, 50).digest for sentences in texts]
    assert len(set(digests)) == 4
    assert index_text(SENTENCES, WordList([]), 50).digest == digests[0]


def test_distinct_words_give_the_vectors_of_all_characters(text) -> None:
    encoder = random_bilm().characters
    ids = np.array([[0, 2, 3], [3, 6, 2]])
    characters, rows = distinct_words(text, ids, encoder)
    assert characters.shape == (256, 24)  # 21 ids of the long word, and the widest filter
    vectors = ops.convert_to_numpy(encoder(characters))[rows]
    plain = ops.convert_to_numpy(encoder(text.characters[ids].astype("int32")))
    np.testing.assert_allclose(vectors, plain, atol=1e-6)


def test_distinct_words_have_at_most_the_characters_that_there_are() -> None:
    text = index_text([["x" * 60]], WORDS, 50)
    characters, _ = distinct_words(text, text.ids, random_bilm().characters)
    assert characters.shape == (256, 50)


def test_more_words_fill_another_256() -> None:
    text = index_text([[str(number) for number in range(255)]], WORDS, 50)
    assert distinct_words(text, text.ids[:256], random_bilm().characters)[0].shape[0] == 256
    assert distinct_words(text, text.ids, random_bilm().characters)[0].shape[0] == 512


def predicted(text, **settings) -> tuple[list[str], list[str]]:
    """The words that count, forwards and backwards, one row after the other."""
    found: tuple[list[str], list[str]] = ([], [])
    for reading in readings(text, unroll=2, **settings):
        for direction, words in enumerate(found):
            words += as_words(reading.targets[direction][reading.counts[direction]])
    return found


@pytest.mark.parametrize("batch", [1, 2, 3, 100])
@pytest.mark.parametrize("carried", [False, True])
def test_all_ways_of_reading_predict_the_words_and_closing_marks(text, batch, carried) -> None:
    ahead, back = predicted(text, batch=batch, carried=carried)
    assert sorted(ahead) == sorted(word for words in SENTENCES for word in [*words, "</S>"])
    assert sorted(back) == sorted(word for words in SENTENCES for word in [*words, "<S>"])


def test_sentences_are_rows_by_their_length(text) -> None:
    first, second = readings(text, batch=2, unroll=3, carried=False)
    assert first.inputs.shape == (2, 2, 3) and second.inputs.shape == (2, 2, 6)
    assert as_words(first.inputs[0, 1, :2]) == ["<S>", "no"]
    assert as_words(second.inputs[1, 0, :4]) == ["</S>", "of", "bank", "the"]
    assert first.counts[0].tolist() == [[True, False, False], [True, True, False]]


def test_carried_rows_are_pieces_of_the_stream() -> None:
    text = index_text([["no"] * 8] * 8, WORDS, 50)  # 80 words
    (reading,) = readings(text, batch=4, unroll=2, carried=True)
    ahead, back = both_streams(text, np.arange(8))
    assert reading.inputs.shape == (2, 4, 20)
    np.testing.assert_array_equal(reading.inputs[0].ravel()[:79], ahead[:79])
    np.testing.assert_array_equal(reading.targets[1].ravel()[:79], back[1:])


def test_a_short_text_is_one_row_that_carries_states(text) -> None:
    (reading,) = readings(text, batch=4, unroll=5, carried=True)
    assert not reading.counts[:, 1:].any()


def test_no_sentences_are_refused() -> None:
    with pytest.raises(ValueError, match=r"at least one sentence\. Received: no sentences"):
        index_text([], WORDS, SMALL.max_characters)
