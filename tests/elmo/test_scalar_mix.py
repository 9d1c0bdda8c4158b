"""ScalarMix equals NumPy, learns its weights, and keeps them near each other where told."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.elmo import ScalarMix

GENERATOR = np.random.default_rng(0)
LAYERS = GENERATOR.normal(size=(2, 3, 4, 5)).astype("float32") * [[[[1]], [[9]], [[3]]]] + 2
MASK = np.array([[True] * 4, [True] * 2 + [False] * 2])
SCORES, SCALE = np.array([0.3, -1.0, 2.0]), 1.7


def mix_with(scores=SCORES, scale=SCALE, **settings) -> ScalarMix:
    mix = ScalarMix(len(scores), **settings)
    mix.set_weights([np.asarray(scores, "float32"), np.float32(scale)])
    return mix


def softmax(scores: np.ndarray) -> np.ndarray:
    return np.exp(scores) / np.exp(scores).sum()


def expected(layers: np.ndarray, mask: np.ndarray | None, norm: bool) -> np.ndarray:
    layers = layers.astype("float64")
    if norm:
        real = np.ones(layers.shape[::2][:1] + layers.shape[2:3], bool) if mask is None else mask
        for layer in range(layers.shape[1]):
            values = layers[:, layer][real]  # (real words, size): one mean, one variance
            layers[:, layer] = (layers[:, layer] - values.mean()) / np.sqrt(values.var() + 1e-12)
    return SCALE * np.einsum("j,bjtd->btd", softmax(SCORES), layers)


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("rows, words", [(2, 4), (1, 4), (2, 1), (1, 1)])
@pytest.mark.parametrize("masked", [False, True])
def test_equals_numpy(norm: bool, rows: int, words: int, masked: bool) -> None:
    layers, mask = LAYERS[:rows, :, :words], MASK[:rows, :words] if masked else None
    mixed = ops.convert_to_numpy(mix_with(norm=norm)(layers, mask=mask))
    np.testing.assert_allclose(mixed, expected(layers, mask, norm), atol=2e-5)


def test_padding_changes_no_real_word_with_norm() -> None:
    mix = mix_with(norm=True)
    changed = np.where(MASK[:, None, :, None], LAYERS, 1e3)
    one, other = (ops.convert_to_numpy(mix(each, mask=MASK)) for each in (LAYERS, changed))
    np.testing.assert_allclose(one[MASK], other[MASK], atol=1e-6)


def test_at_the_start_it_is_the_mean_of_the_layers() -> None:
    mixed = ops.convert_to_numpy(ScalarMix(3)(LAYERS))
    np.testing.assert_allclose(mixed, LAYERS.mean(axis=1), atol=1e-5)


def test_layer_weights_sum_to_one() -> None:
    np.testing.assert_allclose(mix_with().layer_weights(), softmax(SCORES), atol=1e-6)


def test_regularization_adds_the_squares_of_the_scores_to_the_loss() -> None:
    (loss,) = mix_with(regularization=0.5).losses
    assert float(loss) == pytest.approx(0.5 * np.sum(SCORES**2), rel=1e-5)
    assert mix_with().losses == []


def test_dropout_leaves_out_whole_layers_in_training_alone() -> None:
    keras.utils.set_random_seed(0)
    mix = mix_with(scale=1.0, dropout=0.5)
    layers = np.eye(3).reshape(1, 3, 1, 3)  # the mixture shows the weights
    seen = set()
    for _ in range(60):
        weights = ops.convert_to_numpy(mix(layers, training=True))[0, 0]
        kept = weights > 0
        if kept.all():  # none left out, or all, which then count the same
            assert np.allclose(weights, softmax(SCORES), atol=1e-5) or np.allclose(weights, 1 / 3)
        else:
            np.testing.assert_allclose(weights[kept], softmax(SCORES[kept]), atol=1e-5)
        seen.add(tuple(kept))
    assert len(seen) == 7  # all but "none kept", which gives the same as "all kept"
    still = ops.convert_to_numpy(mix(layers, training=False))[0, 0]
    np.testing.assert_allclose(still, softmax(SCORES), atol=1e-6)


def test_a_large_regularization_keeps_the_weights_near_the_mean() -> None:
    """The target is the second layer alone."""
    rng = np.random.default_rng(0)
    layers = rng.normal(size=(64, 3, 4, 5)).astype("float32")
    learned = {}
    for regularization in (0.0, 10.0):
        keras.utils.set_random_seed(0)
        inputs = keras.Input((3, 4, 5))
        mix = ScalarMix(3, regularization=regularization)
        model = keras.Model(inputs, mix(inputs))
        model.compile(keras.optimizers.Adam(0.1), "mse", jit_compile=False)
        model.fit(layers, layers[:, 1], epochs=30, verbose=0)
        learned[regularization] = mix.layer_weights()
    assert learned[0.0][1] > 0.9
    assert np.abs(learned[10.0] - 1 / 3).max() < 0.1


def test_saved_in_a_model_it_gives_the_same(tmp_path) -> None:
    inputs = keras.Input((3, 4, 5))
    model = keras.Model(inputs, mix_with(norm=True, regularization=0.1)(inputs))
    model.save(tmp_path / "model.keras")
    again = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(
        model.predict(LAYERS, verbose=0), again.predict(LAYERS, verbose=0)
    )


@pytest.mark.parametrize(
    "settings", [{"layers": 0}, {"layers": 2, "dropout": 1.0}, {"layers": 2, "regularization": -1}]
)
def test_impossible_settings_are_refused(settings: dict) -> None:
    with pytest.raises(ValueError, match="ScalarMix expects"):
        ScalarMix(**settings)


@pytest.mark.parametrize("shape", [(2, 4, 5), (2, 2, 4, 5)])
def test_inputs_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"\(batch, 3, time, size\)"):
        ScalarMix(3)(np.zeros(shape, "float32"))
