"""Smaller settings for experiments, and no graphs for trainings of a few steps."""

import importlib

import keras
import pytest


@pytest.fixture
def change_setting(monkeypatch):
    """Gives constants of an experiment's module another value: `change("agreement", CELLS=...)`."""

    def change(experiment, **values):
        # By its full name: rnnkit.experiments.agreement as an attribute is the function.
        module = importlib.import_module(f"rnnkit.experiments.{experiment}")
        for name, value in values.items():
            monkeypatch.setattr(module, name, value)

    return change


@pytest.fixture
def eager():
    """Runs TensorFlow without graphs: these take longer to trace than the training itself."""
    if keras.backend.backend() != "tensorflow":
        yield
        return
    import tensorflow as tf

    tf.config.run_functions_eagerly(True)
    yield
    tf.config.run_functions_eagerly(False)
