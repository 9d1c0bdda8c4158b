"""The cosine of two vectors, a loss for it, and the threshold that decides."""

from collections.abc import Sequence

import numpy as np
from keras import ops

from rnnkit.layers import Tensor

_TINY = 1e-12  # keeps the length of a zero vector, and its gradient, away from 0


def cosine_similarity(first: Tensor, second: Tensor) -> Tensor:
    r"""$\cos(u, v) = u \cdot v / (\|u\| \|v\|)$, over the last axis.

    Taught in unit 04, section s18.

    Args:
        first: `(..., features)`.
        second: `(..., features)`.

    Returns:
        `(...)`, from -1 to 1; 0 where a vector is zero.

    Example:

    >>> u, v = np.array([[3.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, -1.0]])
    >>> ops.convert_to_numpy(cosine_similarity(u, v)).tolist()
    [1.0, 0.0]
    """
    first, second = ops.convert_to_tensor(first), ops.convert_to_tensor(second)
    product = ops.sum(first * second, axis=-1)
    return product / (_length(first) * _length(second))


def _length(vectors: Tensor) -> Tensor:
    return ops.sqrt(ops.maximum(ops.sum(vectors * vectors, axis=-1), _TINY))


def cosine_margin_loss(labels: Tensor, similarities: Tensor) -> Tensor:
    r"""Pull pairs of one meaning together, push others apart.

    A pair of one meaning costs $1 - \cos$. Another pair costs $\max(0, \cos)$:
    nothing once the two stand at a right angle.

    Taught in unit 04, section s18.

    Args:
        labels: `(batch,)`: 1 where two sentences mean the same, 0 elsewhere.
        similarities: `(batch,)`: cosines, from -1 to 1.

    Returns:
        One number, the mean over the pairs.

    Example:

    >>> float(cosine_margin_loss(np.array([1, 0, 0]), np.array([0.25, 0.75, -0.5])))
    0.5
    """
    similarities = ops.convert_to_tensor(similarities)
    labels = ops.cast(labels, similarities.dtype)
    return ops.mean(labels * (1 - similarities) + (1 - labels) * ops.relu(similarities))


def best_threshold(
    labels: Sequence[int] | np.ndarray, similarities: Sequence[float] | np.ndarray
) -> tuple[float, float]:
    """The threshold on the similarity that decides most pairs correctly.

    A pair counts as one of the same meaning where its similarity is at least
    the threshold. Choose it on pairs for validation, report on pairs for test.

    Taught in unit 04, section s18.

    Args:
        labels: `(pairs,)`: 1 where two sentences mean the same, 0 elsewhere.
        similarities: `(pairs,)`.

    Returns:
        The threshold, in the middle between two neighbouring similarities (the
        lowest of the best ones), and the share of pairs that it decides
        correctly.

    Raises:
        ValueError: There are no pairs, or the lengths differ.

    Example:

    >>> best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.6, 0.9])
    (0.5, 1.0)
    """
    true, scores = np.asarray(labels).astype(bool), np.asarray(similarities, dtype="float64")
    if true.shape != scores.shape or scores.ndim != 1 or not len(scores):
        raise ValueError(
            "best_threshold expects labels and similarities of one length, at least 1. "
            f"Received: labels of shape {true.shape}, similarities of shape {scores.shape}"
        )
    values = np.unique(scores)  # sorted
    thresholds = np.concatenate([[values[0]], (values[:-1] + values[1:]) / 2, [values[-1] + 1.0]])
    order = np.argsort(scores)
    below = np.searchsorted(scores[order], thresholds)  # pairs under each threshold
    positives_below = np.concatenate([[0], np.cumsum(true[order])])[below]
    correct = (below - positives_below) + (true.sum() - positives_below)
    best = int(correct.argmax())
    return float(thresholds[best]), float(correct[best] / len(scores))
