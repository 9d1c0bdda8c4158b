import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnnkit.decoding import next_probabilities

ROW = [0.4, 0.3, 0.2, 0.1]
SCORES = np.log([ROW])

rows = st.lists(st.floats(-20, 20), min_size=1, max_size=6)


def kept(probabilities):
    return np.flatnonzero(probabilities[0]).tolist()


def test_without_settings_it_is_the_softmax():
    np.testing.assert_allclose(next_probabilities(SCORES), [ROW])


def test_a_temperature_is_a_power():
    powers = np.array(ROW) ** 2
    expected = powers / powers.sum()
    np.testing.assert_allclose(next_probabilities(SCORES, temperature=0.5)[0], expected)


def test_top_k_keeps_k_and_their_ratios():
    np.testing.assert_allclose(next_probabilities(SCORES, top_k=2), [[4 / 7, 3 / 7, 0, 0]])


def test_top_k_above_the_vocabulary_keeps_all():
    np.testing.assert_allclose(next_probabilities(SCORES, top_k=9), [ROW])


@pytest.mark.parametrize(
    ("p", "count"), [(0.1, 1), (0.4, 1), (0.41, 2), (0.7, 2), (0.71, 3), (0.9, 3), (1.0, 4)]
)
def test_top_p_keeps_the_smallest_set_that_reaches_p(p, count):
    assert kept(next_probabilities(SCORES, top_p=p)) == list(range(count))


@settings(deadline=None)
@given(rows, st.floats(0.01, 0.99))
def test_no_smaller_set_than_that_of_top_p_reaches_p(row, p):
    probabilities = next_probabilities([row])[0]
    chosen = kept(next_probabilities([row], top_p=p))
    assert probabilities[chosen].sum() >= p - 1e-9
    for smaller in itertools.combinations(range(len(row)), len(chosen) - 1):
        assert probabilities[list(smaller)].sum() < p + 1e-9


def test_top_p_acts_on_what_top_k_left():
    # After top_k the two best have 4/7 and 3/7; 0.5 is reached by the first alone.
    assert kept(next_probabilities(SCORES, top_k=2, top_p=0.5)) == [0]


def test_of_equal_symbols_the_lower_ids_stay():
    assert kept(next_probabilities(np.zeros((1, 5)), top_k=2)) == [0, 1]
    assert kept(next_probabilities(np.zeros((1, 5)), temperature=0)) == [0]


def test_forbidden_symbols_have_no_probability():
    probabilities = next_probabilities([[0.0, -np.inf, 0.0]], temperature=0.1, top_p=0.99)
    assert kept(probabilities) == [0, 2]


@settings(deadline=None)
@given(rows, st.floats(1e-3, 100))
def test_rows_sum_to_one_at_any_temperature(row, temperature):
    probabilities = next_probabilities([row], temperature, top_k=3, top_p=0.7)
    assert probabilities.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("row", [[0.0, np.nan], [0.0, np.inf], [-np.inf, -np.inf]])
def test_rows_without_a_finite_largest_score_are_refused(row):
    with pytest.raises(ValueError, match="largest score that is a finite number"):
        next_probabilities([row])
