"""One step of a GRU, written out."""

from keras import ops

from rnnkit.layers.as_tensors import as_tensors
from rnnkit.layers.gru_cell import gru_from_projected
from rnnkit.layers.masked_softmax import Tensor


def gru_step(
    inputs: Tensor, state: Tensor, kernel: Tensor, recurrent_kernel: Tensor, bias: Tensor
) -> Tensor:
    r"""The state after one more input, with weights as `keras.layers.GRUCell` keeps them.

    $$z = \sigma(W_z x + U_z s + b_z) \qquad
      r = \sigma(W_r x + U_r s + b_r) \qquad
      g = \tanh(W_g x + b_g + r \odot (U_g s + b'_g))$$
    $$s' = z \odot s + (1 - z) \odot g$$

    The update gate z keeps the old state; the reset gate r decides how much of
    it the candidate g sees.

    Taught in unit 02, section s6; used in unit 06.

    Args:
        inputs: `(batch, features)`.
        state: `(batch, units)`.
        kernel: `(features, 3 * units)`: W for z, r and g, side by side.
        recurrent_kernel: `(units, 3 * units)`: U for z, r and g.
        bias: `(2, 3 * units)`: one bias for the input's part, one for the state's.

    Returns:
        `(batch, units)`.

    Example:

    >>> import numpy as np
    >>> state = np.array([[1.0, -1.0]])
    >>> new = gru_step(np.ones((1, 3)), state, np.zeros((3, 6)), np.zeros((2, 6)), np.zeros((2, 6)))
    >>> np.asarray(new).tolist()  # both gates at one half, a candidate of zero
    [[0.5, -0.5]]
    """
    inputs, state, kernel, recurrent_kernel, bias = as_tensors(
        inputs, state, kernel, recurrent_kernel, bias
    )
    projected = ops.matmul(inputs, kernel) + bias[0]
    return gru_from_projected(projected, state, recurrent_kernel, bias[1])
