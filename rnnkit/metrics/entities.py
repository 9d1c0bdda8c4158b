"""Entities in BIO tags, and how many of them a tagger finds."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Entity(NamedTuple):
    """A name in a sentence.

    Args:
        kind: What it names: "PER".
        start: Its first word, counted from 0.
        end: The word after its last.
    """

    kind: str
    start: int
    end: int


class EntityScores(NamedTuple):
    """How well predicted entities agree with the right ones.

    Args:
        precision: The share of the predicted entities that are right.
        recall: The share of the right entities that were predicted.
        f1: The harmonic mean of both.
        predicted: How many were predicted.
        right: How many there are.
        matched: How many of the predicted ones are right.
    """

    precision: float
    recall: float
    f1: float
    predicted: int
    right: int
    matched: int


def entities(tags: Sequence[str]) -> list[Entity]:
    """The entities in the BIO-2 tags of one sentence.

    "B-PER" begins an entity of the kind PER, "I-PER" goes on with it, "O" is
    outside. An "I-" that cannot go on (after "O", at the beginning, or after
    another kind) begins an entity, as in the scorer of the CoNLL tasks. Taught
    in unit 04, section s19.

    Args:
        tags: One tag for each word.

    Returns:
        The entities from left to right.

    Raises:
        ValueError: A tag is not "O", "B-KIND" or "I-KIND".

    Example:

    >>> from rnnkit.metrics import entities
    >>> entities(["B-PER", "I-PER", "O", "I-LOC"])
    [Entity(kind='PER', start=0, end=2), Entity(kind='LOC', start=3, end=4)]
    """
    if isinstance(tags, str):
        raise ValueError(f"tags must be a list of tags, not one string. Received: {tags!r}")
    found: list[Entity] = []
    start, kind = 0, ""  # of the entity that is being read; no kind: none is
    for place, tag in enumerate([*tags, "O"]):
        prefix, now = _parts(tag)
        if prefix == "I" and now == kind:
            continue
        if kind:
            found.append(Entity(kind, start, place))
        start, kind = place, now
    return found


def _parts(tag: str) -> tuple[str, str]:
    if tag == "O":
        return "O", ""
    prefix, dash, kind = tag.partition("-") if isinstance(tag, str) else ("", "", "")
    if prefix not in ("B", "I") or not dash or not kind:
        raise ValueError(f"each tag must be O, B-KIND or I-KIND. Received: {tag!r}")
    return prefix, kind


def entity_f1(
    predictions: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]
) -> dict[str, EntityScores]:
    """Precision, recall and F1 of entities, for all kinds together and for each.

    A predicted entity is right when its first word, its last word and its kind
    are right; half an entity counts as one wrong and one missed. Counts are
    added up over all sentences first. A share of nothing is 0. Taught in
    unit 04, section s19.

    Args:
        predictions: Predicted BIO-2 tags: for each sentence, a list of tags
            without padding.
        targets: The right tags.

    Returns:
        `EntityScores` under "all", and under each kind in alphabetical order.

    Raises:
        ValueError: There are no sentences, the lists differ in length, or a
            tag is not "O", "B-KIND" or "I-KIND".

    Example:

    >>> from rnnkit.metrics import entity_f1
    >>> scores = entity_f1([["B-PER", "O", "B-LOC"]], [["B-PER", "I-PER", "B-LOC"]])
    >>> scores["all"].f1, scores["LOC"].f1, scores["PER"].f1
    (0.5, 1.0, 0.0)
    """
    check_sentences(predictions, targets)
    predicted, right, matched = Counter[str](), Counter[str](), Counter[str]()
    for ours, theirs in zip(predictions, targets, strict=True):
        found, gold = set(entities(ours)), set(entities(theirs))
        predicted.update(entity.kind for entity in found)
        right.update(entity.kind for entity in gold)
        matched.update(entity.kind for entity in found & gold)
    kinds = sorted(predicted.keys() | right.keys())
    total = _scores(predicted.total(), right.total(), matched.total())
    return {"all": total} | {
        kind: _scores(predicted[kind], right[kind], matched[kind]) for kind in kinds
    }


def _scores(predicted: int, right: int, matched: int) -> EntityScores:
    precision = matched / predicted if predicted else 0.0
    recall = matched / right if right else 0.0
    both = predicted + right
    return EntityScores(
        precision, recall, 2 * matched / both if both else 0.0, predicted, right, matched
    )


def check_sentences(predictions: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> None:
    """Check that there is one tag for each word of each sentence.

    Raises:
        ValueError: There are no sentences, or the lists differ in length.
    """
    if not len(targets) or len(predictions) != len(targets):
        raise ValueError(
            "there must be predicted tags for each sentence, and at least one sentence. "
            f"Received: {len(predictions)} predictions, {len(targets)} targets"
        )
    for index, (ours, theirs) in enumerate(zip(predictions, targets, strict=True)):
        if len(ours) != len(theirs):
            raise ValueError(
                "a sentence must have as many predicted tags as words; leave padding out. "
                f"Received: sentence {index} with {len(ours)} predicted tags, {len(theirs)} words"
            )
