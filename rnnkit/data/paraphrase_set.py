"""Pairs of sentences: the same meaning, or the same words with another meaning."""

import random
from typing import NamedTuple

from rnnkit.data.lexicon import ADJECTIVES, PEOPLE, THINGS
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import columns, draw

# (active, passive)
_DEEDS = (
    ("saw", "seen"),
    ("called", "called"),
    ("helped", "helped"),
    ("followed", "followed"),
    ("found", "found"),
    ("thanked", "thanked"),
    ("taught", "taught"),
    ("paid", "paid"),
)
_GIFTS = (("gave", "given"), ("sold", "sold"), ("sent", "sent"), ("showed", "shown"))
# (more, less)
_SIZES = (("taller", "shorter"), ("older", "younger"), ("richer", "poorer"), ("faster", "slower"))


class ParaphraseSet(NamedTuple):
    """Pairs of sentences, and whether both mean the same.

    Args:
        first: The words of one sentence of each pair.
        second: The words of the other.
        labels: 1 where both mean the same, 0 where they do not.
        hard: True where the meaning hangs on the order: a pair with the same
            two bags of words comes with the other label too.
    """

    first: list[list[str]]
    second: list[list[str]]
    labels: list[int]
    hard: list[bool]


class _Deed(NamedTuple):
    """What happens between two people, {0} and {1}, said in two ways."""

    what: str
    first: str
    second: str


# The two people, what happens, and a second sentence for an easy negative (or "").
_Plan = tuple[str, str, _Deed, str]


@register(
    DataInfo(
        name="paraphrases",
        kind="generated",
        description="pairs of sentences that mean the same or only look so",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def paraphrases(
    count: int = 1000, hard: float = 0.5, split: str = "train", seed: int = 0
) -> ParaphraseSet:
    """Make pairs: "the nurse saw the old pilot" and "the old pilot was seen by the nurse".

    Half of the pairs mean the same. In a hard pair that does not, the two
    people have changed places ("the nurse was seen by the old pilot"): all
    words are the same, so for hard pairs who counts shared words has a chance
    of exactly 1/2. In an easy one the second sentence tells of something else.
    A net must know who did it, in sentences of up to 12 words. Taught in unit
    04, section s18.

    Args:
        count: How many pairs; an even count has as many of either label.
        hard: The share of pairs, of either label, that are hard: 0.0 to 1.0.
        split: "train", "valid" or "test". They share no first sentence, and
            hard pairs no sentence at all.
        seed: The same seed gives the same pairs.

    Returns:
        ``count`` pairs.

    Raises:
        ValueError: A setting is out of its range.

    Example:

    >>> from rnnkit.data import paraphrases
    >>> data = paraphrases(2, hard=1.0, seed=1)
    >>> sorted(data.labels), sorted(data.second[0]) == sorted(data.second[1])
    ([0, 1], True)
    """
    if not 0.0 <= hard <= 1.0:
        raise ValueError(f"hard must be from 0.0 to 1.0. Received: {hard!r}")

    def plan(generator: random.Random) -> _Plan:
        return _plan(generator, hard)

    pairs = draw(count, split, seed, plan, _write, key=_meaning)
    return ParaphraseSet(*columns(pairs, 4))


def _plan(generator: random.Random, hard: float) -> _Plan:
    one, other = _two_people(generator)
    deed = _deed(generator)
    easy_negative = ""
    if generator.random() >= hard:
        easy_negative = _deed(generator).second.format(*_two_people(generator))
    return one, other, deed, easy_negative


def _two_people(generator: random.Random) -> tuple[str, str]:
    one, other = generator.sample(PEOPLE, 2)
    people = [f"the {one[0]}", f"the {generator.choice(ADJECTIVES)} {other[0]}"]
    generator.shuffle(people)
    return people[0], people[1]


def _deed(generator: random.Random) -> _Deed:
    choice = generator.choice
    active, passive = choice(_DEEDS)
    gave, given = choice(_GIFTS)
    more, less = choice(_SIZES)
    thing = choice(THINGS)[0]
    gift = (f"{{0}} {gave} {{1}} a {thing}", f"{{0}} {gave} a {thing} to {{1}}")
    deed = choice(
        (
            (active, f"{{0}} {active} {{1}}", f"{{1}} was {passive} by {{0}}"),
            (f"{gave} {thing}", *gift),
            (f"{gave} {thing}", gift[1], f"{{1}} was {given} a {thing} by {{0}}"),
            (more, f"{{0}} is {more} than {{1}}", f"{{1}} is {less} than {{0}}"),
        )
    )
    what, *ways = deed
    generator.shuffle(ways)
    return _Deed(what, *ways)


def _write(plan: _Plan) -> list[tuple[list[str], list[str], int, bool]]:
    one, other, deed, easy_negative = plan
    is_hard = not easy_negative
    said = deed.first.format(one, other).split()
    same = deed.second.format(one, other).split()
    different = (easy_negative or deed.second.format(other, one)).split()
    return [(said, same, 1, is_hard), (said, different, 0, is_hard)]


def _meaning(plan: _Plan) -> tuple[str, ...]:
    """The two people and what happens; who does it does not matter."""
    one, other, deed, _ = plan
    return (*sorted((one, other)), deed.what)
