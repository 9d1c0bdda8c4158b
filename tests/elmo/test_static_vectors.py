"""Static vectors of sentences, and their join with vectors in context."""

import os
from pathlib import Path

import keras
import numpy as np
import pytest
from conftest import random_bilm
from keras import ops

from rnnkit.elmo import ScalarMix, StaticVectors, joined

MATRIX = np.arange(12, dtype="float32").reshape(4, 3) + 1
SENTENCES = [["the", "Bank", "of", "Oz"], [], ["Zzz"]]


@pytest.fixture
def static() -> StaticVectors:
    return StaticVectors(["the", "bank", "Oz", "oz"], MATRIX)


def sample_of_glove() -> Path:
    """100 frequent words with 300 numbers each, as GloVe wrote them."""
    named = os.environ.get("RNNKIT_DATA")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "data"
    path = folder / "glove_sample" / "glove.6B.300d.sample.txt.gz"
    if not path.exists():
        pytest.skip("needs the real files: ../shared/data or the folder that RNNKIT_DATA names")
    return path


@pytest.mark.parametrize(
    ("word", "row"), [("the", 0), ("Bank", 1), ("BANK", 1), ("Oz", 2), ("OZ", 3), ("oz", 3)]
)
def test_a_word_is_looked_up_as_it_is_and_then_in_lower_case(static, word, row):
    np.testing.assert_array_equal(static.vector(word), MATRIX[row])
    assert word in static


@pytest.mark.parametrize("word", ["banks", "", "ban", " the"])
def test_an_unknown_word_has_zeros(static, word):
    np.testing.assert_array_equal(static.vector(word), np.zeros(3))
    assert word not in static


def test_what_is_no_word_is_not_among_them(static):
    assert None not in static
    assert 3 not in static


def test_a_batch_is_padded_and_masked(static):
    vectors, mask = static.vectors(SENTENCES)
    assert vectors.shape == (3, 4, 3)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors[0], [MATRIX[0], MATRIX[1], np.zeros(3), MATRIX[2]])
    assert not vectors[1:].any()
    assert mask.tolist() == [[True] * 4, [False] * 4, [True, False, False, False]]


def test_sentences_are_given_one_by_one_without_padding(static):
    found = static.embed(SENTENCES)
    assert [each.shape for each in found] == [(4, 3), (0, 3), (1, 3)]
    np.testing.assert_array_equal(found[0], static.vectors(SENTENCES)[0][0])


def test_no_sentences_have_no_vectors(static):
    vectors, mask = static.vectors([])
    assert (vectors.shape, mask.shape, static.embed([])) == ((0, 0, 3), (0, 0), [])


@pytest.mark.parametrize("sentences", ["the bank", ["the bank"], [["the", 3]]])
def test_what_is_no_list_of_words_is_refused(static, sentences):
    with pytest.raises(TypeError, match="Received"):
        static.vectors(sentences)


def test_vectors_that_were_given_out_do_not_change_the_store(static):
    static.vectors([["the"]])[0][:] = 99
    static.vector("the")[:] = 99
    np.testing.assert_array_equal(static.vector("the"), MATRIX[0])
    assert not static._matrix.flags.writeable


def test_of_a_word_that_comes_twice_the_first_counts():
    static = StaticVectors(["a", "b", "a"], MATRIX[:3])
    assert len(static) == 2
    np.testing.assert_array_equal(static.vector("a"), MATRIX[0])


@pytest.mark.parametrize(
    ("words", "shape"), [(["a"], (2, 3)), (["a"], (3,)), ([], (0, 3)), (["a"], (1, 0))]
)
def test_a_matrix_that_does_not_fit_the_words_is_refused(words, shape):
    with pytest.raises(ValueError, match=r"\(words, size\)\. Received: \d words and vectors"):
        StaticVectors(words, np.zeros(shape))


class TestFromFile:
    @pytest.fixture(autouse=True)
    def gensim(self):
        pytest.importorskip("gensim", reason="needs gensim: pip install rnnkit[static]")

    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "vectors.txt"
        path.write_text("the 1 2\nbank 3 4\nBank 5 6\nof 7 8\n")
        return path

    def test_all_words_are_kept(self, path):
        static = StaticVectors.from_file(path)
        assert (len(static), static.size) == (4, 2)
        assert static.vector("Bank").tolist() == [5, 6]

    def test_words_to_keep_are_kept_with_their_lower_case(self, path):
        static = StaticVectors.from_file(path, words=iter(["THE", "Bank"]))
        assert len(static) == 3
        assert static.vector("THE").tolist() == [1, 2]
        assert static.vector("BANK").tolist() == [3, 4]
        assert "of" not in static

    def test_the_vector_of_unknown_words_is_the_same_whatever_is_kept(self, path):
        kept = [StaticVectors.from_file(path, words=words) for words in (None, ["of"])]
        np.testing.assert_array_equal(kept[0].vector("Zzz"), kept[1].vector("Zzz"))

    def test_the_form_can_be_named(self, path):
        assert len(StaticVectors.from_file(str(path), form="glove")) == 4
        with pytest.raises(ValueError, match="'word2vec'"):
            StaticVectors.from_file(path, form="word2vec")

    def test_a_text_in_the_place_of_words_is_refused(self, path):
        with pytest.raises(TypeError, match="Received the text 'the'"):
            StaticVectors.from_file(path, words="the")

    def test_the_sample_of_glove(self):
        static = StaticVectors.from_file(sample_of_glove())
        assert (len(static), static.size) == (100, 300)
        directions = {
            word: static.vector(word) / np.linalg.norm(static.vector(word))
            for word in ("two", "three", "president")
        }
        near = directions["two"] @ directions["three"]
        assert near > 0.8 > 0.4 > directions["two"] @ directions["president"]
        some = StaticVectors.from_file(sample_of_glove(), words=["Two", "U.S."])
        np.testing.assert_array_equal(some.vector("TWO"), static.vector("two"))
        assert sorted(some._rows) == ["two", "u.s."]


class TestJoined:
    @pytest.mark.parametrize("batch", [(), (5,), (2, 5), (0, 5)])
    def test_the_second_follows_the_first(self, batch):
        static, contextual = np.ones((*batch, 3)), np.zeros((*batch, 2))
        both = ops.convert_to_numpy(joined(static, contextual))
        np.testing.assert_array_equal(both, np.broadcast_to([1, 1, 1, 0, 0], (*batch, 5)))

    def test_lists_can_be_joined(self):
        assert ops.convert_to_numpy(joined([[1.0]], [[2.0, 3.0]])).tolist() == [[1, 2, 3]]

    @pytest.mark.parametrize(
        ("static", "contextual"),
        [((2, 5, 3), (2, 4, 3)), ((2, 5, 3), (1, 5, 3)), ((5, 3), (2, 5, 3)), ((), (3,))],
    )
    def test_other_words_are_refused(self, static, contextual):
        with pytest.raises(ValueError, match=r"the same words.*Received: shapes \("):
            joined(np.zeros(static), np.zeros(contextual))

    def test_sentence_marks_that_were_left_are_named(self):
        with pytest.raises(ValueError, match=r"Leave out the marks.*contextual\[:, 1:-1\]"):
            joined(np.zeros((2, 5, 3)), np.zeros((2, 7, 3)))

    def test_layers_that_are_not_mixed_are_named(self):
        with pytest.raises(ValueError, match="with ScalarMix"):
            joined(np.zeros((2, 5, 3)), np.zeros((2, 3, 5, 3)))

    def test_it_serves_in_a_model_of_any_batch(self):
        static = keras.Input((None, 3))
        contextual = keras.Input((None, 4))
        model = keras.Model([static, contextual], joined(static, contextual))
        assert model.output_shape == (None, None, 7)
        found = model([np.ones((2, 5, 3)), np.zeros((2, 5, 4))])
        assert tuple(found.shape) == (2, 5, 7)

    def test_a_word_has_its_static_vector_and_a_mixture_of_all_layers(self, static):
        bilm, mix = random_bilm(), ScalarMix(3)
        sentences = [["the", "Bank"], ["Zzz", "oz"]]
        layers = np.stack(bilm.embed(sentences))  # (batch, layers, time, size)
        vectors, _ = static.vectors(sentences)
        both = ops.convert_to_numpy(joined(vectors, mix(layers)))
        assert both.shape == (2, 2, 3 + 8)
        np.testing.assert_array_equal(both[..., :3], vectors)
        np.testing.assert_allclose(both[..., 3:], layers.mean(axis=1), atol=1e-6)
