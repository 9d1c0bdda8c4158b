"""Alignment error rate, path lengths, gradients, trained models."""

import re
from collections.abc import Callable

import numpy as np
import pytest
import tensorflow as tf
from keras import ops

from rnnkit import checks, layers, models


def named(slips: list, failure: pytest.ExceptionInfo) -> list[str]:
    """Which of the slips' words are in a message."""
    found = [words for _, words in slips if re.search(words, str(failure.value))]
    return list(dict.fromkeys(found))


def rate(upper="both", lower="A+S", flip=False):
    def alignment_error_rate(a, s, p):
        top = {
            "both": (a & s).sum() + (a & p).sum(),
            "sure": 2 * (a & s).sum(),
            "possible": 2 * (a & p).sum(),
        }[upper]
        bottom = {"A+S": a.sum() + s.sum(), "A+P": a.sum() + p.sum(), "A": a.sum()}[lower]
        return top / bottom if flip else 1 - top / bottom

    return alignment_error_rate


@pytest.mark.parametrize("seed", range(5))
def test_right_rate_passes(seed: int) -> None:
    checks.alignment_error_rate(rate(), seed=seed)


@pytest.mark.parametrize("sizes", [(1, 6), (2, 3), (8, 20), (5, 5)])
@pytest.mark.parametrize("seed", range(4))
def test_links_of_any_size_are_found(sizes: tuple[int, int], seed: int) -> None:
    checks.alignment_error_rate(rate(), *sizes, seed=seed)


RATES = [
    (rate(flip=True), "one minus the error rate"),
    (rate(upper="sure"), "Only the sure links count"),
    (rate(upper="possible"), "possible links count twice"),
    (rate(lower="A+P"), r"here it is \|A\| \+ \|P\|"),
    (rate(lower="A"), r"here it is \|A\|\."),
    (
        lambda a, s, p: rate()(a[p.any(axis=1)], s[p.any(axis=1)], p[p.any(axis=1)]),
        "in a step without a gold link",
    ),
    (
        lambda a, s, p: rate()(a[s.any(axis=1)], s[s.any(axis=1)], p[s.any(axis=1)]),
        "in a step without a gold link",
    ),
    (
        lambda a, s, p: rate()(a & p.any(axis=0), s, p),
        "to a source position without a gold link",
    ),
    (
        lambda a, s, p: 1 - ((a & s).sum() + (a & p).sum()) / (len(a) + s.sum()),
        "once for each step",
    ),
    (lambda a, s, p: 1 - ((a | s).sum() + (a | p).sum()) / (a.sum() + s.sum()), "& .in both."),
]


@pytest.mark.parametrize(("answer", "words"), RATES)
@pytest.mark.parametrize("seed", range(3))
def test_rate_slip_is_named_and_no_other(answer: Callable, words: str, seed: int) -> None:
    with pytest.raises(AssertionError) as failure:
        checks.alignment_error_rate(answer, seed=seed)
    assert named(RATES, failure) == [words]


def path(chain=lambda j, i, n: n - j + i + 2, constant=4):
    return lambda j, i, n, attention: constant if attention else chain(j, i, n)


@pytest.mark.parametrize("source", [1, 5, 9])
def test_right_path_passes(source: int) -> None:
    checks.path_length(path(), source=source, target=4)


PATHS = [
    (path(chain=lambda j, i, n: n - j + i + 1), "one too short"),
    (path(chain=lambda j, i, n: n - j + i + 3), "one too long"),
    (path(chain=lambda j, i, n: j + i + 2), "should be n - j"),
    (path(chain=lambda j, i, n: 4), "goes through all later states"),
    (path(constant=3), "one too short"),
    (lambda j, i, n, attention: n - j + i + 2, "does not depend on the positions"),
    (lambda j, i, n, attention: n if attention else path()(j, i, n, False), "of the source: it"),
    (path(chain=lambda j, i, n: n - j + min(i, n) + 2), "i may be larger than n"),
    (lambda j, i, n, attention: min(path()(j, i, n, attention), n - j + i + 2), "shorter of two"),
]


@pytest.mark.parametrize(("answer", "words"), PATHS)
def test_path_slip_is_named_and_no_other(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError) as failure:
        checks.path_length(answer, target=8)
    assert named(PATHS, failure) == [words]


def test_first_source_position_with_a_wrong_path_is_shown() -> None:
    def wrong_at_one_place(j, i, n, attention):
        return path()(j, i, n, attention) + ((j, i, attention) == (3, 2, True))

    words = r"path_length\(j, i, n=5, attention=True\) for j = 3 and i = 1, 2, …: not right"
    with pytest.raises(AssertionError, match=words + r"\.\nYours: \[4 5 4\]"):
        checks.path_length(wrong_at_one_place, source=5, target=3)


def test_path_that_is_no_number_is_said_to_be_none() -> None:
    with pytest.raises(AssertionError, match=r"one number. Received: shape \(2,\)"):
        checks.path_length(lambda j, i, n, attention: [j, i])


def gradients_at(name, position):
    return np.random.default_rng(position).normal(size=(6, 4)) * 1e-4


GRADIENTS = gradients_at("probe", 2)
NORMS = np.linalg.norm(GRADIENTS, axis=-1)


def test_right_norms_pass() -> None:
    checks.gradient_norms(lambda name, position: NORMS, gradients_at, "probe", 2)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (NORMS**2, "squared norms"),
        (np.abs(GRADIENTS).sum(axis=-1), "sums of absolute values"),
        (GRADIENTS, "gradients themselves"),
        (np.linalg.norm(GRADIENTS), "one norm for all"),
        (np.linalg.norm(GRADIENTS, axis=0), "norm runs over the source"),
        (np.linalg.norm(gradients_at("probe", 1), axis=-1), "at the output before it"),
        (np.linalg.norm(gradients_at("probe", 3), axis=-1), "at the output after it"),
        (NORMS * 1.01, "not right"),
        (np.sqrt(NORMS**2 + 1e-7), "small number is added"),
        (np.sqrt(NORMS**2 + 1e-12**2) + 1e-5, "small number is added"),
        (np.linalg.norm(gradients_at("probe", 6), axis=-1), "at the output position 6"),
        (np.linalg.norm(gradients_at("probe", 0), axis=-1), "at the output position 0"),
        (NORMS[None], r"take its row, \[0\]"),
    ],
)
def test_norm_slip_is_named(answer: np.ndarray, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.gradient_norms(lambda name, position: answer, gradients_at, "probe", 2)


USES_OF_NONE: list[Callable] = [
    lambda gradient: tf.norm(gradient, axis=-1)[0],
    lambda gradient: tf.sqrt(tf.reduce_sum(tf.square(gradient), axis=-1))[0],
    lambda gradient: tf.norm(gradient[0], axis=-1),
    lambda gradient: gradient.numpy()[0],
    lambda gradient: ops.norm(gradient, axis=-1)[0],
    lambda gradient: np.linalg.norm(gradient, axis=-1),
    lambda gradient: np.linalg.norm(np.asarray(gradient)[0], axis=-1),
    lambda gradient: np.sqrt(np.sum(np.asarray(gradient) ** 2, axis=-1)),
]


@pytest.mark.parametrize("norm_of", USES_OF_NONE)
def test_gradient_that_is_none_is_explained(norm_of: Callable) -> None:
    def not_watched(name, position):
        vectors = tf.constant(GRADIENTS[None])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(vectors**2)
        return norm_of(tape.gradient(loss, vectors))

    with pytest.raises(AssertionError, match=r"the gradient is None\. .* call tape\.watch"):
        checks.gradient_norms(not_watched, gradients_at, "probe", 2)


@pytest.mark.parametrize(
    "slip",
    [lambda: int("another thing"), lambda: np.concatenate([np.ones((2, 3)), np.ones((3, 2))], 1)],
)
def test_other_error_of_the_answer_stays_its_own(slip: Callable) -> None:
    with pytest.raises(ValueError, match=r"another thing|along dimension 0"):
        checks.gradient_norms(lambda name, position: slip(), gradients_at, "probe", 2)


class Writer:
    """A model that writes what it is told to."""

    attention = "some"

    def __init__(self, rows: list[str], weights: np.ndarray | None = None) -> None:
        self.rows, self.weights = rows, weights

    def decode(self, source, bos_id, eos_id, max_length):
        return np.array([[int(symbol) for symbol in row] for row in self.rows])

    def attention_weights(self, source, previous):
        return self.weights


def to_text(ids: np.ndarray) -> list[str]:
    return ["".join(str(symbol) for symbol in row) for row in ids]


def ask(rows: list[str], at_least: float) -> None:
    source = np.zeros((len(rows), 3), int)
    checks.decodes(Writer(rows), source, ["45", "67", "88", "99"], to_text, 2, 3, at_least)


@pytest.mark.parametrize("model", [None, 3.0, {"loss": [1.0]}])
def test_what_is_no_model_is_said_to_be_none(model) -> None:
    with pytest.raises(AssertionError, match="no method decode"):
        checks.decodes(model, np.zeros((1, 3), int), ["4"], to_text, 2, 3, at_least=0.5)


def test_model_that_is_good_enough_passes() -> None:
    ask(["45", "67", "88", "11"], at_least=0.75)


def test_model_below_the_threshold_is_told_its_share_and_its_mistakes() -> None:
    with pytest.raises(AssertionError, match=r"writes 50% of 4.*train longer.*'11' for '88'"):
        ask(["45", "67", "11", "11"], at_least=0.75)


def test_model_that_writes_nothing_right_is_asked_about_its_inputs() -> None:
    with pytest.raises(AssertionError, match="does it get the shifted targets"):
        ask(["11", "11", "11", "11"], at_least=0.75)


SOURCE = np.array([[4, 5, 0]])


@pytest.mark.parametrize(
    ("weights", "words"),
    [([[0.5, 0.6, 0.0]], "the sums"), ([[0.5, 0.4, 0.1]], "Padding has attention weight")],
)
def test_wrong_weights_are_named(weights: list, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.attends_to_source(Writer([], np.array([weights])), SOURCE, np.array([[2]]))


def test_right_weights_pass() -> None:
    checks.attends_to_source(Writer([], np.array([[[0.5, 0.5, 0]]])), SOURCE, np.array([[2]]))


def test_model_without_attention_is_named() -> None:
    model = Writer([])
    model.attention = None
    with pytest.raises(AssertionError, match="no attention"):
        checks.attends_to_source(model, SOURCE, np.array([[2]]))


def dates_model(source_size: int, target_size: int) -> models.EncoderDecoder:
    attention = layers.AdditiveAttention(4)
    return models.EncoderDecoder(
        source_size, target_size, units=4, embedding=2, attention=attention
    )


def test_model_with_room_for_all_ids_passes() -> None:
    checks.attends_to_source(dates_model(40, 9), np.array([[39, 4, 0]]), np.array([[2, 8]]))


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((9, 40), "9 source symbols and 40 target symbols, .* up to 39 .* are swapped"),
        ((30, 9), "Take the sizes from the two vocabularies"),
        ((40, 5), "Take the sizes from the two vocabularies"),
    ],
)
def test_model_without_room_for_all_ids_is_named(sizes: tuple[int, int], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.attends_to_source(dates_model(*sizes), np.array([[39, 4, 0]]), np.array([[2, 8]]))


def test_model_that_was_never_trained_is_asked_whether_fit_ended() -> None:
    model = dates_model(40, 9)
    model.compile(optimizer="adam", loss=models.masked_cross_entropy)
    with pytest.raises(AssertionError, match="no update: was fit called"):
        checks.decodes(model, SOURCE, ["45"], to_text, 2, 3, at_least=0.5)
