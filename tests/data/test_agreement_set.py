from collections import Counter, defaultdict

import pytest

from rnnkit.data import agreement
from rnnkit.data.lexicon import PEOPLE, THINGS

NUMBER = {
    noun: number
    for forms in PEOPLE + THINGS
    for noun, number in zip(forms, ("singular", "plural"), strict=True)
}


@pytest.fixture(scope="module")
def sample():
    return agreement(6000, seed=1)


def numbers_of_nouns(prefix):
    return [NUMBER[word] for word in prefix if word in NUMBER]


def accuracy_by_attractors(data, guess):
    """How often a rule gives the subject's number, by the number of attractors."""
    right = defaultdict(list)
    for prefix, number, attractors in zip(
        data.prefixes, data.numbers, data.attractors, strict=True
    ):
        right[attractors].append(guess(prefix) == number)
    return {attractors: sum(rows) / len(rows) for attractors, rows in sorted(right.items())}


def nearest_noun(prefix):
    return numbers_of_nouns(prefix)[-1]


def test_who_knows_only_how_frequent_the_forms_are_is_at_chance(sample):
    right, wrong = Counter(sample.right), Counter(sample.wrong)
    assert right == wrong


def test_the_nearest_noun_is_below_chance_with_attractors(sample):
    accuracy = accuracy_by_attractors(sample, nearest_noun)
    assert accuracy[0] == 1.0
    assert accuracy[1] == pytest.approx(0.52 - 0.04, abs=0.05)
    assert accuracy[2] == pytest.approx(0.28, abs=0.05)
    assert accuracy[3] == pytest.approx(0.125, abs=0.05)
    assert accuracy[4] == 0.0


def test_the_first_noun_is_not_always_the_subject(sample):
    accuracy = accuracy_by_attractors(sample, lambda prefix: numbers_of_nouns(prefix)[0])
    assert all(rate == pytest.approx(0.75, abs=0.06) for rate in accuracy.values())


def test_most_nouns_have_the_wrong_number_with_many_attractors(sample):
    def most(prefix):
        numbers = numbers_of_nouns(prefix)
        return max(("singular", "plural"), key=numbers.count)

    assert accuracy_by_attractors(sample, most)[4] == 0.0


def test_each_number_of_attractors_is_about_as_frequent(sample):
    counts = Counter(sample.attractors)
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert min(counts.values()) > 1000


def test_attractors_are_nouns_of_the_other_number_behind_the_subject(sample):
    for prefix, number, attractors, distance in zip(
        sample.prefixes, sample.numbers, sample.attractors, sample.distances, strict=True
    ):
        between = numbers_of_nouns(prefix[len(prefix) - distance + 1 :])
        assert sum(other != number for other in between) == attractors


def test_the_distance_leads_back_to_the_subject(sample):
    for prefix, number, distance in zip(
        sample.prefixes, sample.numbers, sample.distances, strict=True
    ):
        assert NUMBER[prefix[-distance]] == number


def test_each_beginning_comes_in_the_singular_and_in_the_plural(sample):
    counts = Counter(sample.numbers)
    assert counts["singular"] == counts["plural"]


def test_the_verb_agrees_with_the_subject(sample):
    plural_forms = {"are", "were", "have", "stand", "look", "need", "seem", "stay"}
    for verb, number in zip(sample.right, sample.numbers, strict=True):
        assert (verb in plural_forms) == (number == "plural")


def test_verbs_in_clauses_agree_with_their_own_nouns(sample):
    clauses = 0
    for prefix in sample.prefixes:
        if "that" in prefix:
            noun, verb = prefix[prefix.index("that") + 2 :][:2]
            assert verb.endswith("s") == (NUMBER[noun] == "singular")
            clauses += 1
    assert clauses > 1000


def test_sentences_have_the_right_verb_and_an_end():
    data = agreement(50, seed=1)
    for sentence, prefix, verb in zip(data.sentences, data.prefixes, data.right, strict=True):
        assert sentence[: len(prefix) + 1] == [*prefix, verb]
        assert len(sentence) > len(prefix) + 1


def test_only_the_numbers_of_attractors_asked_for_come_up():
    assert set(agreement(50, attractors=[0, 3]).attractors) == {0, 3}


@pytest.mark.parametrize("attractors", [[], [5], [-1], ["1"]])
def test_impossible_numbers_of_attractors_are_refused(attractors):
    with pytest.raises(ValueError, match="attractors must be a list of numbers from 0 to 4"):
        agreement(1, attractors=attractors)
