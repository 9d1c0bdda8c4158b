from collections import defaultdict

import pytest

from rnnkit.data import tagged_sentences, word_only_accuracy
from rnnkit.data.tagged_set import _ANY_NAME, _NOUN_OR_VERB, ENTITIES, TAGS


@pytest.fixture(scope="module")
def sample():
    return tagged_sentences(5000, seed=1)


def those_of(words, data, labels):
    """The sentences with some of their words alone, and the labels of these."""
    rows = [
        [(word, label) for word, label in zip(sentence, row, strict=True) if word in words]
        for sentence, row in zip(data.sentences, labels, strict=True)
    ]
    return [[word for word, _ in row] for row in rows], [
        [label for _, label in row] for row in rows
    ]


def contexts(data, labels, width):
    """The labels that come up in the middle of each window of words."""
    found = defaultdict(set)
    for sentence, row in zip(data.sentences, labels, strict=True):
        padded = [*["<s>"] * width, *sentence, *["</s>"] * width]
        for place, label in enumerate(row):
            found[tuple(padded[place : place + 2 * width + 1])].add(label)
    return found


def test_each_word_has_a_tag_and_an_entity(sample):
    for words, tags, entities in zip(*sample, strict=True):
        assert len(words) == len(tags) == len(entities)
        assert set(tags) <= set(TAGS)
        assert set(entities) <= set(ENTITIES)


def test_all_tags_and_entities_come_up(sample):
    assert {tag for tags in sample.tags for tag in tags} == set(TAGS)
    assert {entity for entities in sample.entities for entity in entities} == set(ENTITIES)


def test_names_are_in_bio_form(sample):
    for entities in sample.entities:
        for before, label in zip(["O", *entities], entities, strict=False):
            if label.startswith("I-"):
                assert before in (f"B-{label[2:]}", label)


def test_names_are_proper_nouns_and_nothing_else_is(sample):
    for tags, entities in zip(sample.tags, sample.entities, strict=True):
        assert [tag == "PROPN" for tag in tags] == [entity != "O" for entity in entities]


def test_the_word_alone_is_measurably_not_enough_for_tags(sample):
    assert word_only_accuracy(sample.sentences, sample.tags) < 0.95
    words = {word for forms in _NOUN_OR_VERB for word in forms[:2]}
    assert word_only_accuracy(*those_of(words, sample, sample.tags)) < 0.8


def test_the_word_alone_is_near_chance_for_ambiguous_names(sample):
    names = those_of(_ANY_NAME, sample, sample.entities)
    assert word_only_accuracy(*names) < 0.4


def test_the_whole_sentence_decides_each_tag_and_entity(sample):
    for labels in (sample.tags, sample.entities):
        found = defaultdict(set)
        for words, row in zip(sample.sentences, labels, strict=True):
            found[tuple(words)].add(tuple(row))
        assert all(len(rows) == 1 for rows in found.values())


def test_three_words_on_either_side_decide_each_tag(sample):
    assert all(len(tags) == 1 for tags in contexts(sample, sample.tags, width=3).values())


def test_what_decides_is_often_on_the_right(sample):
    """The first word of a sentence has nothing to its left."""
    firsts = [[words[0]] for words in sample.sentences]
    tags = [[row[0]] for row in sample.tags]
    ambiguous = {word for word, _, _ in _NOUN_OR_VERB}
    rows = [(word, tag) for word, tag in zip(firsts, tags, strict=True) if word[0] in ambiguous]
    assert word_only_accuracy([word for word, _ in rows], [tag for _, tag in rows]) < 0.85


@pytest.mark.parametrize("word", ["play", "watch", "book"])
def test_words_are_nouns_and_verbs_both_often(sample, word):
    tags = those_of({word}, sample, sample.tags)[1]
    counts = [sum(row.count(tag) for row in tags) for tag in ("NOUN", "VERB")]
    assert min(counts) > 25


def test_saw_is_a_tool_and_the_past_of_see(sample):
    assert {tag for row in those_of({"saw"}, sample, sample.tags)[1] for tag in row} == {
        "NOUN",
        "VERB",
    }
