"""The long short-term memory cell."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers.cell import Blocks, Cell, States
from rnnkit.layers.masked_softmax import Shape, Tensor


@keras.saving.register_keras_serializable("rnnkit")
class LSTMCell(Cell):
    r"""A long short-term memory.

    $$i, f, o = \sigma(x W + h U + b) \qquad g = \tanh(x W_g + h U_g + b_g)$$
    $$c' = f \odot c + i \odot g \qquad h' = o \odot \tanh(c')$$

    The memory c changes by gates alone: where the forget gate f is 1, it stays
    as it is, and so does the gradient on its way back. The columns of W stand
    in Keras's order: i, f, g, o.

    Taught in unit 02, sections s6 and s7. See `Cell` for the other arguments.

    Args:
        units: The size of h and of c.
        recurrent_initializer: How U begins.
        forget_bias: The number that the forget gate's bias begins with. Keras's
            own layer has 1. A larger one keeps the memory longer at first:
            σ(1) is 0.73, σ(3) 0.95, σ(5) 0.993.

    Reference:
        Hochreiter and Schmidhuber, "Long short-term memory", Neural Computation
        1997; Gers et al., "Learning to forget", Neural Computation 2000.

    Example:

    >>> import numpy as np
    >>> cell = LSTMCell(3)
    >>> output, (hidden, memory) = cell(np.ones((2, 4)), cell.first_states(2))
    >>> tuple(output.shape), tuple(memory.shape)
    ((2, 3), (2, 3))
    """

    parts = recurrent_parts = 4  # i, f, g, o
    state_count = 2  # h, c

    def __init__(
        self,
        units: int,
        recurrent_initializer: Any = "orthogonal",
        forget_bias: float = 1.0,
        **kwargs: Any,
    ):
        super().__init__(units, recurrent_initializer, **kwargs)
        self.forget_bias = forget_bias

    def initial_bias(self, shape: Shape, dtype: Any = None) -> Tensor:
        """Zeros, and `forget_bias` for the forget gate."""
        forget = ops.full((self.units,), self.forget_bias, dtype=dtype)
        zeros = ops.zeros((self.units,), dtype=dtype)
        return ops.concatenate([zeros, forget, zeros, zeros])

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """See `Cell`."""
        hidden, memory = states
        # Split, not sliced: the gradient of a slice is a whole array of zeros around it.
        from_input = ops.split(projected, self.parts, axis=-1)
        from_state = self.products(hidden, blocks)
        gates = [x + h for x, h in zip(from_input, from_state, strict=True)]
        hidden, memory = mix_lstm(gates, memory)
        return hidden, (hidden, memory)

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the cell again."""
        return {**super().get_config(), "forget_bias": self.forget_bias}


def mix_lstm(gates: list[Tensor], memory: Tensor) -> tuple[Tensor, Tensor]:
    """The new h and the new c of an LSTM, after the products.

    Args:
        gates: x W + h U + b for i, f, g and o, each `(batch, units)`.
        memory: `(batch, units)`: the old c.
    """
    write, keep, candidate, read = gates
    memory = ops.sigmoid(keep) * memory + ops.sigmoid(write) * ops.tanh(candidate)
    return ops.sigmoid(read) * ops.tanh(memory), memory
