import numpy as np
import pytest

from rnnkit.plots import alt_text, coloured_text


def letters(figure):
    """What is written, by (line, column)."""
    return {
        (int(text.get_position()[1]), int(text.get_position()[0])): text.get_text()
        for text in figure.axes[0].texts
    }


def ground(figure):
    """The values behind the letters, (lines, columns), NaN where there is no symbol."""
    (mesh,) = figure.axes[0].collections
    return np.ma.filled(mesh.get_array(), np.nan)


def underlines(figure):
    """(line style, begin, end, line) of each line under a run of letters."""
    return {
        (line.get_linestyle(), *map(int, line.get_xdata()), int(line.get_ydata()[0]))
        for line in figure.axes[0].lines
    }


def test_each_letter_stands_in_its_line_and_column():
    figure = coloured_text("ab\n c", [0.0] * 5)
    assert letters(figure) == {(0, 0): "a", (0, 1): "b", (1, 1): "c"}


def test_each_symbol_has_its_value_behind_it():
    shown = ground(coloured_text("ab\n c", [0.1, -0.2, 0.9, 0.3, 0.4]))
    np.testing.assert_array_equal(shown[:, :3], [[0.1, -0.2, np.nan], [0.3, 0.4, np.nan]])


def test_colours_go_from_minus_one_to_one_whatever_the_values():
    (mesh,) = coloured_text("ab", [0.1, 0.2]).axes[0].collections
    assert mesh.get_clim() == (-1.0, 1.0)


def test_strong_values_are_underlined_and_dotted():
    figure = coloured_text("abcdef", [0.5, 0.9, 0.4, -0.4, -0.5, -1.0])
    assert underlines(figure) == {("-", 0, 2, 0), (":", 4, 6, 0)}


def test_a_long_line_goes_on_after_a_space():
    text = "word " * 13
    shown = letters(coloured_text(text, np.zeros(len(text))))
    assert {line for line, _ in shown} == {0, 1}
    assert [shown[1, column] for column in range(4)] == ["w", "o", "r", "d"]
    assert (0, 59) not in shown  # the space before the break stays in the first line


def test_a_long_word_is_cut():
    shown = letters(coloured_text("a" * 61, np.zeros(61)))
    assert (0, 59) in shown
    assert (1, 0) in shown


def test_an_indented_word_without_spaces_is_not_torn_from_its_indentation():
    text = "    " + "a" * 60
    assert (0, 4) in letters(coloured_text(text, np.zeros(64)))


def test_sixty_symbols_and_a_line_break_fit_into_one_line():
    text = "a" * 60 + "\nb"
    assert letters(coloured_text(text, np.zeros(62)))[1, 0] == "b"


def test_the_last_line_break_makes_no_empty_line():
    assert len(ground(coloured_text("a\n", [0.0, 0.0]))) == 1


def test_an_empty_line_stays():
    assert letters(coloured_text("a\n\nb", [0.0] * 4)) == {(0, 0): "a", (2, 0): "b"}


def test_dollars_are_no_formula():
    shown = letters(coloured_text("$x$", [0.0] * 3))
    assert "".join(shown.values()) == "$x$"
    data, _ = coloured_text("$x_$", [0.0] * 4)._repr_mimebundle_()
    assert data["image/png"]


def test_tabs_and_control_characters_are_made_visible():
    shown = letters(coloured_text("\ta\x07", [0.0] * 3))
    assert shown == {(0, 0): "\u21e5", (0, 1): "a", (0, 2): "\ufffd"}


def test_the_bar_names_the_values():
    figure = coloured_text("ab", [0.0, 0.0], name="cell 7")
    assert figure.axes[1].get_xlabel() == "cell 7"


def test_the_description_quotes_what_is_strong():
    text = "say (yes) now"
    values = [0.8 if 4 <= place <= 8 else -0.8 if place > 9 else 0.0 for place in range(13)]
    assert alt_text(coloured_text(text, values, title="Brackets")) == (
        "Brackets, 13 symbols. 0.5 and above: '(yes)'. -0.5 and below: 'now'."
    )


def test_the_description_cuts_long_quotes():
    assert "a" * 60 + "…'" in alt_text(coloured_text("a" * 70, np.ones(70)))


@pytest.mark.parametrize("values", [[0.0], [[0.0, 0.0]], []])
def test_another_number_of_values_is_refused(values):
    with pytest.raises(ValueError, match=r"\(len\(text\),\) = \(2,\).*Received: shape"):
        coloured_text("ab", values)


@pytest.mark.parametrize("wrong", [1.5, -2.0, float("nan")])
def test_values_beyond_one_are_refused(wrong):
    with pytest.raises(ValueError, match=f"numpy.tanh.*Received: {wrong:g}"):
        coloured_text("ab", [0.0, wrong])


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_text_with_nothing_to_show_is_refused(text):
    with pytest.raises(ValueError, match="something to show"):
        coloured_text(text, [0.0] * len(text))


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match=r"40 lines.*Received: 41 lines"):
        coloured_text("a\n" * 41, np.zeros(82))
