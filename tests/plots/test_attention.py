import numpy as np
import pytest

from rnnkit.plots import alt_text, attention_map

WEIGHTS = np.array([[0.1, 0.2, 0.7], [0.8, 0.1, 0.1]])


def outline(figure):
    """The corners of the outline's lines, as sets of two points each."""
    (lines,) = figure.axes[0].collections
    return {frozenset(map(tuple, segment)) for segment in lines.get_segments()}


def test_rows_are_the_target_and_columns_the_source():
    axes = attention_map(WEIGHTS, "abc", "XY").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["X", "Y"]


def test_the_first_target_symbol_is_at_the_top():
    low, high = attention_map(WEIGHTS, "abc", "XY").axes[0].get_ylim()
    assert low > high


def test_colours_stand_for_the_weights_from_nought_to_one():
    (image,) = attention_map(WEIGHTS, "abc", "XY").axes[0].images
    np.testing.assert_array_equal(image.get_array(), WEIGHTS)
    assert image.get_clim() == (0.0, 1.0)


def test_a_space_is_made_visible():
    axes = attention_map(WEIGHTS, "a c", "XY").axes[0]
    assert axes.get_xticklabels()[1].get_text() == "\u2423"


def test_a_gold_cell_is_outlined_on_four_sides():
    gold = np.array([[False, False, False], [False, True, False]])
    assert outline(attention_map(WEIGHTS, "abc", "XY", gold=gold)) == {
        frozenset({(0.5, 0.5), (1.5, 0.5)}),
        frozenset({(0.5, 1.5), (1.5, 1.5)}),
        frozenset({(0.5, 0.5), (0.5, 1.5)}),
        frozenset({(1.5, 0.5), (1.5, 1.5)}),
    }


def test_neighbouring_gold_cells_share_one_outline():
    gold = np.array([[True, True, False], [True, True, False]])
    assert len(outline(attention_map(WEIGHTS, "abc", "XY", gold=gold))) == 8


def test_without_gold_there_is_no_outline():
    assert not attention_map(WEIGHTS, "abc", "XY").axes[0].collections


def test_the_description_tells_where_each_row_looks():
    text = alt_text(attention_map(WEIGHTS, "abc", "XY", title="A pair"))
    assert text.startswith("A pair.")
    assert "X at c (position 2, 0.70); Y at a (position 0, 0.80)" in text


def test_the_description_counts_the_rows_on_gold():
    gold = np.array([[False, False, True], [False, True, False]])
    text = alt_text(attention_map(WEIGHTS, "abc", "XY", gold=gold))
    assert "1 of 2 rows look most at a gold cell" in text


def test_padded_weights_are_refused():
    with pytest.raises(ValueError, match=r"= \(2, 2\).*cut padding.*Received: shape \(2, 3\)"):
        attention_map(WEIGHTS, "ab", "XY")


def test_gold_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"gold must have.*Received: shape \(3, 2\)"):
        attention_map(WEIGHTS, "abc", "XY", gold=WEIGHTS.T > 0)


def test_an_empty_target_is_refused():
    with pytest.raises(ValueError, match="both at least 1"):
        attention_map(np.zeros((0, 3)), "abc", "")


def test_words_that_do_not_fit_side_by_side_are_turned():
    words = ["agreement", "European", "Economic", "Area", "signed", "August"]
    wide = attention_map(np.full((1, 6), 1 / 6), words, "a").axes[0]
    narrow = attention_map(np.full((1, 6), 1 / 6), "abcdef", "a").axes[0]
    assert {label.get_rotation() for label in wide.get_xticklabels()} == {90.0}
    assert {label.get_rotation() for label in narrow.get_xticklabels()} == {0.0}


def test_the_description_puts_spaces_between_words():
    text = alt_text(attention_map(np.eye(2), ["the", "cat"], ["le", "chat"]))
    assert "Rows: le chat. Columns: the cat." in text


def test_dollars_in_symbols_are_no_formula():
    data, _ = attention_map(np.eye(2), ["$5_$", "a"], ["$x_$", "b"])._repr_mimebundle_()
    assert data["image/png"]
