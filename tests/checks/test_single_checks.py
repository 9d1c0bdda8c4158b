"""Checks that ask in their own way: drawing, thresholds, entities, n-grams, trained models."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import keras
import numpy as np
import pytest

from rnnkit import checks


def draw(probabilities: np.ndarray, seed: int) -> np.ndarray:
    cumulative = probabilities.astype("float64").cumsum(axis=-1)
    numbers = np.random.default_rng(seed).random((len(probabilities), 1)) * cumulative[:, -1:]
    return (cumulative < numbers).sum(axis=-1)


def draw_in_keras(probabilities: np.ndarray, seed: int):
    logits = keras.ops.log(probabilities)
    return keras.random.categorical(logits, 1, seed=seed)[:, 0]


def draw_by_row(probabilities: np.ndarray, seed: int) -> list[int]:
    generator = np.random.default_rng(seed)
    rows = probabilities.astype("float64")
    return [int(generator.choice(len(row), p=row / row.sum())) for row in rows]


@pytest.mark.parametrize("answer", [draw, draw_in_keras, draw_by_row])
@pytest.mark.parametrize("seed", range(3))
def test_drawing_by_the_probabilities_passes(answer: Callable, seed: int) -> None:
    checks.sampling(answer, seed=seed)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda p, seed: p.argmax(axis=-1), "this is greedy"),
        (lambda p, seed: draw(np.full_like(p, 0.2), seed), "drawn equally often"),
        (lambda p, seed: draw(np.broadcast_to(p[0], p.shape), seed), "first row's probabilities"),
        (lambda p, seed: draw(np.exp(p), seed), "taken for logits"),
        (lambda p, seed: np.full(len(p), 2), "All rows get the same symbol"),
        (lambda p, seed: draw(p, seed) + 1, "ids from 0 to 4"),
        (lambda p, seed: draw(p, 0), "the seed is not used"),
        (lambda p, seed: draw(p, np.random.default_rng().integers(9**9)), "same seed again"),
        (lambda p, seed: draw(p, seed)[0], "one id for each row"),
        (lambda p, seed: None, "is None"),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_drawing_slip_is_named(answer: Callable, words: str, seed: int) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.sampling(answer, seed=seed)


def best(similarities: np.ndarray, labels: np.ndarray) -> float:
    candidates = [*similarities, 2.0]
    return max(candidates, key=lambda t: np.mean((similarities >= t) == labels))


def best_between(similarities: np.ndarray, labels: np.ndarray) -> float:
    places = np.sort(similarities)
    middles = [*(places[1:] + places[:-1]) / 2, places[0] - 1, places[-1] + 1]
    return float(max(middles, key=lambda t: np.mean((similarities > t) == labels)))


@pytest.mark.parametrize("answer", [best, best_between])
@pytest.mark.parametrize("seed", range(5))
def test_best_threshold_passes(answer: Callable, seed: int) -> None:
    checks.best_threshold(answer, seed=seed)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda s, t: 0.5, "This is one half"),
        (lambda s, t: 0, "This is 0"),
        (lambda s, t: s.mean(), "mean of all similarities"),
        (lambda s, t: np.median(s), "median"),
        (lambda s, t: s[t == 1].mean(), "mean similarity of the paraphrases"),
        (lambda s, t: (s[t == 1].mean() + s[t == 0].mean()) / 2, "middle between the means"),
        (lambda s, t: s[t == 1].min(), "smallest similarity of a paraphrase"),
        (lambda s, t: s[t == 0].max(), "largest similarity of a pair that is no paraphrase"),
        (
            lambda s, t: min(s, key=lambda one: np.mean((s >= one) == t)),
            "worst of all",
        ),
        (
            lambda s, t: max(s, key=lambda one: np.mean((s >= one) == t)),
            'best to say "no" to all',
        ),
        (
            lambda s, t: max([*s, 1.0], key=lambda one: np.mean((s >= one) == t)),
            'best to say "no" to all',
        ),
        (
            lambda s, t: max([*s, -1.0], key=lambda one: np.mean((s > one) == t)),
            "count with >=, not with >",
        ),
        (lambda s, t: -0.987, r"pairs are right\. Another threshold gives \d+\.\d%\.$"),
        (lambda s, t: s, "should be one number"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_threshold_slip_is_named(answer: Callable, words: str, seed: int) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.best_threshold(answer, seed=seed)


def read(
    tags,
    inclusive=False,
    lost_end=False,
    merge=False,
    strict=False,
    only_b=False,
    kind=True,
    single=False,
    whole_tag=False,
):
    result, start, now = [], None, ""
    for i, tag in enumerate([*tags] if lost_end else [*tags, "O"]):
        mark, its_kind = [*tag.split("-"), ""][:2]
        inside = start is not None and mark == "I" and (its_kind == now or not kind)
        inside = inside and not only_b and not single
        if inside or (merge and mark == "B" and its_kind == now and start is not None):
            continue
        if start is not None:
            result.append([tags[start] if whole_tag else now, start, i - 1 if inclusive else i])
        opens = mark == "B" or (mark == "I" and not strict and not only_b)
        start, now = (i, its_kind) if opens else (None, "")
    return result


@pytest.mark.parametrize("form", [list, lambda found: {tuple(one) for one in found}, tuple])
@pytest.mark.parametrize("seed", range(3))
def test_entities_pass_in_any_form(form: Callable, seed: int) -> None:
    checks.entity_spans(lambda tags: form(read(tags)), seed=seed)


SPAN_SLIPS = [
    ({"inclusive": True}, "the position after the last tag"),
    ({"lost_end": True}, "at the end of the sentence is lost"),
    ({"merge": True}, "that touch are taken for one"),
    ({"strict": True}, "begins an entity too"),
    ({"only_b": True}, "Only the first tag"),
    ({"kind": False}, "ends where the kind changes"),
    ({"single": True}, "Each tag is an entity of its own"),
    ({"whole_tag": True}, "should stand without the B- or I-"),
]


@pytest.mark.parametrize(("settings", "words"), SPAN_SLIPS)
@pytest.mark.parametrize("seed", range(3))
def test_entity_slip_is_named_and_no_other(settings: dict, words: str, seed: int) -> None:
    with pytest.raises(AssertionError) as failure:
        checks.entity_spans(lambda tags: read(tags, **settings), seed=seed)
    assert [other for _, other in SPAN_SLIPS if other in str(failure.value)] == [words]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda tags: None, "is None"),
        (lambda tags: [("PER", 1)], "three things for each entity"),
        (lambda tags: 3, "three things for each entity"),
    ],
)
def test_entities_in_no_form_are_named(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.entity_spans(answer)


WORDS, CONTEXTS = ["a", "b", "c"], [[], ["a"], ["z", "z"]]


def test_probabilities_that_sum_to_one_pass() -> None:
    checks.probabilities_sum_to_one(lambda word, context: 1 / 3, WORDS, CONTEXTS)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda word, context: 0.3, r"sum to 0\.9\. Expected: 1\. Was what the discount"),
        (lambda word, context: 0.5, r"sum to 1\.5\. Expected: 1\. Do the shares"),
        (lambda word, context: float("z" not in context) / 3, "shorter one"),
        (lambda word, context: -1.1, "Is it a logarithm"),
        (lambda word, context: float("nan"), "NaN or infinity"),
        (lambda word, context: float(word == "a"), "probability of 'b' after .* is 0"),
    ],
)
def test_what_is_no_distribution_is_named(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.probabilities_sum_to_one(answer, WORDS, CONTEXTS)


LABELS = np.array([0, 1, 1, 0, 1, 1, 1, 0])


def test_model_that_is_good_enough_passes() -> None:
    checks.predicts(lambda x: LABELS, None, LABELS, at_least=1.0)
    checks.predicts(lambda x: np.eye(2)[LABELS], None, LABELS, at_least=1.0)
    checks.predicts(lambda x: LABELS, None, LABELS, at_least=1.0, score="mcc")
    tags, mask = LABELS.reshape(2, 4), np.array([[True] * 3 + [False], [True] * 4])
    wrong_on_padding = np.where(mask, tags, 1 - tags)
    checks.predicts(lambda x: wrong_on_padding, None, tags, at_least=1.0, mask=mask)


@pytest.mark.parametrize(
    ("predicted", "score", "words"),
    [
        (np.ones(8, int), "accuracy", "gives the label 1 to all"),
        (1 - LABELS, "accuracy", "most frequent label would be as good"),
        ([0, 1, 1, 0, 1, 1, 0, 0], "accuracy", r"accuracy 0\.875 .*train longer"),
        (1 - LABELS, "mcc", r"MCC -1\.000"),
        (np.ones((8, 1)), "accuracy", "Take the label by a threshold"),
        (np.ones(3), "accuracy", "should return labels of the shape"),
        (np.ones((8, 5, 2)), "accuracy", "scores at each of 5 steps; give one row of them"),
        (None, "accuracy", "is None"),
    ],
)
def test_model_that_is_not_good_enough_is_told_why(predicted, score: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.predicts(lambda x: predicted, None, LABELS, at_least=0.95, score=score)


THREE = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 3, 3]])  # symbols, none of them padding
FIRST = np.array([0, 1, 1, 0])


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (0, "first symbol moves its scores by at most 2, one of the last by 0: are they made"),
        (2, "first symbol moves its scores by at most 0, one of the last by 2: what it reads"),
    ],
)
def test_model_that_reads_one_end_alone_is_told_which(place: int, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.predicts(lambda ids: np.eye(4)[ids[:, place]] * 2, THREE, FIRST, at_least=1.0)


def test_nothing_is_said_of_the_ends_where_there_is_padding_or_both_count() -> None:
    for ids in (np.where(THREE == 3, 0, THREE), THREE):
        with pytest.raises(AssertionError) as failure:
            checks.predicts(lambda ids: np.eye(4)[ids].sum(axis=1), ids, FIRST, at_least=1.0)
        assert "moves its scores" not in str(failure.value)


def test_long_way_from_the_first_symbol_is_named() -> None:
    ids = np.random.default_rng(0).integers(1, 4, (4, 60))
    with pytest.raises(AssertionError, match="59 steps later: does the cell keep the first one"):
        checks.predicts(lambda ids: np.eye(4)[ids].sum(axis=1), ids, FIRST, at_least=1.0)


def classifier(from_logits: bool, epochs: int) -> keras.Model:
    """A model that gives one label to all, with scores that are no probabilities."""
    model = keras.Sequential([keras.layers.Dense(2, bias_initializer="ones")])
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=from_logits))
    model.fit(np.zeros((8, 1)), LABELS, epochs=epochs, verbose=0)
    return model


def test_model_that_is_compiled_and_not_trained_is_told_so() -> None:
    model = classifier(from_logits=True, epochs=1)
    model.compile("sgd", model.loss)
    with pytest.raises(AssertionError, match="its optimizer has made no update: was fit called"):
        checks.predicts(model, np.zeros((8, 1)), LABELS, at_least=0.9)


@pytest.mark.parametrize("from_logits", [True, False])
def test_scores_are_blamed_only_on_a_loss_that_takes_them_for_probabilities(
    from_logits: bool,
) -> None:
    with pytest.raises(AssertionError, match="to all") as failure:
        checks.predicts(classifier(from_logits, 1), np.zeros((8, 1)), LABELS, at_least=0.9)
    assert ("so they are logits" in str(failure.value)) is not from_logits


def test_unknown_score_is_refused() -> None:
    with pytest.raises(ValueError, match="accuracy or mcc"):
        checks.predicts(lambda x: LABELS, None, LABELS, at_least=1.0, score="f1")


IDS = np.array([[1, 2, 3, 4, 1, 2, 3, 4], [2, 3, 4, 1, 2, 3, 0, 0]])


def sure_of(symbols: np.ndarray) -> np.ndarray:
    return 8.0 * np.eye(5)[symbols]


def following(ids: np.ndarray) -> np.ndarray:
    return sure_of(ids % 4 + 1)


def with_memory(ids: np.ndarray) -> np.ndarray:
    return np.tanh(np.cumsum(ids, axis=1) / 9)[..., None]


def test_model_of_the_text_passes() -> None:
    checks.predicts_text(following, IDS, 5, at_most=1.1, mask=IDS != 0)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (sure_of, "were the targets shifted by one"),
        (lambda ids: 0 * following(ids), "takes all 5 symbols for .* does as well: was it trained"),
        (lambda ids: 0.2 * following(ids), r"perplexity 1\.8.* what came before does not change"),
        (lambda ids: (0.2 + 0.1 * with_memory(ids)) * following(ids), "train longer"),
        (lambda ids: following(ids)[:, -1], "logits of the shape"),
        (lambda ids: np.nan * following(ids), "NaN or infinity"),
    ],
)
def test_model_that_does_not_know_the_text_is_told_why(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.predicts_text(answer, IDS, 5, at_most=1.1, mask=IDS != 0)


def model_with(seed: int, built: bool = True, units: int = 3) -> SimpleNamespace:
    keras.utils.set_random_seed(seed)
    parts = {"embedding": keras.layers.Embedding(5, 4), "recurrence": keras.layers.GRU(units)}
    if built:
        parts["recurrence"](parts["embedding"](np.array([[1, 2]])))
    return SimpleNamespace(**parts)


NAMES = ("embedding", "recurrence")


def test_model_that_starts_from_the_language_model_passes() -> None:
    language_model, classifier = model_with(0), model_with(1)
    for name in NAMES:
        getattr(classifier, name).set_weights(getattr(language_model, name).get_weights())
    checks.starts_from(classifier, language_model, NAMES)


def test_model_with_other_weights_is_told_which() -> None:
    language_model, classifier = model_with(0), model_with(1)
    with pytest.raises(AssertionError, match=r"'embedding' are not those .* fresh weights"):
        checks.starts_from(classifier, language_model, NAMES)
    classifier.embedding.set_weights(language_model.embedding.get_weights())
    given = language_model.recurrence.get_weights()
    own = classifier.recurrence.get_weights()
    classifier.recurrence.set_weights([given[0], own[1], own[2]])
    with pytest.raises(AssertionError, match="'recurrence' are not those"):
        checks.starts_from(classifier, language_model, NAMES)
    with pytest.raises(AssertionError, match="no layer 'head'"):
        checks.starts_from(classifier, language_model, ["head"])
    with pytest.raises(AssertionError, match="other shapes"):
        checks.starts_from(model_with(0, units=2), language_model, ["recurrence"])
    unbuilt = model_with(0, built=False)
    with pytest.raises(AssertionError, match="no weights yet"):
        checks.starts_from(unbuilt, unbuilt, ["recurrence"])


def test_weights_that_should_stay_or_move_are_compared() -> None:
    before, after = [np.zeros(3), np.zeros(2)], [np.zeros(3), np.array([0.0, 0.5])]
    checks.weights_stay(before, before)
    checks.weights_move(before[1:], after[1:])
    with pytest.raises(AssertionError, match=r"moved by up to 0\.5 .* trainable to False"):
        checks.weights_stay(before, after)
    with pytest.raises(AssertionError, match="number 1 of 2 did not move"):
        checks.weights_move(before, after)


def test_message_tells_how_much_is_frozen() -> None:
    before = [np.zeros(3), np.zeros((2, 2))]
    part, all_moved = [before[0], before[1] + 0.5], [array + 0.5 for array in before]
    with pytest.raises(AssertionError, match="1 of 2 arrays moved: is only a part of it frozen"):
        checks.weights_stay(before, part)
    with pytest.raises(AssertionError, match="training=False freezes nothing"):
        checks.weights_stay(before, all_moved)
    with pytest.raises(AssertionError, match=r"number 1 of 2 .* Their shapes: \(3,\)\. Are they"):
        checks.weights_move(before, part)
    with pytest.raises(AssertionError, match=r"number 1, 2 of 2 .* Is the whole model frozen\?"):
        checks.weights_move(before, before)


RIGHT = [5, 7, 6, 8, 4, 3]


class TrainedOn:
    """What `train_model` returns, without training: it writes one row for all sources."""

    loss: object = print  # any function
    optimizer: Any = None
    source_embedding: Any

    def __init__(self, symbols: int, row: list[int], loss: object = None) -> None:
        self.symbols, self.row = symbols, row
        self.loss = loss or self.loss

    def __call__(self, inputs: dict) -> np.ndarray:
        return np.zeros((*inputs["previous"].shape, self.symbols))

    def decode(self, source, bos_id, eos_id, max_length):
        return np.array([self.row] * len(source))


def test_model_of_its_task_passes() -> None:
    checks.trains_on_its_task(lambda task, epochs: TrainedOn(task["target_size"], RIGHT))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda task, epochs: None, "no method decode. Received: NoneType. Does the func"),
        (lambda task, epochs: keras.callbacks.History(), "Received: History. This is what fit"),
        (lambda task, epochs: TrainedOn(task["source_size"], RIGHT), "are swapped"),
        (lambda task, epochs: TrainedOn(16, RIGHT), "for 16 target symbols. Expected: 13"),
        (lambda task, epochs: TrainedOn(16, RIGHT), "sizes from the task that it gets"),
        (
            lambda task, epochs: TrainedOn(13, [5, 6]),
            r"writes \[5, 6\] after train_model\(task, 14\)\. Does it",
        ),
        (lambda task, epochs: TrainedOn(13, RIGHT, "mse"), "the loss is 'mse'. Expected"),
    ],
)
def test_model_of_another_task_is_told_apart(answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.trains_on_its_task(answer)


def test_one_epoch_is_not_enough_for_the_small_task_and_all_are() -> None:
    from rnnkit import models

    def train(task: dict, epochs: int) -> models.EncoderDecoder:
        keras.utils.set_random_seed(1)
        model = models.EncoderDecoder(task["source_size"], task["target_size"], 16, 8)
        rate = keras.optimizers.schedules.CosineDecay(0.03, 42)
        model.compile(keras.optimizers.Adam(rate), loss=models.masked_cross_entropy)
        inputs = {name: task[name] for name in ("source", "previous")}
        model.fit(inputs, task["following"], batch_size=32, epochs=epochs, verbose=0)
        return model

    def one_by_one(task: dict, epochs: int) -> models.EncoderDecoder:
        model = train(task, 1)
        for _ in range(epochs - 1):
            inputs = {name: task[name] for name in ("source", "previous")}
            model.fit(inputs, task["following"][:, ::-1], batch_size=32, verbose=0)
        return model

    checks.trains_on_its_task(train, last_rate=0.0)
    with pytest.raises(AssertionError, match="trained for 1 of the 14 epochs: does fit get them"):
        checks.trains_on_its_task(lambda task, epochs: train(task, 1))
    with pytest.raises(AssertionError, match="Does it train on the arrays of the task"):
        checks.trains_on_its_task(one_by_one)


def trained(updates: int = 42, rate: float = 0.0, read: bool = True) -> TrainedOn:
    """A model of the small task that tells how it was trained."""
    model = TrainedOn(13, RIGHT)
    model.optimizer = SimpleNamespace(iterations=np.array(updates), learning_rate=np.array(rate))
    vectors = np.full((11, 8), 0.04)
    vectors[4 : 10 if read else 9] = 0.2
    model.source_embedding = SimpleNamespace(get_weights=lambda: [vectors])
    return model


def test_training_as_the_task_asks_passes() -> None:
    checks.trains_on_its_task(lambda task, epochs: trained(), last_rate=0.0)
    checks.trains_on_its_task(lambda task, epochs: trained(rate=0.01))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ({"updates": 28}, r"made 28 updates\. Expected: 42, since 65 pairs .* held back"),
        ({"updates": 126}, r"made 126 updates\. Expected: 42, since 65 .* size of the batches"),
        ({"read": False}, r"10 symbols, and the last one is 9\. Its vector has not moved"),
        ({"rate": 0.01}, r"the learning rate is 0\.01\. Expected: 0\. Is the optimizer make_"),
    ],
)
def test_training_on_a_part_or_with_another_optimizer_is_told(made: dict, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.trains_on_its_task(lambda task, epochs: trained(**made), last_rate=0.0)


class Copier(TrainedOn):
    """It gives at each step what it sees there."""

    def __call__(self, inputs: dict) -> np.ndarray:
        return np.eye(self.symbols)[inputs["previous"]]


def test_model_that_was_trained_to_copy_is_told_so() -> None:
    with pytest.raises(AssertionError, match="trained with following as its input"):
        checks.trains_on_its_task(lambda task, epochs: Copier(13, [2, 2, 2, 2, 2, 2]))


@pytest.mark.parametrize(
    ("bias", "words"),
    [(4.0, "bias of 4, half of a memory is left after 38.2 steps"), (0, "after 1.0 steps")],
)
def test_forget_bias_that_is_too_small_for_the_wait_is_told_its_half_life(bias, words) -> None:
    with pytest.raises(AssertionError, match=f"copier: .*{words}. Expected: after at least 99"):
        checks.forget_bias_lasts(with_cell(forget_bias=bias), 99, what="copier")


def with_cell(**cell: Any) -> SimpleNamespace:
    return SimpleNamespace(layers=[object(), SimpleNamespace(cell=SimpleNamespace(**cell))])


@pytest.mark.parametrize(
    "cell", [{"forget_bias": 5}, {"forget_bias": np.float32(7)}, {"forget_bias": 40.0}, {}]
)
def test_forget_bias_that_lasts_and_a_cell_without_one_pass(cell: dict) -> None:
    checks.forget_bias_lasts(with_cell(**cell), 99)


def tagger(*middle: keras.layers.Layer) -> keras.Model:
    return keras.Sequential([keras.Input((None, 4)), *middle])


@pytest.mark.parametrize(
    ("middle", "words"),
    [
        ([keras.layers.GRU(2)], "tagger has a layer GRU, .* Expected: soft gates."),
        ([keras.layers.GlobalMaxPooling1D(), keras.layers.Dense(2)], "a layer GlobalMaxPooling1D"),
        ([keras.layers.Lambda(lambda x: x[:, -1])], "tagger has no weights, .* Expected: soft ga"),
    ],
)
def test_model_that_does_the_task_in_another_way_is_told_so(middle: list, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        checks.learns_without(
            tagger(*middle), ["GRU", "GlobalMaxPooling1D"], "soft gates", what="tagger"
        )


def test_model_that_learns_and_an_answer_that_is_no_model_are_not_asked_for_more() -> None:
    for answer in (tagger(keras.layers.LSTM(2)), lambda ids: ids):
        checks.learns_without(answer, ["GRU"], "soft gates")
