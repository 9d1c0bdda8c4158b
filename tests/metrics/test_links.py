import numpy as np
import pytest

from rnnkit.metrics import links_from_weights


def test_each_row_links_its_strongest_position():
    links = links_from_weights([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]])
    np.testing.assert_array_equal(links, [[0, 1, 0], [1, 0, 0]])
    assert links.dtype == bool


def test_padding_is_never_linked_even_when_it_is_strongest():
    links = links_from_weights([[0.1, 0.2, 0.7]], [True, True, False])
    np.testing.assert_array_equal(links, [[0, 1, 0]])


def test_a_row_of_zeros_links_a_real_position():
    links = links_from_weights([[0.0, 0.0]], [False, True])
    np.testing.assert_array_equal(links, [[0, 1]])


def test_of_equal_weights_the_first_wins():
    np.testing.assert_array_equal(links_from_weights([[0.5, 0.5]]), [[1, 0]])


def test_a_batch_is_linked_pair_by_pair():
    weights = np.array([[[0.4, 0.6]], [[0.4, 0.6]]])
    mask = np.array([[True, True], [True, False]])
    np.testing.assert_array_equal(links_from_weights(weights, mask), [[[0, 1]], [[1, 0]]])


def test_a_mask_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"shape \(2,\). Received: bool, shape \(3,\)"):
        links_from_weights([[0.5, 0.5]], [True, True, False])


def test_a_mask_of_numbers_is_refused():
    with pytest.raises(ValueError, match=r"must be bool.*Received: int64"):
        links_from_weights([[0.5, 0.5]], np.array([1, 0], "int64"))


def test_a_source_without_real_positions_is_refused():
    with pytest.raises(ValueError, match="padding alone"):
        links_from_weights([[0.5, 0.5]], [False, False])


def test_nan_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        links_from_weights([[np.nan, 0.5]])


@pytest.mark.parametrize("shape", [(3,), (3, 0)])
def test_a_wrong_shape_is_refused(shape):
    with pytest.raises(ValueError, match=r"Received: shape \(3,"):
        links_from_weights(np.zeros(shape))
