"""Calls are kept as they were, and tests are run again with other seeds."""

import random
from types import ModuleType

import numpy as np
import tensorflow as tf

from rnnkit.grading.mutants.calls import Call, Recorder, reseeded


def test_a_call_is_kept_as_it_was_before_the_function_changed_its_input() -> None:
    recorder = Recorder()

    def fill(array: np.ndarray) -> None:
        array[:] = 1

    recorder.wrapped("fill", fill)(np.zeros(2))
    (call,) = recorder.take()["fill"]
    np.testing.assert_array_equal(call.args[0], [0, 0])
    assert recorder.take() == {}


def test_no_more_calls_are_kept_than_asked_for() -> None:
    recorder = Recorder(most=3)
    double = recorder.wrapped("double", lambda x: 2 * x)
    assert [double(number) for number in range(9)] == list(range(0, 18, 2))
    assert len(recorder.take()["double"]) == 3


def test_a_call_while_tensorflow_compiles_is_not_kept() -> None:
    recorder = Recorder()
    double = recorder.wrapped("double", lambda x: 2 * x)
    assert float(tf.function(double)(tf.constant(2.0))) == 4.0
    assert recorder.take() == {}


def test_a_whole_number_moves_by_one_at_most_and_stays_above_zero() -> None:
    generator = np.random.default_rng(0)
    found = {Call((1, 5), {}).drawn_anew(generator).args for _ in range(50)}
    assert {first for first, _ in found} == {1, 2}
    assert {second for _, second in found} == {4, 5, 6}


def test_each_check_gets_another_seed_and_no_smaller_size() -> None:
    checks = ModuleType("checks")
    checks.seeded = lambda answer, batch=2, seed=7: None  # type: ignore[attr-defined]
    checks.plain = lambda answer: None  # type: ignore[attr-defined]
    source = "checks.seeded(f)\nchecks.seeded(f, batch=4, seed=1)\nchecks.plain(f)"
    lines = reseeded(source, checks, 2, random.Random(0)).splitlines()
    assert lines[0] == "checks.seeded(f, seed=7 + 2000)"
    assert lines[1] in [f"checks.seeded(f, batch={size}, seed=1 + 2000)" for size in (4, 5, 6)]
    assert lines[2] == "checks.plain(f)"
