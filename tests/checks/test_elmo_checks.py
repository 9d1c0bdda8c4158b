"""Answers of unit 07 in other words than the checks' own: who passes, and what is said."""

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit import checks, elmo, models


def losses(forward: Any, backward: Any, ids: Any, mask: Any) -> tuple[Any, Any]:
    pair = ops.cast(mask[:, 1:], "float32")

    def mean(targets: Any, logits: Any) -> Any:
        each = ops.sparse_categorical_crossentropy(targets, logits, from_logits=True)
        return ops.sum(each * pair) / ops.sum(pair)

    return mean(ids[:, 1:], forward[:, :-1]), mean(ids[:, :-1], backward[:, 1:])


def word_by_word(tokens: Any, forward: Any, backward: Any) -> list:
    last = len(tokens) - 1
    rows = [[[*vector, *vector] for vector in tokens]]
    for ahead, back in zip(forward, backward, strict=True):
        rows.append([[*ahead[k], *back[last - k]] for k in range(len(tokens))])
    return rows


def mixed_in_loops(layers: Any, w: Any, gamma: float) -> np.ndarray:
    powers = np.exp(w - np.max(w))
    parts = [s * layers[:, j] for j, s in enumerate(powers / powers.sum())]
    return gamma * sum(parts)


def embedding_of(vectors: list) -> dict[str, np.ndarray]:
    longest = max(each.shape[1] for each in vectors)
    layers = [np.pad(each, ((0, 0), (0, longest - each.shape[1]), (0, 0))) for each in vectors]
    mask = [[k < each.shape[1] for k in range(longest)] for each in vectors]
    return {"mask": np.array(mask), "layers": np.array(layers)}


def tagger(static: Any, vectors: Any, mask: Any, rnn: Any, to_logits: Any, where: str) -> Any:
    parts = {"input": [vectors], "both": [vectors]}.get(where, [])
    states = rnn(keras.ops.concatenate([static, *parts], axis=-1), mask)
    return to_logits(np.dstack([states, vectors]) if where in ("output", "both") else states)


def first_found(query: Any, vectors: Any, count: int) -> list[int]:
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    return sorted(range(len(vectors)), key=lambda row: -float(unit[row] @ query))[:count]


def by_sums(known: Any, meanings: Any, vectors: Any) -> list[int]:
    sums = {int(label): known[meanings == label].sum(axis=0) for label in set(meanings)}
    return [
        max(sums, key=lambda label: vector @ sums[label] / np.linalg.norm(sums[label]))
        for vector in vectors
    ]


RIGHT: dict[str, Callable] = {
    "bilm_losses": losses,
    "representations": word_by_word,
    "scalar_mix": mixed_in_loops,
    "mix_penalty": lambda w, strength: strength * float(w @ w),
    "padded_layers": embedding_of,
    "placement": tagger,
    "nearest": first_found,
    "nearest_meaning": by_sums,
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", RIGHT)
def test_right_answer_passes(name: str, seed: int) -> None:
    getattr(checks, name)(RIGHT[name], seed=seed)


@pytest.mark.parametrize("settings", [{"batch": 1, "time": 9}, {"batch": 6, "time": 4}])
def test_losses_of_other_shapes_pass(settings: dict[str, int]) -> None:
    checks.bilm_losses(losses, **settings)


@pytest.mark.parametrize("word", ["Zürich", "€", "a" * 60, "x"])
def test_ids_agree_with_the_published_ones(word: str) -> None:
    """The ids that the check expects are those that published vectors were tested with."""

    def answer(word: str, length: int) -> list[int]:
        ids = [259, *(byte + 1 for byte in word.encode()[: length - 2]), 260]
        return ids + [261] * (length - len(ids))

    checks.word_characters(answer, [word])
    for length in (5, 50):
        assert elmo.word_ids(word, length).tolist() == answer(word, length)


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.word_characters, elmo.word_ids),
        (checks.scalar_mix, lambda layers, w, gamma: elmo.ScalarMix(layers.shape[1])(layers)),
        (
            checks.placement,
            lambda static, vectors, mask, rnn, to_logits, where: to_logits(
                rnn(elmo.joined(static, vectors), mask)
            ),
        ),
        (
            checks.nearest,
            lambda query, vectors, count: np.argsort(
                -ops.convert_to_numpy(models.cosine_similarity(query, vectors))
            )[:count],
        ),
    ],
)
def test_ready_made_thing_of_the_package_is_found(check: Callable, answer: Callable) -> None:
    with pytest.raises(AssertionError, match=r"ready-made .* of rnnkit"):
        check(answer)


@pytest.mark.parametrize("name", [*RIGHT, "word_characters"])
def test_nothing_returned_is_named(name: str) -> None:
    with pytest.raises(AssertionError, match="is None"):
        getattr(checks, name)(lambda *inputs: None)
