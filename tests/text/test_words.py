import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rnnkit.text import words

pytestmark = pytest.mark.usefixtures("either_way")


def test_punctuation_stays_with_its_word():
    assert words(["The cat sat, (it did)."]) == [["The", "cat", "sat,", "(it", "did)."]]


@pytest.mark.parametrize("space", ["\t", "\n", "\r\n", "\u0085", "\u00a0", "\u2003", "\u3000"])
def test_all_white_space_separates_and_leaves_nothing_behind(space):
    assert words([f"é{space}b{space}"]) == [["é", "b"]]


def test_a_zero_width_space_is_no_white_space():
    assert words(["a\u200bb"]) == [["a\u200bb"]]


def test_texts_without_words():
    assert words(["", " \n\u3000", "a"]) == [[], [], ["a"]]
    assert words([]) == []


def test_right_to_left_words_stand_in_reading_order():
    assert words(["שלום עולם"]) == [["שלום", "עולם"]]


def test_words_are_normalised():
    assert words(["e\u0301 x"]) == [["\u00e9", "x"]]


def test_bytes_that_are_no_utf8_become_the_replacement_character():
    assert words([b"a\xff b"]) == [["a\ufffd", "b"]]


def test_one_string_is_refused():
    with pytest.raises(TypeError, match="Received: 'a b'"):
        words("a b")


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(st.text("ab.é ", max_size=20)))
def test_joining_gives_the_text_back_but_for_spaces(texts):
    assert [" ".join(row) for row in words(texts)] == [" ".join(text.split()) for text in texts]
