"""The sampled softmax: what is drawn, what it costs, and where it leads."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.elmo.sampled_softmax import LogUniformSampler, Sample, SharedSoftmax, softmax_losses
from rnnkit.models import gradient

WORDS, SIZE = 30, 4
GENERATOR = np.random.default_rng(0)
OUTPUTS = GENERATOR.normal(size=(2, 6, SIZE))
TARGETS = np.array([[0, 1, 2, 3, 4, 5], [3, 3, 17, 29, 8, 0]])
VECTORS, BIAS = GENERATOR.normal(size=(WORDS, SIZE)), GENERATOR.normal(size=WORDS)


def draw(count: int, seed: int = 1, words: int = WORDS, targets=TARGETS) -> Sample:
    return LogUniformSampler(words, count).draw(np.random.default_rng(seed), targets)


def reference(sample: Sample, log_counts: np.ndarray) -> np.ndarray:
    """One position after the other, in float64."""
    losses = np.zeros(TARGETS.shape)
    for place in np.ndindex(*TARGETS.shape):
        target = TARGETS[place]
        words = [target, *(word for word in sample.negatives if word != target)]
        scores = VECTORS[words] @ OUTPUTS[place] + BIAS[words] - log_counts[words]
        losses[place] = np.log(np.exp(scores).sum()) - scores[0]
    return losses


@pytest.mark.parametrize("count", [1, 7, 29])
def test_losses_equal_numpy(count: int) -> None:
    all_words = draw(count, targets=np.arange(WORDS))
    log_counts = all_words.target_log_counts.astype("float64")
    sample = draw(count)
    found = ops.convert_to_numpy(softmax_losses(OUTPUTS, TARGETS, VECTORS, BIAS, sample))
    exact = keras.backend.backend() == "tensorflow"  # elsewhere in float32
    rtol, atol = (1e-9, 1e-12) if exact else (1e-5, 1e-5)
    np.testing.assert_allclose(found, reference(sample, log_counts), rtol=rtol, atol=atol)


def test_losses_without_a_sample_are_those_of_the_full_softmax() -> None:
    scores = OUTPUTS @ VECTORS.T + BIAS
    expected = np.log(np.exp(scores).sum(axis=-1))
    expected -= np.take_along_axis(scores, TARGETS[..., None], axis=-1)[..., 0]
    found = ops.convert_to_numpy(softmax_losses(OUTPUTS, TARGETS, VECTORS, BIAS))
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="TensorFlow's own")
def test_losses_equal_those_of_tensorflow() -> None:
    import tensorflow as tf

    sample = draw(7)
    expected = tf.nn.sampled_softmax_loss(
        tf.constant(VECTORS),
        tf.constant(BIAS),
        TARGETS.reshape(-1, 1),
        tf.constant(OUTPUTS.reshape(-1, SIZE)),
        num_sampled=7,
        num_classes=WORDS,
        sampled_values=(
            sample.negatives.astype("int64"),
            np.exp(sample.target_log_counts.astype("float64")).reshape(-1, 1),
            np.exp(sample.negative_log_counts.astype("float64")),
        ),
    )
    found = softmax_losses(OUTPUTS, TARGETS, VECTORS, BIAS, sample)
    np.testing.assert_allclose(ops.convert_to_numpy(found).ravel(), expected, rtol=1e-5)


def mean_gradient(count: int, draws: int) -> np.ndarray:
    """Of the mean loss with respect to the words' vectors, over many draws."""
    found = np.zeros_like(VECTORS)
    for seed in range(draws):
        sample = None if count == WORDS else draw(count, seed)
        found += ops.convert_to_numpy(
            gradient(
                lambda vectors, sample=sample: ops.mean(
                    softmax_losses(OUTPUTS, TARGETS, vectors, BIAS, sample)
                ),
                VECTORS,
            )
        )
    return found / draws


def test_the_mean_gradient_approaches_that_of_the_full_softmax() -> None:
    full = mean_gradient(WORDS, draws=1)
    errors = [
        np.linalg.norm(mean_gradient(count, draws=40) - full) / np.linalg.norm(full)
        for count in (3, 12, 29)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[1] < 0.3
    assert errors[2] < 0.03


def test_the_best_scores_are_those_of_the_full_softmax() -> None:
    """At log frequencies a bias stands still; without the correction it would move on."""
    frequencies = 1 / np.arange(2, WORDS + 2)
    frequencies /= frequencies.sum()
    everything = np.arange(WORDS)
    outputs, vectors = np.zeros((WORDS, 1)), np.zeros((WORDS, 1))

    def mean_slope(corrected: bool) -> float:
        found, weights = np.zeros(WORDS), ops.convert_to_tensor(frequencies)
        for seed in range(80):
            sample = draw(7, seed, targets=everything)
            if not corrected:
                sample = sample._replace(negative_log_counts=0.0, target_log_counts=0.0)
            found += ops.convert_to_numpy(
                gradient(
                    lambda bias, sample=sample: ops.sum(
                        weights * softmax_losses(outputs, everything, vectors, bias, sample)
                    ),
                    np.log(frequencies),
                )
            )
        return float(np.linalg.norm(found / 80))

    assert mean_slope(corrected=True) < 0.06
    assert mean_slope(corrected=False) > 0.12


@pytest.mark.parametrize("words, count", [(1000, 50), (20, 19), (2, 1)])
def test_negatives_are_words_each_once(words: int, count: int) -> None:
    negatives = draw(count, words=words, targets=np.array([0])).negatives
    assert len(set(negatives.tolist())) == count
    assert negatives.min() >= 0 and negatives.max() < words


def test_expected_counts_make_up_for_how_words_are_drawn() -> None:
    """Each word, weighted by 1 / q whenever it is drawn, counts once in the mean."""
    draws, everything = 4000, np.arange(WORDS)
    drawn, weighted = np.zeros(WORDS), np.zeros(WORDS)
    for seed in range(draws):
        sample = draw(6, seed, targets=everything)
        assert everything[sample.drawn].tolist() == sample.negatives.tolist()
        drawn[sample.negatives] += 1
        weighted[sample.negatives] += np.exp(-sample.negative_log_counts)
    assert drawn.sum() == 6 * draws
    np.testing.assert_allclose(weighted / draws, 1, atol=0.2)
    assert drawn[0] > drawn[3] > drawn[29]


def test_one_draw_is_log_uniform() -> None:
    draws = 4000
    first = [draw(1, seed).negatives[0] for seed in range(draws)]
    expected = np.diff(np.log(np.arange(1, WORDS + 2))) / np.log(WORDS + 1)
    assert expected.sum() == pytest.approx(1)
    np.testing.assert_allclose(np.bincount(first, minlength=WORDS) / draws, expected, atol=0.025)


def test_the_same_generator_draws_the_same() -> None:
    for one, other in zip(draw(7, seed=5), draw(7, seed=5), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_word_that_is_read_twice_has_one_gradient() -> None:
    """Adagrad squares the sum of a word's gradients, not each alone, on each backend."""
    keras.utils.set_random_seed(0)
    softmax = SharedSoftmax(WORDS, SIZE)
    sample = draw(7)
    before = ops.convert_to_numpy(softmax.vectors).astype("float64")
    slope = gradient(
        lambda vectors: ops.mean(
            softmax_losses(OUTPUTS, TARGETS, vectors, np.zeros(WORDS), sample)
        ),
        before,
    )

    class Trained(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.softmax = softmax

        def call(self, inputs):
            return inputs

        def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
            return ops.mean(self.softmax(y_pred, y["targets"], y["sample"]))

    trained = Trained()
    trained.compile(keras.optimizers.Adagrad(0.1, initial_accumulator_value=0.0))
    trained.train_on_batch(OUTPUTS.astype("float32"), {"targets": TARGETS, "sample": sample})
    moved = before - ops.convert_to_numpy(softmax.vectors)
    slope = ops.convert_to_numpy(slope)
    clear = np.abs(slope) > 1e-3
    np.testing.assert_allclose(moved[clear], 0.1 * np.sign(slope[clear]), rtol=1e-2)


@pytest.mark.parametrize("count", [0, 30, 31])
def test_impossible_counts_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"1 to words - 1 = 29. Received: count={count}"):
        LogUniformSampler(WORDS, count)
