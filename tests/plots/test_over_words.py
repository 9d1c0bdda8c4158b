import math

import pytest

from rnnkit.plots import alt_text, over_words

WORDS = ["the", "bank", "lends"]


def test_a_number_stands_above_each_word():
    axes = over_words({"both": [0.5, 0.6, 0.9]}, WORDS, "p").axes[0]
    assert list(axes.lines[0].get_ydata()) == [0.5, 0.6, 0.9]
    assert [label.get_text() for label in axes.get_xticklabels()] == WORDS


def test_lines_differ_in_marker_and_dashes():
    one, two = over_words({"a": [1, 2, 3], "b": [3, 2, 1]}, WORDS, "p").axes[0].lines
    assert one.get_marker() != two.get_marker()
    assert one.get_linestyle() != two.get_linestyle()


@pytest.mark.parametrize(("words", "rotation"), [(["a", "b", "c"], 0), (["millimetres"] * 9, 90)])
def test_words_are_turned_where_they_do_not_fit(words, rotation):
    axes = over_words({"a": [0.0] * len(words)}, words, "p").axes[0]
    assert axes.get_xticklabels()[0].get_rotation() == rotation


def test_a_dollar_in_a_word_is_no_formula():
    axes = over_words({"a": [0, 0]}, ["$x", "y$"], "p").axes[0]
    assert not axes.get_xticklabels()[0].get_parse_math()


def test_the_description_tells_words_gaps_and_chance():
    text = alt_text(over_words({"both": [0.5, math.nan, 0.9]}, WORDS, "p", chance=0.5))
    assert text == "p over the words. both: the 0.5, bank no value, lends 0.9. Chance: 0.5."


def test_of_a_long_sentence_the_description_tells_some_words():
    words = [f"w{number}" for number in range(20)]
    text = alt_text(over_words({"a": [float(n) for n in range(20)]}, words, "p", title="Long"))
    assert text.startswith("Long. a: w0 0, ")
    assert text.endswith("w19 19.")
    assert text.count("w") == 8


@pytest.mark.parametrize(
    ("series", "words", "message"),
    [
        ({}, WORDS, "1 to 5 lines. Received: 0"),
        ({"a": []}, [], "needs a point"),
        ({"a": [1]}, WORDS, "each of the 3 words. Received: 1 for 'a'"),
        ({"a": [1] * 25}, ["w"] * 25, "1 to 24. Received: 25"),
    ],
)
def test_what_cannot_be_drawn_is_refused(series, words, message):
    with pytest.raises(ValueError, match=message):
        over_words(series, words, "p")
