"""An encoder-decoder, with attention or without."""

from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit.decoding import StepFunction, greedy
from rnnkit.layers import Attention, AttentionDecoder, Shape, Tensor
from rnnkit.models.course_model import CourseModel
from rnnkit.models.masked_cross_entropy import PAD_ID


class Encoded(NamedTuple):
    """What the encoder gives to the decoder.

    Args:
        keys: `(batch, source, units)`: one state for each position.
        mask: `(batch, source)`, boolean, True for a real position.
        state: `(batch, units)`: the decoder's first state, made from the
            encoder's last states.
        projected_keys: The part of the attention's score that depends on the
            keys alone; None without attention.
        context: `(batch, units)`: the last state of each direction, side by
            side. It is all that a decoder without attention learns about the
            source.
    """

    keys: Tensor
    mask: Tensor
    state: Tensor
    projected_keys: Tensor | None
    context: Tensor


@keras.saving.register_keras_serializable("rnnkit")
class EncoderDecoder(CourseModel):
    r"""Reads a source with one GRU (or two, one each way), writes a target with another.

    Without attention, the decoder gets one vector, the context: the last state
    of each direction. Its first state is made from it. With
    `context="every step"`, it also reads the context beside each previous
    symbol, so it need not remember it. With attention, it looks at all of the
    encoder's states again before each step.

    Taught in unit 05, section s20, and unit 06, section s25.

    Args:
        source_size: Symbols in the source vocabulary, 0 being padding.
        target_size: Symbols in the target vocabulary, 0 being padding.
        units: The size of the decoder's state, and of the encoder's states
            (both directions together; then an even number).
        embedding: The size of the symbol vectors.
        attention: An `Attention` layer, or None.
        bidirectional: Whether the encoder also reads from right to left.
        context: "state" or "every step": where the context goes in. Attention
            makes its own context for each step and goes with "state" only.

    Call arguments:
        inputs: A dict: `source`, `(batch, source)`, and `previous`,
            `(batch, target)`, the targets moved one place to the right.

    Returns:
        Logits, `(batch, target, target_size)`.

    Example:

    >>> from rnnkit.layers import AdditiveAttention
    >>> model = EncoderDecoder(9, 7, units=8, embedding=4, attention=AdditiveAttention(8))
    >>> source, previous = np.array([[5, 4, 0]]), np.array([[2, 6]])
    >>> tuple(model({"source": source, "previous": previous}).shape)
    (1, 2, 7)
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        units: int = 64,
        embedding: int = 32,
        attention: Attention | None = None,
        bidirectional: bool = True,
        context: str = "state",
        **kwargs: Any,
    ) -> None:
        if bidirectional and units % 2:
            raise ValueError(
                "EncoderDecoder expects an even number of units where the encoder has two "
                f"directions. Received: units={units}"
            )
        if context not in ("state", "every step"):
            raise ValueError(
                'EncoderDecoder expects context="state" or "every step". '
                f"Received: context={context!r}"
            )
        if context == "every step" and attention is not None:
            raise ValueError(
                'EncoderDecoder expects context="state" with attention, which makes a new '
                f"context for each step. Received: context={context!r}, attention={attention!r}"
            )
        super().__init__(**kwargs)
        self.settings: dict[str, Any] = {
            "source_size": source_size,
            "target_size": target_size,
            "units": units,
            "embedding": embedding,
            "bidirectional": bidirectional,
            "context": context,
        }
        self.attention = attention
        policy = self.dtype_policy
        self.source_embedding = keras.layers.Embedding(source_size, embedding, dtype=policy)
        self.target_embedding = keras.layers.Embedding(target_size, embedding, dtype=policy)
        encoder = keras.layers.GRU(
            units // 2 if bidirectional else units,
            return_sequences=True,
            return_state=True,
            dtype=policy,
        )
        self.encoder = (
            keras.layers.Bidirectional(encoder, dtype=policy) if bidirectional else encoder
        )
        self.first_state = keras.layers.Dense(units, activation="tanh", dtype=policy)
        self.decoder: Any = (
            keras.layers.GRU(units, return_sequences=True, dtype=policy)
            if attention is None
            else AttentionDecoder(units, attention, dtype=policy)
        )
        # Logits in float32, also where mixed precision computes the rest in 16 bits.
        self.to_logits = keras.layers.Dense(target_size, dtype=self.variable_dtype)
        self.build(None)  # all sizes are known, so the weights can be looked at at once

    def build(self, inputs_shape: Shape | None) -> None:
        """Make all weights; their sizes do not depend on the inputs' shape."""
        if getattr(self, "built", False):
            return
        batch, units, embedding = None, self.settings["units"], self.settings["embedding"]
        self.source_embedding.build((batch, None))
        self.target_embedding.build((batch, None))
        self.encoder.build((batch, None, embedding))
        self.first_state.build((batch, units))
        if self.attention is None:
            context = units if self.settings["context"] == "every step" else 0
            self.decoder.build((batch, None, embedding + context))
            self.to_logits.build((batch, None, units))
        else:
            self.decoder.build((batch, None, embedding), (batch, units), (batch, None, units))
            self.to_logits.build((batch, None, 2 * units))
        self.built = True

    def encode(self, source: Tensor, embedded: Tensor | None = None) -> Encoded:
        """Read the source once.

        Args:
            source: `(batch, source)`.
            embedded: `(batch, source, embedding)`: the symbols' vectors, where
                you want to use others than the model's own, or to follow a
                gradient down to them.
        """
        source = ops.convert_to_tensor(source)
        mask = ops.not_equal(source, PAD_ID)
        if embedded is None:
            embedded = self.source_embedding(source)
        keys, *last = self.encoder(embedded, mask=mask)  # one last state for each direction
        context = ops.concatenate(last, axis=-1)
        projected = None if self.attention is None else self.attention.project_keys(keys)
        return Encoded(keys, mask, self.first_state(context), projected, context)

    def call(self, inputs: dict[str, Tensor]) -> Tensor:
        """Logits at each target position, given the true previous symbols."""
        return self.teacher_forced(self.encode(inputs["source"]), inputs["previous"])[0]

    def attention_weights(self, source: Tensor, previous: Tensor) -> Tensor:
        """What each target position looked at, `(batch, target, source)`.

        Raises:
            ValueError: The model was made without attention.
        """
        if self.attention is None:
            raise ValueError(
                "attention_weights expects a model made with attention=. Received: attention=None"
            )
        return self.teacher_forced(self.encode(source), previous)[1]

    def teacher_forced(self, encoded: Encoded, previous: Tensor) -> tuple[Tensor, Tensor | None]:
        """All steps of the decoder, each given the true previous symbol.

        Args:
            encoded: What `encode` returned.
            previous: `(batch, target)`.

        Returns:
            Logits, `(batch, target, target_size)`, and the attention weights,
            `(batch, target, source)`, None without attention.
        """
        embedded = self.target_embedding(ops.convert_to_tensor(previous))
        if self.attention is None:
            embedded = self._beside_context(embedded, encoded.context[:, None])
            return self.to_logits(self.decoder(embedded, initial_state=encoded.state)), None
        outputs, weights = self.decoder(
            embedded, encoded.state, encoded.keys, encoded.mask, encoded.projected_keys
        )
        return self.to_logits(outputs), weights

    def step(
        self, previous: Tensor, state: Tensor, encoded: Encoded
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """One step of the decoder.

        Args:
            previous: `(batch,)`: the symbol written before.
            state: `(batch, units)`: the state before the step.
            encoded: What `encode` returned.

        Returns:
            Logits `(batch, target_size)`, the new state, and the attention
            weights `(batch, source)`, None without attention.
        """
        embedded = self.target_embedding(ops.convert_to_tensor(previous))
        if self.attention is None:
            embedded = self._beside_context(embedded, encoded.context)
            state, _ = self.decoder.cell(embedded, state)
            return self.to_logits(state), state, None
        step = self.decoder.step(
            embedded, state, encoded.keys, encoded.mask, encoded.projected_keys
        )
        return self.to_logits(step.output), step.state, step.weights

    def step_function(self, source: Tensor) -> tuple[StepFunction, Any]:
        """What the functions of `rnnkit.decoding` need.

        Taught in unit 05, section s21.

        Args:
            source: `(batch, source)`.

        Returns:
            `step`, called as `step(previous, state)`, which returns the logits
            of the next symbol, `(batch, target_size)`, and the new state; and
            the state before the first step. The state is a pair of the
            decoder's state and what the encoder gave; the first axis of each
            tensor in it is the batch, so that a beam search can reorder it.

        Example:

        >>> from rnnkit.decoding import StepFunction, greedy
        >>> model = EncoderDecoder(9, 7, units=8, embedding=4)
        >>> step, state = model.step_function(np.array([[5, 4, 0], [3, 7, 8]]))
        >>> greedy(step, state, batch=2, bos_id=2, eos_id=3, max_length=4).shape[0]
        2
        """
        encoded = self.encode(source)
        # Only what the decoder looks at again: a beam search reorders all of it at each step.
        names = ["context"] if self.attention is None else ["keys", "mask", "projected_keys"]
        known = {name: getattr(encoded, name) for name in names}

        def step(previous: np.ndarray, state: Any) -> tuple[Tensor, Any]:
            decoder_state, known = state
            encoded = Encoded(**{**dict.fromkeys(Encoded._fields), **known})
            logits, decoder_state, _ = self.step(previous, decoder_state, encoded)
            return logits, (decoder_state, known)

        return step, (encoded.state, known)

    def decode(self, source: Tensor, bos_id: int, eos_id: int, max_length: int) -> np.ndarray:
        """Write a target for each source, greedily.

        Args:
            source: `(batch, source)`.
            bos_id: The symbol that stands before the first.
            eos_id: The symbol that ends a target.
            max_length: The most symbols that are written, EOS included.

        Returns:
            `(batch, length)`, int32, as `rnnkit.decoding.greedy` returns it.
        """
        step, state = self.step_function(source)
        return greedy(step, state, len(source), bos_id, eos_id, max_length)

    def _beside_context(self, embedded: Tensor, context: Tensor) -> Tensor:
        """The context joined to each symbol's vector, where it is read at every step."""
        if self.settings["context"] == "state":
            return embedded
        shape = (*ops.shape(embedded)[:-1], context.shape[-1])
        return ops.concatenate([embedded, ops.broadcast_to(context, shape)], axis=-1)

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the model again."""
        return {
            **super().get_config(),
            **self.settings,
            "attention": keras.saving.serialize_keras_object(self.attention),
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "EncoderDecoder":
        """Make the model from `get_config()`."""
        config = dict(config)
        config["attention"] = keras.saving.deserialize_keras_object(config["attention"])
        return cls(**config)
