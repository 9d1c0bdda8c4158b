"""Two recurrences over one sequence, one each way."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers.cell import States
from rnnkit.layers.masked_softmax import Shape, Tensor
from rnnkit.layers.recurrence import Recurrence


@keras.saving.register_keras_serializable("rnnkit")
class Bidirectional(keras.layers.Layer):
    r"""Reads a sequence from both ends; each output knows the whole of it.

    $$h_t = [\overrightarrow{h}_t; \overleftarrow{h}_t]$$

    The backward half starts at the last real position, not on padding.

    Taught in unit 04, section s14.

    Args:
        forward: A `Recurrence`.
        backward: A `Recurrence` with ``reverse=True``.

    Call arguments:
        inputs: `(batch, time, features)`.
        mask: `(batch, time)`, boolean, True for a real position, or None.
        initial_states: A pair: the initial states of both directions, or None.

    Returns:
        The outputs, `(batch, time, units of both)`, 0 on padding; and a pair:
        the last states of both directions (backward: at the first position).

    Raises:
        ValueError: The two do not read in opposite directions.

    Example:

    >>> import numpy as np
    >>> from rnnkit.layers import GRUCell
    >>> layer = Bidirectional(Recurrence(GRUCell(3)), Recurrence(GRUCell(3), reverse=True))
    >>> outputs, (forward, backward) = layer(np.ones((2, 5, 4)))
    >>> tuple(outputs.shape), tuple(backward[0].shape)
    ((2, 5, 6), (2, 3))
    """

    def __init__(self, forward: Recurrence, backward: Recurrence, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True
        if forward.reverse or not backward.reverse:
            raise ValueError(
                "Bidirectional expects forward with reverse=False and backward with reverse=True. "
                f"Received: {forward.reverse} and {backward.reverse}"
            )
        # PyTorch's modules, which layers are there, have a method `forward` already.
        self.forward_layer = forward
        self.backward_layer = backward

    @property
    def units(self) -> int:
        """The size of an output: both directions together."""
        return self.forward_layer.units + self.backward_layer.units

    def build(self, inputs_shape: Shape, *other_shapes: Any, **more_shapes: Any) -> None:
        """Make the weights of both directions."""
        self.forward_layer.build(inputs_shape)
        self.backward_layer.build(inputs_shape)
        self.built = True

    def call(
        self,
        inputs: Tensor,
        mask: Tensor | None = None,
        initial_states: tuple[States, States] | None = None,
    ) -> tuple[Tensor, tuple[States, States]]:
        """Both directions, side by side."""
        first, second = initial_states if initial_states is not None else (None, None)
        ahead, ahead_states = self.forward_layer(inputs, mask=mask, initial_states=first)
        back, back_states = self.backward_layer(inputs, mask=mask, initial_states=second)
        return ops.concatenate([ahead, back], axis=-1), (ahead_states, back_states)

    def compute_mask(self, *arguments: Any, **more: Any) -> None:
        """None: masks are passed explicitly, and Keras hands on no mask of its own."""

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {
            **super().get_config(),
            "forward": keras.saving.serialize_keras_object(self.forward_layer),
            "backward": keras.saving.serialize_keras_object(self.backward_layer),
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Bidirectional":
        """Make the layer from `get_config()`."""
        made = {
            name: keras.saving.deserialize_keras_object(config[name])
            for name in ("forward", "backward")
        }
        return cls(**{**config, **made})
