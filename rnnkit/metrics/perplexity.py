"""How surprised a language model is by a text."""

import math

import numpy as np


def perplexity(log_probabilities: np.ndarray, mask: np.ndarray | None = None) -> float:
    r"""As many equally likely next symbols would surprise as much as the text did.

    $$\exp\Big(-\frac{1}{N} \sum_{i=1}^{N} \log p(x_i \mid x_1 \ldots x_{i-1})\Big)$$

    A model that knows the text has 1; one that gives every symbol of a
    vocabulary V the same probability has |V|. Perplexities can be compared only
    over the same symbols of the same text. Taught in unit 03, section s8.

    Args:
        log_probabilities: The natural logarithm of the probability of each
            symbol that came, any shape. Those of all texts count alike, however
            they are shared out over rows.
        mask: bool, of the same shape, True for a real position. All are real
            by default.

    Returns:
        A number of at least 1; infinite where a symbol had the probability 0.

    Raises:
        ValueError: There is no real position, the shapes differ, or a value is
            no log probability (NaN, or above 0).

    Example:

    >>> from rnnkit.metrics import perplexity
    >>> round(perplexity(np.log([[0.25, 0.25], [0.25, 0.0001]]), [[True, True], [True, False]]), 6)
    4.0
    """
    mean = mean_surprise(log_probabilities, mask)
    return math.exp(mean) if mean < 700 else math.inf  # exp(710) is too large for a float


def bits_per_character(log_probabilities: np.ndarray, mask: np.ndarray | None = None) -> float:
    r"""The mean of $-\log_2 p$: how many bits a character takes with this model.

    It is the binary logarithm of the perplexity. Taught in unit 03, section s10.

    Args:
        log_probabilities: As for `perplexity`, of a model of characters.
        mask: As for `perplexity`.

    Returns:
        A number of at least 0, in bits for each character.

    Raises:
        ValueError: As for `perplexity`.

    Example:

    >>> from rnnkit.metrics import bits_per_character
    >>> round(bits_per_character(np.log([0.5, 0.125])), 6)
    2.0
    """
    return mean_surprise(log_probabilities, mask) / math.log(2)


def mean_surprise(log_probabilities: np.ndarray, mask: np.ndarray | None) -> float:
    """The mean of the negative log probabilities of real positions, in nats.

    Raises:
        ValueError: As for `perplexity`.
    """
    values = np.asarray(log_probabilities, dtype="float64")
    if mask is not None:
        real = np.asarray(mask)
        if real.dtype != bool or real.shape != values.shape:
            raise ValueError(
                f"mask must be bool, with the shape {values.shape} of log_probabilities. "
                f"Received: {real.dtype}, shape {real.shape}"
            )
        values = values[real]
    if values.size == 0:
        raise ValueError("log_probabilities must hold at least one real position. Received: none")
    largest = values.max()  # NaN, where there is one
    if not largest <= 1e-4:  # a float32 softmax may miss 1 by a rounding error
        raise ValueError(
            "log_probabilities must be logarithms of probabilities, 0 or less; "
            f"logits need a log softmax first. Received: {largest}"
        )
    return max(0.0, -float(values.mean()))
