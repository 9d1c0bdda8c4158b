"""The word list of the softmax, built from text and read from files."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnnkit.elmo.word_list import MARKS, WordList

TEXT = [["b", "a", "c", "a"], ["c", "d", "Zürich", "a"], []]


@pytest.mark.parametrize(
    "limits, words",
    [
        ({}, ["a", "c", "Zürich", "b", "d"]),
        ({"minimum_count": 2}, ["a", "c"]),
        ({"minimum_count": 9}, []),
        ({"maximum_size": 6}, ["a", "c", "Zürich"]),
        ({"maximum_size": 3}, []),
        ({"minimum_count": 2, "maximum_size": 4}, ["a"]),
    ],
)
def test_words_stand_by_falling_count_then_by_alphabet(limits, words) -> None:
    assert WordList.from_sentences(TEXT, **limits).words == (*MARKS, *words)


def test_marks_in_a_text_are_not_listed_twice() -> None:
    assert WordList.from_sentences([["<S>", "a", "<UNK>"]]).words == (*MARKS, "a")


def test_the_file_holds_a_word_a_line(tmp_path) -> None:
    WordList.from_sentences(TEXT).save(tmp_path / "words.txt")
    assert (
        tmp_path / "words.txt"
    ).read_bytes() == "<S>\n</S>\n<UNK>\na\nc\nZürich\nb\nd\n".encode()


@settings(max_examples=50, deadline=None)
@given(
    words=st.lists(
        st.text(st.characters(exclude_characters="\r\n"), min_size=1, max_size=5).filter(
            lambda word: word not in MARKS
        ),
        unique=True,
    )
)
def test_any_list_is_read_as_it_was_written(words, tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("words") / "words.txt"
    made = WordList(words)
    made.save(path)
    again = WordList.from_file(path)
    assert again.words == made.words
    assert again.digest == made.digest


def test_a_file_from_windows_is_read(tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"<S>\r\n</S>\r\n<UNK>\r\nthe\r\n")
    assert WordList.from_file(path).words == (*MARKS, "the")


@pytest.mark.parametrize(
    "start", ["", "<S>\n</S>\nthe\n", "</S>\n<S>\n<UNK>\n", "<s>\n</s>\n<unk>\n"]
)
def test_a_file_that_starts_in_another_way_is_refused(start, tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_text(start + "a\n")
    with pytest.raises(ValueError, match=r"words\.txt: .* <S>, </S>, <UNK>\. Received: \["):
        WordList.from_file(path)


def test_a_file_with_a_word_twice_is_refused(tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("<S>\n</S>\n<UNK>\nthe\ncat\nthe\n")
    with pytest.raises(ValueError, match=r"words\.txt: .*Received: 'the' twice"):
        WordList.from_file(path)


def test_ids_are_lines_and_two_for_what_is_not_listed() -> None:
    words = WordList(["the", "cat"])
    ids = words.ids(["cat", "dog", "<S>", "</S>", "the", "<UNK>"])
    np.testing.assert_array_equal(ids, [4, 2, 0, 1, 3, 2])
    assert len(words) == 5
    assert "cat" in words and "dog" not in words


@pytest.mark.parametrize("words", [["a", "a"], ["<S>"], [""], ["a\nb"], ["a\rb"], [3]])
def test_impossible_words_are_refused(words) -> None:
    with pytest.raises(ValueError, match="Received"):
        WordList(words)


@pytest.mark.parametrize(
    "sentences, limits",
    [([], {}), ([[]], {}), (TEXT, {"minimum_count": 0}), (TEXT, {"maximum_size": 2})],
)
def test_impossible_texts_and_limits_are_refused(sentences, limits) -> None:
    with pytest.raises(ValueError, match=r"WordList expects .*Received"):
        WordList.from_sentences(sentences, **limits)


@pytest.mark.parametrize("sentences", ["the cat", ["the cat"]])
def test_a_text_in_place_of_lists_of_words_is_refused(sentences) -> None:
    with pytest.raises(TypeError, match="Received the text 'the cat'"):
        WordList.from_sentences(sentences)
