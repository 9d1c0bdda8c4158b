import numpy as np

from rnnkit.plots import accuracy_curves, alt_text

CURVES = {"with attention": [(8, 1.0), (24, 1.0)], "without": [(8, 0.99), (24, 0.01)]}


def test_each_model_has_its_line():
    lines = accuracy_curves(CURVES).axes[0].lines
    drawn = {line.get_label(): list(map(tuple, line.get_xydata())) for line in lines}
    assert drawn == CURVES


def test_lines_differ_in_marker_and_dashes_and_not_in_colour_alone():
    first, second = accuracy_curves(CURVES).axes[0].lines
    assert first.get_marker() != second.get_marker()
    assert first.get_linestyle() != second.get_linestyle()


def test_the_axis_always_goes_from_nought_to_one():
    low, high = accuracy_curves({"a": [(1, 0.4), (2, 0.5)]}).axes[0].get_ylim()
    assert low <= 0.0
    assert high >= 1.0


def test_the_description_holds_the_numbers():
    text = alt_text(accuracy_curves(CURVES, title="Reversals"))
    assert text == ("Reversals. with attention: 1 at 8, 1 at 24. without: 0.99 at 8, 0.01 at 24.")


def test_a_range_without_pairs_leaves_a_gap():
    (line,) = accuracy_curves({"a": [(1, 0.4), (2, float("nan")), (3, 0.5)]}).axes[0].lines
    np.testing.assert_array_equal(np.isnan(line.get_ydata()), [False, True, False])
