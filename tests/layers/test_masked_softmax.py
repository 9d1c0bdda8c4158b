"""Weights over real positions, against float64 NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keras import ops

from rnnkit.layers import masked_softmax
from rnnkit.models import gradient


def weights_of(scores: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    return ops.convert_to_numpy(masked_softmax(scores, mask))


def reference(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    weights = np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        real = scores[row][mask[row]].astype("float64")
        if len(real):
            exponentials = np.exp(real - real.max())
            weights[row][mask[row]] = exponentials / exponentials.sum()
    return weights


@settings(max_examples=40, deadline=None)
@given(
    batch=st.integers(1, 4),
    source=st.integers(1, 7),
    scale=st.sampled_from([1e-3, 1.0, 50.0, 1e4]),
    seed=st.integers(0, 10_000),
)
def test_equals_the_reference(batch: int, source: int, scale: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = (scale * generator.normal(size=(batch, source))).astype("float32")
    mask = generator.random((batch, source)) < 0.7
    np.testing.assert_allclose(weights_of(scores, mask), reference(scores, mask), atol=1e-6)


def test_all_positions_are_real_without_a_mask() -> None:
    scores = np.random.default_rng(0).normal(size=(2, 3, 5)).astype("float32")
    expected = reference(scores, np.ones(scores.shape, bool))
    np.testing.assert_allclose(weights_of(scores), expected, atol=1e-6)


def test_row_of_padding_gets_zeros() -> None:
    weights = weights_of(np.array([[3.0, 4.0]]), np.array([[False, False]]))
    assert weights.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan, 1e38, -1e38])
def test_what_stands_on_padding_has_no_part(odd: float) -> None:
    scores = np.array([[1.0, 2.0, odd]], "float32")
    weights = weights_of(scores, np.array([[True, True, False]]))
    np.testing.assert_allclose(weights, [[1 / (1 + np.e), np.e / (1 + np.e), 0.0]], atol=1e-6)


def test_gradient_equals_that_of_the_formula() -> None:
    generator = np.random.default_rng(1)
    scores = generator.normal(size=(3, 5)).astype("float32")
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0]], bool)
    direction = generator.normal(size=(3, 5)).astype("float32")
    slope = gradient(lambda x: ops.sum(ops.multiply(masked_softmax(x, mask), direction)), scores)
    weights = reference(scores, mask)
    mean = (weights * direction).sum(axis=-1, keepdims=True)
    found = ops.convert_to_numpy(slope)
    np.testing.assert_allclose(found, weights * (direction - mean), atol=1e-6)
