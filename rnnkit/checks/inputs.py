"""Random inputs of the checks, and how they are handed to an answer."""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import numpy as np

from rnnkit.checks.ready_made import no_ready_made

Function = Callable[..., Any]


def random_numbers(seed: int, *shape: int) -> np.ndarray:
    """Normal numbers that float32 holds exactly, as float64."""
    numbers = np.random.default_rng(seed).normal(size=shape)
    return numbers.astype("float32").astype("float64")  # what the answer gets, exactly


def random_mask(batch: int, time: int, seed: int) -> np.ndarray:
    """Right-padded; with an even seed, each row of 2 or more positions has padding."""
    longest = max(time - 1, 1) if seed % 2 == 0 else time
    lengths = np.random.default_rng(seed).integers(1, longest + 1, batch)
    if seed % 2:
        lengths[0] = time
    return np.arange(time) < lengths[:, None]


def name_of(answer: Function, otherwise: str) -> str:
    """What a message calls an answer: its own name, or another where it has none (a lambda).

    In a referee, the answer lives elsewhere.
    """
    name = getattr(answer, "name_elsewhere", "") or getattr(answer, "__name__", "")
    return name if name.isidentifier() else otherwise


def kind_of(value: Any) -> str:
    """The name of the class of what a student's code gave, also where it lives elsewhere."""
    return getattr(value, "kind_elsewhere", "") or type(value).__name__


def of_other_process(answer: Function, name: str) -> Function | None:
    """What an answer that lives in another process lets us do there; None where it lives here."""
    return getattr(answer, name) if hasattr(type(answer), name) else None


def call(name: str, answer: Function, *inputs: Any, given: tuple[str, ...] = ()) -> Any:
    """Call an answer on copies of the inputs, and ask that it does the work itself."""
    if not callable(answer):
        raise AssertionError(f"{name} should be a function. Received: {answer!r}")
    with no_ready_made(name, given):
        return answer(*(copy(value) for value in inputs))


def copy(value: Any) -> Any:
    """A copy that the answer may write into, in the type that a model would pass."""
    if isinstance(value, dict):
        return {name: copy(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [copy(entry) for entry in value]
    if not isinstance(value, np.ndarray):
        return value
    return value.astype("float32") if value.dtype == "float64" else value.copy()


def softmax(scores: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    """Over the last axis; zeros in a row without a real position."""
    mask = np.ones(scores.shape, bool) if mask is None else mask
    largest = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    shifted = np.where(mask, scores - np.where(np.isfinite(largest), largest, 0.0), -np.inf)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total > 0, total, 1.0)


def log_softmax(scores: np.ndarray) -> np.ndarray:
    """The logarithm of the softmax over the last axis."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def sigmoid(x: np.ndarray) -> np.ndarray:
    """From 0 to 1."""
    return 1 / (1 + np.exp(-x))


def telling_apart(
    make: Callable[[np.random.Generator], tuple[Any, ...] | None],
    ways: Iterable[Function],
    seed: int,
    gap: float = 2e-3,
) -> tuple[Any, ...]:
    """Random inputs with which each of some functions gives something else.

    A score is one number, so that a slip can give the right one by chance;
    with these inputs it does not.

    Args:
        make: Makes inputs, or None where what was drawn does not suit.
        ways: The right function and the slips.
        seed: For the random numbers.
        gap: How far two numbers must lie apart.
    """
    for attempt in range(2000):
        inputs = make(np.random.default_rng([seed, attempt]))
        if inputs is None:
            continue
        results = [np.asarray(way(*inputs), dtype="float64") for way in ways]
        if all(
            one.shape != other.shape or np.abs(one - other).max() > gap
            for one, other in combinations(results, 2)
        ):
            return inputs
    raise RuntimeError(f"no inputs found for seed={seed}")
