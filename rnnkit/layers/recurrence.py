"""A cell, run over time."""

from typing import Any, Protocol

import keras
from keras import ops

from rnnkit.layers.cell import Blocks, Cell, States
from rnnkit.layers.elman_cell import ElmanCell
from rnnkit.layers.gru_cell import GRUCell
from rnnkit.layers.lstm_cell import LSTMCell
from rnnkit.layers.masked_softmax import Shape, Tensor

CELLS: dict[str, type[Cell]] = {"elman": ElmanCell, "gru": GRUCell, "lstm": LSTMCell}
# Up to so many steps are written out one after the other: faster, but slower to trace.
UNROLL_AT_MOST = 64


def make_cell(name: str, units: int, **settings: Any) -> Cell:
    """A cell by its name.

    Args:
        name: "elman", "gru" or "lstm".
        units: The size of each state.
        settings: More arguments of the cell.

    Raises:
        ValueError: The name is not known.

    Example:

    >>> make_cell("gru", 8).units
    8
    """
    if name not in CELLS:
        raise ValueError(f"make_cell expects one of {', '.join(CELLS)}. Received: {name!r}")
    return CELLS[name](units, **settings)


@keras.saving.register_keras_serializable("rnnkit")
class Recurrence(keras.layers.Layer):
    """Runs a cell over a sequence, step by step.

    One function, three uses: as an acceptor take the last state, as an encoder
    give the last state to another net, as a transducer take all outputs. Each
    output depends on all inputs up to its position, and on none after it (with
    `reverse`, the other way round).

    Up to 64 steps are written out one after the other, longer sequences run in
    Keras's loop; the numbers are the same. XLA (`jit_compile=True`) works with
    both, but on a CPU it takes about half a minute to compile 35 steps of an
    LSTM, which then trains more slowly: plain graphs are better here.

    Taught in unit 01, section s1.

    Args:
        cell: A `Cell`.
        reverse: Read from the last real position to the first.

    Call arguments:
        inputs: `(batch, time, features)`.
        mask: `(batch, time)`, boolean, True for a real position; padding stands
            at the end. None means that every position is real.
        initial_states: Tuple of `(batch, units)`, or of the cell's `state_sizes`; None for zeros.

    Returns:
        The outputs, `(batch, time, units)`, 0 on padding, in the order of the
        inputs also with `reverse`; and the states after the last step, a tuple
        of `(batch, units)`. A row without a real position keeps its initial
        states.

    Raises:
        ValueError: A shape is not as above.

    Example:

    >>> import numpy as np
    >>> outputs, (last,) = Recurrence(ElmanCell(3))(np.ones((2, 5, 4)))
    >>> tuple(outputs.shape), tuple(last.shape)
    ((2, 5, 3), (2, 3))
    """

    def __init__(self, cell: Cell, reverse: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True
        self.cell = cell
        self.reverse = reverse
        # For sequences too long to write out: Keras's own loop, over our step.
        self.loop = keras.layers.RNN(
            _LoopCell(cell), return_sequences=True, return_state=True, dtype=self.dtype_policy
        )

    @property
    def units(self) -> int:
        """The size of an output."""
        return self.cell.units

    def build(self, inputs_shape: Shape, *other_shapes: Any, **more_shapes: Any) -> None:
        """Make the cell's weights."""
        if not self.cell.built:
            self.cell.build((inputs_shape[0], inputs_shape[-1]))
        self.loop.build((inputs_shape[0], None, self.cell.projected_size + 1))
        self.built = True

    def call(
        self,
        inputs: Tensor,
        mask: Tensor | None = None,
        initial_states: States | None = None,
    ) -> tuple[Tensor, States]:
        """All steps."""
        self._check(inputs, mask, initial_states)
        if initial_states is None:
            initial_states = self.cell.first_states(ops.shape(inputs)[0])
        states = tuple(ops.cast(state, self.compute_dtype) for state in initial_states)
        real = None if mask is None else ops.cast(mask, "bool")[:, :, None]
        steps = inputs.shape[1]
        if steps is not None and steps <= UNROLL_AT_MOST:
            return self._unrolled(inputs, real, states, steps)
        return self._looped(inputs, real, states)

    def _unrolled(
        self, inputs: Tensor, real: Tensor | None, states: States, steps: int
    ) -> tuple[Tensor, States]:
        # Time first, so that what one step reads lies in one piece.
        by_time = ops.transpose(inputs, (1, 0, 2))
        projected = ops.unstack(self.cell.project(by_time), steps)  # all positions in one product
        reals = [None] * steps if real is None else ops.unstack(real, steps, axis=1)
        blocks = self.cell.recurrent_blocks()
        outputs: list[Tensor] = [None] * steps
        for position in reversed(range(steps)) if self.reverse else range(steps):
            outputs[position], states = masked_step(
                self.cell, projected[position], states, reals[position], blocks
            )
        return ops.stack(outputs, axis=1), states

    def _looped(self, inputs: Tensor, real: Tensor | None, states: States) -> tuple[Tensor, States]:
        # Going backwards, padding comes first and leaves the initial states alone.
        projected = self.cell.project(inputs)
        keep = ops.ones_like(projected[:, :, :1])
        if real is not None:
            keep = keep * ops.cast(real, keep.dtype)
        sequence = ops.concatenate([projected, keep], axis=-1)
        if self.reverse:
            sequence = ops.flip(sequence, axis=1)
        outputs, *states_list = self.loop(sequence, initial_state=list(states))
        return (ops.flip(outputs, axis=1) if self.reverse else outputs), tuple(states_list)

    def _check(self, inputs: Tensor, mask: Tensor | None, states: States | None) -> None:
        if len(inputs.shape) != 3:
            raise ValueError(
                "Recurrence expects inputs of shape (batch, time, features). "
                f"Received: shape {tuple(inputs.shape)}"
            )
        if inputs.shape[1] == 0:
            raise ValueError("Recurrence expects at least one position. Received: time=0")
        if mask is not None and len(mask.shape) != 2:
            raise ValueError(
                f"Recurrence expects a mask of shape (batch, time). Received: {tuple(mask.shape)}"
            )
        if states is not None and len(states) != self.cell.state_count:
            raise ValueError(
                f"{type(self.cell).__name__} has {self.cell.state_count} states. "
                f"Received: {len(states)} initial states"
            )

    def compute_mask(self, *arguments: Any, **more: Any) -> None:
        """None: masks are passed explicitly, and Keras hands on no mask of its own."""

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {
            **super().get_config(),
            "cell": keras.saving.serialize_keras_object(self.cell),
            "reverse": self.reverse,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Recurrence":
        """Make the layer from `get_config()`."""
        return cls(**{**config, "cell": keras.saving.deserialize_keras_object(config["cell"])})


class Steps(Protocol):
    """What makes one step: a cell, or what computes as one with turned numbers."""

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """See `Cell`."""


def masked_step(
    cell: Steps,
    projected: Tensor,
    states: States,
    real: Tensor | None,
    blocks: Blocks | None = None,
) -> tuple[Tensor, States]:
    """One step that leaves the states of padded rows as they are.

    Args:
        cell: The cell.
        projected: `(batch, projected_size)` of the cell.
        states: The old states.
        real: `(batch, 1)`, boolean, False on padding; or None.
        blocks: What the cell's `recurrent_blocks` returned, or None.
    """
    output, new_states = cell.step(projected, states, blocks)
    if real is None:
        return output, new_states
    pairs = zip(new_states, states, strict=True)
    return (
        ops.where(real, output, ops.zeros_like(output)),
        tuple(ops.where(real, new, old) for new, old in pairs),
    )


class _LoopCell(keras.layers.Layer):
    """A cell in the form that `keras.layers.RNN` takes; its input ends in the mask."""

    def __init__(self, cell: Cell) -> None:
        super().__init__(dtype=cell.dtype_policy)
        self.cell = cell
        self.state_size = list(cell.state_sizes)
        self.output_size = cell.units

    def build(self, inputs_shape: Shape, *states_shapes: Any) -> None:
        """Nothing to make: the weights are the cell's."""
        self.built = True

    def call(self, inputs: Tensor, states: Any) -> tuple[Tensor, list[Tensor]]:
        """One step of the loop."""
        real = ops.cast(inputs[:, -1:], "bool")
        output, new_states = masked_step(self.cell, inputs[:, :-1], tuple(states), real)
        return output, list(new_states)
