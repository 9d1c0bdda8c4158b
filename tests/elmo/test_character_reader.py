"""Words read fast have the vectors of the encoder that is trained."""

import numpy as np
import pytest
from keras import ops
from test_character_encoder import WORDS, with_random_weights

from rnnkit.elmo import CharacterEncoder, character_reader, word_ids
from rnnkit.elmo.character_reader import CharacterReader

FILTERS = [(1, 3), (2, 5), (7, 2)]
ENGINES = {"numpy": 10**12, "graph": -1}


def ids_of(words: list[str]) -> np.ndarray:
    return np.stack([word_ids(word) for word in words])


@pytest.fixture(params=ENGINES)
def engine(request, monkeypatch) -> str:
    """Both ways to read, whatever the number of words."""
    monkeypatch.setattr(character_reader, "LITTLE", ENGINES[request.param])
    return request.param


@pytest.mark.parametrize("words", [WORDS, WORDS[:1], WORDS[4:5]], ids=["all", "one", "long"])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("highways", [0, 2])
@pytest.mark.parametrize("projection", [None, 4])
def test_vectors_are_those_of_the_encoder(engine, words, activation, highways, projection) -> None:
    encoder = with_random_weights(CharacterEncoder(FILTERS, projection, 3, highways, activation))
    found = CharacterReader(encoder)(ids_of(words))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, ops.convert_to_numpy(encoder(ids_of(words))), atol=1e-6)


def test_gates_of_large_numbers_are_0_or_1_and_warn_of_nothing(engine, recwarn) -> None:
    encoder = with_random_weights(CharacterEncoder(FILTERS, None, 3, 1))
    encoder.set_weights([1000 * weight for weight in encoder.get_weights()])
    found = CharacterReader(encoder)(ids_of(WORDS))
    expected = ops.convert_to_numpy(encoder(ids_of(WORDS)))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
    assert not [each for each in recwarn if each.category is RuntimeWarning]


def test_after_a_change_it_reads_with_the_new_weights(engine) -> None:
    encoder = with_random_weights(CharacterEncoder(FILTERS, 4, 3, 1))
    reader = CharacterReader(encoder)
    before = reader(ids_of(WORDS))
    with_random_weights(encoder, seed=1)
    reader.renew()
    after = reader(ids_of(WORDS))
    assert np.abs(after - before).max() > 1e-3
    np.testing.assert_allclose(after, ops.convert_to_numpy(encoder(ids_of(WORDS))), atol=1e-6)


@pytest.mark.parametrize(("words", "by_numpy"), [(1, True), (2, True), (3, False)])
def test_numpy_reads_few_words(monkeypatch, words: int, by_numpy: bool) -> None:
    # A word of 9 letters has 2 marks, and 7 columns of padding stay beside it.
    encoder = CharacterEncoder(FILTERS, 4, 3, 1)
    products = 18 * 3 * (1 * 3 + 2 * 5 + 7 * 2) + 10 * (2 * 10 + 4)
    monkeypatch.setattr(character_reader, "LITTLE", 2 * products)
    reader = CharacterReader(encoder)
    monkeypatch.setattr(reader, "_by_numpy", lambda ids: "numpy")
    found = reader(ids_of(["ninechars"] * words))
    assert (isinstance(found, str)) == by_numpy


def test_in_16_bits_the_graph_reads_as_the_encoder_does() -> None:
    encoder = with_random_weights(CharacterEncoder(FILTERS, 4, 3, 1, dtype="float16"))
    found = CharacterReader(encoder)(ids_of(WORDS))
    expected = ops.convert_to_numpy(encoder(ids_of(WORDS))).astype("float32")
    np.testing.assert_allclose(found, expected, atol=0.02)
