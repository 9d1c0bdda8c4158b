"""Checks for unit 03: temperature, top-k, top-p, and drawing a symbol."""

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array
from rnnkit.checks.inputs import Function, call, random_numbers, softmax

Array = np.ndarray


@check
def temperature(answer: Function, seed: int = 0) -> None:
    """Check `answer(logits, temperature)`, section s9: `softmax(logits / temperature)`.

    Args:
        answer: The student's function of logits `(batch, vocabulary)` and a
            number above 0; it returns probabilities `(batch, vocabulary)`.
        seed: For the random logits.

    Raises:
        AssertionError: The probabilities are not right.
    """
    logits = random_numbers(seed, 3, 5)

    def shares(scores: Array) -> Array:
        return scores / scores.sum(axis=-1, keepdims=True)

    def one_largest(logits: Array, t: float, dtype: str) -> Array:
        scaled = (logits / t).astype(dtype)
        return shares(np.exp(scaled - scaled.max()))

    expect_answers(
        "with_temperature(logits, temperature)",
        answer,
        {
            "": (logits, 0.5),
            "a high temperature": (logits, 2.5),
            "the temperature 1": (logits, 1.0),
            "a batch of one": (logits[:1], 0.7),
            "large logits": (300 * logits, 0.5),
            "rows far apart": (np.round(3 * logits) + np.array([[-900], [900], [0]]), 2.0),
            "a low temperature": (logits, 0.05),
        },
        lambda logits, t: softmax(logits / t),
        {
            "The logits are multiplied by the temperature; divide by it.": (
                lambda logits, t: softmax(logits * t)
            ),
            "The temperature has no part in it.": lambda logits, t: softmax(logits),
            "The temperature comes after the softmax, so the rows do not sum to 1; divide the "
            "logits.": lambda logits, t: softmax(logits) / t,
            "The powers of the probabilities are not divided by their sum.": (
                lambda logits, t: softmax(logits) ** (1 / t)
            ),
            "The softmax is taken twice: the temperature divides the logits, not the "
            "probabilities.": lambda logits, t: softmax(softmax(logits) / t),
            "The softmax runs over the batch; it should run over the vocabulary.": (
                lambda logits, t: softmax(logits.T / t).T
            ),
            "The exponentials are divided by the sum over the whole batch; each row should sum to "
            "1.": lambda logits, t: softmax((logits / t).reshape(1, -1)).reshape(logits.shape),
            "These are the divided logits; the softmax is missing.": lambda logits, t: logits / t,
            "These are logarithms; return the probabilities.": (
                lambda logits, t: np.log(softmax(logits / t))
            ),
            "A low temperature is replaced by a higher one; each number above 0 is allowed.": [
                lambda logits, t: softmax(logits / max(t, 0.1)),
                lambda logits, t: softmax(logits / max(t, 0.2)),
            ],
            "An exp() becomes infinity or 0 there: first subtract the largest logit of each row, "
            "not one for all.": [
                lambda logits, t: one_largest(logits, t, "float32"),
                lambda logits, t: one_largest(logits, t, "float64"),
                lambda logits, t: shares(np.exp((logits / t).astype("float32"))),
                lambda logits, t: shares(np.exp(logits / t)),
            ],
            "The temperature is subtracted; divide by it.": lambda logits, t: (
                np.exp(logits - t) / np.exp(logits).sum(axis=-1, keepdims=True)
            ),
        },
    )


@check
def top_k(answer: Function, seed: int = 0) -> None:
    """Check `answer(probabilities, k)`, section s9.

    Args:
        answer: The student's function of probabilities `(batch, vocabulary)`
            and a number; it returns probabilities in which only the k largest
            of each row are above 0, divided by their sum.
        seed: For the random probabilities.

    Raises:
        AssertionError: The probabilities are not right.
    """

    def ranks(p: Array) -> Array:
        return (-p).argsort(axis=-1).argsort(axis=-1)  # 0 for the largest

    def kept(p: Array, keep: Array, divide: bool = True) -> Array:
        left = np.where(keep, p, 0.0)
        return left / left.sum(axis=-1, keepdims=True) if divide else left

    p = _probabilities(seed, 3, 7)
    expect_answers(
        "top_k(probabilities, k)",
        answer,
        {
            "": (p, 3),
            "k = 1": (p, 1),
            "k = the vocabulary": (p, 7),
            "a batch of one": (p[:1], 2),
        },
        lambda p, k: kept(p, ranks(p) < k),
        {
            "The rows do not sum to 1: divide what is left by its sum.": lambda p, k: kept(
                p, ranks(p) < k, divide=False
            ),
            "One symbol too many is left.": lambda p, k: kept(p, ranks(p) < k + 1),
            "One symbol too few is left.": lambda p, k: kept(p, ranks(p) < k - 1),
            "The least probable symbols are left; keep the most probable.": lambda p, k: kept(
                p, ranks(-p) < k
            ),
            "The least probable symbols are taken away, k of them; k is the number to "
            "keep.": lambda p, k: kept(p, ranks(-p) >= k),
            "All symbols that are left have the same probability; keep their shares.": (
                lambda p, k: (ranks(p) < k) / k
            ),
            "All rows keep the symbols of the first; each row has its own.": lambda p, k: kept(
                p, np.broadcast_to(ranks(p)[:1] < k, p.shape)
            ),
            "The k-th largest number of the whole batch is the border; each row has its own.": (
                lambda p, k: kept(p, p >= np.sort(p, axis=None)[-k])
            ),
            "The symbols stand in the order of their probabilities; each must stay in its "
            "place.": lambda p, k: kept(-np.sort(-p), np.arange(p.shape[-1]) < k),
            "The softmax is taken of the probabilities that are left; divide by their sum.": (
                lambda p, k: softmax(p, ranks(p) < k)
            ),
            "Nothing is taken away.": lambda p, k: p,
        },
    )


@check
def top_p(answer: Function, seed: int = 0) -> None:
    """Check `answer(probabilities, mass)`, section s9: the nucleus.

    Args:
        answer: The student's function of probabilities `(batch, vocabulary)`
            and a number above 0, at most 1; it returns probabilities in which only the
            most probable symbols are above 0, as few as together have at least
            this mass, divided by their sum.
        seed: For the random probabilities.

    Raises:
        AssertionError: The probabilities are not right.
    """

    def nucleus(p: Array, mass: float, divide: bool = True, further: int = 0) -> Array:
        ordered = -np.sort(-p, axis=-1)
        sizes = (ordered.cumsum(axis=-1) < mass).sum(axis=-1, keepdims=True) + 1 + further
        rank = (-p).argsort(axis=-1).argsort(axis=-1)
        left = np.where(rank < sizes, p, 0.0)
        return left / left.sum(axis=-1, keepdims=True) if divide else left

    def rounded(p: Array, mass: float, digits: int) -> Array:
        ordered = -np.sort(-p, axis=-1)
        before = np.round(ordered.cumsum(axis=-1) - ordered, digits)
        sizes = (before < mass).sum(axis=-1, keepdims=True)
        left = np.where((-p).argsort(axis=-1).argsort(axis=-1) < sizes, p, 0.0)
        return left / left.sum(axis=-1, keepdims=True)

    def by_argmax(p: Array, mass: float) -> Array:
        """The first place where the sum reaches the mass; argmax gives 0 where there is none."""
        last = ((-np.sort(-p, axis=-1)).cumsum(axis=-1) >= mass).argmax(axis=-1)[:, None]
        left = np.where((-p).argsort(axis=-1).argsort(axis=-1) <= last, p, 0.0)
        return left / left.sum(axis=-1, keepdims=True)

    def within(p: Array, mass: float) -> Array:
        """The most symbols whose sum does not pass the mass, and at least one."""
        ordered = -np.sort(-p, axis=-1)
        sizes = np.maximum(1, (ordered.cumsum(axis=-1) <= mass).sum(axis=-1, keepdims=True))
        left = np.where((-p).argsort(axis=-1).argsort(axis=-1) < sizes, p, 0.0)
        return left / left.sum(axis=-1, keepdims=True)

    def above(p: Array, least: float) -> Array:
        left = np.where(p >= least, p, 0.0)
        return left / left.sum(axis=-1, keepdims=True)

    masses = (0.6, 0.05, 0.9)
    p = _clear_of(masses, seed)
    # Sums of such numbers are not rounded, so that each way to add them up gives the same.
    exact = np.array([[0.1875, 0.5, 0.0625, 0.25], [0.4375, 0.0625, 0.1875, 0.3125]])
    below = np.array([[0.59765625, 0.25, 0.15234375], [0.15234375, 0.59765625, 0.25]])
    expect_answers(
        "top_p(probabilities, mass)",
        answer,
        {
            "": (p, masses[0]),
            "a small mass: one symbol is left": (p, masses[1]),
            "a large mass": (p, masses[2]),
            "a batch of one": (p[:1], masses[0]),
            "a sum that is exactly the mass": (exact, 0.75),
            "a sum just below the mass": (below, 0.6),
            "the mass 1": (_just_below_one(seed), 1.0),
        },
        nucleus,
        {
            "The set is too small: the symbol with which the sum reaches the mass belongs to it.": [
                lambda p, mass: nucleus(p, mass, further=-1),
                lambda p, mass: np.where(
                    nucleus(p, mass, divide=False).max(axis=-1, keepdims=True) >= mass,
                    nucleus(p, mass),
                    nucleus(p, mass, further=-1),
                ),
                within,
            ],
            "One symbol too many is left.": lambda p, mass: nucleus(p, mass, further=1),
            "One symbol too many is left where the sum is exactly the mass: at least the mass is "
            "enough.": lambda p, mass: nucleus(p, np.nextafter(mass, 1.0)),
            "What is left is divided by the mass; divide it by its own sum.": lambda p, mass: (
                nucleus(p, mass, divide=False) / mass
            ),
            "The rows do not sum to 1: divide what is left by its sum.": lambda p, mass: nucleus(
                p, mass, divide=False
            ),
            "The least probable symbols are left; begin with the most probable.": lambda p, mass: (
                _lowest(p, mass)
            ),
            "Symbols are kept by their own probability; the sum of the most probable ones must "
            "reach the mass.": [above, lambda p, mass: above(p, 1 - mass)],
            "The symbols stand in the order of their probabilities; each must stay in its "
            "place.": lambda p, mass: nucleus(-np.sort(-p, axis=-1), mass),
            "The way back from the sorted order is wrong: write to the places of argsort "
            "(np.put_along_axis), or read with the argsort of the order.": [
                lambda p, mass: _sorted_twice(p, mass, mask_alone=True),
                lambda p, mass: _sorted_twice(p, mass, mask_alone=False),
            ],
            "All rows keep as many symbols as the first; each row has its own number.": (
                lambda p, mass: _as_many_as_first(p, mass)
            ),
            "The sum runs over the symbols in the order of their ids; sort them first.": (
                lambda p, mass: _unsorted(p, mass)
            ),
            "The sums are rounded before they are compared with the mass; compare them as they "
            "are.": [
                lambda p, mass: rounded(p, mass, digits=1),
                lambda p, mass: rounded(p, mass, digits=2),
            ],
            "One symbol is left where rounding keeps the sum of all just below the mass 1: argmax "
            "gives 0 where no place is found. All should stay.": by_argmax,
            "Nothing is taken away.": lambda p, mass: p,
        },
    )


def _lowest(p: Array, mass: float) -> Array:
    order = p.argsort(axis=-1)
    ranks = order.argsort(axis=-1)
    sums = np.take_along_axis(p, order, axis=-1).cumsum(axis=-1)
    left = np.where(ranks < (sums < mass).sum(axis=-1, keepdims=True) + 1, p, 0.0)
    return left / left.sum(axis=-1, keepdims=True)


def _sorted_twice(p: Array, mass: float, mask_alone: bool) -> Array:
    """What is kept, in the sorted order, is read by the order a second time."""
    order = (-p).argsort(axis=-1)
    ordered = np.take_along_axis(p, order, axis=-1)
    keep = ordered.cumsum(axis=-1) - ordered < mass
    if mask_alone:
        left = np.where(np.take_along_axis(keep, order, axis=-1), p, 0.0)
    else:
        left = np.take_along_axis(np.where(keep, ordered, 0.0), order, axis=-1)
    return left / left.sum(axis=-1, keepdims=True)


def _as_many_as_first(p: Array, mass: float) -> Array:
    size = int((-np.sort(-p[0])).cumsum().searchsorted(mass)) + 1
    left = np.where((-p).argsort(axis=-1).argsort(axis=-1) < size, p, 0.0)
    return left / left.sum(axis=-1, keepdims=True)


def _unsorted(p: Array, mass: float) -> Array:
    left = np.where(p.cumsum(axis=-1) - p < mass, p, 0.0)
    return left / left.sum(axis=-1, keepdims=True)


def _clear_of(masses: tuple[float, ...], seed: int) -> Array:
    """Probabilities whose sums are not so close to a mass that rounding decides."""
    for attempt in range(1000):
        p = _probabilities(seed + 1000 * attempt, 4, 7)
        sums = (-np.sort(-p, axis=-1)).cumsum(axis=-1)
        sizes = [(sums < mass).sum(axis=-1) for mass in masses]
        clear = all(np.abs(sums - mass).min() > 1e-3 for mass in masses)
        if clear and len(set(sizes[0])) >= 2 and sizes[0].min() >= 1:
            return p
    raise RuntimeError(f"no probabilities found for seed={seed}")


def _just_below_one(seed: int, rows: int = 3) -> Array:
    """Probabilities whose sums, added up from the largest, rounding keeps below 1."""
    found: list[Array] = []
    for attempt in range(1000):
        for row in _probabilities(seed + 1000 * attempt, 4, 7):
            ordered = -np.sort(-row)
            sums = [ordered.astype(kind).cumsum()[-1] for kind in ("float32", "float64")]
            if max(sums) < 1:
                found.append(row)
        if len(found) >= rows:
            return np.stack(found[:rows])
    raise RuntimeError(f"no probabilities found for seed={seed}")


def _probabilities(seed: int, *shape: int) -> Array:
    return softmax(1.2 * random_numbers(seed, *shape)).astype("float32").astype("float64")


@check
def sampling(answer: Function, count: int = 3000, seed: int = 0) -> None:
    """Check `answer(probabilities, seed)`, section s9: draw one symbol for each row.

    Args:
        answer: The student's function of probabilities `(batch, vocabulary)`
            and a seed; it returns one id for each row, `(batch,)`, and the same
            ids for the same seed.
        count: How many rows have each of two distributions.
        seed: For the distributions, and the first seed that is given.

    Raises:
        AssertionError: The ids are not drawn by their probabilities. (A right
            answer fails in less than one of a million runs.)
    """
    what = "sample(probabilities, seed)"
    p = _probabilities(seed, 2, 5)
    rows = np.repeat(p, count, axis=0)
    ids = as_array(what, call("sample", answer, rows, seed))
    if ids.shape != (2 * count,):
        raise AssertionError(
            f"{what} should return one id for each row, the shape {(2 * count,)}. "
            f"Received: shape {ids.shape}"
        )
    if (ids != np.round(ids)).any() or (ids < 0).any() or (ids >= 5).any():
        raise AssertionError(
            f"{what} should return ids from 0 to 4 here, one less than the size of the "
            f"vocabulary. Received: from {ids.min()} to {ids.max()}"
        )
    counts = [np.bincount(part.astype(int), minlength=5) for part in np.split(ids, 2)]
    shares = np.stack(counts) / count
    again = as_array(what, call("sample", answer, rows, seed))
    _expect_shares(what, shares, p, count)
    if not np.array_equal(ids, again):
        raise AssertionError(f"{what} gives other ids when it is called with the same seed again.")
    if np.array_equal(ids, as_array(what, call("sample", answer, rows, seed + 1))):
        raise AssertionError(f"{what} gives the same ids for each seed: the seed is not used.")


def _expect_shares(what: str, shares: Array, p: Array, count: int) -> None:
    def explain(expected: Array) -> bool:
        deviation = np.sqrt(expected * (1 - expected) / count)
        return bool((np.abs(shares - expected) <= 5.5 * deviation + 1e-9).all())

    if explain(p):
        return
    slips = {
        "Each row has its most probable symbol: this is greedy, nothing is drawn.": np.eye(5)[
            p.argmax(axis=-1)
        ],
        "All symbols are drawn equally often: the probabilities have no part in it.": np.full(
            p.shape, 0.2
        ),
        "All rows are drawn with the first row's probabilities.": p[[0, 0]],
        "Symbols are drawn by exp(p): the probabilities are taken for logits.": softmax(p),
    }
    named = [sentence for sentence, expected in slips.items() if explain(expected)]
    if not named and (shares.max(axis=-1) == 1).all():
        named = ["All rows get the same symbol: draw a number of its own for each row."]
    hint = f" {named[0]}" if named else ""
    raise AssertionError(
        f"{what}: not right.{hint}\nShares of the symbols in yours: {np.round(shares[0], 3)}\n"
        f"Expected: {np.round(p[0], 3)}"
    )
