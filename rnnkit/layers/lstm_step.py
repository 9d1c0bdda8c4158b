"""One step of an LSTM, written out."""

from keras import ops

from rnnkit.layers.as_tensors import as_tensors
from rnnkit.layers.lstm_cell import mix_lstm
from rnnkit.layers.masked_softmax import Tensor


def lstm_step(
    inputs: Tensor,
    hidden: Tensor,
    memory: Tensor,
    kernel: Tensor,
    recurrent_kernel: Tensor,
    bias: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""The states after one more input, with weights as `keras.layers.LSTMCell` keeps them.

    $$i, f, o = \sigma(x W + h U + b) \qquad g = \tanh(x W_g + h U_g + b_g)$$
    $$c' = f \odot c + i \odot g \qquad h' = o \odot \tanh(c')$$

    Taught in unit 02, section s6.

    Args:
        inputs: `(batch, features)`.
        hidden: `(batch, units)`: h.
        memory: `(batch, units)`: c.
        kernel: `(features, 4 * units)`: W for i, f, g and o, side by side.
        recurrent_kernel: `(units, 4 * units)`: U for i, f, g and o.
        bias: `(4 * units,)`.

    Returns:
        The new h and the new c, `(batch, units)` each.

    Example:

    >>> import numpy as np
    >>> zeros, memory = np.zeros((1, 2)), np.array([[4.0, -4.0]])
    >>> _, new = lstm_step(zeros, zeros, memory, np.zeros((2, 8)), np.zeros((2, 8)), np.zeros(8))
    >>> np.asarray(new).tolist()  # all gates at one half, a candidate of zero
    [[2.0, -2.0]]
    """
    inputs, hidden, memory, kernel, recurrent_kernel, bias = as_tensors(
        inputs, hidden, memory, kernel, recurrent_kernel, bias
    )
    together = ops.matmul(inputs, kernel) + ops.matmul(hidden, recurrent_kernel) + bias
    return mix_lstm(ops.split(together, 4, axis=-1), memory)
