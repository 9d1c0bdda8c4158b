"""The references of the checks against Keras, automatic differentiation and brute force."""

import contextlib
from itertools import product

import keras
import numpy as np
import pytest

from rnnkit import checks, metrics
from rnnkit.checks import backpropagation, beam, entities, keras_layers, lstm
from rnnkit.checks.inputs import softmax


def numbers(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("kind", ["SimpleRNN", "GRU", "LSTM"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_numpy_outputs_equal_those_of_keras(kind: str, bidirectional: bool) -> None:
    inputs = keras_layers._inputs(kind, bidirectional, 2, 4, 3, 5, seed=1)
    expected = keras_layers._keras(*inputs, kind, bidirectional)
    np.testing.assert_allclose(
        keras_layers._numpy(*inputs, kind, bidirectional), expected, atol=1e-5
    )


def test_lstm_step_equals_the_cell_of_keras() -> None:
    x, h, c, *weights = lstm._lstm_inputs(2, 3, 4, seed=5)
    cell = keras.layers.LSTMCell(4)
    cell.build(x.shape)
    cell.set_weights(weights)
    _, (new_h, new_c) = cell(*(np.float32(x), [np.float32(h), np.float32(c)]))
    right = lstm.lstm(x, h, c, *weights)
    np.testing.assert_allclose(right["h"], keras.ops.convert_to_numpy(new_h), atol=1e-5)
    np.testing.assert_allclose(right["c"], keras.ops.convert_to_numpy(new_c), atol=1e-5)


def loss(inputs: np.ndarray, labels: np.ndarray, p: dict) -> float:
    h, total = np.zeros((len(inputs), len(p["b"]))), 0.0
    for t in range(inputs.shape[1]):
        h = np.tanh(inputs[:, t] @ p["W"] + h @ p["U"] + p["b"])
        rows = softmax(h @ p["V"] + p["c"])
        total -= np.log(rows[np.arange(len(inputs)), labels[:, t]]).sum()
    return total / labels.size


@pytest.mark.parametrize("name", ["W", "U", "b", "V", "c"])
def test_gradients_through_time_equal_differences_of_the_loss(name: str) -> None:
    inputs, labels, p = backpropagation.labelled_inputs(2, 4, 3, 3, seed=2)
    gradient = backpropagation.elman_bptt(inputs, labels, p)[name]
    for place in np.ndindex(gradient.shape):
        changed = {key: value.copy() for key, value in p.items()}
        changed[name][place] += 1e-5
        above = loss(inputs, labels, changed)
        changed[name][place] -= 2e-5
        difference = (above - loss(inputs, labels, changed)) / 2e-5
        assert gradient[place] == pytest.approx(difference, abs=1e-7)


def test_gradient_of_each_state_equals_differences() -> None:
    U, last, first = numbers(0, 3, 3), numbers(1, 3), numbers(2, 3)
    noise = numbers(3, 5, 3)

    def run(nudge: np.ndarray) -> np.ndarray:
        h, states = first, []
        for t in range(5):
            h = np.tanh(noise[t] + h @ U) + nudge[t]
            states.append(h)
        return np.stack(states)

    states = run(np.zeros((5, 3)))
    found = []

    def answer(states: np.ndarray, U: np.ndarray, last: np.ndarray) -> np.ndarray:
        gradients = [last]
        for h in states[:0:-1]:
            gradients.insert(0, U @ (gradients[0] * (1 - h**2)))
        return np.stack(gradients)

    checks.gradients_through_time(answer)
    for t, unit in np.ndindex(5, 3):
        nudge = np.zeros((5, 3))
        nudge[t, unit] = 1e-6
        found.append((run(nudge)[-1] - run(-nudge)[-1]) @ last / 2e-6)
    np.testing.assert_allclose(answer(states, U, last).ravel(), found, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_wide_beam_equals_exhaustive_search(seed: int) -> None:
    tables = beam.random_tables(4, seed)[0]
    logs = np.log(softmax(tables))
    best: dict[float, tuple[float, list[int]]] = {}
    for ids in product(range(beam.VOCABULARY), repeat=4):
        chosen = list(ids[: ids.index(beam.EOS) + 1 if beam.EOS in ids else 4])
        seen = [beam.PAD, beam.BOS, *chosen]
        total = sum(logs[place, *seen[place : place + 3]] for place in range(len(chosen)))
        for power in (0.0, 1.0):
            score = float(total) / len(chosen) ** power
            best[power] = max(best.get(power, (-np.inf, [])), (score, chosen))
    for power, (score, chosen) in best.items():
        found = beam.search(tables, beam.VOCABULARY**3, power)
        assert found["ids"].tolist() == chosen
        assert float(found["score"]) == pytest.approx(score)


def test_entities_equal_those_of_the_package() -> None:
    generator = np.random.default_rng(0)
    for _ in range(200):
        tags = entities._random_tags(generator, 9)
        assert entities.spans(tags) == {tuple(one) for one in metrics.entities(tags)}


def accuracy_by_group(predictions: list, targets: list, groups: list) -> dict[int, float]:
    return {
        low: share
        for low, _, _, share in metrics.accuracy_by_length(
            predictions, targets, groups, [*sorted(set(groups)), max(groups) + 1]
        )
    }


def test_scores_of_the_package_pass_where_they_are_the_answer(monkeypatch) -> None:
    # They are ready-made for a student; here they are a second opinion.
    monkeypatch.setattr(
        "rnnkit.checks.inputs.no_ready_made", lambda *names: contextlib.nullcontext()
    )
    for seed in range(3):
        checks.perplexity(metrics.perplexity, seed=seed)
        checks.bits_per_character(metrics.bits_per_character, seed=seed)
        checks.matthews(metrics.matthews, seed=seed)
        checks.exact_match(metrics.exact_match, seed=seed)
        checks.accuracy_by_group(accuracy_by_group, seed=seed)
        checks.entity_f1(lambda p, g: metrics.entity_f1(p, g)["all"].f1, seed=seed)


def test_layers_and_models_of_the_package_pass_where_they_are_the_answer(monkeypatch) -> None:
    from rnnkit import layers, models

    monkeypatch.setattr(
        "rnnkit.checks.inputs.no_ready_made", lambda *names: contextlib.nullcontext()
    )

    def recurrent(cell_name: str):
        def answer(inputs: np.ndarray, weights: list[np.ndarray]):
            layer = layers.Recurrence(layers.make_cell(cell_name, weights[1].shape[0]))
            layer.build(inputs.shape)
            layer.cell.set_weights(weights)
            return layer(inputs)[0]

        return answer

    for kind, name in (("SimpleRNN", "elman"), ("GRU", "gru"), ("LSTM", "lstm")):
        checks.equals_keras_layer(recurrent(name), kind)
    checks.gru_step(layers.gru_step)
    checks.clipped_by_global_norm(models.clip_by_global_norm)
    checks.truncated_windows(models.windows)
    checks.cosine_similarity(models.cosine_similarity)


@pytest.mark.parametrize("power", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(20))
def test_beam_search_of_the_package_gives_what_a_beam_ordered_by_scores_gives(
    seed: int, power: float
) -> None:
    from rnnkit import decoding

    tables = np.random.default_rng(seed).normal(size=(4, *[beam.VOCABULARY] * 3))

    def step(previous: np.ndarray, state: np.ndarray):
        return tables[state[:, 0], state[:, 1], previous], np.stack(
            [state[:, 0] + 1, previous], axis=1
        )

    first = np.array([[0, beam.PAD]])
    found = decoding.beam_search(step, first, 1, beam.BOS, beam.EOS, len(tables), 3, power)
    expected = beam.search(tables, 3, power, complete="stay, by score")
    ids = found.best[0].tolist()
    length = ids.index(beam.EOS) + 1 if beam.EOS in ids else len(ids)
    assert ids[:length] == expected["ids"].tolist()
    assert found.scores[0, 0] == pytest.approx(float(expected["score"]))
