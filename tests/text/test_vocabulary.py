import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnnkit.text import Vocabulary


def list_of_characters(texts):
    return [list(text) for text in texts]


def words(texts):
    return [text.split() for text in texts]


@pytest.fixture
def vocabulary():
    return Vocabulary("abc", split=list_of_characters)


def test_the_reserved_ids_come_first(vocabulary):
    reserved = [vocabulary.pad_id, vocabulary.unk_id, vocabulary.bos_id, vocabulary.eos_id]
    assert reserved == [0, 1, 2, 3]


def test_the_length_counts_the_reserved_ids(vocabulary):
    assert len(vocabulary) == 7


def test_the_order_of_the_texts_does_not_change_the_ids():
    first = Vocabulary.from_texts(["ba", "c"])
    second = Vocabulary.from_texts(["c", "ab", "a"])
    assert first.symbols == second.symbols == ("a", "b", "c")


def test_texts_are_padded_on_the_right(vocabulary):
    ids, mask = vocabulary.encode(["ab", "", "cab"])
    np.testing.assert_array_equal(ids, [[4, 5, 0], [0, 0, 0], [6, 4, 5]])
    np.testing.assert_array_equal(mask, [[1, 1, 0], [0, 0, 0], [1, 1, 1]])


def test_ids_are_int32_and_masks_are_bool(vocabulary):
    ids, mask = vocabulary.encode(["ab"])
    assert (ids.dtype, mask.dtype) == (np.int32, np.bool_)


def test_a_given_length_is_kept(vocabulary):
    ids, mask = vocabulary.encode(["ab"], length=5)
    assert ids.shape == mask.shape == (1, 5)
    assert mask.sum() == 2


def test_no_texts_give_empty_arrays(vocabulary):
    ids, mask = vocabulary.encode([])
    assert ids.shape == mask.shape == (0, 0)


def test_unknown_symbols_are_real_positions_with_the_unknown_id(vocabulary):
    ids, mask = vocabulary.encode(["axb"])
    np.testing.assert_array_equal(ids, [[4, vocabulary.unk_id, 5]])
    assert mask.all()


def test_a_text_that_does_not_fit_is_named(vocabulary):
    with pytest.raises(ValueError, match=r"at least 3.*length=2, and text 1 has 3 symbols: 'abc'"):
        vocabulary.encode(["a", "abc"], length=2)


def test_decoding_stops_before_the_end_symbol(vocabulary):
    assert vocabulary.decode([[2, 4, 5, 3, 6, 6]]) == ["ab"]


def test_decoding_drops_padding_and_beginnings(vocabulary):
    assert vocabulary.decode([[2, 4, 0, 2, 5, 0]]) == ["ab"]


def test_decoding_shows_unknown_symbols(vocabulary):
    assert vocabulary.decode([[4, 1, 5]]) == ["a\ufffdb"]


def test_a_row_that_begins_with_the_end_is_empty(vocabulary):
    assert vocabulary.decode([[3, 4]]) == [""]


def test_decoding_takes_no_rows(vocabulary):
    assert vocabulary.decode(np.zeros((0, 3), "int32")) == []


@pytest.mark.parametrize("wrong", [-1, 7])
def test_an_id_outside_the_table_is_refused(vocabulary, wrong):
    with pytest.raises(ValueError, match=f"from 0 to 6. Received: {wrong}"):
        vocabulary.decode([[4, wrong]])


def test_one_row_without_a_batch_axis_is_refused(vocabulary):
    with pytest.raises(ValueError, match=r"\(batch, time\). Received: shape \(2,\)"):
        vocabulary.decode([4, 5])


def test_probabilities_are_refused(vocabulary):
    with pytest.raises(ValueError, match=r"must be integers.*Received: float64"):
        vocabulary.decode([[0.5, 0.5]])


def test_a_symbol_given_twice_is_refused():
    with pytest.raises(ValueError, match="each given once"):
        Vocabulary(["a", "a"])


def test_an_empty_symbol_is_refused():
    with pytest.raises(ValueError, match="non-empty"):
        Vocabulary(["a", ""])


def test_words_are_joined_again():
    vocabulary = Vocabulary.from_texts(["the cat", "a cat"], split=words, joiner=" ")
    ids, _ = vocabulary.encode(["a cat"])
    assert ids.shape == (1, 2)
    assert vocabulary.decode(ids) == ["a cat"]


def test_a_vocabulary_knows_which_symbols_it_holds(vocabulary):
    assert "a" in vocabulary
    assert "x" not in vocabulary


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)))))
def test_encoding_and_decoding_give_the_texts_back(texts):
    vocabulary = Vocabulary.from_texts(texts, split=list_of_characters)
    ids, _ = vocabulary.encode(texts)
    assert vocabulary.decode(ids) == texts


def test_beginnings_and_ends_are_real_positions(vocabulary):
    ids, mask = vocabulary.encode(["ab", ""], bos=True, eos=True)
    np.testing.assert_array_equal(ids, [[2, 4, 5, 3], [2, 3, 0, 0]])
    np.testing.assert_array_equal(mask, [[1, 1, 1, 1], [1, 1, 0, 0]])
    assert vocabulary.decode(ids) == ["ab", ""]


def test_a_beginning_counts_in_the_length(vocabulary):
    with pytest.raises(ValueError, match="text 0 has 3 symbols"):
        vocabulary.encode(["ab"], length=2, bos=True)


def test_the_message_about_a_long_text_is_short(vocabulary):
    with pytest.raises(ValueError, match="length=2") as caught:
        vocabulary.encode(["a" * 10_000], length=2)
    assert len(str(caught.value)) < 300


TEXTS = ["b a c a", "a b d"]


def test_the_most_frequent_words_come_first_and_equal_ones_in_order():
    vocabulary = Vocabulary.most_frequent(TEXTS)
    assert vocabulary.symbols == ("a", "b", "c", "d")
    assert Vocabulary.most_frequent(TEXTS[::-1]).symbols == vocabulary.symbols


def test_rare_words_are_left_out_and_unknown():
    vocabulary = Vocabulary.most_frequent(TEXTS, minimum_count=2)
    assert vocabulary.symbols == ("a", "b")
    ids, _ = vocabulary.encode(["a d"])
    assert ids.tolist() == [[4, vocabulary.unk_id]]


def test_the_maximum_size_counts_the_reserved_ids():
    vocabulary = Vocabulary.most_frequent(TEXTS, maximum_size=6)
    assert len(vocabulary) == 6
    assert vocabulary.symbols == ("a", "b")


def test_words_of_a_text_are_joined_by_spaces():
    vocabulary = Vocabulary.most_frequent(["the  cat\nsat"])
    ids, _ = vocabulary.encode(["the  cat\nsat"])
    assert vocabulary.decode(ids) == ["the cat sat"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"maximum_size": 3}, "at least 4.*Received: 3"), ({"minimum_count": 0}, "at least 1")],
)
def test_sizes_out_of_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Vocabulary.most_frequent(TEXTS, **settings)
