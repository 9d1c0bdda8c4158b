"""Training a biLM: what a step computes, what an epoch reads, and that it learns."""

import dataclasses
import json
import math

import keras
import numpy as np
import pytest
from conftest import SMALL, random_bilm
from keras import ops

from rnnkit.elmo import BiLM, BiLMTraining, WordList, character_ids
from rnnkit.elmo.checkpoints import Checkpoints
from rnnkit.elmo.sampled_softmax import softmax_losses
from rnnkit.elmo.streams import both_streams, shuffled

GENERATOR = np.random.default_rng(0)
FORMS = [*"abcdefgh", "bank", "Zürich", "unusualcompoundword"]
TEXT = [
    [str(word) for word in GENERATOR.choice(FORMS, size=n)] for n in GENERATOR.integers(0, 9, 40)
]
WORDS = WordList.from_sentences(TEXT, minimum_count=2, maximum_size=10)
ONE_LAYER = dataclasses.replace(SMALL, layers=1)  # its graph is made sooner


def make(bilm: BiLM | None = None, **settings) -> BiLMTraining:
    settings = {"batch": 3, "unroll": 4, "negatives": 5, "seed": 7, **settings}
    return BiLMTraining(bilm or random_bilm(ONE_LAYER), WORDS, **settings)


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


def batches(training: BiLMTraining, epoch: int = 0):
    """Words and targets of each step, `(2, batch, unroll)`, as texts."""
    text = training._index(TEXT)
    forms = np.array(list(dict.fromkeys(["<S>", "</S>", *(w for words in TEXT for w in words)])))
    windows = training._windows(text, epoch)
    return [(forms[inputs], forms[targets]) for inputs, targets in windows]


def plain_outputs(bilm: BiLM, streams: np.ndarray) -> np.ndarray:
    """The top layers over whole streams, each word's characters read where it stands."""
    found = []
    for stack, rows in zip((bilm.forward_stack, bilm.backward_stack), streams, strict=True):
        ids = character_ids([list(row) for row in rows])[:, 1:-1]  # without marks around the rows
        outputs, _ = stack(bilm.characters(ids))
        found.append(array(outputs[-1]))
    return np.stack(found)


def capture(training: BiLMTraining, monkeypatch) -> list:
    """Let the training take batches without training on them."""
    taken = []

    def take(batch):
        taken.append(batch)
        return 1.0

    monkeypatch.setattr(training, "train_on_batch", take)
    return taken


def test_windows_equal_one_plain_run_over_the_streams(monkeypatch) -> None:
    training = make(random_bilm())  # of two layers
    taken = capture(training, monkeypatch)
    training.fit(TEXT, steps=5, quiet=True)
    training.start_again()
    found = np.concatenate([array(training(batch)) for batch in taken], axis=2)
    streams = np.concatenate([inputs for inputs, _ in batches(training)[:5]], axis=2)
    np.testing.assert_allclose(found, plain_outputs(training.bilm, streams), atol=1e-5)


def test_targets_are_the_words_that_follow(monkeypatch) -> None:
    training = make()
    taken = capture(training, monkeypatch)
    training.fit(TEXT, epochs=1, quiet=True)
    pairs = batches(training)
    assert len(taken) == len(pairs) > 3
    for batch, (_, targets) in zip(taken, pairs, strict=True):
        expected = WORDS.ids(targets.ravel()).reshape(targets.shape)
        np.testing.assert_array_equal(batch["targets"], expected)
    streams = np.concatenate([inputs for inputs, _ in pairs], axis=2)
    following = np.concatenate([targets for _, targets in pairs], axis=2)
    np.testing.assert_array_equal(streams[:, :, 1:], following[:, :, :-1])


def test_windows_are_pieces_of_both_streams() -> None:
    training = make()
    text = training._index(TEXT)
    streams = both_streams(text, shuffled(text, training.seed, epoch=1))
    windows = training._windows(text, epoch=1)
    assert len(windows) == (len(text.ids) - 1) // 12
    for direction, stream in enumerate(streams):
        rows = np.concatenate([inputs[direction] for inputs, _ in windows], axis=1)
        length = len(windows) * training.unroll
        np.testing.assert_array_equal(rows, stream[: 3 * length].reshape(3, length))


def test_epochs_read_sentences_in_other_orders(monkeypatch) -> None:
    training = make()
    taken = capture(training, monkeypatch)
    training.fit(TEXT, epochs=2, quiet=True)
    half = len(taken) // 2
    assert any((taken[i]["targets"] != taken[i + half]["targets"]).any() for i in range(half))
    again = capture(training, monkeypatch)
    training.fit(TEXT, epochs=2, quiet=True)
    for one, other in zip(taken, again, strict=True):
        np.testing.assert_array_equal(one["targets"], other["targets"])
        np.testing.assert_array_equal(one["sample"].negatives, other["sample"].negatives)
    assert len({tuple(batch["sample"].negatives) for batch in taken}) > 1


@pytest.mark.parametrize("negatives", [None, 5])
def test_the_loss_is_the_mean_of_both_directions(negatives, monkeypatch) -> None:
    training = make(negatives=negatives)
    taken = capture(training, monkeypatch)
    training.fit(TEXT, steps=1, quiet=True)
    (batch,) = taken
    outputs = array(training(batch)).astype("float64")
    vectors, bias = (array(w).astype("float64") for w in training.softmax.weights)
    expected = softmax_losses(outputs, batch["targets"], vectors, bias, batch.get("sample"))
    ahead, back = array(expected).mean(axis=(1, 2))
    loss = array(training.compute_loss(batch, y_pred=outputs.astype("float32")))
    assert loss / training.unroll == pytest.approx((ahead + back) / 2, rel=1e-5)


@pytest.mark.parametrize("negatives", [10, 8192, None])
def test_with_enough_negatives_the_softmax_is_full(negatives) -> None:
    assert make(negatives=negatives).sampler is None
    assert make(negatives=9).sampler.count == 9


def test_one_step_of_plain_descent_is_the_gradient_of_the_sum_over_time() -> None:
    """By finite differences on some weights of each kind."""
    training = make(optimizer=keras.optimizers.SGD(1e-3), negatives=None)
    before = [array(weight).copy() for weight in training.trainable_weights]
    _, targets = batches(training)[0]
    streams, _ = batches(training)[0]
    words = WORDS.ids(targets.ravel()).reshape(targets.shape)

    def loss() -> float:
        outputs = plain_outputs(training.bilm, streams)
        vectors, bias = (array(w).astype("float64") for w in training.softmax.weights)
        return float(array(softmax_losses(outputs, words, vectors, bias)).mean() * training.unroll)

    slopes = []
    for weight, value in zip(training.trainable_weights, before, strict=True):
        place = np.unravel_index(np.abs(value).argmax(), value.shape)
        ends = []
        for shift in (1e-2, -1e-2):
            moved = value.copy()
            moved[place] += shift
            weight.assign(moved)
            ends.append(loss())
        weight.assign(value)
        slopes.append((place, (ends[0] - ends[1]) / 2e-2))
    training.fit(TEXT, steps=1, quiet=True)
    for weight, value, (place, slope) in zip(
        training.trainable_weights, before, slopes, strict=True
    ):
        moved = (value - array(weight))[place] / 1e-3
        assert moved == pytest.approx(slope, rel=0.03, abs=0.02)


def test_the_default_optimizer_is_the_published_one() -> None:
    optimizer = make().optimizer
    assert isinstance(optimizer, keras.optimizers.Adagrad)
    assert float(optimizer.learning_rate) == pytest.approx(0.2)
    assert optimizer.global_clipnorm == 10


def predictable(sentences: int) -> list[list[str]]:
    """Each word follows from the one before it, and the one before from the one after."""
    generator = np.random.default_rng(1)
    return [
        list(("abcdefgh" * 2)[start : start + 6]) for start in generator.integers(0, 8, sentences)
    ]


def test_training_learns_both_directions() -> None:
    keras.utils.set_random_seed(0)
    text = predictable(200)
    bilm = BiLM(dataclasses.replace(SMALL, memory=24, projection=16, layers=1))
    words = WordList.from_sentences(text)
    training = BiLMTraining(
        bilm, words, batch=8, unroll=8, negatives=6, optimizer=keras.optimizers.Adam(0.02)
    )
    before = training.perplexity(text)
    results = training.fit(text, epochs=6, validation=predictable(30), quiet=True)
    after = training.perplexity(text)
    assert before.forward > 9 and before.backward > 9
    # With the word before known, one follows for certain, but for the end after six words.
    assert after.forward < 2.5 and after.backward < 2.5
    assert results[-1].loss < results[0].loss / 2
    assert results[-1].validation.forward < 2.7


def test_validation_changes_nothing_in_the_training() -> None:
    kept = []
    for validation in (None, TEXT[:5]):
        training = make(random_bilm(ONE_LAYER, seed=1))
        results = training.fit(TEXT, epochs=2, validation=validation, quiet=True)
        kept.append([array(variable) for variable in training._state()])
        assert (results[-1].validation is None) == (validation is None)
    for one, other in zip(*kept, strict=True):
        np.testing.assert_array_equal(one, other)


def test_dropout_is_at_work_in_training_only(monkeypatch) -> None:
    training = make(BiLM(ONE_LAYER, dropout=0.5))
    taken = capture(training, monkeypatch)
    training.fit(TEXT, steps=1, quiet=True)
    outputs = []
    for at_work in (False, False, True, True):
        training.start_again()
        outputs.append(array(training(taken[0], training=at_work)))
    np.testing.assert_array_equal(outputs[0], outputs[1])
    assert np.abs(outputs[2] - outputs[0]).max() > 1e-3
    assert np.abs(outputs[3] - outputs[2]).max() > 1e-3


# Perplexity


def plain_perplexities(training: BiLMTraining, sentences) -> tuple[float, float]:
    """Sentence by sentence, all at once, in NumPy from the plain run on."""
    vectors, bias = (array(w).astype("float64") for w in training.softmax.weights)
    losses: tuple[list[float], list[float]] = ([], [])
    for words in sentences:
        marked = ["<S>", *words, "</S>"]
        streams = np.array([[marked], [marked[::-1]]])
        outputs = plain_outputs(training.bilm, streams)[:, 0, :-1].astype("float64")
        for direction, found in enumerate(losses):
            scores = outputs[direction] @ vectors.T + bias
            targets = WORDS.ids(streams[direction, 0, 1:])
            log_sums = np.log(np.exp(scores).sum(axis=-1))
            found += list(log_sums - scores[np.arange(len(targets)), targets])
    return math.exp(np.mean(losses[0])), math.exp(np.mean(losses[1]))


@pytest.mark.parametrize("batch, unroll", [(3, 4), (1, 1), (50, 20)])
def test_perplexity_equals_numpy(batch: int, unroll: int) -> None:
    training = make(batch=batch, unroll=unroll)
    text = TEXT[:12]
    found = training.perplexity(text)
    assert found[:2] == pytest.approx(plain_perplexities(training, text), rel=1e-4)
    words = [word for sentence in text for word in sentence]
    assert found.unknown == pytest.approx(np.mean([word not in WORDS for word in words]))
    assert 0 < found.unknown < 1


@pytest.mark.parametrize("rows, unroll", [(3, 2), (1, 7)])
def test_carried_perplexity_equals_one_run_over_the_text(rows: int, unroll: int) -> None:
    training = make(batch=3, unroll=unroll)
    text = TEXT[:12]  # it fills ten windows of two words in 3 streams, of seven words in one
    found = training.perplexity(text, carried=True)
    marked = [["<S>", *words, "</S>"] for words in text]
    streams = [
        [word for words in marked for word in words],
        [word for words in marked for word in words[::-1]],
    ]
    assert len(streams[0]) >= 60
    length = -(-(len(streams[0]) - 1) // rows)
    vectors, bias = (array(w).astype("float64") for w in training.softmax.weights)
    for direction, opening in enumerate(["<S>", "</S>"]):
        losses = []
        for start in range(0, len(streams[0]) - 1, length):
            row = streams[direction][start : start + length + 1]
            outputs = plain_outputs(training.bilm, np.array([[row]] * 2))[direction, 0, :-1]
            scores = outputs.astype("float64") @ vectors.T + bias
            targets = WORDS.ids(row[1:])
            log_p = scores[np.arange(len(targets)), targets] - np.log(np.exp(scores).sum(axis=-1))
            losses += [-p for p, word in zip(log_p, row[1:], strict=True) if word != opening]
        assert found[direction] == pytest.approx(math.exp(np.mean(losses)), rel=1e-4)


def test_a_model_without_opinions_has_the_perplexity_of_its_list() -> None:
    training = make()
    training.softmax.set_weights([np.zeros((len(WORDS), SMALL.projection)), np.zeros(len(WORDS))])
    for carried in (False, True):
        found = training.perplexity(TEXT, carried=carried)
        assert found[:2] == pytest.approx((len(WORDS), len(WORDS)), rel=1e-5)


def test_memory_is_bounded_without_another_result(monkeypatch) -> None:
    training = make()
    expected = training.perplexity(TEXT)
    monkeypatch.setattr("rnnkit.elmo.training.LOGITS_AT_ONCE", 5 * len(WORDS))
    assert training.perplexity(TEXT) == pytest.approx(expected, rel=1e-6)


# Checkpoints


def state(training: BiLMTraining) -> list[np.ndarray]:
    return [array(variable) for variable in training._state()]


def trained(steps: int, folder=None, every: int = 1000, seed: int = 3):
    keras.utils.set_random_seed(seed)
    dropout = 0.0 if keras.backend.backend() == "torch" else 0.3  # its chance is PyTorch's own
    training = make(BiLM(ONE_LAYER, dropout=dropout))
    results = training.fit(
        TEXT, steps=steps, validation=TEXT[:3], checkpoint=folder, every=every, quiet=True
    )
    return state(training), results


@pytest.fixture(scope="module")
def unbroken():
    return trained(52)


@pytest.mark.parametrize("stop, every", [(14, 5), (40, 1000), (52, 13)])
def test_a_training_goes_on_as_if_it_had_not_stopped(stop, every, unbroken, tmp_path) -> None:
    trained(stop, tmp_path, every)
    resumed, results = trained(52, tmp_path, every, seed=99)  # other first weights do not count
    for one, other in zip(unbroken[0], resumed, strict=True):
        np.testing.assert_array_equal(one, other)
    assert results == unbroken[1]
    assert len({result.step for result in results}) == len(results) > 2


@pytest.fixture(scope="module")
def one_step(tmp_path_factory):
    """A folder with a checkpoint after one step."""
    folder = tmp_path_factory.mktemp("checkpoints")
    make().fit(TEXT, steps=1, checkpoint=folder, quiet=True)
    return folder


def test_a_finished_training_is_only_read(tmp_path, monkeypatch) -> None:
    first = make()
    results = first.fit(TEXT, epochs=1, checkpoint=tmp_path, quiet=True)
    second = make(random_bilm(ONE_LAYER, seed=5))
    monkeypatch.setattr(second, "train_on_batch", None)
    assert second.fit(TEXT, epochs=1, checkpoint=tmp_path, quiet=True) == results
    for one, other in zip(state(first), state(second), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "settings, text, message",
    [
        ({"batch": 2}, TEXT, "batch: expected 3, received 2"),
        ({"unroll": 3}, TEXT, "unroll: expected 4, received 3"),
        ({"negatives": None}, TEXT, "negatives: expected 5, received None"),
        ({"seed": 8}, TEXT, "seed: expected 7, received 8"),
        ({"optimizer": "adam"}, TEXT, "optimizer.class: expected Adagrad, received Adam"),
        (
            {"optimizer": keras.optimizers.Adagrad(0.1)},
            TEXT,
            "optimizer.learning_rate: expected 0.2",
        ),
        ({}, TEXT[1:], "SHA-256 of the text: expected"),
    ],
)
def test_a_checkpoint_of_another_training_is_refused(settings, text, message, one_step) -> None:
    with pytest.raises(ValueError, match="another training") as caught:
        make(**settings).fit(text, steps=2, checkpoint=one_step, quiet=True)
    assert message in str(caught.value)


def test_a_checkpoint_of_another_bilm_is_refused(one_step) -> None:
    other = random_bilm()
    with pytest.raises(ValueError, match=r"options\.lstm\.n_layers: expected 1, received 2"):
        make(other).fit(TEXT, steps=2, checkpoint=one_step, quiet=True)


def test_a_checkpoint_of_another_word_list_is_refused(one_step) -> None:
    words = WordList([*WORDS.words[3:-1], "other"])
    training = BiLMTraining(random_bilm(ONE_LAYER), words, batch=3, unroll=4, negatives=5, seed=7)
    with pytest.raises(ValueError, match="SHA-256 of the word list: expected"):
        training.fit(TEXT, steps=2, checkpoint=one_step)


def test_the_notes_of_a_checkpoint_can_be_read_by_people(one_step) -> None:
    notes = json.loads((one_step / "step_000000001" / "training.json").read_text())
    assert notes["settings"]["options"] == ONE_LAYER.to_dict()
    assert notes["progress"]["step"] == 1
    assert Checkpoints(one_step).read(notes["settings"]) is not None


# What it says


def test_what_it_says_can_be_followed(capsys) -> None:
    make().fit(TEXT, epochs=2, validation=TEXT[:9])
    out, err = capsys.readouterr()
    lines = [line for line in out.splitlines() if line.startswith("epoch")]
    assert len(lines) == 2 and err == ""
    for word in ("loss ", "perplexity of the validation text: ", "forwards", "unknown words"):
        assert word in lines[1]


def test_quiet_is_quiet(capsys) -> None:
    make().fit(TEXT, epochs=1, validation=TEXT[:9], quiet=True)
    assert capsys.readouterr() == ("", "")


# Wrong input


@pytest.mark.parametrize("settings", [{"batch": 0}, {"unroll": 0}, {"negatives": 0}, {"seed": -1}])
def test_impossible_settings_are_refused(settings) -> None:
    with pytest.raises(ValueError, match=r"BiLMTraining expects .*Received"):
        make(**settings)


@pytest.mark.parametrize(
    "arguments",
    [{}, {"epochs": 1, "steps": 1}, {"epochs": 0}, {"steps": -1}, {"steps": 1, "every": 0}],
)
def test_impossible_lengths_are_refused(arguments) -> None:
    with pytest.raises(ValueError, match="either epochs or steps"):
        make().fit(TEXT, quiet=True, **arguments)


def test_too_little_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"batch \* unroll \+ 1 = 13 words.*Received: 12"):
        make().fit([["a"] * 10], epochs=1)
    make().fit([["a"] * 11], epochs=1, quiet=True)


@pytest.mark.parametrize("sentences", [[], ()])
def test_no_text_is_refused(sentences) -> None:
    for call in (lambda: make().fit(sentences, epochs=1), lambda: make().perplexity(sentences)):
        with pytest.raises(ValueError, match="Received: no sentences"):
            call()


def test_a_text_in_place_of_lists_of_words_is_refused() -> None:
    for call in (lambda: make().fit(["a b"], epochs=1), lambda: make().perplexity("a b")):
        with pytest.raises(TypeError, match="Received the text 'a b'"):
            call()


def test_a_loss_that_is_no_number_stops_the_training() -> None:
    training = make(optimizer=keras.optimizers.SGD(1e30))
    with pytest.raises(FloatingPointError, match="at step"):
        training.fit(TEXT, epochs=3, quiet=True)
