"""One label for each token."""

from typing import Any

import keras
import numpy as np

from rnnkit.layers import Shape, Tensor
from rnnkit.models.course_model import CourseModel
from rnnkit.models.masked_cross_entropy import PAD_ID, masked_cross_entropy
from rnnkit.models.token_encoder import TokenEncoder


@keras.saving.register_keras_serializable("rnnkit")
class TokenTagger(CourseModel):
    """Reads a sentence in both directions, and gives each token a tag.

    With `directions="forward"` the tag of a token depends on it and on those
    before it, on nothing later.

    Taught in unit 04, sections s16 and s19.

    Args:
        vocabulary_size: Symbols in the vocabulary, 0 being padding.
        tags: How many tags there are, from 0; tag 0 stands on padding and is
            never given to a token.
        units: The size of the state of each direction.
        embedding: The size of the symbol vectors.
        cell: "elman", "gru" or "lstm".
        layers: How many recurrent layers stand one on the other.
        directions: "both" or "forward".
        dropout: The share of values set to 0 in training.

    Call arguments:
        ids: `(batch, time)`.

    Returns:
        Logits, `(batch, time, tags)`.

    Example:

    >>> model = TokenTagger(9, tags=4, units=8, embedding=4)
    >>> tuple(model(np.array([[5, 4, 0], [7, 0, 0]])).shape)
    (2, 3, 4)
    """

    def __init__(
        self,
        vocabulary_size: int,
        tags: int,
        units: int = 64,
        embedding: int = 32,
        cell: str = "lstm",
        layers: int = 1,
        directions: str = "both",
        dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        if tags < 2:
            raise ValueError(
                "TokenTagger expects at least 2 tags, tag 0 being that of padding. "
                f"Received: tags={tags}"
            )
        super().__init__(**kwargs)
        self.tags = tags
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
        self.to_logits = keras.layers.Dense(tags, dtype=self.variable_dtype)
        self.build(None)

    def build(self, ids_shape: Shape | None) -> None:
        """Make all weights; their sizes do not depend on the shape of the ids."""
        if getattr(self, "built", False):
            return
        self.to_logits.build((None, None, self.encoder.width))
        self.built = True

    def default_loss(self) -> Any:
        """`masked_cross_entropy`."""
        return masked_cross_entropy

    def call(self, ids: Tensor, training: bool | None = None) -> Tensor:
        """Logits of each token."""
        return self.to_logits(self.encoder(ids, training=training).outputs)

    def tag(self, ids: Tensor, batch_size: int = 64) -> list[list[int]]:
        """The most probable tag of each token.

        Args:
            ids: `(batch, time)`.
            batch_size: How many sentences are read side by side.

        Returns:
            For each sentence, a list with one tag for each real token.

        Example:

        >>> model = TokenTagger(9, tags=4, units=8, embedding=4)
        >>> [len(tags) for tags in model.tag(np.array([[5, 4, 0], [7, 0, 0]]))]
        [2, 1]
        """
        ids = np.asarray(ids)
        logits = self.predict(ids, batch_size=batch_size, verbose=0)
        best = logits[:, :, 1:].argmax(axis=-1) + 1  # tag 0 is for padding
        return [row[real].tolist() for row, real in zip(best, ids != PAD_ID, strict=True)]

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the model again."""
        return {**super().get_config(), "tags": self.tags, **self.encoder.settings}
