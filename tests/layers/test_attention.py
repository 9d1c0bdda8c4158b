"""The three forms of attention, against float64 NumPy."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.layers import (
    AdditiveAttention,
    Attention,
    DotProductAttention,
    MultiplicativeAttention,
    additive_attention,
)
from rnnkit.models import gradient

FORMS = ["dot", "multiplicative", "additive"]


def arrays(*tensors) -> list[np.ndarray]:
    return [ops.convert_to_numpy(tensor) for tensor in tensors]


def make(form: str) -> Attention:
    return {
        "dot": DotProductAttention,
        "multiplicative": MultiplicativeAttention,
        "additive": lambda: AdditiveAttention(5),
    }[form]()


def reference(layer: Attention, query: np.ndarray, keys: np.ndarray, mask: np.ndarray):
    weights = [np.asarray(w, "float64") for w in layer.get_weights()]
    contexts, alphas = [], []
    for q, h, m in zip(query.astype("float64"), keys.astype("float64"), mask, strict=True):
        scores = []
        for key in h:
            if isinstance(layer, AdditiveAttention):
                W, U, v = weights
                scores.append(v @ np.tanh(q @ W + key @ U))
            elif isinstance(layer, MultiplicativeAttention):
                scores.append(q @ weights[0] @ key)
            else:
                scores.append(q @ key)
        exponentials = np.where(m, np.exp(np.array(scores) - np.max(scores)), 0)
        alpha = exponentials / exponentials.sum()
        alphas.append(alpha)
        contexts.append(alpha @ h)
    return np.array(contexts), np.array(alphas)


def inputs(batch: int, source: int, units: int, seed: int):
    generator = np.random.default_rng(seed)
    query = generator.normal(size=(batch, units)).astype("float32")
    keys = generator.normal(size=(batch, source, units)).astype("float32")
    mask = np.arange(source) < generator.integers(1, source + 1, batch)[:, None]
    return query, keys, mask


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("batch", "source", "units"), [(3, 5, 4), (1, 1, 2), (1, 6, 3), (4, 1, 3)])
def test_equals_the_reference(form: str, batch: int, source: int, units: int) -> None:
    query, keys, mask = inputs(batch, source, units, seed=batch + source)
    layer = make(form)
    context, weights = arrays(*layer(query, keys, mask))
    expected_context, expected_weights = reference(layer, query, keys, mask)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-5)
    np.testing.assert_allclose(context, expected_context, atol=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_padding_changes_nothing(form: str) -> None:
    query, keys, _ = inputs(2, 4, 3, seed=1)
    layer = make(form)
    context, weights = arrays(*layer(query, keys, np.ones((2, 4), bool)))
    padded = np.concatenate([keys, np.full((2, 3, 3), 7.0, "float32")], axis=1)
    mask = np.arange(7) < np.array([[4], [4]])
    padded_context, padded_weights = arrays(*layer(query, padded, mask))
    np.testing.assert_allclose(padded_context, context, atol=1e-6)
    np.testing.assert_allclose(padded_weights[:, :4], weights, atol=1e-6)
    assert not padded_weights[:, 4:].any()


@pytest.mark.parametrize("form", FORMS)
def test_keys_projected_before_give_the_same(form: str) -> None:
    query, keys, mask = inputs(2, 4, 3, seed=2)
    layer = make(form)
    context, _ = arrays(*layer(query, keys, mask))
    ahead, _ = arrays(*layer(query, keys, mask, layer.project_keys(keys)))
    np.testing.assert_allclose(ahead, context, atol=1e-6)


def test_query_and_keys_may_differ_in_size() -> None:
    layer = MultiplicativeAttention()
    context, weights = layer(np.ones((2, 3), "float32"), np.ones((2, 4, 6), "float32"))
    assert (tuple(context.shape), tuple(weights.shape)) == ((2, 6), (2, 4))


def test_function_equals_the_layer() -> None:
    query, keys, mask = inputs(3, 5, 4, seed=3)
    layer = AdditiveAttention(6)
    context, weights = arrays(*layer(query, keys, mask))
    W, U, v = layer.get_weights()
    function_context, function_weights = arrays(*additive_attention(query, keys, mask, W, U, v))
    np.testing.assert_allclose(function_context, context, atol=1e-6)
    np.testing.assert_allclose(function_weights, weights, atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_gradients_equal_finite_differences(form: str) -> None:
    keras.utils.set_random_seed(1)
    query, keys, mask = inputs(2, 4, 3, seed=4)
    layer = make(form)
    layer(query, keys, mask)

    def total(query: np.ndarray, keys: np.ndarray) -> float:
        return float(np.sum(reference(layer, query, keys, mask)[0] ** 2))

    slopes = [
        gradient(lambda x: ops.sum(ops.square(layer(x, keys, mask)[0])), query),
        gradient(lambda x: ops.sum(ops.square(layer(query, x, mask)[0])), keys),
    ]
    for place, slope in enumerate(arrays(*slopes)):
        for index in [(0, 0), (1, 2)] if place == 0 else [(0, 0, 0), (1, 0, 2), (0, 3, 1)]:
            step = np.zeros_like([query, keys][place], "float64")
            step[index] = 1e-5
            up, down = [[query.astype("float64"), keys.astype("float64")] for _ in range(2)]
            up[place], down[place] = up[place] + step, down[place] - step
            expected = (total(*up) - total(*down)) / 2e-5
            assert abs(slope[index] - expected) < 1e-3


def test_dot_product_refuses_sizes_that_differ() -> None:
    with pytest.raises(ValueError, match="query_units=3, key_units=2"):
        DotProductAttention()(np.ones((1, 3)), np.ones((1, 4, 2)))


def test_refuses_a_query_with_a_time_axis() -> None:
    with pytest.raises(ValueError, match="Received: query"):
        MultiplicativeAttention()(np.ones((1, 2, 3)), np.ones((1, 4, 3)))


def test_refuses_no_units() -> None:
    with pytest.raises(ValueError, match="units=0"):
        AdditiveAttention(0)
