"""Arrays of several kinds, made ready to be computed with."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers.masked_softmax import Tensor


def as_tensors(*values: Any) -> tuple[Tensor, ...]:
    """Make tensors of one type, on the device in use.

    A function that takes weights as arrays may get NumPy's beside the
    backend's, in float32 beside float64, and some backends mix neither.

    Args:
        values: Arrays or tensors of floating point numbers.

    Returns:
        The same as tensors of the backend, all of the widest type given.

    Example:

    >>> import numpy as np
    >>> single, double = np.ones(2, "float32"), np.ones(2)
    >>> [keras.backend.standardize_dtype(tensor.dtype) for tensor in as_tensors(single, double)]
    ['float64', 'float64']
    """
    tensors = [ops.convert_to_tensor(value) for value in values]
    dtype = keras.backend.result_type(*(tensor.dtype for tensor in tensors))
    return tuple(ops.cast(tensor, dtype) for tensor in tensors)
