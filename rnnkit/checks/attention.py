"""Checks for unit 06: scores, softmax, context, one decoder step."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import TOLERANCE, as_array, equal, expect_close
from rnnkit.checks.ready_made import no_ready_made

Function = Callable[..., Any]


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
    actual = _call("dot_product_score", answer, query, keys)
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
        },
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
    query, keys = _query_and_keys(batch, source, query_units, key_units, seed)
    W = _random(seed + 1, query_units, key_units)
    actual = _call("multiplicative_score", answer, query, keys, W)
    slips = {
        "These are the products before they are summed over the units.": (query @ W)[:, None] * keys
    }
    if query_units == key_units:
        slips["W is transposed: the query comes first, then W, then the key."] = np.einsum(
            "bk,qk,bsq->bs", query, W, keys
        )
        slips["W has no part in the scores."] = np.einsum("bq,bsq->bs", query, keys)
    expected = np.einsum("bq,qk,bsk->bs", query, W, keys)
    expect_close("multiplicative_score(query, keys, W)", actual, expected, slips)


@check
def additive_score(
    answer: Function,
    batch: int = 2,
    source: int = 4,
    query_units: int = 3,
    key_units: int = 3,
    units: int = 5,
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
        seed: For the random inputs.

    Raises:
        AssertionError: The scores are not right.
    """
    query, keys = _query_and_keys(batch, source, query_units, key_units, seed)
    W, U = _random(seed + 1, query_units, units), _random(seed + 2, key_units, units)
    v = _random(seed + 3, units)
    actual = _call("additive_score", answer, query, keys, W, U, v)
    inside = (query @ W)[:, None] + keys @ U  # (batch, source, units)
    slips = {
        "The tanh is missing: without it the score is a sum of two linear parts.": inside @ v,
        "v stands inside the tanh; it belongs outside.": np.tanh(inside @ v),
        "These are the numbers before the product with v.": np.tanh(inside),
        "v has no part in it: this is the plain sum over the units.": np.tanh(inside).sum(axis=-1),
        "The query is left out.": np.tanh(keys @ U) @ v,
        "The keys are left out.": np.tanh(np.broadcast_to((query @ W)[:, None], inside.shape)) @ v,
        "The two parts are multiplied; they should be added.": np.tanh(
            (query @ W)[:, None] * (keys @ U)
        )
        @ v,
    }
    if query_units == key_units:
        slips["W and U are swapped: W belongs to the query, U to the keys."] = (
            np.tanh((query @ U)[:, None] + keys @ W) @ v
        )
    expect_close("additive_score(query, keys, W, U, v)", actual, np.tanh(inside) @ v, slips)


@check
def masked_softmax(
    answer: Function,
    batch: int = 3,
    source: int = 5,
    scale: float = 1.0,
    offset: float = 0.0,
    padding: float | None = None,
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
        seed: For the random inputs.

    Raises:
        AssertionError: The weights are not right.
    """
    scores = (scale * _random(seed, batch, source) + offset).astype("float32").astype("float64")
    mask = _random_mask(batch, source, seed)
    if padding is not None:
        scores = np.where(mask, scores, padding)
    actual = as_array("masked_softmax", _call("masked_softmax", answer, scores, mask))
    expected = _softmax(scores, mask)
    unmasked = _softmax(scores, np.ones_like(mask))
    slips: dict[str, np.ndarray | list[np.ndarray]] = {
        "These weights sum to 1 over the sentences of the batch: the softmax runs "
        "over the wrong axis.": [
            _softmax(scores.T, mask.T).T,
            _softmax(np.where(mask, scores, -1e9).T, np.ones_like(mask.T)).T,
        ],
        "These weights sum to 1 over the sentences of the batch, padding included: the "
        "softmax runs over the wrong axis, and the mask is left out.": _softmax(
            scores.T, np.ones_like(mask.T)
        ).T,
        "Padding has weight, as if there were no mask: the mask is left out.": unmasked,
        "Padding has all the weight: the mask is inverted (True means a real position).": _softmax(
            scores, ~mask
        ),
        "The weights do not sum to 1: padding was set to 0 after the softmax, so its "
        "share is lost.": unmasked * mask,
        "Padding has weight: its scores were multiplied by 0, and exp(0) is 1. A score "
        "that gives weight 0 must be very small.": _softmax(scores * mask, np.ones_like(mask)),
    }
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
    keys = _random(seed, batch, source, key_units)
    mask = _random_mask(batch, source, seed)
    weights = _softmax(_random(seed + 1, batch, source), mask)
    actual = _call("context_vector", answer, weights, keys)
    weighted = weights[..., None] * keys
    slips = {
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
    expect_close("context_vector(weights, keys)", actual, expected, slips)


def decoder_parameters(
    vocabulary: int = 7, features: int = 4, units: int = 6, seed: int = 0
) -> dict[str, np.ndarray]:
    """Random weights for one decoder step, as the exercise names them.

    Args:
        vocabulary: Symbols in the target vocabulary.
        features: The size of a symbol's vector.
        units: The size of the state and of each key.
        seed: For the random numbers.

    Returns:
        `embedding` (vocabulary, features); `W`, `U` (units, units) and `v`
        (units,) of the attention; `kernel` (features + units, 3 units),
        `recurrent_kernel` (units, 3 units) and `bias` (2, 3 units) of the GRU;
        `output` (2 units, vocabulary) and `output_bias` (vocabulary,).
    """
    shapes = {
        "embedding": (vocabulary, features),
        "W": (units, units),
        "U": (units, units),
        "v": (units,),
        "kernel": (features + units, 3 * units),
        "recurrent_kernel": (units, 3 * units),
        "bias": (2, 3 * units),
        "output": (2 * units, vocabulary),
        "output_bias": (vocabulary,),
    }
    return {
        name: _random(seed + number, *shape).astype("float32")
        for number, (name, shape) in enumerate(shapes.items())
    }


@check
def decoder_step(
    answer: Function,
    batch: int = 2,
    source: int = 4,
    units: int = 6,
    seed: int = 0,
) -> None:
    """Check `answer(previous, state, keys, mask, params)`, section s25.

    Args:
        answer: The student's function; it returns logits, state and weights.
        batch: Sentences side by side.
        source: Positions in each.
        units: The size of the state and of each key.
        seed: For the random inputs.

    Raises:
        AssertionError: One of the three results is not right.
    """
    params = decoder_parameters(units=units, seed=seed)
    state = np.tanh(_random(seed + 20, batch, units)).astype("float32")
    keys = np.tanh(_random(seed + 21, batch, source, units)).astype("float32")
    mask = _random_mask(batch, source, seed)
    previous = np.random.default_rng(seed).integers(0, 7, batch).astype("int32")
    result = _call(
        "decoder_step",
        answer,
        previous,
        state,
        keys,
        mask,
        params,
        given=("additive_attention", "gru_step"),
    )
    try:
        results = dict(zip(("logits", "state", "weights"), result, strict=True))
    except (TypeError, ValueError):
        raise AssertionError(
            "decoder_step should return three things: logits, new_state, weights"
        ) from None
    expected, slips = _decoder_step_expected(previous, state, keys, mask, params)
    _expect_order(results, expected)
    arrays = {name: as_array(f"decoder_step: {_RESULTS[name]}", results[name]) for name in _RESULTS}
    # A slip changes more than one of the three; it is named where it explains all.
    explained = {
        sentence: steps
        for sentence, steps in slips.items()
        if any(all(equal(arrays[part], step[part]) for part in _RESULTS) for step in steps)
    }
    for part, what in _RESULTS.items():
        named = {sentence: [step[part] for step in steps] for sentence, steps in explained.items()}
        expect_close(f"decoder_step: {what}", arrays[part], expected[part], named)


def _expect_order(results: dict[str, Any], expected: dict[str, np.ndarray]) -> None:
    for name, result in results.items():
        for other, array in expected.items():
            if other != name and np.shape(result) == array.shape != expected[name].shape:
                raise AssertionError(
                    "decoder_step should return logits, new_state, weights, in this order. "
                    f"Where the {name} should be, there is something of the shape of the {other}: "
                    f"{array.shape}"
                )


_RESULTS = {"weights": "the weights", "state": "the new state", "logits": "the logits"}
Step = dict[str, np.ndarray]


def _decoder_step_expected(
    previous: np.ndarray,
    state: np.ndarray,
    keys: np.ndarray,
    mask: np.ndarray,
    params: Step,
) -> tuple[Step, dict[str, list[Step]]]:
    """The right results, and those of each known slip."""
    p = {name: value.astype("float64") for name, value in params.items()}
    embedded = p["embedding"][previous]

    def attend(query: np.ndarray, mask: np.ndarray = mask) -> tuple[np.ndarray, np.ndarray]:
        scores = np.tanh((query @ p["W"])[:, None] + keys @ p["U"]) @ p["v"]
        weights = _softmax(scores, mask)
        return np.einsum("bs,bsk->bk", weights, keys), weights

    def logits(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return np.concatenate([left, right], axis=-1) @ p["output"] + p["output_bias"]

    def finish(weights: np.ndarray, moved: np.ndarray, read: np.ndarray) -> Step:
        return {"weights": weights, "state": moved, "logits": logits(moved, read)}

    def move(context: np.ndarray) -> np.ndarray:
        return _gru(np.concatenate([embedded, context], axis=-1), state, p)

    context, weights = attend(state)
    moved = move(context)
    expected = finish(weights, moved, context)

    late_context, late_weights = attend(moved)
    open_context, open_weights = attend(state, np.ones_like(mask))
    moved_alone = move(np.zeros_like(context))
    alone_context, alone_weights = attend(moved_alone)
    moved_turned = _gru(np.concatenate([context, embedded], axis=-1), state, p)
    before = {**finish(weights, moved, context), "state": state}
    slips = {
        "The attention looks with the new state, after the step. It should look with the "
        "state before the step.": [
            finish(late_weights, moved, late_context),
            finish(alone_weights, moved_alone, alone_context),
            finish(alone_weights, move(alone_context), alone_context),
        ],
        "The context is made of the decoder's state. It should be made of the encoder's "
        "states (keys).": [finish(weights, move(state), state)],
        "The mask is left out of the attention.": [
            finish(open_weights, move(open_context), open_context)
        ],
        "The GRU does not get the context.": [
            finish(weights, moved_alone, context),
            finish(weights, move(state), context),
        ],
        "Context and symbol vector are joined in the wrong order: the symbol comes first.": [
            finish(weights, moved_turned, context)
        ],
        "The logits are made from the state before the step. They should be made from the "
        "new state.": [{**finish(weights, state, context), "state": moved}],
        "The state that is returned is the one before the step.": [before],
        "The bias is left out of the logits.": [
            {**expected, "logits": expected["logits"] - p["output_bias"]}
        ],
        "These are probabilities; return the logits, without a softmax.": [
            {**expected, "logits": _softmax(expected["logits"], np.full((len(state), 7), True))}
        ],
        "State and context are joined in the wrong order: the state comes first.": [
            {**finish(weights, moved, context), "logits": logits(context, moved)}
        ],
    }
    return expected, slips


def _gru(inputs: np.ndarray, state: np.ndarray, p: Step) -> np.ndarray:
    def sigmoid(x: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-x))

    zx, rx, gx = np.split(inputs @ p["kernel"] + p["bias"][0], 3, axis=-1)
    zs, rs, gs = np.split(state @ p["recurrent_kernel"] + p["bias"][1], 3, axis=-1)
    z, r = sigmoid(zx + zs), sigmoid(rx + rs)
    return z * state + (1 - z) * np.tanh(gx + r * gs)


def _call(name: str, answer: Function, *inputs: Any, given: tuple[str, ...] = ()) -> Any:
    if not callable(answer):
        raise AssertionError(f"{name} should be a function. Received: {answer!r}")
    with no_ready_made(name, given):
        return answer(*(_copy(value) for value in inputs))


def _copy(value: Any) -> Any:
    """A copy that the answer may write into, in the type that a model would pass."""
    if isinstance(value, dict):
        return {name: _copy(entry) for name, entry in value.items()}
    return value.astype("float32") if value.dtype == "float64" else value.copy()


def _random(seed: int, *shape: int) -> np.ndarray:
    numbers = np.random.default_rng(seed).normal(size=shape)
    return numbers.astype("float32").astype("float64")  # what the answer gets, exactly


def _query_and_keys(
    batch: int, source: int, query_units: int, key_units: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    return _random(seed + 10, batch, query_units), _random(seed + 11, batch, source, key_units)


def _random_mask(batch: int, source: int, seed: int) -> np.ndarray:
    """Right-padded; with an even seed, each sentence of 2 or more positions has padding."""
    longest = max(source - 1, 1) if seed % 2 == 0 else source
    lengths = np.random.default_rng(seed).integers(1, longest + 1, batch)
    if seed % 2:
        lengths[0] = source
    return np.arange(source) < lengths[:, None]


def _softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Over the last axis; zeros in a row without a real position."""
    largest = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    shifted = np.where(mask, scores - np.where(np.isfinite(largest), largest, 0.0), -np.inf)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total > 0, total, 1.0)
