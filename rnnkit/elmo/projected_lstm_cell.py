"""The LSTM cell of ELMo: a large memory, a small output, and both clipped."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers import Cell, Shape, States, Tensor
from rnnkit.layers.cell import Blocks


@keras.saving.register_keras_serializable("rnnkit")
class ProjectedLSTMCell(Cell):
    r"""A long short-term memory whose output is projected to fewer numbers.

    $$i, f, o = \sigma(x W + h U + b), \quad f \text{ with } +1 \text{ inside} \qquad
    g = \tanh(x W_g + h U_g + b_g)$$
    $$c' = \mathrm{clip}(f \odot c + i \odot g) \qquad
    h' = \mathrm{clip}((o \odot \tanh c') \, W_P)$$

    The memory c has `memory` numbers, the output h only `units`. The next step
    and the next layer read h alone, so W and U stay small though the memory is
    large. Clipping keeps both within bounds in a long text. The columns of W
    stand in the order of `LSTMCell`: i, f, g, o. The 1 of the forget gate is
    added at each step, it is not a part of b.

    Taught in unit 07, section s31.

    Args:
        units: The size of the output h.
        memory: The size of the memory c.
        memory_clip: c is kept between minus this and this; None: no clipping.
        output_clip: The same for h.
        recurrent_initializer: How U begins.

    Raises:
        ValueError: A size or a clip is not above 0.

    Reference:
        Sak, Senior and Beaufays, "Long short-term memory based recurrent neural
        network architectures for large vocabulary speech recognition", 2014;
        Peters et al., "Deep contextualized word representations", NAACL 2018.

    Example:

    >>> import numpy as np
    >>> cell = ProjectedLSTMCell(3, memory=8)
    >>> output, (hidden, memory) = cell(np.ones((2, 4)), cell.first_states(2))
    >>> tuple(output.shape), tuple(memory.shape)
    ((2, 3), (2, 8))
    """

    parts = recurrent_parts = 4  # i, f, g, o
    state_count = 2  # h, c
    forget_bias = 1.0

    def __init__(
        self,
        units: int,
        memory: int,
        memory_clip: float | None = 3.0,
        output_clip: float | None = 3.0,
        recurrent_initializer: Any = "glorot_uniform",
        **kwargs: Any,
    ) -> None:
        if memory < 1:
            raise ValueError(f"ProjectedLSTMCell expects memory >= 1. Received: memory={memory}")
        clips = (memory_clip, output_clip)
        if any(clip is not None and not clip > 0 for clip in clips):
            raise ValueError(f"ProjectedLSTMCell expects clips above 0 or None. Received: {clips}")
        super().__init__(units, recurrent_initializer, **kwargs)
        self.memory = memory
        self.memory_clip = memory_clip
        self.output_clip = output_clip

    @property
    def state_sizes(self) -> tuple[int, ...]:
        """Of h and of c."""
        return (self.units, self.memory)

    @property
    def projected_size(self) -> int:
        """Four gates of the size of the memory."""
        return self.parts * self.memory

    def build(self, inputs_shape: Shape, states_shape: Shape | None = None) -> None:
        """Make W, U, b, and the projection W_P."""
        if getattr(self, "built", False):
            return
        self.projection = self.add_weight(
            name="projection", shape=(self.memory, self.units), initializer="glorot_uniform"
        )
        super().build(inputs_shape, states_shape)

    def recurrent_shape(self) -> Shape:
        """The shape of U."""
        return (self.units, self.projected_size)

    def bias_shape(self) -> Shape:
        """The shape of b."""
        return (self.projected_size,)

    def step(
        self, projected: Tensor, states: States, blocks: Blocks | None = None
    ) -> tuple[Tensor, States]:
        """See `Cell`."""
        hidden, memory = states
        from_input = ops.split(projected, self.parts, axis=-1)
        from_state = self.products(hidden, blocks)
        write, keep, candidate, read = (x + h for x, h in zip(from_input, from_state, strict=True))
        kept = ops.sigmoid(keep + self.forget_bias) * memory
        memory = clipped(kept + ops.sigmoid(write) * ops.tanh(candidate), self.memory_clip)
        output = ops.matmul(ops.sigmoid(read) * ops.tanh(memory), self.projection)
        hidden = clipped(output, self.output_clip)
        return hidden, (hidden, memory)

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the cell again."""
        return {
            **super().get_config(),
            "memory": self.memory,
            "memory_clip": self.memory_clip,
            "output_clip": self.output_clip,
        }


def clipped(values: Tensor, limit: float | None) -> Tensor:
    """Numbers kept between -limit and limit; as they are where limit is None."""
    return values if limit is None else ops.clip(values, -limit, limit)
