from collections import Counter, defaultdict

import pytest

from rnnkit.data import paraphrases
from rnnkit.data.lexicon import ADJECTIVES


@pytest.fixture(scope="module")
def hard():
    return paraphrases(3000, hard=1.0, seed=1)


def overlap(one, other):
    return len(set(one) & set(other)) / len(set(one) | set(other))


def test_half_of_the_pairs_mean_the_same(hard):
    assert sum(hard.labels) == 1500


def test_hard_pairs_of_the_same_words_come_with_both_labels(hard):
    """So who counts shared words is right in exactly half of the cases."""
    labels = defaultdict(Counter)
    for first, second, label, _ in zip(*hard, strict=True):
        labels[tuple(first), tuple(sorted(second))][label] += 1
    assert all(counts[0] == counts[1] for counts in labels.values())


def test_the_second_sentence_alone_tells_nothing(hard):
    """Who has the adjective, and whether he comes first, is the same for both labels."""
    shares = {}
    for label in (0, 1):
        seconds = [row for row, its in zip(hard.second, hard.labels, strict=True) if its == label]
        shares[label] = sum(words[1] in ADJECTIVES for words in seconds) / len(seconds)
    assert shares[0] == pytest.approx(0.5, abs=0.05)
    assert shares[1] == pytest.approx(0.5, abs=0.05)


def test_a_sentence_is_never_a_paraphrase_of_itself(hard):
    assert not any(first == second for first, second in zip(hard.first, hard.second, strict=True))


def test_passives_turn_the_people_round():
    data = paraphrases(2000, hard=1.0, seed=1)
    seen = 0
    for first, second, label, _ in zip(*data, strict=True):
        if "saw" in first:
            subject = first[: first.index("saw")]
            agent = second[second.index("by") + 1 :]
            assert (subject == agent) == bool(label)
            seen += 1
    assert seen > 20


def test_comparisons_turn_the_people_round():
    data = paraphrases(2000, hard=1.0, seed=1)
    seen = 0
    for first, second, label, _ in zip(*data, strict=True):
        if "taller" in first:
            assert "shorter" in second
            smaller = first[first.index("than") + 1 :]
            assert (smaller == second[: second.index("is")]) == bool(label)
            seen += 1
    assert seen > 20


def test_easy_negatives_share_few_words():
    data = paraphrases(1000, hard=0.0, seed=1)
    negatives = [
        overlap(first, second) for first, second, label, _ in zip(*data, strict=True) if label == 0
    ]
    assert sum(negatives) / len(negatives) < 0.4


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_as_many_pairs_are_hard_as_asked_for(share):
    data = paraphrases(2000, hard=share, seed=1)
    assert sum(data.hard) / 2000 == pytest.approx(share, abs=0.05)


def test_hard_pairs_share_no_sentence_with_those_of_another_split():
    train, test = (paraphrases(2000, hard=1.0, split=split) for split in ("train", "test"))
    sentences = [{" ".join(row) for row in [*data.first, *data.second]} for data in (train, test)]
    assert not sentences[0] & sentences[1]


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_an_impossible_share_is_refused(share):
    with pytest.raises(ValueError, match=f"from 0.0 to 1.0. Received: {share}"):
        paraphrases(1, hard=share)
