"""Pseudowords: pairs by frequency, forms that tell nothing, and parts in balance."""

import numpy as np
import pytest

from rnnkit.experiments.pseudowords import common_nouns, parts, pseudowords

TEXT = [
    ["the", "cat", "sat"],
    ["a", "cat", "ran"],
    ["one", "dog", "sat"],
    ["my", "cat", "saw", "the", "dog"],  # both words of the pair
    ["cat", "and", "cat"],  # one of them twice
    ["his", "tree"],
]


def test_the_most_frequent_nouns_are_merged_whatever_their_order():
    [made] = pseudowords(TEXT, ["tree", "dog", "cat"], pairs=1)
    assert made.words == ("cat", "dog")


def test_no_sentence_of_a_pseudoword_tells_which_word_it_was():
    [made] = pseudowords(TEXT, ["cat", "dog"], pairs=1)
    assert made.sentences == (
        [["the", "catdog", "sat"], ["a", "catdog", "ran"]],
        [["one", "catdog", "sat"]],
    )
    assert made.places == ([1, 1], [1])
    words = {word for own in made.sentences for sentence in own for word in sentence}
    assert not words & {"cat", "dog"}


def test_words_that_the_text_lacks_are_not_merged():
    with pytest.raises(ValueError, match="expects 4 nouns"):
        pseudowords(TEXT, ["cat", "dog", "tree", "zebra"], pairs=2)


def test_common_nouns_are_frequent_and_nearly_always_nouns():
    words = [["time", "run", "rare", "Bank", "tie"]] * 19 + [["time", "run", "tie"]]
    tags = [["NN", "VB", "NN", "NN", "NN"]] * 19 + [["NN", "NN", "VB"]]
    assert common_nouns(words, tags) == ["time", "tie"]  # "tie": 19 of 20


def test_each_part_has_as_many_examples_of_either_label():
    labels = np.array([0] * 30 + [1] * 12)
    made = parts(labels, seed=3, most=10)
    assert [np.bincount(labels[part]).tolist() for part in made] == [[6, 6], [2, 2], [2, 2]]
    together = np.concatenate(made)
    assert len(set(together.tolist())) == len(together)
    assert not np.array_equal(together, np.concatenate(parts(labels, seed=4, most=10)))
