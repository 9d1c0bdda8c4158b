from collections import Counter, defaultdict

import pytest

from rnnkit.data import bank_sentences


@pytest.fixture(scope="module", params=["train", "test"])
def sample(request):
    return bank_sentences(2000, split=request.param, seed=1)


def test_what_stands_up_to_the_word_tells_nothing(sample):
    """So a net that reads from left to right is right in exactly half of all cases."""
    meanings = defaultdict(Counter)
    for words, place, meaning in zip(
        sample.sentences, sample.positions, sample.meanings, strict=True
    ):
        meanings[tuple(words[: place + 1])][meaning] += 1
    assert all(counts["nature"] == counts["people"] for counts in meanings.values())


def test_the_words_after_it_tell_all(sample):
    meanings = defaultdict(set)
    for words, place, meaning in zip(
        sample.sentences, sample.positions, sample.meanings, strict=True
    ):
        meanings[tuple(words[place:])].add(meaning)
    assert all(len(found) == 1 for found in meanings.values())


def test_what_decides_is_often_some_words_away(sample):
    """No word that stands next to the ambiguous one in half of the sentences tells."""
    next_words = Counter(
        words[place + 1] for words, place in zip(sample.sentences, sample.positions, strict=True)
    )
    fillers = sum(next_words[word] for word in ("that", "from", "which"))
    assert fillers > 0.7 * len(sample.sentences)


def test_the_label_stands_at_the_ambiguous_word_alone(sample):
    for words, labels, place, meaning in zip(*sample, strict=True):
        assert len(labels) == len(words)
        assert labels[place] == meaning
        assert {*labels[:place], *labels[place + 1 :]} == {"other"}


def test_there_are_twelve_ambiguous_words(sample):
    words = {row[place] for row, place in zip(sample.sentences, sample.positions, strict=True)}
    assert len(words) == 12
    assert "bank" in words


def test_the_place_of_the_word_varies(sample):
    assert len(set(sample.positions)) >= 4


def test_half_of_the_meanings_are_of_either_kind(sample):
    assert sample.meanings.count("nature") == 1000
