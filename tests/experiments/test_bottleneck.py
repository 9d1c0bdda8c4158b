"""The bottleneck, measured on a model whose answers are known."""

import numpy as np
import pytest

from rnnkit import data
from rnnkit.experiments import BottleneckResult, bottleneck
from rnnkit.experiments.bottleneck import LETTERS, SMALL, batches, reversal_accuracy
from rnnkit.text import Vocabulary

VOCABULARY = Vocabulary(LETTERS)


class RemembersFour:
    """Writes up to four letters backwards; of a longer string, only the last four."""

    def decode(self, source, bos_id, eos_id, max_length):
        rows = [row[row > 0][::-1][:4] for row in source]
        ids = np.zeros((len(rows), max_length), dtype="int32")
        for line, row in zip(ids, rows, strict=True):
            line[: len(row)] = row
            line[len(row)] = eos_id
        return ids


def test_a_memory_of_four_letters_is_seen_at_the_fifth():
    sources, targets = data.reversals(100, seed=3, maximum=8)
    measured = reversal_accuracy(RemembersFour(), VOCABULARY, sources, targets, (3, 5, 7, 9))
    assert measured == [1.0, 0.0, 0.0]


def test_the_decoder_reads_each_target_one_step_late():
    inputs, following = batches(VOCABULARY, ["ab", "abc"], ["ba", "cba"], longest=4)
    assert inputs["source"].tolist() == [[4, 5, 0, 0], [4, 5, 6, 0]]
    assert inputs["previous"].tolist() == [[2, 5, 4, 0, 0], [2, 6, 5, 4, 0]]
    assert following.tolist() == [[5, 4, 3, 0, 0], [6, 5, 4, 3, 0]]


def test_results_become_curves_against_length():
    result = BottleneckResult([(3, 4), (5, 8)], {"with attention": np.array([[1.0, 0.5]])}, [])
    assert result.series() == {"with attention": [(3.5, [1.0]), (6.5, [0.5])]}


def test_each_model_is_measured_in_each_range_of_lengths(change_setting, eager):
    change_setting("bottleneck", SMALL=SMALL._replace(strings=64, epochs={"without attention": 1}))
    result = bottleneck(seeds=(1,), fast=True, quiet=True)
    assert result.accuracy["without attention"].shape == (1, 3)
    assert result.bands == [(3, 4), (5, 6), (7, 8)]
    assert [training.seed for training in result.trainings] == [1]


def test_no_seeds_are_refused():
    with pytest.raises(ValueError, match="seeds must be"):
        bottleneck(seeds=())
