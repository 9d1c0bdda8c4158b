"""Training on windows of a long text."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.models import LanguageModel, TruncatedBPTT, masked_cross_entropy, windows

TEXT = np.random.default_rng(0).integers(1, 9, 60)


def make(layers: int = 1) -> LanguageModel:
    keras.utils.set_random_seed(3)
    return LanguageModel(9, units=6, embedding=4, layers=layers)


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


def test_state_of_one_window_is_the_start_of_the_next() -> None:
    model = make(layers=2)
    training = TruncatedBPTT(model, batch=2)
    pairs = windows(TEXT, batch=2, window=7)
    by_window = np.concatenate([array(training(inputs)) for inputs, _ in pairs], axis=1)
    streams = np.concatenate([inputs for inputs, _ in pairs], axis=1)
    np.testing.assert_allclose(by_window, array(model(streams)), atol=1e-6)


def test_start_again_forgets_what_was_read() -> None:
    training = TruncatedBPTT(make(), batch=2)
    inputs = windows(TEXT, batch=2, window=7)[0][0]
    first = array(training(inputs))
    training.start_again()
    np.testing.assert_array_equal(array(training(inputs)), first)


def test_no_gradient_reaches_the_window_before() -> None:
    model = make()
    vectors = array(model.embedding.embeddings).copy()
    before = np.array([[1, 2, 3], [4, 3, 1]])
    after, targets = np.array([[5, 6, 7], [8, 6, 5]]), np.array([[6, 7, 8], [6, 5, 8]])
    training = TruncatedBPTT(model, batch=2)
    training.compile(keras.optimizers.SGD(1.0), loss=masked_cross_entropy)
    padding = np.zeros_like(before)  # the window before has no loss of its own
    training.fit_windows([(before, padding), (after, targets)], verbose=0)
    moved = np.abs(array(model.embedding.embeddings) - vectors).max(axis=-1) > 0
    assert moved.tolist() == [False] * 5 + [True] * 4


def test_loss_of_a_window_depends_on_the_window_before() -> None:
    training = TruncatedBPTT(make(), batch=2)
    (before, _), (after, _), *_ = windows(TEXT, batch=2, window=7)
    training(before)
    carried = array(training(after))
    training.start_again()
    assert np.abs(array(training(after)) - carried).max() > 1e-3


def test_evaluation_equals_one_long_run() -> None:
    model = make()
    training = TruncatedBPTT(model, batch=2)
    training.compile("sgd", loss=masked_cross_entropy)
    pairs = windows(TEXT, batch=2, window=7)
    streams, targets = (np.concatenate(arrays, axis=1) for arrays in zip(*pairs, strict=True))
    expected = float(masked_cross_entropy(targets, model(streams)))
    training(pairs[0][0])  # what was read before does not count
    assert training.evaluate_windows(pairs) == pytest.approx(expected, rel=1e-5)


def test_fit_carries_the_state_and_begins_each_epoch_anew() -> None:
    model = make()
    training = TruncatedBPTT(model, batch=2)
    training.compile(keras.optimizers.SGD(0.0), loss=masked_cross_entropy)  # nothing moves
    pairs = windows(TEXT, batch=2, window=7)
    history = training.fit_windows(pairs, validation=pairs[:2], epochs=2, verbose=0).history
    expected = training.evaluate_windows(pairs)
    np.testing.assert_allclose(history["loss"], expected, rtol=1e-5)
    np.testing.assert_allclose(history["val_loss"], training.evaluate_windows(pairs[:2]), rtol=1e-5)


def test_training_moves_the_language_model() -> None:
    model = make()
    text = np.tile([4, 5, 6, 7, 8], 40)
    training = TruncatedBPTT(model, batch=4)
    training.compile(keras.optimizers.Adam(0.05), loss=masked_cross_entropy)
    training.fit_windows(windows(text, batch=4, window=10), epochs=12, verbose=0)
    assert array(model(np.array([[6, 7]])))[0, -1].argmax() == 8


def test_windows_of_another_batch_are_refused() -> None:
    training = TruncatedBPTT(make(), batch=2)
    training.compile("sgd", loss=masked_cross_entropy)
    with pytest.raises(ValueError, match="windows of 3 streams"):
        training.fit_windows(windows(TEXT, batch=3, window=7))
