import pytest

from rnnkit.plots import alt_text, gradient_norms


def drawn(figure):
    return {line.get_label(): line for line in figure.axes[0].lines}


def test_the_first_norm_is_at_distance_one():
    line = drawn(gradient_norms({"RNN": [1.0, 0.1]}))["RNN"]
    assert line.get_xydata().tolist() == [[1.0, 1.0], [2.0, 0.1]]


def test_the_scale_is_logarithmic():
    assert gradient_norms({"RNN": [1.0, 0.1]}).axes[0].get_yscale() == "log"


def test_norms_of_nought_are_drawn_below_all_others():
    figure = gradient_norms({"RNN": [1.0, 0.1, 0.0]})
    crosses = [
        line for line in figure.axes[0].lines if line.get_marker() == "x" and len(line.get_xdata())
    ]
    assert [line.get_xydata().tolist() for line in crosses] == [[[3.0, pytest.approx(0.01)]]]


def test_the_legend_explains_crosses_where_there_are_some():
    assert "exactly 0" in drawn(gradient_norms({"RNN": [1.0, 0.0]}))
    assert "exactly 0" not in drawn(gradient_norms({"RNN": [1.0, 0.5]}))


def test_norms_that_are_all_nought_are_drawn():
    data, _ = gradient_norms({"RNN": [0.0, 0.0]})._repr_mimebundle_()
    assert data["image/png"]


def test_the_description_holds_the_first_and_the_last_norm():
    text = alt_text(gradient_norms({"RNN": [1.0, 0.5, 0.001]}))
    assert "RNN: 1.0e+00 at distance 1, 1.0e-03 at distance 3." in text


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_what_is_no_norm_is_refused(wrong):
    with pytest.raises(ValueError, match=f"Received: {wrong} for 'RNN'"):
        gradient_norms({"RNN": [1.0, wrong]})
