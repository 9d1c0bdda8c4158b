"""What is timed, and how; no test asserts on a real time."""

import pytest

from rnnkit.experiments import time_per_step
from rnnkit.experiments.time_per_step import median_seconds
from rnnkit.plots import curves


@pytest.fixture(scope="module")
def measured():
    return time_per_step(lengths=(2, 3), widths=(4, 8, 6), length=2, width=4, batch=1, repeats=2)


class Clock:
    """A clock that goes on when a call says so."""

    def __init__(self):
        self.now = 0.0

    def lasting(self, *seconds):
        left = list(seconds)

        def call():
            self.now += left.pop(0)

        return call

    def __call__(self):
        return self.now


def test_the_median_is_taken_and_the_first_call_left_out():
    clock = Clock()
    calls = {"a": clock.lasting(100.0, 3.0, 1.0, 2.0), "b": clock.lasting(0.0, 7.0, 7.0, 50.0)}
    assert median_seconds(calls, repeats=3, clock=clock) == {"a": 2.0, "b": 7.0}


def test_all_are_measured_in_turn():
    order = []
    calls = {name: lambda name=name: order.append(name) for name in "ab"}
    median_seconds(calls, repeats=2)
    assert order == ["a", "b", "a", "b", "a", "b"]


def test_each_length_and_width_is_measured(measured):
    names = ["Elman", "LSTM", "no recurrence"]
    assert list(measured.series()) == list(measured.series_by_width()) == names
    for name in names:
        assert [x for x, _ in measured.series()[name]] == [2, 3]
        assert [x for x, _ in measured.series_by_width()[name]] == [4, 8, 6]


def test_what_both_have_in_common_is_measured_once(measured):
    assert measured.series()["LSTM"][0][1] == measured.series_by_width()["LSTM"][0][1]


def test_the_results_can_be_drawn(measured):
    assert curves(measured.series(), "length (steps)", "milliseconds")
    assert curves(measured.series_by_width(), "width (units)", "milliseconds", log_x=True)


@pytest.mark.parametrize("settings", [{"lengths": ()}, {"widths": (0,)}, {"repeats": 0}])
def test_numbers_must_be_at_least_one(settings):
    with pytest.raises(ValueError, match="at least 1"):
        time_per_step(**settings)
