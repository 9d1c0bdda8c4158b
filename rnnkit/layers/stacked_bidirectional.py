"""Bidirectional layers, one on the other."""

from collections.abc import Sequence
from typing import Any

import keras

from rnnkit.layers.bidirectional import Bidirectional
from rnnkit.layers.cell import States
from rnnkit.layers.masked_softmax import Shape, Tensor


@keras.saving.register_keras_serializable("rnnkit")
class StackedBidirectional(keras.layers.Layer):
    r"""Each layer reads the outputs of both directions of the layer below.

    $$h^l_t = \mathrm{BiRNN}([\overrightarrow{h}^{l-1}_t; \overleftarrow{h}^{l-1}_t])$$

    Taught in unit 04, section s15.

    Args:
        layers: `Bidirectional` layers, the lowest first.

    Call arguments:
        inputs: `(batch, time, features)`.
        mask: `(batch, time)`, boolean, True for a real position, or None.

    Returns:
        The outputs of the highest layer; a list with the outputs of each layer;
        a list with the last states of each layer.

    Raises:
        ValueError: There is no layer.

    Example:

    >>> import numpy as np
    >>> from rnnkit.layers import ElmanCell, Recurrence
    >>> def both():
    ...     return Bidirectional(Recurrence(ElmanCell(3)), Recurrence(ElmanCell(3), reverse=True))
    >>> top, outputs, states = StackedBidirectional([both(), both()])(np.ones((2, 5, 4)))
    >>> tuple(top.shape), len(outputs), len(states)
    ((2, 5, 6), 2, 2)
    """

    def __init__(self, layers: Sequence[Bidirectional], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True
        if not layers:
            raise ValueError("StackedBidirectional expects at least one layer. Received: none")
        self.layers = list(layers)

    def build(self, inputs_shape: Shape, *other_shapes: Any, **more_shapes: Any) -> None:
        """Make the weights of all layers."""
        for layer in self.layers:
            layer.build(inputs_shape)
            inputs_shape = (*inputs_shape[:-1], layer.units)
        self.built = True

    def call(
        self, inputs: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor], list[tuple[States, States]]]:
        """All layers, from the lowest up."""
        outputs, states = [], []
        for layer in self.layers:
            inputs, last = layer(inputs, mask=mask)
            outputs.append(inputs)
            states.append(last)
        return inputs, outputs, states

    def compute_mask(self, *arguments: Any, **more: Any) -> None:
        """None: masks are passed explicitly, and Keras hands on no mask of its own."""

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        layers = [keras.saving.serialize_keras_object(layer) for layer in self.layers]
        return {**super().get_config(), "layers": layers}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "StackedBidirectional":
        """Make the layer from `get_config()`."""
        layers = [keras.saving.deserialize_keras_object(each) for each in config["layers"]]
        return cls(**{**config, "layers": layers})
