"""A language model of characters: trained, measured, and read cell by cell."""

import math
from functools import partial
from typing import NamedTuple

import keras
import numpy as np

from rnnkit.experiments.training import Training, timed_by_epoch
from rnnkit.models import LanguageModel, TruncatedBPTT, masked_cross_entropy, windows

BATCH, WINDOW = 32, 64  # streams read side by side; characters of each read at once
WARM_UP = 200  # characters read before the states of a stream count


class Trained(NamedTuple):
    """A trained model of characters.

    Args:
        model: The model.
        bits: After each epoch, bits for each character of the held-out text.
        training: What it took.
    """

    model: LanguageModel
    bits: list[float]
    training: Training


def train_character_model(
    ids: np.ndarray,
    held_out: np.ndarray,
    vocabulary_size: int,
    units: int,
    epochs: int,
    seed: int,
    rate: float = 0.005,
    window: int | None = None,
) -> Trained:
    """Train an LSTM on a long text, with a state carried from window to window.

    Args:
        ids: `(time,)`: the text.
        held_out: `(time,)`: another text, measured after each epoch.
        vocabulary_size: Symbols in the vocabulary, 0 being padding.
        units: The size of the LSTM's state.
        epochs: How often the text is read.
        seed: Of the first weights.
        rate: The learning rate at the beginning; it falls to 0 along a cosine. A
            larger one learns more in few epochs.
        window: Characters of each stream read at once; 64 by default. A graph
            of few is made sooner.
    """
    keras.utils.set_random_seed(seed)
    model = LanguageModel(vocabulary_size, units=units, embedding=64, cell="lstm")
    trainer = TruncatedBPTT(model, batch=BATCH)
    learned, tested = (windows(text, BATCH, window or WINDOW) for text in (ids, held_out))
    falling = keras.optimizers.schedules.CosineDecay(rate, epochs * len(learned))
    trainer.compile(keras.optimizers.Adam(falling, global_clipnorm=1.0), loss=masked_cross_entropy)
    training, losses = timed_by_epoch(
        "LSTM",
        seed,
        model,
        train=partial(trainer.fit_windows, learned, verbose=0),
        measure=partial(trainer.evaluate_windows, tested),
        epochs=epochs,
    )
    return Trained(model, [loss / math.log(2) for loss in losses], training)


def count_measured(held_out: np.ndarray) -> int:
    """How many characters `train_character_model` measures: what fills whole windows.

    They are the second and those after it, in a row; so another model can be
    measured on the same ones.
    """
    return sum(targets.size for _, targets in windows(held_out, BATCH, WINDOW))


def memory_over_text(model: LanguageModel, ids: np.ndarray) -> np.ndarray:
    """The memory cells of the last layer after each character, squashed: tanh(c).

    The text is cut into streams that are read side by side; each begins
    `WARM_UP` characters early, so that its memory is filled when it counts.

    Args:
        model: A model with LSTM cells.
        ids: `(time,)`.

    Returns:
        `(measured, units)`, from -1 to 1: of the characters from number
        `WARM_UP` on, without up to 31 at the end.

    Raises:
        ValueError: The text is too short, or the model has no LSTM.
    """
    length = (len(ids) - WARM_UP) // BATCH
    if length < 1:
        raise ValueError(
            f"the text must have at least {WARM_UP + BATCH} characters. Received: {len(ids)}"
        )
    streams = np.stack([ids[row * length : (row + 1) * length + WARM_UP] for row in range(BATCH)])
    cells = model.hidden_states(streams).cells
    if cells is None:
        raise ValueError("the model must have LSTM cells. Received: a model without memory cells")
    return np.tanh(cells[-1][:, WARM_UP:]).reshape(BATCH * length, -1)
