import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnnkit.metrics import matthews


def test_a_number_counted_by_hand():
    # TP 3, FN 1, FP 2, TN 4
    targets = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    predictions = [1, 1, 1, 0, 1, 1, 0, 0, 0, 0]
    expected = (3 * 4 - 2 * 1) / np.sqrt(5 * 4 * 6 * 5)
    assert matthews(predictions, targets) == pytest.approx(expected)


def test_perfect_and_all_wrong():
    assert matthews([1, 0], [1, 0]) == 1.0
    assert matthews([0, 1], [1, 0]) == -1.0


def test_always_yes_is_worth_nothing():
    assert matthews([True] * 10, [True] * 9 + [False]) == 0.0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2))
def test_for_yes_and_no_it_is_the_correlation(pairs):
    predictions, targets = map(np.array, zip(*pairs, strict=True))
    if predictions.std() and targets.std():
        expected = np.corrcoef(predictions, targets)[0, 1]
        assert matthews(predictions, targets) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("predictions", "targets"), [([], []), ([1], [1, 0])])
def test_lists_that_do_not_fit_are_refused(predictions, targets):
    with pytest.raises(ValueError, match=f"{len(predictions)} predictions, {len(targets)} targets"):
        matthews(predictions, targets)


def test_probabilities_are_refused():
    with pytest.raises(ValueError, match=r"compare probabilities.*Received: float64"):
        matthews([0.2, 0.9], [0, 1])


def test_a_column_is_refused():
    with pytest.raises(ValueError, match=r"predictions must be.*shape \(2, 1\)"):
        matthews([[1], [0]], [1, 0])
