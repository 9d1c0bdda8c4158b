"""Training with a look at the model after each epoch."""

import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

Measured = TypeVar("Measured")


class Epochs(NamedTuple, Generic[Measured]):
    """What a training showed.

    Args:
        measured: What was measured after each epoch.
        seconds: How long the training took, without the measuring.
    """

    measured: list[Measured]
    seconds: float


def train_by_epoch(
    train: Callable[[], object], measure: Callable[[], Measured], epochs: int
) -> Epochs[Measured]:
    """Train epoch by epoch, and measure after each.

    Args:
        train: Trains the model for one epoch.
        measure: Measures the model as it is.
        epochs: How often.

    Raises:
        ValueError: `epochs` is less than 1.

    Example:

    >>> weights = []
    >>> train_by_epoch(lambda: weights.append(0), lambda: len(weights), epochs=3).measured
    [1, 2, 3]
    """
    if epochs < 1:
        raise ValueError(f"epochs must be at least 1. Received: {epochs}")
    seconds, measured = 0.0, []
    for _ in range(epochs):
        begin = time.perf_counter()
        train()
        seconds += time.perf_counter() - begin
        measured.append(measure())
    return Epochs(measured, seconds)
