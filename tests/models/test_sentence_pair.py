"""How alike two sentences are."""

import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keras import ops

from rnnkit.models import (
    SentencePair,
    best_threshold,
    cosine_margin_loss,
    cosine_similarity,
    gradient,
)

IDS = np.array([[5, 4, 8, 3], [7, 6, 0, 0], [2, 0, 0, 0]])


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


def test_cosine_equals_numpy() -> None:
    generator = np.random.default_rng(0)
    u, v = generator.normal(size=(2, 5, 7)) * 1e-3  # short vectors have a direction too
    expected = (u * v).sum(-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1)
    np.testing.assert_allclose(array(cosine_similarity(u, v)), expected, rtol=1e-5)


def test_cosine_of_a_zero_vector_is_zero_with_a_finite_gradient() -> None:
    zero, other = np.zeros((1, 3), "float32"), np.ones((1, 3), "float32")
    slope = gradient(lambda x: ops.sum(cosine_similarity(x, other)), zero)
    assert array(cosine_similarity(zero, other)).tolist() == [0.0]
    assert np.isfinite(array(slope)).all()


def test_both_sentences_are_read_with_the_same_weights() -> None:
    model = SentencePair(9, units=6, embedding=4)
    np.testing.assert_allclose(
        model.similarities(IDS, np.pad(IDS, ((0, 0), (0, 3)))), 1.0, atol=1e-5
    )
    np.testing.assert_allclose(
        model.similarities(IDS, IDS[::-1]), model.similarities(IDS[::-1], IDS), atol=1e-6
    )


def test_loss_equals_numpy() -> None:
    labels, cosines = np.array([1, 1, 0, 0]), np.array([0.9, -0.2, 0.5, -0.7])
    assert float(cosine_margin_loss(labels, cosines)) == pytest.approx((0.1 + 1.2 + 0.5) / 4)


def test_learns_which_sentences_mean_the_same() -> None:
    keras.utils.set_random_seed(3)
    generator = np.random.default_rng(0)
    first = generator.integers(1, 5, (160, 2))
    second = first + 4  # each symbol has one with the same meaning
    second[80:] = generator.permutation(second[80:])
    labels = (first + 4 == second).all(axis=-1).astype(int)
    model = SentencePair(9, units=12, embedding=8, cell="elman")
    model.compile(keras.optimizers.Adam(0.02))
    model.fit({"first": first, "second": second}, labels, epochs=12, batch_size=20, verbose=0)
    _, accuracy = best_threshold(labels, model.similarities(first, second))
    assert accuracy > 0.9


@given(st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=1, max_size=12))
def test_no_threshold_is_better_than_the_best(pairs) -> None:
    labels = np.array([label for label, _ in pairs])
    scores = np.array([score / 4 for _, score in pairs])
    threshold, accuracy = best_threshold(labels, scores)
    assert np.mean((scores >= threshold) == labels) == pytest.approx(accuracy)
    others = [np.mean((scores >= other) == labels) for other in np.arange(-1.125, 1.3, 0.25)]
    assert accuracy == pytest.approx(max(others))


@pytest.mark.parametrize(("labels", "scores"), [([], []), ([1], [0.5, 0.2])])
def test_threshold_needs_pairs(labels, scores) -> None:
    with pytest.raises(ValueError, match="one length"):
        best_threshold(labels, scores)
