"""Checks for unit 06: scores, softmax, context."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import TOLERANCE, as_array, expect_close
from rnnkit.checks.inputs import Function, call, random_mask, random_numbers, softmax


@check
def dot_product_score(
    answer: Function, batch: int = 2, source: int = 4, units: int = 3, seed: int = 0
) -> None:
    """Check `answer(query, keys)`, section s26.

    Args:
        answer: The student's function.
        batch: Sentences side by side.
        source: Positions in each.
        units: The size of the query and of each key.
        seed: For the random inputs.

    Raises:
        AssertionError: The scores are not right.
    """
    query, keys = _query_and_keys(batch, source, units, units, seed)
    actual = call("dot_product_score", answer, query, keys)
    expected = np.einsum("bq,bsq->bs", query, keys)
    expect_close(
        "dot_product_score(query, keys)",
        actual,
        expected,
        {
            "These are the products before they are summed over the units.": query[:, None] * keys,
            "All sentences share the first sentence's query.": keys @ query[0],
            "The sum runs over the source positions; it should run over the units.": (
                query[:, None] * keys
            ).sum(axis=1),
            "The product is divided by the square root of the units; here it is not.": expected
            / np.sqrt(units),
            **_squeezed(expected),
        },
    )
    others = _query_and_keys(batch, source, units, units, seed + _OTHER)
    _expect_nothing_kept(
        "dot_product_score(query, keys)",
        answer,
        lambda query, keys: np.einsum("bq,bsq->bs", query, keys),
        [query, keys],
        others,
    )


@check
def multiplicative_score(
    answer: Function,
    batch: int = 2,
    source: int = 4,
    query_units: int = 3,
    key_units: int = 3,
    seed: int = 0,
) -> None:
    """Check `answer(query, keys, W)`, section s26.

    Args:
        answer: The student's function.
        batch: Sentences side by side.
        source: Positions in each.
        query_units: The size of the query.
        key_units: The size of each key.
        seed: For the random inputs.

    Raises:
        AssertionError: The scores are not right.
    """

    def inputs(seed: int) -> list[np.ndarray]:
        query, keys = _query_and_keys(batch, source, query_units, key_units, seed)
        return [query, keys, random_numbers(seed + 1, query_units, key_units)]

    def right(query: np.ndarray, keys: np.ndarray, W: np.ndarray) -> np.ndarray:
        scores: np.ndarray = np.einsum("bq,qk,bsk->bs", query, W, keys)
        return scores

    query, keys, W = inputs(seed)
    actual = call("multiplicative_score", answer, query, keys, W)
    slips = {
        "These are the products before they are summed over the units.": (query @ W)[:, None] * keys
    }
    if query_units == key_units:
        slips["W is transposed: the query comes first, then W, then the key."] = np.einsum(
            "bk,qk,bsq->bs", query, W, keys
        )
        slips["W has no part in the scores."] = np.einsum("bq,bsq->bs", query, keys)
    expected = right(query, keys, W)
    what = "multiplicative_score(query, keys, W)"
    expect_close(what, actual, expected, {**slips, **_squeezed(expected)})
    _expect_nothing_kept(what, answer, right, [query, keys, W], inputs(seed + _OTHER))


@check
def additive_score(
    answer: Function,
    batch: int = 2,
    source: int = 4,
    query_units: int = 3,
    key_units: int = 3,
    units: int = 5,
    scale: float = 1.0,
    seed: int = 0,
) -> None:
    """Check `answer(query, keys, W, U, v)`, section s26.

    Args:
        answer: The student's function.
        batch: Sentences side by side.
        source: Positions in each.
        query_units: The size of the query.
        key_units: The size of each key.
        units: The size of v.
        scale: What query and keys are multiplied by: with 1,000, each tanh is 1 or -1.
        seed: For the random inputs.

    Raises:
        AssertionError: The scores are not right.
    """

    def inputs(seed: int) -> list[np.ndarray]:
        query, keys = _query_and_keys(batch, source, query_units, key_units, seed)
        W = random_numbers(seed + 1, query_units, units)
        U = random_numbers(seed + 2, key_units, units)
        return [scale * query, scale * keys, W, U, random_numbers(seed + 3, units)]

    def right(
        query: np.ndarray, keys: np.ndarray, W: np.ndarray, U: np.ndarray, v: np.ndarray
    ) -> np.ndarray:
        scores: np.ndarray = np.tanh((query @ W)[:, None] + keys @ U) @ v
        return scores

    query, keys, W, U, v = inputs(seed)
    actual = call("additive_score", answer, query, keys, W, U, v)
    inside = (query @ W)[:, None] + keys @ U  # (batch, source, units)
    slips: dict[str, np.ndarray | list[np.ndarray]] = {
        "The tanh is missing: without it the score is a sum of two linear parts.": inside @ v,
        "The tanh is taken of each part before they are added; add W q and U h first, and take the "
        "tanh of their sum.": (np.tanh(query @ W)[:, None] + np.tanh(keys @ U)) @ v,
        "v stands inside the tanh; it belongs outside.": np.tanh(inside @ v),
        "These are the numbers before the product with v.": np.tanh(inside),
        "v has no part in it: this is the plain sum over the units.": np.tanh(inside).sum(axis=-1),
        "The query is left out.": np.tanh(keys @ U) @ v,
        "The keys are left out.": np.tanh(np.broadcast_to((query @ W)[:, None], inside.shape)) @ v,
        "The two parts are multiplied; they should be added.": np.tanh(
            (query @ W)[:, None] * (keys @ U)
        )
        @ v,
        "The tanh is written out with exp, and exp of a large number is infinity, so that the "
        "division gives NaN. Take ops.tanh, which is 1 or -1 there.": [
            way @ v for way in _tanh_by_exp(inside)
        ],
    }
    if query_units == key_units:
        slips["W and U are swapped: W belongs to the query, U to the keys."] = (
            np.tanh((query @ U)[:, None] + keys @ W) @ v
        )
    expected = right(query, keys, W, U, v)
    what = "additive_score(query, keys, W, U, v)"
    expect_close(what, actual, expected, {**slips, **_squeezed(expected)})
    if scale == 1:  # with a large one, rounding may turn the sign of what is inside
        _expect_nothing_kept(what, answer, right, [query, keys, W, U, v], inputs(seed + _OTHER))


def _tanh_by_exp(x: np.ndarray) -> list[np.ndarray]:
    """Ways to write tanh out, in float32: they give NaN far above 0, far below, or at both."""
    x = x.astype("float32")
    with np.errstate(all="ignore"):
        up, down, up_twice, down_twice = np.exp(x), np.exp(-x), np.exp(2 * x), np.exp(-2 * x)
        ways = [
            (up - down) / (up + down),
            (up_twice - 1) / (up_twice + 1),
            (1 - down_twice) / (1 + down_twice),
        ]
    return [way for way in ways if not np.isfinite(way).all()]


@check
def masked_softmax(
    answer: Function,
    batch: int = 3,
    source: int = 5,
    scale: float = 1.0,
    offset: float = 0.0,
    padding: float | None = None,
    scattered: bool = False,
    seed: int = 0,
) -> None:
    """Check `answer(scores, mask)`, section s25.

    Args:
        answer: The student's function.
        batch: Sentences side by side, at least 2.
        source: Positions in each, at least 2.
        scale: What the scores are multiplied by: 1,000 is a test of overflow.
        offset: What is added to all scores.
        padding: The score of all padding; random by default.
        scattered: Whether padding stands at any positions, in front too, and not at the end alone.
        seed: For the random inputs.

    Raises:
        AssertionError: The weights are not right.
    """
    scores = (
        (scale * random_numbers(seed, batch, source) + offset).astype("float32").astype("float64")
    )
    mask = random_mask(batch, source, seed)
    if scattered:
        mask = np.random.default_rng(seed).permuted(mask, axis=1)
        mask[0] = np.arange(source) > 0
    if padding is not None:
        scores = np.where(mask, scores, padding)
    actual = as_array("masked_softmax", call("masked_softmax", answer, scores, mask))
    expected = softmax(scores, mask)
    unmasked = softmax(scores, np.ones_like(mask))
    slips: dict[str, np.ndarray | list[np.ndarray]] = {
        "These weights sum to 1 over the sentences of the batch: the softmax runs "
        "over the wrong axis.": [
            softmax(scores.T, mask.T).T,
            softmax(np.where(mask, scores, -1e9).T, np.ones_like(mask.T)).T,
        ],
        "These weights sum to 1 over the sentences of the batch, padding included: the "
        "softmax runs over the wrong axis, and the mask is left out.": softmax(
            scores.T, np.ones_like(mask.T)
        ).T,
        "Padding has weight, as if there were no mask: the mask is left out.": unmasked,
        "Padding has all the weight: the mask is inverted (True means a real position).": softmax(
            scores, ~mask
        ),
        "The weights do not sum to 1: padding was set to 0 after the softmax, so its "
        "share is lost.": unmasked * mask,
        "The mask is taken for a length: the first positions of a row get all the weight, as many "
        "as are real. Look where the mask is True.": softmax(
            scores, np.arange(source) < mask.sum(axis=1, keepdims=True)
        ),
        **_padding_too_high(scores, mask),
    }
    slips |= _without_care(scores, mask) | _without_differences(scores, mask)
    # exp(score - logsumexp) is a right answer too; it loses what float32 cannot
    # hold beside a large score.
    rounding = 4 * np.finfo("float32").eps * np.abs(scores[mask]).max()
    tolerance = max(TOLERANCE, float(rounding))
    expect_close("masked_softmax(scores, mask)", actual, expected, slips, tolerance)
    on_padding = actual[~mask]
    if (on_padding != 0).any():
        raise AssertionError(
            f"masked_softmax(scores, mask) gives padding the weight {on_padding.max():.1e}. "
            "Expected: exactly 0."
        )
    others = [scores[::-1], mask[::-1]]  # the same scores are real, so that no other is too large
    _expect_nothing_kept(
        "masked_softmax(scores, mask)", answer, softmax, [scores, mask], others, tolerance
    )


@check
def context_vector(
    answer: Function, batch: int = 2, source: int = 4, key_units: int = 3, seed: int = 0
) -> None:
    """Check `answer(weights, keys)`, section s25.

    Args:
        answer: The student's function.
        batch: Sentences side by side.
        source: Positions in each.
        key_units: The size of each key.
        seed: For the random inputs.

    Raises:
        AssertionError: The context is not right.
    """
    keys = random_numbers(seed, batch, source, key_units)
    mask = random_mask(batch, source, seed)
    if source > 1:  # a weight can be 0 in front too
        mask[0] = np.arange(source) > 0
    weights = softmax(random_numbers(seed + 1, batch, source), mask)
    actual = call("context_vector", answer, weights, keys)
    weighted = weights[..., None] * keys
    in_front = np.arange(source) < (weights > 0).sum(axis=1, keepdims=True)
    slips = {
        "The weights that are not 0 are counted, and only so many positions are summed: a weight "
        "can be 0 at any position, and those behind it count too.": (
            weighted * in_front[..., None]
        ).sum(axis=1),
        "These are the weighted keys before they are summed over the source.": weighted,
        "This is the mean over the source: a weighted sum is not divided by the number of "
        "positions.": weighted.mean(axis=1),
        "All keys count the same: the weights have no part in it.": keys.sum(axis=1),
        "All keys count the same: this is their plain mean.": keys.mean(axis=1),
        "This is the key with the largest weight alone, not the weighted sum.": keys[
            np.arange(batch), weights.argmax(axis=1)
        ],
        "The sum runs over the units; it should run over the source positions.": weighted.sum(
            axis=2
        ),
    }
    expected = weighted.sum(axis=1)
    what = "context_vector(weights, keys)"
    expect_close(what, actual, expected, {**slips, **_squeezed(expected)})
    others = [
        softmax(random_numbers(seed + 1 + _OTHER, batch, source), mask),
        random_numbers(seed + _OTHER, batch, source, key_units),
    ]
    _expect_nothing_kept(
        what,
        answer,
        lambda weights, keys: np.einsum("bs,bsk->bk", weights, keys),
        [weights, keys],
        others,
    )


_OTHER = 100  # what is added to a seed for a second call


def _expect_nothing_kept(
    what: str,
    answer: Function,
    right: Callable[..., np.ndarray],
    before: Sequence[np.ndarray],
    now: Sequence[np.ndarray],
    tolerance: float = TOLERANCE,
) -> None:
    """Call an answer again, with other numbers of the same shapes as in the call before."""
    name, arguments = what.rstrip(")").split("(")
    names = arguments.split(", ")
    slips = {}
    for size in range(1, len(names) + 1):
        for old in combinations(names, size):
            inputs = [
                one if each in old else other
                for each, one, other in zip(names, before, now, strict=True)
            ]
            slips[
                f"It uses the {' and '.join(old)} of the call before: nothing may be kept from one "
                "call to the next."
            ] = right(*inputs)
    actual = call(name, answer, *now)
    expect_close(f"{what}, called again with other numbers", actual, right(*now), slips, tolerance)


def _squeezed(expected: np.ndarray) -> dict[str, list[np.ndarray]]:
    """The slip of np.squeeze without an axis, where there is an axis of length 1."""
    if 1 not in expected.shape:
        return {}
    return {
        "Each axis of length 1 was taken away, as np.squeeze does without an axis; take away only "
        "the one that should go.": [expected.squeeze(), np.atleast_2d(expected.squeeze())]
    }


def _padding_too_high(scores: np.ndarray, mask: np.ndarray) -> dict[str, list[np.ndarray]]:
    """The slips of padding that gets a score which is not far enough below the real ones."""

    def with_padding(score: float) -> np.ndarray:
        return softmax(np.where(mask, scores, score), np.ones_like(mask))

    # Far below 0, real scores leave all weight to padding with any of these scores.
    low = [with_padding(-(10.0**digits)) for digits in range(5)]
    return {
        "Padding has weight: its score is not low enough, because real scores can be far below 0 "
        f"too (here down to {scores[mask].min():.4g}). Take one that no real score comes near, "
        "such as -1e9.": low,
        "Padding has weight: its score is 0, as when scores are multiplied by the mask, and exp(0) "
        "is 1. A score that gives weight 0 must be very far below 0.": [with_padding(0.0)],
    }


def _without_care(scores: np.ndarray, mask: np.ndarray) -> dict[str, list[np.ndarray]]:
    """The slips that give NaN where scores are large, on padding or anywhere."""

    def shares(scores: np.ndarray) -> list[np.ndarray]:
        """By exp as it is; the padding is multiplied by 0, or left out."""
        with np.errstate(all="ignore"):
            exponentials = np.exp(scores.astype("float32"))
            ways = [exponentials * mask, np.where(mask, exponentials, 0)]
            return [way / way.sum(axis=-1, keepdims=True) for way in ways]

    largest_of_all = [scores[mask].max(), scores.max()]
    largest_sizes = [
        np.abs(each).max(axis=-1, keepdims=True) for each in (scores, np.where(mask, scores, 0))
    ]
    means = [
        scores.mean(axis=-1, keepdims=True),
        scores.mean(axis=-1, keepdims=True, where=mask),
    ]
    slips = {
        "A large score on the padding gives NaN: leave the padding out where you take the largest "
        "score of a row, and before exp.": shares(scores - scores.max(axis=-1, keepdims=True)),
        "exp of a large score is infinity, and of one far below 0 it is 0, so the division gives "
        "NaN: subtract the largest real score of the row first.": shares(scores),
        "The largest score of the whole batch is subtracted. In a row far below it, exp gives 0 "
        "everywhere, and the division NaN: subtract the largest real score of each row.": [
            way for largest in largest_of_all for way in shares(scores - largest)
        ],
        "The largest size of a score, without its sign, is subtracted. In a row of scores far "
        "below 0, exp then gives 0 everywhere, and the division NaN: subtract the largest real "
        "score itself.": [way for size in largest_sizes for way in shares(scores - size)],
        "The mean of the scores is subtracted; exp of a score far above the mean is still "
        "infinity. Subtract the largest real score of the row.": [
            way for mean in means for way in shares(scores - mean)
        ],
    }
    return {
        sentence: [way for way in ways if not np.isfinite(way).all()]
        for sentence, ways in slips.items()
    }


def _without_differences(scores: np.ndarray, mask: np.ndarray) -> dict[str, list[np.ndarray]]:
    """The slips that lose the difference between two scores."""

    def cut(limit: float) -> list[np.ndarray]:
        cuts = [np.clip(scores, -limit, limit), np.minimum(scores, limit)]
        return [softmax(each, mask) for each in cuts]

    def lifted(by: float) -> np.ndarray:
        return softmax((scores + by * mask).astype("float32").astype("float64"))

    return {
        "Scores far from 0 are cut off, so that different scores get equal weights. Subtract the "
        "largest real score of the row instead.": [
            way for limit in (*range(10, 101, 5), 88, 500, 700) for way in cut(limit)
        ],
        "A large number is added to the real scores; beside it, float32 cannot hold their "
        "differences. Lower the score of the padding instead.": [
            lifted(10.0**digits) for digits in range(5, 13)
        ],
    }


def _query_and_keys(
    batch: int, source: int, query_units: int, key_units: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    return (
        random_numbers(seed + 10, batch, query_units),
        random_numbers(seed + 11, batch, source, key_units),
    )
