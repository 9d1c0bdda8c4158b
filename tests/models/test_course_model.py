"""How the models of the course are compiled."""

import keras
import pytest

from rnnkit.models import SequenceClassifier, TokenTagger

SYMBOLS, LABELS, UNITS = 5, 2, 4


@pytest.mark.parametrize("kind", [SequenceClassifier, TokenTagger])
def test_a_loss_may_stand_second_as_in_keras(kind: type) -> None:
    model = kind(SYMBOLS, LABELS, units=UNITS)
    model.compile("sgd", "sparse_categorical_crossentropy")
    assert model.loss == "sparse_categorical_crossentropy"


@pytest.mark.parametrize("kind", [SequenceClassifier, TokenTagger])
def test_without_a_loss_the_models_own_is_taken(kind: type) -> None:
    model = kind(SYMBOLS, LABELS, units=UNITS)
    model.compile(keras.optimizers.SGD())
    assert model.loss is not None
