"""The decoder: what it looks at and when."""

import keras
import numpy as np
import pytest
from keras import ops

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


def array(tensor) -> np.ndarray:
    return ops.convert_to_numpy(tensor)


def decoder() -> AttentionDecoder:
    return AttentionDecoder(6, AdditiveAttention(5))


def decoder_with_biases() -> AttentionDecoder:
    """All weights random: as it is made, its biases are zeros and hide what is done with them."""
    layer = decoder()
    layer.build((None, None, 4), (None, 6), (None, None, 7))
    draw = np.random.default_rng(9).normal
    layer.set_weights([draw(size=weight.shape, scale=0.5) for weight in layer.get_weights()])
    return layer


@pytest.mark.parametrize(("batch", "target", "source"), [(2, 3, 5), (1, 1, 1), (3, 1, 4)])
def test_looks_with_the_state_before_each_step(batch: int, target: int, source: int) -> None:
    embedded, state, keys, mask = inputs(batch, target, source)
    layer = decoder_with_biases()
    outputs, weights = (array(each) for each in layer(embedded, state, keys, mask))
    cell = layer.cell
    for position in range(target):
        context, alpha = (array(each) for each in layer.attention(state, keys, mask))
        joined = np.concatenate([embedded[:, position], context], axis=-1)
        state = array(gru_step(joined, state, *cell.get_weights()))
        np.testing.assert_allclose(weights[:, position], alpha, atol=1e-5)
        expected = np.concatenate([state, context], axis=-1)
        np.testing.assert_allclose(outputs[:, position], expected, atol=1e-5)


def test_later_inputs_change_no_earlier_output() -> None:
    embedded, state, keys, mask = inputs(target=4)
    layer = decoder()
    before, _ = layer(embedded, state, keys, mask)
    embedded[:, 2] += 1.0
    after, _ = layer(embedded, state, keys, mask)
    difference = np.abs(array(after) - array(before))
    assert np.all(difference[:, :2] == 0)
    assert difference[:, 2:].max() > 1e-3


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
    found = gru_step(features, state, *cell.get_weights())
    np.testing.assert_allclose(array(found), array(expected), atol=1e-6)


def test_single_steps_give_what_all_steps_gave() -> None:
    embedded, state, keys, mask = inputs(target=3)
    layer = decoder_with_biases()
    outputs, _ = layer(embedded, state, keys, mask)
    for position in range(3):
        step = layer.step(embedded[:, position], state, keys, mask)
        state = step.state
        np.testing.assert_allclose(array(step.output), array(outputs)[:, position], atol=1e-6)


def test_mixed_precision_changes_little() -> None:
    embedded, state, keys, mask = inputs()
    narrow = AttentionDecoder(
        6, AdditiveAttention(5, dtype="mixed_bfloat16"), dtype="mixed_bfloat16"
    )
    outputs, _ = narrow(embedded, state, keys, mask)
    assert keras.backend.standardize_dtype(outputs.dtype) == "bfloat16"
    wide = decoder()
    wide(embedded, state, keys, mask)
    wide.set_weights(narrow.get_weights())
    expected, _ = wide(embedded, state, keys, mask)
    np.testing.assert_allclose(array(ops.cast(outputs, "float32")), array(expected), atol=0.05)
