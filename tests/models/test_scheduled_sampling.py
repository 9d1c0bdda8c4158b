"""Training on a mix of true symbols and the decoder's own."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import AdditiveAttention
from rnnkit.models import EncoderDecoder, ScheduledSampling, masked_cross_entropy

SOURCE = np.array([[5, 4, 8, 0], [3, 0, 0, 0], [7, 7, 5, 6]])
PREVIOUS = np.array([[2, 6, 5, 4], [2, 4, 0, 0], [2, 5, 5, 4]])
FOLLOWING = np.array([[6, 5, 4, 3], [4, 3, 0, 0], [5, 5, 4, 3]])
INPUTS = {"source": SOURCE, "previous": PREVIOUS}


def make(attention: bool = False) -> EncoderDecoder:
    keras.utils.set_random_seed(2)
    layer = AdditiveAttention(5) if attention else None
    model = EncoderDecoder(9, 7, units=8, embedding=4, attention=layer)
    model.to_logits.set_weights([5 * weight for weight in model.to_logits.get_weights()])
    return model


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


@pytest.mark.parametrize("attention", [False, True])
def test_mix_of_one_is_teacher_forcing(attention: bool) -> None:
    model = make(attention)
    logits, seen = ScheduledSampling(model, teacher_forcing=1.0).mixed(INPUTS)
    np.testing.assert_array_equal(array(seen), PREVIOUS)
    np.testing.assert_allclose(array(logits), array(model(INPUTS)), atol=1e-5)


@pytest.mark.parametrize("attention", [False, True])
def test_mix_of_zero_feeds_back_the_most_probable_symbol(attention: bool) -> None:
    logits, seen = ScheduledSampling(make(attention), teacher_forcing=0.0).mixed(INPUTS)
    np.testing.assert_array_equal(array(seen)[:, 0], PREVIOUS[:, 0])
    np.testing.assert_array_equal(array(seen)[:, 1:], array(logits).argmax(axis=-1)[:, :-1])


def test_logits_are_those_of_the_symbols_that_were_seen() -> None:
    model = make()
    logits, seen = ScheduledSampling(model, teacher_forcing=0.5, sample=True).mixed(INPUTS)
    expected = model({"source": SOURCE, "previous": array(seen)})
    np.testing.assert_allclose(array(logits), array(expected), atol=1e-5)


def test_share_of_true_symbols_is_the_probability() -> None:
    model = EncoderDecoder(9, 7, units=8, embedding=4)
    model.to_logits.set_weights([np.zeros((8, 7)), np.eye(7)[6]])  # always writes 6
    previous = np.tile([2, 5, 5, 5, 5, 5], (400, 1))
    inputs = {"source": np.tile(SOURCE[:1], (400, 1)), "previous": previous}
    _, seen = ScheduledSampling(model, teacher_forcing=0.3).mixed(inputs)
    true = array(seen)[:, 1:] == 5
    assert np.mean(true) == pytest.approx(0.3, abs=0.04)  # 2000 coins: 4 standard errors
    assert 0 < np.mean(true[:, 0]) < 1  # one coin a sentence, not one a step


def test_seed_decides_the_coins() -> None:
    def seen(seed: int) -> list[list[int]]:
        training = ScheduledSampling(make(), teacher_forcing=0.5, sample=True, seed=seed)
        return array(training.mixed(INPUTS)[1]).tolist()

    assert seen(1) == seen(1)
    assert len({str(seen(seed)) for seed in range(4)}) > 1


def test_training_moves_the_model_and_follows_the_schedule() -> None:
    model = make()
    before = model.get_weights()
    asked = []

    def schedule(epoch: int) -> float:
        asked.append(epoch)
        return 1.0 - 0.5 * epoch

    training = ScheduledSampling(model, schedule)
    training.compile(keras.optimizers.SGD(0.1), loss=masked_cross_entropy)
    inputs = {"source": SOURCE[:, :2], "previous": PREVIOUS[:, :2]}  # short: a graph is made
    training.fit(inputs, FOLLOWING[:, :2], epochs=3, verbose=0)
    assert asked == [0, 0, 1, 2]  # once before training
    assert float(array(training.teacher_forcing)) == 0.0
    assert all(
        np.abs(after - weight).max() > 0
        for after, weight in zip(model.get_weights(), before, strict=True)
    )


def test_evaluation_is_teacher_forced() -> None:
    model = make()
    training = ScheduledSampling(model, teacher_forcing=0.0)
    training.compile("sgd", loss=masked_cross_entropy)
    expected = float(masked_cross_entropy(FOLLOWING, model(INPUTS)))
    assert training.evaluate(INPUTS, FOLLOWING, verbose=0) == pytest.approx(expected, rel=1e-5)


def test_impossible_probability_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Received: 1\.5 for epoch 0"):
        ScheduledSampling(make(), teacher_forcing=1.5)
