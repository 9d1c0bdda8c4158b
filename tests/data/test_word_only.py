import pytest

from rnnkit.data import word_only_accuracy


def test_words_with_one_label_are_always_right():
    assert word_only_accuracy([["a", "b"], ["b"]], [["X", "Y"], ["Y"]]) == 1.0


def test_a_word_is_right_as_often_as_its_most_frequent_label():
    assert word_only_accuracy([["a"] * 4], [["X", "Y", "X", "Z"]]) == 0.5


def test_each_word_counts_as_often_as_it_comes():
    sentences, labels = [["a", "a", "b"]], [["X", "Y", "Y"]]
    assert word_only_accuracy(sentences, labels) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("sentences", "labels"),
    [([], []), ([[]], [[]]), ([["a"]], [["X", "Y"]]), ([["a"], ["b"]], [["X"]])],
)
def test_words_without_labels_are_refused(sentences, labels):
    with pytest.raises(ValueError, match=r"one label for each word.*Received"):
        word_only_accuracy(sentences, labels)
