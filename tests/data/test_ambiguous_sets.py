"""Plain sentences with a word that is a noun or a verb, or has two meanings."""

from collections import Counter, defaultdict

import pytest

from rnnkit.data import nouns_and_verbs, word_senses
from rnnkit.data.ambiguous_set import _NOUN_CONTEXTS, _VERB_CONTEXTS, NOUN_OR_VERB, SENSES

SPLITS = ("train", "valid", "test")
SIZES = {
    nouns_and_verbs: {"train": 576, "valid": 48, "test": 144},
    word_senses: {"train": 96, "valid": 24, "test": 72},
}


@pytest.fixture(params=[*SIZES], ids=lambda make: make.__name__)
def make(request):
    return request.param


def whole(make, split):
    return make(SIZES[make][split], split=split, seed=1)


def contexts(sample):
    """Sentences with a hole in place of the ambiguous word."""
    return [
        " ".join([*words[:place], "_", *words[place + 1 :]])
        for words, place in zip(sample.sentences, sample.positions, strict=True)
    ]


def the_words(sample):
    return [words[place] for words, place in zip(sample.sentences, sample.positions, strict=True)]


@pytest.mark.parametrize("split", SPLITS)
def test_the_word_alone_tells_nothing(make, split):
    labels = defaultdict(Counter)
    sample = whole(make, split)
    for word, label in zip(the_words(sample), sample.labels, strict=True):
        labels[word][label] += 1
    assert all(len(set(counts.values())) == 1 and len(counts) == 2 for counts in labels.values())


def test_the_splits_share_no_context(make):
    found = [set(contexts(whole(make, split))) for split in SPLITS]
    if make is nouns_and_verbs:
        assert not found[0] & found[1] and not found[0] & found[2] and not found[1] & found[2]
    sentences = [{" ".join(words) for words in whole(make, split).sentences} for split in SPLITS]
    assert sum(map(len, sentences)) == len(set.union(*sentences))


@pytest.mark.parametrize("split", SPLITS)
def test_no_sentence_comes_twice(make, split):
    sentences = [" ".join(words) for words in whole(make, split).sentences]
    assert len(set(sentences)) == len(sentences) == SIZES[make][split]


def test_more_than_the_split_holds_is_refused(make):
    size = SIZES[make]["test"]
    with pytest.raises(ValueError, match=rf"no more than the {size} .*Received: {size + 1}"):
        make(size + 1, split="test")


def test_an_unknown_split_and_a_negative_count_are_refused(make):
    with pytest.raises(ValueError, match="Received: 'dev'"):
        make(1, split="dev")
    with pytest.raises(ValueError, match=r"count must be .*0 or more. Received: -1"):
        make(-1)


def test_the_seed_decides(make):
    assert make(40, seed=3) == make(40, seed=3)
    assert make(40, seed=3) != make(40, seed=4)
    assert [len(column) for column in make(0)] == [0, 0, 0]


def test_an_even_count_is_in_balance(make):
    words_and_labels = Counter(the_words(make(30, seed=2)))
    assert all(count % 2 == 0 for count in words_and_labels.values())


def test_sentences_begin_with_a_capital_and_end_with_a_stop(make):
    for split in SPLITS:
        for words in whole(make, split).sentences:
            assert words[0][0].isupper()
            assert words[-1] in (".", "?", "!")


def test_there_are_as_many_nouns_as_verbs():
    sample = whole(nouns_and_verbs, "test")
    assert Counter(sample.labels) == {"NOUN": 72, "VERB": 72}
    assert set(the_words(sample)) == set(NOUN_OR_VERB)
    assert len(_NOUN_CONTEXTS) == len(_VERB_CONTEXTS) == 16


def test_a_meaning_names_its_word():
    sample = whole(word_senses, "train")
    assert [label.split(":")[0] for label in sample.labels] == the_words(sample)
    assert set(the_words(sample)) == set(SENSES)
    assert len(set(sample.labels)) == 24


def test_each_meaning_has_eight_contexts_with_one_hole():
    for meanings in SENSES.values():
        assert len(meanings) == 2
        for each in meanings.values():
            assert len(set(each)) == 8
            assert all(context.split().count("_") == 1 for context in each)
