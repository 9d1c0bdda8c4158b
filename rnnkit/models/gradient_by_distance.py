"""How much of a gradient is left, so many steps back."""

import numpy as np
from keras import ops

from rnnkit.layers import Cell, Recurrence, States, Tensor
from rnnkit.models.gradient import gradient


def gradient_by_distance(
    layer: Recurrence,
    inputs: Tensor,
    seed: int = 0,
    initial_states: States | None = None,
    state: int = 0,
) -> np.ndarray:
    r"""The norm of $\partial\, \mathrm{cost}_N / \partial h_t$ against the distance $N - t$.

    The cost of the last step N is $u \cdot h_N$ with a random vector u of
    length 1 for each sequence, so the gradient has length 1 at distance 0. What
    is left of it farther back is the product of the Jacobians between:

    $$\frac{\partial\, \mathrm{cost}_N}{\partial h_t} =
      u^\top \prod_{i=t+1}^{N} \frac{\partial h_i}{\partial h_{i-1}}$$

    Taught in unit 01, section s3, and unit 02, section s7.

    Args:
        layer: A forward `Recurrence` over any cell.
        inputs: `(batch, time, features)`, without padding.
        seed: Decides the vectors u.
        initial_states: The states before the first step; None for zeros.
        state: With respect to which of the cell's states: 0 for h, 1 for an
            LSTM's c. The other states of step t are held fixed: what reaches
            h through a later c counts for c. At distance 0, c has no part.

    Returns:
        `(batch, time)`: element d of a row is the norm at distance d.

    Raises:
        ValueError: The layer reads from right to left.

    Example:

    >>> from rnnkit.layers import make_cell
    >>> layer = Recurrence(make_cell("elman", 8))
    >>> norms = gradient_by_distance(layer, np.ones((2, 5, 3), "float32"))
    >>> norms.shape, norms[:, 0].round(4).tolist()
    ((2, 5), [1.0, 1.0])
    """
    if layer.reverse:
        raise ValueError(
            "gradient_by_distance expects a layer that reads forward. Received: reverse=True"
        )
    inputs = ops.convert_to_tensor(inputs)
    batch, time, units = inputs.shape[0], inputs.shape[1], layer.cell.units
    if not layer.built:
        layer.build(inputs.shape)
    direction = np.random.default_rng(seed).normal(size=(batch, units))
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    first = layer.cell.first_states(batch) if initial_states is None else initial_states

    def cost(nudges: Tensor) -> Tensor:
        last = _run_with_nudges(layer.cell, inputs, first, nudges, state)
        return ops.sum(last * ops.cast(direction, last.dtype))

    # A nudge of zero is added to the state after each step. It moves all that
    # follows as the state itself would, so its gradient is the state's.
    nudges = ops.zeros((batch, time, units), dtype=first[0].dtype)
    gradients = ops.convert_to_numpy(gradient(cost, nudges))
    return np.linalg.norm(gradients, axis=-1)[:, ::-1]


def _run_with_nudges(
    cell: Cell, inputs: Tensor, states: States, nudges: Tensor, which: int
) -> Tensor:
    """The last h of a run in which each step's state is nudged."""
    projected = cell.project(inputs)
    for position in range(inputs.shape[1]):
        _, states = cell.step(projected[:, position], tuple(states))
        nudged = list(states)
        nudged[which] = nudged[which] + nudges[:, position]
        states = tuple(nudged)
    return states[0]
