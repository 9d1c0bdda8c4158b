"""Clipping by global norm: shorten the gradient, keep its direction."""

from collections.abc import Sequence

from keras import ops

from rnnkit.layers import Tensor
from rnnkit.layers.as_tensors import as_tensors


def global_norm(gradients: Sequence[Tensor]) -> Tensor:
    r"""The length of all gradients, seen as one long vector: $\sqrt{\sum_i \|g_i\|^2}$.

    Taught in unit 01, section s3.

    Args:
        gradients: Tensors or arrays of any shapes.

    Returns:
        One number; 0 for no gradients at all.

    Example:

    >>> import numpy as np
    >>> float(global_norm([np.array([3.0]), np.array([[4.0]])]))
    5.0
    """
    if not len(gradients):
        return ops.zeros(())
    return ops.sqrt(sum(ops.sum(ops.square(g)) for g in as_tensors(*gradients)))


def clip_by_global_norm(gradients: Sequence[Tensor], limit: float) -> tuple[list[Tensor], Tensor]:
    r"""Make gradients shorter where their global norm is above a limit.

    All are multiplied by the same number, $\min(1, \mathrm{limit} / \mathrm{norm})$,
    so the step that the optimizer makes keeps its direction. Optimizers of
    Keras do the same where they are made with `global_clipnorm=limit`.

    Taught in unit 01, section s3.

    Args:
        gradients: Tensors or arrays of any shapes.
        limit: The longest that the gradients together may be; above 0.

    Returns:
        The clipped gradients, and the global norm before clipping.

    Raises:
        ValueError: `limit` is not above 0.

    Example:

    >>> import numpy as np
    >>> clipped, norm = clip_by_global_norm([np.array([3.0]), np.array([4.0])], limit=1.0)
    >>> [round(float(g[0]), 2) for g in clipped], float(norm)
    ([0.6, 0.8], 5.0)
    """
    if not limit > 0:
        raise ValueError(f"clip_by_global_norm expects limit > 0. Received: limit={limit}")
    norm = global_norm(gradients)
    factor = limit / ops.maximum(norm, limit)  # 1 where the gradients are short enough
    tensors = [ops.convert_to_tensor(g) for g in gradients]
    return [g * ops.cast(factor, g.dtype) for g in tensors], norm
