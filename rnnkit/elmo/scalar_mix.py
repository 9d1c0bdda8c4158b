"""The layers of a biLM, mixed to one vector for each word."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers import Shape, Tensor

_DROPPED = -1e20  # the score of a layer that is left out
_TINY = 1e-12  # against a division by zero


@keras.saving.register_keras_serializable("rnnkit")
class ScalarMix(keras.layers.Layer):
    r"""A weighted mean of layers, whose weights the task learns.

    $$\mathrm{ELMo}_k = \gamma \sum_j s_j \, h_{k,j} \qquad s = \mathrm{softmax}(w)$$

    At the start w is 0 and γ is 1, so all layers count the same. With
    `regularization` λ the loss grows by $\lambda \sum_j w_j^2$: a large λ keeps
    w near 0 and the mixture near the mean of all layers, a small one lets the
    task prefer a layer.

    Taught in unit 07, section s33.

    Args:
        layers: How many layers there are to mix.
        norm: Bring each layer to mean 0 and variance 1 first, over all real
            words of the batch and all numbers of their vectors together.
        dropout: The probability with which a layer is left out of a training
            step. Where all are left out, all count the same.
        regularization: λ.

    Call arguments:
        inputs: `(batch, layers, time, size)`.
        mask: `(batch, time)`, boolean, True for a real word; None: all are real.
            Only `norm` needs it.

    Returns:
        `(batch, time, size)`.

    Raises:
        ValueError: A setting is out of its range, or the inputs have another
            number of layers.

    Reference:
        Peters et al., "Deep contextualized word representations", NAACL 2018,
        equation 1 and section 3.3.

    Example:

    >>> import numpy as np
    >>> layers = np.array([[[[1.0, 2.0]], [[3.0, 6.0]]]])  # (1, 2 layers, 1 word, 2 numbers)
    >>> ops.convert_to_numpy(ScalarMix(2)(layers)).tolist()
    [[[2.0, 4.0]]]
    """

    def __init__(
        self,
        layers: int,
        norm: bool = False,
        dropout: float = 0.0,
        regularization: float = 0.0,
        **kwargs: Any,
    ) -> None:
        if layers < 1 or not 0 <= dropout < 1 or regularization < 0:
            raise ValueError(
                "ScalarMix expects layers >= 1, 0 <= dropout < 1 and regularization >= 0. "
                f"Received: layers={layers}, dropout={dropout}, regularization={regularization}"
            )
        super().__init__(**kwargs)
        self.supports_masking = True
        self.layers = layers
        self.norm = norm
        self.dropout = dropout
        self.regularization = regularization
        self.seed_generator = keras.random.SeedGenerator()
        self.build(None)

    def build(self, inputs_shape: Shape | None) -> None:
        """Make w and γ."""
        if getattr(self, "built", False):
            return
        regularizer = keras.regularizers.L2(self.regularization) if self.regularization else None
        self.scores = self.add_weight(
            (self.layers,), "zeros", name="scores", regularizer=regularizer
        )
        self.scale = self.add_weight((), "ones", name="scale")
        self.built = True

    def layer_weights(self) -> Any:
        """s: how much each layer counts, `(layers,)`, summing to 1.

        Example:

        >>> ScalarMix(4).layer_weights().tolist()
        [0.25, 0.25, 0.25, 0.25]
        """
        return ops.convert_to_numpy(ops.softmax(self.scores))

    def call(
        self, inputs: Tensor, mask: Tensor | None = None, training: bool | None = None
    ) -> Tensor:
        """The mixture."""
        inputs = ops.cast(ops.convert_to_tensor(inputs), self.compute_dtype)
        self._check(inputs)
        if self.norm:
            inputs = _normalised(inputs, mask)
        scores = ops.cast(self.scores, self.compute_dtype)
        if training and self.dropout:
            chances = keras.random.uniform((self.layers,), seed=self.seed_generator)
            scores = ops.where(chances < self.dropout, _DROPPED, scores)
        weights = ops.reshape(ops.softmax(scores), (1, self.layers, 1, 1))
        return ops.cast(self.scale, self.compute_dtype) * ops.sum(weights * inputs, axis=1)

    def compute_mask(self, *arguments: Any, **more: Any) -> None:
        """None: masks are passed explicitly, and Keras hands on no mask of its own."""

    def _check(self, inputs: Tensor) -> None:
        if len(inputs.shape) != 4 or inputs.shape[1] not in (None, self.layers):
            raise ValueError(
                f"ScalarMix(layers={self.layers}) expects inputs of shape "
                f"(batch, {self.layers}, time, size). Received: shape {tuple(inputs.shape)}"
            )

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {
            **super().get_config(),
            "layers": self.layers,
            "norm": self.norm,
            "dropout": self.dropout,
            "regularization": self.regularization,
        }


def _normalised(inputs: Tensor, mask: Tensor | None) -> Tensor:
    """Each layer with mean 0 and variance 1 over all its real elements."""
    if mask is None:
        real = ops.ones_like(inputs[:, :1, :, :1])
    else:
        real = ops.cast(ops.convert_to_tensor(mask), inputs.dtype)[:, None, :, None]
    count = ops.maximum(ops.sum(real) * inputs.shape[-1], 1.0)
    places = (0, 2, 3)
    mean = ops.sum(inputs * real, axis=places, keepdims=True) / count
    from_mean = (inputs - mean) * real
    variance = ops.sum(ops.square(from_mean), axis=places, keepdims=True) / count
    return (inputs - mean) / ops.sqrt(variance + _TINY)
