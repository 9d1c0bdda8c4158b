"""Compare an answer with what was expected, and name the slip that explains it."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from keras import ops

TOLERANCE = 1e-4


def as_array(what: str, value: Any) -> np.ndarray:
    """A student's result as a NumPy array.

    Args:
        what: How a message calls the result.
        value: An array, a tensor, a number (also an exact one: a Fraction or a Decimal), or lists
            of numbers.

    Raises:
        AssertionError: It is None, or no numbers.
    """
    if value is None:
        raise AssertionError(f"{what} is None. Does the function end with `return`?")
    value = _numbers_of(value)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise AssertionError(
            f"{what} should be an array of numbers. Received: {_short(value)}"
        ) from error
    if not (np.issubdtype(array.dtype, np.number) or array.dtype == bool):
        raise AssertionError(f"{what} should be an array of numbers. Received: {_short(value)}")
    return array


def _numbers_of(value: Any) -> Any:
    """The same in what NumPy reads as numbers, also in a list.

    A tensor may be on a GPU, or carry a gradient; NumPy takes a Fraction for an object.
    """
    if ops.is_tensor(value):
        return ops.convert_to_numpy(value)
    if hasattr(value, "detach"):  # of PyTorch, where it is not Keras's backend
        return value.detach().cpu().numpy()
    if isinstance(value, Fraction | Decimal):
        return float(value)
    if isinstance(value, np.ndarray) and value.dtype == object:
        return _numbers_of(value.tolist())
    if isinstance(value, list | tuple):
        return [_numbers_of(entry) for entry in value]
    return value


def expect_close(
    what: str,
    actual: Any,
    expected: np.ndarray,
    slips: Mapping[str, Any] | None = None,
    tolerance: float = TOLERANCE,
) -> None:
    """Ask that an answer equals what was expected.

    Args:
        what: How a message calls the answer.
        actual: The student's result.
        expected: The right result.
        slips: For each known slip, one sentence about it and the result that
            it gives, or the list of results where there are several ways to
            make it. A slip is named only where it explains the answer exactly.
        tolerance: The largest difference allowed, beside the size of the
            expected number where that is above 1.

    Raises:
        AssertionError: The answer is not as expected; the message says what
            came out, what was expected, and which slip gives exactly this.

    Example:

    >>> expect_close("the sum", 3.0, np.array(4.0), {"One is missing.": np.array(3.0)})
    Traceback (most recent call last):
    ...
    AssertionError: the sum: not right. One is missing.
    Yours: 3
    Expected: 4
    """
    array = as_array(what, actual)
    expected = np.asarray(expected)
    if equal(array, expected, tolerance):
        return
    for sentence, results in (slips or {}).items():
        results = results if isinstance(results, list) else [results]
        if any(equal(array, result, tolerance) for result in results):
            raise AssertionError(f"{what}: not right. {sentence}{_first(array, expected)}")
    if array.shape != expected.shape:
        both = _first(array, expected) if array.ndim == expected.ndim == 1 else ""
        raise AssertionError(
            f"{what} should have the shape {expected.shape}. Received: shape {array.shape}{both}"
        )
    if not np.isfinite(array).all():
        raise AssertionError(
            f"{what} holds NaN or infinity. Was something divided by zero, or was exp() taken of "
            f"a large number?{_first(array, expected)}"
        )
    raise AssertionError(f"{what}: not right.{_first(array, expected)}")


def equal(array: np.ndarray, expected: np.ndarray, tolerance: float = TOLERANCE) -> bool:
    """Whether two arrays have one shape, and numbers that differ by little."""
    if array.shape != expected.shape:
        return False
    array, expected = array.astype("float64"), expected.astype("float64")
    with np.errstate(invalid="ignore"):  # infinity minus infinity
        close = np.abs(array - expected) <= tolerance * np.maximum(1.0, np.abs(expected))
    same = (array == expected) | (np.isnan(array) & np.isnan(expected))
    return bool(np.all(np.where(np.isfinite(expected), close, same)))


def _first(array: np.ndarray, expected: np.ndarray) -> str:
    """The first row of both, cut to a length that can be read.

    Of two tables of different shapes, the shapes say more than the numbers.
    """
    if array.shape != expected.shape and max(array.ndim, expected.ndim) > 1:
        return f"\nYours: shape {array.shape}\nExpected: shape {expected.shape}"
    while array.ndim > 1 and array.shape == expected.shape and len(array) > 0:
        differs = [not equal(a, e) for a, e in zip(array, expected, strict=True)]
        row = int(np.argmax(differs))
        array, expected = array[row], expected[row]
    return f"\nYours: {_short(array)}\nExpected: {_short(expected)}"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return f"{value.item():.6g}"
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=4, suppress_small=True, threshold=12, edgeitems=5)
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."
