"""Two directions, and layers of them: padding never enters, at any depth."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import (
    Bidirectional,
    Recurrence,
    StackedBidirectional,
    elman_bidirectional,
    make_cell,
    reverse_sequences,
)

KERAS = {"elman": keras.layers.SimpleRNN, "gru": keras.layers.GRU, "lstm": keras.layers.LSTM}


def both_ways(name: str, units: int) -> Bidirectional:
    return Bidirectional(
        Recurrence(make_cell(name, units)), Recurrence(make_cell(name, units), reverse=True)
    )


def stacked(name: str = "lstm", units: int = 3, depth: int = 3) -> StackedBidirectional:
    return StackedBidirectional([both_ways(name, units) for _ in range(depth)])


def random_case(batch: int, time: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(batch + 10 * time)
    lengths = generator.integers(1, time + 1, size=batch)
    inputs = generator.normal(size=(batch, time, features)).astype("float32")
    return inputs, np.arange(time) < lengths[:, None]


def array(tensor) -> np.ndarray:
    return ops.convert_to_numpy(tensor)


@pytest.mark.parametrize("name", KERAS)
def test_equals_the_keras_layer_with_the_same_weights(name: str) -> None:
    inputs, _ = random_case(3, 5, 4)
    theirs = keras.layers.Bidirectional(KERAS[name](3, return_sequences=True))
    expected = array(theirs(inputs))
    ours = both_ways(name, 3)
    ours.build(inputs.shape)
    ours.set_weights(theirs.get_weights())
    np.testing.assert_allclose(array(ours(inputs)[0]), expected, atol=1e-6)


def test_each_row_is_read_as_if_it_stood_alone() -> None:
    inputs, mask = random_case(4, 6, 3)
    layer = both_ways("gru", 3)
    outputs, (ahead, back) = layer(inputs, mask=mask)
    for row, length in enumerate(mask.sum(axis=1)):
        alone, (ahead_alone, back_alone) = layer(inputs[row : row + 1, :length])
        np.testing.assert_allclose(array(outputs)[row, :length], array(alone)[0], atol=1e-6)
        np.testing.assert_allclose(array(ahead[0])[row], array(ahead_alone[0])[0], atol=1e-6)
        np.testing.assert_allclose(array(back[0])[row], array(back_alone[0])[0], atol=1e-6)


def test_backward_states_stand_at_the_first_position() -> None:
    inputs, mask = random_case(3, 5, 4)
    outputs, (_, (hidden, _)) = both_ways("lstm", 3)(inputs, mask=mask)
    np.testing.assert_array_equal(array(outputs)[:, 0, 3:], array(hidden))


@pytest.mark.parametrize(("batch", "time"), [(1, 1), (3, 6)])
def test_padding_changes_no_real_position_at_any_depth(batch: int, time: int) -> None:
    inputs, mask = random_case(batch, time, 4)
    layers = stacked()
    _, short, short_states = layers(inputs, mask=mask)
    noise = np.full((batch, 3, 4), 7, "float32")
    longer = np.concatenate([np.where(mask[:, :, None], inputs, 9), noise], axis=1)
    wider = np.concatenate([mask, np.zeros((batch, 3), dtype=bool)], axis=1)
    _, long, long_states = layers(longer, mask=wider)
    assert len(short) == len(long) == 3
    for one, other in zip(short, long, strict=True):
        np.testing.assert_allclose(array(other)[:, :time], array(one), atol=1e-6)
        assert np.all(array(other)[:, time:] == 0)
    flat = keras.tree.flatten(short_states), keras.tree.flatten(long_states)
    for one, other in zip(*flat, strict=True):
        np.testing.assert_allclose(array(other), array(one), atol=1e-6)


def test_each_layer_reads_both_directions_of_the_one_below() -> None:
    inputs, mask = random_case(2, 4, 3)
    layers = stacked(depth=2)
    top, outputs, states = layers(inputs, mask=mask)
    again, last = layers.layers[1](outputs[0], mask=mask)
    np.testing.assert_array_equal(array(top), array(again))
    np.testing.assert_array_equal(array(outputs[1]), array(top))
    np.testing.assert_array_equal(array(states[1][1][0]), array(last[1][0]))


def test_goes_on_from_initial_states_in_each_direction() -> None:
    layer = both_ways("gru", 2)
    start = [(np.full((1, 2), value, "float32"),) for value in (0.4, -0.7)]
    mask = np.zeros((1, 3), dtype=bool)
    _, (ahead, back) = layer(np.ones((1, 3, 2)), mask=mask, initial_states=tuple(start))
    np.testing.assert_array_equal(array(ahead[0]), start[0][0])
    np.testing.assert_array_equal(array(back[0]), start[1][0])


def test_two_layers_of_one_direction_are_refused() -> None:
    one = Recurrence(make_cell("elman", 2))
    with pytest.raises(ValueError, match="reverse=False and backward with reverse=True"):
        Bidirectional(one, Recurrence(make_cell("elman", 2)))


def test_a_stack_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one layer"):
        StackedBidirectional([])


def test_turned_sequences_keep_their_padding_at_the_end() -> None:
    inputs = np.array([[[1], [2], [3]], [[4], [5], [9]], [[6], [9], [9]], [[9], [9], [9]]])
    mask = np.arange(3) < np.array([[3], [2], [1], [0]])
    turned = array(reverse_sequences(inputs, mask))
    assert turned[..., 0].tolist() == [[3, 2, 1], [5, 4, 9], [6, 9, 9], [9, 9, 9]]
    np.testing.assert_array_equal(array(reverse_sequences(turned, mask)), inputs)


def test_backward_recurrence_is_a_forward_one_over_turned_sequences() -> None:
    inputs, mask = random_case(3, 5, 4)
    backward = Recurrence(make_cell("gru", 3), reverse=True)
    outputs, _ = backward(inputs, mask=mask)
    forward, _ = Recurrence(backward.cell)(reverse_sequences(inputs, mask), mask=mask)
    np.testing.assert_allclose(array(reverse_sequences(forward, mask)), array(outputs), atol=1e-6)


def test_turning_with_a_mask_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a mask \(batch, time\)"):
        reverse_sequences(np.ones((2, 3)), np.ones(3, dtype=bool))


def test_function_of_weights_equals_the_layer_with_the_same_weights() -> None:
    inputs, mask = random_case(4, 6, 3)
    layer = both_ways("elman", 5)
    layer.build(inputs.shape)
    names = ("W", "U", "b")
    forward, backward = (
        dict(zip(names, half.get_weights(), strict=True))
        for half in (layer.forward_layer, layer.backward_layer)
    )
    outputs = elman_bidirectional(inputs, mask, forward, backward)
    np.testing.assert_allclose(array(outputs), array(layer(inputs, mask=mask)[0]), atol=1e-6)
