"""The gated recurrent unit."""

import keras
from keras import ops

from rnnkit.layers.cell import Blocks, Cell, States
from rnnkit.layers.masked_softmax import Shape, Tensor


@keras.saving.register_keras_serializable("rnnkit")
class GRUCell(Cell):
    r"""A gated recurrent unit, as Keras computes it.

    $$z = \sigma(x W_z + h U_z + b_z) \qquad r = \sigma(x W_r + h U_r + b_r)$$
    $$g = \tanh(x W_g + b_g + r \odot (h U_g + b'_g)) \qquad h' = z \odot h + (1 - z) \odot g$$

    The update gate z keeps the old state. (Some books have 1 − z there.) The
    reset gate acts after the product with U, so this product has a bias of its
    own: there are two rows of biases, one for the input and one for the state.

    Taught in unit 02, section s6. See `Cell` for the arguments.

    Reference:
        Cho et al., "Learning phrase representations using RNN encoder-decoder
        for statistical machine translation", EMNLP 2014.

    Example:

    >>> import numpy as np
    >>> cell = GRUCell(3)
    >>> output, states = cell(np.ones((2, 4)), cell.first_states(2))
    >>> tuple(output.shape), [tuple(weight.shape) for weight in cell.weights]
    ((2, 3), [(4, 9), (3, 9), (2, 9)])
    """

    parts = recurrent_parts = 3  # z, r, g

    def bias_shape(self) -> Shape:
        """One row for the input, one for the state."""
        return (2, self.parts * self.units)

    def project(self, inputs: Tensor) -> Tensor:
        """See `Cell`."""
        return ops.matmul(inputs, self.kernel) + self.bias[0]

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """See `Cell`."""
        (hidden,) = states
        from_input = ops.split(projected, self.parts, axis=-1)
        biases = ops.split(self.bias[1], self.parts)
        products = self.products(hidden, blocks)
        from_state = [product + bias for product, bias in zip(products, biases, strict=True)]
        hidden = mix_gru(from_input, from_state, hidden)
        return hidden, (hidden,)


def gru_from_projected(
    projected: Tensor, hidden: Tensor, recurrent_kernel: Tensor, bias: Tensor
) -> Tensor:
    """The new state of a GRU, where the input's part is there already.

    Args:
        projected: `(batch, 3 * units)`: x W + b, for z, r and g.
        hidden: `(batch, units)`: the old state.
        recurrent_kernel: `(units, 3 * units)`: U.
        bias: `(3 * units,)`: the state's part's own, b'.
    """
    from_input = ops.split(projected, 3, axis=-1)
    from_state = ops.split(ops.matmul(hidden, recurrent_kernel) + bias, 3, axis=-1)
    return mix_gru(from_input, from_state, hidden)


def mix_gru(from_input: list[Tensor], from_state: list[Tensor], hidden: Tensor) -> Tensor:
    """The new state of a GRU, after the products.

    Args:
        from_input: x W + b for z, r and g, each `(batch, units)`.
        from_state: h U + b' for z, r and g, each `(batch, units)`.
        hidden: `(batch, units)`: the old state.
    """
    update_x, reset_x, candidate_x = from_input
    update_h, reset_h, candidate_h = from_state
    update = ops.sigmoid(update_x + update_h)
    reset = ops.sigmoid(reset_x + reset_h)
    candidate = ops.tanh(candidate_x + reset * candidate_h)
    return update * hidden + (1 - update) * candidate
