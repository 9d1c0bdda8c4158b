"""Training on a long text with a state that is carried from window to window."""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Shape, Tensor
from rnnkit.models.course_model import CourseModel
from rnnkit.models.language_model import LanguageModel

Windows = Sequence[tuple[np.ndarray, np.ndarray]]


class TruncatedBPTT(CourseModel):
    """Trains a language model on consecutive windows of a text.

    Each window starts from the state that the window before it ended with. The
    gradient stops there: the model learns to use what it remembers from before
    a window, and does not learn to remember more. Each epoch, and each
    evaluation, starts again from the state of the beginning of a text.

    The language model itself is trained; what stands here is only the state.

    Taught in unit 01, section s4, and unit 03, section s8.

    Args:
        model: The language model.
        batch: How many streams are read side by side, as in `windows`.

    Call arguments:
        ids: `(batch, window)`.

    Returns:
        Logits, `(batch, window, vocabulary_size)`.

    Example:

    >>> from rnnkit.models import masked_cross_entropy, windows
    >>> model = LanguageModel(9, units=8, embedding=4)
    >>> training = TruncatedBPTT(model, batch=2)
    >>> training.compile("adam", loss=masked_cross_entropy)
    >>> text = windows([4, 5, 6, 7, 8] * 5, batch=2, window=4)
    >>> history = training.fit_windows(text, epochs=2, verbose=0)
    >>> len(history.history["loss"])
    2
    """

    def __init__(self, model: LanguageModel, batch: int, **kwargs: Any) -> None:
        if batch < 1:
            raise ValueError(f"TruncatedBPTT expects batch >= 1. Received: batch={batch}")
        super().__init__(**kwargs)
        self.model = model
        self.batch = batch
        self.build(None)

    def build(self, ids_shape: Shape | None) -> None:
        """Make room for the state: weights that no optimizer moves."""
        if getattr(self, "built", False):
            return
        self.carried = [
            [
                self.add_weight(
                    shape=tuple(part.shape), initializer="zeros", dtype=part.dtype, trainable=False
                )
                for part in layer
            ]
            for layer in self.model.first_state(self.batch)
        ]
        self.built = True

    def call(self, ids: Tensor, training: bool | None = None) -> Tensor:
        """Logits of one window; the state after it is kept for the next."""
        # Copies, since PyTorch needs them for the gradient after the weights have changed.
        before = tuple(tuple(ops.copy(part) for part in layer) for layer in self.carried)
        logits, after = self.model.run(ids, before, training=training)
        for layer, new_layer in zip(self.carried, after, strict=True):
            for part, new in zip(layer, new_layer, strict=True):
                part.assign(ops.stop_gradient(new))
        return logits

    def start_again(self) -> None:
        """Set the state to that of the beginning of a text."""
        for layer, first in zip(self.carried, self.model.first_state(self.batch), strict=True):
            for part, value in zip(layer, first, strict=True):
                part.assign(ops.copy(value))  # a cell may give one array for all its states

    def fit_windows(
        self,
        windows: Windows,
        validation: Windows | None = None,
        callbacks: Sequence[keras.callbacks.Callback] = (),
        **kwargs: Any,
    ) -> keras.callbacks.History:
        """Train on windows in their order.

        Args:
            windows: What `rnnkit.models.windows` returned, made with the same
                `batch`.
            validation: Windows of another text, evaluated after each epoch.
            callbacks: As in `keras.Model.fit`.
            **kwargs: As in `keras.Model.fit`: `epochs`, `verbose`.

        Returns:
            What `keras.Model.fit` returns.
        """
        inputs, targets = self._joined(windows)
        return self.fit(
            inputs,
            targets,
            validation_data=None if validation is None else self._joined(validation),
            callbacks=[_StartAgain(), *callbacks],
            batch_size=self.batch,
            shuffle=False,
            **kwargs,
        )

    def evaluate_windows(self, windows: Windows) -> float:
        """The loss over windows, read in their order.

        Args:
            windows: What `rnnkit.models.windows` returned, made with the same
                `batch`.

        Returns:
            The mean of the loss over all windows.
        """
        inputs, targets = self._joined(windows)
        logs = self.evaluate(
            inputs,
            targets,
            batch_size=self.batch,
            callbacks=[_StartAgain()],
            return_dict=True,
            verbose=0,
        )
        return float(logs["loss"])

    def _joined(self, windows: Windows) -> tuple[np.ndarray, np.ndarray]:
        """All windows one under the other, so that each batch of Keras is one window."""
        inputs, targets = (np.concatenate(arrays) for arrays in zip(*windows, strict=True))
        if any(len(window_inputs) != self.batch for window_inputs, _ in windows):
            raise ValueError(
                f"TruncatedBPTT(batch={self.batch}) expects windows made with batch={self.batch}. "
                f"Received: windows of {len(windows[0][0])} streams"
            )
        return inputs, targets


class _StartAgain(keras.callbacks.Callback):
    """Begins the text again with each epoch and each evaluation."""

    def on_epoch_begin(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        self.model.start_again()

    def on_test_begin(self, logs: dict[str, float] | None = None) -> None:
        self.model.start_again()
