"""The character encoder equals NumPy, for words of any length."""

from typing import Any

import keras
import numpy as np
import numpy_elmo
import pytest
from keras import ops

from rnnkit.elmo import CharacterEncoder, Highway, character_ids, word_ids

WORDS = ["a", "the", "bank", "ünïcödé", "x" * 47, "y" * 48, "z" * 60, "</S>"]


def with_random_weights(layer: Any, seed: int = 0) -> Any:
    generator = np.random.default_rng(seed)
    layer.set_weights([generator.normal(size=w.shape, scale=0.5) for w in layer.get_weights()])
    return layer


def published_arrays(encoder: CharacterEncoder) -> dict[str, np.ndarray]:
    """The encoder's weights in float64, under the names of the published file."""
    as_array = lambda variable: ops.convert_to_numpy(variable).astype("float64")  # noqa: E731
    arrays = {"char_embed": as_array(encoder.table)}
    for number, (kernel, bias) in enumerate(zip(encoder.kernels, encoder.biases, strict=True)):
        arrays[f"CNN/W_cnn_{number}"] = as_array(kernel)[None]
        arrays[f"CNN/b_cnn_{number}"] = as_array(bias)
    for number, highway in enumerate(encoder.highways):
        arrays[f"CNN_high_{number}/W_carry"] = as_array(highway.gate_kernel)
        arrays[f"CNN_high_{number}/b_carry"] = as_array(highway.gate_bias)
        arrays[f"CNN_high_{number}/W_transform"] = as_array(highway.kernel)
        arrays[f"CNN_high_{number}/b_transform"] = as_array(highway.bias)
    if encoder.to_projection is not None:
        arrays["CNN_proj/W_proj"] = as_array(encoder.to_projection.kernel)
        arrays["CNN_proj/b_proj"] = as_array(encoder.to_projection.bias)
    return arrays


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("highways", [0, 1, 2])
@pytest.mark.parametrize("projection", [None, 4])
def test_equals_numpy(activation: str, highways: int, projection: int | None) -> None:
    filters = [(1, 3), (2, 5), (7, 2)]
    encoder = CharacterEncoder(filters, projection, 3, highways, activation)
    with_random_weights(encoder)
    options = {
        "char_cnn": {
            "activation": activation,
            "filters": filters,
            "n_highway": highways,
            "embedding": {"dim": 3},
            "max_characters_per_token": 50,
        }
    }
    arrays = published_arrays(encoder)
    expected = [numpy_elmo.word_vector(word, arrays, options) for word in WORDS]
    ids = np.stack([word_ids(word) for word in WORDS])
    np.testing.assert_allclose(ops.convert_to_numpy(encoder(ids)), expected, atol=2e-6)
    np.testing.assert_allclose(  # as a batch of one sentence
        ops.convert_to_numpy(encoder(ids[None]))[0], expected, atol=2e-6
    )


@pytest.mark.parametrize("words", [WORDS[:1], WORDS[:4], WORDS])
def test_trimmed_padding_changes_nothing(words: list[str]) -> None:
    encoder = with_random_weights(CharacterEncoder([(1, 3), (4, 5)], 4, 3))
    ids = np.stack([word_ids(word) for word in words])
    trimmed = encoder.trim(ids)
    np.testing.assert_allclose(
        ops.convert_to_numpy(encoder(trimmed)), ops.convert_to_numpy(encoder(ids)), atol=1e-6
    )


def test_short_words_are_trimmed() -> None:
    assert CharacterEncoder([(1, 3), (4, 5)], 4).trim(word_ids("ab")[None]).shape == (1, 4 + 4)


def test_saved_in_a_model_it_gives_the_same(tmp_path) -> None:
    inputs = keras.Input((None, 50), dtype="int32")
    model = keras.Model(inputs, CharacterEncoder([(1, 3), (2, 2)], 4)(inputs))
    ids = character_ids([["the", "bank"]])
    model.save(tmp_path / "model.keras")
    again = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(model.predict(ids, verbose=0), again.predict(ids, verbose=0))


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"filters": [], "projection": 4}, "expects filters"),
        ({"filters": [(0, 3)], "projection": 4}, "at least 1"),
        ({"filters": [(1, 3)], "projection": 0}, "at least 1"),
        ({"filters": [(1, 3)], "projection": 4, "highways": -1}, "at least 1"),
        ({"filters": [(1, 3)], "projection": 4, "activation": "sine"}, "'relu' or 'tanh'"),
    ],
)
def test_impossible_settings_are_refused(settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CharacterEncoder(**settings)


def test_words_shorter_than_the_widest_filter_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 7 character ids"):
        CharacterEncoder([(7, 3)], 4)(np.ones((2, 5), "int32"))


def test_a_highway_with_a_closed_gate_carries_its_input() -> None:
    highway = Highway()
    highway.build((None, 3))
    highway.gate_bias.assign(np.full(3, -100.0))
    inputs = np.random.default_rng(0).normal(size=(2, 3)).astype("float32")
    np.testing.assert_allclose(ops.convert_to_numpy(highway(inputs)), inputs, atol=1e-6)


def test_a_new_highway_carries_most_of_its_input() -> None:
    highway = Highway()
    highway.build((None, 3))
    gate = 1 / (1 + np.exp(-ops.convert_to_numpy(highway.gate_bias)))
    assert (gate < 0.2).all()
