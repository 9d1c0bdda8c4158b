"""A layer that carries a part of its input past itself."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers import Shape, Tensor

# A gate that begins at σ(-2) = 0.12 lets most of the input pass as it is.
FIRST_GATE_BIAS = -2.0


@keras.saving.register_keras_serializable("rnnkit")
class Highway(keras.layers.Layer):
    r"""A dense layer and its input, mixed by a gate.

    $$g = \sigma(x W_c + b_c) \qquad y = g \odot \mathrm{relu}(x W_t + b_t) + (1 - g) \odot x$$

    Where the gate g is 0, the input passes unchanged, and so does the gradient.
    The same idea as the soft gates of unit 02. In the published files W_c is
    named W_carry, though it is the weight of what the layer makes anew.

    Taught in unit 07, section s31.

    Call arguments:
        inputs: `(..., features)`.

    Returns:
        A tensor of the shape of `inputs`.

    Reference:
        Srivastava, Greff and Schmidhuber, "Highway networks", 2015.

    Example:

    >>> import numpy as np
    >>> tuple(Highway()(np.ones((2, 3, 5))).shape)
    (2, 3, 5)
    """

    def build(self, inputs_shape: Shape) -> None:
        """Make the weights of the gate and of the transform."""
        size = inputs_shape[-1]
        spread = keras.initializers.RandomNormal(stddev=size**-0.5)
        gate_bias = keras.initializers.Constant(FIRST_GATE_BIAS)
        self.gate_kernel = self.add_weight((size, size), spread, name="gate_kernel")
        self.gate_bias = self.add_weight((size,), gate_bias, name="gate_bias")
        self.kernel = self.add_weight((size, size), spread.clone(), name="kernel")
        self.bias = self.add_weight((size,), "zeros", name="bias")
        self.built = True

    def call(self, inputs: Tensor) -> Tensor:
        """The mixture."""
        gate = ops.sigmoid(ops.matmul(inputs, self.gate_kernel) + self.gate_bias)
        made = ops.relu(ops.matmul(inputs, self.kernel) + self.bias)
        return gate * made + (1 - gate) * inputs

    def compute_output_shape(self, inputs_shape: Shape) -> Any:
        """The shape of the inputs."""
        return inputs_shape
