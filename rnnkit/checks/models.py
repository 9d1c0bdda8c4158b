"""Properties of any model: its gradients, its size, and that a seed decides all."""

from collections.abc import Mapping
from typing import Any

import keras
import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array
from rnnkit.checks.inputs import Function, copy, of_other_process
from rnnkit.models.gradient import weighted_gradient


@check
def gradients_reach_first(
    answer: Function, inputs: Any, mask: Any = None, at_least: float = 0.0
) -> None:
    """Check that the first step has a part in the last output, section s3.

    Args:
        answer: A function of tensors `(batch, time, features)`, in operations
            of Keras's backend; it returns outputs `(batch, time, …)` or one
            for each sentence, `(batch, …)`.
        inputs: The vectors to begin with.
        mask: True for a real position, `(batch, time)`; tells the last step of
            each sentence where outputs have a time axis.
        at_least: The norm that the gradient must have, beside that of the last step.

    Raises:
        AssertionError: No gradient arrives, or too little.
    """
    inputs = np.asarray(inputs, dtype="float32")
    batch, time = inputs.shape[:2]
    last = np.full(batch, time - 1) if mask is None else np.asarray(mask).sum(axis=1) - 1

    outputs = answer(keras.ops.convert_to_tensor(inputs))
    if not keras.ops.is_tensor(outputs):
        raise AssertionError(
            "No gradient can pass: the result is no tensor. Use operations of keras.ops, "
            "not of NumPy, between the input and the output."
        )
    weights = _different(outputs.shape)
    if len(outputs.shape) == 3:
        weights *= (np.arange(time) == last[:, None])[..., None]
    gradient = _gradient(answer, inputs, weights.astype("float32"))
    if gradient is None:
        raise AssertionError(
            "No gradient passes from the last output to the inputs. Was something turned into a "
            "NumPy array on the way, or is there a stop_gradient or an argmax?"
        )
    norms = np.sqrt((gradient.astype("float64") ** 2).sum(axis=-1))  # (batch, time)
    if not np.isfinite(norms).all():
        raise AssertionError("The gradient is NaN or infinity.")
    first, final = norms[:, 0], norms[np.arange(batch), last]
    if (first <= at_least * final).any():
        share = (first / np.where(final > 0, final, 1.0)).min()
        raise AssertionError(
            f"The gradient at the first step is {share:.2g} of that at the last step. Expected: "
            f"more than {at_least:.2g}. Is the state passed on from the first step to the last?"
        )


@check
def gradient_arrives(answer: Function, inputs: Any, what: str = "the input") -> None:
    """Check that a gradient comes from a result to an input, sections s33 and s34.

    Args:
        answer: A function of one tensor, in operations of Keras's backend.
        inputs: What it is called with, an array with one axis or more.
        what: How a message calls the input.

    Raises:
        AssertionError: No gradient arrives, or one that is no number.
    """
    inputs = np.asarray(inputs, dtype="float32")
    outputs = answer(keras.ops.convert_to_tensor(inputs))
    if not keras.ops.is_tensor(outputs):
        raise AssertionError(
            f"No gradient can come to {what}: the result is no tensor. Use operations of "
            "keras.ops, not of NumPy, on the whole way."
        )
    weights = np.asarray(_different(outputs.shape), dtype="float32")
    gradient = _gradient(answer, inputs, weights)
    if gradient is None:
        raise AssertionError(
            f"No gradient comes to {what}. Was it turned into a Python number or a NumPy array on "
            "the way, with float(), .numpy() or np.asarray()?"
        )
    if not np.isfinite(gradient).all():
        raise AssertionError(
            f"The gradient that comes to {what} is NaN or infinity, where {what} is "
            f"{inputs.reshape(-1).tolist()}. Is there a division by 0, or a square root of 0, on "
            "the way?"
        )


def _different(shape: Any) -> np.ndarray:
    """Another weight for each output, so that gradients do not cancel out (a softmax sums to 1)."""
    return np.random.default_rng(0).uniform(0.5, 1.5, [int(size) for size in shape])


def _gradient(answer: Function, inputs: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
    """Of the weighted sum of the outputs with respect to the inputs; None where none can pass."""
    elsewhere = of_other_process(answer, "gradient_elsewhere")
    if elsewhere is not None:
        slope: np.ndarray | None = elsewhere(inputs, weights)
        return slope

    try:
        found = weighted_gradient(answer, inputs, weights)
    except TypeError as error:
        # JAX, where something was turned into NumPy on the way.
        if type(error).__name__ != "TracerArrayConversionError":
            raise
        return None
    return None if found is None else keras.ops.convert_to_numpy(found)


@check
def parameters_count(
    count: Any, expected: int, slips: Mapping[str, int] | None = None, what: str = "the parameters"
) -> None:
    """Check how many numbers a model learns.

    Args:
        count: The student's number, or a Keras model, whose weights are counted.
        expected: The right number.
        slips: For each known slip, a sentence and the number it gives.
        what: How a message calls it.

    Raises:
        AssertionError: The number is another.
    """
    number = count.count_params() if hasattr(count, "count_params") else count
    array = as_array(what, number)
    if array.size != 1:
        raise AssertionError(f"{what} should be one number. Received: shape {array.shape}")
    value = float(array.item())
    if value == expected:
        return
    for sentence, wrong in (slips or {}).items():
        if value == wrong:
            raise AssertionError(f"{what}: {value:,.0f}. Expected: {expected:,}. {sentence}")
    raise AssertionError(f"{what}: {value:,.10g}. Expected: {expected:,}.")


@check
def deterministic(answer: Function, *inputs: Any, what: str = "the result") -> None:
    """Check that a function gives the same result under the same seed.

    Args:
        answer: The student's function. Before each call, Keras's seed and
            NumPy's and Python's are set to the same number.
        inputs: What it is called with.
        what: How a message calls the result.

    Raises:
        AssertionError: Two calls differ.
    """
    results = []
    for _ in range(2):
        keras.utils.set_random_seed(1)
        seed_elsewhere = of_other_process(answer, "seed_elsewhere")
        if seed_elsewhere is not None:
            seed_elsewhere(1)
        result = answer(*(copy(value) for value in inputs))
        parts = result if isinstance(result, list | tuple) else [result]
        results.append([as_array(what, part) for part in parts])
    first, second = results
    same = len(first) == len(second) and all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(*results, strict=True)
    )
    if not same:
        raise AssertionError(
            f"{what} differs when the function is called again with the same inputs and the same "
            "seed. Use the seed or generator that is given, and keep no state between calls."
        )
