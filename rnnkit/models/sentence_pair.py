"""How alike two sentences are."""

from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Shape, Tensor
from rnnkit.models.cosine import cosine_margin_loss, cosine_similarity
from rnnkit.models.course_model import CourseModel
from rnnkit.models.token_encoder import TokenEncoder


@keras.saving.register_keras_serializable("rnnkit")
class SentencePair(CourseModel):
    """Reads two sentences with the same weights, and compares their last states.

    Taught in unit 04, section s18.

    Args:
        vocabulary_size: Symbols in the vocabulary, 0 being padding.
        units: The size of the state of each direction.
        embedding: The size of the symbol vectors.
        cell: "elman", "gru" or "lstm".
        layers: How many recurrent layers stand one on the other.
        directions: "both" or "forward".
        dropout: The share of values set to 0 in training.

    Call arguments:
        inputs: A dict: `first` and `second`, both `(batch, time)`; their
            lengths may differ.

    Returns:
        The cosine of the angle between the two, `(batch,)`, from -1 to 1.

    Example:

    >>> model = SentencePair(9, units=8, embedding=4)
    >>> same = np.array([[5, 4, 0], [7, 0, 0]])
    >>> similarity = model({"first": same, "second": same[:, :2]})
    >>> ops.convert_to_numpy(similarity).round(4).tolist()
    [1.0, 1.0]
    """

    def __init__(
        self,
        vocabulary_size: int,
        units: int = 64,
        embedding: int = 32,
        cell: str = "lstm",
        layers: int = 1,
        directions: str = "both",
        dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.encoder = TokenEncoder(
            vocabulary_size,
            units,
            embedding,
            cell,
            layers,
            directions,
            dropout,
            dtype=self.dtype_policy,
        )
        self.build(None)

    def build(self, inputs_shape: Shape | None) -> None:
        """All weights are the encoder's."""
        self.built = True

    def default_loss(self) -> Any:
        """`cosine_margin_loss`."""
        return cosine_margin_loss

    def call(self, inputs: dict[str, Tensor], training: bool | None = None) -> Tensor:
        """The cosine of each pair."""
        first = self.encoder(inputs["first"], training=training).last
        second = self.encoder(inputs["second"], training=training).last
        first, second = ops.cast(first, self.variable_dtype), ops.cast(second, self.variable_dtype)
        return cosine_similarity(first, second)

    def similarities(self, first: Tensor, second: Tensor, batch_size: int = 64) -> np.ndarray:
        """The cosine of each pair, `(batch,)`.

        Args:
            first: `(batch, time)`.
            second: `(batch, time)`.
            batch_size: How many pairs are read side by side.
        """
        inputs = {"first": np.asarray(first), "second": np.asarray(second)}
        return np.asarray(self.predict(inputs, batch_size=batch_size, verbose=0))

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the model again."""
        return {**super().get_config(), **self.encoder.settings}
