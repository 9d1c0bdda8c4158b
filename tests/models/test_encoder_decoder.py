"""The encoder-decoder, with attention and without."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.decoding import beam_search, greedy, sample
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


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


SOURCE = np.array([[5, 4, 8, 0], [3, 0, 0, 0], [7, 7, 5, 6]])
PREVIOUS = np.array([[2, 6, 5], [2, 4, 0], [2, 5, 5]])
FOLLOWING = np.array([[6, 5, 3], [4, 3, 0], [5, 5, 3]])


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("bidirectional", [True, False])
def test_padding_the_source_changes_nothing(attention: str, bidirectional: bool) -> None:
    model = make(attention, bidirectional=bidirectional)
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    padded = np.pad(SOURCE, ((0, 0), (0, 5)))
    after = array(model({"source": padded, "previous": PREVIOUS}))
    np.testing.assert_allclose(after, logits, atol=1e-6)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_sentence_gives_the_same_alone(attention: str) -> None:
    model = make(attention)
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    alone = model({"source": SOURCE[:1, :3], "previous": PREVIOUS[:1]})
    np.testing.assert_allclose(array(alone), logits[:1], atol=1e-6)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_steps_one_by_one_equal_all_at_once(attention: str) -> None:
    model = make(attention)
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    encoded = model.encode(SOURCE)
    state = encoded.state
    for position in range(3):
        step_logits, state, _ = model.step(PREVIOUS[:, position], state, encoded)
        np.testing.assert_allclose(array(step_logits), logits[:, position], atol=1e-5)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_saved_model_gives_the_same(attention: str, tmp_path) -> None:
    model = make(attention)
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(array(loaded({"source": SOURCE, "previous": PREVIOUS})), logits)


def test_later_previous_symbols_change_no_earlier_logits() -> None:
    model = make()
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    changed = PREVIOUS.copy()
    changed[:, 2] = 1
    other = array(model({"source": SOURCE, "previous": changed}))
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
    np.testing.assert_allclose(float(masked_cross_entropy(FOLLOWING, logits)), expected, rtol=1e-5)


def test_loss_of_padding_alone_is_zero() -> None:
    assert float(masked_cross_entropy(np.zeros((2, 3), int), np.ones((2, 3, 7)))) == 0.0


@pytest.mark.parametrize("attention", ["none", "additive"])
def test_source_gradients_equal_finite_differences(attention: str) -> None:
    model = make(attention, bidirectional=False)
    gradient = source_gradients(model, SOURCE, PREVIOUS, FOLLOWING, position=1)
    embedded = array(model.source_embedding(SOURCE))

    def loss(vectors: np.ndarray) -> float:
        logits, _ = model.teacher_forced(model.encode(SOURCE, vectors), PREVIOUS)
        logits = array(logits).astype("float64")[:, 1]
        log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return float(-log_p[np.arange(3), FOLLOWING[:, 1]].sum())

    for index in [(0, 0, 1), (0, 2, 3), (2, 3, 0)]:
        step = np.zeros_like(embedded)
        step[index] = 0.01
        expected = (loss(embedded + step) - loss(embedded - step)) / 0.02
        assert abs(gradient[index] - expected) < 1e-3
    assert not gradient[1, 1:].any()  # padding


def test_attention_weights_lie_on_real_positions() -> None:
    weights = array(make().attention_weights(SOURCE, PREVIOUS))
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


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def test_context_at_every_step_equals_numpy() -> None:
    model = make("none", context="every step")
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    encoded = model.encode(SOURCE)
    context = array(encoded.context).astype("float64")
    state = array(encoded.state).astype("float64")
    kernel, recurrent, bias = (w.astype("float64") for w in model.decoder.get_weights())
    output, output_bias = model.to_logits.get_weights()
    vectors = array(model.target_embedding.embeddings)
    for position in range(3):
        x = np.hstack([vectors[PREVIOUS[:, position]], context])
        from_x, from_s = x @ kernel + bias[0], state @ recurrent + bias[1]
        update, reset = (sigmoid(from_x[:, i : i + 8] + from_s[:, i : i + 8]) for i in (0, 8))
        candidate = np.tanh(from_x[:, 16:] + reset * from_s[:, 16:])
        state = update * state + (1 - update) * candidate
        expected = state @ output + output_bias
        np.testing.assert_allclose(logits[:, position], expected, atol=1e-5)


def test_context_at_every_step_is_the_last_states_of_both_directions() -> None:
    encoded = make("none", context="every step").encode(SOURCE)
    keys, context = array(encoded.keys), array(encoded.context)
    ends = (SOURCE != 0).sum(axis=-1) - 1
    np.testing.assert_allclose(context[:, :4], keys[np.arange(3), ends, :4], atol=1e-6)
    np.testing.assert_allclose(context[:, 4:], keys[:, 0, 4:], atol=1e-6)


def test_steps_with_context_equal_all_at_once() -> None:
    model = make("none", context="every step")
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    step, state = model.step_function(SOURCE)
    for position in range(3):
        step_logits, state = step(PREVIOUS[:, position], state)
        np.testing.assert_allclose(array(step_logits), logits[:, position], atol=1e-5)


def test_saved_model_keeps_where_the_context_goes_in(tmp_path) -> None:
    model = make("none", context="every step")
    logits = array(model({"source": SOURCE, "previous": PREVIOUS}))
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(array(loaded({"source": SOURCE, "previous": PREVIOUS})), logits)


@pytest.mark.parametrize("settings", [{"context": "once"}, {"context": "every step"}])
def test_context_that_does_not_fit_is_refused(settings) -> None:
    with pytest.raises(ValueError, match="Received: context"):
        make("additive", **settings)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_beam_of_one_writes_what_greedy_decoding_writes(attention: str) -> None:
    model = make(attention)
    step, state = model.step_function(SOURCE)
    best = beam_search(step, state, batch=3, bos_id=2, eos_id=3, max_length=4, width=1)
    written = model.decode(SOURCE, bos_id=2, eos_id=3, max_length=4)
    np.testing.assert_array_equal(best.ids[:, 0, : written.shape[1]], written)


def test_wide_beam_gives_each_sentence_its_own_source() -> None:
    model = make()
    step, state = model.step_function(SOURCE)
    together = beam_search(step, state, batch=3, bos_id=2, eos_id=3, max_length=4, width=3)
    for row in range(3):
        step, state = model.step_function(SOURCE[row : row + 1])
        alone = beam_search(step, state, batch=1, bos_id=2, eos_id=3, max_length=4, width=3)
        np.testing.assert_allclose(together.scores[row], alone.scores[0], atol=1e-5)


def test_cold_sampling_writes_what_greedy_decoding_writes() -> None:
    model = make()
    step, state = model.step_function(SOURCE)
    drawn = sample(step, state, 3, 2, 3, max_length=4, temperature=1e-4, seed=0)
    step, state = model.step_function(SOURCE)
    np.testing.assert_array_equal(drawn, greedy(step, state, 3, 2, 3, max_length=4))


def test_mixed_precision_gives_logits_in_float32() -> None:
    single = make()
    keras.config.set_dtype_policy("mixed_bfloat16")
    try:
        mixed = make()
    finally:
        keras.config.set_dtype_policy("float32")
    mixed.set_weights(single.get_weights())
    logits = mixed({"source": SOURCE, "previous": PREVIOUS})
    assert keras.backend.standardize_dtype(logits.dtype) == "float32"
    expected = array(single({"source": SOURCE, "previous": PREVIOUS}))
    np.testing.assert_allclose(array(logits), expected, atol=0.05)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("attention", [True, False])
def test_precision_given_to_the_model_reaches_every_layer(
    bidirectional: bool, attention: bool
) -> None:
    policy = "mixed_bfloat16"
    model = EncoderDecoder(
        9,
        7,
        units=8,
        embedding=4,
        attention=AdditiveAttention(8, dtype=policy) if attention else None,
        bidirectional=bidirectional,
        dtype=policy,
    )
    others = [layer for layer in model._flatten_layers() if layer.compute_dtype != "bfloat16"]
    assert others == [model.to_logits]
