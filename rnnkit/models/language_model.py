"""A recurrent language model, of words or of characters."""

from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Cell, Recurrence, Shape, Tensor, make_cell
from rnnkit.models.course_model import CourseModel
from rnnkit.models.masked_cross_entropy import PAD_ID

State = tuple[tuple[Tensor, ...], ...]  # for each layer, the states of its cell


class HiddenStates(NamedTuple):
    """What a language model remembers after each symbol.

    Args:
        outputs: For each layer, `(batch, time, units)`: its states h.
        cells: For each layer, `(batch, time, units)`: its memory cells c;
            None where the model has no LSTM.
    """

    outputs: list[np.ndarray]
    cells: list[np.ndarray] | None


@keras.saving.register_keras_serializable("rnnkit")
class LanguageModel(CourseModel):
    r"""Reads a text from left to right, and says after each symbol what may come next.

    $$p(w_{t+1} \mid w_1 \dots w_t) = \mathrm{softmax}(W h_t + b)$$

    with $h_t$ the state of the last recurrent layer. What a symbol is, the
    vocabulary decides: a word, a character, a byte.

    Padding (id 0, at the end) needs no mask here: nothing that comes later
    changes an earlier output. Train with `masked_cross_entropy`, which leaves
    it out. A long text is cut into windows and read with `TruncatedBPTT`.

    Taught in unit 03, section s8.

    Args:
        vocabulary_size: Symbols in the vocabulary, 0 being padding.
        units: The size of each layer's state.
        embedding: The size of the symbol vectors.
        cell: "elman", "gru" or "lstm".
        layers: How many recurrent layers stand one on the other.
        dropout: The share of values set to 0 in training: in the symbol
            vectors and in the outputs of each layer.
        tied: Whether the logits are made with the symbol vectors, so that the
            model has one vector a symbol for reading and writing. Where
            `units` is not `embedding`, a matrix leads from one to the other.

    Call arguments:
        ids: `(batch, time)`.

    Returns:
        Logits, `(batch, time, vocabulary_size)`: at each position, of the
        symbol that comes next.

    Raises:
        ValueError: A size is less than 1, or the cell is not known.

    Example:

    >>> model = LanguageModel(9, units=8, embedding=4)
    >>> tuple(model(np.array([[2, 5, 4], [2, 7, 0]])).shape)
    (2, 3, 9)
    """

    def __init__(
        self,
        vocabulary_size: int,
        units: int = 128,
        embedding: int = 64,
        cell: str = "lstm",
        layers: int = 1,
        dropout: float = 0.0,
        tied: bool = False,
        **kwargs: Any,
    ) -> None:
        sizes = {
            "vocabulary_size": vocabulary_size,
            "units": units,
            "embedding": embedding,
            "layers": layers,
        }
        if min(sizes.values()) < 1:
            raise ValueError(f"LanguageModel expects sizes of at least 1. Received: {sizes}")
        super().__init__(**kwargs)
        self.settings: dict[str, Any] = {**sizes, "cell": cell, "dropout": dropout, "tied": tied}
        policy = self.dtype_policy
        self.embedding = keras.layers.Embedding(vocabulary_size, embedding, dtype=policy)
        self.dropout = keras.layers.Dropout(dropout, dtype=policy)
        self.recurrences = [
            Recurrence(make_cell(cell, units, dtype=policy), dtype=policy) for _ in range(layers)
        ]
        # Logits in float32, also where mixed precision computes the rest in 16 bits.
        single = self.variable_dtype
        self.to_logits = None  # where states are compared with symbol vectors as they are
        if not tied:
            self.to_logits = keras.layers.Dense(vocabulary_size, dtype=single)
        elif units != embedding:
            self.to_logits = keras.layers.Dense(embedding, use_bias=False, dtype=single)
        self.build(None)  # all sizes are known, so the weights can be looked at at once

    def build(self, ids_shape: Shape | None) -> None:
        """Make all weights; their sizes do not depend on the shape of the ids."""
        if getattr(self, "built", False):
            return
        units, width = self.settings["units"], self.settings["embedding"]
        self.embedding.build((None, None))
        for recurrence in self.recurrences:
            recurrence.build((None, None, width))
            width = units
        if self.to_logits is not None:
            self.to_logits.build((None, None, units))
        if self.settings["tied"]:
            self.output_bias = self.add_weight(
                shape=(self.settings["vocabulary_size"],),
                initializer="zeros",
                autocast=False,  # stays in float32 beside the logits
                name="output_bias",
            )
        self.built = True

    def call(self, ids: Tensor, training: bool | None = None) -> Tensor:
        """Logits after each symbol of a text, read from its first symbol."""
        return self.run(ids, training=training)[0]

    def first_state(self, batch: int) -> State:
        """The state before the first symbol, for each layer the states of its cell.

        Args:
            batch: How many texts are read side by side.
        """
        return tuple(recurrence.cell.first_states(batch) for recurrence in self.recurrences)

    def run(
        self,
        ids: Tensor,
        state: State | None = None,
        mask: Tensor | None = None,
        training: bool | None = None,
    ) -> tuple[Tensor, State]:
        """Read on from a state.

        Taught in unit 01, section s4, and unit 03, section s8.

        Args:
            ids: `(batch, time)`.
            state: The state before the first of them; None for the beginning
                of a text.
            mask: `(batch, time)`, boolean, True for a real position. With it,
                the new state is the state after the last real symbol.
            training: Whether dropout is at work.

        Returns:
            Logits, `(batch, time, vocabulary_size)`, and the new state.

        Example:

        >>> model = LanguageModel(9, units=8, embedding=4)
        >>> _, state = model.run(np.array([[2, 5]]))
        >>> logits, state = model.run(np.array([[4, 7, 3]]), state)
        >>> tuple(logits.shape), [[tuple(part.shape) for part in layer] for layer in state]
        ((1, 3, 9), [[(1, 8), (1, 8)]])
        """
        outputs = self.dropout(self.embedding(ops.convert_to_tensor(ids)), training=training)
        new_state = []
        for index, recurrence in enumerate(self.recurrences):
            before = None if state is None else tuple(state[index])
            outputs, last_states = recurrence(outputs, mask=mask, initial_states=before)
            outputs = self.dropout(outputs, training=training)
            new_state.append(tuple(last_states))
        return self._logits(outputs), tuple(new_state)

    def step(self, previous: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one symbol: what the functions of `rnnkit.decoding` need.

        Taught in unit 03, section s9.

        Args:
            previous: `(batch,)`: the symbol read now.
            state: The state before it.

        Returns:
            Logits of the next symbol, `(batch, vocabulary_size)`, and the
            state after this one.

        Example:

        >>> from rnnkit.decoding import greedy
        >>> model = LanguageModel(9, units=8, embedding=4)
        >>> state = model.first_state(batch=2)
        >>> greedy(model.step, state, batch=2, bos_id=2, eos_id=3, max_length=4).shape[0]
        2
        """
        outputs = self.embedding(ops.convert_to_tensor(previous))
        new_state = []
        for recurrence, before in zip(self.recurrences, state, strict=True):
            outputs, after = recurrence.cell(outputs, tuple(before))
            new_state.append(tuple(after))
        return self._logits(outputs), tuple(new_state)

    def log_probabilities(self, ids: Tensor) -> np.ndarray:
        """How probable the model finds each symbol of a text after those before it.

        Taught in unit 03, section s8.

        Args:
            ids: `(batch, time)`; the first symbol (BOS, as a rule) is given,
                not predicted.

        Returns:
            `(batch, time - 1)`: natural logarithms; 0 where the symbol is
            padding, so that a row's sum is the log probability of its text.

        Example:

        >>> model = LanguageModel(9, units=8, embedding=4)
        >>> model.log_probabilities(np.array([[2, 5, 4], [2, 7, 0]])).shape
        (2, 2)
        """
        ids = ops.convert_to_tensor(ids)
        following = ids[:, 1:]
        losses = ops.sparse_categorical_crossentropy(following, self(ids[:, :-1]), from_logits=True)
        real = ops.not_equal(following, PAD_ID)
        return ops.convert_to_numpy(ops.where(real, -losses, ops.zeros_like(losses)))

    def hidden_states(self, ids: Tensor) -> HiddenStates:
        """What each layer remembers after each symbol.

        Taught in unit 03, section s11.

        Args:
            ids: `(batch, time)`.

        Example:

        >>> states = LanguageModel(9, units=8, embedding=4).hidden_states(np.array([[2, 5, 4]]))
        >>> states.outputs[0].shape, states.cells[0].shape
        ((1, 3, 8), (1, 3, 8))
        """
        inputs = self.embedding(ops.convert_to_tensor(ids))
        each_layer = []
        for recurrence in self.recurrences:
            each_state = _states_over_time(recurrence.cell, inputs)
            inputs = each_state[0]  # the layer above reads h
            in_numpy = [ops.convert_to_numpy(ops.cast(s, self.variable_dtype)) for s in each_state]
            each_layer.append(in_numpy)
        cells = [states[1] for states in each_layer if len(states) == 2]
        return HiddenStates([states[0] for states in each_layer], cells or None)

    def _logits(self, outputs: Tensor) -> Tensor:
        if self.to_logits is not None:
            outputs = self.to_logits(outputs)
        if not self.settings["tied"]:
            return outputs
        outputs = ops.cast(outputs, self.variable_dtype)
        table = ops.cast(self.embedding.embeddings, self.variable_dtype)
        return ops.matmul(outputs, ops.transpose(table)) + self.output_bias

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the model again."""
        return {**super().get_config(), **self.settings}


def _states_over_time(cell: Cell, inputs: Tensor) -> list[Tensor]:
    """Every state of a cell after every step.

    Args:
        cell: A cell of `rnnkit.layers`.
        inputs: `(batch, time, features)`.

    Returns:
        For each of the cell's states, `(batch, time, units)`.
    """
    states, history = cell.first_states(inputs.shape[0]), []
    for position in range(inputs.shape[1]):
        _, states = cell(inputs[:, position], states)
        history.append(states)
    return [ops.stack(one_state, axis=1) for one_state in zip(*history, strict=True)]
