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


def two_steps(step: Callable) -> Callable:
    """Makes two of the steps, as the exercise does, and gives the result of the second."""

    def second(previous, state, keys, mask, params):
        _, state, _ = step(previous[:, 0], state, keys, mask, params)
        return step(previous[:, 1], state, keys, mask, params)

    return second


def test_second_step_that_looks_again_passes() -> None:
    checks.second_decoder_step(two_steps(step()))
    checks.second_decoder_step(two_steps(step()), batch=1, source=1, units=3, seed=4)


def test_context_kept_for_the_same_keys_is_named() -> None:
    kept: dict = {}

    def look_once(previous, state, keys, mask, p):
        if kept.get("keys") is not keys:
            kept.update(keys=keys, found=attend(state, keys, mask, p))
        context, weights = kept["found"]
        new = gru(np.concatenate([p["embedding"][previous], context], axis=-1), state, p)
        logits = np.concatenate([new, context], axis=-1) @ p["output"] + p["output_bias"]
        return logits, new, weights

    checks.decoder_step(look_once)
    with pytest.raises(AssertionError, match=r"second of two .* first step are used again"):
        checks.second_decoder_step(two_steps(look_once))


def test_first_result_given_again_is_named() -> None:
    results: dict = {}

    def once(previous, state, keys, mask, p):
        return results.setdefault(keys.shape, step()(previous, state, keys, mask, p))

    with pytest.raises(AssertionError, match="result of the first step again"):
        checks.second_decoder_step(two_steps(once))


def keep(*places: int) -> Callable:
    """Makes an answer that goes on with some arguments of its first call."""

    def make(right: Callable) -> Callable:
        first: list = []

        def answer(*inputs):
            first.extend(inputs if not first else [])
            return right(*(first[i] if i in places else x for i, x in enumerate(inputs)))

        return answer

    return make


@pytest.mark.parametrize(
    ("name", "places", "words"),
    [
        ("dot", [1], "the keys of the call before"),
        ("multiplicative", [1, 2], "the keys and W of the call before"),
        ("additive", [1, 3], "the keys and U of the call before"),
        ("softmax", [1], "the mask of the call before"),
        ("context", [0, 1], "the weights and keys of the call before"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_from_the_call_before_is_named(
    name: str, places: list[int], words: str, seed: int
) -> None:
    check, right = RIGHT[name]
    with pytest.raises(AssertionError, match=rf"again with other numbers: .* {words}"):
        check(keep(*places)(right), seed=seed)


def length_only(scores, mask):
    return softmax(scores, np.arange(mask.shape[1]) < mask.sum(axis=1, keepdims=True))


def test_mask_that_is_taken_for_a_length_is_named() -> None:
    checks.masked_softmax(length_only)
    for seed in range(6):
        checks.masked_softmax(softmax, batch=4, source=6, scattered=True, seed=seed)
        with pytest.raises(AssertionError, match="mask is taken for a length"):
            checks.masked_softmax(length_only, batch=4, source=6, scattered=True, seed=seed)


def lower(scores, mask, by):
    with np.errstate(all="ignore"):
        exponentials = np.where(mask, np.exp(scores - by), 0)
        return exponentials / exponentials.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda s, m: softmax(np.clip(s, -80, 80), m), "Scores far from 0 are cut off"),
        (lambda s, m: softmax(np.minimum(s, 88), m), "Scores far from 0 are cut off"),
        (lambda s, m: lower(s, m, s.mean(axis=1, keepdims=True)), "mean of the scores is"),
        (lambda s, m: lower(s, m, np.abs(s).max(axis=1, keepdims=True)), "largest size of a"),
    ],
)
def test_slip_of_large_scores_is_named(answer: Callable, words: str) -> None:
    checks.masked_softmax(answer)
    with pytest.raises(AssertionError, match=words):
        checks.masked_softmax(answer, batch=4, source=9, scale=1000.0, seed=4)


@pytest.mark.parametrize("by", [1e8, 1e9, 1e10])
def test_real_scores_that_are_lifted_are_named(by: float) -> None:
    with pytest.raises(AssertionError, match="large number is added to the real scores"):
        checks.masked_softmax(lambda s, m: softmax(s + np.float32(by) * m, True))


def by_exp(x):
    return (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))


def by_exp_twice(x):
    return (np.exp(2 * x) - 1) / (np.exp(2 * x) + 1)


@pytest.mark.parametrize("tanh", [by_exp, by_exp_twice])
def test_tanh_that_overflows_is_named(tanh: Callable) -> None:
    def answer(query, keys, W, U, v):
        with np.errstate(all="ignore"):
            return tanh((query @ W)[:, None] + keys @ U) @ v

    checks.additive_score(answer)
    with pytest.raises(AssertionError, match="tanh is written out with exp"):
        checks.additive_score(answer, source=3, scale=1000.0, seed=8)


def test_tanh_of_large_numbers_is_the_same_in_each_way() -> None:
    ways: list[Callable] = [
        score_additive,
        lambda q, k, *w: score_additive(q.astype("float64"), k.astype("float64"), *w),
        lambda q, k, W, U, v: ops.einsum("bsu,u->bs", ops.tanh((q @ W)[:, None] + k @ U), v),
    ]
    for answer in ways:
        checks.additive_score(answer, source=3, scale=1000.0, seed=8)


def test_weights_of_zero_that_are_counted_are_named() -> None:
    def first_ones(weights, keys):
        lengths = (weights > 0).sum(axis=1)
        return np.stack([w[:n] @ k[:n] for w, k, n in zip(weights, keys, lengths, strict=True)])

    for seed in range(4):
        with pytest.raises(AssertionError, match="weights that are not 0 are counted"):
            checks.context_vector(first_ones, batch=3, source=5, seed=seed)


@pytest.mark.parametrize("seed", range(3))
def test_padding_without_a_vector_is_named(seed: int) -> None:
    def decoder_step(previous, state, keys, mask, p):
        context, weights = attend(state, keys, mask, p)
        embedded = p["embedding"][previous] * (previous != 0)[:, None]
        new = gru(np.concatenate([embedded, context], axis=-1), state, p)
        return np.hstack([new, context]) @ p["output"] + p["output_bias"], new, weights

    with pytest.raises(AssertionError, match="padding symbol has a vector of zeros"):
        checks.decoder_step(decoder_step, seed=seed)


def test_context_over_padding_beside_masked_weights_is_named() -> None:
    def decoder_step(previous, state, keys, mask, p):
        weights = attend(state, keys, mask, p)[1]
        logits, new, _ = step(masked=False)(previous, state, keys, mask, p)
        return logits, new, weights

    with pytest.raises(AssertionError, match="weights leave padding out, but the context"):
        checks.decoder_step(decoder_step)


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


def test_squeeze_that_puts_the_axes_in_another_order_is_named() -> None:
    check, right = RIGHT["multiplicative"]
    for answer in (lambda *i: right(*i).squeeze(), lambda *i: np.atleast_2d(right(*i).squeeze())):
        with pytest.raises(AssertionError, match=r"as np\.squeeze does"):
            check(answer, batch=3, source=1)


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
