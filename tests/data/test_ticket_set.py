from collections import Counter

import pytest

from rnnkit.data import tickets
from rnnkit.data.ticket_set import ITEMS


@pytest.fixture(scope="module")
def sample():
    return tickets(4000, seed=1)


def test_the_last_word_is_said_before_at_exactly_the_distance(sample):
    for words, answer, distance, first in zip(*sample, strict=True):
        assert words[first] == words[first + distance] == words[-1] == answer
        assert first + distance == len(words) - 1


def test_it_is_said_only_twice(sample):
    for words, answer in zip(sample.sentences, sample.answers, strict=True):
        assert words.count(answer) == 2


@pytest.mark.parametrize("distance", [*range(17, 24), 100])
def test_any_distance_that_has_room_is_possible(distance):
    assert set(tickets(20, distances=[distance]).distances) == {distance}


def test_each_answer_is_equally_frequent_so_that_chance_is_one_in_16(sample):
    counts = Counter(sample.answers)
    assert sorted(counts) == sorted(ITEMS)
    assert max(counts.values()) / 4000 < 0.08


def test_other_things_are_named_between(sample):
    for words, first in zip(sample.sentences, sample.first_positions, strict=True):
        between = [word for word in words[first + 1 : -1] if word in ITEMS]
        assert len(between) == 2


def test_the_thing_named_last_is_never_right(sample):
    for words in sample.sentences:
        last = [word for word in words[:-1] if word in ITEMS][-1]
        assert last != words[-1]


def test_the_thing_named_first_is_right_in_half_of_the_stories(sample):
    firsts = [next(word for word in words if word in ITEMS) for words in sample.sentences]
    right = sum(word == answer for word, answer in zip(firsts, sample.answers, strict=True))
    assert right / 4000 == pytest.approx(0.5, abs=0.04)


def test_distances_come_up_about_equally(sample):
    counts = Counter(sample.distances)
    assert sorted(counts) == [20, 40, 80]
    assert min(counts.values()) > 1200


def test_stories_without_distractors_name_no_other_thing_between():
    data = tickets(50, distances=[20], distractors=0)
    for words, first in zip(data.sentences, data.first_positions, strict=True):
        assert not set(words[first + 1 : -1]) & set(ITEMS)


@pytest.mark.parametrize("distances", [[], [16], [40, 5]])
def test_a_distance_without_room_is_refused(distances):
    with pytest.raises(ValueError, match="numbers from 17 up"):
        tickets(1, distances=distances)


@pytest.mark.parametrize("distractors", [-1, 15, "2"])
def test_an_impossible_number_of_distractors_is_refused(distractors):
    with pytest.raises(ValueError, match="distractors must be from 0 to 14"):
        tickets(1, distractors=distractors)
