"""Checks for unit 04: entities from tags, and their F1."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, call, telling_apart
from rnnkit.checks.left_alone import inputs_left_alone

Array = np.ndarray
Span = tuple[str, int, int]  # kind, start, end


def spans(
    tags: Sequence[str],
    *,
    inclusive: bool = False,
    at_end: bool = True,
    merge: bool = False,
    strict: bool = False,
    kinds: bool = True,
    further: bool = True,
    single: bool = False,
    whole_tag: bool = False,
    letters: slice = slice(None),
    lost_before_next: bool = False,
    first_like_it: bool = False,
) -> set[Span]:
    """The entities of a sentence in BIO tags, `(kind, start, end)`; the settings make slips.

    I-X after O or after another kind begins an entity, as the CoNLL scorer has it.
    """
    found: set[Span] = set()
    kind, start = "", 0
    for place, tag in enumerate([*tags, "O"] if at_end else tags):
        mark, _, its_kind = tag.partition("-")
        goes_on = bool(kind and not single) and (
            (mark == "I" and (its_kind == kind or not kinds) and further)
            or (merge and mark == "B" and its_kind == kind)
        )
        if goes_on:
            continue
        if kind and not (lost_before_next and tag != "O"):
            name = tags[start] if whole_tag else kind[letters]
            begin = list(tags).index(tags[start]) if first_like_it else start
            found.add((name, begin, place - 1 if inclusive else place))
        begins = mark == "B" or (mark == "I" and not strict and further)
        kind, start = (its_kind, place) if begins else ("", 0)
    return found


_SENTENCES = [
    "B-PER I-PER O O B-LOC",
    "B-LOC B-LOC I-LOC O",
    "O I-ORG I-ORG O B-PER",
    "B-PER I-LOC I-LOC O",
    "O O",
    "B-ORG",
    "B-MISC I-MISC O B-GPE",
]


@check
def entity_spans(answer: Function, seed: int = 0) -> None:
    """Check `answer(tags)`, section s19: entities from BIO tags.

    Args:
        answer: The student's function of one sentence's tags, a list of strings
            ("B-PER", "I-PER", "O"); it returns the list of its entities: kind,
            first position, and the position after the last. I-X after O or
            after another kind begins an entity.
        seed: For random sentences, beside those that are always asked.

    Raises:
        AssertionError: The entities of a sentence are not right.
    """
    generator = np.random.default_rng(seed)
    sentences = [sentence.split() for sentence in _SENTENCES]
    sentences += [_random_tags(generator, 8) for _ in range(4)]
    actual = [_read_spans(call("entity_spans", answer, list(tags)), tags) for tags in sentences]
    expected = [spans(tags) for tags in sentences]
    wrong = [place for place, one in enumerate(actual) if one != expected[place]]
    if not wrong:
        for tags in sentences:
            inputs_left_alone(answer, tags=tags)
        return
    slips: dict[str, dict[str, Any]] = {
        "The end should be the position after the last tag of the entity.": {"inclusive": True},
        "An entity at the end of the sentence is lost: nothing comes after it that would end it.": {
            "at_end": False
        },
        "Two entities that touch are taken for one: B- begins a new one.": {"merge": True},
        "I-X after O or after another kind begins an entity too.": {"strict": True},
        "An entity ends where the kind changes.": {"kinds": False},
        "Only the first tag of each entity is there: I- goes on with it.": {"further": False},
        "Each tag is an entity of its own: I- goes on with the one before it.": {"single": True},
        "The kind should stand without the B- or I- before it.": {"whole_tag": True},
        "A kind need not have three letters: take all that stands after B- or I-.": {
            "letters": slice(-3, None)
        },
        "A kind need not have three letters: take all of them.": {"letters": slice(3)},
        "An entity is lost where another one follows at once: write it down before the new one "
        "begins.": {"lost_before_next": True},
        "The start is that of the first tag like this one in the sentence: tags.index(tag) finds "
        "no other. Count the positions.": {"first_like_it": True},
    }
    named = [
        sentence
        for sentence, settings in slips.items()
        if actual == [spans(tags, **settings) for tags in sentences]
    ]
    if actual == list(accumulate(expected, lambda all_before, one: all_before | one)):
        named = [
            "The entities of earlier calls are there too: a list as the default value of an "
            "argument is made once, for all calls."
        ]
    hint = f" {named[0]}" if named else ""
    place = wrong[0]
    raise AssertionError(
        f"entity_spans({sentences[place]}): not right.{hint}\n"
        f"Yours: {sorted(actual[place])}\nExpected: {sorted(expected[place])}"
    )


def _read_spans(result: Any, tags: Sequence[str]) -> set[Span]:
    if result is None:
        raise AssertionError(
            f"entity_spans({list(tags)}) is None. Does the function end with `return`?"
        )
    try:
        return {(str(kind), int(start), int(end)) for kind, start, end in result}
    except (TypeError, ValueError):
        raise AssertionError(
            f"entity_spans({list(tags)}) should be a list of three things for each entity: kind, "
            f"start, end. Received: {result!r}"
        ) from None


def _random_tags(generator: np.random.Generator, length: int) -> list[str]:
    kinds = ["PER", "LOC", "ORG"]
    tags = ["O", *(f"{mark}-{kind}" for mark in "BI" for kind in kinds)]
    chances = np.array([4, 2, 2, 2, 1.5, 1.5, 1.5])
    return [str(tag) for tag in generator.choice(tags, length, p=chances / chances.sum())]


@check
def entity_f1(
    answer: Function, count: int = 12, seed: int = 0, given: tuple[str, ...] = ()
) -> None:
    """Check `answer(predicted, gold)`, section s19.

    Args:
        answer: The student's function of two lists of sentences, each a list of
            BIO tags, first the predicted ones; it returns the F1 of the entities of all sentences
            together: one is right where kind, start and end are. Without any
            entity it is 0.
        count: How many sentences.
        seed: For the random sentences.
        given: Functions of this kit that the exercise gives to the student.

    Raises:
        AssertionError: The number is not right.
    """

    def found(sentences: list[list[str]], kinds: bool = True) -> set[tuple]:
        return {
            (number, kind if kinds else "", start, end)
            for number, tags in enumerate(sentences)
            for kind, start, end in spans(tags)
        }

    def f1(right: int, gold: int, predicted: int) -> Array:
        return np.asarray(2 * right / (gold + predicted) if gold + predicted else 0.0)

    def of_sets(gold: set, predicted: set) -> Array:
        return f1(len(gold & predicted), len(gold), len(predicted))

    def tokens(sentences: list[list[str]]) -> Array:
        return np.array([tag for tags in sentences for tag in tags])

    def of_tokens(predicted: list[list[str]], gold: list[list[str]]) -> Array:
        g, p = tokens(gold), tokens(predicted)
        return f1(int(((g == p) & (g != "O")).sum()), (g != "O").sum(), (p != "O").sum())

    def overlapping(predicted: list[list[str]], gold: list[list[str]]) -> Array:
        g, p = found(gold), found(predicted)
        right = sum(
            any(one[:2] == other[:2] and one[2] < other[3] and other[2] < one[3] for other in g)
            for one in p
        )
        return f1(right, len(g), len(p))

    def by_sentence(predicted: list[list[str]], gold: list[list[str]]) -> Array:
        return np.mean([of_sets(spans(g), spans(p)) for p, g in zip(predicted, gold, strict=True)])

    def in_one_set(predicted: list[list[str]], gold: list[list[str]]) -> Array:
        return of_sets(*({s for tags in each for s in spans(tags)} for each in (gold, predicted)))

    def by_kind(predicted: list[list[str]], gold: list[list[str]]) -> Array:
        g, p = found(gold), found(predicted)
        kinds = sorted({kind for _, kind, *_ in g | p})
        parts = [[{s for s in group if s[1] == kind} for group in (g, p)] for kind in kinds]
        return np.mean([of_sets(*part) for part in parts]) if parts else np.asarray(0.0)

    def right(predicted: list[list[str]], gold: list[list[str]]) -> Array:
        return of_sets(found(gold), found(predicted))

    def share(of: int) -> Function:
        def value(*sentences: list[list[str]]) -> Array:
            sets = [found(one) for one in sentences]
            return np.asarray(len(sets[0] & sets[1]) / max(len(sets[of]), 1))

        return value

    slips: dict[str, Function] = {
        "This is the accuracy of the tags; count whole entities.": lambda p, g: (
            tokens(g) == tokens(p)
        ).mean(),
        "This is the F1 of single tags; an entity is right only as a whole.": of_tokens,
        "The kind of the entity has no part in it; kind, start and end must be right.": (
            lambda p, g: of_sets(found(g, kinds=False), found(p, kinds=False))
        ),
        "Entities that only overlap are taken for right; start and end must be right.": overlapping,
        "This is the mean of the sentences' F1; count over all sentences together.": by_sentence,
        "This is the mean over the kinds; count all kinds together.": by_kind,
        "Entities of different sentences meet in one set: keep the number of the sentence beside "
        "kind, start and end.": in_one_set,
        "The 2 above the line is missing: the F1 of a perfect tagger is 1.": lambda p, g: (
            right(p, g) / 2
        ),
        "This is the precision; F1 is the harmonic mean of precision and recall.": share(0),
        "This is the recall; F1 is the harmonic mean of precision and recall.": share(1),
        "This is the mean of precision and recall; F1 is their harmonic mean.": lambda p, g: (
            (share(0)(p, g) + share(1)(p, g)) / 2
        ),
    }

    def make(generator: np.random.Generator) -> tuple[list, list]:
        gold = [_random_tags(generator, 7) for _ in range(count)]
        predicted = [
            [
                other if generator.random() < 0.25 else tag
                for tag, other in zip(tags, _random_tags(generator, 7), strict=True)
            ]
            for tags in gold
        ]
        return predicted, gold

    def number_by_index(*sentences: list[list[str]]) -> Array:
        """The number of a sentence is that of the first one with the same tags."""
        p, g = (
            {(each.index(tags), *span) for tags in each for span in spans(tags)}
            for each in sentences
        )
        return of_sets(g, p)

    predicted, gold = telling_apart(make, [right, *slips.values()], seed)
    alike = [["B-PER", "O"], ["B-PER", "O"], ["O", "B-LOC"]]
    expect_answers(
        "entity_f1(predicted, gold)",
        answer,
        {
            "": (predicted, gold),
            "one sentence": (predicted[:1], gold[:1]),
            "no entity right": ([["B-LOC", "O"]], [["B-PER", "O"]]),
            "no entity predicted": ([["O", "O"]], [["B-PER", "O"]]),
            "no entity at all": ([["O", "O"]], [["O", "O"]]),
            "sentences with the same tags": ([alike[0], alike[2], alike[2]], alike),
        },
        right,
        {
            **slips,
            "Two sentences with the same tags get the same number, as list.index gives that of the "
            "first: count the sentences with enumerate.": number_by_index,
        },
        given=given,
    )
