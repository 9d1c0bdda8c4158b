"""Copying, measured on models whose answers are known."""

import keras
import numpy as np
import pytest

from rnnkit.experiments import CopyingResult, copying
from rnnkit.experiments.copying import EMBEDDINGS, PART, Net, copying_accuracy, copying_model
from rnnkit.experiments.copying import _train as train
from rnnkit.layers import LSTMCell
from rnnkit.plots import curves


def says_the_first(ids):
    return np.eye(11)[ids[:, 0]]


def says_three(ids):
    return np.eye(11)[np.full(len(ids), 3)]


def test_a_net_that_says_the_first_symbol_has_all_right():
    assert copying_accuracy(says_the_first, delay=5) == 1.0


def test_a_net_that_always_says_the_same_is_at_chance():
    assert copying_accuracy(says_three, delay=5) == 1 / 8


def test_a_net_sees_the_whole_wait():
    seen = []

    def look(ids):
        seen.append(ids)
        return says_three(ids)

    copying_accuracy(look, delay=99)
    assert seen[0].shape == (8, 101)


def test_a_net_begins_as_it_is_told():
    net = Net("lstm", "Gaussian", 5)
    model = copying_model(net, EMBEDDINGS["embeddings of standard deviation 1"](), 3, seed=0)
    embeddings, _, recurrent, bias, *_ = model.get_weights()
    assert embeddings.std() == pytest.approx(1.0, rel=0.2)
    assert recurrent.std() == pytest.approx(1 / 8, rel=0.05)
    cell = LSTMCell(64, forget_bias=5)
    np.testing.assert_array_equal(bias, keras.ops.convert_to_numpy(cell.initial_bias((256,))))


def test_orthogonal_and_small_are_what_keras_begins_with():
    model = copying_model(Net("elman", "orthogonal"), "uniform", 3, seed=0)
    embeddings, _, recurrent, *_ = model.get_weights()
    assert abs(embeddings).max() <= 0.05
    np.testing.assert_allclose(recurrent @ recurrent.T, np.eye(64), atol=1e-5)


@pytest.mark.parametrize("recurrence", ["orthogonal", "Gaussian"])
def test_each_seed_begins_elsewhere_and_always_there(recurrence):
    def recurrent(seed):
        return copying_model(Net("elman", recurrence), "uniform", 3, seed).get_weights()[2]

    np.testing.assert_array_equal(recurrent(1), recurrent(1))
    assert not np.allclose(recurrent(1), recurrent(2))


def test_a_net_without_a_forget_gate_is_a_level_line():
    nets = {
        Net("gru", "orthogonal"): [0.5, 0.25],
        Net("lstm", "Gaussian", 0): [0.125, 0.25],
        Net("lstm", "Gaussian", 5): [1.0, 0.75],
    }
    result = CopyingResult({"panel": nets}, delay=9, chance=0.125, trainings=[])
    assert result.series() == {
        "panel": {
            "GRU, orthogonal": [(0, [0.5, 0.25]), (5, [0.5, 0.25])],
            "LSTM, Gaussian": [(0, [0.125, 0.25]), (5, [1.0, 0.75])],
        }
    }


def test_training_moves_the_weights(change_setting, eager):
    change_setting("copying", PART=1)
    model = copying_model(Net("gru", "orthogonal"), "uniform", 2, seed=0)
    before = model.get_weights()
    train(model, delay=2, updates=1)
    after = model.get_weights()
    assert any((new != old).any() for old, new in zip(before, after, strict=True))


class LearnsAtOnce:
    """Stands in for a model: its second training is all right."""

    fits = 0

    def fit(self, *inputs, **settings):
        self.fits += 1
        history = keras.callbacks.History()
        history.history = {"accuracy": [0.5 if self.fits == 1 else 1.0]}
        return history


def test_training_ends_when_a_part_is_all_right():
    model = LearnsAtOnce()
    train(model, delay=2, updates=4 * PART)
    assert model.fits == 2


def test_every_net_is_trained_from_every_seed(capsys):
    # So few updates that no part is complete: nothing is learned, and nothing takes long.
    result = copying(seeds=(0, 1), forget_biases=(5,), delay=2, updates=1)
    assert len(result.trainings) == 2 * 5 * 2
    assert len(capsys.readouterr().out.splitlines()) == len(result.trainings)
    assert curves(result.series(), "forget bias", "accuracy", chance=result.chance)


def test_seeds_are_needed():
    with pytest.raises(ValueError, match="seeds"):
        copying(seeds=())
