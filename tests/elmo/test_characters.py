"""Words become the ids of the published format."""

import numpy as np
import numpy_elmo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnnkit.elmo import character_ids, word_ids

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=70)


@settings(max_examples=100, deadline=None)
@given(word=ANY_TEXT, length=st.integers(3, 60))
def test_a_word_is_its_bytes_between_two_marks_then_padding(word: str, length: int) -> None:
    assert word_ids(word, length).tolist() == numpy_elmo.ids_of(word, length)


@pytest.mark.parametrize("mark, number", [("<S>", 257), ("</S>", 258)])
def test_a_sentence_mark_has_an_id_of_its_own(mark: str, number: int) -> None:
    assert word_ids(mark)[:4].tolist() == [259, number, 260, 261]


def test_a_long_word_is_cut_at_48_bytes() -> None:
    ids = word_ids("é" * 30)  # 60 bytes
    assert ids[-1] == 260
    assert (ids[1:-1] == np.tile([0xC3 + 1, 0xA9 + 1], 24)).all()


def test_half_of_a_surrogate_pair_counts_as_a_question_mark() -> None:
    assert word_ids("\ud800").tolist() == word_ids("?").tolist()


def test_padding_of_a_batch_is_zero_and_marks_stand_at_both_ends() -> None:
    ids = character_ids([["a", "bc"], []])
    assert ids.shape == (2, 4, 50)
    np.testing.assert_array_equal(ids[0, 1], word_ids("a"))
    np.testing.assert_array_equal(ids[1, :2], [word_ids("<S>"), word_ids("</S>")])
    assert not ids[1, 2:].any()


def test_no_sentences_give_an_empty_batch() -> None:
    assert character_ids([]).shape == (0, 2, 50)


@pytest.mark.parametrize("sentences", ["a text", ["a text"], [["a"], "b"]])
def test_a_text_in_place_of_words_is_refused(sentences) -> None:
    with pytest.raises(TypeError, match="split it into words"):
        character_ids(sentences)


def test_a_word_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Received: 3 of type int"):
        character_ids([["a", 3]])


def test_too_few_characters_are_refused() -> None:
    with pytest.raises(ValueError, match="max_characters >= 3"):
        word_ids("a", 2)
