"""Gradients: on each backend, clipped, and so many steps back."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import Recurrence, make_cell
from rnnkit.models import clip_by_global_norm, global_norm, gradient, gradient_by_distance


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


def test_gradient_equals_the_derivative() -> None:
    x = np.array([[0.5, -1.0], [2.0, 0.0]], "float32")
    slope = gradient(lambda x: ops.sum(ops.tanh(x) * x[:1]), x)
    y = x.astype("float64")
    expected = (1 - np.tanh(y) ** 2) * y[:1]
    expected[0] += np.tanh(y).sum(axis=0)
    np.testing.assert_allclose(array(slope), expected, rtol=1e-5)


def test_gradient_is_zero_where_nothing_depends() -> None:
    slope = gradient(lambda x: ops.sum(ops.ones((2,))), np.ones(3, "float32"))
    assert array(slope).tolist() == [0.0, 0.0, 0.0]


def test_gradient_is_zero_where_only_a_weight_has_a_part() -> None:
    weight = keras.Variable(np.ones(2, "float32"))
    slope = gradient(lambda x: ops.sum(weight.value), np.ones(3, "float32"))
    assert array(slope).tolist() == [0.0, 0.0, 0.0]


GRADIENTS = [np.array([[3.0, 0.0]]), np.array([4.0]), np.array([[[12.0]]])]  # norm 13


def test_global_norm_is_that_of_one_long_vector() -> None:
    assert float(global_norm(GRADIENTS)) == pytest.approx(13.0)
    assert float(global_norm([])) == 0.0


def test_long_gradients_are_all_shortened_alike() -> None:
    clipped, norm = clip_by_global_norm(GRADIENTS, limit=6.5)
    assert float(norm) == pytest.approx(13.0)
    for after, before in zip(clipped, GRADIENTS, strict=True):
        np.testing.assert_allclose(array(after), before / 2, rtol=1e-6)


@pytest.mark.parametrize("limit", [13.5, 1e9])
def test_short_gradients_stay_as_they_are(limit: float) -> None:
    clipped, _ = clip_by_global_norm(GRADIENTS, limit)
    for after, before in zip(clipped, GRADIENTS, strict=True):
        np.testing.assert_array_equal(array(after), before)


def test_zero_gradients_can_be_clipped() -> None:
    clipped, norm = clip_by_global_norm([np.zeros(2)], limit=1.0)
    assert array(clipped[0]).tolist() == [0.0, 0.0]
    assert float(norm) == 0.0


def test_clipping_equals_the_one_in_keras_optimizers() -> None:
    weight = keras.Variable(np.zeros(2, "float32"))
    slope = np.array([3.0, -4.0], "float32")
    keras.optimizers.SGD(1.0, global_clipnorm=2.0).apply([ops.convert_to_tensor(slope)], [weight])
    np.testing.assert_allclose(-array(clip_by_global_norm([slope], 2.0)[0][0]), array(weight))


@pytest.mark.parametrize("limit", [0.0, -1.0, float("nan")])
def test_limit_must_be_above_zero(limit: float) -> None:
    with pytest.raises(ValueError, match="limit > 0"):
        clip_by_global_norm(GRADIENTS, limit)


def test_gradient_by_distance_is_the_product_of_jacobians() -> None:
    keras.utils.set_random_seed(0)
    layer = Recurrence(make_cell("elman", 5))
    inputs = np.random.default_rng(1).normal(size=(3, 6, 4)).astype("float32")
    norms = gradient_by_distance(layer, inputs, seed=7)

    kernel, recurrent, bias = (weight.astype("float64") for weight in layer.get_weights())
    states = [np.zeros((3, 5))]
    for x in inputs.transpose(1, 0, 2):
        states.append(np.tanh(x @ kernel + states[-1] @ recurrent + bias))
    slope = np.random.default_rng(7).normal(size=(3, 5))
    slope /= np.linalg.norm(slope, axis=-1, keepdims=True)
    for distance in range(6):
        np.testing.assert_allclose(norms[:, distance], np.linalg.norm(slope, axis=-1), rtol=1e-4)
        slope = (slope * (1 - states[6 - distance] ** 2)) @ recurrent.T


@pytest.mark.parametrize("cell", ["elman", "gru", "lstm"])
def test_gradient_of_the_state_equals_finite_differences(cell: str) -> None:
    keras.utils.set_random_seed(0)
    layer = Recurrence(make_cell(cell, 3))
    inputs = np.random.default_rng(1).normal(size=(1, 4, 2)).astype("float32")
    norms = gradient_by_distance(layer, inputs, seed=7)
    direction = np.random.default_rng(7).normal(size=(1, 3))
    direction /= np.linalg.norm(direction)
    _, states = layer(inputs[:, :2])  # two steps before the last

    def cost(h: np.ndarray) -> float:
        _, last = layer(inputs[:, 2:], initial_states=(ops.convert_to_tensor(h), *states[1:]))
        return float((array(last[0]) * direction).sum())

    h, slope = array(states[0]), []
    for unit in range(3):
        nudge = 0.01 * np.eye(3, dtype="float32")[unit : unit + 1]
        slope.append((cost(h + nudge) - cost(h - nudge)) / 0.02)
    assert norms[0, 2] == pytest.approx(np.linalg.norm(slope), abs=1e-4)


def test_memory_with_an_open_forget_gate_keeps_the_gradient() -> None:
    layer = Recurrence(make_cell("lstm", 4))
    layer.build((None, None, 2))
    kernel, recurrent, bias = layer.get_weights()
    bias = np.repeat([0.0, 20.0, 0.0, 0.0], 4)  # forget gates at 1
    layer.set_weights([kernel, np.zeros_like(recurrent), bias])
    norms = gradient_by_distance(layer, np.zeros((2, 8, 2), "float32"), state=1)
    # The output gate is at one half; c stays 0, where tanh has slope 1.
    np.testing.assert_allclose(norms, [[0.0] + [0.5] * 7] * 2, rtol=1e-5)


def test_layer_that_reads_backward_is_refused() -> None:
    with pytest.raises(ValueError, match="reverse=True"):
        gradient_by_distance(Recurrence(make_cell("gru", 3), reverse=True), np.ones((1, 2, 2)))
