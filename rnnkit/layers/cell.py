"""What every recurrent cell has in common: one step of a recurrence."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers.masked_softmax import Shape, Tensor

States = tuple[Tensor, ...]  # each (batch, units); the first is also the cell's output
Blocks = list[Tensor]  # each (units, units)


class Cell(keras.layers.Layer):
    """One step of a recurrent net: from an input and the old states to the new ones.

    A step has two parts. `project` multiplies the input by W; it does not need
    the old states, so a layer does it for all positions at once. `step` does
    the rest, one position after the other.

    The weights lie as in the Keras layer of the same kind, so they can be
    copied with ``set_weights(keras_layer.get_weights())``.

    Taught in unit 01, section s1.

    Args:
        units: The size of the output, and of each state where the cell says nothing else.
        recurrent_initializer: How the weights U between the states begin:
            "orthogonal", or any of Keras's. Unit 01, section s3, looks at
            small and large ones.

    Call arguments:
        inputs: `(batch, features)`.
        states: Tuple of `(batch, units)`, or of the sizes in `state_sizes`.

    Returns:
        The output, `(batch, units)`, and the new states.
    """

    parts = 1  # how many blocks of `units` columns stand side by side in W
    recurrent_parts = 1  # and in U
    state_count = 1

    def __init__(self, units: int, recurrent_initializer: Any = "orthogonal", **kwargs: Any):
        if units < 1:
            raise ValueError(f"{type(self).__name__} expects units >= 1. Received: units={units}")
        super().__init__(**kwargs)
        self.units = units
        self.recurrent_initializer = keras.initializers.get(recurrent_initializer)

    @property
    def state_sizes(self) -> tuple[int, ...]:
        """The size of each state."""
        return (self.units,) * self.state_count

    @property
    def projected_size(self) -> int:
        """The size of what `project` returns."""
        return self.parts * self.units

    def build(self, inputs_shape: Shape, states_shape: Shape | None = None) -> None:
        """Make W (kernel), U (recurrent_kernel) and b (bias)."""
        if getattr(self, "built", False):
            return
        self.kernel = self.add_weight(
            name="kernel",
            shape=(inputs_shape[-1], self.projected_size),
            initializer="glorot_uniform",
        )
        self.recurrent_kernel = self.add_weight(
            name="recurrent_kernel",
            shape=self.recurrent_shape(),
            initializer=self.recurrent_initializer,
        )
        self.bias = self.add_weight(
            name="bias", shape=self.bias_shape(), initializer=self.initial_bias
        )
        self.built = True

    def recurrent_shape(self) -> Shape:
        """The shape of U."""
        return (self.units, self.recurrent_parts * self.units)

    def bias_shape(self) -> Shape:
        """The shape of b."""
        return (self.parts * self.units,)

    def initial_bias(self, shape: Shape, dtype: Any = None) -> Tensor:
        """How b begins."""
        return ops.zeros(shape, dtype=dtype)

    def first_states(self, batch: Any) -> States:
        """Zeros to start from, `(batch, units)` each, or the sizes in `state_sizes`."""
        made = {
            size: ops.zeros((batch, size), dtype=self.compute_dtype) for size in self.state_sizes
        }
        return tuple(made[size] for size in self.state_sizes)

    def project(self, inputs: Tensor) -> Tensor:
        """The input's part of a step, for one position or for all.

        Args:
            inputs: `(batch, features)` or `(batch, time, features)`.

        Returns:
            `(batch, projected_size)` or `(batch, time, projected_size)`: `parts` blocks.
        """
        return ops.matmul(inputs, self.kernel) + self.bias

    def recurrent_blocks(self) -> Blocks:
        """U cut into one block a gate; hand it to `step` where you call that in a loop.

        The products of a step's gates then run beside each other on two
        processor cores. One product with all of U is too small to be shared.
        """
        return ops.split(self.recurrent_kernel, self.recurrent_parts, axis=1)

    def products(self, hidden: Tensor, blocks: Blocks | None) -> list[Tensor]:
        """h U for each gate, `(batch, units)` each."""
        if blocks is None:
            together = ops.matmul(hidden, self.recurrent_kernel)
            return ops.split(together, self.recurrent_parts, axis=-1)
        return [ops.matmul(hidden, block) for block in blocks]

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """The rest of a step.

        Args:
            projected: `(batch, projected_size)`: what `project` returned.
            states: The old states.
            blocks: What `recurrent_blocks` returned, or None.

        Returns:
            The output, `(batch, units)`, and the new states.
        """
        raise NotImplementedError

    def call(self, inputs: Tensor, states: States) -> tuple[Tensor, States]:
        """One whole step."""
        return self.step(self.project(inputs), tuple(states))

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the cell again."""
        return {
            **super().get_config(),
            "units": self.units,
            "recurrent_initializer": keras.initializers.serialize(self.recurrent_initializer),
        }
