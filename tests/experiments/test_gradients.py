"""Gradients by distance, measured on nets as they begin."""

import numpy as np
import pytest

from rnnkit.experiments import GradientsResult, gradients
from rnnkit.plots import curves


@pytest.fixture(scope="module")
def measured():
    return gradients(seeds=(0, 1), steps=8, forget_biases=(0, 5))


def test_each_curve_begins_with_the_gradient_of_the_cost_itself(measured):
    for nets in (*measured.elman.values(), *measured.hidden["small inputs"].values()):
        for norms in nets.values():
            assert norms.shape == (2, 9)
            np.testing.assert_allclose(norms[:, 0], 1.0, rtol=1e-5)


def test_small_recurrent_weights_make_gradients_vanish(measured):
    norms = measured.elman["small inputs"]["Gaussian, radius 0.5"]
    assert (norms[:, -1] < 0.05).all()


def test_large_recurrent_weights_make_gradients_grow_where_inputs_are_small(measured):
    norms = measured.elman["small inputs"]["Gaussian, radius 2"]
    assert (norms[:, -1] > 1).all()


def test_a_forget_gate_near_one_keeps_the_gradient_of_the_memory(measured):
    of_memory = measured.memory["small inputs"]["orthogonal"]
    kept, lost = of_memory["LSTM, forget bias 5"], of_memory["LSTM, forget bias 0"]
    assert (kept[:, -1] > 0.5 * kept[:, 1]).all()
    assert (lost[:, -1] < 0.1 * lost[:, 1]).all()


def test_the_same_seed_gives_the_same_norms(measured):
    again = gradients(seeds=(1,), steps=8, forget_biases=(5,))
    for inputs, nets in again.elman.items():
        for name, norms in nets.items():
            np.testing.assert_array_equal(norms[0], measured.elman[inputs][name][1])


def test_another_seed_gives_other_norms(measured):
    norms = measured.elman["small inputs"]["Gaussian, radius 1"]
    assert not np.allclose(norms[0], norms[1])


def test_points_have_one_number_a_seed_at_each_distance():
    norms = {"a": np.array([[1.0, 0.5], [1.0, 0.25]])}
    result = GradientsResult({"panel": norms}, {}, {})
    assert result.series() == {"panel": {"a": [(0, [1.0, 1.0]), (1, [0.5, 0.25])]}}


def test_elman_stands_beside_the_lstm(measured):
    panels = measured.by_forget_bias("c")
    assert list(panels) == ["U orthogonal", "U Gaussian, radius 1"]
    for lines in panels.values():
        assert list(lines) == ["LSTM, forget bias 0", "LSTM, forget bias 5", "Elman, orthogonal"]


def test_the_memory_has_no_part_in_the_cost_of_its_own_step(measured):
    (line, *_) = measured.by_forget_bias("c")["U orthogonal"].values()
    assert [distance for distance, _ in line] == list(range(1, 9))


def test_the_results_can_be_drawn(measured):
    for series in (measured.series(), measured.by_forget_bias("h"), measured.by_forget_bias("c")):
        assert curves(series, "distance (steps)", "norm", log_y=True)


def test_fast_takes_fewer_steps(monkeypatch):
    monkeypatch.setitem(gradients.__globals__, "LSTM_RECURRENCES", {})
    result = gradients(seeds=(0,), fast=True)
    assert result.elman["small inputs"]["orthogonal"].shape == (1, 21)


def test_at_least_one_step_is_needed():
    with pytest.raises(ValueError, match="steps >= 1"):
        gradients(steps=0)


def test_seeds_are_needed():
    with pytest.raises(ValueError, match="seeds"):
        gradients(seeds=())
