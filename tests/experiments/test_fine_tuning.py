"""Fine-tuning, measured on a model whose answers are known."""

import numpy as np
import pytest

from rnnkit import data
from rnnkit.experiments import FineTuningResult, fine_tuning
from rnnkit.experiments.fine_tuning import SMALL, judgement
from rnnkit.text import Vocabulary, words

SENTENCES = data.acceptability(200, "test", seed=3)
VOCABULARY = Vocabulary.from_texts(
    [" ".join(sentence) for sentence in SENTENCES.sentences], split=words, joiner=" "
)


class Judge:
    """Gives the labels it is told."""

    def __init__(self, labels):
        self.labels = labels

    def classify(self, ids):
        return self.labels


@pytest.mark.parametrize(("turn", "expected"), [(False, 1.0), (True, -1.0)])
def test_a_judge_that_is_always_right_or_always_wrong(turn, expected):
    labels = [label ^ turn for label in SENTENCES.labels]
    assert judgement(Judge(labels), VOCABULARY, SENTENCES) == pytest.approx(expected)


def test_a_judge_that_accepts_everything_has_learned_nothing():
    assert judgement(Judge([1] * 200), VOCABULARY, SENTENCES) == 0.0


def test_both_starts_are_measured_for_each_number_of_labels(change_setting, eager):
    change_setting("fine_tuning", SMALL=SMALL._replace(unlabelled=100, labels=(10, 20), steps=2))
    result = fine_tuning(seeds=(0,), fast=True, quiet=True)
    assert {name: each.shape for name, each in result.correlations.items()} == {
        "from a language model": (1, 2),
        "from scratch": (1, 2),
    }
    weights = {training.model: training.weights for training in result.trainings}
    assert weights["from a language model"] == weights["from scratch"]


def test_results_become_curves_against_labels():
    result = FineTuningResult((50, 100), {"from scratch": np.array([[0.1, 0.2], [0.3, 0.4]])}, [])
    assert result.series() == {"from scratch": [(50, [0.1, 0.3]), (100, [0.2, 0.4])]}
