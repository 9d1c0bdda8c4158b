"""How much the loss at one step depends on each source symbol."""

import numpy as np
from keras import ops

from rnnkit.layers import Tensor
from rnnkit.models.encoder_decoder import EncoderDecoder
from rnnkit.models.gradient import gradient


def loss_at(
    model: EncoderDecoder,
    embedded: Tensor,
    source: Tensor,
    previous: Tensor,
    following: Tensor,
    position: int,
) -> Tensor:
    """The loss of one target step, as a function of the source symbols' vectors.

    Taught in unit 06, section s27.

    Args:
        model: The model.
        embedded: `(batch, source, embedding)`: the vectors of the source symbols.
        source: `(batch, source)`: the symbols, for the mask.
        previous: `(batch, target)`: what the decoder sees.
        following: `(batch, target)`: what it should predict.
        position: The target step, counted from 0.

    Returns:
        One number, in nats: the cross-entropy of that step, added up over the batch.

    Example:

    >>> model = EncoderDecoder(9, 7, units=8, embedding=4)
    >>> source, previous, following = np.array([[5, 4]]), np.array([[2, 6]]), np.array([[6, 3]])
    >>> loss = loss_at(model, model.source_embedding(source), source, previous, following, 1)
    >>> tuple(loss.shape)
    ()
    """
    logits, _ = model.teacher_forced(model.encode(source, embedded), previous)
    losses = ops.sparse_categorical_crossentropy(
        ops.convert_to_tensor(following)[:, position], logits[:, position], from_logits=True
    )
    return ops.sum(losses)


def source_gradients(
    model: EncoderDecoder, source: Tensor, previous: Tensor, following: Tensor, position: int
) -> np.ndarray:
    """The gradient of `loss_at` with respect to the source symbols' vectors.

    Args:
        model: The model.
        source: `(batch, source)`.
        previous: `(batch, target)`: what the decoder sees.
        following: `(batch, target)`: what it should predict.
        position: The target step, counted from 0.

    Returns:
        `(batch, source, embedding)`.

    Example:

    >>> model = EncoderDecoder(9, 7, units=8, embedding=4)
    >>> source, previous, following = np.array([[5, 4]]), np.array([[2, 6]]), np.array([[6, 3]])
    >>> source_gradients(model, source, previous, following, position=1).shape
    (1, 2, 4)
    """
    embedded = model.source_embedding(ops.convert_to_tensor(source))

    def loss(vectors: Tensor) -> Tensor:
        return loss_at(model, vectors, source, previous, following, position)

    return np.asarray(ops.convert_to_numpy(gradient(loss, embedded)))
