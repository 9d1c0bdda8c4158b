import numpy as np
import pytest

from rnnkit.plots import alt_text, curves

NAN = float("nan")


def draw(series, **settings):
    return curves(series, "length (symbols)", "time (ms)", **settings)


def named(axes):
    return {line.get_label(): line for line in axes.lines}


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def band(axes):
    """The corners of the only band."""
    (area,) = axes.collections
    return set(map(tuple, area.get_paths()[0].vertices))


def test_both_axes_are_labelled():
    axes = draw({"a": [(1, 2)]}).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("length (symbols)", "time (ms)")


def test_points_stand_in_the_order_of_x():
    line = named(draw({"a": [(3, 0.3), (1, 0.1)]}).axes[0])["a"]
    assert line.get_xydata().tolist() == [[1.0, 0.1], [3.0, 0.3]]


def test_over_seeds_the_line_goes_through_the_median():
    line = named(draw({"a": [(1, [5, 1, 2]), (2, [3, 4, 9])]}).axes[0])["a"]
    assert line.get_ydata().tolist() == [2.0, 4.0]


def test_over_seeds_the_band_goes_from_the_smallest_to_the_largest():
    corners = band(draw({"a": [(1, [5, 1, 2]), (2, [3, 4, 9])]}).axes[0])
    assert {(1.0, 1.0), (1.0, 5.0), (2.0, 3.0), (2.0, 9.0)} == corners


def test_the_legend_says_what_the_band_is():
    assert legend(draw({"a": [(1, [5, 1, 2])]})) == ["a", "smallest to largest of 3 seeds"]


def test_one_seed_has_no_band():
    assert not draw({"a": [(1, 5), (2, [6])]}).axes[0].collections


def test_a_seed_without_a_number_is_left_out():
    line = named(draw({"a": [(1, [NAN, 1, 3])]}).axes[0])["a"]
    assert line.get_ydata().tolist() == [2.0]


def test_a_point_without_a_number_leaves_a_gap():
    line = named(draw({"a": [(1, 1), (2, NAN), (3, 3)]}).axes[0])["a"]
    np.testing.assert_array_equal(np.isnan(line.get_ydata()), [False, True, False])


def test_chance_is_a_line_that_the_legend_names():
    figure = draw({"a": [(1, 0.9)]}, chance=0.5)
    assert legend(figure) == ["a", "chance (0.5)"]
    assert any(list(line.get_ydata()) == [0.5, 0.5] for line in figure.axes[0].lines)


def test_panels_share_their_axes():
    figure = draw({"one": {"a": [(1, 1), (9, 2)]}, "two": {"a": [(1, 50), (3, 60)]}})
    first, second = figure.axes
    assert [axes.get_title() for axes in figure.axes] == ["one", "two"]
    assert first.get_ylim() == second.get_ylim()
    assert first.get_xlim() == second.get_xlim()


def test_a_curve_looks_alike_in_each_panel():
    figure = draw({"one": {"a": [(1, 1)], "b": [(1, 1)]}, "two": {"b": [(1, 1)]}})
    first, second = (named(axes)["b"] for axes in figure.axes)
    assert first.get_color() == second.get_color()
    assert legend(figure) == ["a", "b"]


def test_lines_differ_in_marker_and_dashes_and_not_in_colour_alone():
    lines = draw({str(number): [(1, 1)] for number in range(5)}).axes[0].lines
    assert len({line.get_marker() for line in lines}) == 5


def test_lengths_on_a_logarithmic_axis_are_written_out():
    axes = draw({"a": [(8, 1), (16, 2), (512, 3)]}, log_x=True).axes[0]
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["8", "16", "512"]


def test_noughts_on_a_logarithmic_axis_are_crosses_below_all_panels():
    series = {"one": {"a": [(1, 1.0), (2, 0.0)]}, "two": {"a": [(1, 0.01), (2, 0.02)]}}
    figure = draw(series, log_y=True)
    (cross,) = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
    assert cross.get_xydata().tolist() == [[2.0, pytest.approx(0.001)]]
    assert "exactly 0" in legend(figure)


def test_noughts_of_all_seeds_are_drawn():
    data, _ = draw({"a": [(1, [0.0, 0.0]), (2, [0.0, 1.0])]}, log_y=True)._repr_mimebundle_()
    assert data["image/png"]


def test_the_limits_of_y_can_be_given():
    assert draw({"a": [(1, 0.5)]}, y_limits=(0, 1)).axes[0].get_ylim() == (0.0, 1.0)


def test_the_description_tells_panels_spread_and_chance():
    series = {"one": {"a": [(1, [1, 3])]}, "two": {"a": [(2, NAN)]}}
    assert alt_text(draw(series, title="Both", chance=0.5)) == (
        "Both. one: a: 2 (1 to 3 over 2 seeds) at 1. two: a: no value at 2. Chance: 0.5."
    )


def test_the_description_of_many_points_tells_the_first_the_middle_and_the_last():
    text = alt_text(draw({"a": [(x, x) for x in range(101)]}))
    assert "a: 0 at 0, 50 at 50, 100 at 100." in text


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ({}, r"1 to 5 lines. Received: 0"),
        ({"a": []}, r"none for 'a'"),
        ({"one": {}}, r"1 to 5 lines. Received: 0"),
        ({"one": {"a": [(1, 1)]}, "b": [(1, 1)]}, r"Received: both"),
        ({str(n): {"a": [(1, 1)]} for n in range(4)}, r"1 to 3 panels. Received: 4"),
        ({str(n): {f"{n}{m}": [(1, 1)] for m in range(3)} for n in range(2)}, r"Received: 6"),
        ({"a": [(1, float("inf"))]}, r"finite. Received: \(1, inf\) for 'a'"),
        ({"a": [(NAN, 1)]}, r"finite. Received: \(nan, 1\) for 'a'"),
        ({"a": [(1, [])]}, r"finite. Received: \(1, \[\]\) for 'a'"),
        ({"a": [(1, -2)]}, r"0 or more with log_y. Received: -2 for 'a'"),
        ({"a": [(0, 2)]}, r"above 0 with log_x. Received: 0 for 'a'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(series, message):
    with pytest.raises(ValueError, match=message):
        draw(series, log_x=True, log_y=True)
