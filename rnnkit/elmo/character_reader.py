"""A character encoder made to read new words fast, a few at a time or many."""

from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit.elmo.character_encoder import CharacterEncoder
from rnnkit.elmo.graphs import as_graph
from rnnkit.layers import Tensor

# With at most so many multiplications, all of them take less time than to hand them to TensorFlow.
LITTLE = 4_000_000


class EncoderWeights(NamedTuple):
    """What an encoder computes with, in the order in which it does; all arrays, or all tensors."""

    table: Any  # a row of zeros first, for "no word here"
    filters: list[tuple[Any, Any]]  # for each width a matrix and a bias
    highways: list[tuple[Any, Any, Any, Any]]
    projection: tuple[Any, Any] | None


class CharacterReader:
    """What a `CharacterEncoder` gives, without what is needed to train it.

    A convolution is one product of all windows of a word with a matrix, which TensorFlow
    need not prepare for each shape anew. Few words are read by NumPy, one after the other:
    products of a single word are so small that its BLAS starts no threads, which would
    stand in the way of TensorFlow's.

    Args:
        encoder: The encoder as it is trained.

    Example:

    >>> encoder = CharacterEncoder([(1, 4), (2, 8)], projection=6)
    >>> CharacterReader(encoder)(np.full((3, 50), 261)).shape
    (3, 6)
    """

    def __init__(self, encoder: CharacterEncoder) -> None:
        self._encoder = encoder
        self._arrays: EncoderWeights | None = None
        self._graph = as_graph(self._by_tensors, keras.KerasTensor((None, None), "int32"))

    def renew(self) -> None:
        """Take the weights as they are now, after a change."""
        self._arrays = None

    def __call__(self, ids: np.ndarray) -> np.ndarray:
        """One vector for each word.

        Args:
            ids: `(words, characters)`, int32: what `word_ids` returned, from 1 to 261.

        Returns:
            `(words, units)`, float32.

        Raises:
            ValueError: Words have fewer characters than the widest filter.
        """
        ids = self._encoder.trim(ids)
        # NumPy would compute in 32 bits where the encoder does not.
        if self._encoder.compute_dtype == "float32" and self._multiplications(ids) <= LITTLE:
            return self._by_numpy(ids)
        return np.asarray(ops.convert_to_numpy(self._graph(ops.convert_to_tensor(ids))), "float32")

    def _multiplications(self, ids: np.ndarray) -> int:
        """How many it takes to read these words."""
        encoder, (words, characters) = self._encoder, ids.shape
        count = encoder.filter_count
        windows = characters * encoder.embedding * sum(w * n for w, n in encoder.filters)
        return words * (windows + count * (2 * len(encoder.highways) * count + encoder.units))

    def _by_numpy(self, ids: np.ndarray) -> np.ndarray:
        if self._arrays is None:
            self._arrays = self._weights(np, ops.convert_to_numpy)
        return _vectors(np, ids, self._arrays, self._encoder.activation)

    def _by_tensors(self, ids: Tensor) -> Tensor:
        weights = self._weights(ops, lambda each: ops.cast(each, self._encoder.compute_dtype))
        return _vectors(ops, ids, weights, self._encoder.activation)

    def _weights(self, library: Any, read: Any) -> EncoderWeights:
        encoder = self._encoder
        table = read(encoder.table)
        kernels = [library.reshape(read(each), (-1, each.shape[-1])) for each in encoder.kernels]
        last = encoder.to_projection
        return EncoderWeights(
            library.concatenate([library.zeros_like(table[:1]), table]),
            list(zip(kernels, map(read, encoder.biases), strict=True)),
            [
                (read(each.gate_kernel), read(each.gate_bias), read(each.kernel), read(each.bias))
                for each in encoder.highways
            ],
            None if last is None else (read(last.kernel), read(last.bias)),
        )


def _vectors(library: Any, ids: Any, weights: EncoderWeights, activation: str) -> Any:
    """Words' vectors, computed by NumPy, or by `keras.ops`, which has the same functions.

    See `CharacterEncoder.call`.
    """
    characters = library.take(weights.table, ids, axis=0)  # (words, characters, embedding)
    found = [
        library.max(_product(library, _windows(library, characters, kernel), kernel), axis=1) + bias
        for kernel, bias in weights.filters
    ]
    joined = library.concatenate(found, axis=-1)[:, None]  # (words, 1, filters)
    vectors = library.maximum(joined, 0.0) if activation == "relu" else library.tanh(joined)
    for gate_kernel, gate_bias, kernel, bias in weights.highways:
        # The sigmoid, written so that no number overflows.
        gate = 0.5 + 0.5 * library.tanh(0.5 * (_product(library, vectors, gate_kernel) + gate_bias))
        made = library.maximum(_product(library, vectors, kernel) + bias, 0.0)
        vectors = gate * made + (1.0 - gate) * vectors
    if weights.projection is not None:
        kernel, bias = weights.projection
        vectors = _product(library, vectors, kernel) + bias
    return vectors[:, 0]


def _windows(library: Any, characters: Any, kernel: Any) -> Any:
    """All windows of words, `(words, windows, width * embedding)`, as wide as a kernel is high."""
    width = kernel.shape[0] // characters.shape[-1]
    shifted = [characters[:, start : start - width + 1 or None] for start in range(width)]
    return library.concatenate(shifted, axis=-1)


def _product(library: Any, rows: Any, kernel: Any) -> Any:
    """Rows of words, `(words, rows, features)`, times a matrix."""
    if library is np:
        return np.matmul(rows, kernel)  # a product for each word
    flat = library.matmul(library.reshape(rows, (-1, kernel.shape[0])), kernel)
    return library.reshape(flat, (-1, library.shape(rows)[1], kernel.shape[1]))
