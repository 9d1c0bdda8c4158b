"""The encoder-decoder, with attention and without."""

import keras
import numpy as np
import pytest

from rnnkit.layers import AdditiveAttention, DotProductAttention, MultiplicativeAttention
from rnnkit.models import EncoderDecoder, decoder_parameters, masked_cross_entropy, source_gradients

ATTENTIONS = {
    "none": lambda: None,
    "dot": DotProductAttention,
    "multiplicative": MultiplicativeAttention,
    "additive": lambda: AdditiveAttention(5),
}


def make(attention: str = "additive", **settings) -> EncoderDecoder:
    keras.utils.set_random_seed(2)
    return EncoderDecoder(9, 7, units=8, embedding=4, attention=ATTENTIONS[attention](), **settings)


SOURCE = np.array([[5, 4, 8, 0], [3, 0, 0, 0], [7, 7, 5, 6]])
PREVIOUS = np.array([[2, 6, 5], [2, 4, 0], [2, 5, 5]])
FOLLOWING = np.array([[6, 5, 3], [4, 3, 0], [5, 5, 3]])


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("bidirectional", [True, False])
def test_padding_the_source_changes_nothing(attention: str, bidirectional: bool) -> None:
    model = make(attention, bidirectional=bidirectional)
    logits = model({"source": SOURCE, "previous": PREVIOUS})
    padded = np.pad(SOURCE, ((0, 0), (0, 5)))
    np.testing.assert_allclose(model({"source": padded, "previous": PREVIOUS}), logits, atol=1e-6)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_sentence_gives_the_same_alone(attention: str) -> None:
    model = make(attention)
    logits = np.asarray(model({"source": SOURCE, "previous": PREVIOUS}))
    alone = model({"source": SOURCE[:1, :3], "previous": PREVIOUS[:1]})
    np.testing.assert_allclose(alone, logits[:1], atol=1e-6)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_steps_one_by_one_equal_all_at_once(attention: str) -> None:
    model = make(attention)
    logits = np.asarray(model({"source": SOURCE, "previous": PREVIOUS}))
    encoded = model.encode(SOURCE)
    state = encoded.state
    for position in range(3):
        step_logits, state, _ = model.step(PREVIOUS[:, position], state, encoded)
        np.testing.assert_allclose(step_logits, logits[:, position], atol=1e-5)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_saved_model_gives_the_same(attention: str, tmp_path) -> None:
    model = make(attention)
    logits = model({"source": SOURCE, "previous": PREVIOUS})
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded({"source": SOURCE, "previous": PREVIOUS}), logits)


def test_later_previous_symbols_change_no_earlier_logits() -> None:
    model = make()
    logits = np.asarray(model({"source": SOURCE, "previous": PREVIOUS}))
    changed = PREVIOUS.copy()
    changed[:, 2] = 1
    other = np.asarray(model({"source": SOURCE, "previous": changed}))
    np.testing.assert_array_equal(other[:, :2], logits[:, :2])


def test_learns_to_copy_one_symbol() -> None:
    generator = np.random.default_rng(0)
    source = generator.integers(4, 7, (256, 1))
    previous = np.hstack([np.full((256, 1), 2), source])
    following = np.hstack([source, np.full((256, 1), 3)])
    model = make()
    model.compile(keras.optimizers.Adam(0.02), loss=masked_cross_entropy)
    model.fit({"source": source, "previous": previous}, following, epochs=8, verbose=0)
    np.testing.assert_array_equal(model.decode(source[:20], 2, 3, 5), following[:20])


def test_loss_counts_real_positions_only() -> None:
    logits = np.random.default_rng(0).normal(size=(3, 3, 7))
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    real = FOLLOWING != 0
    expected = -np.take_along_axis(log_p, FOLLOWING[..., None], axis=-1)[..., 0][real].mean()
    np.testing.assert_allclose(masked_cross_entropy(FOLLOWING, logits), expected, rtol=1e-5)


def test_loss_of_padding_alone_is_zero() -> None:
    assert float(masked_cross_entropy(np.zeros((2, 3), int), np.ones((2, 3, 7)))) == 0.0


@pytest.mark.parametrize("attention", ["none", "additive"])
def test_source_gradients_equal_finite_differences(attention: str) -> None:
    model = make(attention, bidirectional=False)
    gradient = source_gradients(model, SOURCE, PREVIOUS, FOLLOWING, position=1)
    embedded = np.asarray(model.source_embedding(SOURCE))

    def loss(vectors: np.ndarray) -> float:
        logits, _ = model.teacher_forced(model.encode(SOURCE, vectors), PREVIOUS)
        logits = np.asarray(logits, "float64")[:, 1]
        log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return float(-log_p[np.arange(3), FOLLOWING[:, 1]].sum())

    for index in [(0, 0, 1), (0, 2, 3), (2, 3, 0)]:
        step = np.zeros_like(embedded)
        step[index] = 0.01
        expected = (loss(embedded + step) - loss(embedded - step)) / 0.02
        assert abs(gradient[index] - expected) < 1e-3
    assert not gradient[1, 1:].any()  # padding


def test_attention_weights_lie_on_real_positions() -> None:
    weights = np.asarray(make().attention_weights(SOURCE, PREVIOUS))
    assert not weights[np.broadcast_to((SOURCE == 0)[:, None], weights.shape)].any()
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, atol=1e-6)


def test_attention_weights_of_a_model_without_are_refused() -> None:
    with pytest.raises(ValueError, match="attention=None"):
        make("none").attention_weights(SOURCE, PREVIOUS)


def test_decoder_parameters_need_additive_attention() -> None:
    with pytest.raises(ValueError, match="AdditiveAttention"):
        decoder_parameters(make("dot"))


def test_odd_units_are_refused_in_two_directions() -> None:
    with pytest.raises(ValueError, match="units=7"):
        EncoderDecoder(9, 7, units=7)
