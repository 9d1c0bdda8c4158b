"""Softmax over real positions only."""

from typing import Any

from keras import ops

Tensor = Any  # a tensor of the Keras backend in use, or a NumPy array
Shape = Any  # a tuple of sizes, None where a size is not known yet


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    r"""Turn scores into weights that sum to one over the real positions.

    $$\alpha_j = \frac{m_j \exp(e_j)}{\sum_k m_k \exp(e_k)}$$

    Taught in unit 06, section s25.

    Args:
        scores: `(..., source)`, floating point, any size.
        mask: `(..., source)`, boolean, True for a real position. None means
            that every position is real.

    Returns:
        Weights of the shape of `scores`: exactly 0 on padding, at least 0
        elsewhere, with a sum of 1 over the last axis. A row with no real
        position gets zeros.

    Example:

    >>> import numpy as np
    >>> weights = masked_softmax(np.array([[1.0, 1.0, 9.0]]), np.array([[True, True, False]]))
    >>> np.asarray(weights).tolist()
    [[0.5, 0.5, 0.0]]
    """
    scores = ops.convert_to_tensor(scores)
    if mask is None:
        return ops.softmax(scores, axis=-1)
    mask = ops.cast(mask, "bool")
    zeros = ops.zeros_like(scores)
    # Padding takes a score that is not above any real one, so the largest
    # score is a real one and exp() cannot overflow. What stood on the padding
    # (it may be infinite) has no part in it.
    lowest = ops.min(ops.where(mask, scores, zeros), axis=-1, keepdims=True)
    scores = ops.where(mask, scores, lowest)
    # Softmax does not change when all scores move together, so no gradient
    # flows through the largest score.
    largest = ops.stop_gradient(ops.max(scores, axis=-1, keepdims=True))
    exponentials = ops.where(mask, ops.exp(scores - largest), zeros)
    total = ops.sum(exponentials, axis=-1, keepdims=True)
    return exponentials / ops.where(total > 0, total, ops.ones_like(total))
