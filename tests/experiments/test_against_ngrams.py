"""Characters against n-grams."""

import numpy as np
import pytest

from rnnkit.experiments import NgramsResult, against_ngrams
from rnnkit.experiments.against_ngrams import SMALL, continued
from rnnkit.text import Vocabulary

RESULT = NgramsResult(
    text="program_text",
    bits=np.array([[3.0, 2.0], [3.5, 2.5]]),  # seeds, epochs
    ngram_bits={1: 4.0, 2: 2.25},
    best_order=2,
    samples={},
    trainings=[],
)


def test_results_become_curves_against_epochs():
    assert RESULT.series() == {
        "LSTM": [(1, [3.0, 3.5]), (2, [2.0, 2.5])],
        "2-gram": [(1, [2.25]), (2, [2.25])],
    }


def test_results_become_curves_against_the_order():
    assert RESULT.by_order() == {
        "n-grams": [(1, [4.0]), (2, [2.25])],
        "LSTM": [(1, [2.0, 2.5]), (2, [2.0, 2.5])],
    }


def test_a_sample_goes_on_after_its_beginning():
    letters = Vocabulary("abc")

    def next_letter(previous, state):
        return np.where(np.arange(7) == 4 + (previous[:, None] - 3) % 3, 0.0, -99.0), state

    assert continued(next_letter, None, letters, "ab", length=4) == "abcabc"


def test_each_model_writes_and_is_measured(change_setting, eager):
    change_setting("character_model", WINDOW=8)
    change_setting(
        "against_ngrams",
        SMALL=SMALL._replace(units=4, learned=5000, held_out=2000, orders=(1, 2), sampled=5),
    )
    result = against_ngrams(seeds=(0,), fast=True, quiet=True)
    assert result.bits.shape == (1, 1)
    assert result.ngram_bits[2] < result.ngram_bits[1]
    assert result.best_order == 2
    assert [len(sample) for sample in result.samples.values()] == [len("\ndef ") + 5] * 2


def test_an_unknown_text_is_refused():
    with pytest.raises(ValueError, match="text must be one of program_text, shakespeare"):
        against_ngrams("novels")
