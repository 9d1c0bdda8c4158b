"""Long range, measured on models whose answers are known."""

import numpy as np
import pytest

from rnnkit import data
from rnnkit.experiments import LongRangeResult, long_range
from rnnkit.experiments.long_range import _lessons, _model, last_word_probability
from rnnkit.models import KneserNey
from rnnkit.plots import curves

IDS = np.array([[5, 6, 7], [8, 9, 0]])


def test_only_the_last_word_of_each_story_counts():
    def log_probabilities(ids):
        return np.log([[0.001, 0.5], [0.25, 1.0]])  # the last is padding

    assert last_word_probability(log_probabilities, IDS) == pytest.approx((0.5 + 0.25) / 2)


def test_an_ngram_model_is_near_chance_on_stories():
    known, new = (data.tickets(2000, [12, 16], 0, split, 1) for split in ("train", "test"))
    names = {
        word: id_
        for id_, word in enumerate(sorted({word for story in known.sentences for word in story}), 1)
    }

    def ids(stories):
        rows = [[names[word] for word in story] for story in stories]
        longest = max(map(len, rows))
        return np.array([row + [0] * (longest - len(row)) for row in rows])

    model = KneserNey(5).fit(ids(known.sentences), len(names) + 1)
    assert last_word_probability(model.log_probabilities, ids(new.sentences)) < 0.12


def test_each_epoch_adds_a_distance_and_the_last_has_all():
    ids, distances = np.arange(6)[:, None], np.array([8, 16, 8, 12, 16, 12])
    lessons = _lessons(ids, distances, trained=(16, 8, 12))
    assert [lesson[:, 0].tolist() for lesson in lessons] == [
        [0, 2],
        [0, 2, 3, 5],
        [0, 1, 2, 3, 4, 5],
        [0, 1, 2, 3, 4, 5],
    ]


def test_forget_gates_begin_as_they_are_told():
    *_, bias = _model(9, 3.0, seed=0).recurrences[0].get_weights()
    np.testing.assert_array_equal(bias, np.repeat([0.0, 3.0, 0.0, 0.0], 64))


def test_a_seed_decides_the_weights():
    first, again, other = (_model(9, None, seed).get_weights() for seed in (1, 1, 2))
    for one, same, another in zip(first, again, other, strict=True):
        np.testing.assert_array_equal(one, same)
        assert not one.any() or not np.allclose(one, another)


def test_points_have_one_number_a_seed_and_the_ngrams_one():
    result = LongRangeResult(
        (8, 16),
        {"LSTM": np.array([[0.9, 0.5], [1.0, 0.25]])},
        np.array([0.0625, 0.125]),
        5,
        0.1,
        [],
    )
    assert result.series() == {
        "LSTM": [(8, [0.9, 1.0]), (16, [0.5, 0.25])],
        "5-gram": [(8, [0.0625]), (16, [0.125])],
    }


def test_every_model_is_trained_from_each_seed(capsys):
    result = long_range(seeds=(3,), trained=(8,), tested=(8, 10), fast=True)
    trained = [(each.model, each.seed) for each in result.trainings]
    assert trained == [("Elman", 3), ("LSTM, forget bias 3", 3)]
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert all(values.shape == (1, 2) for values in result.probability.values())
    assert result.chance == 1 / 16
    assert curves(result.series(), "distance (words)", "probability", chance=result.chance)


def test_seeds_are_needed():
    with pytest.raises(ValueError, match="seeds"):
        long_range(seeds=())


def test_distances_too_short_for_a_story_are_refused():
    with pytest.raises(ValueError, match="distances"):
        long_range(trained=(2,))
