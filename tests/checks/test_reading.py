"""Reading with a carried state, writing on, and the last word: as people write them."""

from collections.abc import Callable

import numpy as np
import pytest
from keras import ops

from rnnkit import checks


def read_rows(run, state, windows):
    rows = [[] for _ in windows[0][0]]
    for inputs, targets in windows:
        logits, state = run(inputs, state)
        for row, scores in enumerate(np.asarray(logits, "float64")):
            shares = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
            rows[row] += [np.log(share[t]) for share, t in zip(shares, targets[row], strict=True)]
    return rows


def read_in_keras(run, state, windows):
    found = []
    for inputs, targets in windows:
        logits, state = run(inputs, state)
        found.append(-ops.sparse_categorical_crossentropy(targets, logits, from_logits=True))
    return ops.concatenate(found, axis=1)


def write(step, state, prompt, length, choose):
    for symbols in prompt.T:
        logits, state = step(symbols, state)
    written = []
    for _ in range(length):
        written.append(choose(logits))
        logits, state = step(written[-1], state)
    return np.stack(written, axis=1)


def write_tensors(step, state, prompt, length, choose):
    prompt = ops.convert_to_tensor(prompt)
    for column in range(prompt.shape[1] - 1):
        _, state = step(prompt[:, column], state)
    symbols, written = prompt[:, -1], []
    while len(written) < length:
        logits, state = step(symbols, state)
        symbols = ops.convert_to_tensor(choose(ops.convert_to_tensor(logits)))
        written.append(symbols)
    return ops.stack(written, axis=1)


def last_of_each(log_probabilities, mask):
    return sum(np.exp(row[real][-1]) for row, real in zip(log_probabilities, mask, strict=True)) / (
        len(mask)
    )


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.read_text, read_rows),
        (checks.read_text, read_in_keras),
        (checks.generation, write),
        (checks.generation, write_tensors),
        (checks.last_word_probability, last_of_each),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_right_answer_passes(check: Callable, answer: Callable, seed: int) -> None:
    check(answer, seed=seed)


def no_state(run, state, windows):
    return read_rows(lambda inputs, _: run(inputs, None), state, windows)


def half_of_the_state(step, state, prompt, length, choose):
    _, (after,) = step(prompt[:, 0], state)
    return write(step, after, prompt, length, choose)


def one_row_alone(step, state, prompt, length, choose):
    return write(step, state, prompt[:1], length, choose)


def writes_logits(step, state, prompt, length, choose):
    return write(step, state, prompt, length, lambda logits: logits[:, 0])


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (checks.read_text, no_state, "Pass on the new state as it came"),
        (checks.read_text, lambda run, s, w: run(w[0][0].T, s), r"shape \(2, length\)"),
        (checks.read_text, lambda run, s, w: None, "is None"),
        (checks.generation, half_of_the_state, "Pass on the new state as it came"),
        (checks.generation, one_row_alone, "one symbol for each row"),
        (checks.generation, writes_logits, "ids, which are whole numbers"),
        (checks.last_word_probability, lambda logs, mask: 1.0, "not right"),
    ],
)
def test_what_cannot_work_is_told(check: Callable, answer: Callable, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check(answer)


def test_models_of_the_package_can_be_read_and_write() -> None:
    from rnnkit import models

    model = models.LanguageModel(9, units=4, embedding=3)
    windows = models.windows(np.arange(25) % 5 + 4, 2, 4)
    logs = np.asarray(read_in_keras(model.run, model.first_state(2), windows))
    ids = np.concatenate([inputs for inputs, _ in windows] + [windows[-1][1][:, -1:]], axis=1)
    np.testing.assert_allclose(logs, model.log_probabilities(ids), atol=1e-5)
    best = write(
        model.step,
        model.first_state(2),
        ids[:, :3],
        5,
        lambda logits: np.asarray(logits).argmax(axis=-1),
    )
    whole = np.concatenate([ids[:, :3], best], axis=1)
    np.testing.assert_array_equal(np.asarray(model(whole))[:, 2:-1].argmax(axis=-1), best)
