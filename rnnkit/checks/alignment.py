"""Checks for unit 06: alignment error rate, path lengths, gradients, trained models."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array, equal, expect_close
from rnnkit.checks.ready_made import no_ready_made
from rnnkit.checks.trained import expect_decoder, updates_of
from rnnkit.metrics import alignment_error_rate as reference_rate
from rnnkit.metrics import exact_match

Function = Callable[..., Any]


@check
def alignment_error_rate(answer: Function, target: int = 4, source: int = 5, seed: int = 0) -> None:
    """Check `answer(predicted, sure, possible)`, section s28.

    Args:
        answer: The student's function.
        target: Target positions.
        source: Source positions.
        seed: For the random links.

    Raises:
        AssertionError: The rate is not right.
    """
    predicted, sure, possible = _links(target, source, seed)
    with no_ready_made("alignment_error_rate"):
        actual = answer(predicted.copy(), sure.copy(), possible.copy())
    what = "alignment_error_rate(predicted, sure, possible)"
    rate = as_array(what, actual)
    slips = _wrong_rates(predicted, sure, possible)
    explained = any(equal(rate, way) for ways in slips.values() for way in ways)
    if rate.size == 1 and not explained and not 0 <= rate.item() <= 1:
        raise AssertionError(
            f"{what} gives {rate.item():.4g}, but a rate lies between 0 and 1. Look at the "
            "brackets, and at & (in both) against | (in one of them)."
        )
    expect_close(what, rate, np.asarray(reference_rate(predicted, sure, possible)), slips)


def _links(target: int, source: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random links under which no slip gives the right rate by chance.

    Nor what another slip gives, where there are enough places for that.
    """
    for apart in (True, False):
        for attempt in range(1000):
            links = _random_links(target, source, np.random.default_rng([seed, attempt]))
            if not all(each.any() for each in links):
                continue
            wrong = _wrong_rates(*links)
            if target == 1:  # no step can be left out
                del wrong[_STEPS_LEFT_OUT]
            groups = [[float(way) for way in ways] for ways in wrong.values()]
            rate = reference_rate(*links)
            if any(abs(rate - way) <= 0.01 for group in groups for way in group):
                continue
            if not apart or _all_apart(groups):
                return links
    raise RuntimeError(f"no links found for target={target}, source={source}, seed={seed}")


def _random_links(
    target: int, source: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Links of A, S and P; where that is possible, a step and a source position have no gold."""
    possible = generator.random((target, source)) < 0.6
    if target > 1:
        possible[generator.integers(target)] = False
    if source > 1:
        possible[:, generator.integers(source)] = False
    sure = possible & (generator.random((target, source)) < 0.5)
    return generator.random((target, source)) < 0.4, sure, possible


def _all_apart(groups: Sequence[Sequence[float]]) -> bool:
    """Whether no two numbers of different groups are the same."""
    return all(
        abs(one - other) > 1e-3
        for first, second in combinations(groups, 2)
        for one in first
        for other in second
    )


_STEPS_LEFT_OUT = (
    "Links of A in a step without a gold link are left out; they are wrong links, and |A| counts "
    "them too."
)


def _wrong_rates(
    predicted: np.ndarray, sure: np.ndarray, possible: np.ndarray
) -> dict[str, list[np.ndarray]]:
    """What each known slip gives, in one way or another."""
    a, s, p = predicted.sum(), sure.sum(), possible.sum()
    a_s, a_p = (predicted & sure).sum(), (predicted & possible).sum()
    in_rows, in_columns = (gold_links.any(axis=1) for gold_links in (possible, possible.T))
    with_sure = sure.any(axis=1)

    def rate(upper: int, lower: int) -> list[np.ndarray]:
        return [np.asarray(1 - upper / lower)]

    return {
        "This is one minus the error rate.": [np.asarray((a_s + a_p) / (a + s))],
        "Only the sure links count in the upper part: the possible ones are missing.": rate(
            2 * a_s, a + s
        ),
        "The possible links count twice, and the sure ones never.": rate(2 * a_p, a + s),
        "The lower part should be |A| + |S|; here it is |A| + |P|.": rate(a_s + a_p, a + p),
        "The lower part should be |A| + |S|; here it is |A|.": rate(a_s + a_p, a),
        _STEPS_LEFT_OUT: [
            *rate(a_s + a_p, predicted[in_rows].sum() + s),
            *rate(a_s + (predicted & possible)[with_sure].sum(), predicted[with_sure].sum() + s),
        ],
        "Links of A to a source position without a gold link are left out; they are wrong links, "
        "and |A| counts them too.": rate(a_s + a_p, predicted[:, in_columns].sum() + s),
        "A link counts once for each step: a step can have several links, or none, and |A| counts "
        "all links.": rate(a_s + a_p, len(predicted) + s),
    }


@check
def path_length(answer: Function, source: int = 6, target: int = 6) -> None:
    """Check `answer(j, i, n, attention)`, section s27, for all positions.

    Args:
        answer: The student's function: arrows from source symbol x_j to output
            y_i, through the decoder's state, in a source of n symbols, both
            counted from 1.
        source: The number of source symbols, n.
        target: The number of target steps.

    Raises:
        AssertionError: A length is not right.
    """
    places = [(j, i) for j in range(1, source + 1) for i in range(1, target + 1)]
    for attention in (False, True):
        actual = as_array("path_length", [answer(j, i, source, attention) for j, i in places])
        if actual.ndim != 1:
            raise AssertionError(
                f"path_length should return one number. Received: shape {actual.shape[1:]}"
            )
        actual = actual.reshape(source, target)
        j, i = np.array(places).T.reshape(2, source, target)
        chain, constant = source - j + i + 2, np.full((source, target), 4)
        expected = constant if attention else chain
        slips = {
            "It is one too short. Count each arrow of the way: the one into the encoder, all "
            "that lie between, and the one to the output.": expected - 1,
            "It is one too long: count the arrows, not the boxes between them.": expected + 1,
        }
        if attention:
            slips["With attention the path does not depend on the positions."] = chain
            slips[
                "With attention the path does not depend on the length of the source: it has the "
                "same arrows for each n."
            ] = np.full((source, target), source)
            slips[
                "It is the shorter of two ways. Count through c_i for all j and i, also where the "
                "way past it is shorter."
            ] = np.minimum(constant, chain)
        else:
            slips[
                "Without attention the path goes through all later states of the encoder "
                "and all earlier states of the decoder."
            ] = constant
            slips["The encoder's part should be n - j: an early symbol has a long way."] = j + i + 2
            slips[
                "The decoder can write more symbols than the source has: i may be larger than n, "
                "and the way to s_i is then longer too."
            ] = source - j + np.minimum(i, source) + 2
        first = int((actual != expected).any(axis=1).argmax()) + 1  # the row that is shown
        expect_close(
            f"path_length(j, i, n={source}, attention={attention}) for j = {first} and i = 1, 2, …",
            actual,
            expected,
            slips,
        )


# What errors say of a gradient that is None, or of the array that NumPy makes of it.
_OF_NONE = ("None", "array of dimension 0", "array is 0-dimensional")
_OF_NORMS = 1e-3  # how far norms may differ, beside the largest


@check
def gradient_norms(answer: Function, gradients: Function, name: str, position: int) -> None:
    """Check `answer(name, position)`, section s27.

    Args:
        answer: The student's function: for the model of this name, the norm of
            the gradient of the loss at target step `position` with respect to
            the vector of each source symbol.
        gradients: A function of the same name and position that gives the
            gradients themselves, `(source, features)`, from
            `rnnkit.models.source_gradients`.
        name: Which of the exercise's models.
        position: The target step, counted from 0.

    Raises:
        AssertionError: A norm is not right.
    """

    def gradients_at(position: int) -> np.ndarray:
        return np.asarray(gradients(name, position), dtype="float64")

    right = gradients_at(position)
    norms = _norms(right)
    largest = norms.max()
    what = f"gradient_norms({name!r}, {position})"
    with no_ready_made("gradient_norms", given=("loss_at",)):
        try:
            result = answer(name, position)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            if not any(words in str(error) for words in _OF_NONE):
                raise
            raise AssertionError(
                f"{what}: the gradient is None. The tape must watch the vectors: call "
                "tape.watch(vectors) inside the tape, and there compute the loss from them."
            ) from error
    actual = as_array(what, result)
    if actual.shape == (1, len(norms)):
        raise AssertionError(
            f"{what} should have the shape {norms.shape}. Received: shape {actual.shape}. "
            "There is one string in the batch: take its row, [0]."
        )
    scaled = actual.astype("float64") / largest
    if equal(scaled, norms / largest, _OF_NORMS):
        return
    expect_close(
        f"{what}, divided by the largest expected norm",
        scaled,
        norms / largest,
        {
            "These are the norms of the loss at the output before it: positions count from 0, so "
            "pass this one on as it is.": _norms(gradients_at(position - 1)) / largest,
            "These are the norms of the loss at the output after it: pass the position on as it "
            "is.": _norms(gradients_at(position + 1)) / largest,
            "These are squared norms; take the square root.": norms**2 / largest,
            "A small number is added to the sum of squares, and gradients are small too: add "
            "nothing.": [
                way / largest
                for small in (10.0**-digits for digits in range(4, 17))
                for way in (np.sqrt(norms**2 + small), np.sqrt(norms**2 + small**2), norms + small)
            ],
            **_of_other_positions(gradients_at, position, largest),
            "These are sums of absolute values; the norm is the square root of the sum of "
            "squares.": np.abs(right).sum(axis=-1) / largest,
            "These are the gradients themselves; take the norm over the last axis.": right
            / largest,
            "This is one norm for all symbols; there should be one for each source "
            "symbol.": np.asarray(np.sqrt((right**2).sum()) / largest),
            "The norm runs over the source symbols; it should run over the units of each "
            "symbol's vector.": _norms(right.T) / largest,
        },
        _OF_NORMS,
    )


def _of_other_positions(
    gradients_at: Callable[[int], np.ndarray], position: int, largest: float
) -> dict[str, np.ndarray]:
    """The slip of norms that were kept from a call with another position."""
    found = {}
    for other in (0, 6, 11):  # those that the exercise asks for
        if other in (position - 1, position, position + 1):
            continue
        try:
            norms = _norms(gradients_at(other))
        except Exception:  # the model of a test has fewer positions
            continue
        found[
            f"These are the norms at the output position {other}: the position is not used, or "
            "they were kept from another call."
        ] = norms / largest
    return found


def _norms(gradients: np.ndarray) -> np.ndarray:
    """Over the last axis."""
    return np.sqrt((gradients**2).sum(axis=-1))


@check
def decodes(
    model: Any,
    source: np.ndarray,
    targets: Sequence[str],
    to_text: Callable[[np.ndarray], list[str]],
    bos_id: int,
    eos_id: int,
    at_least: float,
) -> None:
    """Ask a trained model again: how many targets does it write right?

    Args:
        model: The student's model, with a method `decode`.
        source: Source ids that the model has not seen, `(batch, source)`.
        targets: What it should write.
        to_text: Turns ids into strings.
        bos_id: The start token.
        eos_id: The end token.
        at_least: The share of exact matches that is asked, 0 to 1.

    Raises:
        AssertionError: The share is lower; the message shows three mistakes.
    """
    expect_decoder(model)
    longest = max(len(target) for target in targets) + 1
    written = to_text(np.asarray(model.decode(source, bos_id, eos_id, longest)))
    share = exact_match(written, targets)
    if share >= at_least:
        return
    wrong = [f"{w!r} for {t!r}" for w, t in zip(written, targets, strict=True) if w != t][:3]
    hint = " Does the loss still fall? Then train longer."
    if updates_of(model) == 0:
        hint = (
            " Its optimizer has made no update: was fit called after compile, and did it end "
            "without an error?"
        )
    elif share < 0.05:
        hint = (
            " It hardly writes one right: does it get the shifted targets, previous as input and "
            "following as what to predict?"
        )
    raise AssertionError(
        f"The model writes {share:.0%} of {len(targets)} new examples exactly right. "
        f"Expected: at least {at_least:.0%}.{hint} It wrote " + ", ".join(wrong) + "."
    )


@check
def attends_to_source(model: Any, source: np.ndarray, previous: np.ndarray) -> None:
    """Ask that a model has attention, and that its weights lie on real positions.

    Args:
        model: The student's model.
        source: Source ids, `(batch, source)`, 0 on padding.
        previous: Previous target ids, `(batch, target)`.

    Raises:
        AssertionError: It has no attention, or no room for all ids, or the
            weights are not right.
    """
    if getattr(model, "attention", None) is None:
        raise AssertionError(
            "The model has no attention. Give EncoderDecoder the argument attention=."
        )
    _expect_room(model, int(np.max(source)), int(np.max(previous)))
    weights = as_array("attention_weights", model.attention_weights(source, previous))
    padding = np.broadcast_to((source == 0)[:, None], weights.shape)
    expect_close(
        "the sums of the attention weights over the source",
        weights.sum(axis=-1),
        np.ones(weights.shape[:-1]),
    )
    if padding.any() and weights[padding].max() > 0:
        raise AssertionError(
            f"Padding has attention weight, up to {weights[padding].max():.2g}. Expected: 0."
        )


def _expect_room(model: Any, source_id: int, target_id: int) -> None:
    """Ask that an encoder-decoder has a vector for each id; TensorFlow's own error names none."""
    sizes = getattr(model, "settings", None)
    if not isinstance(sizes, Mapping):  # another model than EncoderDecoder
        return
    source_size, target_size = (sizes.get(f"{side}_size") for side in ("source", "target"))
    if source_size is None or target_size is None:
        return
    if source_size <= source_id < target_size and target_id < source_size:
        hint = "They are swapped: the size of the source vocabulary comes first."
    elif source_id >= source_size or target_id >= target_size:
        hint = "Take the sizes from the two vocabularies: len(vocabulary)."
    else:
        return
    raise AssertionError(
        f"The model was made for {source_size} source symbols and {target_size} target symbols, "
        f"but the ids go up to {source_id} in the source and {target_id} in the target. {hint}"
    )
