"""Recurrent layers in a file, in 16 bits, and compiled."""

from pathlib import Path

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import (
    Bidirectional,
    Recurrence,
    SoftGateCell,
    StackedBidirectional,
    make_cell,
    recurrence,
)

INPUTS = np.random.default_rng(0).normal(size=(2, 5, 4)).astype("float32")
MASK = np.array([[True] * 5, [True] * 3 + [False] * 2])


def both_ways(dtype: str | None = None) -> Bidirectional:
    forward = Recurrence(make_cell("gru", 3, dtype=dtype), dtype=dtype)
    backward = Recurrence(make_cell("lstm", 2, dtype=dtype), reverse=True, dtype=dtype)
    return Bidirectional(forward, backward, dtype=dtype)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Recurrence(make_cell("lstm", 3, forget_bias=3.0), reverse=True),
        lambda: Recurrence(SoftGateCell(3)),
        lambda: StackedBidirectional([both_ways(), both_ways()]),
    ],
    ids=["lstm", "soft gate", "stacked"],
)
def test_a_saved_model_gives_the_same_outputs(make, tmp_path: Path) -> None:
    inputs, mask = keras.Input((5, 4)), keras.Input((5,), dtype="bool")
    model = keras.Model([inputs, mask], make()(inputs, mask=mask)[0])
    expected = ops.convert_to_numpy(model([INPUTS, MASK]))
    path = tmp_path / "model.keras"
    model.save(path)
    loaded = keras.saving.load_model(path)
    np.testing.assert_array_equal(ops.convert_to_numpy(loaded([INPUTS, MASK])), expected)


def test_a_cell_made_again_begins_as_it_was_told() -> None:
    scale = keras.initializers.RandomNormal(stddev=2.0, seed=1)
    cell = make_cell("lstm", 40, recurrent_initializer=scale, forget_bias=5.0)
    again = type(cell).from_config(cell.get_config())
    again.build((None, 2))
    _, recurrent, bias = again.get_weights()
    assert 1.9 < recurrent.std() < 2.1
    assert set(bias[40:80]) == {5.0}


@pytest.mark.parametrize("limit", [recurrence.UNROLL_AT_MOST, 0])
@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_mixed_precision_computes_states_in_16_bits(policy, limit, monkeypatch) -> None:
    monkeypatch.setattr("rnnkit.layers.recurrence.UNROLL_AT_MOST", limit)
    layer = both_ways(policy)
    outputs, states = layer(INPUTS, mask=MASK)
    single = both_ways()
    single.build(INPUTS.shape)
    single.set_weights(layer.get_weights())
    expected, _ = single(INPUTS, mask=MASK)
    narrow = policy.removeprefix("mixed_")
    for tensor in [outputs, *keras.tree.flatten(states)]:
        assert keras.backend.standardize_dtype(tensor.dtype) == narrow
    assert all(weight.dtype == "float32" for weight in layer.weights)
    found = ops.convert_to_numpy(ops.cast(outputs, "float32"))
    np.testing.assert_allclose(found, ops.convert_to_numpy(expected), atol=0.03)


on_tensorflow = pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="this is about TensorFlow's graphs"
)


@on_tensorflow
def test_compiled_by_xla_it_gives_the_same_outputs() -> None:
    import tensorflow as tf

    layer = both_ways()
    expected, _ = layer(INPUTS, mask=MASK)
    compiled = tf.function(lambda x, m: layer(x, mask=m)[0], jit_compile=True)
    np.testing.assert_allclose(compiled(INPUTS, MASK), expected, atol=1e-6)


@on_tensorflow
def test_length_may_be_unknown() -> None:
    import tensorflow as tf

    layer = both_ways()
    expected, _ = layer(INPUTS, mask=MASK)
    graph = tf.function(
        lambda x, m: layer(x, mask=m)[0],
        input_signature=[tf.TensorSpec((None, None, 4)), tf.TensorSpec((None, None), tf.bool)],
    )
    np.testing.assert_allclose(graph(INPUTS, MASK), expected, atol=1e-6)
    np.testing.assert_allclose(graph(INPUTS[:, :3], MASK[:, :3])[1], expected[1, :3], atol=1e-6)
