"""The decoder: what it looks at and when."""

import keras
import numpy as np
import pytest

from rnnkit.layers import AdditiveAttention, AttentionDecoder, gru_step


def inputs(batch: int = 2, target: int = 3, source: int = 5, seed: int = 0):
    generator = np.random.default_rng(seed)
    mask = np.arange(source) < generator.integers(1, source + 1, batch)[:, None]
    return (
        generator.normal(size=(batch, target, 4)).astype("float32"),
        np.tanh(generator.normal(size=(batch, 6))).astype("float32"),
        np.tanh(generator.normal(size=(batch, source, 7))).astype("float32"),
        mask,
    )


def decoder() -> AttentionDecoder:
    return AttentionDecoder(6, AdditiveAttention(5))


@pytest.mark.parametrize(("batch", "target", "source"), [(2, 3, 5), (1, 1, 1), (3, 1, 4)])
def test_looks_with_the_state_before_each_step(batch: int, target: int, source: int) -> None:
    embedded, state, keys, mask = inputs(batch, target, source)
    layer = decoder()
    outputs, weights = layer(embedded, state, keys, mask)
    cell = layer.cell
    for position in range(target):
        context, alpha = layer.attention(state, keys, mask)
        joined = np.concatenate([embedded[:, position], context], axis=-1)
        state = np.asarray(
            gru_step(joined, state, *(np.asarray(w, "float64") for w in cell.get_weights()))
        ).astype("float32")
        np.testing.assert_allclose(np.asarray(weights)[:, position], alpha, atol=1e-5)
        expected = np.concatenate([state, context], axis=-1)
        np.testing.assert_allclose(np.asarray(outputs)[:, position], expected, atol=1e-5)


def test_later_inputs_change_no_earlier_output() -> None:
    embedded, state, keys, mask = inputs(target=4)
    layer = decoder()
    before, _ = layer(embedded, state, keys, mask)
    embedded[:, 2] += 1.0
    after, _ = layer(embedded, state, keys, mask)
    np.testing.assert_array_equal(np.asarray(after)[:, :2], np.asarray(before)[:, :2])
    assert np.abs(np.asarray(after)[:, 2:] - np.asarray(before)[:, 2:]).max() > 1e-3


def test_refuses_a_state_of_another_size() -> None:
    embedded, state, keys, _ = inputs()
    with pytest.raises(ValueError, match=r"expects initial_state \(batch, 6\)"):
        decoder()(embedded, state[:, :5], keys)


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow",
    reason="only TensorFlow calls a layer with a number of steps that is not known",
)
def test_says_that_it_needs_to_know_how_many_steps() -> None:
    layer = decoder()
    with pytest.raises(ValueError, match="fixed number of target positions"):
        layer(
            keras.Input((None, 4), batch_size=2),
            keras.Input((6,), batch_size=2),
            keras.Input((5, 7), batch_size=2),
        )


@pytest.mark.parametrize("batch", [1, 4])
def test_gru_step_equals_the_keras_cell(batch: int) -> None:
    generator = np.random.default_rng(3)
    cell = keras.layers.GRUCell(6, bias_initializer="normal")
    features = generator.normal(size=(batch, 5)).astype("float32")
    state = generator.normal(size=(batch, 6)).astype("float32")
    expected, _ = cell(features, state)
    np.testing.assert_allclose(gru_step(features, state, *cell.get_weights()), expected, atol=1e-6)
