"""One direction of a biLM: LSTM layers, each reading the one below."""

from typing import Any

import keras

from rnnkit.elmo.projected_lstm_cell import ProjectedLSTMCell
from rnnkit.layers import Recurrence, Shape, States, Tensor

StackStates = tuple[States, ...]  # for each layer (h, c)


@keras.saving.register_keras_serializable("rnnkit")
class LSTMStack(keras.layers.Layer):
    """Projected LSTM layers, one on the other, from left to right.

    With skip connections, each layer from the second on adds what it reads to
    what it gives on. What it gives to its own next step stays as it is.

    Taught in unit 07, section s31.

    Args:
        units: The size of the inputs and of each layer's outputs.
        memory: The size of each layer's memory.
        layers: How many layers there are.
        memory_clip: See `ProjectedLSTMCell`.
        output_clip: See `ProjectedLSTMCell`.
        skip_connections: Whether layers add their input to their output.
        dropout: The share of a layer's inputs that is set to 0 in training.

    Call arguments:
        inputs: `(batch, time, units)`.
        mask: `(batch, time)`, boolean, True for a real position; padding stands
            at the end. None means that every position is real.
        initial_states: For each layer a pair (h, c); None for zeros.

    Returns:
        A list with the outputs of each layer, `(batch, time, units)`; and the
        states after the last position, for each layer a pair (h, c).

    Example:

    >>> import numpy as np
    >>> outputs, states = LSTMStack(4, memory=8)(np.ones((2, 5, 4)))
    >>> len(outputs), tuple(outputs[1].shape), tuple(states[1][1].shape)
    (2, (2, 5, 4), (2, 8))
    """

    def __init__(
        self,
        units: int,
        memory: int,
        layers: int = 2,
        memory_clip: float | None = 3.0,
        output_clip: float | None = 3.0,
        skip_connections: bool = True,
        dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        if layers < 1:
            raise ValueError(f"LSTMStack expects layers >= 1. Received: layers={layers}")
        super().__init__(**kwargs)
        self.supports_masking = True
        self.settings: dict[str, Any] = {
            "units": units,
            "memory": memory,
            "layers": layers,
            "memory_clip": memory_clip,
            "output_clip": output_clip,
            "skip_connections": skip_connections,
            "dropout": dropout,
        }
        policy = self.dtype_policy
        self.recurrences = [
            Recurrence(
                ProjectedLSTMCell(units, memory, memory_clip, output_clip, dtype=policy),
                dtype=policy,
            )
            for _ in range(layers)
        ]
        self.dropout = keras.layers.Dropout(dropout, dtype=policy)
        self.build(None)

    @property
    def cells(self) -> list[ProjectedLSTMCell]:
        """The cell of each layer."""
        return [recurrence.cell for recurrence in self.recurrences]

    def build(self, inputs_shape: Shape | None, *more: Any, **more_shapes: Any) -> None:
        """Make all weights; their sizes do not depend on the inputs."""
        if getattr(self, "built", False):
            return
        for recurrence in self.recurrences:
            recurrence.build((None, None, self.settings["units"]))
        self.built = True

    def first_states(self, batch: Any) -> StackStates:
        """Zeros to start from."""
        return tuple(cell.first_states(batch) for cell in self.cells)

    def call(
        self,
        inputs: Tensor,
        mask: Tensor | None = None,
        initial_states: StackStates | None = None,
        training: bool | None = None,
    ) -> tuple[list[Tensor], StackStates]:
        """All layers."""
        befores = initial_states if initial_states is not None else [None] * len(self.recurrences)
        outputs: list[Tensor] = []
        states: list[States] = []
        for recurrence, before in zip(self.recurrences, befores, strict=True):
            below = outputs[-1] if outputs else inputs
            made, after = recurrence(
                self.dropout(below, training=training), mask=mask, initial_states=before
            )
            skips = self.settings["skip_connections"] and outputs
            outputs.append(made + below if skips else made)
            states.append(after)
        return outputs, tuple(states)

    def compute_mask(self, *arguments: Any, **more: Any) -> None:
        """None: masks are passed explicitly, and Keras hands on no mask of its own."""

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {**super().get_config(), **self.settings}
