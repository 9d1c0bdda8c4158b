"""From attention weights to alignment links."""

import numpy as np


def links_from_weights(weights: np.ndarray, source_mask: np.ndarray | None = None) -> np.ndarray:
    """Link each target position to the source position that it looks at most.

    Args:
        weights: Attention weights ``(..., target, source)``: one pair, or a
            batch of pairs.
        source_mask: bool ``(..., source)``, True for a real position. Padded
            positions are never linked. All are real by default.

    Returns:
        bool, with the shape of ``weights``: exactly one True in each row. Of
        equal weights the first wins.

    Raises:
        ValueError: The shapes do not fit, a weight is not a number (NaN), or a
            pair has no real source position.

    Example:

    >>> from rnnkit.metrics import links_from_weights
    >>> links_from_weights([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]], [True, True, False])
    array([[False,  True, False],
           [ True, False, False]])
    """
    weights = np.asarray(weights)
    if weights.ndim < 2 or weights.shape[-1] == 0:
        raise ValueError(
            "weights must have the shape (..., target, source), with at least one source "
            f"position. Received: shape {weights.shape}"
        )
    if np.isnan(weights).any():
        raise ValueError("weights must be numbers. Received: weights with NaN")
    if source_mask is not None:
        mask = _checked_mask(np.asarray(source_mask), weights.shape)
        weights = np.where(mask[..., None, :], weights, -np.inf)
    strongest = weights.argmax(axis=-1)  # (..., target)
    return np.arange(weights.shape[-1]) == strongest[..., None]


def _checked_mask(mask: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    expected = (*shape[:-2], shape[-1])
    if mask.dtype != bool or mask.shape != expected:
        raise ValueError(
            f"source_mask must be bool, with the shape {expected}. "
            f"Received: {mask.dtype}, shape {mask.shape}"
        )
    if not mask.any(axis=-1).all():
        raise ValueError(
            "source_mask must be True for at least one position of each source. "
            "Received: a source with padding alone"
        )
    return mask
