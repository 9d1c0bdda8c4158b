import numpy as np
import pytest

from rnnkit.plots import alt_text, gradient_norms


def drawn(figure):
    return {line.get_label(): line for line in figure.axes[0].lines}


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


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
    assert legend(gradient_norms({"RNN": [1.0, 0.0]})) == ["RNN", "exactly 0"]
    assert legend(gradient_norms({"RNN": [1.0, 0.5]})) == ["RNN"]


def test_norms_that_are_all_nought_are_drawn():
    data, _ = gradient_norms({"RNN": [0.0, 0.0]})._repr_mimebundle_()
    assert data["image/png"]


def test_the_description_holds_the_norms():
    text = alt_text(gradient_norms({"RNN": [1.0, 0.5, 0.0001]}))
    assert "RNN: 1 at 1, 0.5 at 2, 0.0001 at 3." in text


def test_norms_can_have_distances_of_their_own():
    line = drawn(gradient_norms({"RNN": np.array([1.0, 0.1])}, distances=np.array([3, 7])))["RNN"]
    assert line.get_xdata().tolist() == [3.0, 7.0]


def test_a_norm_too_many_is_refused():
    with pytest.raises(ValueError, match="Received: 2 distances, 3 norms for 'RNN'"):
        gradient_norms({"RNN": [1.0, 0.1, 0.1]}, distances=[1, 2])


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_what_is_no_norm_is_refused(wrong):
    with pytest.raises(ValueError, match=f"Received: {wrong} for 'RNN'"):
        gradient_norms({"RNN": [1.0, wrong]})
