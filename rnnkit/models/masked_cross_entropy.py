"""The loss of a language model or a decoder, over real positions only."""

from keras import ops

from rnnkit.layers import Tensor

PAD_ID = 0


def masked_cross_entropy(targets: Tensor, logits: Tensor) -> Tensor:
    r"""The mean of $-\log p(\text{target})$ over all real positions of a batch.

    Every real position counts the same: a long sentence weighs more than a
    short one, and padding weighs nothing.

    Taught in unit 05, section s21.

    Args:
        targets: `(batch, time)`, whole numbers; 0 is padding.
        logits: `(batch, time, vocabulary)`: scores before the softmax.

    Returns:
        One number, in nats for each symbol; 0 where everything is padding.

    Example:

    >>> import numpy as np
    >>> loss = masked_cross_entropy(np.array([[1, 0]]), np.zeros((1, 2, 4)))
    >>> round(float(loss), 4)  # log 4: the padding does not count
    1.3863
    """
    real = ops.not_equal(targets, PAD_ID)
    losses = ops.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    losses = ops.where(real, losses, ops.zeros_like(losses))
    count = ops.sum(ops.cast(real, losses.dtype))
    return ops.sum(losses) / ops.maximum(count, 1.0)
