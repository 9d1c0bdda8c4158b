"""What all experiments have in common: the setting, and a note of each training."""

import os
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

Points = list[tuple[float, list[float]]]  # (x, one number for each seed)


def points(places: Iterable[float], values: np.ndarray) -> Points:
    """What was measured, as `rnnkit.plots.curves` takes it.

    Args:
        places: The x of each column.
        values: `(seeds, places)`.

    Example:

    >>> points([8, 16], np.array([[0.5, 0.25], [1.0, 0.75]]))
    [(8, [0.5, 1.0]), (16, [0.25, 0.75])]
    """
    return [(x, column.tolist()) for x, column in zip(places, values.T, strict=True)]


def joined(sentences: Iterable[Sequence[str]]) -> list[str]:
    """Lists of words as texts, as a `Vocabulary` of words takes them.

    Example:

    >>> joined([["the", "bank"]])
    ['the bank']
    """
    return [" ".join(sentence) for sentence in sentences]


class Training(NamedTuple):
    """What it took to train one model.

    Args:
        model: Its name in the figure.
        seed: The seed it was trained with.
        weights: How many numbers it learned.
        seconds: How long the training took, seconds of wall-clock time.
    """

    model: str
    seed: int
    weights: int
    seconds: float


def is_fast(fast: bool | None) -> bool:
    """Whether the small setting is asked for: as told, else by RNNKIT_FAST=1.

    Args:
        fast: True or False where the caller has decided, else None.
    """
    return os.environ.get("RNNKIT_FAST") == "1" if fast is None else fast


def check_seeds(seeds: Sequence[int]) -> tuple[int, ...]:
    """The seeds as a tuple.

    Raises:
        ValueError: There are none, or one comes twice.
    """
    if not len(seeds) or len(set(seeds)) < len(seeds):
        raise ValueError(
            f"seeds must be one or more whole numbers, each once. Received: {list(seeds)}"
        )
    return tuple(seeds)


def timed(name: str, seed: int, model: Any, train: Callable[[], object]) -> Training:
    """Train a Keras model, and note what it took.

    Args:
        name: Its name in the figure.
        seed: The seed it is trained with.
        model: The model; its weights are counted.
        train: Called once, without arguments.
    """
    begin = time.perf_counter()
    train()
    return Training(name, seed, int(model.count_params()), time.perf_counter() - begin)


def timed_by_epoch(
    name: str,
    seed: int,
    model: Any,
    train: Callable[[], object],
    measure: Callable[[], Any],
    epochs: int,
) -> tuple[Training, list[Any]]:
    """Train a Keras model epoch by epoch, and measure it after each.

    Args:
        name: Its name in the figure.
        seed: The seed it is trained with.
        model: The model; its weights are counted.
        train: Trains for one epoch.
        measure: Measures the model as it is; this does not count as training.
        epochs: How often.

    Returns:
        What it took, and what was measured after each epoch.

    Raises:
        ValueError: `epochs` is less than 1.
    """
    if epochs < 1:
        raise ValueError(f"epochs must be at least 1. Received: {epochs}")
    seconds, measured = 0.0, []
    for _ in range(epochs):
        seconds += timed(name, seed, model, train).seconds
        measured.append(measure())
    return Training(name, seed, int(model.count_params()), seconds), measured


def report(training: Training, measured: str, quiet: bool) -> None:
    """Print one line about a trained model.

    Args:
        training: What it took.
        measured: What came out.
        quiet: Print nothing.
    """
    if not quiet:
        print(
            f"{training.model}, seed {training.seed}: {measured} ({training.seconds:.0f} s)",
            flush=True,
        )


def spread(values: Sequence[float], digits: int = 2, kind: str = "f") -> str:
    """The median, and from the smallest to the largest where there are several.

    Args:
        values: One number for each seed.
        digits: After the point.
        kind: "f", or "e" for powers of ten.

    Example:

    >>> spread([0.5, 1.0, 0.75])
    '0.75 (0.50 to 1.00)'
    >>> spread([0.00002], digits=1, kind="e")
    '2.0e-05'
    """
    form = f".{digits}{kind}"
    middle = f"{statistics.median(values):{form}}"
    if len(values) < 2:
        return middle
    return f"{middle} ({min(values):{form}} to {max(values):{form}})"
