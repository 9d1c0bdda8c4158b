import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rnnkit.text import script_words
from rnnkit.text.normalise import normalise
from rnnkit.text.words import WHITE_SPACE

pytestmark = pytest.mark.usefixtures("either_way")


def tokens(text):
    (row,) = script_words([text])
    return row


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat sat.", ["The", "cat", "sat", "."]),
        ("don't", ["don", "'", "t"]),
        ("3.14!?", ["3.14!?"]),
        ("3 4 .. .", ["3", "4", "..", "."]),
        ("(a1)", ["(", "a", "1)"]),
        ("日本語がカナ", ["日本語", "が", "カナ"]),
        ("abαβ", ["ab", "αβ"]),
        ("שלום, עולם", ["שלום", ",", "עולם"]),
    ],
)
def test_it_cuts_at_spaces_and_where_the_script_changes(text, expected):
    assert tokens(text) == expected


@pytest.mark.parametrize(
    "word",
    [
        "q\u0323ueen",  # a mark with no composed form
        "العربيّة",
        "عِلم",
        "עִבְרִית",
        "हिन्दी",
        "نمی\u200cخواهم",  # a joiner inside the word
        "\U0001f469\u200d\U0001f52c",
    ],
)
def test_marks_and_joiners_do_not_cut_a_word(word):
    assert tokens(word) == [word]


def test_a_mark_with_nothing_before_it_is_a_token():
    assert tokens("\u0301a \u064b\u0627") == ["\u0301", "a", "\u064b", "\u0627"]


def test_texts_without_tokens():
    assert script_words(["", " \u3000"]) == [[], []]
    assert script_words([]) == []


def test_bytes_that_are_no_utf8_become_the_replacement_character():
    assert script_words([b"a\xffb"]) == [["a", "\ufffd", "b"]]


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(st.text(st.characters(exclude_categories=("Cs", "Cn", "Co")))))
def test_no_character_is_lost_but_white_space(texts):
    expected = [WHITE_SPACE.sub("", text) for text in normalise(texts)]
    assert ["".join(row) for row in script_words(texts)] == expected
