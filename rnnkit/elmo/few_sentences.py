"""The LSTM layers of a biLM in NumPy, for few sentences at a time."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from keras import ops

from rnnkit.elmo.transposed_stack import TransposedCell, TransposedStack

# The most multiplications of a product that NumPy's BLAS makes in one thread. Larger ones it
# shares out among threads of its own, which then stand in the way of TensorFlow's.
ONE_THREAD = 1 << 18


class LayerWeights(NamedTuple):
    """Of a layer, both directions; the gates in the order i, f, o, g.

    What makes i, f and o is halved, and what they are multiplied with too: see `_read_layer`.
    """

    kernel: np.ndarray  # (2, units, 4 * memory)
    recurrent: np.ndarray  # (2, units, 4 * memory)
    projection: np.ndarray  # (2, memory, units)
    bias: np.ndarray  # (2, 1, 4 * memory)


class FewSentences:
    """The layers of both directions, for so few and so small products that NumPy is faster.

    TensorFlow takes as long to go from one operation to the next as a row of a small model
    takes to be computed.

    Args:
        stacks: Forward and backward, with weights as they are after their `renew`.
    """

    def __init__(self, stacks: Sequence[TransposedStack]) -> None:
        self._stacks = stacks
        self._layers: list[LayerWeights] | None = None

    def renew(self) -> None:
        """Take the weights as the stacks have them now, after a change."""
        self._layers = None

    def can_read(self, sentences: int) -> bool:
        """Whether so many sentences are few: all products of a step stay in one thread."""
        cell = self._stacks[0].cells[0].trained
        if cell.compute_dtype != "float32":  # NumPy would compute with more digits
            return False
        return sentences * cell.units * cell.projected_size <= ONE_THREAD

    def __call__(self, vectors: np.ndarray) -> np.ndarray:
        """Read sentences from their first word on.

        Args:
            vectors: `(2 directions, time, batch, units)`, float32; padding stands at the end.

        Returns:
            The outputs, `(2, layers, time, batch, units)`.
        """
        if self._layers is None:
            pairs = zip(*(stack.cells for stack in self._stacks), strict=True)
            self._layers = [_layer_weights(pair) for pair in pairs]
        trained = self._stacks[0].trained
        clips = trained.settings["memory_clip"], trained.settings["output_clip"]
        below, outputs = vectors, []
        for number, weights in enumerate(self._layers):
            made = _read_layer(weights, below, *clips)
            below = made + below if trained.settings["skip_connections"] and number else made
            outputs.append(below)
        return np.stack(outputs, axis=1)


def _layer_weights(cells: Sequence[TransposedCell]) -> LayerWeights:
    """The same layer of all directions."""
    both = [
        np.stack(each) for each in zip(*(map(_rows, cell.copies) for cell in cells), strict=True)
    ]
    kernel, recurrent, projection, bias = both
    halves = 3 * kernel.shape[-1] // 4
    for each in (kernel, recurrent, bias):
        each[..., :halves] *= 0.5
    projection *= 0.5
    return LayerWeights(kernel, recurrent, projection, bias)


def _rows(columns: object) -> np.ndarray:
    return np.array(ops.convert_to_numpy(columns)).T.copy()


def _read_layer(
    weights: LayerWeights,
    below: np.ndarray,
    memory_clip: float | None,
    output_clip: float | None,
) -> np.ndarray:
    """A layer's outputs; both directions side by side, as `ProjectedLSTMCell.step` has them.

    All is written to the same places at each step, and these are passed by position: to make
    an array anew takes NumPy as long as to fill it, and to read a name is not free either.
    """
    directions, steps, batch, units = below.shape
    size = weights.projection.shape[1]
    recurrent, projection = weights.recurrent, weights.projection
    add, multiply, tanh, matmul = np.add, np.multiply, np.tanh, np.matmul
    gates = np.empty((directions, batch, 4 * size), "float32")
    write, keep, read, candidate = (gates[..., k * size : (k + 1) * size] for k in range(4))
    sigmoids = gates[..., : 3 * size]
    outputs = np.empty((steps, directions, batch, units), "float32")
    hidden = np.zeros_like(outputs[0])
    memory, shown = np.zeros((2, directions, batch, size), "float32")
    for from_input, output in zip(_from_inputs(weights, below), outputs, strict=True):
        matmul(hidden, recurrent, gates)
        add(gates, from_input, gates)
        # σ(a) = (1 + tanh(a / 2)) / 2, so that one tanh makes all; here are all σ twice.
        tanh(gates, gates)
        add(sigmoids, 1.0, sigmoids)
        multiply(memory, keep, memory)
        multiply(write, candidate, write)
        add(memory, write, memory)
        multiply(memory, 0.5, memory)
        if memory_clip is not None:
            _clip(memory, memory_clip)
        tanh(memory, shown)
        multiply(shown, read, shown)
        matmul(shown, projection, output)
        if output_clip is not None:
            _clip(output, output_clip)
        hidden = output
    return outputs.swapaxes(0, 1)


def _from_inputs(weights: LayerWeights, below: np.ndarray) -> np.ndarray:
    """What the inputs bring to the gates, `(time, 2, batch, 4 * memory)`."""
    directions, steps, batch, units = below.shape
    together = max(1, ONE_THREAD // weights.kernel[0].size)  # rows of a product
    rows = below.reshape(directions, -1, units)
    more = np.zeros((directions, -rows.shape[1] % together, units), "float32")
    rows = np.concatenate([rows, more], axis=1)
    products = np.matmul(
        rows.reshape(directions, -1, together, units), weights.kernel[:, np.newaxis]
    )
    products = products.reshape(directions, -1, products.shape[-1])[:, : steps * batch]
    products += weights.bias
    return products.reshape(directions, steps, batch, -1).swapaxes(0, 1)


def _clip(values: np.ndarray, limit: float) -> None:
    """Keep numbers between -limit and limit, in their place."""
    np.minimum(values, limit, out=values)
    np.maximum(values, -limit, out=values)
