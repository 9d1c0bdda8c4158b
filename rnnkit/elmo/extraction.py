"""Reading many sentences with a biLM, fast and in bounded memory."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import keras
import numpy as np
from keras import ops

from rnnkit.elmo.characters import check_sentences
from rnnkit.elmo.graphs import as_graph
from rnnkit.elmo.word_vectors import WordVectors
from rnnkit.layers import Tensor

if TYPE_CHECKING:
    from rnnkit.elmo.bilm import BiLM

BATCH_TOKENS = 1024
# A sentence is read in parts of these lengths. Each has a graph of its own, its steps
# written out. To make one for 8 steps takes about a second, for 32 about four.
PART_LENGTHS = (8, 16)
# Bytes of weights that a step of a layer reads. With more, a model is large: its products take
# longer than all small operations around them. So a sentence's rest is read in parts of 2 then,
# which saves steps over padding; and nothing is compiled, since XLA's product of a matrix and
# one row runs on one core.
LARGE = 2_000_000
SHORT_PART = 2
# To compile takes seconds, so it must be worth it: after so many single sentences.
COMPILED_AFTER = 16


class Extraction:
    """Reads sentences with a biLM.

    What it does to be fast: the vector of a word's characters is made once and
    kept; sentences of similar length are read side by side; the two directions
    run in one graph, so that two processor cores share them; where single
    sentences come again and again, and the model is small, a compiled loop
    reads them.

    Args:
        bilm: The model.
    """

    def __init__(self, bilm: "BiLM") -> None:
        self._bilm = bilm
        self.words = WordVectors(bilm.characters, bilm.options.max_characters)
        self._graphs: dict[Any, Callable[..., Any]] = {}
        self._carried: list[np.ndarray] | None = None  # states of the call before, for each row
        is_large = _bytes_of_a_step(bilm) > LARGE
        self._parts = (SHORT_PART, *PART_LENGTHS) if is_large else PART_LENGTHS
        self._compiles = not is_large and _has_compiler()
        self._read_alone = 0  # how many sentences

    def forget(self) -> None:
        """Let the next stateful call start from zeros."""
        self._carried = None

    def embed(
        self, sentences: Sequence[Sequence[str]], stateful: bool, batch_tokens: int
    ) -> list[np.ndarray]:
        """See `BiLM.embed`."""
        check_sentences(sentences)
        if batch_tokens < 1:
            raise ValueError(
                f"embed expects batch_tokens >= 1. Received: batch_tokens={batch_tokens}"
            )
        if not len(sentences):
            return []
        if stateful:
            return self._read(sentences, stateful=True)
        found: dict[int, np.ndarray] = {}
        for places in by_length(list(map(len, sentences)), batch_tokens, self._parts):
            read = self._read([sentences[place] for place in places], stateful=False)
            found.update(zip(places, read, strict=True))
        return [found[place] for place in range(len(sentences))]

    def _read(self, sentences: Sequence[Sequence[str]], stateful: bool) -> list[np.ndarray]:
        """Read sentences side by side."""
        self._read_alone += len(sentences) == 1 and not stateful
        rows, table = self.words.look_up(sentences)
        parts = part_lengths(max(map(len, rows)), self._parts)
        # Which word vector stands where, 0 on padding; in the second half each row is turned.
        places = np.zeros((2, len(rows), sum(parts)), dtype="int64")
        for number, row in enumerate(rows):
            places[0, number, : len(row)] = row
            places[1, number, : len(row)] = row[::-1]
        layers = self._bilm.options.layers
        outputs = np.empty((2, layers, *places.shape[1:], table.shape[1]), dtype="float32")
        states = self._first_states(len(rows), stateful)
        start = 0
        for length in parts:
            part = places[:, :, start : start + length]
            # Padding stands behind all words and reaches none, so only states need the mask.
            marks = (ops.convert_to_tensor(part[0] > 0),) if stateful else ()
            vectors = ops.convert_to_tensor(table[part], dtype=self._bilm.compute_dtype)
            read, *states = self._graph(len(rows), length, stateful)(vectors, *states, *marks)
            outputs[:, :, :, start : start + length] = ops.convert_to_numpy(read)
            start += length
        if stateful:
            self._carry(states)
        return [
            _joined(table[row[1:-1]], outputs[:, :, number, 1 : len(row) - 1])
            for number, row in enumerate(rows)
        ]

    def _graph(self, rows: int, length: int, masked: bool) -> Callable[..., Any]:
        """What reads a part, made when it is needed first."""
        compiled = rows == 1 and not masked and self._compiles
        compiled = compiled and self._read_alone > COMPILED_AFTER
        key = "compiled" if compiled else (length, masked)
        if key not in self._graphs:
            self._graphs[key] = self._compiled() if compiled else self._written_out(length, masked)
        return self._graphs[key]

    def _written_out(self, length: int, masked: bool) -> Callable[..., Any]:
        """A graph for batches of any size, one step after the other."""
        mask = (keras.KerasTensor((None, length), "bool"),) if masked else ()
        return as_graph(self._run, *self._inputs(None, length), *mask)

    def _compiled(self) -> Callable[..., Any]:
        """A loop for one sentence, compiled for each length of a part.

        In it TensorFlow does not go from one small operation to the next, which
        takes longer than the sums of one row.
        """
        return as_graph(self._run, *self._inputs(1, None), compiled=True)

    def _inputs(self, rows: int | None, length: int | None) -> list[keras.KerasTensor]:
        shapes = [(2, rows, length, self._bilm.options.projection), *self._state_shapes(rows)]
        return [keras.KerasTensor(shape, self._bilm.compute_dtype) for shape in shapes]

    def _state_shapes(self, rows: Any) -> list[tuple[Any, ...]]:
        """Of h and of c."""
        options = self._bilm.options
        return [(2, options.layers, rows, size) for size in (options.projection, options.memory)]

    def _run(
        self, vectors: Tensor, hidden: Tensor, memory: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Some positions of a batch, forward and backward.

        All goes in and out in a few tensors, because each one more costs
        TensorFlow a tenth of a millisecond.

        Args:
            vectors: `(2 directions, batch, time, projection)`.
            hidden: `(2, layers, batch, projection)`, what the layers start from.
            memory: `(2, layers, batch, memory)`.
            mask: `(batch, time)`.

        Returns:
            The outputs, `(2, layers, batch, time, projection)`, and the states.
        """
        stacks = self._bilm.forward_stack, self._bilm.backward_stack
        read = []
        for number, stack in enumerate(stacks):
            before = [
                (hidden[number, layer], memory[number, layer])
                for layer in range(self._bilm.options.layers)
            ]
            outputs, after = stack(vectors[number], mask=mask, initial_states=before)
            read.append([ops.stack(each) for each in (outputs, *zip(*after, strict=True))])
        outputs, hidden, memory = (ops.stack(pair) for pair in zip(*read, strict=True))
        return outputs, hidden, memory

    def _first_states(self, batch: int, stateful: bool) -> list[Tensor]:
        dtype = self._bilm.compute_dtype
        zeros = [np.zeros(shape, dtype="float32") for shape in self._state_shapes(batch)]
        if stateful and self._carried is not None:
            for states, carried in zip(zeros, self._carried, strict=True):
                known = min(batch, carried.shape[2])
                states[:, :, :known] = carried[:, :, :known]
        return [ops.convert_to_tensor(states, dtype=dtype) for states in zeros]

    def _carry(self, states: list[Tensor]) -> None:
        """Keep states for the next call; rows that this batch has not keep what they had."""
        new = [ops.convert_to_numpy(each).astype("float32") for each in states]
        if self._carried is not None:
            rest = [
                carried[:, :, each.shape[2] :]
                for each, carried in zip(new, self._carried, strict=True)
            ]
            new = [np.concatenate(pair, axis=2) for pair in zip(new, rest, strict=True)]
        self._carried = new


def _bytes_of_a_step(bilm: "BiLM") -> int:
    """Of the weights that a step of a layer reads: those of four gates and of the projection."""
    return 4 * 5 * bilm.options.memory * bilm.options.projection


def _has_compiler() -> bool:
    """Whether XLA compiles for the processor here."""
    if keras.backend.backend() != "tensorflow" or not sys.platform.startswith("linux"):
        return False
    import tensorflow as tf

    return not tf.config.list_physical_devices("GPU")


def _joined(words: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """All layers of one sentence.

    Args:
        words: `(words, projection)`.
        vectors: `(2 directions, layers, words, projection)`, backward ones
            from the last word to the first.

    Returns:
        `(layers + 1, words, 2 * projection)`.
    """
    count, size = words.shape
    joined = np.empty((vectors.shape[1] + 1, count, 2 * size), dtype="float32")
    joined[0, :, :size] = joined[0, :, size:] = words
    joined[1:, :, :size] = vectors[0]
    joined[1:, :, size:] = vectors[1, :, ::-1]
    return joined


def part_lengths(length: int, choices: Sequence[int] = PART_LENGTHS) -> list[int]:
    """The parts in which a batch is read.

    Args:
        length: Positions of its longest sentence.
        choices: The lengths that a part may have, from short to long, each a
            multiple of the one before.

    Returns:
        Lengths out of `choices`, from long to short, that together are at
        least as long and less than the shortest of them longer.

    Example:

    >>> part_lengths(37), part_lengths(20), part_lengths(20, (2, 8, 16))
    ([16, 16, 8], [16, 8], [16, 2, 2])
    """
    shortest = choices[0]
    left = -(-length // shortest) * shortest
    parts = []
    for part in reversed(choices):
        parts += [part] * (left // part)
        left %= part
    return parts


def by_length(
    lengths: Sequence[int], batch_tokens: int, choices: Sequence[int] = PART_LENGTHS
) -> list[list[int]]:
    """Batches of sentences of similar length.

    Args:
        lengths: The number of words of each sentence.
        batch_tokens: The most tokens of a batch, marks and padding counted.
        choices: See `part_lengths`.

    Returns:
        For each batch the places of its sentences, from short to long; each
        place once. A sentence that is longer stands alone.

    Example:

    >>> by_length([3, 30, 4], batch_tokens=20)
    [[0, 2], [1]]
    """
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        tokens = sum(part_lengths(lengths[place] + 2, choices))
        if batches and (len(batches[-1]) + 1) * tokens <= batch_tokens:
            batches[-1].append(place)
        else:
            batches.append([place])
    return batches
