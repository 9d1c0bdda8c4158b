"""Means over seeds, and their intervals."""

import numpy as np
import pytest

from rnnkit.experiments.intervals import interval, separate


def test_an_interval_is_that_of_students_t_distribution():
    mean, low, high = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    half = 2.776445 * np.sqrt(2.5 / 5)  # the quantile for 4 degrees of freedom, from a table
    assert (mean, low, high) == pytest.approx((3.0, 3.0 - half, 3.0 + half), abs=1e-5)


def test_the_interval_of_one_value_for_all_seeds_is_that_value():
    assert interval([0.5, 0.5, 0.5]) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("values", [[], [0.5], [[0.5, 0.6]]])
def test_fewer_than_two_values_have_no_interval(values):
    with pytest.raises(ValueError, match="two values or more"):
        interval(values)


def test_intervals_that_overlap_are_not_separate():
    assert separate([0.9, 0.91, 0.92], [0.5, 0.51, 0.52])
    assert not separate([0.5, 0.51, 0.52], [0.9, 0.91, 0.92])
    assert not separate([0.9, 0.5, 0.7], [0.5, 0.51, 0.52])
