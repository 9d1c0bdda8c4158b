"""Few sentences read by NumPy have the outputs of the layers that are trained."""

import warnings

import numpy as np
import pytest
from keras import ops
from test_transposed_stack import LAYERS, MEMORY, UNITS, random_stack

from rnnkit.elmo.few_sentences import FewSentences
from rnnkit.elmo.lstm_stack import LSTMStack
from rnnkit.elmo.transposed_stack import TransposedStack


def reader_of(stacks: list[LSTMStack]) -> tuple[FewSentences, list[TransposedStack]]:
    transposed = [TransposedStack(stack) for stack in stacks]
    for each in transposed:
        each.renew()
    return FewSentences(transposed), transposed


def expected_of(stacks: list[LSTMStack], vectors: np.ndarray) -> np.ndarray:
    """`(2, layers, time, batch, units)`."""
    outputs = [stack(each.swapaxes(0, 1))[0] for stack, each in zip(stacks, vectors, strict=True)]
    return np.stack([np.stack(each).swapaxes(1, 2) for each in outputs])


def vectors_of(steps: int, batch: int) -> np.ndarray:
    return np.random.default_rng(2).normal(size=(2, steps, batch, UNITS)).astype("float32")


@pytest.mark.parametrize(("batch", "steps"), [(1, 1), (1, 6), (4, 1), (5, 7)])
@pytest.mark.parametrize(("skips", "clip"), [(True, 0.5), (False, 0.1), (True, None)])
def test_outputs_are_those_of_the_trained_layers(batch, steps, skips, clip) -> None:
    stacks = [random_stack(skips, clip, seed) for seed in (0, 1)]
    vectors = vectors_of(steps, batch)
    found = reader_of(stacks)[0](vectors)
    assert found.shape == (2, LAYERS, steps, batch, UNITS)
    np.testing.assert_allclose(found, expected_of(stacks, vectors), atol=1e-6)


def test_a_call_leaves_nothing_behind_for_the_next() -> None:
    reader, _ = reader_of([random_stack(seed=seed) for seed in (0, 1)])
    first = reader(vectors_of(4, 2)).copy()
    reader(vectors_of(9, 3))
    np.testing.assert_array_equal(reader(vectors_of(4, 2)), first)


def test_what_it_returned_stays_when_it_reads_on() -> None:
    reader, _ = reader_of([random_stack(seed=seed) for seed in (0, 1)])
    first = reader(vectors_of(4, 2))
    kept = first.copy()
    reader(-vectors_of(4, 2))
    np.testing.assert_array_equal(first, kept)


def test_it_warns_of_nothing() -> None:
    reader, _ = reader_of([random_stack(seed=seed) for seed in (0, 1)])
    reader(vectors_of(1, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reader(1000 * vectors_of(4, 2))


def test_after_a_change_it_reads_with_the_new_weights() -> None:
    stacks = [random_stack(clip=None, seed=seed) for seed in (0, 1)]
    reader, transposed = reader_of(stacks)
    vectors = vectors_of(3, 2)
    before = reader(vectors)
    for weight in stacks[1].weights:
        weight.assign(ops.convert_to_numpy(weight) + 0.5)
    transposed[1].renew()
    reader.renew()
    after = reader(vectors)
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_allclose(after, expected_of(stacks, vectors), atol=1e-6)


def test_the_limit_is_a_product_of_all_gates(monkeypatch) -> None:
    reader, _ = reader_of([random_stack(seed=seed) for seed in (0, 1)])
    monkeypatch.setattr("rnnkit.elmo.few_sentences.ONE_THREAD", 3 * UNITS * 4 * MEMORY)
    assert reader.can_read(3)
    assert not reader.can_read(4)


def test_in_16_bits_it_reads_nothing() -> None:
    stacks = [LSTMStack(UNITS, MEMORY, LAYERS, dtype="float16") for _ in range(2)]
    assert not reader_of(stacks)[0].can_read(1)
