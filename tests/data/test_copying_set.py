import numpy as np
import pytest

from rnnkit.data import copying


def test_the_symbols_come_first_and_are_said_last():
    data = copying(50, delay=7, length=3, symbols=4, seed=1)
    assert (data.targets[:, -3:] == data.inputs[:, :3]).all()


def test_time_is_the_delay_and_twice_the_length():
    assert copying(2, delay=7, length=3).inputs.shape == (2, 13)


def test_a_symbol_is_said_length_and_delay_steps_after_it_came():
    data = copying(1, delay=100, length=1)
    assert data.mask[0].nonzero()[0].tolist() == [101]


def test_now_comes_one_step_before_the_copy():
    data = copying(5, delay=4, length=2, symbols=6)
    assert (data.inputs == 8).sum(axis=1).tolist() == [1] * 5
    assert (data.inputs[:, 5] == 8).all()
    assert not data.mask[:, 5].any()
    assert data.mask[:, 6].all()


def test_all_else_is_blank():
    data = copying(5, delay=4, length=2, symbols=6)
    assert (data.inputs[:, 2:5] == 7).all()
    assert (data.inputs[:, 6:] == 7).all()
    assert (data.targets[~data.mask] == 7).all()


def test_symbols_are_equally_frequent_so_that_chance_is_one_in_symbols():
    data = copying(5000, length=2, symbols=4, seed=2)
    shares = np.bincount(data.targets[data.mask])[1:5] / 10_000
    assert shares == pytest.approx([0.25] * 4, abs=0.02)


def test_the_symbols_of_a_sequence_are_independent():
    data = copying(5000, length=2, symbols=4, seed=2)
    same = (data.inputs[:, 0] == data.inputs[:, 1]).mean()
    assert same == pytest.approx(0.25, abs=0.03)


def test_ids_are_int32_below_the_size_of_the_vocabulary_and_leave_0_to_padding():
    data = copying(500, symbols=5)
    assert data.inputs.dtype == data.targets.dtype == np.int32
    assert data.inputs.max() == data.vocabulary_size - 1
    assert min(data.inputs.min(), data.targets.min()) == 1


def test_a_delay_of_one_step_is_possible():
    assert copying(1, delay=1, length=1, symbols=2).inputs[0, 1:].tolist() == [4, 3]


@pytest.mark.parametrize("setting", [{"delay": 0}, {"length": 0}, {"symbols": 1}])
def test_settings_that_leave_nothing_to_copy_are_refused(setting):
    name, value = next(iter(setting.items()))
    with pytest.raises(ValueError, match=f"Received: .*{name}={value}"):
        copying(1, **setting)
