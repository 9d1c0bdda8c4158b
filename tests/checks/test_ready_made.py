"""Ready-made things are found under any name; operations, and what is given, are free."""

import sys
import types
from collections.abc import Callable
from pathlib import Path

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit import checks, decoding, layers, metrics, models
from rnnkit.layers import masked_softmax as something_else

X = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")
renamed = keras.layers


def found(answer: Callable, given: tuple[str, ...] = ()) -> str:
    with pytest.raises(AssertionError) as failure, checks.no_ready_made("the answer", given):
        answer()
    return str(failure.value)


def test_layers_of_keras_are_found() -> None:
    assert "SimpleRNN of Keras" in found(lambda: keras.layers.SimpleRNN(3)(X))
    assert "LSTM of Keras" in found(lambda: renamed.LSTM(3)(X))
    assert "GRU of Keras" in found(lambda: keras.layers.GRU(3)(X))
    assert "SimpleRNN" in found(lambda: keras.layers.Bidirectional(keras.layers.SimpleRNN(2))(X))
    assert "Cell of Keras" in found(lambda: keras.layers.LSTMCell(3)(X[:, 0], [X[:, 0, :3]] * 2))
    assert "Attention of Keras" in found(lambda: keras.layers.Attention()([X, X]))


def test_losses_and_metrics_of_keras_are_found() -> None:
    one = np.ones((1, 2))
    loss = "SparseCategoricalCrossentropy of Keras"
    assert loss in found(
        lambda: keras.losses.SparseCategoricalCrossentropy()(np.array([1]), one / 2)
    )
    assert "CosineSimilarity of Keras" in found(lambda: keras.metrics.CosineSimilarity()(one, one))


def test_layer_that_was_made_before_is_found_at_its_call() -> None:
    layer = keras.layers.LSTM(3)
    assert "LSTM of Keras" in found(lambda: layer(X))


def test_parts_of_this_kit_are_found() -> None:
    scores = X[:, 0]
    assert "masked_softmax of rnnkit" in found(lambda: something_else(scores))
    assert "perplexity of rnnkit" in found(lambda: metrics.perplexity(-np.ones((1, 2))))
    assert "EncoderDecoder of rnnkit" in found(lambda: models.EncoderDecoder(9, 7, 4, 4))

    def step(previous: np.ndarray, state: None) -> tuple[np.ndarray, None]:
        return np.eye(5)[previous], state

    assert "greedy of rnnkit" in found(lambda: decoding.greedy(step, None, 1, 2, 3, 2))


def test_part_of_this_kit_is_found_through_another_module() -> None:
    other = types.ModuleType("other")
    other.__dict__.update(vars(layers))
    assert "masked_softmax" in found(lambda: other.masked_softmax(X[:, 0]))
    assert "masked_softmax" in found(lambda: getattr(layers, "masked" + "_softmax")(X[:, 0]))


def test_what_the_exercise_gives_is_free() -> None:
    with checks.no_ready_made("the answer", given=("masked_softmax",)):
        layers.masked_softmax(X[:, 0])
    additive = "AdditiveAttention of rnnkit"
    assert additive in found(lambda: layers.AdditiveAttention(4), given=("masked_softmax",))


def test_scikit_learn_is_found() -> None:
    from sklearn.metrics import matthews_corrcoef as mcc

    assert "matthews_corrcoef of scikit-learn" in found(lambda: mcc([0, 1], [0, 1]))


def test_layers_under_the_name_of_tensorflow_are_found() -> None:
    tf = pytest.importorskip("tensorflow")
    assert "LSTM of Keras" in found(lambda: tf.keras.layers.LSTM(3)(X))
    assert "clip_by_global_norm of TensorFlow" in found(lambda: tf.clip_by_global_norm([X], 1.0))
    size = (4 + 3, 4 * 3)
    assert "lstm_block_cell of TensorFlow" in found(
        lambda: tf.raw_ops.LSTMBlockCell(
            x=X[:, 0],
            cs_prev=X[:, 0, :3],
            h_prev=X[:, 0, :3],
            w=np.ones(size, "float32"),
            wci=np.ones(3, "float32"),
            wcf=np.ones(3, "float32"),
            wco=np.ones(3, "float32"),
            b=np.ones(12, "float32"),
        )
    )


def test_function_that_tensorflow_traced_before_is_looked_into() -> None:
    tf = pytest.importorskip("tensorflow")
    if keras.backend.backend() != "tensorflow":
        pytest.skip("Keras's layers are not TensorFlow's here")
    layer = keras.layers.LSTM(3)
    traced = tf.function(lambda x: layer(x))
    traced(X)
    assert "LSTM of Keras" in found(lambda: traced(X))
    assert not tf.config.functions_run_eagerly()


def test_cells_of_pytorch_are_found() -> None:
    torch = pytest.importorskip("torch")
    x = torch.tensor(X)
    assert "LSTM of PyTorch" in found(lambda: torch.nn.LSTM(4, 3)(x))
    cell = torch.nn.LSTMCell(4, 3)
    weights = [parameter.detach() for parameter in cell.parameters()]
    states = (torch.zeros(2, 3), torch.zeros(2, 3))
    assert "lstm_cell of PyTorch" in found(lambda: torch.lstm_cell(x[:, 0], states, *weights))


def test_gradient_tape_is_found_where_gradients_are_the_task() -> None:
    tf = pytest.importorskip("tensorflow")

    def answer() -> None:
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)

    with checks.no_ready_made("gradient_norms"):
        answer()
    with (
        pytest.raises(AssertionError, match="bptt calls the ready-made GradientTape of TensorFlow"),
        checks.no_ready_made("bptt"),
    ):
        answer()


def test_operations_are_free() -> None:
    with checks.no_ready_made("the answer"):
        ops.softmax(ops.matmul(X, X.swapaxes(1, 2)))
        ops.sparse_categorical_crossentropy(np.array([1]), X[0, :1], from_logits=True)
        np.linalg.norm(X)
        keras.layers.Dense(3)(X)
        keras.layers.Concatenate()([X, X])


def test_operations_of_tensorflow_are_free() -> None:
    tf = pytest.importorskip("tensorflow")
    with checks.no_ready_made("the answer"):
        tf.nn.softmax(tf.matmul(X, X, transpose_b=True))
        tf.linalg.global_norm([X])


FAILING: list[Callable] = [
    lambda tf: tf.norm(None, axis=-1),
    lambda tf: tf.square(None),
    lambda tf: tf.matmul(X, X),
    lambda tf: tf.concat([tf.constant(X), None], axis=0),
    lambda tf: tf.reshape(X, [5, 5]),
    lambda tf: tf.einsum("ab,bc->ac", X, X),
    lambda tf: tf.nn.softmax(X, axis=7),
    lambda tf: tf.where(X > 0, X, "none"),
    lambda tf: tf.cast("word", tf.float32),
    lambda tf: tf.constant(X) + None,
    lambda tf: ops.matmul(X, X),
    lambda tf: ops.sum(None),
    lambda tf: ops.concatenate([X, X[0]], axis=0),
]


@pytest.mark.parametrize("operation", FAILING)
def test_operation_that_fails_is_told_as_the_error_that_it_raises(operation: Callable) -> None:
    tf = pytest.importorskip("tensorflow")
    with pytest.raises(Exception) as alone:
        operation(tf)
    with pytest.raises(type(alone.value)) as watched, checks.no_ready_made("the answer"):
        operation(tf)
    assert str(watched.value) == str(alone.value)


def test_layer_that_tensorflow_makes_of_an_operation_is_found() -> None:
    tf = pytest.importorskip("tensorflow")
    from tensorflow.python.keras.layers import core

    assert "TFOpLambda of TensorFlow" in found(lambda: core.TFOpLambda(tf.square))


def test_import_inside_an_answer_is_no_call(tmp_path: Path, monkeypatch) -> None:
    place = tmp_path / "sklearn" / "metrics"
    place.mkdir(parents=True)
    (place / "just_imported.py").write_text(
        "class Score:\n    pass\n\n\ndef f():\n    pass\n\n\nf()\n"
    )
    monkeypatch.syspath_prepend(str(place))
    with checks.no_ready_made("the answer"):
        import just_imported

    assert "f of scikit-learn" in found(lambda: just_imported.f())


def test_search_ends_with_its_block() -> None:
    before = sys.getprofile()
    with checks.no_ready_made("the answer"):
        pass
    assert sys.getprofile() is before
    with pytest.raises(ZeroDivisionError), checks.no_ready_made("the answer"):
        1 / 0  # noqa: B018
    assert sys.getprofile() is before


def test_ready_made_thing_is_named_where_its_use_goes_wrong() -> None:
    def answer() -> None:
        layers.AdditiveAttention(4).set_weights([1.0, 2.0, 3.0])

    assert "AdditiveAttention of rnnkit" in found(answer)


def test_each_check_of_a_thing_to_write_finds_the_ready_made_one() -> None:
    def lstm(x, h, c, kernel, recurrent_kernel, bias):
        cell = keras.layers.LSTMCell(h.shape[-1])
        cell.build(x.shape)
        cell.set_weights([kernel, recurrent_kernel, bias])
        return cell(x, [h, c])[1]

    with pytest.raises(AssertionError, match="LSTMCell of Keras"):
        checks.lstm_step(lstm)
    with pytest.raises(AssertionError, match="perplexity of rnnkit"):
        checks.perplexity(metrics.perplexity)
    with pytest.raises(AssertionError, match="clip_by_global_norm of rnnkit"):
        checks.clipped_by_global_norm(models.clip_by_global_norm)
    with pytest.raises(AssertionError, match="cosine_similarity of rnnkit"):
        checks.cosine_similarity(models.cosine_similarity)


def test_given_functions_are_free_where_the_exercise_gives_them() -> None:
    def stacked(inputs, mask, each):
        outputs = []
        for layer in each:
            inputs = layers.elman_bidirectional(inputs, mask, layer["forward"], layer["backward"])
            outputs.append(inputs)
        return outputs

    def entity_f1(predicted, gold):
        found, right = (
            {(number, *one) for number, tags in enumerate(each) for one in metrics.entities(tags)}
            for each in (predicted, gold)
        )
        return 2 * len(found & right) / max(len(found) + len(right), 1)

    checks.stacked(stacked, given=("elman_bidirectional",))
    with pytest.raises(AssertionError, match="elman_bidirectional of rnnkit"):
        checks.stacked(stacked)
    checks.entity_f1(entity_f1, given=("entities",))
    with pytest.raises(AssertionError, match="entities of rnnkit"):
        checks.entity_f1(entity_f1)
