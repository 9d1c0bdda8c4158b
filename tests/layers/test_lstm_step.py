"""One step of an LSTM beside Keras's cell."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import lstm_step


@pytest.mark.parametrize("batch", [1, 4])
def test_step_equals_the_keras_cell(batch: int) -> None:
    generator = np.random.default_rng(3)
    cell = keras.layers.LSTMCell(6, bias_initializer="normal")
    features = generator.normal(size=(batch, 5)).astype("float32")
    states = list(generator.normal(size=(2, batch, 6)).astype("float32"))
    _, expected = cell(features, states)
    found = lstm_step(features, *states, *cell.get_weights())
    for new, right in zip(found, expected, strict=True):
        np.testing.assert_allclose(
            ops.convert_to_numpy(new), ops.convert_to_numpy(right), atol=1e-6
        )


def test_open_forget_gate_and_closed_input_gate_keep_the_memory() -> None:
    bias = np.repeat([-1e4, 1e4, 0.0, 0.0], 2)  # i, f, g, o
    memory = np.array([[0.25, -3.0]])
    zeros = np.zeros((1, 2))
    _, new = lstm_step(zeros, zeros, memory, np.zeros((2, 8)), np.zeros((2, 8)), bias)
    np.testing.assert_array_equal(ops.convert_to_numpy(new), memory)
