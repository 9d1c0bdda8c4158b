"""Beam search: keep the best few beginnings of each sentence."""

from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit.decoding.loop import StepFunction, check_max_length


class Hypotheses(NamedTuple):
    """What a beam search found, the best first.

    Args:
        ids: `(batch, width, length)`, int32: the symbols with the EOS of each
            hypothesis that ended, then padding.
        scores: `(batch, width)`, float64: log probability / length ** alpha,
            in nats, with the EOS counted in the length. Where there are fewer
            than `width` possible sentences, the rest are minus infinity.
    """

    ids: np.ndarray
    scores: np.ndarray

    @property
    def best(self) -> np.ndarray:
        """The best hypothesis of each sentence, `(batch, length)`."""
        return self.ids[:, 0]


def beam_search(
    step: StepFunction,
    state: Any,
    batch: int,
    bos_id: int | np.ndarray,
    eos_id: int | None,
    max_length: int,
    width: int = 4,
    length_penalty: float = 0.0,
    pad_id: int = 0,
) -> Hypotheses:
    r"""Look for the most probable sentences, with `width` beginnings kept at each step.

    $$\text{score}(y) = \frac{\log p(y)}{|y|^{\alpha}}$$

    All beams of all sentences go through `step` together, `batch * width` rows
    in one call. A beginning that ended stays among the beams with its score,
    and the search stops as soon as all have ended. Width 1 gives what `greedy`
    gives. Taught in unit 03, section s9, and unit 05, section s21.

    Args:
        step: As for `greedy`. It must not mix the rows of its batch.
        state: The state before the first step: an array whose first axis is
            the batch, or any nest (tuple, list, dict) of such arrays; None
            where there is no state.
        batch: How many sentences are decoded side by side.
        bos_id: The symbol that `step` sees first; or one for each sentence,
            `(batch,)`, as `read_prompt` returns them.
        eos_id: The symbol that ends a sentence; None where there is none.
        max_length: The most steps that are made.
        width: How many beginnings are kept for each sentence.
        length_penalty: The power alpha of the length. 0 compares log
            probabilities, which favours short sentences; 1 compares the mean
            for each symbol.
        pad_id: What stands after the end of a sentence.

    Returns:
        `Hypotheses`, with `ids`, `scores` and `best`.

    Raises:
        ValueError: `max_length` or `width` is less than 1, `length_penalty` is
            less than 0, or a score is NaN.

    Example:

    >>> def step(previous, state):  # after 0: 1 or 2; after 1: anything; after 2: the end, 3
    ...     table = [[0, 0.6, 0.4, 0], [0, 0.3, 0.3, 0.4], [0, 0, 0, 1.0], [0, 0, 0, 1.0]]
    ...     return np.log(np.array(table)[previous] + 1e-9), state
    >>> found = beam_search(step, None, batch=1, bos_id=0, eos_id=3, max_length=5, width=2)
    >>> found.best.tolist(), np.exp(found.scores[0, 0]).round(2).item()
    ([[2, 3]], 0.4)
    """
    check_max_length("beam_search", max_length)
    if width < 1:
        raise ValueError(f"beam_search expects width >= 1. Received: width={width}")
    if not 0 <= length_penalty < np.inf:
        raise ValueError(
            f"beam_search expects length_penalty >= 0. Received: length_penalty={length_penalty}"
        )
    if batch == 0:
        return Hypotheses(np.zeros((0, width, 0), "int32"), np.zeros((0, width)))
    state = _take_rows(state, np.repeat(np.arange(batch), width))
    previous = np.repeat(np.full(batch, bos_id, dtype="int32"), width)  # (batch * width,)
    ids = np.zeros((batch, width, 0), dtype="int32")
    # All beams of a sentence are alike before the first step: only one counts.
    totals = np.full((batch, width), -np.inf)  # log probabilities
    totals[:, 0] = 0.0
    lengths = np.zeros((batch, width), dtype="int32")
    ended = np.zeros((batch, width), dtype=bool)
    while ids.shape[-1] < max_length and not _all_done(totals, ended):
        scores, state = step(previous, state)
        symbols, steps = _best_symbols(scores, width)  # (batch * width, k)
        k = symbols.shape[-1]
        symbols, steps = (each.reshape(batch, width, k) for each in (symbols, steps))
        # A beam that ended has one candidate: itself, one PAD longer.
        symbols = np.where(ended[..., None], pad_id, symbols)
        stay = np.where(np.arange(k) == 0, 0.0, -np.inf)
        steps = np.where(ended[..., None], stay, steps)

        new_totals = (totals[..., None] + steps).reshape(batch, width * k)
        new_lengths = np.repeat(lengths + ~ended, k, axis=1)
        order = np.argsort(-_score(new_totals, new_lengths, length_penalty), axis=1, kind="stable")
        chosen = order[:, :width]  # (batch, width)
        beams = chosen // k  # which beam each comes from

        written = np.take_along_axis(symbols.reshape(batch, width * k), chosen, axis=1)
        ids = np.take_along_axis(ids, beams[..., None], axis=1)
        ids = np.concatenate([ids, written[..., None].astype("int32")], axis=2)
        totals = np.take_along_axis(new_totals, chosen, axis=1)
        lengths = np.take_along_axis(new_lengths, chosen, axis=1)
        ended = np.take_along_axis(ended, beams, axis=1)
        if eos_id is not None:
            ended |= written == eos_id
        previous = ids[..., -1].reshape(-1)
        state = _take_rows(state, (np.arange(batch)[:, None] * width + beams).reshape(-1))
    ids[np.isneginf(totals)] = pad_id  # there was no such sentence
    return Hypotheses(ids, _score(totals, lengths, length_penalty))


def _all_done(totals: np.ndarray, ended: np.ndarray) -> bool:
    return bool((ended | np.isneginf(totals)).all())


def _score(totals: np.ndarray, lengths: np.ndarray, length_penalty: float) -> np.ndarray:
    return totals / np.maximum(lengths, 1) ** length_penalty


def _best_symbols(scores: Any, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The best symbols of each row and their log probabilities: `(rows, k)` each."""
    scores = ops.convert_to_tensor(scores)
    if keras.backend.standardize_dtype(scores.dtype) not in ("float32", "float64"):
        scores = ops.cast(scores, "float32")
    best, symbols = ops.top_k(ops.log_softmax(scores, axis=-1), k=min(width, scores.shape[-1]))
    log_probabilities = ops.convert_to_numpy(best).astype("float64")
    if np.isnan(log_probabilities).any():  # one such score makes its whole row NaN
        raise ValueError(
            "scores must be numbers, with a finite one in each row. Received: NaN after the softmax"
        )
    return ops.convert_to_numpy(symbols).astype("int32"), log_probabilities


def _take_rows(state: Any, rows: np.ndarray) -> Any:
    """The same nest with these rows of each array."""

    def take(leaf: Any) -> Any:
        if leaf is None:
            return None
        if not len(getattr(leaf, "shape", ())):
            raise ValueError(
                "beam_search expects a state of arrays whose first axis is the batch. "
                f"Received: {leaf!r} in the state"
            )
        if isinstance(leaf, np.ndarray):
            return leaf[rows]
        return ops.take(leaf, rows, axis=0)

    return keras.tree.map_structure(take, state)
