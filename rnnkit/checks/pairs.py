"""Checks for unit 04: the similarity of two sentences, and the threshold for it."""

from collections.abc import Callable

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array
from rnnkit.checks.inputs import Function, call, random_numbers, telling_apart

Array = np.ndarray


@check
def cosine_similarity(answer: Function, seed: int = 0) -> None:
    """Check `answer(first, second)`, section s18.

    Args:
        answer: The student's function of two arrays `(batch, units)`; it returns
            the cosine of each pair of rows, `(batch,)`; 0 where a vector is zero.
        seed: For the random vectors.

    Raises:
        AssertionError: The similarities are not right.
    """

    def product(a: Array, b: Array) -> Array:
        return (a * b).sum(axis=-1)

    def norm(a: Array) -> Array:
        return np.sqrt((a**2).sum(axis=-1))

    def divided(product: Array, norms: Array) -> Array:
        return np.where(norms > 0, product / np.where(norms > 0, norms, 1.0), 0.0)

    def right(a: Array, b: Array) -> Array:
        return divided(product(a, b), norm(a) * norm(b))

    a, b = random_numbers(seed, 4, 5), random_numbers(seed + 1, 4, 5)
    rows = np.array([[1.0], [0.0], [1.0], [0.0]])

    def above(least: float) -> Function:
        return lambda a, b: product(a, b) / (norm(a) * norm(b) + least)

    def half_a_guard(looked_after: int) -> Function:
        """0 where this vector is zero; NaN where the other one is."""
        return lambda *pair: np.where(
            norm(pair[looked_after]) > 0, product(*pair) / (norm(pair[0]) * norm(pair[1])), 0.0
        )

    def all_or_nothing(a: Array, b: Array) -> Array:
        return right(a, b) * (norm(a) * norm(b) > 0).all()

    expect_answers(
        "cosine_similarity(first, second)",
        answer,
        {
            "": (a, b),
            "a batch of one": (a[:1], b[:1]),
            "a vector of zeros": (a * rows, b),
            "a second vector of zeros": (a, b * (1 - rows)),
            "short vectors": (a / 64, b / 64),
            "the same vectors": (a, a),
        },
        right,
        {
            "The norms are left out: this is the dot product.": product,
            "It is divided by the norm of the first vector alone.": (
                lambda a, b: divided(product(a, b), norm(a))
            ),
            "It is divided by the norm of the second vector alone.": (
                lambda a, b: divided(product(a, b), norm(b))
            ),
            "It is divided by the norms of the whole batch; each row has a norm of its own.": (
                lambda a, b: divided(product(a, b), norm(a.ravel()) * norm(b.ravel()))
            ),
            "It is divided by squared norms; take the square root.": (
                lambda a, b: divided(product(a, b), (norm(a) * norm(b)) ** 2)
            ),
            "It is divided by the sum of the norms; divide by their product.": (
                lambda a, b: divided(product(a, b), norm(a) + norm(b))
            ),
            "The norm is the sum of absolute values; it is the square root of the sum of "
            "squares.": lambda a, b: divided(
                product(a, b), np.abs(a).sum(axis=-1) * np.abs(b).sum(axis=-1)
            ),
            "This is the distance, one minus the cosine.": lambda a, b: 1 - right(a, b),
            "These are the cosines of all pairs of rows; give those of row 1 with row 1, 2 with "
            "2, and so on.": lambda a, b: right(a[:, None], b[None]),
            "The sum runs over the batch; it should run over the units.": (
                lambda a, b: right(a.T, b.T)
            ),
            "A vector of zeros gives NaN: its norm is 0. The similarity should be 0.": (
                lambda a, b: product(a, b) / (norm(a) * norm(b))
            ),
            "Zeros are looked after in one of the two vectors alone; either can be zero.": [
                half_a_guard(0),
                half_a_guard(1),
            ],
            "One vector of zeros makes the similarities of all pairs 0; each pair has its own.": (
                all_or_nothing
            ),
            "A number that is added below the line changes the similarity of short vectors; ask "
            "where the norm is 0, or take a much smaller number.": [above(1e-5), above(1e-6)],
            "This is one number for the whole batch; give one for each pair.": (
                lambda a, b: (a * b).sum() / (np.sqrt((a**2).sum()) * np.sqrt((b**2).sum()))
            ),
        },
    )


@check
def best_threshold(answer: Function, count: int = 40, seed: int = 0) -> None:
    """Check `answer(similarities, labels)`, section s18.

    Args:
        answer: The student's function of the similarities of pairs, `(n,)`, and
            of their labels, 1 for a paraphrase; it returns a threshold: pairs
            with at least this similarity are taken for paraphrases. There is
            more than one best threshold, so its accuracy is compared.
        count: How many pairs.
        seed: For the random pairs.

    Raises:
        AssertionError: Another threshold gives more right answers.
    """

    def make(generator: np.random.Generator) -> tuple[Array, Array] | None:
        labels = (generator.random(count) < 0.25).astype("int64")
        similarities = np.tanh(0.9 + 0.7 * labels + 0.35 * generator.normal(size=count))
        similarities = similarities.astype("float32").astype("float64")
        if not 3 <= labels.sum() <= count - 3 or np.diff(np.sort(similarities)).min() < 1e-5:
            return None
        best = _best_share(similarities, labels)
        rules = [way(similarities, labels) for way in _THRESHOLDS.values()]
        worse = all(_right_share(similarities, labels, rule) < best for rule in rules)
        return (similarities, labels) if worse else None

    _expect_best(answer, *telling_apart(make, _THRESHOLDS.values(), seed, gap=1e-4))
    # The only paraphrase is the least similar pair: it is best to say "no" to all.
    _expect_best(answer, np.array([0.5, 0.25, 0.75, 0.625]), np.array([0, 1, 0, 0]))
    # The same, where two texts are alike: not even 1 lies above all similarities.
    _expect_best(answer, np.array([0.5, 0.25, 1.0, 0.625]), np.array([0, 1, 0, 0]))


def _expect_best(answer: Function, similarities: Array, labels: Array) -> None:
    what = "best_threshold(similarities, labels)"
    value = as_array(what, call("best_threshold", answer, similarities, labels))
    if value.size != 1:
        raise AssertionError(f"{what} should be one number. Received: shape {value.shape}")
    threshold = float(value.item())
    best = _best_share(similarities, labels)
    share = _right_share(similarities, labels, threshold)
    if share >= best - 1e-9:
        return
    raise AssertionError(
        f"{what}: with {threshold:.4g}, {share:.1%} of the pairs are right. Another threshold "
        f"gives {best:.1%}.{_hint(similarities, labels, threshold, best)}"
    )


def _hint(similarities: Array, labels: Array, threshold: float, best: float) -> str:
    """What is known about the slip, with a space before each sentence."""
    hints = [
        " " + sentence
        for sentence, way in _THRESHOLDS.items()
        if abs(threshold - way(similarities, labels)) < 1e-5
    ][:1]
    if _right_share(similarities, labels, np.inf) == best:
        hints.append(
            ' Here it is best to say "no" to all: try also a number above all similarities.'
        )
    elif _right_share(similarities, labels, threshold + 2e-6) == best:
        hints.append(
            " A pair at the threshold itself is called a paraphrase: count with >=, not with >."
        )
    return "".join(hints)


def _right_share(similarities: Array, labels: Array, threshold: float) -> float:
    # Half a step of float32 below: the threshold may be one of the similarities.
    return float(np.mean((similarities >= threshold - 1e-6) == (labels == 1)))


def _best_share(similarities: Array, labels: Array) -> float:
    return max(_right_share(similarities, labels, t) for t in [*similarities, np.inf])


def _lowest_share(similarities: Array, labels: Array) -> float:
    shares = [_right_share(similarities, labels, t) for t in similarities]
    return float(similarities[int(np.argmin(shares))])


_THRESHOLDS: dict[str, Callable[[Array, Array], float]] = {
    "This is one half, whatever the similarities are.": lambda s, labels: 0.5,
    "This is 0, whatever the similarities are.": lambda s, labels: 0.0,
    "This is the mean of all similarities.": lambda s, labels: float(s.mean()),
    "This is the median of all similarities.": lambda s, labels: float(np.median(s)),
    "This is the mean similarity of the paraphrases.": lambda s, labels: float(
        s[labels == 1].mean()
    ),
    "This lies in the middle between the means of the two kinds.": lambda s, labels: float(
        (s[labels == 1].mean() + s[labels == 0].mean()) / 2
    ),
    "This is the smallest similarity of a paraphrase.": lambda s, labels: float(
        s[labels == 1].min()
    ),
    "This is the largest similarity of a pair that is no paraphrase.": lambda s, labels: float(
        s[labels == 0].max()
    ),
    "This is the worst of all: take the largest accuracy.": _lowest_share,
}
