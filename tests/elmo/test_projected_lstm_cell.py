"""The projected, clipped LSTM equals float64 NumPy: values, masks, clips and gradients."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.elmo import LSTMStack, ProjectedLSTMCell
from rnnkit.layers import LSTMCell, Recurrence
from rnnkit.models import gradient

UNITS, MEMORY = 3, 5


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def numpy_outputs(inputs, lengths, weights, memory_clip, output_clip):
    """Outputs with zeros on padding, `(batch, time, units)`, and last states; float64."""
    projection, kernel, recurrent, bias = (weight.astype("float64") for weight in weights)
    outputs = np.zeros((*inputs.shape[:2], UNITS))
    last = np.zeros((len(inputs), UNITS)), np.zeros((len(inputs), MEMORY))
    clip = lambda x, limit: x if limit is None else np.clip(x, -limit, limit)  # noqa: E731
    for row, length in enumerate(lengths):
        h, c = np.zeros(UNITS), np.zeros(MEMORY)
        for time in range(length):
            gates = inputs[row, time] @ kernel + h @ recurrent + bias
            i, f, g, o = np.split(gates, 4)
            c = clip(sigmoid(f + 1) * c + sigmoid(i) * np.tanh(g), memory_clip)
            h = clip((sigmoid(o) * np.tanh(c)) @ projection, output_clip)
            outputs[row, time] = h
        last[0][row], last[1][row] = h, c
    return outputs, last


def random_recurrence(memory_clip=3.0, output_clip=3.0, features=4, dtype="float32"):
    cell = ProjectedLSTMCell(UNITS, MEMORY, memory_clip, output_clip, dtype=dtype)
    recurrence = Recurrence(cell, dtype=dtype)
    recurrence.build((None, None, features))
    generator = np.random.default_rng(1)
    recurrence.set_weights([generator.normal(size=w.shape) for w in recurrence.get_weights()])
    return recurrence


@pytest.mark.parametrize("looped", [False, True])
@pytest.mark.parametrize("batch, time", [(1, 1), (1, 7), (4, 1), (3, 9)])
@pytest.mark.parametrize("clips", [(3.0, 3.0), (0.3, 0.2), (None, None)])
def test_equals_numpy(batch, time, clips, looped, monkeypatch) -> None:
    if looped:
        monkeypatch.setattr("rnnkit.layers.recurrence.UNROLL_AT_MOST", 0)
    generator = np.random.default_rng(0)
    inputs = generator.normal(size=(batch, time, 4))
    lengths = generator.integers(1, time + 1, size=batch)
    recurrence = random_recurrence(*clips)
    outputs, states = recurrence(inputs.astype("float32"), mask=np.arange(time) < lengths[:, None])
    weights = recurrence.get_weights()
    expected, last = numpy_outputs(inputs, lengths, weights, *clips)
    np.testing.assert_allclose(ops.convert_to_numpy(outputs), expected, atol=2e-6)
    for state, wanted in zip(states, last, strict=True):
        np.testing.assert_allclose(ops.convert_to_numpy(state), wanted, atol=2e-6)


def test_a_small_clip_is_met() -> None:
    outputs, (_, memory) = random_recurrence(0.3, 0.2)(10 * np.ones((2, 5, 4), "float32"))
    assert np.isclose(np.abs(ops.convert_to_numpy(outputs)).max(), 0.2)
    assert np.isclose(np.abs(ops.convert_to_numpy(memory)).max(), 0.3)


def test_with_an_identity_as_projection_it_is_an_lstm_cell() -> None:
    cell, plain = ProjectedLSTMCell(4, 4, None, None), LSTMCell(4, forget_bias=0.0)
    cell.build((None, 3))
    plain.build((None, 3))
    projection, kernel, recurrent, bias = cell.get_weights()
    cell.projection.assign(np.eye(4))
    plain.set_weights([kernel, recurrent, bias + np.repeat([0, 1, 0, 0], 4)])
    inputs = np.random.default_rng(0).normal(size=(2, 6, 3)).astype("float32")
    np.testing.assert_allclose(
        ops.convert_to_numpy(Recurrence(cell)(inputs)[0]),
        ops.convert_to_numpy(Recurrence(plain)(inputs)[0]),
        atol=1e-6,
    )
    assert projection.shape == (4, 4)


def test_gradients_equal_differences_in_float64() -> None:
    recurrence = random_recurrence(0.6, 0.5, dtype="float64")
    generator = np.random.default_rng(2)
    inputs, factors = generator.normal(size=(2, 4, 4)), generator.normal(size=(2, 4, UNITS))
    lengths = np.array([4, 2])
    mask = np.arange(4) < lengths[:, None]

    def loss(values):
        return ops.sum(recurrence(values, mask=mask)[0] * factors)

    found = ops.convert_to_numpy(gradient(loss, ops.convert_to_tensor(inputs)))
    weights, expected, step = recurrence.get_weights(), np.zeros_like(inputs), 1e-6
    for place in np.ndindex(inputs.shape):
        sides = []
        for sign in (1, -1):
            moved = inputs.copy()
            moved[place] += sign * step
            sides.append(np.sum(numpy_outputs(moved, lengths, weights, 0.6, 0.5)[0] * factors))
        expected[place] = (sides[0] - sides[1]) / (2 * step)
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("skips", [False, True])
def test_a_stack_adds_what_a_layer_reads_from_the_second_layer_on(skips: bool) -> None:
    stack = LSTMStack(UNITS, MEMORY, layers=3, skip_connections=skips)
    inputs = np.random.default_rng(0).normal(size=(2, 4, UNITS)).astype("float32")
    outputs, states = stack(inputs)
    below = inputs
    for layer, (recurrence, output) in enumerate(zip(stack.recurrences, outputs, strict=True)):
        made, (hidden, _) = recurrence(below)
        expected = ops.convert_to_numpy(made) + (np.asarray(below) if skips and layer else 0)
        np.testing.assert_allclose(ops.convert_to_numpy(output), expected, atol=1e-6)
        np.testing.assert_allclose(  # what goes to the next step has nothing added
            ops.convert_to_numpy(states[layer][0]), ops.convert_to_numpy(hidden), atol=1e-6
        )
        below = ops.convert_to_numpy(output)


def test_a_stack_saved_in_a_model_gives_the_same(tmp_path) -> None:
    inputs = keras.Input((4, UNITS))
    model = keras.Model(inputs, LSTMStack(UNITS, MEMORY)(inputs)[0][-1])
    values = np.random.default_rng(0).normal(size=(2, 4, UNITS)).astype("float32")
    model.save(tmp_path / "model.keras")
    again = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(
        model.predict(values, verbose=0), again.predict(values, verbose=0)
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((3, 0), "memory >= 1"),
        ((0, 3), "units >= 1"),
        ((3, 3, 0.0), "clips"),
        ((3, 3, -1), "clips"),
    ],
)
def test_impossible_sizes_are_refused(arguments, message) -> None:
    with pytest.raises(ValueError, match=message):
        ProjectedLSTMCell(*arguments)
