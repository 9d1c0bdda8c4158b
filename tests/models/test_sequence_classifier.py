"""One label for a sentence."""

import keras
import numpy as np
import pytest

from rnnkit.models import LanguageModel, SequenceClassifier

IDS = np.array([[5, 4, 8, 3], [7, 6, 0, 0], [2, 0, 0, 0]])


def test_learns_what_stands_first_and_what_last() -> None:
    keras.utils.set_random_seed(3)
    ids = np.random.default_rng(0).integers(1, 3, (96, 3))
    ids[:48, 2] = 0  # sentences of two lengths
    last = np.where(ids[:, 2] == 0, ids[:, 1], ids[:, 2])
    labels = ids[:, 0] - 1 + 2 * (last - 1)
    model = SequenceClassifier(3, classes=4, units=8, embedding=4, cell="elman")
    model.compile(keras.optimizers.Adam(0.03))
    model.fit(ids, labels, epochs=20, verbose=0)
    assert model.classify(ids) == labels.tolist()


def test_probabilities_have_a_sum_of_one() -> None:
    probabilities = SequenceClassifier(9, classes=3, units=6, embedding=4).probabilities(IDS)
    assert probabilities.shape == (3, 3)
    np.testing.assert_allclose(probabilities.sum(axis=-1), 1.0, atol=1e-6)


@pytest.mark.parametrize("cell", ["elman", "gru", "lstm"])
def test_weights_of_a_language_model_are_copied(cell: str) -> None:
    language_model = LanguageModel(9, units=6, embedding=4, cell=cell, layers=2)
    classifier = SequenceClassifier.from_language_model(language_model, classes=2)
    states = language_model.hidden_states(IDS[:1]).outputs[-1]
    last = keras.ops.convert_to_numpy(classifier.encoder(IDS[:1]).last)
    np.testing.assert_allclose(last, states[:, -1], atol=1e-6)


def test_fine_tuning_leaves_the_language_model_as_it_was() -> None:
    language_model = LanguageModel(9, units=6, embedding=4)
    before = language_model.get_weights()
    classifier = SequenceClassifier.from_language_model(language_model, classes=2)
    classifier.compile(keras.optimizers.SGD(1.0))
    classifier.fit(IDS, np.array([0, 1, 1]), verbose=0)
    for weight, expected in zip(language_model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(weight, expected)
    vectors = classifier.encoder.embedding.get_weights()[0]
    assert np.abs(vectors - before[0]).max() > 0  # it did learn


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match="classes=1"):
        SequenceClassifier(9, classes=1)
