"""What the classifier, the sentence pair and the tagger share."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.models import SentencePair, SequenceClassifier, TokenEncoder, TokenTagger

IDS = np.array([[5, 4, 8, 3], [7, 6, 0, 0], [2, 0, 0, 0]])
REAL = IDS != 0
MODELS = {
    "classifier": lambda **settings: SequenceClassifier(9, 3, 6, 4, **settings),
    "tagger": lambda **settings: TokenTagger(9, 5, 6, 4, **settings),
    "pair": lambda **settings: SentencePair(9, 6, 4, **settings),
}


def make(name: str, **settings) -> keras.Model:
    keras.utils.set_random_seed(3)
    return MODELS[name](**settings)


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


def call(model: keras.Model, ids: np.ndarray) -> np.ndarray:
    if isinstance(model, SentencePair):
        return array(model({"first": ids, "second": IDS[::-1]}))
    return array(model(ids))


@pytest.mark.parametrize("directions", ["both", "forward"])
@pytest.mark.parametrize("cell", ["elman", "gru", "lstm"])
def test_padding_changes_nothing_at_any_depth(cell: str, directions: str) -> None:
    keras.utils.set_random_seed(3)
    encoder = TokenEncoder(9, 6, 4, cell=cell, layers=3, directions=directions)
    states, padded = encoder(IDS), encoder(np.pad(IDS, ((0, 0), (0, 5))))
    np.testing.assert_allclose(
        array(padded.outputs)[:, :4][REAL], array(states.outputs)[REAL], atol=1e-6
    )
    np.testing.assert_allclose(array(padded.last), array(states.last), atol=1e-6)


@pytest.mark.parametrize("directions", ["both", "forward"])
def test_last_states_are_outputs_at_the_ends(directions: str) -> None:
    encoder = TokenEncoder(9, 6, 4, layers=2, directions=directions)
    states = encoder(IDS)
    outputs, last = array(states.outputs), array(states.last)
    ends = REAL.sum(axis=-1) - 1
    np.testing.assert_allclose(last[:, :6], outputs[np.arange(3), ends, :6], atol=1e-6)
    np.testing.assert_allclose(last[:, 6:], outputs[:, 0, 6:], atol=1e-6)


def test_both_directions_equal_keras_bidirectional() -> None:
    encoder = TokenEncoder(9, 6, 4)
    layer = keras.layers.Bidirectional(keras.layers.LSTM(6, return_sequences=True))
    layer.build((None, None, 4))
    layer.set_weights(encoder.recurrences[0].get_weights())
    expected = layer(encoder.embedding(IDS), mask=ops.convert_to_tensor(REAL))
    np.testing.assert_allclose(array(encoder(IDS).outputs)[REAL], array(expected)[REAL], atol=1e-5)


@pytest.mark.parametrize(("directions", "leaks"), [("forward", False), ("both", True)])
def test_later_words_decide_only_in_both_directions(directions: str, leaks: bool) -> None:
    tagger = make("tagger", layers=2, directions=directions)
    changed = IDS.copy()
    changed[0, 3] = 1
    difference = np.abs(call(tagger, changed)[0, :3] - call(tagger, IDS)[0, :3]).max()
    assert (difference > 0) == leaks


@pytest.mark.parametrize("name", MODELS)
def test_saved_model_gives_the_same(name: str, tmp_path) -> None:
    model = make(name, cell="gru", layers=2, directions="both")
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(call(loaded, IDS), call(model, IDS))


@pytest.mark.parametrize("name", MODELS)
def test_mixed_precision_answers_in_float32(name: str) -> None:
    single, mixed = make(name), make(name, dtype="mixed_bfloat16")
    mixed.set_weights(single.get_weights())
    assert call(mixed, IDS).dtype == "float32"
    np.testing.assert_allclose(call(mixed, IDS), call(single, IDS), atol=0.03)


@pytest.mark.parametrize("settings", [{"directions": "backward"}, {"layers": 0}, {"cell": "rnn"}])
def test_wrong_settings_are_refused(settings) -> None:
    with pytest.raises(ValueError, match="Received"):
        TokenEncoder(9, **settings)
