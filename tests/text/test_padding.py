import numpy as np
import pytest

from rnnkit.text import pad


def test_rows_are_filled_up_on_the_right():
    ids, mask = pad([[7, 8], [], [9]])
    np.testing.assert_array_equal(ids, [[7, 8], [0, 0], [9, 0]])
    np.testing.assert_array_equal(mask, [[1, 1], [0, 0], [1, 0]])


def test_ids_are_int32_and_masks_are_bool():
    ids, mask = pad([np.array([7], "int64")])
    assert (ids.dtype, mask.dtype) == (np.int32, np.bool_)


def test_a_zero_inside_a_row_is_a_real_position():
    _, mask = pad([[0, 1], [2]])
    np.testing.assert_array_equal(mask, [[1, 1], [1, 0]])


def test_a_given_length_and_another_filling():
    ids, mask = pad([[7]], length=3, pad_id=-1)
    assert ids.tolist() == [[7, -1, -1]]
    assert mask.sum() == 1


def test_no_rows_give_empty_arrays():
    for rows in ([], [[]]):
        ids, mask = pad(rows)
        assert ids.shape == mask.shape == (len(rows), 0)


def test_ragged_tensors_are_taken():
    tensorflow = pytest.importorskip("tensorflow")
    ids, mask = pad(tensorflow.ragged.constant([[7, 8], [], [9]]))
    assert ids.tolist() == [[7, 8], [0, 0], [9, 0]]
    assert mask.sum() == 3


def test_a_row_that_does_not_fit_is_named():
    with pytest.raises(ValueError, match=r"at least 3.*length=2, and row 1 has 3 ids"):
        pad([[1], [1, 2, 3]], length=2)


@pytest.mark.parametrize("rows", [[[0.5]], ["ab"], [1, 2], [[[1]]]])
def test_what_is_no_list_of_whole_numbers_is_refused(rows):
    with pytest.raises(ValueError, match="each row must be a list of whole numbers"):
        pad(rows)
