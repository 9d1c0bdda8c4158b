"""Notes of trainings."""

import keras
import pytest

from rnnkit.experiments.training import (
    Training,
    check_seeds,
    is_fast,
    report,
    spread,
    timed,
    timed_by_epoch,
)


@pytest.fixture
def model():
    return keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])


def test_the_small_setting_is_asked_for_by_the_environment(monkeypatch):
    monkeypatch.setenv("RNNKIT_FAST", "1")
    assert is_fast(None)
    monkeypatch.setenv("RNNKIT_FAST", "0")
    assert not is_fast(None)


def test_an_argument_wins_over_the_environment(monkeypatch):
    monkeypatch.setenv("RNNKIT_FAST", "1")
    assert not is_fast(False)


@pytest.mark.parametrize("seeds", [(), (1, 1)])
def test_seeds_that_show_nothing_are_refused(seeds):
    with pytest.raises(ValueError, match="seeds must be"):
        check_seeds(seeds)


def test_a_training_is_noted_with_its_weights(model):
    calls = []
    training = timed("net", 4, model, lambda: calls.append("trained"))
    assert (training.model, training.seed, training.weights) == ("net", 4, 9)
    assert calls == ["trained"]
    assert training.seconds >= 0


def test_a_model_is_measured_after_each_epoch(model):
    calls = []
    training, measured = timed_by_epoch(
        "net", 0, model, train=lambda: calls.append(0), measure=lambda: len(calls), epochs=3
    )
    assert measured == [1, 2, 3]
    assert training.weights == 9


def test_training_without_epochs_is_refused(model):
    with pytest.raises(ValueError, match="epochs must be at least 1"):
        timed_by_epoch("net", 0, model, lambda: None, lambda: None, epochs=0)


def test_progress_is_one_line(capsys):
    report(Training("LSTM", 2, 9, 61.2), "accuracy 0.5", quiet=False)
    assert capsys.readouterr().out == "LSTM, seed 2: accuracy 0.5 (61 s)\n"


def test_quiet_progress_is_silent(capsys):
    report(Training("LSTM", 2, 9, 61.2), "accuracy 0.5", quiet=True)
    assert capsys.readouterr().out == ""


def test_one_value_has_no_spread():
    assert spread([0.25], digits=3) == "0.250"
