"""A language model that counts: n-grams with interpolated Kneser-Ney smoothing."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rnnkit.metrics import perplexity
from rnnkit.models.masked_cross_entropy import PAD_ID

_NOTHING = -1  # stands in a context where the sequence has not yet begun
# Where the counts give no estimate of a discount, which happens in tiny texts.
_USUAL_DISCOUNT = 0.5


Sequences = np.ndarray | Sequence[Sequence[int]] | Sequence[np.ndarray]


class _Level(NamedTuple):
    """What the model knows about contexts of one length.

    A context is a number: its place in `contexts`, which is sorted. All
    n-grams of a context stand side by side in `grams`, which is sorted too.

    Args:
        contexts: `(contexts,)`: number of the context without its oldest
            symbol, times the vocabulary's size, plus the oldest symbol.
        grams: `(n-grams,)`: number of the context, times the
            vocabulary's size, plus the symbol.
        counts: `(n-grams,)`.
        totals: `(contexts,)`: the sum of a context's counts.
        kinds: `(contexts,)`: how many different symbols follow it.
        discount: What is taken off each count.
    """

    contexts: np.ndarray
    grams: np.ndarray
    counts: np.ndarray
    totals: np.ndarray
    kinds: np.ndarray
    discount: float


class KneserNey:
    r"""An n-gram model with interpolated Kneser-Ney smoothing: the baseline for an LSTM.

    $$p_k(w \mid h) = \frac{\max(c_k(h w) - D_k, 0)}{\sum_v c_k(h v)}
      + \frac{D_k \, N_{1+}(h \cdot)}{\sum_v c_k(h v)} \, p_{k-1}(w \mid h')$$

    where h is the last k - 1 symbols, h' is h without its oldest symbol, and
    N(h ·) is the number of different symbols seen after h. A context that was never
    seen leaves all to the shorter one. At the highest order c is the count in
    the text. Below it, c counts the different symbols seen *before* the n-gram
    (and each time that it began a sequence, with nothing before it):
    "Francisco" is frequent, but only after "San", so it is an unlikely word
    elsewhere. Below order 1 stands the uniform distribution over all symbols,
    so that no symbol, seen or not, has the probability 0.

    The discount of each order is $D = n_1 / (n_1 + 2 n_2)$, with $n_1$ and
    $n_2$ the number of its n-grams with count 1 and 2; one half where there are
    none of either.

    The model reads ids, as `rnnkit.text.Vocabulary` makes them, of characters
    or of words; 0 is padding. The first symbol of a sequence is given, never
    predicted, as in `LanguageModel`: begin sentences with BOS, and end them
    with EOS. Where fewer than `order` - 1 symbols have come, the context is
    those that have.

    Taught in unit 03, sections s10 and s12.

    Args:
        order: How many symbols an n-gram has; it looks back `order` - 1.

    Example:

    >>> from rnnkit.text import Vocabulary
    >>> vocabulary = Vocabulary("ab")
    >>> ids, _ = vocabulary.encode(["abababab", "aaab"])
    >>> model = KneserNey(order=2).fit(ids, vocabulary_size=len(vocabulary))
    >>> np.exp(model.log_probabilities(ids[:1, :3])).round(3)  # p(b after a), p(a after b)
    array([[0.68 , 0.932]])

    Reference:
        Chen and Goodman (1999), An empirical study of smoothing techniques for
        language modeling. Computer Speech and Language 13(4).
    """

    def __init__(self, order: int = 3) -> None:
        if order < 1:
            raise ValueError(f"KneserNey expects order >= 1. Received: order={order}")
        self.order = order
        self.vocabulary_size = 0
        self._levels: list[_Level] = []

    def fit(
        self,
        sequences: Sequences,
        vocabulary_size: int | None = None,
    ) -> "KneserNey":
        """Count the n-grams of some sequences. What was counted before is forgotten.

        Args:
            sequences: Ids `(batch, time)`, padded with 0, or a list of lists of ids.
            vocabulary_size: How many ids there are; one more than the largest
                by default.

        Returns:
            The model itself.

        Raises:
            ValueError: No sequence has two symbols, or an id is out of range.
        """
        rows = _rows(sequences)
        if all(len(row) < 2 for row in rows):
            raise ValueError(
                "sequences must hold at least one of two symbols or more. "
                f"Received: {len(rows)} sequences, all of them shorter"
            )
        largest = max(int(row.max()) for row in rows if len(row))
        self.vocabulary_size = size = largest + 1 if vocabulary_size is None else vocabulary_size
        _check_ids(rows, size)
        history, symbols = self._windows(rows)
        numbers = np.zeros(len(symbols), dtype="int64")
        contexts, members = [np.zeros(1, dtype="int64")], [numbers]
        for back in range(1, self.order):  # contexts grow by one older symbol at a time
            inside = history[:, -back] != _NOTHING
            keys = numbers[inside] * size + history[inside, -back]
            unique, places = np.unique(keys, return_inverse=True)
            numbers = np.full(len(symbols), _NOTHING)
            numbers[inside] = places
            contexts.append(unique)
            members.append(numbers)
        self._levels = _levels(contexts, members, symbols, size)
        return self

    @property
    def discounts(self) -> list[float]:
        """D of each order, from 1 up."""
        return [level.discount for level in self._levels]

    def log_probabilities(self, sequences: Sequences) -> np.ndarray:
        """The log probability of each symbol but the first, given all before it.

        Args:
            sequences: Ids `(batch, time)`, padded with 0, or a list of lists of ids.

        Returns:
            `(batch, time - 1)`, float64, in nats, 0 where the symbol is padding;
            `time` is that of the longest sequence.

        Raises:
            ValueError: The model was not fitted, or an id is out of range.
        """
        self._check_fitted()
        rows = _rows(sequences)
        lengths = np.array([len(row) for row in rows], dtype=int)
        longest = lengths.max(initial=1)
        if isinstance(sequences, np.ndarray):
            longest = sequences.shape[1]
        mask = np.arange(1, longest) < lengths[:, None]
        result = np.zeros(mask.shape)
        result[mask] = self._predicted(rows)
        return result

    def perplexity(self, sequences: Sequences) -> float:
        """The perplexity of all symbols of some sequences but the first of each.

        Args:
            sequences: As for `log_probabilities`.

        Raises:
            ValueError: The model was not fitted, an id is out of range, or no
                sequence has two symbols.
        """
        self._check_fitted()
        return perplexity(self._predicted(_rows(sequences)))

    def first_state(self, batch: int) -> np.ndarray:
        """The state before the first symbol: `(batch, order - 1)`, with no symbols yet."""
        self._check_fitted()
        return np.full((batch, self.order - 1), _NOTHING, dtype="int64")

    def step(self, previous: np.ndarray, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Read one more symbol; a step function for `rnnkit.decoding`.

        Args:
            previous: `(batch,)`: the symbol that came.
            state: `(batch, order - 1)`: those before it, -1 for none.

        Returns:
            The log probability of each next symbol, `(batch, vocabulary)`,
            float64, and the new state.
        """
        self._check_fitted()
        _check_ids([np.asarray(previous)], self.vocabulary_size)
        joined = np.concatenate([state, np.asarray(previous)[:, None]], axis=1)
        state = joined[:, joined.shape[1] - (self.order - 1) :]
        return np.log([self._distribution(row) for row in state]), state

    def _predicted(self, rows: list[np.ndarray]) -> np.ndarray:
        """The log probability of each symbol that is predicted, one row after the other."""
        _check_ids(rows, self.vocabulary_size)
        return np.log(self._probabilities(*self._windows(rows)))

    def _windows(self, rows: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Each symbol that is predicted, `(n,)`, and those before it, `(n, order - 1)`."""
        width = self.order - 1
        beginning = np.full(width, _NOTHING, dtype="int64")
        windows = [np.zeros((0, width + 1), dtype="int64")]
        for row in rows:
            if len(row):
                padded = np.concatenate([beginning, row])
                # The first window ends in the first symbol, which is given, not predicted.
                windows.append(np.lib.stride_tricks.sliding_window_view(padded, width + 1)[1:])
        joined = np.concatenate(windows)
        return joined[:, :-1], joined[:, -1]

    def _probabilities(self, history: np.ndarray, symbols: np.ndarray) -> np.ndarray:
        """p(symbol | history) for many symbols at once, from the lowest order up."""
        size = self.vocabulary_size
        result = np.full(len(symbols), 1 / size)
        numbers = np.zeros(len(symbols), dtype="int64")  # of the context, -1 for an unseen one
        for back, level in enumerate(self._levels):
            if back:
                older = history[:, -back]
                inside = (numbers >= 0) & (older != _NOTHING)
                numbers = np.where(inside, _find(level.contexts, numbers * size + older), -1)
            seen = numbers >= 0
            context = numbers[seen]
            places = _find(level.grams, context * size + symbols[seen])
            counts = np.where(places >= 0, level.counts[places], 0)
            kept = np.maximum(counts - level.discount, 0)
            left = level.discount * level.kinds[context]
            result[seen] = (kept + left * result[seen]) / level.totals[context]
        return result

    def _distribution(self, history: np.ndarray) -> np.ndarray:
        """p(· | history) over the whole vocabulary, `(vocabulary,)`."""
        size = self.vocabulary_size
        result = np.full(size, 1 / size)
        number = 0
        for back, level in enumerate(self._levels):
            if back:
                if history[-back] == _NOTHING:
                    break
                key = np.array([number * size + history[-back]])
                number = int(_find(level.contexts, key)[0])
                if number < 0:
                    break  # then no longer context was seen either
            begin, end = np.searchsorted(level.grams, [number * size, (number + 1) * size])
            result *= level.discount * level.kinds[number]
            result[level.grams[begin:end] - number * size] += (
                level.counts[begin:end] - level.discount
            )
            result /= level.totals[number]
        return result

    def _check_fitted(self) -> None:
        if not self._levels:
            raise ValueError("KneserNey must be fitted first. Received: a model without counts")


def _levels(
    contexts: list[np.ndarray], members: list[np.ndarray], symbols: np.ndarray, size: int
) -> list[_Level]:
    """Count at each order, from the highest down to 1; the result is from 1 up."""
    levels: list[_Level] = []
    seen_before = np.zeros(0, dtype="int64")  # the n-grams of this order, once for each
    for back in range(len(contexts) - 1, -1, -1):
        # The contexts that nothing goes before: all of them at the highest order.
        whole = members[back] != _NOTHING
        if levels:
            whole &= members[back + 1] == _NOTHING
        keys = np.concatenate([seen_before, members[back][whole] * size + symbols[whole]])
        grams, counts = np.unique(keys, return_counts=True)
        levels.append(_level(contexts[back], grams, counts, size))
        if back:
            shorter = contexts[back][grams // size] // size
            seen_before = shorter * size + grams % size
    return levels[::-1]


def _level(contexts: np.ndarray, grams: np.ndarray, counts: np.ndarray, size: int) -> _Level:
    owners = grams // size
    totals = np.bincount(owners, weights=counts, minlength=len(contexts))
    kinds = np.bincount(owners, minlength=len(contexts))
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    discount = once / (once + 2 * twice) if once and twice else _USUAL_DISCOUNT
    return _Level(contexts, grams, counts, totals, kinds, discount)


def _find(ordered: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The place of each key in a sorted array, -1 where it is not there."""
    if not len(ordered):
        return np.full(len(keys), -1)
    places = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    return np.where(ordered[places] == keys, places, -1)


def _rows(sequences: Sequences) -> list[np.ndarray]:
    """The sequences without padding, as int64."""
    rows = [np.asarray(row) for row in sequences]
    for row in rows:
        if row.ndim != 1 or (row.size and not np.issubdtype(row.dtype, np.integer)):
            raise ValueError(
                "KneserNey expects ids, (batch, time) or a list of lists of whole numbers; "
                "rnnkit.text.Vocabulary makes them from texts. "
                f"Received: {row.dtype}, shape {row.shape}, for one sequence"
            )
    return [_without_padding(row.astype("int64")) for row in rows]


def _without_padding(row: np.ndarray) -> np.ndarray:
    real = row[: np.flatnonzero(row != PAD_ID).max(initial=-1) + 1]
    if (real == PAD_ID).any():
        raise ValueError(
            f"0 is padding, and may stand after the symbols of a sequence alone. Received: {row}"
        )
    return real


def _check_ids(rows: list[np.ndarray], size: int) -> None:
    for row in rows:
        if row.size and not 0 <= row.min() <= row.max() < size:
            wrong = row[(row < 0) | (row >= size)][0]
            raise ValueError(
                f"each id must be from 0 to {size - 1}, as vocabulary_size says. Received: {wrong}"
            )
