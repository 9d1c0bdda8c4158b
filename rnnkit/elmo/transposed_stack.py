"""The LSTM layers of one direction, made to read fast and not to be trained."""

import keras
from keras import ops

from rnnkit.elmo.graphs import as_graph
from rnnkit.elmo.lstm_stack import LSTMStack
from rnnkit.elmo.projected_lstm_cell import ProjectedLSTMCell, clipped
from rnnkit.layers import States, Tensor
from rnnkit.layers.cell import Blocks
from rnnkit.layers.recurrence import masked_step


class TransposedStack:
    """An `LSTMStack` that computes with columns where the other has rows.

    A large matrix times a few columns takes a processor less time than a few
    rows times the same matrix, and the gates of a column lie together in
    memory. So this holds a transposed copy of all weights, made by `renew`.
    Nothing is dropped out.

    Args:
        stack: The layers as they are trained.
    """

    def __init__(self, stack: LSTMStack) -> None:
        self.trained = stack
        self.cells = [TransposedCell(cell) for cell in stack.cells]

    def renew(self) -> None:
        """Bring the copies up to the weights as they are now."""
        for cell in self.cells:
            cell.renew()

    def __call__(
        self, vectors: Tensor, hidden: Tensor, memory: Tensor, marks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Read some positions.

        Args:
            vectors: `(time, batch, units)`.
            hidden: `(layers, units, batch)`, what the layers start from.
            memory: `(layers, memory, batch)`.
            marks: `(time, batch)`, False on padding, which states pass over;
                None: there is none, or none that matters.

        Returns:
            The outputs, `(layers, time, batch, units)`, and the states.
        """
        steps, units = vectors.shape[0], vectors.shape[2]
        below = ops.transpose(ops.reshape(vectors, (-1, units)))
        outputs, states = [], []
        for layer, cell in enumerate(self.cells):
            made, after = cell.read(below, steps, (hidden[layer], memory[layer]), marks)
            skips = self.trained.settings["skip_connections"] and layer
            below = made + below if skips else made
            outputs.append(ops.reshape(ops.transpose(below), ops.shape(vectors)))
            states.append(after)
        hidden, memory = (ops.stack(each) for each in zip(*states, strict=True))
        return ops.stack(outputs), hidden, memory


class TransposedCell:
    """A `ProjectedLSTMCell` whose states and gates are columns.

    The gates stand in the order i, f, o, g, so that one operation makes all
    sigmoids, and the 1 of the forget gate is a part of the bias.

    Args:
        cell: The cell as it is trained.
    """

    def __init__(self, cell: ProjectedLSTMCell) -> None:
        self.trained = cell
        turned = [weight.shape[::-1] for weight in (cell.kernel, cell.recurrent_kernel)]
        self.copies = [
            keras.Variable("zeros", shape=shape, dtype=cell.compute_dtype, trainable=False)
            for shape in (*turned, cell.projection.shape[::-1], (*cell.bias.shape, 1))
        ]
        # The graphs of many steps call this one: to make them takes a quarter of the time so.
        self._graph_of_step = as_graph(
            self._step,
            self._tensor(cell.projected_size, None),
            tuple(self._tensor(size, None) for size in cell.state_sizes),
            [self._tensor(*copy.shape) for copy in self.copies[1:3]],
        )

    def _tensor(self, *shape: int | None) -> keras.KerasTensor:
        return keras.KerasTensor(shape, self.trained.compute_dtype)

    def _transposed(self) -> list[Tensor]:
        """W, U, W_P and b, turned."""
        cell = self.trained
        in_order = []
        for weight in (cell.kernel, cell.recurrent_kernel, cell.bias):
            write, keep, candidate, read = ops.split(ops.convert_to_tensor(weight), 4, axis=-1)
            keep = keep + cell.forget_bias if weight is cell.bias else keep
            in_order.append(ops.concatenate([write, keep, read, candidate], axis=-1))
        kernel, recurrent, bias = in_order
        turned = [ops.transpose(each) for each in (kernel, recurrent, cell.projection)]
        return [*turned, bias[:, None]]

    def renew(self) -> None:
        """Copy the cell's weights."""
        for copy, weight in zip(self.copies, self._transposed(), strict=True):
            copy.assign(weight)

    def read(
        self,
        inputs: Tensor,
        steps: int,
        states: States,
        marks: Tensor | None,
    ) -> tuple[Tensor, States]:
        """Read `inputs`, `(units, time * batch)`; the outputs are as many, with the states."""
        # Once, not at each step: in a graph, to read a variable is an operation too.
        kernel, *blocks, bias = map(ops.convert_to_tensor, self.copies)
        outputs = []
        for step, gates in enumerate(ops.split(ops.matmul(kernel, inputs) + bias, steps, axis=1)):
            real = None if marks is None else marks[step][None, :]
            output, states = masked_step(self, gates, states, real, blocks)
            outputs.append(output)
        return ops.concatenate(outputs, axis=1), states

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """One position, as `ProjectedLSTMCell.step` has it; U and W_P are the blocks."""
        return self._graph_of_step(projected, states, blocks or self.copies[1:3])

    def _step(self, projected: Tensor, states: States, blocks: Blocks) -> tuple[Tensor, States]:
        hidden, memory = states
        recurrent, projection = blocks
        cell = self.trained
        gates, candidate = ops.split(
            projected + ops.matmul(recurrent, hidden), [3 * cell.memory], axis=0
        )
        write, keep, read = ops.split(ops.sigmoid(gates), 3, axis=0)
        memory = clipped(keep * memory + write * ops.tanh(candidate), cell.memory_clip)
        output = ops.matmul(projection, read * ops.tanh(memory))
        hidden = clipped(output, cell.output_clip)
        return hidden, (hidden, memory)
