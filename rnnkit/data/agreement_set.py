"""Subject and verb, with nouns of the other number between them."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from rnnkit.data.lexicon import PEOPLE, THINGS, TRANSITIVE
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import columns, draw

MOST_BETWEEN = 4

_PREPOSITIONS = ("of", "near", "behind", "beside", "with", "opposite")
# (singular, plural, what may follow)
_VERBS = (
    ("is", "are", ("here", "old", "well known", "not new")),
    ("was", "were", ("there", "late", "hard to find", "in the hall")),
    ("has", "have", ("a name", "a long history", "no number", "many friends")),
    ("stands", "stand", ("in the hall", "by the wall", "still", "in the rain")),
    ("looks", "look", ("strange", "good", "very tired", "like new")),
    ("needs", "need", ("some care", "help", "a place", "more light")),
    ("seems", "seem", ("quiet", "to move", "lost", "far away")),
    ("stays", "stay", ("in town", "at home", "dry", "where it rains")),
)


class AgreementSet(NamedTuple):
    """Beginnings of sentences, and the verb that must come next.

    Args:
        prefixes: The words before the verb: "the writer of the books" in a
            list.
        right: The form of the verb that agrees: "is".
        wrong: The other form: "are".
        numbers: "singular" or "plural": the number of the subject.
        attractors: How many nouns of the other number stand between subject
            and verb.
        distances: How many words after the subject the verb comes.
        rests: The words after the verb.
    """

    prefixes: list[list[str]]
    right: list[str]
    wrong: list[str]
    numbers: list[str]
    attractors: list[int]
    distances: list[int]
    rests: list[list[str]]

    @property
    def sentences(self) -> list[list[str]]:
        """The whole sentences with the right verb: text to train a language model on."""
        parts = zip(self.prefixes, self.right, self.rests, strict=True)
        return [[*prefix, verb, *rest] for prefix, verb, rest in parts]


class _Noun(NamedTuple):
    forms: tuple[str, str]
    same: bool  # has the subject's number
    preposition: str
    verb: tuple[str, str] | None = None  # in a clause: "that the nurse knows"


class _Plan(NamedTuple):
    opening: _Noun | None
    subject: tuple[str, str]
    between: tuple[_Noun, ...]
    verb: tuple[str, str]
    rest: str


class _Example(NamedTuple):
    prefix: list[str]
    right: str
    wrong: str
    number: str
    attractors: int
    distance: int
    rest: list[str]


@register(
    DataInfo(
        name="agreement",
        kind="generated",
        description="subjects and verbs with nouns of the other number between them",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def agreement(
    count: int = 1000,
    attractors: Sequence[int] = (0, 1, 2, 3, 4),
    split: str = "train",
    seed: int = 0,
) -> AgreementSet:
    """Make sentences such as "the writer of the books is here".

    Between subject and verb stand up to four nouns, each after a preposition
    or in a clause with a verb of its own; attractors have the other number
    than the subject. Half of the sentences open with one more noun ("near the
    keys , ..."), so the first noun is not always the subject. A net must find
    the subject and keep its number, one bit, over up to 20 words.

    Each sentence has a twin with all numbers turned round, so the choice
    between the two verb forms has a chance of exactly 1/2 for who knows how
    frequent the forms are. The form that agrees with the nearest noun is right
    in every sentence without attractors, in about 1/2 of those
    with one attractor, in about 1/4 with two, 1/8 with three and in none with
    four. Taught in unit 03, section s12.

    Args:
        count: How many sentences; an even count keeps all twins.
        attractors: The numbers of attractors to choose from, evenly; each from
            0 to 4.
        split: "train", "valid" or "test". They share no beginning.
        seed: The same seed gives the same sentences.

    Returns:
        ``count`` sentences, cut at the verb.

    Raises:
        ValueError: A setting is out of its range.

    Example:

    >>> from rnnkit.data import agreement
    >>> data = agreement(100, attractors=[1], seed=1)
    >>> set(data.attractors), sorted(set(data.numbers))
    ({1}, ['plural', 'singular'])
    >>> data.sentences[0] == [*data.prefixes[0], data.right[0], *data.rests[0]]
    True
    """
    if not attractors or any(number not in range(MOST_BETWEEN + 1) for number in attractors):
        raise ValueError(
            f"attractors must be a list of numbers from 0 to {MOST_BETWEEN}. "
            f"Received: {attractors!r}"
        )

    def plan(generator: random.Random) -> _Plan:
        return _plan(generator, generator.choice(attractors))

    examples = draw(count, split, seed, plan, _write_twins, key=_beginning)
    return AgreementSet(*columns(examples, 7))


def _plan(generator: random.Random, attractors: int) -> _Plan:
    choice = generator.choice
    others = generator.randint(0, MOST_BETWEEN - attractors)
    same_number = [False] * attractors + [True] * others
    generator.shuffle(same_number)
    nouns = PEOPLE + THINGS
    between = [_Noun(choice(nouns), same, choice(_PREPOSITIONS)) for same in same_number]
    if between and generator.random() < 0.3:
        between[-1] = _Noun(choice(PEOPLE), between[-1].same, "that", choice(TRANSITIVE))
    opening = None
    if generator.random() < 0.5:
        opening = _Noun(choice(nouns), generator.random() < 0.5, choice(_PREPOSITIONS[1:]))
    singular, plural, rests = choice(_VERBS)
    return _Plan(opening, choice(nouns), tuple(between), (singular, plural), choice(rests))


def _beginning(plan: _Plan) -> tuple[object, ...]:
    return plan.opening, plan.subject, plan.between


def _write_twins(plan: _Plan) -> list[_Example]:
    return [_write(plan, number) for number in (0, 1)]


def _write(plan: _Plan, number: int) -> _Example:
    """Write a plan with a subject in the singular (0) or plural (1)."""
    words: list[str] = []
    if plan.opening:
        words += [*_phrase(plan.opening, number), ","]
    words += ["the", plan.subject[number]]
    place_of_subject = len(words) - 1
    for noun in plan.between:
        words += _phrase(noun, number)
    return _Example(
        prefix=words,
        right=plan.verb[number],
        wrong=plan.verb[1 - number],
        number=("singular", "plural")[number],
        attractors=sum(not noun.same for noun in plan.between),
        distance=len(words) - place_of_subject,
        rest=plan.rest.split(),
    )


def _phrase(noun: _Noun, number: int) -> list[str]:
    own_number = number if noun.same else 1 - number
    words = [noun.preposition, "the", noun.forms[own_number]]
    return [*words, noun.verb[own_number]] if noun.verb else words
