"""Agreement, measured on models whose answers are known."""

import numpy as np
import pytest

from rnnkit import data
from rnnkit.data.lexicon import PEOPLE, THINGS
from rnnkit.experiments import AgreementResult, Training, agreement
from rnnkit.experiments.agreement import verb_accuracy
from rnnkit.plots import curves
from rnnkit.text import Vocabulary, words

SINGULAR = {noun[0] for noun in PEOPLE + THINGS}
PLURAL = {noun[1] for noun in PEOPLE + THINGS}
SINGULAR_VERBS = {"is", "was", "has", "stands", "looks", "needs", "seems", "stays"}


class NearestNoun:
    """Finds the verb more probable that agrees with the last noun before it."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary

    def log_probabilities(self, ids):
        result = np.full((len(ids), ids.shape[1] - 1), -5.0)
        for row, sentence in enumerate(self.vocabulary.decode(ids)):
            *before, verb = sentence.split()
            nouns = [word for word in before if word in SINGULAR | PLURAL]
            agrees = (nouns[-1] in SINGULAR) == (verb in SINGULAR_VERBS)
            result[row, len(before)] = -1.0 if agrees else -2.0
        return result


class Same:
    """Finds every symbol equally probable."""

    def log_probabilities(self, ids):
        return np.full((len(ids), ids.shape[1] - 1), -3.0)


@pytest.fixture(scope="module")
def vocabulary():
    texts = [" ".join(sentence) for sentence in data.agreement(3000, seed=5).sentences]
    return Vocabulary.from_texts(texts, split=words, joiner=" ")


@pytest.mark.parametrize(("attractors", "expected"), [(0, 1.0), (4, 0.0)])
def test_a_model_of_the_nearest_noun_is_found_out_by_attractors(vocabulary, attractors, expected):
    sentences = data.agreement(60, [attractors], "test", seed=3)
    assert verb_accuracy(NearestNoun(vocabulary), vocabulary, sentences) == expected


def test_equal_probabilities_count_one_half(vocabulary):
    sentences = data.agreement(20, [1], "test", seed=3)
    assert verb_accuracy(Same(), vocabulary, sentences) == 0.5


def test_results_become_curves_against_attractors_and_epochs():
    accuracy = np.arange(2 * 3 * 5).reshape(2, 3, 5) / 30  # seeds, epochs, attractors
    result = AgreementResult({"LSTM": accuracy}, np.full(5, 0.5), 3, [])
    series = result.series()
    assert series["LSTM"][4] == (4, [accuracy[0, 2, 4], accuracy[1, 2, 4]])
    assert series["3-gram"][0] == (0, [0.5])
    assert result.series(epoch=0)["LSTM"][1] == (1, [accuracy[0, 0, 1], accuracy[1, 0, 1]])
    by_epoch = result.by_epoch()["LSTM"]
    assert by_epoch["1 attractor"][2] == (3, [accuracy[0, 2, 1], accuracy[1, 2, 1]])
    curves(series, "attractors", "accuracy")
    curves(result.by_epoch(), "epochs", "accuracy")


def test_a_seed_gives_the_same_numbers_again(change_setting, eager):
    change_setting("agreement", CELLS={"Elman": "elman"})
    first, second = (agreement(seeds=(3,), epochs=1, fast=True, quiet=True) for _ in range(2))
    np.testing.assert_array_equal(first.accuracy["Elman"], second.accuracy["Elman"])
    assert first.accuracy["Elman"].shape == (1, 1, 5)
    (training,) = first.trainings
    assert isinstance(training, Training)
    assert (training.model, training.seed) == ("Elman", 3)


def test_no_seeds_are_refused():
    with pytest.raises(ValueError, match="seeds must be"):
        agreement(seeds=())
