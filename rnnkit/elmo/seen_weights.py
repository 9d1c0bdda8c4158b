"""Whether weights have changed since they were looked at last."""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.elmo.graphs import as_graph
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
        self._variables = list(variables)
        self._seen: list[Seen] | None = None
        # All in one graph: one after the other they take as long as a short sentence.
        self._read = as_graph(self._kept)

    def have_changed(self) -> bool:
        """Whether a number is another than at the call before; True at the first call."""
        before = self._seen
        self._seen = [(numbers, _place(numbers)) for numbers in self._read()]
        return before is None or not all(map(_is_same, self._seen, before))

    def _kept(self) -> list[Tensor]:
        """All numbers as they are now, whatever is done to the variables later."""
        if keras.backend.backend() == "tensorflow":
            # No copy: TensorFlow writes to a new place as long as somebody holds the old one.
            return [ops.convert_to_tensor(variable.value) for variable in self._variables]
        return [ops.copy(variable.value) for variable in self._variables]


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
