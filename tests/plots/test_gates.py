import numpy as np
import pytest

from rnnkit.plots import alt_text, gates_over_time

GATE = np.array([[0.9, 0.7], [0.1, 0.3], [0.5, 0.5]])  # (time, units)


def maps(figure):
    return [axes for axes in figure.axes if axes.images and axes.get_xlabel()]


def test_columns_are_steps_and_rows_are_units():
    (axes,) = maps(gates_over_time({"forget gate": GATE}, "abc"))
    np.testing.assert_array_equal(axes.images[0].get_array(), GATE.T)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c"]
    assert axes.get_ylabel() == "unit"


def test_colours_stand_for_nought_to_one_in_each_map():
    axes = maps(gates_over_time({"input": GATE, "forget": GATE / 10}, "abc"))
    assert [each.images[0].get_clim() for each in axes] == [(0.0, 1.0), (0.0, 1.0)]


def test_each_gate_has_its_map_under_its_name():
    axes = maps(gates_over_time({"input gate": GATE, "forget gate": GATE}, "abc"))
    assert [each.get_xlabel() for each in axes] == ["input gate", "forget gate"]


def test_few_values_are_written_out():
    (axes,) = maps(gates_over_time({"gate": GATE}, "abc"))
    assert [text.get_text() for text in axes.texts] == [
        "0.90",
        "0.10",
        "0.50",
        "0.70",
        "0.30",
        "0.50",
    ]


def test_many_values_are_not_written_out():
    (axes,) = maps(gates_over_time({"gate": np.ones((3, 6))}, "abc"))
    assert not axes.texts


def test_the_description_tells_where_a_gate_opens_and_closes():
    assert alt_text(gates_over_time({"forget gate": GATE}, "a c", title="Two units")) == (
        "Two units: a\u2423c. forget gate: mean 0.50 over 2 units and 3 steps, "
        "highest at a (0.80), lowest at \u2423 (0.20)."
    )


@pytest.mark.parametrize(
    ("gates", "symbols", "message"),
    [
        ({}, "abc", r"1 to 4 gates. Received: 0"),
        ({str(n): GATE for n in range(5)}, "abc", r"1 to 4 gates. Received: 5"),
        ({"g": GATE.T}, "abc", r"\(3, units\). Received: shape \(2, 3\) for 'g'"),
        ({"g": GATE[:, 0]}, "abc", r"Received: shape \(3,\)"),
        ({"g": GATE - 0.5}, "abc", r"from 0 to 1. Received: -0.4 for 'g'"),
        ({"g": GATE * np.nan}, "abc", r"from 0 to 1. Received: nan for 'g'"),
        ({"g": GATE[:0]}, "", r"1 to 50. Received: 0 symbols"),
        ({"g": np.ones((51, 1))}, "a" * 51, r"1 to 50. Received: 51 symbols"),
    ],
)
def test_what_cannot_be_drawn_is_refused(gates, symbols, message):
    with pytest.raises(ValueError, match=message):
        gates_over_time(gates, symbols)
