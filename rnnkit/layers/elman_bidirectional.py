"""A bidirectional Elman network as one function of its weights."""

from collections.abc import Iterable, Mapping, Sequence

from keras import ops

from rnnkit.layers.as_tensors import as_tensors
from rnnkit.layers.masked_softmax import Tensor

Weights = Mapping[str, Tensor]
_NAMES = ("W", "U", "b")


def elman_bidirectional(
    inputs: Tensor, mask: Tensor, forward: Weights, backward: Weights
) -> Tensor:
    r"""Read sentences in both directions, with weights that are passed in.

    $$\overrightarrow{h}_t = \tanh(x_t W + \overrightarrow{h}_{t-1} U + b) \qquad
      \overleftarrow{h}_t = \tanh(x_t W' + \overleftarrow{h}_{t+1} U' + b')$$

    The backward direction starts at the last real position of each sentence.

    Taught in unit 04, section s14.

    Args:
        inputs: `(batch, time, features)`.
        mask: `(batch, time)`, boolean, True for a real position; padding stands
            at the end.
        forward: The weights of the forward direction: W `(features, units)`,
            U `(units, units)` and b `(units,)`.
        backward: Those of the backward direction.

    Returns:
        `(batch, time, 2 * units)`: at each position the forward state, then the
        backward one; 0 on padding.

    Example:

    >>> import numpy as np
    >>> weights = {"W": np.eye(1), "U": np.zeros((1, 1)), "b": np.zeros(1)}
    >>> inputs, mask = np.ones((1, 2, 1)), np.array([[True, False]])
    >>> outputs = elman_bidirectional(inputs, mask, weights, weights)
    >>> ops.convert_to_numpy(outputs).round(2).tolist()
    [[[0.76, 0.76], [0.0, 0.0]]]
    """
    inputs, *arrays = as_tensors(
        inputs, *(weights[name] for weights in (forward, backward) for name in _NAMES)
    )
    real = ops.cast(ops.convert_to_tensor(mask), "bool")[:, :, None]
    steps = range(inputs.shape[1])
    ahead = _states(inputs, real, arrays[:3], steps)
    back = _states(inputs, real, arrays[3:], reversed(steps))
    outputs = ops.concatenate([ahead, back], axis=-1)
    return ops.where(real, outputs, ops.zeros_like(outputs))


def _states(
    inputs: Tensor, real: Tensor, weights: Sequence[Tensor], steps: Iterable[int]
) -> Tensor:
    """The state at each position, `(batch, time, units)`; padding keeps the state."""
    W, U, b = weights
    state = ops.zeros((inputs.shape[0], b.shape[0]), dtype=inputs.dtype)
    states: dict[int, Tensor] = {}
    for position in steps:
        new = ops.tanh(ops.matmul(inputs[:, position], W) + ops.matmul(state, U) + b)
        state = ops.where(real[:, position], new, state)
        states[position] = state
    return ops.stack([states[position] for position in range(len(states))], axis=1)
