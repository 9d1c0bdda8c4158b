"""Reading many sentences with a biLM, fast and in bounded memory."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import keras
import numpy as np
from keras import ops, tree

from rnnkit.elmo.characters import check_sentences
from rnnkit.elmo.word_vectors import WordVectors
from rnnkit.layers import Tensor

if TYPE_CHECKING:
    from rnnkit.elmo.bilm import BiLM

BATCH_TOKENS = 1024
# A sentence is read in parts of these lengths. Each has a graph of its own, its steps
# written out. To make one for 8 steps takes about a second, for 32 about four.
PART_LENGTHS = (8, 16)


class Extraction:
    """Reads sentences with a biLM.

    What it does to be fast: the vector of a word's characters is made once and
    kept; sentences of similar length are read side by side; the two directions
    run in one graph, so that two processor cores share them.

    Args:
        bilm: The model.
    """

    def __init__(self, bilm: "BiLM") -> None:
        self._bilm = bilm
        self._words = WordVectors(bilm.characters, bilm.options.max_characters)
        self._graphs: dict[tuple[int, bool], Callable[..., Any]] = {}
        self._carried: Any = None  # states of the call before, for each row

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
        rows, table = self._words.look_up(sentences)
        parts = part_lengths(max(map(len, rows)))
        # Which word vector stands where, 0 on padding; and each row turned round.
        ahead, back = (np.zeros((len(rows), sum(parts)), dtype="int64") for _ in range(2))
        for number, row in enumerate(rows):
            ahead[number, : len(row)] = row
            back[number, : len(row)] = row[::-1]
        layers = self._bilm.options.layers
        vectors = np.empty((2, layers, *ahead.shape, table.shape[1]), dtype="float32")
        states = self._first_states(len(rows), stateful)
        start = 0
        for length in parts:
            part = slice(start, start + length)
            # Padding stands behind all words and reaches none, so only states need the mask.
            mask = ahead[:, part] > 0 if stateful else None
            *read, states = self._read_part(
                table[ahead[:, part]], table[back[:, part]], mask, states
            )
            for direction, outputs in enumerate(read):
                for layer, output in enumerate(outputs):
                    vectors[direction, layer, :, part] = ops.convert_to_numpy(output)
            start += length
        if stateful:
            self._carry(states)
        return [
            _joined(table[row[1:-1]], vectors[:, :, number, : len(row)])
            for number, row in enumerate(rows)
        ]

    def _read_part(self, ahead: np.ndarray, back: np.ndarray, mask: Any, states: Any) -> Any:
        """Some positions of a batch: outputs of the layers, forward and backward, and states."""
        dtype = self._bilm.compute_dtype
        inputs = [ops.convert_to_tensor(vectors, dtype=dtype) for vectors in (ahead, back)]
        key = (ahead.shape[1], mask is not None)
        if key not in self._graphs:
            self._graphs[key] = _compiled(self._run, *key, ahead.shape[2], states)
        marks = () if mask is None else (ops.convert_to_tensor(mask),)
        return self._graphs[key](*inputs, states, *marks)

    def _run(self, ahead: Tensor, back: Tensor, states: Any, mask: Tensor | None = None) -> Any:
        before, before_back = states
        stacks = self._bilm.forward_stack, self._bilm.backward_stack
        outputs, after = stacks[0](ahead, mask=mask, initial_states=before)
        outputs_back, after_back = stacks[1](back, mask=mask, initial_states=before_back)
        return outputs, outputs_back, (after, after_back)

    def _first_states(self, batch: int, stateful: bool) -> Any:
        zeros = (
            self._bilm.forward_stack.first_states(batch),
            self._bilm.backward_stack.first_states(batch),
        )
        if not stateful or self._carried is None:
            return zeros
        return tree.map_structure(_with_carried, zeros, self._carried)

    def _carry(self, states: Any) -> None:
        """Keep states for the next call; rows that this batch has not keep what they had."""
        new = tree.map_structure(ops.convert_to_numpy, states)
        if self._carried is not None:
            new = tree.map_structure(_with_rest, new, self._carried)
        self._carried = new


def _with_carried(zeros: Tensor, carried: np.ndarray) -> Tensor:
    """The states of a batch: what each row had at the end of the call before, or zeros."""
    known = ops.convert_to_tensor(carried[: zeros.shape[0]], dtype=zeros.dtype)
    return ops.concatenate([known, zeros[len(carried) :]])


def _with_rest(new: np.ndarray, carried: np.ndarray) -> np.ndarray:
    return np.concatenate([new, carried[len(new) :]])


def _joined(words: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """All layers of one sentence.

    Args:
        words: `(words, projection)`.
        vectors: `(2 directions, layers, words + 2, projection)`, backward ones
            from the last word to the first.

    Returns:
        `(layers + 1, words, 2 * projection)`.
    """
    first = np.concatenate([words, words], axis=-1)[None]
    ahead, back = vectors[0, :, 1:-1], vectors[1, :, ::-1][:, 1:-1]
    return np.concatenate([first, np.concatenate([ahead, back], axis=-1)])


def part_lengths(length: int) -> list[int]:
    """The parts in which a batch is read.

    Args:
        length: Positions of its longest sentence.

    Returns:
        Lengths out of `PART_LENGTHS`, from long to short, that together are at
        least as long and less than the shortest of them longer.

    Example:

    >>> part_lengths(37), part_lengths(20), part_lengths(30)
    ([16, 16, 8], [16, 8], [16, 16])
    """
    shortest = PART_LENGTHS[0]
    left = -(-length // shortest) * shortest
    parts = []
    for part in reversed(PART_LENGTHS):
        parts += [part] * (left // part)
        left %= part
    return parts


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


def _compiled(
    run: Callable[..., Any], length: int, masked: bool, size: int, states: Any
) -> Callable[..., Any]:
    """A function as a graph for batches of any size; as it is on other backends."""
    if keras.backend.backend() != "tensorflow":
        return run
    import tensorflow as tf

    def any_rows(state: Tensor) -> Any:
        return tf.TensorSpec((None, state.shape[1]), state.dtype)

    specs = tree.map_structure(any_rows, states)
    vectors = tf.TensorSpec((None, length, size), tree.flatten(states)[0].dtype)
    mask = (tf.TensorSpec((None, length), tf.bool),) if masked else ()
    signature = (vectors, vectors, specs, *mask)
    graph = tf.function(
        lambda *arguments: run(*arguments), input_signature=signature, autograph=False
    )
    # The graph itself, since a tf.function takes those of several models for one that is
    # traced again and again, and says so on stderr.
    return graph.get_concrete_function()
