"""Each slip is named by its own sentence, and a right answer is let through."""

from collections.abc import Callable

import numpy as np
import pytest
from keras import ops

from rnnkit import checks, layers


def attend(query, keys, mask, p):
    return layers.additive_attention(query, keys, mask, p["W"], p["U"], p["v"])


def gru(inputs, state, p):
    return layers.gru_step(inputs, state, p["kernel"], p["recurrent_kernel"], p["bias"])


def softmax(scores, mask, axis=-1):
    scores = np.where(mask, scores, -1e9)
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def step(query="before", context_from="keys", masked=True, order="symbol first", read="new"):
    def decoder_step(previous, state, keys, mask, p):
        mask = mask if masked else np.ones_like(mask)
        embedded = p["embedding"][previous]
        context, weights = attend(state, keys, mask, p)
        if context_from == "decoder":
            context = np.einsum("bs,bu->bu", weights, state)
        if context_from == "nothing":
            context = np.zeros_like(context)
        if context_from == "state":
            context = state
        joined = [embedded, context] if order == "symbol first" else [context, embedded]
        new = gru(np.concatenate(joined, axis=-1), state, p)
        if query == "after":
            context, weights = attend(new, keys, mask, p)
        if query == "again":
            context, _ = attend(new, keys, mask, p)
        if context_from in ("nothing", "state"):
            context, _ = attend(state, keys, mask, p)
        seen = new if read == "new" else state
        logits = np.concatenate([seen, context], axis=-1) @ p["output"] + p["output_bias"]
        return logits, new, weights

    return decoder_step


def score_additive(query, keys, W, U, v):
    return np.tanh((query @ W)[:, None] + keys @ U) @ v


RIGHT: dict[str, tuple[Callable, Callable]] = {
    "dot": (checks.dot_product_score, lambda q, k: ops.einsum("bu,bsu->bs", q, k)),
    "multiplicative": (
        checks.multiplicative_score,
        lambda q, k, W: np.einsum("bq,qk,bsk->bs", q, W, k),
    ),
    "additive": (checks.additive_score, score_additive),
    "softmax": (checks.masked_softmax, softmax),
    "context": (checks.context_vector, lambda w, k: np.einsum("bs,bsk->bk", w, k)),
    "step": (checks.decoder_step, step()),
}

SLIPS: list[tuple[Callable, Callable, str]] = [
    (checks.dot_product_score, lambda q, k: q[:, None] * k, "before they are summed"),
    (
        checks.dot_product_score,
        lambda q, k: (q[:, None] * k).sum(axis=1),
        "sum runs over the source positions",
    ),
    (checks.decoder_step, step(context_from="state"), "GRU does not get the context"),
    (checks.dot_product_score, lambda q, k: k @ q[0], "share the first sentence's query"),
    (checks.dot_product_score, lambda q, k: None, "is None. Does the function end with"),
    (checks.dot_product_score, lambda q, k: "scores", "should be an array of numbers"),
    (checks.dot_product_score, lambda q, k: np.zeros(3), "should have the shape (2, 4)"),
    (
        checks.multiplicative_score,
        lambda q, k, W: np.einsum("bk,qk,bsq->bs", q, W, k),
        "W is transposed",
    ),
    (checks.multiplicative_score, lambda q, k, W: np.einsum("bq,bsq->bs", q, k), "W has no part"),
    (checks.additive_score, lambda q, k, W, U, v: score_additive(q, k, U, W, v), "are swapped"),
    (
        checks.additive_score,
        lambda q, k, W, U, v: ((q @ W)[:, None] + k @ U) @ v,
        "tanh is missing",
    ),
    (checks.additive_score, lambda q, k, W, U, v: np.tanh(k @ U) @ v, "query is left out"),
    (
        checks.additive_score,
        lambda q, k, W, U, v: np.tanh(((q @ W)[:, None] + k @ U) @ v),
        "v stands inside the tanh",
    ),
    (
        checks.additive_score,
        lambda q, k, W, U, v: (np.tanh(q @ W)[:, None] + np.tanh(k @ U)) @ v,
        "tanh is taken of each part",
    ),
    (checks.masked_softmax, lambda s, m: softmax(s, m, axis=0), "runs over the wrong axis"),
    (checks.masked_softmax, lambda s, m: softmax(s, True), "the mask is left out"),
    (checks.masked_softmax, lambda s, m: softmax(s, True) * m, "do not sum to 1"),
    (checks.masked_softmax, lambda s, m: softmax(s * m, True), "its score is 0"),
    (checks.masked_softmax, lambda s, m: softmax(np.where(m, s, 1e-9), True), "its score is 0"),
    (checks.masked_softmax, lambda s, m: softmax(np.where(m, s, -1), True), "is not low enough"),
    (checks.context_vector, lambda w, k: k.mean(axis=1), "their plain mean"),
    (checks.context_vector, lambda w, k: (w[..., None] * k).mean(axis=1), "not divided by"),
    (checks.context_vector, lambda w, k: k[range(2), w.argmax(1)], "largest weight alone"),
    (checks.decoder_step, step(query="after"), "looks with the new state"),
    (checks.decoder_step, step(query="again"), "from a second look"),
    (checks.decoder_step, step(context_from="decoder"), "made of the decoder's state"),
    (checks.decoder_step, step(context_from="nothing"), "GRU does not get the context"),
    (checks.decoder_step, step(masked=False), "mask is left out of the attention"),
    (checks.decoder_step, step(order="context first"), "joined in the wrong order"),
    (checks.decoder_step, step(read="old"), "made from the state before the step"),
    (checks.decoder_step, lambda *a: step()(*a)[:2], "should return three things"),
    (checks.decoder_step, lambda *a: step()(*a)[::-1], "in this order"),
    (
        checks.decoder_step,
        lambda *a: (step()(*a)[0] - a[-1]["output_bias"], *step()(*a)[1:]),
        "bias is left out",
    ),
    (
        checks.decoder_step,
        lambda *a: (ops.softmax(step()(*a)[0]), *step()(*a)[1:]),
        "These are probabilities",
    ),
    (
        checks.additive_score,
        lambda q, k, W, U, v: np.tanh((q @ W)[:, None] + k @ U).sum(axis=-1),
        "v has no part",
    ),
]


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("seed", range(5))
def test_right_answer_passes(name: str, seed: int) -> None:
    check, answer = RIGHT[name]
    check(answer, seed=seed)


@pytest.mark.parametrize(("check", "answer", "words"), SLIPS, ids=[words for *_, words in SLIPS])
@pytest.mark.parametrize("seed", range(3))
def test_slip_is_named_and_no_other(
    check: Callable, answer: Callable, words: str, seed: int
) -> None:
    with pytest.raises(AssertionError) as failure:
        check(answer, seed=seed)
    named = [other for other in {words for *_, words in SLIPS} if other in str(failure.value)]
    assert named == [words]


def test_overflow_is_named() -> None:
    def naive(scores, mask):
        with np.errstate(all="ignore"):
            exponentials = np.exp(scores) * mask
            return exponentials / exponentials.sum(axis=-1, keepdims=True)

    checks.masked_softmax(naive)
    for settings in ({"scale": 1000.0}, {"offset": -5000.0}):
        with pytest.raises(
            AssertionError, match=r"subtract the largest real score .*\nYours: .nan"
        ):
            checks.masked_softmax(naive, **settings)


@pytest.mark.parametrize("settings", [{"padding": 2000.0}, {"scale": 1000.0, "source": 9}])
def test_large_score_on_padding_is_named(settings: dict[str, float]) -> None:
    def over_padding(scores, mask):
        with np.errstate(invalid="ignore"):
            exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
            return exponentials / exponentials.sum(axis=-1, keepdims=True)

    checks.masked_softmax(over_padding)
    with pytest.raises(AssertionError, match=r"large score on the padding .*\nYours: .nan"):
        checks.masked_softmax(over_padding, batch=4, seed=4, **settings)


@pytest.mark.parametrize("sizes", [{"batch": 1}, {"source": 1}, {"batch": 1, "source": 1}])
def test_squeeze_of_a_short_axis_is_named(sizes: dict[str, int]) -> None:
    squeezed: list[tuple[Callable, Callable]] = [
        (checks.dot_product_score, lambda q, k: np.einsum("bq,bsq->bs", q, k).squeeze()),
        (checks.multiplicative_score, lambda q, k, W: (k @ (q @ W)[:, :, None]).squeeze()),
        (checks.additive_score, lambda *inputs: score_additive(*inputs).squeeze()),
    ]
    for check, answer in squeezed:
        check(answer)
        with pytest.raises(AssertionError, match=r"as np.squeeze does .*\nYours: shape \("):
            check(answer, **sizes)


def test_scores_far_below_zero_are_no_trouble_for_a_right_answer() -> None:
    checks.masked_softmax(softmax, offset=-5000.0)
    with pytest.raises(AssertionError, match=r"not low enough, .*here down to -5\d\d\d"):
        checks.masked_softmax(lambda s, m: softmax(np.where(m, s, -1000), True), offset=-5000.0)


@pytest.mark.parametrize("hide", [lambda s, m: np.where(m, s, -1e9), lambda s, m: s])
def test_largest_of_the_whole_batch_is_named(hide: Callable) -> None:
    def over_batch(scores, mask):
        scores = hide(scores, mask)
        with np.errstate(invalid="ignore"):
            exponentials = np.exp(scores - scores.max()) * mask
            return exponentials / exponentials.sum(axis=-1, keepdims=True)

    checks.masked_softmax(over_batch)
    with pytest.raises(AssertionError, match=r"of the whole batch is subtracted.*\nYours: .nan"):
        checks.masked_softmax(over_batch, batch=4, source=9, scale=1000.0, seed=4)


def test_softmax_by_the_logarithm_of_the_sum_is_right_far_from_zero_too() -> None:
    def by_logarithm(scores, mask):
        scores = ops.where(mask, scores, -float("inf"))
        return ops.exp(scores - ops.logsumexp(scores, axis=-1, keepdims=True))

    for settings in ({"offset": -5000.0}, {"scale": 1000.0}, {"padding": 2000.0}):
        for seed in range(8):
            checks.masked_softmax(by_logarithm, batch=4, source=6, seed=seed, **settings)


def test_tiny_weight_on_padding_is_found() -> None:
    def leaky(scores, mask):
        return softmax(scores, mask) + 1e-6 * ~mask

    with pytest.raises(AssertionError, match="Expected: exactly 0"):
        checks.masked_softmax(leaky)


INVERTED: list[Callable] = [
    lambda s, m: softmax(s, ~m),
    lambda s, m: softmax(s - 1e9 * m, np.ones_like(m)),
    lambda s, m: np.exp(s) * ~m / (np.exp(s) * ~m).sum(axis=-1, keepdims=True),
]


@pytest.mark.parametrize("answer", INVERTED)
def test_inverted_mask_is_named(answer: Callable) -> None:
    with pytest.raises(AssertionError, match="mask is inverted"):
        checks.masked_softmax(answer)


READY_MADE: list[tuple[Callable, Callable]] = [
    (checks.masked_softmax, layers.masked_softmax),
    (checks.masked_softmax, lambda s, m: __import__("keras").layers.Softmax()(s, mask=m)),
    (checks.dot_product_score, lambda q, k: layers.DotProductAttention().score(q, k)),
    (
        checks.decoder_step,
        lambda *a: (layers.AttentionDecoder(6, layers.DotProductAttention()), step()(*a))[1],
    ),
]


@pytest.mark.parametrize(("check", "answer"), READY_MADE)
def test_ready_made_is_found(check: Callable, answer: Callable) -> None:
    with pytest.raises(AssertionError, match="ready-made"):
        check(answer)


def test_answer_cannot_change_the_inputs_of_the_check() -> None:
    def careless(query, keys):
        scores = np.einsum("bu,bsu->bs", query, keys)
        query *= 0
        return scores

    checks.dot_product_score(careless)


@pytest.mark.parametrize("answer", [3, None, "f"])
def test_answer_that_is_no_function_is_named(answer: object) -> None:
    with pytest.raises(AssertionError, match="should be a function"):
        checks.dot_product_score(answer)
