"""Gradients of recurrences, against float64 differences and Keras's layers."""

from collections.abc import Callable

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import Recurrence, make_cell

BATCH, TIME, FEATURES, UNITS = 2, 4, 2, 3
KERAS = {"elman": keras.layers.SimpleRNN, "gru": keras.layers.GRU, "lstm": keras.layers.LSTM}
LENGTHS = np.array([4, 2])


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def numpy_step(name: str, x: np.ndarray, states: list[np.ndarray], weights: list[np.ndarray]):
    kernel, recurrent, bias = weights
    if name == "elman":
        return [np.tanh(x @ kernel + states[0] @ recurrent + bias)]
    if name == "gru":
        z_x, r_x, g_x = np.split(x @ kernel + bias[0], 3)
        z_h, r_h, g_h = np.split(states[0] @ recurrent + bias[1], 3)
        z = sigmoid(z_x + z_h)
        return [z * states[0] + (1 - z) * np.tanh(g_x + sigmoid(r_x + r_h) * g_h)]
    i, f, g, o = np.split(x @ kernel + states[0] @ recurrent + bias, 4)
    memory = sigmoid(f) * states[1] + sigmoid(i) * np.tanh(g)
    return [sigmoid(o) * np.tanh(memory), memory]


def numpy_loss(name: str, reverse: bool, arrays: list[np.ndarray], factors: list[np.ndarray]):
    """The outputs and the last states, weighed and added up; rows are read without padding."""
    inputs, *weights = arrays
    on_outputs, *on_states = factors
    total = 0.0
    for row, length in enumerate(LENGTHS):
        states = [np.zeros(UNITS) for _ in on_states]
        for position in range(length)[::-1] if reverse else range(length):
            states = numpy_step(name, inputs[row, position], states, weights)
            total += np.sum(states[0] * on_outputs[row, position])
        total += sum(np.sum(s * f[row]) for s, f in zip(states, on_states, strict=True))
    return total


def differences(loss: Callable, arrays: list[np.ndarray], step: float = 1e-5) -> list[np.ndarray]:
    """Central differences of a function of several arrays."""
    slopes = [np.zeros_like(array) for array in arrays]
    for array, slope in zip(arrays, slopes, strict=True):
        for place in np.ndindex(array.shape):
            kept = array[place]
            array[place] = kept + step
            above = loss(arrays)
            array[place] = kept - step
            slope[place] = (above - loss(arrays)) / (2 * step)
            array[place] = kept
    return slopes


def gradients(layer: keras.layers.Layer, loss: Callable, inputs: np.ndarray) -> list[np.ndarray]:
    """Of the loss of what the layer returns, for the inputs and for each weight."""
    inputs = ops.convert_to_tensor(inputs)
    backend = keras.backend.backend()
    if backend == "tensorflow":
        import tensorflow as tf

        values = [weight.value for weight in layer.trainable_variables]
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            result = loss(layer, inputs)
        found = tape.gradient(result, [inputs, *values])
    elif backend == "torch":
        import torch

        values = [weight.value for weight in layer.trainable_variables]
        inputs = inputs.detach().requires_grad_(True)
        found = torch.autograd.grad(loss(layer, inputs), [inputs, *values])
    else:
        import jax

        others = [weight.value for weight in layer.non_trainable_variables]

        def pure(inputs, values):
            def call(x, **more):
                return layer.stateless_call(values, others, x, **more)[0]

            return loss(call, inputs)

        values = [weight.value for weight in layer.trainable_variables]
        first, rest = jax.grad(pure, argnums=(0, 1))(inputs, values)
        found = [first, *rest]
    return [ops.convert_to_numpy(each) for each in found]


@pytest.fixture(params=["written out", "in a loop"])
def both_forms(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "in a loop":
        monkeypatch.setattr("rnnkit.layers.recurrence.UNROLL_AT_MOST", 0)


@pytest.mark.usefixtures("both_forms")
@pytest.mark.parametrize(("name", "reverse"), [("elman", False), ("gru", True), ("lstm", False)])
def test_gradients_equal_differences_of_the_equations(name: str, reverse: bool) -> None:
    generator = np.random.default_rng(3)
    inputs = generator.normal(size=(BATCH, TIME, FEATURES)).astype("float32")
    mask = np.arange(TIME) < LENGTHS[:, None]
    layer = Recurrence(make_cell(name, UNITS), reverse=reverse)
    layer.build(inputs.shape)
    layer.set_weights([generator.normal(size=w.shape, scale=0.7) for w in layer.get_weights()])
    shapes = [(BATCH, TIME, UNITS), *[(BATCH, UNITS)] * layer.cell.state_count]
    factors = [generator.normal(size=shape).astype("float32") for shape in shapes]

    def loss(call: Callable, inputs):
        outputs, states = call(inputs, mask=mask)
        pairs = zip([outputs, *states], factors, strict=True)
        return sum(ops.sum(ops.multiply(tensor, factor)) for tensor, factor in pairs)

    arrays = [array.astype("float64") for array in (inputs, *layer.get_weights())]
    expected = differences(lambda each: numpy_loss(name, reverse, each, factors), arrays)
    for found, right in zip(gradients(layer, loss, inputs), expected, strict=True):
        np.testing.assert_allclose(found, right, atol=2e-5)


@pytest.mark.usefixtures("both_forms")
@pytest.mark.parametrize("name", KERAS)
def test_gradients_equal_those_of_the_keras_layer(name: str) -> None:
    inputs = np.random.default_rng(4).normal(size=(3, 5, 4)).astype("float32")
    theirs = KERAS[name](UNITS, return_sequences=True)
    theirs.build(inputs.shape)
    ours = Recurrence(make_cell(name, UNITS))
    ours.build(inputs.shape)
    ours.set_weights(theirs.get_weights())
    expected = gradients(theirs, lambda call, x: ops.sum(ops.square(call(x))), inputs)
    found = gradients(ours, lambda call, x: ops.sum(ops.square(call(x)[0])), inputs)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.usefixtures("both_forms")
def test_padding_gets_no_gradient() -> None:
    inputs = np.random.default_rng(5).normal(size=(BATCH, TIME, FEATURES)).astype("float32")
    mask = np.arange(TIME) < LENGTHS[:, None]
    layer = Recurrence(make_cell("lstm", UNITS))
    layer.build(inputs.shape)
    slope, *_ = gradients(layer, lambda call, x: ops.sum(call(x, mask=mask)[0]), inputs)
    assert np.all(slope[~mask] == 0)
    assert np.all(np.abs(slope[mask]).max(axis=-1) > 0)
