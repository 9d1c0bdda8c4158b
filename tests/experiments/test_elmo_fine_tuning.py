"""A classifier from a biLM, and one from scratch: what each starts from."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from elmo_labs import random_bilm, static_vectors

from rnnkit.data import acceptability
from rnnkit.elmo import extraction
from rnnkit.experiments import BiLMFineTuningResult, ElmoLab, elmo_fine_tuning
from rnnkit.experiments.elmo_fine_tuning import (
    PRETRAINED,
    REVIEWS,
    SCRATCH,
    TENSE,
    Labelled,
    SentenceClassifier,
    Starts,
    load_task,
    share_right,
    token_vectors,
    train_for,
)

WORDS = ["bad", "film", "good", "a"]
IDS = np.array([[4, 3, 2, 0], [4, 1, 2, 0], [2, 3, 0, 0], [2, 1, 0, 0]] * 4)
LABELS = np.array([1, 0, 1, 0] * 4)


@pytest.fixture(autouse=True)
def short_parts(monkeypatch, eager):
    monkeypatch.setattr(extraction, "LONGEST_PART", 16)


def test_words_have_the_vectors_of_the_token_layer():
    bilm = random_bilm()
    [layers] = bilm.embed([["film", "a"]])
    vectors = token_vectors(bilm, WORDS * 10)
    np.testing.assert_allclose(vectors[[1, 3]], layers[0, :, :4], atol=1e-6)
    assert vectors.shape == (40, 4)


def test_one_start_has_the_weights_of_the_biLM_and_the_other_has_none_of_them():
    bilm = random_bilm()
    starts = Starts(bilm, WORDS)
    stacks = bilm.forward_stack.get_weights()

    def same():
        own = starts.model.bilm.forward_stack.get_weights()
        pairs = zip(stacks, own, strict=True)
        return all(np.array_equal(*pair) for pair in pairs if pair[0].std() > 0)

    starts.begin(PRETRAINED, 0, IDS)
    assert same()
    table = starts.model.table.get_weights()[0]
    np.testing.assert_allclose(table[1:], token_vectors(bilm, WORDS), atol=1e-6)
    train_for(starts.model, Labelled(IDS, LABELS), updates=1, seed=0)
    assert not same()
    starts.begin(SCRATCH, 0, IDS)
    assert not same()
    starts.begin(PRETRAINED, 1, IDS)
    assert same()  # the biLM itself was not moved


def test_from_scratch_words_without_a_label_are_zeros():
    starts = Starts(random_bilm(), WORDS)
    starts.begin(SCRATCH, 0, np.array([[4, 2, 0]]))
    table = starts.model.table.get_weights()[0]
    assert table.any(axis=1).tolist() == [True, False, True, False, True]  # row 0 is padding


def test_padding_changes_no_logits():
    model = SentenceClassifier(random_bilm(), 5)
    padded = np.pad(IDS[:2], ((0, 0), (0, 3)))
    np.testing.assert_allclose(model(padded), model(IDS[:2]), atol=1e-5)


def test_a_classifier_learns_what_the_words_say():
    starts = Starts(random_bilm(), WORDS)
    starts.begin(SCRATCH, 0, IDS)
    starts.model.optimizer.learning_rate = 0.03
    train_for(starts.model, Labelled(IDS, LABELS), updates=30, seed=0)
    assert share_right(starts.model, Labelled(IDS, LABELS)) == 1.0


def test_both_starts_are_measured_for_each_number_of_labels():
    lab = ElmoLab(random_bilm(), static_vectors(), fast=True)
    result = elmo_fine_tuning(seeds=(0,), lab=lab, quiet=True)
    assert result.labels == {TENSE: (8, 40), REVIEWS: (8, 40)}
    for task in (TENSE, REVIEWS):
        shapes = {start: each.shape for start, each in result.accuracy[task].items()}
        assert shapes == {PRETRAINED: (1, 2), SCRATCH: (1, 2)}
        assert 0.5 <= result.most_frequent[task] < 1
    assert len({training.weights for training in result.trainings}) == 1


def test_results_become_curves_against_labels():
    accuracy = {TENSE: {SCRATCH: np.array([[0.1, 0.2], [0.3, 0.4]])}}
    result = BiLMFineTuningResult({TENSE: (8, 40)}, accuracy, {TENSE: 0.5}, [])
    assert result.series(TENSE) == {SCRATCH: [(8, [0.1, 0.3]), (40, [0.2, 0.4])]}


@pytest.mark.parametrize("task", [TENSE, REVIEWS])
def test_ids_of_a_task_are_those_of_its_words(task):
    read = load_task(task, fast=True)
    made = acceptability(40, "train", seed=1)
    for row, sentence in zip(read.train.ids, made.sentences, strict=True):
        assert [read.words[number - 1] for number in row if number] == sentence
    assert read.train.labels.tolist() == made.labels
