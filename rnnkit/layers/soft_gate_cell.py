"""The smallest cell with a gate that can be learned."""

import keras
from keras import ops

from rnnkit.layers.cell import Blocks, Cell, States
from rnnkit.layers.masked_softmax import Tensor


@keras.saving.register_keras_serializable("rnnkit")
class SoftGateCell(Cell):
    r"""A gate between 0 and 1 for each number of the state, and nothing else.

    $$g = \sigma(x W_g + s U + b_g) \qquad s' = g \odot (x W_x + b_x) + (1 - g) \odot s$$

    Where g is near 0 the state stays, for as many steps as it likes: no matrix
    stands between the old state and the new one. A GRU is this with a reset
    gate and a tanh. The columns of W stand in the order g, x.

    Taught in unit 02, section s5. See `Cell` for the arguments.

    Example:

    >>> import numpy as np
    >>> cell = SoftGateCell(3)
    >>> output, states = cell(np.ones((2, 4)), cell.first_states(2))
    >>> tuple(output.shape), [tuple(weight.shape) for weight in cell.weights]
    ((2, 3), [(4, 6), (3, 3), (6,)])
    """

    parts = 2  # g, x; U leads to g alone

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """See `Cell`."""
        (state,) = states
        gate, written = ops.split(projected, 2, axis=-1)
        (from_state,) = self.products(state, blocks)
        gate = ops.sigmoid(gate + from_state)
        state = gate * written + (1 - gate) * state
        return state, (state,)
