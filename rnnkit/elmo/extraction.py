"""Reading many sentences with a biLM, fast and in bounded memory."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import keras
import numpy as np
from keras import ops

from rnnkit.elmo.characters import check_sentences
from rnnkit.elmo.few_sentences import FewSentences
from rnnkit.elmo.graphs import as_graph
from rnnkit.elmo.seen_weights import SeenWeights
from rnnkit.elmo.transposed_stack import TransposedStack
from rnnkit.elmo.word_vectors import WordVectors
from rnnkit.layers import Tensor

if TYPE_CHECKING:
    from rnnkit.elmo.bilm import BiLM

BATCH_TOKENS = 1024
# A sentence is read in parts, which have any even length up to this one. Each length has a graph
# of its own, its steps written out; to make one for 24 steps takes a fifth of a second.
LONGEST_PART = 24


class Extraction:
    """Reads sentences with a biLM.

    What it does to be fast: the vector of a word's characters is made once and
    kept; sentences of similar length are read side by side; the two directions
    run in one graph, so that two processor cores share them; all products are
    those of a transposed copy of the weights (see `TransposedStack`); and what
    is too little for a graph is computed by NumPy (see `FewSentences`).

    Args:
        bilm: The model.
    """

    def __init__(self, bilm: "BiLM") -> None:
        self._bilm = bilm
        self.words = WordVectors(bilm.characters, bilm.options.max_characters)
        self._stacks = [
            TransposedStack(stack) for stack in (bilm.forward_stack, bilm.backward_stack)
        ]
        self._few = FewSentences(self._stacks)
        self._seen = SeenWeights(bilm.weights)
        self._graphs: dict[tuple[int, bool], Callable[..., Any]] = {}
        self._carried: list[np.ndarray] | None = None  # states of the call before, for each row
        self._first: list[Tensor] | None = None  # see `_zeros`

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
        for places in by_length(list(map(len, sentences)), batch_tokens):
            read = self._read([sentences[place] for place in places], stateful=False)
            found.update(zip(places, read, strict=True))
        return [found[place] for place in range(len(sentences))]

    def _read(self, sentences: Sequence[Sequence[str]], stateful: bool) -> list[np.ndarray]:
        """Read sentences side by side."""
        self._renew()
        rows, table = self.words.look_up(sentences)
        if not stateful and self._few.can_read(len(rows)):
            read = self._few(table[places_of(rows, max(map(len, rows)))])
        else:
            read = self._by_graphs(rows, table, stateful)
        return [
            _joined(table[row[1:-1]], read[:, :, 1 : len(row) - 1, number])
            for number, row in enumerate(rows)
        ]

    def _by_graphs(self, rows: list[np.ndarray], table: np.ndarray, stateful: bool) -> np.ndarray:
        """The outputs, `(2, layers, time, batch, projection)`, part by part."""
        parts = part_lengths(max(map(len, rows)))
        places = places_of(rows, sum(parts))
        outputs = []
        states = self._first_states(len(rows), stateful)
        start = 0
        for length in parts:
            part = places[:, start : start + length]
            # Padding stands behind all words and reaches none, so only states need the mask.
            marks = (ops.convert_to_tensor(part[0] > 0),) if stateful else ()
            vectors = ops.convert_to_tensor(table[part], dtype=self._bilm.compute_dtype)
            read, *states = self._graph(length, stateful)(vectors, *states, *marks)
            outputs.append(ops.convert_to_numpy(read))
            start += length
        if stateful:
            self._carry(states)
        return np.concatenate(outputs, axis=2) if len(outputs) > 1 else outputs[0]

    def _renew(self) -> None:
        """Bring all that was made from weights up to what they are now."""
        if self._seen.have_changed():
            self.words.forget()
            for stack in self._stacks:
                stack.renew()
            self._few.renew()

    def _graph(self, length: int, masked: bool) -> Callable[..., Any]:
        """What reads a part of batches of any size, made when it is needed first."""
        if (length, masked) not in self._graphs:
            vectors = (2, length, None, self._bilm.options.projection)
            inputs = [
                keras.KerasTensor(shape, self._bilm.compute_dtype)
                for shape in (vectors, *self._state_shapes(None))
            ]
            mask = (keras.KerasTensor((length, None), "bool"),) if masked else ()
            self._graphs[length, masked] = as_graph(self._run, *inputs, *mask)
        return self._graphs[length, masked]

    def _state_shapes(self, batch: Any) -> list[tuple[Any, ...]]:
        """Of h and of c."""
        options = self._bilm.options
        return [(2, options.layers, size, batch) for size in (options.projection, options.memory)]

    def _run(
        self, vectors: Tensor, hidden: Tensor, memory: Tensor, marks: Tensor | None = None
    ) -> list[Tensor]:
        """Some positions of a batch, forward and backward.

        All goes in and out in a few tensors, because each one more costs
        TensorFlow a tenth of a millisecond.

        Args:
            vectors: `(2 directions, time, batch, projection)`.
            hidden: `(2, layers, projection, batch)`, what the layers start from.
            memory: `(2, layers, memory, batch)`.
            marks: `(time, batch)`.

        Returns:
            The outputs, `(2, layers, time, batch, projection)`, and the states.
        """
        read = [
            stack(vectors[number], hidden[number], memory[number], marks)
            for number, stack in enumerate(self._stacks)
        ]
        return [ops.stack(pair) for pair in zip(*read, strict=True)]

    def _first_states(self, batch: int, stateful: bool) -> list[Tensor]:
        if not stateful or self._carried is None:
            return self._zeros(batch)
        states = [np.zeros(shape, dtype="float32") for shape in self._state_shapes(batch)]
        for each, carried in zip(states, self._carried, strict=True):
            known = min(batch, carried.shape[-1])
            each[..., :known] = carried[..., :known]
        return [ops.convert_to_tensor(each, dtype=self._bilm.compute_dtype) for each in states]

    def _zeros(self, batch: int) -> list[Tensor]:
        """The states before a first word, kept for the next batch of the same size."""
        if self._first is None or self._first[0].shape[-1] != batch:
            self._first = [
                ops.zeros(shape, dtype=self._bilm.compute_dtype)
                for shape in self._state_shapes(batch)
            ]
        return self._first

    def _carry(self, states: list[Tensor]) -> None:
        """Keep states for the next call; rows that this batch has not keep what they had."""
        new = [ops.convert_to_numpy(each).astype("float32") for each in states]
        if self._carried is not None:
            rest = [
                carried[..., each.shape[-1] :]
                for each, carried in zip(new, self._carried, strict=True)
            ]
            new = [np.concatenate(pair, axis=-1) for pair in zip(new, rest, strict=True)]
        self._carried = new


def places_of(rows: Sequence[np.ndarray], length: int) -> np.ndarray:
    """Which word stands where, in both directions.

    Args:
        rows: For each sentence the numbers of its words, from 1.
        length: The positions; a sentence may have fewer words.

    Returns:
        `(2, length, sentences)`, 0 on padding; in the second half each sentence
        is turned.

    Example:

    >>> places_of([np.array([5, 6, 7]), np.array([8])], 3).tolist()
    [[[5, 8], [6, 0], [7, 0]], [[7, 8], [6, 0], [5, 0]]]
    """
    places = np.zeros((2, length, len(rows)), dtype="int64")
    for number, row in enumerate(rows):
        places[0, : len(row), number] = row
        places[1, : len(row), number] = row[::-1]
    return places


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


def part_lengths(length: int) -> list[int]:
    """The parts in which a batch is read.

    Args:
        length: Positions of its longest sentence.

    Returns:
        Even lengths of at most `LONGEST_PART`, from long to short, that
        together are as long or one longer.

    Example:

    >>> part_lengths(53), part_lengths(20)
    ([24, 24, 6], [20])
    """
    parts = [LONGEST_PART] * (length // LONGEST_PART)
    left = length % LONGEST_PART
    return [*parts, left + left % 2] if left else parts


def by_length(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Batches of sentences of similar length.

    Args:
        lengths: The number of words of each sentence.
        batch_tokens: The most tokens of a batch, marks and padding counted.

    Returns:
        For each batch the places of its sentences, from short to long; each
        place once. A sentence that is longer stands alone.

    Example:

    >>> by_length([3, 30, 4], batch_tokens=20)
    [[0, 2], [1]]
    """
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        tokens = sum(part_lengths(lengths[place] + 2))
        if batches and (len(batches[-1]) + 1) * tokens <= batch_tokens:
            batches[-1].append(place)
        else:
            batches.append([place])
    return batches
