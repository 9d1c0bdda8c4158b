"""Attention: what a decoder state looks at, and what it gets."""

from typing import Any

import keras
from keras import ops

from rnnkit.layers.as_tensors import as_tensors
from rnnkit.layers.masked_softmax import Shape, Tensor, masked_softmax


class Attention(keras.layers.Layer):
    r"""What the three forms of attention share: from scores to the context.

    For a query $q$ (the decoder's *previous* state) and keys $h_j$ (the
    encoder's states):

    $$e_j = \mathrm{score}(q, h_j) \qquad
      \alpha = \mathrm{masked\ softmax}(e) \qquad
      c = \sum_j \alpha_j h_j$$

    A subclass says what the score is. A part of it depends on the keys alone;
    `project_keys` computes that part once for a sentence, and `score` the rest
    once for a query.

    Taught in unit 06, sections s25 and s26.

    Call arguments:
        query: `(batch, query_units)`.
        keys: `(batch, source, key_units)`.
        mask: `(batch, source)`, boolean, True for a real position, or None.
        projected_keys: What `project_keys(keys)` returned, or None to compute
            it here.

    Returns:
        `context`, `(batch, key_units)`, and `weights`, `(batch, source)`.

    Reference: Bahdanau, Cho and Bengio (2015); Luong, Pham and Manning (2015).
    """

    def build(self, query_shape: Shape, keys_shape: Shape) -> None:
        """Make the weights from the two shapes."""
        if len(query_shape) != 2 or len(keys_shape) != 3:
            raise ValueError(
                f"{type(self).__name__} expects query (batch, query_units) and keys "
                "(batch, source, key_units). "
                f"Received: query {tuple(query_shape)}, keys {tuple(keys_shape)}"
            )
        self.add_score_weights(query_shape[-1], keys_shape[-1])

    def add_score_weights(self, query_units: int, key_units: int) -> None:
        """Make the weights that the score needs; none by default."""

    def project_keys(self, keys: Tensor) -> Tensor:
        """The part of the score that depends on the keys alone."""
        return keys

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        """The scores of one query, `(batch, source)`."""
        raise NotImplementedError

    def call(
        self,
        query: Tensor,
        keys: Tensor,
        mask: Tensor | None = None,
        projected_keys: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Context and weights for one query of each sentence."""
        if projected_keys is None:
            projected_keys = self.project_keys(keys)
        weights = masked_softmax(self.score(query, projected_keys), mask)
        return _weighted_sum(weights, keys), weights


@keras.saving.register_keras_serializable("rnnkit")
class DotProductAttention(Attention):
    r"""Scores $e_j = q \cdot h_j$: no weights, and query and keys of equal size.

    Taught in unit 06, section s26. Call arguments and returns as in
    `Attention`.

    Raises:
        ValueError: Query and keys differ in size.

    Example:

    >>> import numpy as np
    >>> query, keys = np.array([[1.0, 0.0]]), np.array([[[0.0, 5.0], [0.0, 7.0]]])
    >>> context, weights = DotProductAttention()(query, keys)
    >>> np.asarray(context).tolist(), np.asarray(weights).tolist()
    ([[0.0, 6.0]], [[0.5, 0.5]])
    """

    def add_score_weights(self, query_units: int, key_units: int) -> None:
        """Check the sizes; there are no weights to make."""
        if query_units != key_units:
            raise ValueError(
                "DotProductAttention expects a query and keys of the same size (use "
                "MultiplicativeAttention where they differ). "
                f"Received: query_units={query_units}, key_units={key_units}"
            )

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        """`(batch, source)`: one product for each position."""
        return ops.einsum("bq,bsq->bs", query, projected_keys)


@keras.saving.register_keras_serializable("rnnkit")
class MultiplicativeAttention(Attention):
    r"""Scores $e_j = q^\top W h_j$, also called bilinear or Luong's attention.

    Taught in unit 06, section s26. Call arguments and returns as in
    `Attention`. Its one weight is `W`, `(query_units, key_units)`.

    Example:

    >>> import numpy as np
    >>> context, weights = MultiplicativeAttention()(np.ones((1, 3)), np.ones((1, 4, 2)))
    >>> np.asarray(weights).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """

    def add_score_weights(self, query_units: int, key_units: int) -> None:
        """Make W."""
        self.W = self.add_weight(shape=(query_units, key_units), name="W")

    def project_keys(self, keys: Tensor) -> Tensor:
        """W h_j for each position, `(batch, source, query_units)`."""
        return ops.einsum("qk,bsk->bsq", self.W, keys)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        """`(batch, source)`."""
        return ops.einsum("bq,bsq->bs", query, projected_keys)


@keras.saving.register_keras_serializable("rnnkit")
class AdditiveAttention(Attention):
    r"""Scores $e_j = v^\top \tanh(W q + U h_j)$, Bahdanau's attention.

    Not to be confused with `keras.layers.AdditiveAttention`, which has
    neither W nor U.

    Taught in unit 06, section s26. Call arguments and returns as in
    `Attention`. Its weights are `W`, `(query_units, units)`, `U`,
    `(key_units, units)`, and `v`, `(units,)`.

    Args:
        units: The size of the hidden layer inside the score.

    Example:

    >>> import numpy as np
    >>> attention = AdditiveAttention(units=8)
    >>> context, weights = attention(np.ones((1, 3)), np.ones((1, 4, 2)))
    >>> [tuple(weight.shape) for weight in attention.weights]
    [(3, 8), (2, 8), (8,)]
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if units < 1:
            raise ValueError(f"AdditiveAttention expects units >= 1. Received: units={units}")
        self.units = units

    def add_score_weights(self, query_units: int, key_units: int) -> None:
        """Make W, U and v."""
        self.W = self.add_weight(shape=(query_units, self.units), name="W")
        self.U = self.add_weight(shape=(key_units, self.units), name="U")
        self.v = self.add_weight(shape=(self.units,), name="v", initializer=_fan_in)

    def project_keys(self, keys: Tensor) -> Tensor:
        """U h_j for each position, `(batch, source, units)`."""
        return ops.matmul(keys, self.U)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        """`(batch, source)`."""
        return _additive_score(query, projected_keys, self.W, self.v)

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {**super().get_config(), "units": self.units}


def additive_attention(
    query: Tensor, keys: Tensor, mask: Tensor | None, W: Tensor, U: Tensor, v: Tensor
) -> tuple[Tensor, Tensor]:
    """`AdditiveAttention` as a function of its weights.

    Taught in unit 06, section s26.

    Args:
        query: `(batch, query_units)`.
        keys: `(batch, source, key_units)`.
        mask: `(batch, source)`, boolean, True for a real position, or None.
        W: `(query_units, units)`.
        U: `(key_units, units)`.
        v: `(units,)`.

    Returns:
        `context`, `(batch, key_units)`, and `weights`, `(batch, source)`.

    Example:

    >>> import numpy as np
    >>> query, keys = np.ones((1, 2)), np.ones((1, 4, 3))
    >>> context, weights = additive_attention(
    ...     query, keys, None, W=np.ones((2, 5)), U=np.ones((3, 5)), v=np.ones(5)
    ... )
    >>> np.asarray(weights).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    query, keys, W, U, v = as_tensors(query, keys, W, U, v)
    weights = masked_softmax(_additive_score(query, ops.matmul(keys, U), W, v), mask)
    return _weighted_sum(weights, keys), weights


def _additive_score(query: Tensor, projected_keys: Tensor, W: Tensor, v: Tensor) -> Tensor:
    hidden = ops.expand_dims(ops.matmul(query, W), axis=1) + projected_keys
    return ops.matmul(ops.tanh(hidden), v)  # (batch, source, units) times (units,)


def _weighted_sum(weights: Tensor, keys: Tensor) -> Tensor:
    return ops.einsum("bs,bsk->bk", weights, keys)


def _fan_in(shape: tuple[int, ...], dtype: Any = None) -> Tensor:
    """Glorot's rule for v as a matrix with one column."""
    column = keras.initializers.GlorotUniform()((*shape, 1), dtype=dtype)
    return ops.squeeze(column, axis=-1)
