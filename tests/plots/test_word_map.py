import numpy as np
import pytest

from rnnkit.plots import alt_text, word_map

RIVER = [[0.0, 1.0, 0.0], [0.1, 1.0, 0.0], [0.0, 1.1, 0.1]]
MONEY = [[1.0, 0.0, 0.0], [1.0, 0.1, 0.0]]


def points(axes):
    return [np.column_stack(line.get_data()) for line in axes.lines]


def test_each_group_has_a_point_for_each_vector():
    figure = word_map({"layer 1": {"river": RIVER, "money": MONEY}})
    assert [len(each) for each in points(figure.axes[0])] == [3, 2]


def test_distances_stay_where_a_plane_holds_them():
    river, money = points(
        word_map({"a": {"river": [[3, 0, 0], [0, 4, 0]], "money": [[0, 0, 0]]}}).axes[0]
    )
    assert np.linalg.norm(river[0] - river[1]) == pytest.approx(5)
    assert np.linalg.norm(river[0] - money[0]) == pytest.approx(3)


def test_equal_vectors_lie_on_each_other_in_spite_of_rounding():
    equal = np.ones((4, 8)) + 1e-7 * np.arange(32).reshape(4, 8) / 32
    [drawn] = points(word_map({"static": {"bank": equal}}).axes[0])
    assert np.ptp(drawn, axis=0).max() == 0


def test_groups_differ_in_marker():
    one, two = word_map({"a": {"river": RIVER, "money": MONEY}}).axes[0].lines
    assert one.get_marker() != two.get_marker()


def test_each_panel_has_its_name():
    figure = word_map({"layer 0": {"x": RIVER}, "layer 1": {"x": MONEY}})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["layer 0", "layer 1"]


def test_the_description_tells_whether_like_lies_with_like():
    mixed = {"river": [[0.0, 1.0], [1.0, 0.0]], "money": [[0.0, 1.1], [1.1, 0.0]]}
    equal = {"river": [[1.0, 2.0]], "money": [[1.0, 2.0]]}
    assert alt_text(word_map({"static": equal, "layer 1": mixed}, title="bank")) == (
        "bank. static: all 2 vectors are the same. layer 1: of 4 vectors, 0 have a nearest one of "
        "their own group (river 0 of 2, money 0 of 2)."
    )


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ({}, "1 to 3 panels. Received: 0"),
        ({"a": {}}, "1 to 5 lines. Received: 0"),
        ({"a": {"x": RIVER}, "b": {"y": RIVER}}, r"groups \['x'\]. Received: \['y'\] in 'b'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(vectors, message):
    with pytest.raises(ValueError, match=message):
        word_map(vectors)
