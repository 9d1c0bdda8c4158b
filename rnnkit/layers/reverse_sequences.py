"""Sequences turned round, their padding left where it is."""

from keras import ops

from rnnkit.layers.masked_softmax import Tensor


def reverse_sequences(inputs: Tensor, mask: Tensor | None = None) -> Tensor:
    """Turn each row's real positions round; padding stays at the end.

    What a backward recurrence reads, if it is run as a forward one. Turned
    round twice, a sequence is itself again.

    Taught in unit 04, section s14.

    Args:
        inputs: `(batch, time, ...)`.
        mask: `(batch, time)`, boolean, True for a real position; padding stands
            at the end. None means that every position is real.

    Returns:
        A tensor of the shape of `inputs`.

    Example:

    >>> import numpy as np
    >>> turned = reverse_sequences(np.array([[5, 6, 7, 0]]), np.array([[True, True, True, False]]))
    >>> ops.convert_to_numpy(turned).tolist()
    [[7, 6, 5, 0]]
    """
    inputs = ops.convert_to_tensor(inputs)
    if mask is None:
        return ops.flip(inputs, axis=1)
    mask = ops.convert_to_tensor(mask)
    if len(mask.shape) != 2 or len(inputs.shape) < 2:
        raise ValueError(
            "reverse_sequences expects inputs (batch, time, ...) and a mask (batch, time). "
            f"Received: inputs {tuple(inputs.shape)}, mask {tuple(mask.shape)}"
        )
    positions = ops.arange(ops.shape(inputs)[1], dtype="int32")[None, :]
    lengths = ops.sum(ops.cast(mask, "int32"), axis=1, keepdims=True)
    source = ops.where(positions < lengths, lengths - 1 - positions, positions)
    source = ops.reshape(source, (*ops.shape(source), *(1 for _ in inputs.shape[2:])))
    return ops.take_along_axis(inputs, source, axis=1)
