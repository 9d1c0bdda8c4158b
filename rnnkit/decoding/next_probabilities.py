"""From scores to the probabilities that a symbol is drawn from."""

import numpy as np


def next_probabilities(
    scores: np.ndarray,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> np.ndarray:
    r"""Softmax of the scores, with a temperature, over the symbols that may be drawn.

    $$p_i \propto \exp(s_i / T)$$

    First the temperature T, then `top_k`, then `top_p`; what is left sums to
    one again after each. Of equal probabilities the lower id stays. Taught in
    unit 03, section s9.

    Args:
        scores: `(batch, vocabulary)`: logits, or log probabilities. A score of
            minus infinity forbids a symbol.
        temperature: Below 1 the likely symbols get more likely, above 1 all
            get more alike. 0 gives all to the best symbol, as greedy does.
        top_k: Only the k most probable symbols may be drawn.
        top_p: Only the smallest set of most probable symbols whose
            probabilities add up to p or more may be drawn.

    Returns:
        `(batch, vocabulary)`, float64: each row sums to one.

    Raises:
        ValueError: A setting is out of range, a score is NaN or plus
            infinity, or a row forbids every symbol.

    Example:

    >>> scores = np.log([[0.5, 0.3, 0.2]])
    >>> next_probabilities(scores, top_k=2).round(3).tolist()
    [[0.625, 0.375, 0.0]]
    >>> next_probabilities(scores, top_p=0.6).round(3).tolist()
    [[0.625, 0.375, 0.0]]
    >>> next_probabilities(scores, temperature=0).tolist()
    [[1.0, 0.0, 0.0]]

    Reference:
        Holtzman et al. (2020), The curious case of neural text degeneration
        (top-p).
    """
    check_settings(temperature, top_k, top_p)
    scores = np.asarray(scores, dtype="float64")
    best = scores.max(axis=-1, keepdims=True)  # NaN, where there is one
    if not np.isfinite(best).all():
        raise ValueError(
            "each row of scores must have a largest score that is a finite number. "
            f"Received: {best[~np.isfinite(best)][0]}"
        )
    if temperature == 0:
        first = scores.argmax(axis=-1)[..., None]
        return (np.arange(scores.shape[-1]) == first).astype("float64")
    probabilities = np.exp((scores - best) / temperature)
    probabilities /= probabilities.sum(axis=-1, keepdims=True)
    if top_k is not None and top_k < scores.shape[-1]:
        probabilities = _keep_top_k(probabilities, top_k)
    if top_p is not None and top_p < 1:
        probabilities = _keep_top_p(probabilities, top_p)
    return probabilities


def check_settings(temperature: float, top_k: int | None, top_p: float | None) -> None:
    """Check the settings before any step is made.

    Raises:
        ValueError: A setting is out of range.
    """
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature must be 0 or more. Received: {temperature}")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k must be at least 1, or None. Received: {top_k}")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p must be more than 0 and at most 1, or None. Received: {top_p}")


def _keep_top_k(probabilities: np.ndarray, k: int) -> np.ndarray:
    order = np.argsort(-probabilities, axis=-1, kind="stable")
    return _keep(probabilities, order, np.arange(order.shape[-1]) < k)


def _keep_top_p(probabilities: np.ndarray, p: float) -> np.ndarray:
    order = np.argsort(-probabilities, axis=-1, kind="stable")
    mass = np.take_along_axis(probabilities, order, axis=-1).cumsum(axis=-1)
    before = np.concatenate([np.zeros_like(mass[..., :1]), mass[..., :-1]], axis=-1)
    # A sum that misses p by a rounding error alone has reached it.
    return _keep(probabilities, order, before < p - 1e-12)


def _keep(probabilities: np.ndarray, order: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """Keep the symbols of a sorted row that stay, and let them sum to one."""
    mask = np.zeros(probabilities.shape, dtype=bool)
    np.put_along_axis(mask, order, np.broadcast_to(stays, order.shape), axis=-1)
    kept = np.where(mask, probabilities, 0.0)
    return kept / kept.sum(axis=-1, keepdims=True)
