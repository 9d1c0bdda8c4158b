"""Gates, hard and soft."""

import numpy as np
import pytest
from keras import ops

from rnnkit.layers import Recurrence, SoftGateCell, hard_gate


def test_hard_gate_writes_where_it_is_one_and_keeps_where_it_is_zero() -> None:
    new = hard_gate(np.array([0.0, 1.0, 0.0]), np.array([10.0, 11, 12]), np.array([8.0, 9, 3]))
    assert ops.convert_to_numpy(new).tolist() == [8, 11, 3]


@pytest.mark.parametrize("batch", [1, 3])
def test_soft_gate_mixes_as_the_equations_say(batch: int) -> None:
    generator = np.random.default_rng(batch)
    inputs, state = generator.normal(size=(batch, 4)), generator.normal(size=(batch, 3))
    cell = SoftGateCell(3)
    cell.build((None, 4))
    cell.set_weights([generator.normal(size=w.shape) for w in cell.get_weights()])
    kernel, recurrent, bias = (weight.astype("float64") for weight in cell.get_weights())
    gate_x, written = np.split(inputs @ kernel + bias, 2, axis=1)
    gate = 1 / (1 + np.exp(-(gate_x + state @ recurrent)))
    expected = gate * written + (1 - gate) * state
    output, (new,) = cell(inputs.astype("float32"), (state.astype("float32"),))
    np.testing.assert_allclose(ops.convert_to_numpy(output), expected, atol=1e-5)
    np.testing.assert_array_equal(ops.convert_to_numpy(new), ops.convert_to_numpy(output))


def test_closed_soft_gate_keeps_the_state_over_any_length() -> None:
    layer = Recurrence(SoftGateCell(2))
    layer.build((None, None, 3))
    kernel, recurrent, bias = layer.get_weights()
    closed = np.array([-1e4, -1e4, 0.0, 0.0])
    layer.set_weights([0 * kernel, 0 * recurrent, bias * 0 + closed])
    start = np.array([[0.25, -3.0]], "float32")
    _, (last,) = layer(np.ones((1, 100, 3)), initial_states=(start,))
    np.testing.assert_array_equal(ops.convert_to_numpy(last), start)
