"""Values that functions take and give: copied, drawn anew, and compared."""

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["TOLERANCE", "copied", "differ", "drawn_anew", "has_numbers", "has_values"]

TOLERANCE = 1e-5


def _is_array(value: Any) -> bool:
    return hasattr(value, "__array__") and not isinstance(value, type)


def copied(value: Any) -> Any:
    """The same value; who changes an array, a list or a dictionary in it changes a copy.

    Args:
        value: Anything; functions and models are given back as they are.
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, Mapping):
        return {name: copied(each) for name, each in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(copied(each) for each in value)
    return value


def drawn_anew(value: Any, generator: np.random.Generator) -> Any:
    """The same shape, kind and structure with other floating-point numbers.

    What holds for all numbers of an array goes on to hold: zeros and ones stay such, rows of
    probabilities sum to 1, and what has no negative number gets none. Whole numbers, booleans
    and texts stay: among them are ids, masks and lengths, which belong together.

    Args:
        value: What a function was called with.
        generator: Draws the numbers.

    Example:

    >>> generator = np.random.default_rng(0)
    >>> drawn_anew(([0.5, 0.25], "both", 3), generator)[1:]
    ('both', 3)
    >>> bool((drawn_anew(np.array([0.1, 7.0]), generator) >= 0).all())
    True
    """
    if isinstance(value, float):
        return float(_numbers(np.asarray(value), generator))
    if isinstance(value, Mapping):
        return {name: drawn_anew(each, generator) for name, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(drawn_anew(each, generator) for each in value)
    if _is_array(value):
        array = np.asarray(value)
        if array.dtype.kind == "f" and array.size:
            drawn = _numbers(array, generator).astype(array.dtype)
            return drawn if isinstance(value, np.ndarray) else _as_tensor(value, drawn)
    return value


def has_values(value: Any) -> bool:
    """Whether its tensors hold numbers: while Keras compiles a function, they only stand for some.

    Args:
        value: What a function was called with.
    """
    if isinstance(value, Mapping):
        return all(map(has_values, value.values()))
    if type(value) in (list, tuple):
        return all(map(has_values, value))
    if _is_array(value):
        try:
            np.asarray(value)
        except (TypeError, ValueError, NotImplementedError):
            return False
    return True


def has_numbers(value: Any) -> bool:
    """Whether there is a number in it that can be drawn anew.

    Args:
        value: What a function was called with.

    Example:

    >>> has_numbers((np.array([1, 2]), "both")), has_numbers([{"W": 0.5}])
    (False, True)
    """
    if isinstance(value, Mapping):
        return any(map(has_numbers, value.values()))
    if type(value) in (list, tuple):
        return any(map(has_numbers, value))
    if _is_array(value):
        return bool(np.asarray(value).dtype.kind == "f")
    return isinstance(value, float) or type(value) is int


def _as_tensor(like: Any, array: np.ndarray) -> Any:
    import keras

    return keras.ops.convert_to_tensor(array) if keras.ops.is_tensor(like) else array


def _numbers(array: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Numbers of the same shape and range."""
    if not np.isfinite(array).all():
        return array
    if array.ndim and np.isin(array, (0, 1)).all():
        return generator.integers(0, 2, array.shape)
    if (array >= 0).all():
        drawn = generator.uniform(0.02, 1.0, array.shape)
        if array.ndim and np.allclose(array.sum(axis=-1), 1):
            return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))
        return np.asarray(drawn * (array.max() if array.max() > 1 else 1.0))
    if (array <= 0).all():
        return generator.uniform(0.02, 1.0, array.shape) * array.min()
    return generator.normal(scale=array.std() or 1.0, size=array.shape)


def differ(value: Any, other: Any) -> bool:
    """Whether two results differ, in structure or by more than `TOLERANCE`.

    The tolerance is relative for numbers above 1. A list and an array of the same numbers do
    not differ, nor do whole numbers and floating-point numbers of the same value.

    Args:
        value: What the reference gave.
        other: What a mutant gave.

    Example:

    >>> differ([1.0, 2.0], np.array([1, 2])), differ((1.0,), (1.1,)), differ("a", "b")
    (False, True, True)
    """
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        return value.keys() != other.keys() or any(differ(value[key], other[key]) for key in value)
    if _is_row(value) and _is_row(other):
        return len(value) != len(other) or any(map(differ, value, other))
    if isinstance(value, str | bytes | set | None) or isinstance(other, str | bytes | set | None):
        return type(value) is not type(other) or bool(value != other)
    try:
        return _arrays_differ(np.asarray(value), np.asarray(other))
    except (TypeError, ValueError):  # what is no array: a list of uneven rows, a model
        return True


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _arrays_differ(array: np.ndarray, other: np.ndarray) -> bool:
    if array.shape != other.shape:
        return True
    numeric = array.dtype.kind in "biuf" and other.dtype.kind in "biuf"
    if "O" in (array.dtype.kind, other.dtype.kind):  # of a model or a function, only its kind
        kinds = [[type(each) for each in values.ravel()] for values in (array, other)]
        return kinds[0] != kinds[1]
    if not numeric:
        return not np.array_equal(array, other)
    first, second = array.astype("float64"), other.astype("float64")
    return not np.allclose(second, first, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
