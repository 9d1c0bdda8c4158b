import numpy as np
import pytest

from rnnkit.metrics import rank_cells


def walks(rng, time, cells):
    """Smooth noise, as the cells of a network are."""
    return np.tanh(rng.normal(size=(time, cells)).cumsum(axis=0) * 0.1)


@pytest.fixture
def text():
    """A property that holds in stretches, and 64 cells that know nothing of it."""
    rng = np.random.default_rng(0)
    inside = np.repeat(rng.random(80) < 0.4, 25)
    return inside, walks(rng, len(inside), 64), rng


def test_the_cell_that_follows_the_property_comes_first(text):
    inside, states, rng = text
    states[:, 17] = np.where(inside, 0.8, -0.1) + 0.3 * rng.normal(size=len(inside))
    best = rank_cells(states, inside)[0]
    assert (best.cell, best.sign) == (17, 1)
    assert best.score > 0.95


def test_a_cell_that_falls_with_the_property_has_a_negative_sign(text):
    inside, states, _ = text
    states[:, 5] = np.where(inside, -0.5, 0.5)
    best = rank_cells(states, inside, count=1)
    assert best == [(5, 1.0, 1.0, -1)]


def test_the_best_cell_by_chance_loses_on_the_other_half(text):
    inside, states, _ = text
    best = rank_cells(states, inside)[:8]
    assert np.mean([each.found for each in best]) > 0.6
    assert np.mean([each.score for each in best]) < 0.55


def test_a_yes_or_no_is_scored_by_pairs_of_places():
    # Of the 2 x 2 pairs in each half, 3 are in the right order.
    inside = np.array([True, False, True, False] * 2)
    cell = np.array([4.0, 1.0, 2.0, 3.0] * 2)[:, None]
    assert rank_cells(cell, inside) == [(0, 0.75, 0.75, 1)]


def test_numbers_are_scored_by_the_correlation():
    place = np.tile(np.arange(10), 8)
    rng = np.random.default_rng(1)
    states = np.stack([rng.normal(size=80), 3 - 0.1 * place + 0.2 * rng.normal(size=80)], axis=1)
    best = rank_cells(states, place)[0]
    expected = -np.corrcoef(states[40:, 1], place[40:])[0, 1]
    assert (best.cell, best.sign) == (1, -1)
    assert best.score == pytest.approx(expected)


def test_a_cell_that_never_changes_is_worth_chance():
    values = np.arange(8) % 3
    assert rank_cells(np.ones((8, 1)), values) == [(0, 0.0, 0.0, 1)]
    assert rank_cells(np.ones((8, 1)), values == 1) == [(0, 0.5, 0.5, 1)]


def test_the_count_limits_the_table(text):
    inside, states, _ = text
    assert rank_cells(states, inside, count=3) == rank_cells(states, inside)[:3]


@pytest.mark.parametrize(
    ("states", "values"),
    [
        (np.zeros((4, 2)), np.zeros(3)),
        (np.zeros(4), np.zeros(4)),
        (np.zeros((4, 0)), np.zeros(4)),
        (np.zeros((2, 4, 2)), np.zeros(2)),
    ],
)
def test_shapes_that_do_not_fit_are_refused(states, values):
    with pytest.raises(ValueError, match=r"\(time, cells\).*Received: states \("):
        rank_cells(states, values)


def test_what_is_no_number_is_refused():
    good = np.array([0, 1, 0, 1])
    with pytest.raises(ValueError, match="values must be bool or finite numbers"):
        rank_cells(np.zeros((4, 1)), np.array(["a", "b", "a", "b"]))
    with pytest.raises(ValueError, match="states must be finite numbers"):
        rank_cells(np.full((4, 1), np.nan), good)


def test_a_property_that_never_changes_in_a_half_is_refused():
    with pytest.raises(ValueError, match="alike in the second half, 2 symbols"):
        rank_cells(np.zeros((4, 1)), np.array([True, False, True, True]))


def test_a_count_of_nought_is_refused():
    with pytest.raises(ValueError, match="count must be at least 1"):
        rank_cells(np.zeros((4, 1)), np.array([True, False, True, False]), count=0)
