"""A gate of zeros and ones."""

from rnnkit.layers.as_tensors import as_tensors
from rnnkit.layers.masked_softmax import Tensor


def hard_gate(gate: Tensor, inputs: Tensor, state: Tensor) -> Tensor:
    r"""Write the input into the state where the gate is 1; keep the state where it is 0.

    $$s' = g \odot x + (1 - g) \odot s$$

    It cannot be learned: a step from 0 to 1 has no gradient. `SoftGateCell`
    puts numbers between 0 and 1 in its place.

    Taught in unit 02, section s5.

    Args:
        gate: `(..., units)`, each number 0 or 1.
        inputs: `(..., units)`.
        state: `(..., units)`: the old state.

    Returns:
        `(..., units)`: the new state.

    Example:

    >>> import numpy as np
    >>> gate, inputs, state = np.array([[0, 1, 0], [10, 11, 12], [8, 9, 3]], "float32")
    >>> np.asarray(hard_gate(gate, inputs, state)).tolist()
    [8.0, 11.0, 3.0]
    """
    gate, inputs, state = as_tensors(gate, inputs, state)
    return gate * inputs + (1 - gate) * state
