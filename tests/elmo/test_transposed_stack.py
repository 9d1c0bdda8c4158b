"""What is read with columns, beside the layers as they are trained."""

import numpy as np
import pytest
from keras import ops

from rnnkit.elmo.lstm_stack import LSTMStack
from rnnkit.elmo.transposed_stack import TransposedStack

UNITS, MEMORY, LAYERS = 3, 7, 2


def random_stack(skips: bool = True, clip: float | None = 0.5, seed: int = 0) -> LSTMStack:
    stack = LSTMStack(UNITS, MEMORY, LAYERS, clip, clip, skip_connections=skips)
    generator = np.random.default_rng(seed)
    stack.set_weights(
        [generator.normal(size=each.shape, scale=0.5) for each in stack.get_weights()]
    )
    return stack


def read_by_both(stack, batch: int, steps: int, masked: bool = False):
    """Outputs, hidden and memory from each, all with the batch first."""
    generator = np.random.default_rng(1)
    inputs, hidden, memory = (
        generator.normal(size=shape).astype("float32")
        for shape in ((batch, steps, UNITS), (LAYERS, batch, UNITS), (LAYERS, batch, MEMORY))
    )
    words = generator.integers(1, steps + 1, size=batch)
    mask = np.arange(steps) < words[:, None] if masked else None
    before = list(zip(hidden, memory, strict=True))
    outputs, states = stack(inputs, mask=mask, initial_states=before)
    expected = [np.stack(outputs), *(np.stack(each) for each in zip(*states, strict=True))]
    transposed = TransposedStack(stack)
    transposed.renew()
    read = transposed(
        ops.convert_to_tensor(inputs.swapaxes(0, 1)),
        ops.convert_to_tensor(hidden.swapaxes(1, 2)),
        ops.convert_to_tensor(memory.swapaxes(1, 2)),
        ops.convert_to_tensor(mask.T) if masked else None,
    )
    return [ops.convert_to_numpy(each).swapaxes(1, 2) for each in read], expected


@pytest.mark.parametrize(("batch", "steps"), [(1, 1), (1, 6), (4, 1), (5, 6)])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(("skips", "clip"), [(True, 0.5), (False, None)])
def test_outputs_and_states_are_those_of_the_trained_layers(
    batch, steps, masked, skips, clip
) -> None:
    found, expected = read_by_both(random_stack(skips, clip), batch, steps, masked)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("which", range(4 * LAYERS))
def test_copies_are_made_anew_once_a_weight_has_changed(which: int) -> None:
    stack = random_stack(clip=None)
    transposed = TransposedStack(stack)
    shapes = (2, 3, UNITS), (2, UNITS, 3), (2, MEMORY, 3)
    arguments = [np.ones(shape, "float32") for shape in shapes]
    transposed.renew()
    before = ops.convert_to_numpy(transposed(*arguments)[0])
    weight = stack.weights[which]
    weight.assign(ops.convert_to_numpy(weight) + 0.5)
    transposed.renew()
    after = ops.convert_to_numpy(transposed(*arguments)[0])
    assert np.abs(after - before).max() > 1e-3
    expected, _ = stack(
        np.ones((3, 2, UNITS), "float32"),
        initial_states=[(np.ones((3, UNITS), "float32"), np.ones((3, MEMORY), "float32"))] * 2,
    )
    np.testing.assert_allclose(after.swapaxes(1, 2), np.stack(expected), atol=1e-6)
