"""Slips of unit 07 that ordinary words, sizes and values do not show."""

import unicodedata
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from keras import ops

from rnnkit import checks


def ids_of(word: str, length: int, paddings: int = 1000) -> list[int]:
    inner = [byte + 1 for byte in word.encode()][: length - 2]
    return [259, *inner, 260, *[261] * min(paddings, length - len(inner) - 2)]


def emptied_where_it_fits(word: str, length: int) -> list[int]:
    over = max(len(word.encode()) - (length - 2), 0)
    data = word.encode() if len(word.encode()) < length - 2 else word.encode()[:-over]
    return [*[259, *(byte + 1 for byte in data), 260], *[261] * (length - 2 - len(data))]


def losses(forward: Any, backward: Any, ids: Any, mask: Any, squeeze: bool = False) -> list[Any]:
    def mean(logits: Any, targets: Any) -> Any:
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        logs = np.take_along_axis(logs, targets[..., None], axis=-1)
        logs = logs.squeeze() if squeeze else logs[..., 0]
        return -(logs * mask[:, 1:]).sum() / mask[:, 1:].sum()

    return [mean(forward[:, :-1], ids[:, 1:]), mean(backward[:, 1:], ids[:, :-1])]


def losses_kept_from_zero(forward: Any, backward: Any, ids: Any, mask: Any) -> list[Any]:
    def mean(logits: Any, targets: Any) -> Any:
        shares = np.asarray(ops.softmax(logits, axis=-1))
        found = np.take_along_axis(shares, targets[..., None], axis=-1)[..., 0]
        return -np.log(found + 1e-9)[mask[:, 1:]].mean()

    return [mean(forward[:, :-1], ids[:, 1:]), mean(backward[:, 1:], ids[:, :-1])]


def turned_between(tokens: Any, forward: Any, backward: Any) -> Any:
    back = np.array(backward)
    back[:, 1:-1] = back[:, 1:-1][:, ::-1]
    first = np.concatenate([tokens, tokens], axis=-1)
    return np.concatenate([first[None], np.concatenate([forward, back], axis=-1)])


def mixed(layers: Any, w: Any, gamma: float) -> Any:
    powers = np.exp(w - np.max(w))
    return gamma * np.einsum("blts,l->bts", layers, powers / powers.sum())


def batch_of(vectors: list) -> tuple[Any, Any]:
    longest = max(each.shape[1] for each in vectors)
    mask = np.arange(longest) < np.array([[each.shape[1]] for each in vectors])
    return np.stack(
        [np.pad(each, ((0, 0), (0, longest - each.shape[1]), (0, 0))) for each in vectors]
    ), mask


def tagger(static: Any, elmo: Any, mask: Any, rnn: Any, to_logits: Any, where: str) -> Any:
    inputs = np.concatenate([static, elmo], axis=-1) if where in ("input", "both") else static
    states = rnn(inputs, mask)
    if where in ("output", "both"):
        states = np.concatenate([states, elmo], axis=-1)
    return to_logits(states)


def mask_at_input(static: Any, elmo: Any, mask: Any, rnn: Any, to_logits: Any, where: str) -> Any:
    read = mask if where in ("input", "both") else np.ones_like(mask)
    return tagger(static, elmo, read, rnn, to_logits, where)


def cosines(query: Any, vectors: Any) -> Any:
    return vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)


def sorted_rows(query: Any, vectors: Any, count: int) -> Any:
    return np.argsort(-cosines(query, vectors))[:count]


def with_empty_meanings(known: Any, meanings: Any, vectors: Any) -> Any:
    means = np.zeros((meanings.max() + 1, known.shape[1]))
    for each in np.unique(meanings):
        means[each] = known[meanings == each].mean(axis=0)
        means[each] /= np.linalg.norm(means[each])
    return (vectors @ means.T).argmax(axis=1)


def named_as_they_appear(known: Any, meanings: Any, vectors: Any) -> Any:
    means = np.stack([known[meanings == each].mean(axis=0) for each in np.unique(meanings)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    return np.array(list(dict.fromkeys(meanings)))[(vectors @ means.T).argmax(axis=1)]


SLIPS: list[tuple[str, Callable, str]] = [
    ("word_characters", lambda word, n: ids_of(word.lower(), n), "small letters first"),
    (
        "word_characters",
        lambda word, n: ids_of(unicodedata.normalize("NFC", word), n),
        "exchanged for others that look the same",
    ),
    (
        "word_characters",
        lambda word, n: ids_of(unicodedata.normalize("NFD", word), n),
        "exchanged for others that look the same",
    ),
    ("word_characters", lambda word, n: ids_of(word, n, 50), "row ends too early"),
    ("word_characters", emptied_where_it_fits, "word that just fits is lost"),
    (
        "bilm_losses",
        lambda f, b, ids, mask: losses(f, b, ids, ids != 0),
        "id is 0 is taken for padding",
    ),
    ("bilm_losses", lambda *inputs: losses(*inputs, squeeze=True), "squeeze takes the axis of the"),
    ("bilm_losses", losses_kept_from_zero, "small number is added inside"),
    ("representations", turned_between, "first and the last word keep their places"),
    ("scalar_mix", lambda h, w, gamma: mixed(h, np.clip(w, -80, 80), gamma), "are cut off"),
    ("scalar_mix", lambda *inputs: mixed(*inputs).squeeze(), "as squeeze does"),
    ("mix_penalty", lambda w, strength: strength * (w[:3] ** 2).sum(), "first three scores"),
    (
        "padded_layers",
        lambda vectors: batch_of(sorted(vectors, key=lambda each: -each.shape[1])),
        "in another order, by their length",
    ),
    ("placement", mask_at_input, "mask only where it reads"),
    (
        "placement",
        lambda *inputs: tagger(*inputs) * inputs[2][..., None],
        "logits of the padding are set to 0",
    ),
    (
        "nearest",
        lambda q, v, count: np.argpartition(-cosines(q, v), count - 1)[:count],
        "argpartition does not sort",
    ),
    ("nearest", lambda *inputs: sorted_rows(*inputs).squeeze(), "came as a number alone"),
    ("nearest", lambda q, v, n: np.argsort(-abs(cosines(q, v)))[:n], "without its sign"),
    ("nearest_meaning", with_empty_meanings, "gets a mean of zeros"),
    ("nearest_meaning", named_as_they_appear, "order in which they appear"),
]
RIGHT: dict[str, Callable] = {
    "word_characters": ids_of,
    "bilm_losses": losses,
    "scalar_mix": mixed,
    "padded_layers": batch_of,
    "placement": tagger,
    "nearest": sorted_rows,
}


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("seed", range(4))
def test_right_answer_passes_at_the_edges_too(name: str, seed: int) -> None:
    getattr(checks, name)(RIGHT[name], seed=seed)


@pytest.mark.parametrize(("name", "answer", "words"), SLIPS, ids=[words for *_, words in SLIPS])
@pytest.mark.parametrize("seed", range(3))
def test_slip_at_the_edge_is_named(name: str, answer: Callable, words: str, seed: int) -> None:
    with pytest.raises(AssertionError, match=words):
        getattr(checks, name)(answer, seed=seed)


def test_neighbours_that_fail_for_all_rows_are_found() -> None:
    def partition(query: Any, vectors: Any, count: int) -> Any:
        best = np.argpartition(-cosines(query, vectors), count)[:count]
        return best[np.argsort(-cosines(query, vectors)[best])]

    with pytest.raises(ValueError, match="out of bounds"):
        checks.nearest(partition)


SCORES = [0.5, -1.0, 0.2]


@pytest.mark.parametrize(
    "answer",
    [
        lambda w: 0.5 * ops.sum(ops.square(w)),
        lambda w: tf.nn.l2_loss(w),
        lambda w: ops.softmax(w)[:, None] * tf.ones((3, 2)),
    ],
)
@pytest.mark.parametrize("scores", [SCORES, [0.0, 0.0, 0.0]])
def test_gradient_that_arrives_passes(answer: Callable, scores: list[float]) -> None:
    checks.gradient_arrives(answer, scores, "w")


@pytest.mark.parametrize(
    ("answer", "scores", "words"),
    [
        (lambda w: np.asarray(w) ** 2, SCORES, "come to w: the result is no tensor"),
        (lambda w: float(w[0]) * tf.ones(2), SCORES, r"No gradient comes to w.* with float\(\)"),
        (
            lambda w: ops.log(w),
            [0.0, 0.0, 0.0],
            r"comes to w is NaN .*division by 0",
        ),
    ],
)
def test_gradient_that_is_lost_is_told(answer: Callable, scores: list, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.gradient_arrives(answer, scores, "w")
