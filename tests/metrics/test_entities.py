import pytest

from rnnkit.metrics import Entity, entities, entity_f1, tag_accuracy


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("", []),
        ("O O", []),
        ("B-PER", [("PER", 0, 1)]),
        ("O B-PER I-PER", [("PER", 1, 3)]),
        ("B-PER B-PER", [("PER", 0, 1), ("PER", 1, 2)]),
        ("B-PER I-PER O B-PER", [("PER", 0, 2), ("PER", 3, 4)]),
        # An I- that cannot go on begins an entity.
        ("I-PER I-PER", [("PER", 0, 2)]),
        ("O I-PER", [("PER", 1, 2)]),
        ("B-PER I-LOC I-LOC", [("PER", 0, 1), ("LOC", 1, 3)]),
        ("I-LOC B-LOC I-LOC", [("LOC", 0, 1), ("LOC", 1, 3)]),
        ("B-WORK-OF-ART I-WORK-OF-ART", [("WORK-OF-ART", 0, 2)]),
    ],
)
def test_entities_are_read_from_tags(tags, expected):
    assert entities(tags.split()) == [Entity(*each) for each in expected]


@pytest.mark.parametrize("tag", ["PER", "E-PER", "B-", "B", "", "o", None])
def test_a_tag_that_is_none_is_refused(tag):
    with pytest.raises(ValueError, match=f"O, B-KIND or I-KIND. Received: {tag!r}"):
        entities(["O", tag])


def test_one_string_is_refused():
    with pytest.raises(ValueError, match="not one string"):
        entities("O")


TARGETS = [
    ["B-PER", "I-PER", "O", "B-LOC"],
    ["B-ORG", "O", "B-PER"],
    ["O", "O", "B-LOC", "I-LOC"],
]
PREDICTIONS = [
    ["B-PER", "I-PER", "O", "B-ORG"],  # PER right, LOC taken for ORG
    ["B-ORG", "O", "B-PER"],  # both right
    ["O", "B-LOC", "I-LOC", "I-LOC"],  # one word too many
]


def test_numbers_counted_by_hand():
    scores = entity_f1(PREDICTIONS, TARGETS)
    assert list(scores) == ["all", "LOC", "ORG", "PER"]
    assert scores["all"] == pytest.approx((3 / 5, 3 / 5, 3 / 5, 5, 5, 3))
    assert scores["PER"] == (1.0, 1.0, 1.0, 2, 2, 2)
    assert scores["ORG"] == pytest.approx((1 / 2, 1.0, 2 / 3, 2, 1, 1))
    assert scores["LOC"] == (0.0, 0.0, 0.0, 1, 2, 0)


def test_sentences_are_kept_apart():
    # The same words as one sentence would be one entity.
    scores = entity_f1([["I-PER"], ["I-PER"]], [["B-PER"], ["B-PER"]])
    assert scores["all"].matched == 2


def test_without_any_entity_all_shares_are_nought():
    assert entity_f1([["O"]], [["O"]]) == {"all": (0.0, 0.0, 0.0, 0, 0, 0)}


@pytest.mark.parametrize("score", [entity_f1, tag_accuracy])
def test_no_sentences_are_refused(score):
    with pytest.raises(ValueError, match="0 predictions, 0 targets"):
        score([], [])


@pytest.mark.parametrize("score", [entity_f1, tag_accuracy])
def test_a_sentence_of_another_length_is_named(score):
    with pytest.raises(ValueError, match="sentence 1 with 2 predicted tags, 1 words"):
        score([["O"], ["O", "O"]], [["O"], ["O"]])


def test_each_word_counts_the_same_in_the_accuracy():
    assert tag_accuracy([["A", "A", "B"], ["A"]], [["A", "A", "A"], ["B"]]) == 0.5


def test_empty_sentences_have_no_accuracy():
    with pytest.raises(ValueError, match="empty sentences alone"):
        tag_accuracy([[]], [[]])
