"""Answers that are right for most inputs, and wrong where a number is 0, or large, or unusual."""

from collections.abc import Callable

import numpy as np
import pytest
from keras import ops

from rnnkit import checks


def cut(ids, batch, length, kind="int64"):
    streams = [part.reshape(batch, -1, length).astype(kind) for part in (ids[:-1], ids[1:])]
    return list(zip(*(part.swapaxes(0, 1) for part in streams), strict=True))


def reading(pass_on: Callable) -> Callable:
    """A reader that does something with the state before it passes it on."""

    def read_text(run, first, windows):
        found, state = [], first
        for inputs, targets in windows:
            logits, state = run(inputs, pass_on(state, first))
            logs = np.asarray(ops.log_softmax(logits))
            found.append(np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0])
        return np.concatenate(found, axis=1)

    return read_text


def entities(tags, found=None, begin=lambda tags, place: place, letters=slice(None)):
    found, kind, start = [] if found is None else found, None, 0
    for place, tag in enumerate([*tags, "O"]):
        if kind is not None and tag != f"I-{kind}":
            found.append((kind[letters], start, place))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[2:], begin(tags, place)
    return found


def layers_until_none_is_left(weights: list) -> Callable:
    """A stack that takes its layers out of the list."""

    def outputs(inputs, mask):
        results = []
        while weights:
            weights.pop()
            results.append(inputs * mask[..., None])
        return results

    return outputs


def test_floats_are_told_apart_from_integers_where_the_exercise_asks() -> None:
    def of_floats(*inputs):
        return cut(*inputs, kind="float64")

    checks.truncated_windows(of_floats)
    checks.truncated_windows(cut, integers=True)
    with pytest.raises(AssertionError, match=r"should hold integers.*Received: float64"):
        checks.truncated_windows(of_floats, integers=True)


@pytest.mark.parametrize("seed", range(3))
def test_state_is_passed_on_in_each_form(seed: int) -> None:
    checks.read_text(reading(lambda state, first: state), seed=seed)
    with pytest.raises(AssertionError, match="A state that is 0 is not passed on"):
        checks.read_text(reading(lambda state, first: state or first), seed=seed)
    with pytest.raises(AssertionError, match="not one that the model gave"):
        checks.read_text(reading(lambda state, first: np.asarray(state)), seed=seed)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda tags: entities(tags, letters=slice(-3, None)), "need not have three letters"),
        (lambda tags: entities(tags, letters=slice(3)), "need not have three letters"),
        (
            lambda tags: entities(tags, begin=lambda tags, place: tags.index(tags[place])),
            "that of the first tag like this one",
        ),
        (lambda tags, found=[]: entities(tags, found), "made once, for all calls"),
    ],
)
def test_slips_in_entities_are_named(answer: Callable, words: str) -> None:
    checks.entity_spans(entities)
    with pytest.raises(AssertionError, match=words):
        checks.entity_spans(answer)


def test_entity_that_another_one_follows_is_not_lost() -> None:
    def before_o_only(tags):
        found, kind, start = [], None, 0
        for place, tag in enumerate([*tags, "O"]):
            if tag == "O":
                found += [(kind, start, place)] if kind else []
                kind = None
            elif tag != f"I-{kind}":
                kind, start = tag[2:], place
        return found

    with pytest.raises(AssertionError, match="is lost where another one follows at once"):
        checks.entity_spans(before_o_only)


def test_list_of_layers_that_was_emptied_is_told() -> None:
    with pytest.raises(AssertionError, match=r"list of the weights changed .* pop\(\)"):
        checks.padding_changes_nothing(layers_until_none_is_left([1, 2]))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("check", [checks.perplexity, checks.bits_per_character])
def test_product_of_many_probabilities_is_too_small(check: Callable, seed: int) -> None:
    bits = check is checks.bits_per_character

    def of_product(logs, mask):
        product = np.exp(logs.astype("float64")[mask]).prod()
        return -np.log2(product) / mask.sum() if bits else product ** (-1 / mask.sum())

    with (
        np.errstate(divide="ignore"),
        pytest.raises(
            AssertionError, match=r"with a long text: not right\. The product of so many"
        ),
    ):
        check(of_product, seed=seed)
