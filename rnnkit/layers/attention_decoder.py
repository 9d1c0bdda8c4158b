"""A recurrent decoder that attends to the encoder's states at each step."""

from typing import Any, NamedTuple

import keras
from keras import ops

from rnnkit.layers.attention import Attention
from rnnkit.layers.gru_cell import gru_from_projected
from rnnkit.layers.masked_softmax import Shape, Tensor


class DecoderStep(NamedTuple):
    """What one step of a decoder gives.

    Args:
        output: `(batch, units + key_units)`: the new state and the context.
        state: `(batch, units)`: the new state.
        weights: `(batch, source)`: the attention weights.
    """

    output: Tensor
    state: Tensor
    weights: Tensor


@keras.saving.register_keras_serializable("rnnkit")
class AttentionDecoder(keras.layers.Layer):
    r"""A GRU decoder with attention.

    Step $i$ looks first, with the state *before* the step, and moves then:

    $$c_i = \mathrm{attention}(s_{i-1}, h) \qquad
      s_i = \mathrm{GRU}([y_{i-1}; c_i],\ s_{i-1}) \qquad
      o_i = [s_i; c_i]$$

    Taught in unit 06, section s25.

    Args:
        units: The size of the decoder's state.
        attention: An `Attention` layer.

    Call arguments:
        inputs: `(batch, target, features)`: the embedded previous symbols.
        initial_state: `(batch, units)`.
        keys: `(batch, source, key_units)`: the encoder's states.
        mask: `(batch, source)`, boolean, True for a real position, or None.
        projected_keys: What the attention's `project_keys(keys)` returned, where
            it is there already.

    Returns:
        `outputs`, `(batch, target, units + key_units)`, and `weights`,
        `(batch, target, source)`.

    Example:

    >>> import numpy as np
    >>> from rnnkit.layers import AdditiveAttention
    >>> decoder = AttentionDecoder(units=5, attention=AdditiveAttention(units=4))
    >>> outputs, weights = decoder(np.ones((2, 3, 6)), np.ones((2, 5)), np.ones((2, 7, 8)))
    >>> tuple(outputs.shape), tuple(weights.shape)
    ((2, 3, 13), (2, 3, 7))
    """

    def __init__(self, units: int, attention: Attention, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.attention = attention
        self.cell = keras.layers.GRUCell(units, name="cell", dtype=self.dtype_policy)

    def build(self, inputs_shape: Shape, initial_state_shape: Shape, keys_shape: Shape) -> None:
        """Make the weights of the attention and of the cell."""
        if initial_state_shape[-1] != self.units:
            raise ValueError(
                f"AttentionDecoder expects initial_state (batch, {self.units}). "
                f"Received: {tuple(initial_state_shape)}"
            )
        if not self.attention.built:  # it is, where a saved model is loaded
            self.attention.build((inputs_shape[0], self.units), keys_shape)
        self.cell.build((inputs_shape[0], inputs_shape[-1] + keys_shape[-1]))

    def step(
        self,
        inputs: Tensor,
        state: Tensor,
        keys: Tensor,
        mask: Tensor | None = None,
        projected_keys: Tensor | None = None,
    ) -> DecoderStep:
        """One step.

        Args:
            inputs: `(batch, features)`: the embedded previous symbol.
            state: `(batch, units)`: the state before the step.
            keys: `(batch, source, key_units)`.
            mask: `(batch, source)`, or None.
            projected_keys: What the attention's `project_keys(keys)` returned;
                pass it when you call this in a loop.
        """
        inputs, state = (ops.convert_to_tensor(x, self.compute_dtype) for x in (inputs, state))
        context_rows = self._context_rows(keys)
        return self._move(self._project(inputs), state, keys, mask, projected_keys, context_rows)

    def call(
        self,
        inputs: Tensor,
        initial_state: Tensor,
        keys: Tensor,
        mask: Tensor | None = None,
        projected_keys: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """All steps, each with the true previous symbol (teacher forcing)."""
        steps = inputs.shape[1]
        if steps is None:
            raise ValueError(
                "AttentionDecoder writes out one step after the other and needs to know how many: "
                "give inputs a fixed number of target positions (pad all batches to one length). "
                f"Received: inputs of shape {tuple(inputs.shape)}"
            )
        # What no state has a part in, for all steps at once; time first, as in `Recurrence`.
        if projected_keys is None:
            projected_keys = self.attention.project_keys(keys)
        context_rows = self._context_rows(keys)
        by_time = ops.transpose(inputs, (1, 0, 2))
        state, outputs, weights = initial_state, [], []
        for projected in ops.unstack(self._project(by_time), steps):
            step = self._move(projected, state, keys, mask, projected_keys, context_rows)
            state = step.state
            outputs.append(step.output)
            weights.append(step.weights)
        return ops.stack(outputs, axis=1), ops.stack(weights, axis=1)

    def _project(self, inputs: Tensor) -> Tensor:
        """The inputs' own part of the cell's product, for one step or for all."""
        return ops.matmul(inputs, self.cell.kernel[: inputs.shape[-1]]) + self.cell.bias[0]

    def _context_rows(self, keys: Tensor) -> Tensor:
        """The rows of the cell's kernel for the context; cut once, not at each step."""
        return self.cell.kernel[-keys.shape[-1] :]

    def _move(
        self,
        projected: Tensor,
        state: Tensor,
        keys: Tensor,
        mask: Tensor | None,
        projected_keys: Tensor | None,
        context_rows: Tensor,
    ) -> DecoderStep:
        """One step, from the projected input."""
        cell = self.cell
        context, weights = self.attention(state, keys, mask, projected_keys)
        projected = projected + ops.matmul(context, context_rows)
        state = gru_from_projected(projected, state, cell.recurrent_kernel, cell.bias[1])
        return DecoderStep(ops.concatenate([state, context], axis=-1), state, weights)

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {
            **super().get_config(),
            "units": self.units,
            "attention": keras.saving.serialize_keras_object(self.attention),
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "AttentionDecoder":
        """Make the layer from `get_config()`."""
        config = dict(config)
        config["attention"] = keras.saving.deserialize_keras_object(config["attention"])
        return cls(**config)
