"""The simplest recurrent cell."""

import keras
from keras import ops

from rnnkit.layers.cell import Blocks, Cell, States
from rnnkit.layers.masked_softmax import Tensor


@keras.saving.register_keras_serializable("rnnkit")
class ElmanCell(Cell):
    r"""A simple recurrent net, named after Jeffrey Elman.

    $$h_t = \tanh(x_t W + h_{t-1} U + b)$$

    Taught in unit 01, section s2. See `Cell` for the arguments.

    Reference:
        Elman, "Finding structure in time", Cognitive Science 1990.

    Example:

    >>> import numpy as np
    >>> cell = ElmanCell(3)
    >>> output, states = cell(np.ones((2, 4)), cell.first_states(2))
    >>> tuple(output.shape), len(states)
    ((2, 3), 1)
    """

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """See `Cell`."""
        (hidden,) = states
        (from_state,) = self.products(hidden, blocks)
        hidden = ops.tanh(projected + from_state)
        return hidden, (hidden,)
