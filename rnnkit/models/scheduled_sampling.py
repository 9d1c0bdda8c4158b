"""Training a decoder on a mix of true symbols and its own."""

from collections.abc import Callable, Sequence
from typing import Any

import keras
from keras import ops

from rnnkit.layers import Shape, Tensor
from rnnkit.models.course_model import CourseModel
from rnnkit.models.encoder_decoder import EncoderDecoder


class ScheduledSampling(CourseModel):
    """Trains an encoder-decoder that sometimes sees its own last symbol, not the true one.

    With teacher forcing alone, a decoder never meets its own mistakes in
    training. Here, before each step, a coin decides for each sentence: with
    probability `teacher_forcing` the decoder sees the true previous symbol,
    otherwise the one that it would have written itself. No gradient flows
    through that choice.

    Compile and fit it as you would the encoder-decoder, which is what is
    trained: decode with that. Outside training, teacher forcing is
    whole, so a validation loss compares with that of plain training.

    Taught in unit 05, section s21.

    Args:
        model: The encoder-decoder.
        teacher_forcing: The probability of a true symbol, from 0 to 1; or a
            function that takes the number of the epoch, from 0, and returns it.
        sample: Whether the decoder's own symbol is drawn from its
            distribution; otherwise it is the most probable one.
        seed: Decides the coins and what is drawn.

    Call arguments:
        inputs: As for `EncoderDecoder`; the number of target positions must be
            known.

    Returns:
        Logits, `(batch, target, target_size)`.

    Raises:
        ValueError: The probability is not between 0 and 1.

    Example:

    >>> import numpy as np
    >>> model = EncoderDecoder(9, 7, units=8, embedding=4)
    >>> training = ScheduledSampling(model, teacher_forcing=lambda epoch: 0.8**epoch)
    >>> inputs = {"source": np.array([[5, 4, 0]]), "previous": np.array([[2, 6, 4]])}
    >>> tuple(training(inputs, training=True).shape)
    (1, 3, 7)

    Reference: Bengio et al., Scheduled Sampling for Sequence Prediction with
    Recurrent Neural Networks (NeurIPS 2015).
    """

    def __init__(
        self,
        model: EncoderDecoder,
        teacher_forcing: float | Callable[[int], float] = 1.0,
        sample: bool = False,
        seed: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.model = model
        self.sample = sample
        self.random = keras.random.SeedGenerator(seed)
        self._schedule = (
            teacher_forcing if callable(teacher_forcing) else lambda epoch: teacher_forcing
        )
        self.build(None)
        self.set_epoch(0)

    def build(self, inputs_shape: Shape | None) -> None:
        """Keep the probability where a compiled training step can read it."""
        if getattr(self, "built", False):
            return
        self.teacher_forcing = self.add_weight(
            shape=(), dtype="float32", trainable=False, name="teacher_forcing"
        )
        self.built = True

    def set_epoch(self, epoch: int) -> None:
        """Set the probability for an epoch; `fit` calls it.

        Args:
            epoch: The number of the epoch, from 0.
        """
        probability = float(self._schedule(epoch))
        if not 0 <= probability <= 1:
            raise ValueError(
                "ScheduledSampling expects teacher_forcing between 0 and 1. "
                f"Received: {probability} for epoch {epoch}"
            )
        self.teacher_forcing.assign(probability)

    def fit(
        self, *args: Any, callbacks: Sequence[keras.callbacks.Callback] = (), **kwargs: Any
    ) -> keras.callbacks.History:
        """As in Keras, with the probability set before each epoch."""
        return super().fit(*args, callbacks=[_SetEpoch(), *callbacks], **kwargs)

    def call(self, inputs: dict[str, Tensor], training: bool | None = None) -> Tensor:
        """Logits at each target position."""
        return self.mixed(inputs)[0] if training else self.model(inputs)

    def mixed(self, inputs: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """All steps of the decoder, with a coin before each.

        Args:
            inputs: As for `EncoderDecoder`.

        Returns:
            Logits, `(batch, target, target_size)`, and the symbols that the
            decoder saw, `(batch, target)`. The first is always the true one:
            it is BOS.
        """
        encoded = self.model.encode(inputs["source"])
        truth = ops.cast(ops.convert_to_tensor(inputs["previous"]), "int32")
        state, previous = encoded.state, truth[:, 0]
        all_logits: list[Tensor] = []
        seen: list[Tensor] = []
        for position in range(truth.shape[1]):
            if position > 0:
                previous = self._toss(truth[:, position], all_logits[-1])
            logits, state, _ = self.model.step(previous, state, encoded)
            all_logits.append(logits)
            seen.append(previous)
        return ops.stack(all_logits, axis=1), ops.stack(seen, axis=1)

    def _toss(self, true: Tensor, logits: Tensor) -> Tensor:
        """The true symbol or the decoder's own, for each sentence, `(batch,)`."""
        if self.sample:
            own = keras.random.categorical(logits, 1, dtype="int32", seed=self.random)[:, 0]
        else:
            own = ops.cast(ops.argmax(logits, axis=-1), "int32")
        coins = keras.random.uniform(ops.shape(true), seed=self.random)  # in [0, 1)
        return ops.where(coins < self.teacher_forcing, true, own)


class _SetEpoch(keras.callbacks.Callback):
    """Moves the schedule on."""

    def on_epoch_begin(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        self.model.set_epoch(epoch)
