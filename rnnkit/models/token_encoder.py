"""What a classifier, a sentence pair and a tagger share: tokens to states."""

from typing import Any, NamedTuple

import keras
from keras import ops

from rnnkit.layers import Bidirectional, Recurrence, Shape, Tensor, make_cell
from rnnkit.models.masked_cross_entropy import PAD_ID


class TokenStates(NamedTuple):
    """What the encoder makes of a batch of sentences.

    Args:
        outputs: `(batch, time, width)`: a vector for each token; 0 on padding.
        last: `(batch, width)`: the state of each direction after its last step,
            side by side: forward at the last token, backward at the first.
        mask: `(batch, time)`, boolean, True for a real token.
    """

    outputs: Tensor
    last: Tensor
    mask: Tensor


@keras.saving.register_keras_serializable("rnnkit")
class TokenEncoder(keras.layers.Layer):
    """Symbol vectors, and recurrent layers over them, in one direction or both.

    Padding is 0, at the end of a sentence. No padding has any part in what
    comes out for the real tokens.

    Taught in unit 04, sections s14 and s15.

    Args:
        vocabulary_size: Symbols in the vocabulary, 0 being padding.
        units: The size of the state of each direction.
        embedding: The size of the symbol vectors.
        cell: "elman", "gru" or "lstm".
        layers: How many layers stand one on the other; each reads the outputs
            of the one below.
        directions: "both" or "forward".
        dropout: The share of values set to 0 in training: in the symbol
            vectors and in the outputs of each layer.

    Call arguments:
        ids: `(batch, time)`.

    Returns:
        `TokenStates`; their width is `units` forward, `2 * units` in both
        directions.

    Raises:
        ValueError: A size is less than 1, or the directions are not known.

    Example:

    >>> import numpy as np
    >>> encoder = TokenEncoder(9, units=8, embedding=4)
    >>> states = encoder(np.array([[5, 4, 0], [7, 0, 0]]))
    >>> tuple(states.outputs.shape), tuple(states.last.shape)
    ((2, 3, 16), (2, 16))
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
        sizes = {
            "vocabulary_size": vocabulary_size,
            "units": units,
            "embedding": embedding,
            "layers": layers,
        }
        if min(sizes.values()) < 1:
            raise ValueError(f"TokenEncoder expects sizes of at least 1. Received: {sizes}")
        if directions not in ("both", "forward"):
            raise ValueError(
                'TokenEncoder expects directions="both" or "forward". '
                f"Received: directions={directions!r}"
            )
        super().__init__(**kwargs)
        self.settings: dict[str, Any] = {
            **sizes,
            "cell": cell,
            "directions": directions,
            "dropout": dropout,
        }
        self.width = units if directions == "forward" else 2 * units
        policy = self.dtype_policy
        self.embedding = keras.layers.Embedding(vocabulary_size, embedding, dtype=policy)
        self.dropout = keras.layers.Dropout(dropout, dtype=policy)
        self.recurrences = [self._recurrence() for _ in range(layers)]
        self.build(None)  # all sizes are known, so the weights can be looked at at once

    def _recurrence(self) -> Any:
        policy = self.dtype_policy

        def one_way(reverse: bool) -> Recurrence:
            cell = make_cell(self.settings["cell"], self.settings["units"], dtype=policy)
            return Recurrence(cell, reverse=reverse, dtype=policy)

        if self.settings["directions"] == "forward":
            return one_way(reverse=False)
        return Bidirectional(one_way(reverse=False), one_way(reverse=True), dtype=policy)

    def build(self, ids_shape: Shape | None) -> None:
        """Make all weights; their sizes do not depend on the shape of the ids."""
        if getattr(self, "built", False):
            return
        self.embedding.build((None, None))
        width = self.settings["embedding"]
        for recurrence in self.recurrences:
            recurrence.build((None, None, width))
            width = self.width
        self.built = True

    def call(self, ids: Tensor, training: bool | None = None) -> TokenStates:
        """The states of all tokens, and the last ones."""
        ids = ops.convert_to_tensor(ids)
        mask = ops.not_equal(ids, PAD_ID)
        outputs = self.dropout(self.embedding(ids), training=training)
        for recurrence in self.recurrences:
            outputs, last_states = recurrence(outputs, mask=mask)
            outputs = self.dropout(outputs, training=training)
        if self.settings["directions"] == "forward":
            last = last_states[0]  # h; an LSTM has its memory c after it
        else:
            forward, backward = last_states
            last = ops.concatenate([forward[0], backward[0]], axis=-1)
        return TokenStates(outputs, self.dropout(last, training=training), mask)

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {**super().get_config(), **self.settings}
