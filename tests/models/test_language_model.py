"""The recurrent language model."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.decoding import greedy
from rnnkit.metrics import perplexity
from rnnkit.models import LanguageModel, masked_cross_entropy

CELLS = ["elman", "gru", "lstm"]
IDS = np.array([[2, 5, 4, 8, 3], [2, 7, 3, 0, 0], [2, 6, 6, 3, 0]])


def make(cell: str = "lstm", **settings) -> LanguageModel:
    keras.utils.set_random_seed(3)
    model = LanguageModel(9, **{"units": 6, "embedding": 4, "cell": cell, **settings})
    generator = np.random.default_rng(0)  # biases too, which start as zeros
    model.set_weights([generator.normal(0, 0.5, weight.shape) for weight in model.get_weights()])
    return model


def array(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def reference_layer(cell: str, inputs: np.ndarray, weights: list[np.ndarray]) -> np.ndarray:
    """One recurrent layer in float64, Keras's layout of weights."""
    kernel, recurrent, bias = weights
    h = c = np.zeros((len(inputs), recurrent.shape[0]))
    outputs = []
    for x in inputs.transpose(1, 0, 2):
        z = x @ kernel + h @ recurrent + bias
        if cell == "elman":
            h = np.tanh(z)
        else:
            i, f, g, o = np.split(z, 4, axis=-1)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return np.stack(outputs, axis=1)


def reference(model: LanguageModel, cell: str, ids: np.ndarray) -> np.ndarray:
    outputs = array(model.embedding.embeddings).astype("float64")[ids]
    for recurrence in model.recurrences:
        weights = [weight.astype("float64") for weight in recurrence.get_weights()]
        outputs = reference_layer(cell, outputs, weights)
    kernel, bias = (w.astype("float64") for w in model.to_logits.get_weights())
    return outputs @ kernel + bias


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("cell", ["elman", "lstm"])
def test_logits_equal_numpy(cell: str, layers: int) -> None:
    model = make(cell, layers=layers)
    np.testing.assert_allclose(array(model(IDS)), reference(model, cell, IDS), atol=1e-5)


@pytest.mark.parametrize("embedding", [4, 6])
def test_tied_logits_equal_numpy(embedding: int) -> None:
    keras.utils.set_random_seed(3)
    model = LanguageModel(9, units=6, embedding=embedding, cell="elman", tied=True)
    vectors = array(model.embedding.embeddings).astype("float64")
    bias = np.random.default_rng(4).normal(size=9)
    model.output_bias.assign(bias)
    states = reference_layer("elman", vectors[IDS], model.recurrences[0].get_weights())
    if embedding != 6:
        states = states @ array(model.to_logits.kernel)
    np.testing.assert_allclose(array(model(IDS)), states @ vectors.T + bias, atol=1e-5)


@pytest.mark.parametrize("cell", CELLS)
def test_padding_changes_nothing(cell: str) -> None:
    model = make(cell, layers=2)
    padded = np.pad(IDS, ((0, 0), (0, 4)))
    np.testing.assert_allclose(array(model(padded))[:, :5], array(model(IDS)), atol=1e-6)


@pytest.mark.parametrize("cell", CELLS)
def test_later_symbols_change_no_earlier_logits(cell: str) -> None:
    model = make(cell, layers=2)
    changed = IDS.copy()
    changed[:, 3:] = 1
    np.testing.assert_array_equal(array(model(changed))[:, :3], array(model(IDS))[:, :3])


@pytest.mark.parametrize("cell", CELLS)
def test_carried_state_equals_one_long_run(cell: str) -> None:
    model = make(cell, layers=2)
    first, state = model.run(IDS[:, :2])
    second, _ = model.run(IDS[:, 2:], state)
    joined = np.concatenate([array(first), array(second)], axis=1)
    np.testing.assert_allclose(joined, array(model(IDS)), atol=1e-6)


@pytest.mark.parametrize("cell", CELLS)
def test_steps_one_by_one_equal_all_at_once(cell: str) -> None:
    model = make(cell, layers=2)
    logits, state = array(model(IDS)), model.first_state(3)
    for position in range(IDS.shape[1]):
        step_logits, state = model.step(IDS[:, position], state)
        np.testing.assert_allclose(array(step_logits), logits[:, position], atol=1e-6)


def test_masked_run_ends_in_the_state_after_the_last_real_symbol() -> None:
    model = make()
    _, state = model.run(IDS, mask=IDS != 0)
    _, alone = model.run(IDS[1:2, :3])
    for part, expected in zip(state[0], alone[0], strict=True):
        np.testing.assert_allclose(array(part)[1:2], array(expected), atol=1e-6)


def test_log_probabilities_equal_numpy() -> None:
    model = make()
    logits = reference(model, "lstm", IDS)[:, :-1]
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    expected = np.take_along_axis(log_p, IDS[:, 1:, None], axis=-1)[..., 0] * (IDS[:, 1:] != 0)
    np.testing.assert_allclose(model.log_probabilities(IDS), expected, atol=1e-5)


def test_loss_is_the_mean_of_the_log_probabilities_of_real_symbols() -> None:
    model = make()
    loss = float(masked_cross_entropy(IDS[:, 1:], model(IDS[:, :-1])))
    expected = -model.log_probabilities(IDS).sum() / (IDS[:, 1:] != 0).sum()
    assert loss == pytest.approx(expected, rel=1e-5)


def test_uniform_model_has_the_perplexity_of_its_vocabulary() -> None:
    model = make()
    model.to_logits.set_weights([np.zeros((6, 9)), np.zeros(9)])
    real = IDS[:, 1:] != 0
    assert perplexity(model.log_probabilities(IDS)[real]) == pytest.approx(9.0, rel=1e-5)


@pytest.mark.parametrize("cell", CELLS)
def test_hidden_states_are_those_of_a_run(cell: str) -> None:
    model = make(cell, layers=2)
    states = model.hidden_states(IDS)
    _, last = model.run(IDS)
    for layer in range(2):
        np.testing.assert_allclose(states.outputs[layer][:, -1], array(last[layer][0]), atol=1e-6)
        if cell == "lstm":
            cells = states.cells[layer]
            np.testing.assert_allclose(cells[:, -1], array(last[layer][1]), atol=1e-6)
    assert (states.cells is None) == (cell != "lstm")


@pytest.mark.parametrize(
    "settings", [{"layers": 2}, {"cell": "gru", "tied": True}, {"tied": True, "units": 4}]
)
def test_saved_model_gives_the_same(settings, tmp_path) -> None:
    model = make(**settings)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(array(loaded(IDS)), array(model(IDS)))


def test_dropout_is_at_work_in_training_only() -> None:
    model = make(dropout=0.5)
    plain = array(model(IDS))
    np.testing.assert_array_equal(array(model(IDS)), plain)
    assert np.abs(array(model(IDS, training=True)) - plain).max() > 0.01


@pytest.mark.parametrize("tied", [False, True])
def test_mixed_precision_gives_logits_in_float32(tied: bool) -> None:
    keras.utils.set_random_seed(3)
    single = LanguageModel(9, units=6, embedding=4, tied=tied)
    mixed = LanguageModel(9, units=6, embedding=4, tied=tied, dtype="mixed_bfloat16")
    mixed.set_weights(single.get_weights())
    logits = mixed(IDS)
    assert keras.backend.standardize_dtype(logits.dtype) == "float32"
    np.testing.assert_allclose(array(logits), array(single(IDS)), atol=0.02)


def test_mixed_precision_gives_the_same_step_by_step() -> None:
    keras.utils.set_random_seed(3)
    model = LanguageModel(9, units=6, embedding=4, dtype="mixed_bfloat16")
    logits, state = array(model(IDS)), model.first_state(3)
    for position in range(IDS.shape[1]):
        step_logits, state = model.step(IDS[:, position], state)
        np.testing.assert_allclose(array(step_logits), logits[:, position], atol=1e-3)
    assert model.hidden_states(IDS).cells[0].dtype == "float32"


def test_learns_which_symbol_follows() -> None:
    model = make("elman")
    sentences = np.array([[2, 4, 5, 6, 3, 0], [2, 7, 8, 3, 0, 0]] * 8)
    model.compile(keras.optimizers.Adam(0.03), loss=masked_cross_entropy)
    model.fit(sentences[:, :-1], sentences[:, 1:], epochs=30, verbose=0)
    state = model.first_state(1)
    _, state = model.step(np.array([2]), state)
    written = greedy(model.step, state, batch=1, bos_id=4, eos_id=3, max_length=5)
    assert written.tolist() == [[5, 6, 3]]


@pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="XLA on TensorFlow")
def test_trains_with_xla() -> None:
    plain, compiled = make("gru"), make("gru")
    for model, jit in [(plain, False), (compiled, True)]:
        model.compile("sgd", loss=masked_cross_entropy, jit_compile=jit)
        model.fit(IDS[:, :2], IDS[:, 1:3], verbose=0, batch_size=3)
    for one, other in zip(plain.get_weights(), compiled.get_weights(), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("settings", [{"units": 0}, {"layers": 0}, {"cell": "rnn"}])
def test_wrong_settings_are_refused(settings) -> None:
    with pytest.raises(ValueError, match="Received"):
        LanguageModel(9, **settings)
