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


def bytes_of_letters(word: str, length: int) -> list[int]:
    ids = [259, *(byte + 1 for byte in word[: length - 2].encode()), 260]
    while len(ids) < length:
        ids.append(261)
    return ids


def all_raised(word: str, length: int) -> np.ndarray:
    ids = [259, *word.encode()[: length - 2], 260]
    return np.array(ids + [261] * (length - len(ids))) + 1


def losses_with(
    forward_mask: Callable = lambda mask: mask[:, 1:],
    backward_mask: Callable = lambda mask: mask[:, 1:],
    turned: Callable = lambda logits: logits,
    count: Callable = lambda mask, real: real.sum(),
) -> Callable:
    def answer(forward: Any, backward: Any, ids: Any, mask: Any) -> list:
        chosen = np.eye(forward.shape[-1])[ids]
        ahead, back = (np.asarray(ops.log_softmax(each)) for each in (forward, turned(backward)))
        terms = {
            "forward": ((ahead[:, :-1] * chosen[:, 1:]).sum(-1), forward_mask(mask)),
            "backward": ((back[:, 1:] * chosen[:, :-1]).sum(-1), backward_mask(mask)),
        }
        return [-(logs * real).sum() / count(mask, real) for logs, real in terms.values()]

    return answer


def turned_with(turn: Callable) -> Callable:
    def answer(tokens: Any, forward: Any, backward: Any) -> np.ndarray:
        first = np.concatenate([tokens, tokens], axis=-1)
        pairs = zip(forward, turn(backward), strict=True)
        return np.stack([first, *(np.concatenate(pair, axis=-1) for pair in pairs)])

    return answer


def batch_with(mask_of: Callable) -> Callable:
    def answer(vectors: list) -> tuple:
        batch = embedding_of(vectors)["layers"]
        return batch, mask_of(batch, vectors)

    return answer


def mask_by_len(batch: np.ndarray, vectors: list) -> np.ndarray:
    return np.stack([np.arange(batch.shape[2]) < len(vector) for vector in vectors])


def tagger_with(at_input: Callable, at_output: Callable) -> Callable:
    def answer(static: Any, vectors: Any, mask: Any, rnn: Any, to_logits: Any, where: str) -> Any:
        inputs = at_input(static, vectors) if where in ("input", "both") else static
        states = rnn(inputs, mask)
        if where in ("output", "both"):
            states = at_output(static, vectors, states)
        return to_logits(states)

    return answer


def side_by_side(*parts: Any) -> Any:
    return ops.concatenate(parts, axis=-1)


def mean_of_cosines(known: Any, meanings: Any, vectors: Any) -> np.ndarray:
    known = known / np.linalg.norm(known, axis=1, keepdims=True)
    cosines = vectors @ known.T / np.linalg.norm(vectors, axis=1, keepdims=True)
    names = np.unique(meanings)
    scores = np.stack([cosines[:, meanings == name].mean(axis=1) for name in names], axis=1)
    return names[scores.argmax(axis=1)]


WRONG: list[tuple[str, Callable, str]] = [
    ("word_characters", bytes_of_letters, "cut to length - 2 letters"),
    ("word_characters", all_raised, "The marks and the padding are raised by 1 as well"),
    ("bilm_losses", losses_with(count=lambda mask, real: mask.sum()), "divided by the number of"),
    ("bilm_losses", losses_with(lambda mask: mask[:, :-1]), "forward loss counts one step too"),
    ("bilm_losses", losses_with(backward_mask=lambda mask: mask[:, :-1]), "backward loss counts"),
    ("bilm_losses", losses_with(turned=lambda logits: logits[:, ::-1]), "were turned round"),
    ("representations", turned_with(np.flip), "np.flip does without an axis"),
    ("representations", turned_with(lambda b: b[::-1, ::-1]), "together with its words"),
    ("representations", turned_with(lambda b: b[..., ::-1]), "inside each backward vector"),
    ("padded_layers", batch_with(mask_by_len), "mask counts the layers"),
    ("padded_layers", batch_with(lambda batch, _: batch[:, 0, :, 0] != 0), "made from zeros"),
    ("padded_layers", batch_with(lambda batch, _: batch[:, -1, :, -1] != 0), "made from zeros"),
    (
        "placement",
        tagger_with(side_by_side, lambda static, vectors, _: side_by_side(static, vectors)),
        "take the place of the states, so that",
    ),
    (
        "placement",
        tagger_with(
            lambda *parts: ops.concatenate(parts),
            lambda static, vectors, states: ops.concatenate([states, vectors]),
        ),
        "as concatenate does without an axis",
    ),
    (
        "placement",
        tagger_with(
            side_by_side, lambda static, vectors, states: ops.concatenate([states, vectors])
        ),
        "as concatenate does without an axis",
    ),
    (
        "placement",
        tagger_with(
            lambda *parts: ops.concatenate(parts, axis=1),
            lambda static, vectors, states: ops.concatenate([states, vectors], axis=1),
        ),
        "joined along axis 1, the words",
    ),
    ("nearest", lambda *i: first_found(*i)[::-1], "stands last; it should stand first"),
    ("scalar_mix", lambda h, w, gamma: gamma * h[:, -1], "top layer alone; mix all layers"),
    ("nearest_meaning", mean_of_cosines, "mean of the cosines"),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "answer", "words"), WRONG)
def test_slip_in_a_reader_s_words_is_named(
    name: str, answer: Callable, words: str, seed: int
) -> None:
    with pytest.raises(AssertionError, match=words):
        getattr(checks, name)(answer, seed=seed)


def test_axes_in_another_order_are_told_by_shapes() -> None:
    answer = batch_with(lambda batch, vectors: embedding_of(vectors)["mask"])
    with pytest.raises(
        AssertionError, match=r"Yours: shape \(3, 5, 3, 4\)\nExpected: shape"
    ) as told:
        checks.padded_layers(
            lambda vectors: [np.swapaxes(answer(vectors)[0], 1, 2), answer(vectors)[1]]
        )
    assert "another order; they should be (batch," in str(told.value) and "[" not in str(told.value)


def test_mask_from_words_that_are_all_zero_passes() -> None:
    checks.padded_layers(batch_with(lambda batch, _: (batch != 0).any(axis=(1, 3))))


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
