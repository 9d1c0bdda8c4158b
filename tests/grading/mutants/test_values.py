"""Results are compared, and inputs drawn anew, as their kind asks."""

import numpy as np
import pytest

from rnnkit.grading.mutants.values import copied, differ, drawn_anew

GENERATOR = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1.0, 1.0 + 1e-6),
        (1000.0, 1000.001),
        ([1.0, 2.0], np.array([1.0, 2.0])),
        ((1, [2, 3]), (1.0, [2.0, 3.0])),
        (np.array([np.nan]), np.array([np.nan])),
        ({"a": np.ones(2)}, {"a": [1, 1]}),
        ([("PER", 0, 2)], [("PER", 0, 2)]),
        (None, None),
    ],
)
def test_equal_results_do_not_differ(value: object, other: object) -> None:
    assert not differ(value, other)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1.0, 1.0 + 1e-4),
        (np.ones((2, 1)), np.ones((1, 2))),
        ([1, 2], [1, 2, 3]),
        ({"a": 1}, {"b": 1}),
        (np.array([0.0]), np.array([np.nan])),
        ([("PER", 0, 2)], [("LOC", 0, 2)]),
        (None, 0),
        ("1", 1),
        (True, False),
        (len, 1),
    ],
)
def test_results_that_differ_are_seen(value: object, other: object) -> None:
    assert differ(value, other)


def test_probabilities_stay_probabilities() -> None:
    drawn = drawn_anew(np.full((3, 4), 0.25), GENERATOR)
    np.testing.assert_allclose(drawn.sum(axis=-1), 1)
    assert not np.allclose(drawn, 0.25)


def test_zeros_and_ones_stay_zeros_and_ones() -> None:
    assert set(drawn_anew(np.array([0.0, 1.0] * 20), GENERATOR)) == {0.0, 1.0}


def test_log_probabilities_stay_below_zero() -> None:
    assert (drawn_anew(np.array([-1.0, -5.0]), GENERATOR) < 0).all()


def test_ids_masks_and_kinds_stay() -> None:
    ids, mask = np.array([1, 2]), np.array([True, False])
    found = drawn_anew({"ids": ids, "mask": mask, "x": np.ones(2, "float32") / 3}, GENERATOR)
    assert found["ids"] is ids and found["mask"] is mask
    assert found["x"].dtype == "float32"


def test_changing_a_copy_changes_nothing() -> None:
    value = [{"W": np.zeros(2)}]
    copied(value)[0]["W"][0] = 1
    assert value[0]["W"][0] == 0
