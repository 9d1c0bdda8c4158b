"""Sampling: draw each next symbol at random, as probable as the model says."""

from typing import Any

import numpy as np

from rnnkit.decoding.loop import StepFunction, check_max_length, write
from rnnkit.decoding.next_probabilities import check_settings, next_probabilities


def sample(
    step: StepFunction,
    state: Any,
    batch: int,
    bos_id: int | np.ndarray,
    eos_id: int | None,
    max_length: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int = 0,
    pad_id: int = 0,
) -> np.ndarray:
    """Write one symbol at a time, each drawn from the model's distribution.

    With the default settings this is ancestral sampling: a whole sentence
    comes out as often as the model finds it probable. Taught in unit 03,
    section s9.

    Args:
        step: Called as `step(previous_ids, state)` with `previous_ids`
            `(batch,)`; returns the scores of the next symbol,
            `(batch, vocabulary)`, and the new state.
        state: The state before the first step, of any form that `step` takes.
        batch: How many sentences are written side by side.
        bos_id: The symbol that `step` sees first; or one for each sentence,
            `(batch,)`, as `read_prompt` returns them.
        eos_id: The symbol that ends a sentence; None where there is none.
        max_length: The most steps that are made.
        temperature: See `next_probabilities`; 0 gives what `greedy` gives.
        top_k: See `next_probabilities`.
        top_p: See `next_probabilities`.
        seed: The same seed gives the same sentences. The draws of a sentence
            do not depend on the others in its batch.
        pad_id: What stands after the end of a sentence.

    Returns:
        `(batch, length)`, int32, `length` at most `max_length`: the symbols
        with the EOS of each sentence that ended, then `pad_id`.

    Raises:
        ValueError: `max_length` is less than 1, a setting is out of range, or
            a score is no number.

    Example:

    >>> def coin(previous, state):
    ...     return np.log([[0.0001, 0.4999, 0.5]] * len(previous)), state
    >>> sample(coin, None, batch=2, bos_id=0, eos_id=None, max_length=8, seed=1).shape
    (2, 8)
    """
    check_max_length("sample", max_length)
    check_settings(temperature, top_k, top_p)
    # One generator for each sentence, so that a batch of another size does not
    # change what the first sentences draw.
    generators = [np.random.default_rng([seed, row]) for row in range(batch)]

    def draw(scores: np.ndarray) -> np.ndarray:
        totals = next_probabilities(scores, temperature, top_k, top_p).cumsum(axis=-1)
        drawn = np.array([[generator.random()] for generator in generators])
        # The first symbol whose total is above the number drawn; the last total
        # may be a rounding error away from one.
        return (totals > drawn * totals[:, -1:]).argmax(axis=-1)

    return write(step, state, batch, bos_id, eos_id, max_length, pad_id, draw)
