"""Taggers on frozen vectors: what they read, and what is measured of them."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from elmo_labs import GuessingTrainer, small_lab

from rnnkit.experiments import TaggingResult, elmo_gain, elmo_placement, elmo_regularization
from rnnkit.experiments.elmo_lab import NAMES, POS, Tagged, drawn
from rnnkit.experiments.elmo_tagger import (
    Arrangement,
    TaggerTrainer,
    VectorTagger,
    batches_by_length,
    shuffled_batches,
    side_by_side,
)
from rnnkit.plots import curves

GENERATOR = np.random.default_rng(0)
VECTORS = [
    (
        GENERATOR.normal(size=(length, 5)).astype("float32"),
        GENERATOR.normal(size=(3, length, 8)).astype("float32"),
    )
    for length in (4, 2, 3)
]


@pytest.fixture
def lab(change_setting):
    """A lab whose taggers learn nothing."""
    change_setting("elmo_lab", TaggerTrainer=GuessingTrainer)
    return small_lab()


def logits(model, vectors):
    return np.asarray(model(list(side_by_side(vectors, range(len(vectors)))[:3])))


@pytest.mark.parametrize("places", [("input",), ("output",), ("input", "output")])
def test_padding_and_other_sentences_change_no_logits(places):
    model = VectorTagger(Arrangement((0, 1, 2), places), tags=4, sizes=(5, 8))
    together = logits(model, VECTORS)
    for row, own in enumerate(VECTORS):
        [alone] = logits(model, [own])
        np.testing.assert_allclose(together[row, : len(own[0])], alone, atol=1e-5)


def test_at_the_output_a_words_elmo_vector_reaches_only_its_own_tag():
    changed = [(static, layers.copy()) for static, layers in VECTORS]
    changed[0][1][:, 1] += 1.0
    reached = {}
    for place in ("input", "output"):
        model = VectorTagger(Arrangement((0, 1, 2), (place,)), tags=4, sizes=(5, 8))
        difference = np.abs(logits(model, changed) - logits(model, VECTORS))[0].max(axis=-1)
        reached[place] = (difference > 1e-6).tolist()
    assert reached == {"input": [True] * 4, "output": [False, True, False, False]}


def test_a_tagger_of_static_vectors_reads_no_layer():
    model = VectorTagger(Arrangement(), tags=4, sizes=(5, 8))
    before = logits(model, VECTORS)
    moved = [(static, layers + 1.0) for static, layers in VECTORS]
    np.testing.assert_array_equal(before, logits(model, moved))


def test_a_tagger_learns_what_its_vectors_say_and_starts_anew_with_each_seed():
    vectors = [(static, layers[:2]) for static, layers in VECTORS]
    tags = [1 + (layers[1, :, 0] > 0) for _, layers in vectors]
    trainer = TaggerTrainer(Arrangement((0, 1)), tags=3, sizes=(5, 8))
    trainer.train(vectors, tags, epochs=40, seed=1)
    learned = trainer.tag(vectors)
    assert [row.tolist() for row in learned] == [row.tolist() for row in tags]
    weights = trainer.layer_weights()["input"]
    trainer.train(vectors, tags, epochs=1, seed=2)
    trainer.train(vectors, tags, epochs=40, seed=1)
    np.testing.assert_allclose(trainer.layer_weights()["input"], weights, atol=1e-6)


def test_batches_hold_each_sentence_once():
    lengths = [3, 9, 1, 4, 4, 8, 2]
    made = shuffled_batches(lengths, 3, np.random.default_rng(1))
    assert sorted(np.concatenate(made).tolist()) == list(range(7))
    assert [place for batch in batches_by_length(lengths) for place in batch] == [
        2, 6, 0, 3, 4, 5, 1,
    ]  # fmt: skip


def test_more_labelled_sentences_hold_the_fewer_ones():
    part = Tagged([[str(number)] for number in range(50)], [["X"]] * 50)
    few, more = drawn(part, 5, seed=1).words, drawn(part, 20, seed=1).words
    assert more[:5] == few
    assert drawn(part, 5, seed=2).words != few


def test_a_sentence_is_read_and_a_tagger_trained_only_once(lab):
    first = elmo_gain(seeds=(0,), lab=lab, quiet=True)
    count = len(lab.trainings)
    second = elmo_gain(seeds=(0,), lab=lab, quiet=True)
    assert len(lab.trainings) == count == 2 * 2 * 3  # tasks, numbers of labels, arrangements
    read = lab.bilm.read
    lab.layers(lab.task(POS).test.words[:20])
    assert lab.bilm.read == read
    assert second.trainings == []
    assert first.series() == second.series()
    curves(first.series(), "labelled sentences", "score")


def test_each_place_learns_weights_of_its_own(lab):
    result = elmo_placement(seeds=(0, 1), lab=lab, quiet=True)
    both = result.weights[POS]["at both"]
    assert {place: each.shape for place, each in both.items()} == {
        "input": (2, 3),
        "output": (2, 3),
    }
    np.testing.assert_allclose(both["output"].sum(axis=1), 1.0, rtol=1e-5)


def test_both_sizes_of_lambda_are_measured(lab):
    result = elmo_regularization(seeds=(0,), lab=lab, quiet=True)
    assert list(result.scores[POS]) == ["λ = 1", "λ = 0.001"]


def test_a_tagger_of_names_is_measured_by_f1(lab):
    outcome = lab.tagger(NAMES, Arrangement(), labels=4, seed=0, quiet=True)
    test = lab.task(NAMES).test
    first = [["B-LOC"] * len(row) for row in test.tags[:20]]  # all that the tagger gives
    assert outcome.score == lab.task(NAMES).measure(first, test.tags[:20])
    assert lab.task(NAMES).measure(test.tags, test.tags) == 1.0
    nothing = [["O"] * len(row) for row in test.tags]
    assert lab.task(NAMES).measure(nothing, test.tags) == 0.0


def test_results_become_curves_against_labels():
    result = TaggingResult({POS: {"static": {10: np.array([0.5, 0.6])}}}, {}, [])
    assert result.series() == {POS: {"static": [(10, [0.5, 0.6])]}}


def test_no_seeds_are_refused(lab):
    with pytest.raises(ValueError, match="seeds must be"):
        elmo_gain(seeds=(), lab=lab)
