import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays

from rnnkit.metrics import alignment_error_rate

SURE = np.array([[1, 0, 0], [0, 1, 0]], bool)
POSSIBLE = np.array([[1, 0, 0], [0, 1, 1]], bool)
NOTHING = np.zeros((2, 3), bool)


def test_the_sure_links_alone_are_perfect():
    assert alignment_error_rate(SURE, SURE, POSSIBLE) == 0.0


def test_possible_links_cost_nothing():
    assert alignment_error_rate(POSSIBLE, SURE, POSSIBLE) == 0.0


def test_a_number_counted_by_hand():
    predicted = np.array([[1, 0, 0], [1, 0, 1]], bool)
    # |A|=3, |S|=2, |A and S|=1, |A and P|=2
    assert alignment_error_rate(predicted, SURE, POSSIBLE) == pytest.approx(1 - 3 / 5)


def test_links_that_are_all_wrong_cost_everything():
    predicted = np.array([[0, 1, 1], [1, 0, 0]], bool)
    assert alignment_error_rate(predicted, SURE, POSSIBLE) == 1.0


def test_no_predicted_links_cost_everything_when_some_are_sure():
    assert alignment_error_rate(NOTHING, SURE, POSSIBLE) == 1.0


def test_no_predicted_and_no_sure_links_cost_nothing():
    assert alignment_error_rate(NOTHING, NOTHING, POSSIBLE) == 0.0


def test_no_pairs_cost_nothing():
    assert alignment_error_rate([], [], []) == 0.0


def test_several_pairs_add_up_their_counts_first():
    small = np.array([[True]])
    wrong = ~POSSIBLE
    # 2 of 2 in the small pair; 0 of 3 + 2 in the other.
    rate = alignment_error_rate([small, wrong], [small, SURE], [small, POSSIBLE])
    assert rate == pytest.approx(1 - 2 / 7)


def test_a_stack_of_pairs_counts_like_a_list():
    stacked = alignment_error_rate(
        np.stack([SURE, ~SURE]), np.stack([SURE, SURE]), np.stack([POSSIBLE, POSSIBLE])
    )
    assert stacked == alignment_error_rate([SURE, ~SURE], [SURE, SURE], [POSSIBLE, POSSIBLE])


def test_a_pair_may_be_written_as_a_list_of_rows():
    rate = alignment_error_rate([[True, False]], [[True, False]], [[True, True]])
    assert rate == 0.0


@given(arrays(bool, (3, 4)), arrays(bool, (3, 4)), arrays(bool, (3, 4)))
def test_the_rate_lies_between_nought_and_one(predicted, sure, more):
    assert 0.0 <= alignment_error_rate(predicted, sure, sure | more) <= 1.0


def test_a_sure_link_that_is_not_possible_is_refused():
    with pytest.raises(ValueError, match="pair 0 with 1 sure links that are not"):
        alignment_error_rate(SURE, POSSIBLE, SURE)


def test_shapes_that_differ_are_refused():
    with pytest.raises(ValueError, match=r"pair 0 with predicted \(3, 2\)"):
        alignment_error_rate(SURE.T, SURE, POSSIBLE)


def test_weights_are_refused():
    with pytest.raises(ValueError, match=r"use links_from_weights.*predicted float64"):
        alignment_error_rate(SURE * 0.5, SURE, POSSIBLE)


def test_another_number_of_pairs_is_refused():
    with pytest.raises(ValueError, match="Received: 1, 2, 2 pairs"):
        alignment_error_rate([SURE], [SURE, SURE], [POSSIBLE, POSSIBLE])
