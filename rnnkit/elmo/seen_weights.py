"""Whether weights have changed since they were looked at last."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Tensor


class SeenWeights:
    """The weights that something was made with.

    Args:
        variables: Keras variables.

    Example:

    >>> weight = keras.Variable([1.0, 2.0])
    >>> seen = SeenWeights([weight])
    >>> seen.have_changed(), seen.have_changed()
    (True, False)
    >>> weight.assign([1.0, 3.0]).shape == (2,) and seen.have_changed()
    True
    """

    def __init__(self, variables: Sequence[Any]) -> None:
        self._readers = list(map(_reader, variables))
        self._seen: list[Tensor] | None = None
        self._memory: list[np.ndarray] = []

    def have_changed(self) -> bool:
        """Whether a number is another than at the call before; True at the first call."""
        before, memory = self._seen, self._memory
        self._seen = [read() for read in self._readers]
        self._memory = _memory_of(self._seen)
        if before is None:
            return True
        if memory and all(map(np.may_share_memory, self._memory, memory)):
            return False  # one and the same memory tells it at once
        return not all(map(_are_equal, self._seen, before))


def _reader(variable: Any) -> Callable[[], Tensor]:
    """What gives a variable's numbers as they are then, whatever is done to it later."""
    if keras.backend.backend() != "tensorflow":
        return lambda: ops.copy(variable.value)
    import tensorflow as tf

    # No copy: TensorFlow writes to a new place as long as somebody holds the old one. And not
    # by `variable.value` each time, which takes longer than to read.
    held = variable.value
    return partial(tf.raw_ops.ReadVariableOp, resource=held.handle, dtype=held.dtype)


def _memory_of(tensors: Sequence[Tensor]) -> list[np.ndarray]:
    """Where tensors lie; empty where this cannot be seen."""
    if keras.backend.backend() != "tensorflow" or any("CPU" not in each.device for each in tensors):
        return []
    return list(map(np.asarray, tensors))


def _are_equal(one: Tensor, other: Tensor) -> bool:
    return bool(ops.all(ops.equal(one, other)))
