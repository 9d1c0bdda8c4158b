"""The gradient of a function, on each Keras backend."""

from collections.abc import Callable

import keras
from keras import ops

from rnnkit.layers import Tensor


def gradient(function: Callable[[Tensor], Tensor], at: Tensor) -> Tensor:
    """The gradient of a function of one tensor.

    `keras.ops` has no gradient of its own, so each backend goes its own way.

    Taught in unit 01, section s3.

    Args:
        function: Takes a tensor, returns one number.
        at: Where the gradient is taken: a tensor or an array of floating
            point numbers.

    Returns:
        A tensor of the shape of `at`; zeros where the function does not
        depend on it.

    Example:

    >>> import numpy as np
    >>> slope = gradient(lambda x: ops.sum(x * x), np.array([1.0, -3.0]))
    >>> ops.convert_to_numpy(slope).tolist()
    [2.0, -6.0]
    """
    slope = gradient_or_none(function, at)
    return ops.zeros_like(at) if slope is None else slope


def weighted_gradient(
    function: Callable[[Tensor], Tensor], at: Tensor, weights: Tensor
) -> Tensor | None:
    """The gradient of the weighted sum of what a function gives; None as in `gradient_or_none`.

    Args:
        function: Takes a tensor, returns one.
        at: Where the gradient is taken.
        weights: A weight for each number of the result.

    Example:

    >>> import numpy as np
    >>> slope = weighted_gradient(lambda x: x * x, np.array([1.0, 3.0]), np.array([1.0, 10.0]))
    >>> ops.convert_to_numpy(slope).tolist()
    [2.0, 60.0]
    """

    def weighted(vectors: Tensor) -> Tensor:
        outputs = function(vectors)
        return ops.sum(outputs * ops.cast(weights, outputs.dtype))

    return gradient_or_none(weighted, at)


def gradient_or_none(function: Callable[[Tensor], Tensor], at: Tensor) -> Tensor | None:
    """As `gradient`, but None where the backend sees that nothing depends on `at`.

    JAX sees nothing of the kind, and gives zeros.
    """
    at = ops.convert_to_tensor(at)
    backend = keras.backend.backend()
    if backend == "tensorflow":
        import tensorflow as tf

        with tf.GradientTape() as tape:
            tape.watch(at)
            value = function(at)
        slope = tape.gradient(value, at)
        return None if slope is None else tf.convert_to_tensor(slope)  # it may be sparse
    if backend == "jax":
        import jax

        return jax.grad(function)(at)
    import torch

    at = at.detach().requires_grad_(True)
    value = function(at)
    if not value.requires_grad:
        return None
    (slope,) = torch.autograd.grad(value, at, allow_unused=True)
    return slope
