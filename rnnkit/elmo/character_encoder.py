"""A word's vector, made from its characters."""

from collections.abc import Sequence
from typing import Any

import keras
from keras import ops

from rnnkit.elmo.characters import TABLE_ROWS
from rnnkit.elmo.highway import Highway
from rnnkit.layers import Shape, Tensor


@keras.saving.register_keras_serializable("rnnkit")
class CharacterEncoder(keras.layers.Layer):
    """Characters to one vector for each word, whether the word is known or not.

    A vector for each character; convolutions of several widths over the word,
    each followed by its maximum over all places; highway layers; a projection.
    A convolution of width 3 looks for a sequence of three characters and its
    maximum says whether it stands anywhere in the word.

    Taught in unit 07, section s31.

    Args:
        filters: Pairs of a width in characters and a number of filters.
        projection: The size of the result; None: no projection, so the result
            has one number for each filter.
        embedding: The size of the characters' vectors.
        highways: How many highway layers there are.
        activation: "relu" or "tanh": what follows the maximum.

    Call arguments:
        ids: `(..., characters)`: what `character_ids` returned. 0 has a vector
            of zeros that no training moves.

    Returns:
        `(..., projection)`.

    Raises:
        ValueError: A size is less than 1, the activation is not known, or
            words have fewer characters than the widest filter.

    Reference:
        Kim et al., "Character-aware neural language models", AAAI 2016.

    Example:

    >>> from rnnkit.elmo import character_ids
    >>> encoder = CharacterEncoder([(1, 4), (2, 8)], projection=6, embedding=4)
    >>> tuple(encoder(character_ids([["the", "bank"]])).shape)
    (1, 4, 6)
    """

    def __init__(
        self,
        filters: Sequence[tuple[int, int]],
        projection: int | None,
        embedding: int = 16,
        highways: int = 1,
        activation: str = "relu",
        **kwargs: Any,
    ) -> None:
        numbers = [number for pair in filters for number in pair]
        sizes = [*numbers, embedding, 1 if projection is None else projection]
        if not numbers or min(sizes) < 1 or highways < 0:
            raise ValueError(
                "CharacterEncoder expects filters, and sizes of at least 1. Received: "
                f"filters={list(filters)}, projection={projection}, embedding={embedding}, "
                f"highways={highways}"
            )
        if activation not in ("relu", "tanh"):
            raise ValueError(
                "CharacterEncoder expects activation 'relu' or 'tanh'. "
                f"Received: activation={activation!r}"
            )
        super().__init__(**kwargs)
        self.filters = tuple((int(width), int(count)) for width, count in filters)
        self.projection = projection
        self.embedding = embedding
        self.activation = activation
        self.filter_count = sum(count for _, count in self.filters)
        self.highways = [Highway(dtype=self.dtype_policy) for _ in range(highways)]
        self.to_projection = (
            None
            if projection is None
            else keras.layers.Dense(
                projection,
                kernel_initializer=keras.initializers.RandomNormal(stddev=self.filter_count**-0.5),
                dtype=self.dtype_policy,
            )
        )
        self.build(None)  # all sizes are known, so the weights can be looked at at once

    @property
    def units(self) -> int:
        """The size of a word's vector."""
        return self.filter_count if self.projection is None else self.projection

    def build(self, ids_shape: Shape | None) -> None:
        """Make all weights; their sizes do not depend on the shape of the ids."""
        if getattr(self, "built", False):
            return
        self.table = self.add_weight(
            (TABLE_ROWS, self.embedding),
            keras.initializers.RandomUniform(-1.0, 1.0),
            name="table",
        )
        self.kernels, self.biases = [], []
        for width, count in self.filters:
            kernel = (width, self.embedding, count)
            self.kernels.append(
                self.add_weight(kernel, self._spread(width), name=f"kernel_{width}")
            )
            self.biases.append(self.add_weight((count,), "zeros", name=f"bias_{width}"))
        for highway in self.highways:
            highway.build((None, self.filter_count))
        if self.to_projection is not None:
            self.to_projection.build((None, self.filter_count))
        self.built = True

    def _spread(self, width: int) -> keras.initializers.Initializer:
        if self.activation == "relu":
            return keras.initializers.RandomUniform(-0.05, 0.05)
        return keras.initializers.RandomNormal(stddev=(width * self.embedding) ** -0.5)

    def call(self, ids: Tensor) -> Tensor:
        """One vector for each word."""
        ids = ops.convert_to_tensor(ids)
        before = tuple(ops.shape(ids)[:-1])
        words = ops.reshape(ids, (-1, ops.shape(ids)[-1]))  # (words, characters)
        self._check(words.shape[-1])
        table = ops.cast(self.table, self.compute_dtype)
        table = ops.concatenate([ops.zeros_like(table[:1]), table])
        characters = ops.take(table, words, axis=0)  # (words, characters, embedding)
        found = [
            ops.max(ops.conv(characters, kernel, padding="valid"), axis=1) + bias
            for kernel, bias in zip(self.kernels, self.biases, strict=True)
        ]
        activate = ops.relu if self.activation == "relu" else ops.tanh
        vectors = activate(ops.concatenate(found, axis=-1))  # (words, filters)
        for highway in self.highways:
            vectors = highway(vectors)
        if self.to_projection is not None:
            vectors = self.to_projection(vectors)
        return ops.reshape(vectors, (*before, self.units))

    def _check(self, characters: int | None) -> None:
        widest = max(width for width, _ in self.filters)
        if characters is not None and characters < widest:
            raise ValueError(
                f"CharacterEncoder expects words of at least {widest} character ids, as wide as "
                f"its widest filter. Received: {characters} ids for each word"
            )

    def trim(self, words: Any) -> Any:
        """Leave out padding that changes no maximum.

        Where a word is shorter than the longest of a batch, all its further
        places hold padding alone and give one and the same number, so one of
        them is enough.

        Args:
            words: NumPy array `(words, characters)`: what `word_ids` returned.

        Returns:
            Its first columns.

        Raises:
            ValueError: Words have fewer characters than the widest filter.
        """
        self._check(words.shape[1])
        widest = max(width for width, _ in self.filters)
        longest = int((words < TABLE_ROWS).sum(axis=1).max(initial=0))  # the last id is padding
        return words[:, : longest + widest]

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {
            **super().get_config(),
            "filters": [list(pair) for pair in self.filters],
            "projection": self.projection,
            "embedding": self.embedding,
            "highways": len(self.highways),
            "activation": self.activation,
        }
