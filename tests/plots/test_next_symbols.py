import pytest

from rnnkit.plots import alt_text, next_symbols

SHARP = [0.1, 0.6, 0.3, 0.0]
FLAT = [0.2, 0.4, 0.3, 0.1]


def labels(figure):
    return [label.get_text() for label in figure.axes[-1].get_xticklabels()]


def heights(axes):
    return [bar.get_height() for bar in axes.patches]


def test_symbols_stand_in_the_order_of_the_first_setting():
    figure = next_symbols({"flat": FLAT, "sharp": SHARP}, "abcd", count=3)
    assert labels(figure) == ["b", "c", "a"]
    assert heights(figure.axes[0]) == [0.4, 0.3, 0.2]
    assert heights(figure.axes[1]) == [0.6, 0.3, 0.1]


def test_symbols_can_stay_in_their_own_order():
    figure = next_symbols({"sharp": SHARP}, "abcd", count=3, sort=False)
    assert labels(figure) == ["a", "b", "c"]
    assert heights(figure.axes[0]) == [0.1, 0.6, 0.3]


def test_white_space_is_shown_by_signs():
    assert labels(next_symbols({"flat": FLAT}, [" ", "\n", "if", "$"])) == ["↵", "if", "␣", "$"]


def test_what_can_never_be_chosen_is_crossed_out():
    figure = next_symbols({"sharp": SHARP}, "abcd")
    (cross,) = figure.axes[0].lines
    assert (cross.get_marker(), list(cross.get_xdata())) == ("x", [3])


def test_numbers_stand_above_bars_that_can_be_seen():
    axes = next_symbols({"sharp": [0.003, 0.997]}, "ab").axes[0]
    assert [text.get_text() for text in axes.texts] == ["1.00"]


def test_the_description_tells_five_symbols_and_the_rest():
    row = [0.3, 0.2, 0.15, 0.1, 0.1, 0.1, 0.05]
    text = alt_text(next_symbols({"all": row}, "abcdefg", title="After 'x'"))
    assert text == "After 'x'. all: a 0.30, b 0.20, c 0.15, d 0.10, e 0.10, 2 others 0.15."


@pytest.mark.parametrize(
    ("settings", "count", "message"),
    [
        ({}, 10, "1 to 5.*Received: 0"),
        ({str(number): FLAT for number in range(6)}, 10, "1 to 5.*Received: 6"),
        ({"flat": FLAT}, 17, "count must be 1 to 16.*Received: 17"),
        ({"flat": FLAT[:3]}, 10, r"each of the 4 symbols.*shape \(3,\) for 'flat'"),
        ({"logits": [3.0, 1.0, 0.0, 0.0]}, 10, "sum to 1.*a sum of 4 for 'logits'"),
        ({"flat": [1.5, -0.5, 0.0, 0.0]}, 10, "0 or more"),
    ],
)
def test_what_cannot_be_drawn_is_refused(settings, count, message):
    with pytest.raises(ValueError, match=message):
        next_symbols(settings, "abcd", count=count)
