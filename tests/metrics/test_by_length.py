import math

import pytest

from rnnkit.metrics import accuracy_by_length


def test_each_range_has_its_own_accuracy():
    table = accuracy_by_length(
        ["a", "b", "x", "d"], ["a", "b", "c", "d"], [3, 8, 9, 24], [3, 9, 25]
    )
    assert table == [(3, 8, 2, 1.0), (9, 24, 2, 0.5)]


def test_an_edge_belongs_to_the_range_that_it_begins():
    table = accuracy_by_length(["a"], ["a"], [9], [3, 9, 25])
    assert [count for _, _, count, _ in table] == [0, 1]


def test_a_range_without_pairs_has_no_accuracy():
    (_, _, count, accuracy), _ = accuracy_by_length(["a"], ["a"], [9], [3, 9, 25])
    assert count == 0
    assert math.isnan(accuracy)


@pytest.mark.parametrize("edges", [[3], [3, 3], [9, 3]])
def test_edges_that_do_not_rise_are_refused(edges):
    with pytest.raises(ValueError, match="edges must be two or more rising numbers"):
        accuracy_by_length(["a"], ["a"], [5], edges)


@pytest.mark.parametrize("length", [2, 25])
def test_a_length_outside_the_edges_is_refused(length):
    with pytest.raises(ValueError, match=f"from 3 to 24.*Received: {length}"):
        accuracy_by_length(["a"], ["a"], [length], [3, 25])


def test_a_missing_length_is_refused():
    with pytest.raises(ValueError, match="1 lengths, 2 targets"):
        accuracy_by_length(["a", "b"], ["a", "b"], [3], [3, 25])
