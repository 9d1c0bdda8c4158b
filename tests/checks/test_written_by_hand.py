"""Answers as people write them, apart from the checks' own functions: right ones and wrong ones."""

import functools
from collections.abc import Callable

import numpy as np
import pytest
from keras import ops

from rnnkit import checks, models


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# Unit 01


def elman_loops(x, h, W, U, b):
    rows = []
    for i in range(len(x)):
        row = []
        for j in range(len(b)):
            total = float(b[j])
            total += sum(float(x[i, k]) * float(W[k, j]) for k in range(x.shape[1]))
            total += sum(float(h[i, k]) * float(U[k, j]) for k in range(h.shape[1]))
            row.append(np.tanh(total))
        rows.append(row)
    return rows


def elman_joined(x, h, W, U, b):
    return ops.tanh(ops.matmul(ops.concatenate([x, h], axis=-1), ops.concatenate([W, U])) + b)


def loop(inputs, first, W, U, b, backward=False, carry=True):
    h, states = first, []
    for t in range(inputs.shape[1])[:: -1 if backward else 1]:
        h = np.tanh(inputs[:, t] @ W + (h if carry else first) @ U + b)
        states.append(h)
    return np.stack(states, axis=1), h


def loop_with_time_first(inputs, first, W, U, b):
    h, W, U, b = (np.asarray(array, "float64") for array in (first, W, U, b))
    states = []
    for x in np.transpose(inputs, (1, 0, 2)).astype("float64"):
        h = ops.tanh(ops.matmul(x, W) + ops.matmul(h, U) + b)
        states.append(h)
    return ops.transpose(ops.stack(states), (1, 0, 2)), states[-1]


def masked_loop(inputs, mask, first, W, U, b):
    h, states = first, []
    for t in range(inputs.shape[1]):
        m = mask[:, t : t + 1].astype("float32")
        h = m * np.tanh(inputs[:, t] @ W + h @ U + b) + (1 - m) * h
        states.append(h * m)  # zeros on padding are right too
    return np.stack(states, axis=1), h


def bptt(inputs, labels, p, before=True, tanh=True, sum_up=True):
    batch, time = labels.shape
    hs = [np.zeros((batch, p["U"].shape[0]))]
    for t in range(time):
        hs.append(np.tanh(inputs[:, t] @ p["W"] + hs[-1] @ p["U"] + p["b"]))
    grads = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    dh_next = 0.0
    for t in range(time - 1, -1, -1):
        d = softmax(hs[t + 1] @ p["V"] + p["c"])
        d[np.arange(batch), labels[:, t]] -= 1
        d /= batch * time
        grads["V"] += hs[t + 1].T @ d
        grads["c"] += d.sum(0)
        da = d @ p["V"].T + (dh_next if sum_up else 0)
        if tanh:
            da = da * (1 - hs[t + 1] ** 2)
        grads["W"] += inputs[:, t].T @ da
        grads["U"] += hs[t if before else t + 1].T @ da
        grads["b"] += da.sum(0)
        dh_next = da @ p["U"].T
    return grads


def truncated_bptt(inputs, labels, p, length, carry=True):
    zeros = h = np.zeros((len(inputs), len(p["b"])), "float32")
    found = []
    for start in range(0, inputs.shape[1], length):
        window = slice(start, start + length)
        part, last = models.elman_gradients(inputs[:, window], labels[:, window], p, h)
        found.append(part)
        h = last if carry else zeros
    return {name: np.mean([part[name] for part in found], axis=0) for name in p}


def bptt_with_forward(inputs, labels, p, first, start_of_text=False):
    _, states, d_logits = models.elman_forward(inputs, labels, p, first)
    before = np.concatenate([(0 * first if start_of_text else first)[:, None], states[:, :-1]], 1)
    slopes, later = 1 - states**2, np.zeros_like(first)
    d_sums = np.zeros_like(states)
    for t in range(states.shape[1])[::-1]:
        d_sums[:, t] = slopes[:, t] * (d_logits[:, t] @ p["V"].T + later)
        later = d_sums[:, t] @ p["U"].T
    return {
        "W": np.einsum("btf,btu->fu", inputs, d_sums),
        "U": np.einsum("btv,btu->vu", before, d_sums),
        "b": d_sums.sum((0, 1)),
        "V": np.einsum("btu,btl->ul", states, d_logits),
        "c": d_logits.sum((0, 1)),
        "loss": 0.0,
    }


def influence(network, inputs, fresh=True):
    time = inputs.shape[1]
    depends, before = np.zeros((time, time), bool), network(inputs)
    changed = np.array(inputs)
    for j in range(time):
        if fresh:
            changed = np.array(inputs)
        changed[:, j, :] += np.random.default_rng(j).normal(size=changed[:, j].shape)
        for i in range(time):
            depends[j, i] = not np.array_equal(network(changed)[:, i], before[:, i])
    return depends


def clip(gradients, limit):
    norm = np.sqrt(sum(float((np.asarray(g) ** 2).sum()) for g in gradients))
    return [g * min(1.0, limit / max(norm, 1e-9)) for g in gradients]


def windows(ids, batch, length):
    steps = (len(ids) - 1) // batch
    result = []
    for start in range(0, steps, length):
        places = [row * steps + start for row in range(batch)]
        result.append(
            (
                [[int(i) for i in ids[p : p + length]] for p in places],
                [[int(i) for i in ids[p + 1 : p + length + 1]] for p in places],
            )
        )
    return result


# Unit 02


def lstm(x, h, c, kernel, recurrent_kernel, bias):
    i, f, g, o = ops.split(
        ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias, 4, axis=-1
    )
    c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    return ops.sigmoid(o) * ops.tanh(c), c


def lstm_by_blocks(x, h, c, kernel, recurrent_kernel, bias, order="ifgo"):
    n = h.shape[1]
    gate = {}
    for k, name in enumerate(order):
        s = slice(k * n, (k + 1) * n)
        z = x @ kernel[:, s] + h @ recurrent_kernel[:, s] + bias[s]
        gate[name] = np.tanh(z) if name == "g" else sigmoid(z)
    c = gate["f"] * c + gate["i"] * gate["g"]
    return [gate["o"] * np.tanh(c), c]


def run_lstm(inputs, weights):
    h = c = np.zeros((len(inputs), len(weights[1])), "float32")
    states = []
    for x in np.moveaxis(inputs, 1, 0):
        h, c = lstm_by_blocks(x, h, c, *weights)
        states.append(h)
    return np.stack(states, 1)


def gru(x, h, kernel, recurrent_kernel, bias):
    n = h.shape[1]
    a = x @ kernel + bias[0]
    s = h @ recurrent_kernel + bias[1]
    z, r = sigmoid(a[:, :n] + s[:, :n]), sigmoid(a[:, n : 2 * n] + s[:, n : 2 * n])
    g = np.tanh(a[:, 2 * n :] + r * s[:, 2 * n :])
    return g + z * (h - g)


# Unit 03


def cross_entropy(logits, targets, mask):
    total, count = 0.0, 0
    for row, target, real in zip(
        logits.reshape(-1, logits.shape[-1]), targets.ravel(), mask.ravel(), strict=True
    ):
        if real:
            row = row.astype("float64") - row.max()
            total += np.log(np.exp(row).sum()) - row[target]
            count += 1
    return total / count


def cross_entropy_plain(logits, targets, mask, one_largest=False):
    exponentials = np.exp(logits - logits.max() * one_largest)
    probabilities = exponentials / exponentials.sum(axis=-1, keepdims=True)
    if one_largest:
        probabilities = np.nan_to_num(probabilities)
    picked = np.take_along_axis(probabilities, targets[..., None], axis=-1)[..., 0]
    return -np.log(picked[mask]).mean()


def read_text(run, state, windows):
    found = []
    for inputs, targets in windows:
        logits, state = run(inputs, state)
        logs = np.log(softmax(np.asarray(logits, "float64")))
        found.append(np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0])
    return np.concatenate(found, axis=1)


def cross_entropy_keras(logits, targets, mask):
    losses = ops.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    mask = ops.cast(mask, "float32")
    return ops.sum(losses * mask) / ops.sum(mask)


def beam(tables, width, power):
    """Complete hypotheses stay among the others with their scores."""
    beams = [([], 0.0)]
    for step in range(len(tables)):
        longer = []
        for ids, total in beams:
            if ids and ids[-1] == 3:
                longer.append((ids, total))
                continue
            before, previous = [0, 2, *ids][-2:]
            row = tables[step, before, previous].astype("float64")
            logs = row - row.max() - np.log(np.exp(row - row.max()).sum())
            longer += [([*ids, s], total + logs[s]) for s in range(len(row))]
        beams = sorted(longer, key=lambda one: one[1], reverse=True)[:width]
    ids, total = max(beams, key=lambda one: one[1] / len(one[0]) ** power)
    return ids, total / len(ids) ** power


def top_p(probabilities, mass, before):
    """Symbols while the sum with them, or before them, is at most the mass."""
    rows = []
    for row in np.asarray(probabilities, "float64"):
        kept, total = np.zeros_like(row), 0.0
        for symbol in np.argsort(-row):
            total += row[symbol]
            if kept.any() and total - before * row[symbol] > mass:
                break
            kept[symbol] = row[symbol]
        rows.append(kept / kept.sum())
    return rows


def kneser_ney(counts, discount):
    n = len(counts)
    bigrams = sum(counts[v][w] > 0 for v in range(n) for w in range(n))
    rows = []
    for v in range(n):
        row = []
        for w in range(n):
            lower = sum(counts[u][w] > 0 for u in range(n)) / bigrams
            total = counts[v].sum()
            if total == 0:
                row.append(lower)
                continue
            kinds = (counts[v] > 0).sum()
            row.append(max(counts[v][w] - discount, 0) / total + discount * kinds / total * lower)
        rows.append(row)
    return rows


# Unit 04


def bidirectional(inputs, mask, forward, backward):
    result = np.zeros((*mask.shape, 2 * len(forward["b"])))
    for row, length in enumerate(mask.sum(axis=1)):  # each sentence alone, without its padding
        x = inputs[row : row + 1, :length]
        zeros = np.zeros((1, len(forward["b"])))
        f, _ = loop(x, zeros, forward["W"], forward["U"], forward["b"])
        b, _ = loop(x, zeros, backward["W"], backward["U"], backward["b"], backward=True)
        result[row, :length] = np.concatenate([f, b[:, ::-1]], axis=-1)
    return result


def stacked(inputs, mask, layers):
    outputs = []
    for layer in layers:
        inputs = bidirectional(inputs, mask, layer["forward"], layer["backward"])
        outputs.append(inputs)
    return outputs


def final_states(outputs, mask):
    units = outputs.shape[-1] // 2
    last = [row[m][-1][:units] for row, m in zip(outputs, mask, strict=True)]
    return np.concatenate([np.array(last), outputs[:, 0, units:]], axis=1)


def cosine(a, b):
    a, b = ops.convert_to_tensor(a), ops.convert_to_tensor(b)
    return ops.sum(ops.normalize(a) * ops.normalize(b), axis=-1)


def mcc(predictions, labels):
    p, t = predictions.astype(float), labels.astype(float)
    if p.std() == 0 or t.std() == 0:
        return 0.0
    return np.corrcoef(p, t)[0, 1]


# Unit 05


def mix(true, predicted, probability, draws):
    return [t if d < probability else p for t, p, d in zip(true, predicted, draws, strict=True)]


def decode_from_context(inputs, context, W, U, b):
    return loop(inputs, context, W, U, b)[0]


def decode_with_context(inputs, context, W, U, b):
    features = inputs.shape[-1]
    h, states = np.zeros_like(context), []
    for t in range(inputs.shape[1]):
        h = np.tanh(inputs[:, t] @ W[:features] + context @ W[features:] + h @ U + b)
        states.append(h)
    return np.stack(states, 1)


RIGHT: list[tuple[Callable, Callable]] = [
    (checks.elman_step, elman_loops),
    (checks.elman_step, elman_joined),
    (checks.elman_step, lambda x, h, W, U, b: np.tanh(x @ W + h @ U + b)),
    (checks.recurrence, loop),
    (checks.recurrence, loop_with_time_first),
    (checks.masked_recurrence, masked_loop),
    (checks.bptt_gradients, bptt),
    (checks.truncated_gradients, truncated_bptt),
    (checks.influence, influence),
    (checks.influence, lambda network, inputs: influence(network, inputs).astype(int).tolist()),
    (checks.joined_weights, lambda W, U: np.concatenate([W, U]).T),
    (checks.longest_chain, lambda t, layers, again: t - 1 + layers if again else layers),
    (checks.clipped_by_global_norm, clip),
    (checks.clipped_by_global_norm, lambda g, limit: (clip(g, limit), 3.0)),
    (checks.truncated_windows, windows),
    (checks.lstm_step, lstm),
    (checks.lstm_step, lstm_by_blocks),
    (checks.gru_step, gru),
    (checks.cross_entropy, cross_entropy),
    (checks.cross_entropy, cross_entropy_keras),
    (checks.masked_loss, lambda logits, targets: cross_entropy(logits, targets, targets != 0)),
    (checks.perplexity, lambda logs, mask: np.prod(np.exp(-logs[mask] / mask.sum()))),
    (checks.bits_per_character, lambda logs, mask: -np.log2(np.exp(logs[mask])).mean()),
    (checks.temperature, lambda logits, t: ops.softmax(logits / t)),
    (checks.beam_search, beam),
    (checks.kneser_ney, kneser_ney),
    (checks.bidirectional_outputs, bidirectional),
    (checks.stacked, stacked),
    (checks.final_states, final_states),
    (checks.cosine_similarity, cosine),
    (checks.matthews, mcc),
    (checks.scheduled_mix, mix),
    (checks.context_each_step, decode_with_context),
]


@pytest.mark.parametrize(("check", "answer"), RIGHT)
@pytest.mark.parametrize("seed", range(3))
def test_right_answer_passes(check: Callable, answer: Callable, seed: int) -> None:
    check(answer, seed=seed)


WRONG: list[tuple[Callable, Callable, str]] = [
    (checks.elman_step, lambda x, h, W, U, b: np.tanh(x @ U + h @ W + b), "W and U are swapped"),
    (
        checks.elman_step,
        lambda x, h, W, U, b: np.tanh(np.dot(x, W.T) + np.dot(h, U.T) + b),
        "both transposed",
    ),
    (checks.recurrence, lambda *i: loop(*i, backward=True), "from the last step to the first"),
    (checks.recurrence, lambda *i: loop(*i, carry=False), "begins with the first state again"),
    (checks.recurrence, lambda *i: loop(*i)[::-1], "in another order. Return states, last state"),
    (
        checks.masked_recurrence,
        lambda x, m, *w: loop(x * m[..., None], *w),
        "set to 0 on padding, but the step is made",
    ),
    (checks.bptt_gradients, lambda *i: bptt(*i, before=False), "state of the same step, h_t"),
    (checks.bptt_gradients, lambda *i: bptt(*i, tanh=False), "derivative of tanh is missing"),
    (checks.bptt_gradients, lambda *i: bptt(*i, sum_up=False), "from later steps is not added"),
    (checks.truncated_gradients, lambda *i: truncated_bptt(*i, carry=False), "not carried"),
    (checks.influence, lambda *i: influence(*i, fresh=False), "with a fresh copy of the inputs"),
    (
        checks.clipped_by_global_norm,
        lambda g, limit: [a * min(1, limit / max(np.linalg.norm(a), 1e-9)) for a in g],
        "Each array is clipped for itself",
    ),
    (
        checks.truncated_windows,
        lambda ids, batch, length: [
            (
                ids[k * batch * length :][: batch * length].reshape(batch, length),
                ids[k * batch * length + 1 :][: batch * length].reshape(batch, length),
            )
            for k in range((len(ids) - 1) // (batch * length))
        ],
        "goes on in the next row of the batch",
    ),
    (checks.truncated_windows, lambda ids, batch, length: 3, "a list with a pair for each"),
    (checks.lstm_step, lambda *i: lstm(*i)[::-1], "h and c are swapped in the result"),
    (checks.lstm_step, lambda *i: lstm_by_blocks(*i, order="fgio"), "in the order f, g, i, o. K"),
    (checks.gru_step, lambda x, h, k, r, b: h + gru(x, h, k, r, b), "not right."),
    (checks.cross_entropy, lambda lo, t, m: cross_entropy(lo, t, m | True), "Padding counts too"),
    (checks.cross_entropy, lambda *i: cross_entropy_plain(*i), "becomes infinity or 0 there"),
    (checks.cross_entropy, lambda *i: cross_entropy_plain(*i, 1), "becomes infinity or 0 there"),
    (
        checks.read_text,
        lambda run, state, windows: read_text(run, state, [(x, x) for x, _ in windows]),
        "give those of the targets",
    ),
    (
        checks.encoder_context,
        lambda x, m, *w: loop(x[:, ::-1] * 1.0, np.zeros((len(x), len(w[1]))), *w)[1],
        "right to left; read it from left to right",
    ),
    (
        checks.perplexity,
        lambda logs, mask: 2 ** (-logs[mask].mean()),
        "not 2 to the mean",
    ),
    (checks.top_p, lambda p, mass: top_p(p, mass, before=False), "The set is too small"),
    (checks.top_p, lambda p, mass: top_p(p, mass, before=True), "exactly the mass"),
    (checks.beam_search, lambda tables, width, power: beam(tables, 1, power), "best symbol alone"),
    (checks.beam_search, lambda tables, width, power: beam(tables, width, 0), "so short"),
    (
        checks.bidirectional_outputs,
        lambda x, m, f, b: bidirectional(x, m | True, f, b),
        "begins on the padding",
    ),
    (
        checks.final_states,
        lambda outputs, mask: outputs[np.arange(len(mask)), mask.sum(axis=1) - 1],
        "read one symbol only; take it at the first",
    ),
    (checks.matthews, lambda p, t: (p == t).mean(), "This is the accuracy"),
    (checks.scheduled_mix, lambda t, p, q, d: mix(p, t, q, d), "wrong way round"),
    *(
        (check, lambda *i, answer=answer: np.swapaxes(answer(*i), 0, 1), "before the batch; the")
        for check, answer in (
            (functools.partial(checks.equals_keras_layer, kind="LSTM"), run_lstm),
            (checks.context_as_state, decode_from_context),
            (checks.context_each_step, decode_with_context),
        )
    ),
]


@pytest.mark.parametrize(("check", "answer", "words"), WRONG)
def test_slip_is_named(check: Callable, answer: Callable, words: str) -> None:
    with np.errstate(all="ignore"), pytest.raises(AssertionError) as failure:
        check(answer)
    assert words in str(failure.value)


@pytest.mark.parametrize("seed", range(3))
def test_way_back_with_a_first_state(seed: int) -> None:
    checks.bptt_gradients(bptt_with_forward, seed=seed, with_first=True)
    checks.bptt_gradients(bptt_with_forward, seed=seed, with_first=True, parts=("V", "c"))
    with pytest.raises(AssertionError, match="before the first step is taken to be zeros"):
        checks.bptt_gradients(
            lambda *i: bptt_with_forward(*i, start_of_text=True), seed=seed, with_first=True
        )


def test_parts_that_do_not_count_may_be_wrong_or_missing() -> None:
    def output_layer_alone(*inputs):
        right = bptt_with_forward(*inputs)
        return {"V": right["V"], "c": right["c"], "W": None}

    checks.bptt_gradients(output_layer_alone, with_first=True, parts=("V", "c"))
    with pytest.raises(AssertionError, match="Missing: U, b"):
        checks.bptt_gradients(output_layer_alone, with_first=True, parts=("W", "U", "b"))


def unroll(step, inputs, first, carry=True):
    h, states = first, []
    for x in np.swapaxes(inputs, 0, 1):
        h = step(x, h if carry else first)
        states.append(h)
    return np.stack(states, 1), h


@pytest.mark.parametrize("seed", range(3))
def test_loop_over_a_step_that_is_given(seed: int) -> None:
    checks.recurrence(unroll, seed=seed, with_step=True)
    with pytest.raises(AssertionError, match=r"unroll.*begins with the first state again"):
        checks.recurrence(lambda *i: unroll(*i, carry=False), seed=seed, with_step=True)
    with pytest.raises(AssertionError, match="unroll should be a function"):
        checks.recurrence(None, with_step=True)


def last_real(states, mask):
    rows = [states[row, mask[row].sum() - 1] for row in range(len(states))]
    return np.stack(rows)


@pytest.mark.parametrize("seed", range(3))
def test_three_uses(seed: int) -> None:
    checks.used_as(last_real, "encoder", seed=seed)
    checks.used_as(lambda s, m, V, c: ops.matmul(last_real(s, m), V) + c, "acceptor", seed=seed)
    checks.used_as(lambda s, V, c: np.einsum("btu,ul->btl", s, V) + c, "transducer", seed=seed)
    with pytest.raises(AssertionError, match="a state after padding"):
        checks.used_as(lambda s, m: s[:, -1], "encoder", seed=seed)
    with pytest.raises(ValueError, match="expects one of encoder, acceptor, transducer"):
        checks.used_as(last_real, "decoder")
