"""What a student's text can hold does nothing where it is shown."""

import unicodedata

import pytest

from rnnkit.plain_text import in_one_line, plain_text, with_colours

COLOURED = "\x1b[0;31mValueError\x1b[0m\x1b[1;38;5;28m: \x1b[39m"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\ttwo\nthree", "one\ttwo\nthree"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        (f"{COLOURED}no", "ValueError: no"),
        ("\x1b[2J\x1b[Hgone", "?[2J?[Hgone"),
        ("\x1b]0;title\x07", "?]0;title?"),
        ("\x9b2J", "?2J"),
        ("a\x00\x00\x08b", "a?b"),
        ("x\u202eylno\u2066z\u2069", "x?ylno?z?"),
        ("half \ud83d", "half ?"),
        ("größe, שלום, 👩‍🏫, e\u0301, \u200f", "größe, שלום, 👩‍🏫, e\u0301, \u200f"),
    ],
)
def test_text_is_shown_without_what_acts_on_its_place(text: str, shown: str) -> None:
    assert plain_text(text) == shown


def test_no_control_is_left_but_tabs_and_line_ends() -> None:
    every = "".join(map(chr, range(0x3000)))
    kinds = {letter for letter in plain_text(every) if unicodedata.category(letter) == "Cc"}
    assert kinds == {"\t", "\n"}
    directions = {unicodedata.bidirectional(letter) for letter in plain_text(every)}
    assert directions.isdisjoint({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def test_colours_of_an_output_stay_and_nothing_else_that_is_escaped() -> None:
    assert with_colours(COLOURED) == COLOURED
    assert with_colours("10%\r20%\b\b\b30%\x1b[K\x1b]8;;x\x07") == "10%\r20%\b\b\b30%?[K?]8;;x?"


def test_line_stays_one_line() -> None:
    assert in_one_line(" a\n\nb\u2028c\x0bd\t\x1b[1me ") == "a b c?d e"
