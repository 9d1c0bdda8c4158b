"""A character model: what is measured of it, and its memory over a text."""

import math

import keras
import numpy as np
import pytest

from rnnkit.experiments.character_model import (
    BATCH,
    WARM_UP,
    WINDOW,
    count_measured,
    memory_over_text,
    train_character_model,
)
from rnnkit.models import LanguageModel, windows


def test_whole_windows_of_each_stream_are_measured():
    text = np.full(BATCH * WINDOW * 2 + WINDOW, 4)  # one window more has no place in each stream
    assert count_measured(text) == BATCH * WINDOW * 2


def test_a_text_of_one_character_needs_few_bits_once_it_is_learned(change_setting, eager):
    change_setting("character_model", WINDOW=8)
    text = np.full(BATCH * 8 * 10 + 1, 4)
    trained = train_character_model(text, text, vocabulary_size=6, units=4, epochs=2, seed=0)
    assert trained.bits[-1] < trained.bits[0] < math.log2(6)
    assert trained.training.weights == trained.model.count_params()


def test_a_window_of_another_length_cuts_the_text_elsewhere(eager, monkeypatch):
    cut = []

    def windows_noted(ids, batch, window):
        cut.append(window)
        return windows(ids, batch, window)

    monkeypatch.setattr("rnnkit.experiments.character_model.windows", windows_noted)
    text = np.full(BATCH * 4 + 1, 4)
    train_character_model(text, text, 6, units=4, epochs=1, seed=0, window=4)
    assert cut == [4, 4]


def test_the_larger_the_learning_rate_the_more_is_learned_in_an_epoch(change_setting, eager):
    change_setting("character_model", WINDOW=8)
    text = np.full(BATCH * 8 * 2 + 1, 4)

    def bits(rate):
        return train_character_model(text, text, 6, units=4, epochs=1, seed=0, rate=rate).bits[0]

    assert bits(0.05) < bits(0.005) < bits(0.0)


def test_the_memory_is_that_of_the_model_after_the_text_before(change_setting):
    change_setting("character_model", BATCH=3)
    keras.utils.set_random_seed(1)
    model = LanguageModel(9, units=3, embedding=4)
    length = 5
    ids = np.random.default_rng(0).integers(4, 9, WARM_UP + 3 * length + 2)
    memory = memory_over_text(model, ids)
    assert memory.shape == (3 * length, 3)
    # After so many characters, what stood before them has left no trace.
    whole = np.tanh(model.hidden_states(ids[np.newaxis]).cells[0][0])
    np.testing.assert_allclose(memory, whole[WARM_UP : WARM_UP + 3 * length], atol=1e-5)


def test_a_model_without_memory_cells_is_refused():
    model = LanguageModel(9, units=3, embedding=4, cell="gru")
    with pytest.raises(ValueError, match="must have LSTM cells"):
        memory_over_text(model, np.full(WARM_UP + BATCH, 4))


def test_a_text_shorter_than_its_streams_is_refused():
    with pytest.raises(ValueError, match="at least 232 characters"):
        memory_over_text(LanguageModel(9, units=3), np.full(WARM_UP + BATCH - 1, 4))
