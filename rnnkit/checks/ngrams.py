"""Checks for unit 03: n-gram models."""

from collections.abc import Hashable, Sequence

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array
from rnnkit.checks.inputs import Function, call

Array = np.ndarray


@check
def kneser_ney(answer: Function, words: int = 6, seed: int = 0) -> None:
    """Check `answer(counts, discount)`, section s10: interpolated Kneser-Ney for bigrams.

    P(w | v) = max(c(v, w) - d, 0) / c(v) + d t(v) / c(v) · P(w), where t(v) is
    how many different words follow v, and P(w) the share of all different
    bigrams that end in w. After a v that never came, P(w | v) is P(w).

    Args:
        answer: The student's function of counts `(words, words)`, the row being
            the word before, and the discount; it returns P(w | v), of the same
            shape.
        words: The size of the vocabulary.
        seed: For the random counts.

    Raises:
        AssertionError: The probabilities are not right.
    """

    def model(
        *,
        lower: str = "continuation",
        types: bool = True,
        discounted: bool = True,
        interpolated: bool = True,
        unseen: str = "lower",
    ) -> Function:
        def probabilities(counts: Array, discount: float) -> Array:
            total = counts.sum(axis=1, keepdims=True)
            follow = (counts > 0).sum(axis=1, keepdims=True)
            base = {
                "continuation": (counts > 0).sum(axis=0) / (counts > 0).sum(),
                "counts": counts.sum(axis=0) / counts.sum(),
                "uniform": np.full(len(counts), 1 / len(counts)),
                "starts": (counts > 0).sum(axis=1) / (counts > 0).sum(),
            }[lower]
            safe = np.where(total > 0, total, 1.0)
            upper = np.maximum(counts - (discount if discounted else 0), 0) / safe
            weight = discount * (follow if types else 1) / safe
            mixed = upper + weight * base
            if not interpolated:
                mixed = np.where(counts > 0, upper, weight * base)
            if unseen == "nan":
                return np.where(total > 0, mixed, np.nan)
            if unseen == "lower":
                return np.where(total > 0, mixed, base)
            return np.where(total > 0, mixed, 0.0)

        return probabilities

    def no_lower(counts: Array, discount: float) -> Array:
        total = counts.sum(axis=1, keepdims=True)
        return np.maximum(counts - discount, 0) / np.where(total > 0, total, 1.0)

    def plain(counts: Array, discount: float) -> Array:
        total = counts.sum(axis=1, keepdims=True)
        return counts / np.where(total > 0, total, 1.0)

    expect_answers(
        "kneser_ney(counts, discount)",
        answer,
        {
            "": (_counts(words, seed), 0.75),
            "another discount": (_counts(words + 1, seed + 1), 0.4),
            "words that all came": (_counts(words, seed + 2) + 1, 0.75),
        },
        model(),
        {
            "P(w) is made of how often w came; it should be made of after how many different "
            "words it came.": model(lower="counts"),
            "P(w) is the same for all words; it should be made of after how many different words "
            "w came.": model(lower="uniform"),
            "P(w) counts what follows w; it should count after how many different words w "
            "came.": model(lower="starts"),
            "The weight of P(w) lacks the number of different words that follow: d t(v) / c(v).": (
                model(types=False)
            ),
            "The discount is not taken from the counts, so the rows sum to more than 1.": model(
                discounted=False
            ),
            "P(w) is used only where the count is 0; interpolated Kneser-Ney adds it everywhere.": (
                model(interpolated=False)
            ),
            "What the discount takes away is not given to P(w): the second part is missing.": (
                no_lower
            ),
            "A word that never came has only zeros after it; it should have P(w).": model(
                unseen="zeros"
            ),
            "A word that never came gives NaN: its count is 0. It should have P(w).": model(
                unseen="nan"
            ),
            "These are shares of the counts, without any smoothing.": plain,
        },
    )


def _counts(words: int, seed: int) -> Array:
    """Random bigram counts; the last word never stands before another."""
    generator = np.random.default_rng(seed)
    counts = generator.poisson(1.2, (words, words)) * (generator.random((words, words)) < 0.7)
    counts[np.arange(words), (np.arange(words) + 1) % words] += 3
    counts[0] += (np.arange(words) % 2) * 2
    counts[-1] = 0
    return counts.astype("float64")


@check
def probabilities_sum_to_one(
    answer: Function, vocabulary: Sequence[Hashable], contexts: Sequence[Sequence[Hashable]]
) -> None:
    """Check that a model's probabilities of all next symbols sum to 1, sections s8 and s10.

    Args:
        answer: The student's function of a symbol and a context (a list of
            symbols); it returns the symbol's probability after this context.
        vocabulary: All symbols that may come.
        contexts: What came before; one that was never seen should be among them.

    Raises:
        AssertionError: There is a number that is no probability, or another sum.
    """
    for context in contexts:
        shown = " ".join(str(symbol) for symbol in context) or "(nothing)"
        name = f"the probability after {shown!r}"
        row = np.array(
            [
                float(as_array(name, call("probability", answer, symbol, list(context))).item())
                for symbol in vocabulary
            ]
        )
        if not np.isfinite(row).all():
            raise AssertionError(
                f"{name} is NaN or infinity. Was something divided by the count of a context that "
                "never came?"
            )
        if (row < 0).any():
            raise AssertionError(
                f"{name} is negative: {row.min():.4g}. Is it a logarithm? Return the probability."
            )
        if abs(row.sum() - 1) > 1e-4:
            hint = "Was what the discount takes away given to other symbols?"
            if not row.any():
                hint = "A context that never came needs the probabilities of a shorter one."
            elif row.sum() > 1:
                hint = "Do the shares of the two parts sum to 1?"
            raise AssertionError(
                f"The probabilities of all {len(row)} symbols after {shown!r} sum to "
                f"{row.sum():.4g}. Expected: 1. {hint}"
            )
        if (row == 0).any():
            symbol = vocabulary[int(row.argmin())]
            raise AssertionError(
                f"The probability of {symbol!r} after {shown!r} is 0, so a text with it has an "
                "infinite perplexity. Each symbol of the vocabulary needs a small probability."
            )
