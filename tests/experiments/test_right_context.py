"""Right context, measured on models whose answers are known."""

import numpy as np
import pytest

from rnnkit import data
from rnnkit.experiments import RightContextResult, right_context
from rnnkit.experiments.right_context import LABELS, meaning_accuracy
from rnnkit.text import Vocabulary, words

SENTENCES = data.bank_sentences(60, "test", seed=4)
TEXTS = [" ".join(sentence) for sentence in SENTENCES.sentences]
VOCABULARY = Vocabulary.from_texts(TEXTS, split=words, joiner=" ")


class Tagger:
    """Gives the tags it is told, whatever it reads."""

    def __init__(self, meanings):
        self.meanings = meanings

    def predict(self, ids, **_):
        logits = np.zeros((*ids.shape, 4))
        logits[:, :, 1] = 9.0  # "other" is always the most probable: it must not count
        for row, meaning in enumerate(self.meanings):
            logits[row, SENTENCES.positions[row], 1 + LABELS.index(meaning)] = 1.0
        return logits


def test_a_model_that_knows_the_meanings_is_always_right():
    assert meaning_accuracy(Tagger(SENTENCES.meanings), VOCABULARY, SENTENCES) == 1.0


def test_a_model_with_one_answer_is_right_in_half_of_the_sentences():
    assert meaning_accuracy(Tagger(["people"] * 60), VOCABULARY, SENTENCES) == 0.5


def test_a_net_that_reads_forward_has_exactly_one_half(eager):
    result = right_context(seeds=(0,), epochs=1, fast=True, quiet=True)
    assert result.accuracy["forward"].tolist() == [[0.5]]
    assert [training.model for training in result.trainings] == ["forward", "both directions"]


def test_results_become_curves_against_epochs():
    result = RightContextResult({"forward": np.array([[0.5, 0.6], [0.4, 0.7]])}, [])
    assert result.series() == {"forward": [(1, [0.5, 0.4]), (2, [0.6, 0.7])]}


def test_no_seeds_are_refused():
    with pytest.raises(ValueError, match="seeds must be"):
        right_context(seeds=())
