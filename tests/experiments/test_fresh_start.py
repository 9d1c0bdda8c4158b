"""Models that begin anew."""

import keras
import numpy as np

from rnnkit.experiments.fresh_start import FreshStarts

INPUTS = np.random.default_rng(1).normal(size=(8, 3))
TARGETS = INPUTS.sum(axis=1, keepdims=True)


def starts():
    def make():
        layers = [keras.layers.Dense(4), keras.layers.Dropout(0.5), keras.layers.Dense(1)]
        return keras.Sequential([keras.Input((3,)), *layers])

    return FreshStarts(make, lambda model: model.compile("adam", "mse"))


def trained(own, seed):
    own.begin(seed)
    for _ in range(3):
        own.model.train_on_batch(INPUTS, TARGETS)
    return own.model.get_weights()


def test_a_training_is_the_same_whatever_was_trained_before_it(eager):
    own = starts()
    first = trained(own, 1)
    trained(own, 2)
    again = trained(own, 1)  # with the weights, the dropout and Adam's memory of a new model
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)


def test_another_seed_begins_with_other_weights(eager):
    own = starts()
    own.begin(1)
    first = own.model.get_weights()[0]
    own.begin(2)
    assert not np.array_equal(own.model.get_weights()[0], first)


def test_the_new_model_can_be_changed_before_its_weights_are_taken(eager):
    own = starts()
    own.begin(1, lambda model: model.layers[-1].set_weights([np.full((4, 1), 7.0), np.zeros(1)]))
    assert own.model.get_weights()[2].tolist() == [[7.0]] * 4
