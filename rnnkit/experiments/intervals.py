"""The mean over seeds, and how sure it is."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

LEVEL = 0.95


class Interval(NamedTuple):
    """A mean, and the interval that holds the true mean with 95 % of such intervals.

    Args:
        mean: Over the seeds.
        low: The lower end.
        high: The upper end.
    """

    mean: float
    low: float
    high: float


def interval(values: Sequence[float] | np.ndarray) -> Interval:
    """The mean of some values with its 95 % interval, by Student's t distribution.

    Args:
        values: One number for each seed.

    Raises:
        ValueError: There are fewer than two values: one says nothing of the spread.

    Example:

    >>> [round(end, 2) for end in interval([0.5, 0.6, 0.7])]
    [0.6, 0.35, 0.85]
    """
    from scipy import stats  # comes with scikit-learn; slow to import

    numbers = np.asarray(values, dtype="float64")
    if numbers.ndim != 1 or len(numbers) < 2:
        raise ValueError(f"interval expects two values or more. Received: {numbers.tolist()}")
    error = numbers.std(ddof=1) / len(numbers) ** 0.5
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(numbers) - 1) * error)
    mean = float(numbers.mean())
    return Interval(mean, mean - half, mean + half)


def separate(better: Sequence[float] | np.ndarray, worse: Sequence[float] | np.ndarray) -> bool:
    """Whether the whole interval of one lies above that of the other.

    Args:
        better: One number for each seed.
        worse: The same of the other.

    Example:

    >>> separate([0.8, 0.81, 0.82], [0.7, 0.71, 0.72])
    True
    >>> separate([0.8, 0.6, 0.9], [0.7, 0.71, 0.72])
    False
    """
    return interval(better).low > interval(worse).high
