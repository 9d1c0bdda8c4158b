"""A step that the exercise gives may be called; the ready-made layer may not."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit import checks, layers


def with_given_step(inputs, weights):
    h = c = np.zeros((len(inputs), weights[1].shape[0]), "float32")
    outputs = []
    for t in range(inputs.shape[1]):
        h, c = layers.lstm_step(inputs[:, t], h, c, *weights)
        outputs.append(h)
    return ops.stack(outputs, axis=1)


def with_layer(inputs, weights):
    layer = keras.layers.LSTM(weights[1].shape[0], return_sequences=True)
    layer.build(inputs.shape)
    layer.set_weights(weights)
    return layer(inputs)


def test_given_step_is_free() -> None:
    checks.equals_keras_layer(with_given_step, "LSTM", given=("lstm_step",))


def test_step_that_is_not_given_is_ready_made() -> None:
    with pytest.raises(AssertionError, match="ready-made lstm_step of rnnkit"):
        checks.equals_keras_layer(with_given_step, "LSTM")


def test_layer_is_ready_made_beside_a_given_step() -> None:
    with pytest.raises(AssertionError, match="ready-made LSTM of Keras"):
        checks.equals_keras_layer(with_layer, "LSTM", given=("lstm_step",))


def test_step_of_the_package_passes_where_it_is_the_answer(monkeypatch) -> None:
    import contextlib

    monkeypatch.setattr(
        "rnnkit.checks.inputs.no_ready_made", lambda *names: contextlib.nullcontext()
    )
    checks.lstm_step(layers.lstm_step)
