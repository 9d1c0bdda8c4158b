import random
from collections import Counter, defaultdict

import pytest

from rnnkit.data import acceptability, acceptability_set
from rnnkit.data.lexicon import ADJECTIVES, PEOPLE, THINGS, TRANSITIVE

SINGULAR = {noun for noun, _ in PEOPLE + THINGS}


@pytest.fixture(scope="module")
def sample():
    return acceptability(3000, seed=1)


def rows_of(data, kind):
    rows = zip(*data, strict=True)
    return [(words, label) for words, label, its_kind in rows if its_kind == kind]


def is_in_order(words):
    """the ADJECTIVE PEOPLE VERB the THING, with agreement."""
    people = {noun: number for forms in PEOPLE for number, noun in enumerate(forms)}
    verbs = {verb: number for forms in TRANSITIVE for number, verb in enumerate(forms)}
    things = {noun for forms in THINGS for noun in forms}
    the, adjective, person, verb, other_the, thing = words
    return (
        the == other_the == "the"
        and adjective in ADJECTIVES
        and person in people
        and verb in verbs
        and people[person] == verbs[verb]
        and thing in things
    )


def test_half_of_the_sentences_are_right(sample):
    assert sum(sample.labels) == 1500


@pytest.mark.parametrize("kind", acceptability_set.KINDS)
def test_each_bag_of_words_is_as_often_right_as_wrong(kind):
    """So who does not look at the order has an MCC of 0."""
    generator = random.Random(1)
    make = getattr(acceptability_set, f"_{kind}")
    for _ in range(200):
        labels = defaultdict(list)
        for sentence, label in make(generator):
            labels[tuple(sorted(sentence.split()))].append(label)
        assert all(sorted(found) == [0, 1] for found in labels.values())


def test_kinds_are_about_equally_frequent(sample):
    counts = Counter(sample.kinds)
    assert sorted(counts) == ["agreement", "order", "reflexive"]
    assert min(counts.values()) > 850


def test_no_sentence_is_both_right_and_wrong(sample):
    labels = defaultdict(set)
    for words, label in zip(sample.sentences, sample.labels, strict=True):
        labels[" ".join(words)].add(label)
    assert all(len(found) == 1 for found in labels.values())


def test_right_verbs_agree_with_the_first_noun(sample):
    for words, label in rows_of(sample, "agreement"):
        singular_verb = words[5].endswith("s")
        assert ((words[1] in SINGULAR) == singular_verb) == bool(label)


def test_the_noun_beside_the_verb_has_the_other_number(sample):
    for words, _ in rows_of(sample, "agreement"):
        assert (words[1] in SINGULAR) != (words[4] in SINGULAR)


def test_right_reflexives_refer_to_the_first_noun(sample):
    for words, label in rows_of(sample, "reflexive"):
        gender = {"herself": acceptability_set._HERSELF, "himself": acceptability_set._HIMSELF}
        assert (words[1] in gender[words[6]]) == bool(label)


def test_neighbours_changed_places_in_wrong_order(sample):
    for words, label in rows_of(sample, "order"):
        assert is_in_order(words) == bool(label)
