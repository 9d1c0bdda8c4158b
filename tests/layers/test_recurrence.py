"""Recurrences equal Keras's layers and plain NumPy, with any mask, and never leak."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import Bidirectional, Recurrence, make_cell, recurrence

KERAS = {"elman": keras.layers.SimpleRNN, "gru": keras.layers.GRU, "lstm": keras.layers.LSTM}
CELLS = tuple(KERAS)
SHAPES = [(1, 1, 2, 3), (3, 5, 4, 6), (2, 9, 1, 2)]  # batch, time, features, units


@pytest.fixture(params=["written out", "in a loop"])
def both_forms(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test runs on the steps written out, and on the loop for long sequences."""
    if request.param == "in a loop":
        monkeypatch.setattr("rnnkit.layers.recurrence.UNROLL_AT_MOST", 0)


def random_case(shape: tuple[int, ...], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Inputs, and a right-padded mask with rows of any length from 1."""
    batch, time, features, _ = shape
    generator = np.random.default_rng(seed)
    inputs = generator.normal(size=(batch, time, features)).astype("float32")
    lengths = generator.integers(1, time + 1, size=batch)
    return inputs, np.arange(time) < lengths[:, None]


def with_random_weights(layer: Recurrence, features: int, seed: int = 1) -> Recurrence:
    layer.build((None, None, features))
    generator = np.random.default_rng(seed)
    layer.set_weights([generator.normal(size=w.shape, scale=0.5) for w in layer.get_weights()])
    return layer


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def numpy_step(name: str, x: np.ndarray, states: list[np.ndarray], weights: list[np.ndarray]):
    """One step in float64, written from the equations."""
    kernel, recurrent, bias = (weight.astype("float64") for weight in weights)
    if name == "elman":
        return [np.tanh(x @ kernel + states[0] @ recurrent + bias)]
    if name == "gru":
        (h,) = states
        zx, rx, gx = np.split(x @ kernel + bias[0], 3)
        zh, rh, gh = np.split(h @ recurrent + bias[1], 3)
        z, r = sigmoid(zx + zh), sigmoid(rx + rh)
        return [z * h + (1 - z) * np.tanh(gx + r * gh)]
    h, c = states
    i, f, g, o = np.split(x @ kernel + h @ recurrent + bias, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return [sigmoid(o) * np.tanh(c), c]


def numpy_run(name, inputs, mask, weights, units, reverse):
    """All rows by themselves, without their padding."""
    outputs = np.zeros((*inputs.shape[:2], units))
    count = 2 if name == "lstm" else 1
    last = [np.zeros((len(inputs), units)) for _ in range(count)]
    for row in range(len(inputs)):
        states = [np.zeros(units) for _ in range(count)]
        positions = list(range(int(mask[row].sum())))
        for position in reversed(positions) if reverse else positions:
            states = numpy_step(name, inputs[row, position].astype("float64"), states, weights)
            outputs[row, position] = states[0]
        for array, state in zip(last, states, strict=True):
            array[row] = state
    return outputs, last


@pytest.mark.usefixtures("both_forms")
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", CELLS)
def test_outputs_and_last_states_equal_numpy(name, shape, reverse):
    inputs, mask = random_case(shape)
    units = shape[-1]
    layer = with_random_weights(Recurrence(make_cell(name, units), reverse=reverse), shape[2])
    outputs, last = layer(inputs, mask=mask)
    expected, expected_last = numpy_run(name, inputs, mask, layer.get_weights(), units, reverse)
    np.testing.assert_allclose(ops.convert_to_numpy(outputs), expected, atol=1e-5)
    for state, right in zip(last, expected_last, strict=True):
        np.testing.assert_allclose(ops.convert_to_numpy(state), right, atol=1e-5)


@pytest.mark.usefixtures("both_forms")
@pytest.mark.parametrize("name", CELLS)
def test_equals_the_keras_layer_with_the_same_weights(name):
    inputs, _ = random_case((3, 6, 4, 5))
    theirs = KERAS[name](5, return_sequences=True)
    expected = ops.convert_to_numpy(theirs(inputs))
    ours = Recurrence(make_cell(name, 5))
    ours.build(inputs.shape)
    ours.cell.set_weights(theirs.get_weights())
    np.testing.assert_allclose(ops.convert_to_numpy(ours(inputs)[0]), expected, atol=1e-6)


@pytest.mark.usefixtures("both_forms")
@pytest.mark.parametrize("name", CELLS)
def test_more_padding_changes_no_real_position(name):
    inputs, mask = random_case((4, 7, 3, 5))
    one_way = Recurrence(make_cell(name, 5)), Recurrence(make_cell(name, 5), reverse=True)
    layer = Bidirectional(*one_way)
    short, _ = layer(inputs, mask=mask)
    noise = np.random.default_rng(5).normal(size=(4, 4, 3)).astype("float32")
    longer = np.concatenate([inputs, noise], axis=1)
    wider = np.concatenate([mask, np.zeros((4, 4), dtype=bool)], axis=1)
    padded, _ = layer(longer, mask=wider)
    difference = ops.convert_to_numpy(padded)[:, :7] - ops.convert_to_numpy(short)
    assert np.abs(difference).max() <= 1e-6
    assert np.all(ops.convert_to_numpy(padded)[:, 7:] == 0)


@pytest.mark.usefixtures("both_forms")
@pytest.mark.parametrize("reverse", [False, True])
def test_an_output_sees_nothing_behind_it(reverse):
    inputs, _ = random_case((2, 6, 3, 4))
    layer = with_random_weights(Recurrence(make_cell("lstm", 4), reverse=reverse), 3)
    changed = inputs.copy()
    changed[:, 3] += 1
    difference = ops.convert_to_numpy(layer(changed)[0]) - ops.convert_to_numpy(layer(inputs)[0])
    moved = np.abs(difference).max(axis=(0, 2)) > 0
    assert moved.tolist() == ([True] * 4 + [False] * 2 if reverse else [False] * 3 + [True] * 3)


@pytest.mark.usefixtures("both_forms")
def test_row_without_a_real_position_keeps_its_initial_states():
    layer = with_random_weights(Recurrence(make_cell("gru", 4)), 3)
    start = np.full((2, 4), 0.3, dtype="float32")
    mask = np.array([[False] * 5, [True] * 5])
    outputs, (last,) = layer(np.ones((2, 5, 3)), mask=mask, initial_states=(start,))
    np.testing.assert_array_equal(ops.convert_to_numpy(last)[0], start[0])
    assert np.all(ops.convert_to_numpy(outputs)[0] == 0)


@pytest.mark.usefixtures("both_forms")
def test_a_run_can_go_on_from_the_last_states():
    inputs, _ = random_case((2, 8, 3, 4))
    layer = with_random_weights(Recurrence(make_cell("lstm", 4)), 3)
    whole, _ = layer(inputs)
    first, states = layer(inputs[:, :5])
    second, _ = layer(inputs[:, 5:], initial_states=states)
    joined = np.concatenate([ops.convert_to_numpy(first), ops.convert_to_numpy(second)], axis=1)
    np.testing.assert_allclose(joined, ops.convert_to_numpy(whole), atol=1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda layer: layer(np.ones((2, 3))), r"\(batch, time, features\)"),
        (lambda layer: layer(np.ones((2, 0, 3))), "at least one position"),
        (lambda layer: layer(np.ones((2, 4, 3)), mask=np.ones(4, bool)), "mask of shape"),
        (
            lambda layer: layer(np.ones((2, 4, 3)), initial_states=(np.ones((2, 4)),)),
            "LSTMCell has 2 states. Received: 1",
        ),
    ],
)
def test_wrong_shapes_are_named(call, words):
    layer = with_random_weights(Recurrence(make_cell("lstm", 4)), 3)
    with pytest.raises(ValueError, match=words):
        call(layer)


def test_forget_bias_is_where_keras_has_it():
    cell = make_cell("lstm", 3, forget_bias=5.0)
    cell.build((None, 2))
    assert cell.get_weights()[2].tolist() == [0] * 3 + [5] * 3 + [0] * 6


def test_long_sequences_are_not_written_out(monkeypatch):
    def no_unrolling(*arguments):
        raise AssertionError("written out")

    monkeypatch.setattr(Recurrence, "_unrolled", no_unrolling)
    steps = recurrence.UNROLL_AT_MOST + 1
    outputs, _ = Recurrence(make_cell("elman", 2))(np.ones((1, steps, 2)))
    assert tuple(outputs.shape) == (1, steps, 2)
