import pytest

from rnnkit.text import characters

BYTES = [
    b"",
    b"\xff",
    b"a\xffb",
    b"\xe2\x82",
    b"\xe2\x82a",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90",
]

pytestmark = pytest.mark.usefixtures("either_way")


def test_a_letter_and_its_accent_become_one_character():
    assert characters(["e\u0301", "\u00e9"]) == [["\u00e9"], ["\u00e9"]]


def test_a_mark_without_a_composed_form_stays_a_character():
    assert characters(["q\u0323"]) == [["q", "\u0323"]]


def test_characters_outside_the_basic_plane_are_one_each():
    assert characters(["\U0001d11ea"]) == [["\U0001d11e", "a"]]


def test_empty_texts_and_no_texts():
    assert characters(["", "a", ""]) == [[], ["a"], []]
    assert characters([]) == []


def test_right_to_left_text_is_kept_in_reading_order():
    assert characters(["שלום"]) == [["ש", "ל", "ו", "ם"]]


def test_invalid_utf8_becomes_the_replacement_character():
    assert characters([b"a\xffb", b"\xe2\x82"]) == [["a", "\ufffd", "b"], ["\ufffd"]]


def test_invalid_bytes_are_replaced_as_tensorflow_text_replaces_them():
    text = pytest.importorskip("tensorflow_text")
    theirs = text.UnicodeCharTokenizer().tokenize(BYTES).to_list()
    assert [[ord(character) for character in row] for row in characters(BYTES)] == theirs


def test_a_lone_surrogate_becomes_the_replacement_character():
    assert characters(["a\ud800b"]) == [["a", "\ufffd", "b"]]


def test_null_characters_are_kept_at_the_end():
    assert characters(["a\x00"]) == [["a", "\x00"]]


def test_one_string_is_refused():
    with pytest.raises(TypeError, match="Received: 'abc'"):
        characters("abc")


def test_a_number_is_refused():
    with pytest.raises(TypeError, match="Received: 7"):
        characters([7])
