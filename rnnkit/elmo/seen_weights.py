"""Whether weights have changed since they were looked at last."""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Tensor


class SeenWeights:
    """The weights that something was made with.

    Example:

    >>> weight = keras.Variable([1.0, 2.0])
    >>> seen = SeenWeights()
    >>> seen.have_changed([weight]), seen.have_changed([weight])
    (True, False)
    >>> weight.assign([1.0, 3.0]).shape == (2,) and seen.have_changed([weight])
    True
    """

    def __init__(self) -> None:
        self._seen: list[Tensor] = []

    def have_changed(self, variables: Sequence[Any]) -> bool:
        """Whether a number is another than at the call before; True at the first call.

        Args:
            variables: Keras variables, the same ones in each call.
        """
        now = [_kept(variable) for variable in variables]
        same = len(now) == len(self._seen) and all(map(_is_same, now, self._seen))
        self._seen = now
        return not same


def _kept(variable: Any) -> Tensor:
    """The numbers of a variable as they are now, whatever is done to it later."""
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        # No copy: TensorFlow writes to a new place as long as somebody holds the old one.
        # `read_value()` gives the same, and takes as long for all weights as a whole sentence.
        held = variable.value
        return tf.raw_ops.ReadVariableOp(resource=held.handle, dtype=held.dtype)
    return ops.copy(variable.value)


def _is_same(now: Tensor, before: Tensor) -> bool:
    """Whether weights have not changed."""
    return _is_one_place(now, before) or bool(ops.all(ops.equal(now, before)))


def _is_one_place(now: Tensor, before: Tensor) -> bool:
    """Whether two tensors are one and the same memory; False where this cannot be seen."""
    if keras.backend.backend() != "tensorflow" or "CPU" not in now.device:
        return False
    return np.may_share_memory(np.asarray(now), np.asarray(before))
