"""Whether weights have changed since they were looked at last."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Tensor

Seen = tuple[Tensor, np.ndarray | None]  # a weight's numbers, and their memory


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
        self._seen: list[Seen] | None = None

    def have_changed(self) -> bool:
        """Whether a number is another than at the call before; True at the first call."""
        before = self._seen
        self._seen = [(numbers := read(), _place(numbers)) for read in self._readers]
        return before is None or not all(map(_is_same, self._seen, before))


def _reader(variable: Any) -> Callable[[], Tensor]:
    """What gives a variable's numbers as they are then, whatever is done to it later."""
    if keras.backend.backend() != "tensorflow":
        return lambda: ops.copy(variable.value)
    import tensorflow as tf

    # No copy: TensorFlow writes to a new place as long as somebody holds the old one.
    # Nor Keras's own way there, which takes longer than to read.
    held = variable.value
    return partial(tf.raw_ops.ReadVariableOp, resource=held.handle, dtype=held.dtype)


def _place(numbers: Tensor) -> np.ndarray | None:
    """A tensor's memory; None where it cannot be seen."""
    if keras.backend.backend() != "tensorflow" or "CPU" not in numbers.device:
        return None
    return np.asarray(numbers)


def _is_same(now: Seen, before: Seen) -> bool:
    """Whether a weight has not changed, which one and the same memory tells at once."""
    if now[1] is not None and before[1] is not None and np.may_share_memory(now[1], before[1]):
        return True
    return bool(ops.all(ops.equal(now[0], before[0])))
