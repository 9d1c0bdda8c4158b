"""Grammatical sentences, and the same words made ungrammatical."""

import random
from typing import NamedTuple

from rnnkit.data.lexicon import ADJECTIVES, PEOPLE, THINGS, TRANSITIVE
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import columns, draw

KINDS = ("agreement", "order", "reflexive")

_PREPOSITIONS = ("near", "behind", "beside", "with", "opposite")
_INTRANSITIVE = (
    ("sleeps", "sleep"),
    ("waits", "wait"),
    ("sings", "sing"),
    ("works", "work"),
    ("laughs", "laugh"),
    ("rests", "rest"),
)
_ADVERBS = ("today", "here", "again", "alone", "often", "now", "slowly", "outside")
_HERSELF = ("woman", "mother", "queen", "sister", "girl", "aunt", "daughter")
_HIMSELF = ("man", "father", "king", "brother", "boy", "uncle", "son")
_PAST = ("saw", "hurt", "blamed", "helped", "praised", "drew", "described", "washed")
# Two neighbours that change places: "the old nurse sees the map".
_SWAPS = ((0, 1), (1, 2), (3, 4), (4, 5))


class AcceptabilitySet(NamedTuple):
    """Sentences and whether they are grammatical.

    Args:
        sentences: The words of each sentence.
        labels: 1 for a grammatical sentence, 0 for another.
        kinds: What is right or wrong in it: "agreement", "order" or
            "reflexive".
    """

    sentences: list[list[str]]
    labels: list[int]
    kinds: list[str]


# A kind, and sentences with their labels, right and wrong by turns.
_Plan = tuple[str, tuple[tuple[str, int], ...]]


@register(
    DataInfo(
        name="acceptability",
        kind="generated",
        description="grammatical sentences, and ungrammatical ones of the same words",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def acceptability(count: int = 1000, split: str = "train", seed: int = 0) -> AcceptabilitySet:
    """Make sentences to be judged: grammatical or not.

    Three things go wrong, equally often: the verb agrees with the wrong noun
    ("the nurse near the boats sleep"), a reflexive refers to the wrong one
    ("the king near the girl washed herself"), two neighbours change places.
    Each bag of words comes as often right as wrong, so who does not look at
    the order has a chance of exactly 1/2, an MCC of 0. A net must keep the
    number or the gender of the subject over five words. Taught in unit 04,
    section s17.

    Args:
        count: How many sentences; an even count has as many right as wrong.
        split: "train", "valid" or "test". They share no sentence.
        seed: The same seed gives the same sentences.

    Returns:
        ``count`` sentences.

    Raises:
        ValueError: ``count`` or ``split`` is out of its range.

    Example:

    >>> from rnnkit.data import acceptability
    >>> data = acceptability(400, seed=1)
    >>> sum(data.labels)
    200
    """
    examples = draw(count, split, seed, _plan, _write, key=_first_sentence)
    return AcceptabilitySet(*columns(examples, 3))


def _plan(generator: random.Random) -> _Plan:
    # A plan of the kind "order" has two sentences, the others have four.
    kind = generator.choice(("agreement", "order", "order", "reflexive"))
    make = {"agreement": _agreement, "order": _order, "reflexive": _reflexive}[kind]
    return kind, make(generator)


def _write(plan: _Plan) -> list[tuple[list[str], int, str]]:
    kind, sentences = plan
    return [(sentence.split(), label, kind) for sentence, label in sentences]


def _first_sentence(plan: _Plan) -> str:
    return plan[1][0][0]


def _agreement(generator: random.Random) -> tuple[tuple[str, int], ...]:
    one, several = generator.sample(PEOPLE, 2)
    singular = f"the {one[0]}"
    plural = f"the {several[1]}"
    near, adverb = generator.choice(_PREPOSITIONS), generator.choice(_ADVERBS)
    sleeps, sleep = generator.choice(_INTRANSITIVE)
    return (
        (f"{singular} {near} {plural} {sleeps} {adverb}", 1),
        (f"{singular} {near} {plural} {sleep} {adverb}", 0),
        (f"{plural} {near} {singular} {sleep} {adverb}", 1),
        (f"{plural} {near} {singular} {sleeps} {adverb}", 0),
    )


def _reflexive(generator: random.Random) -> tuple[tuple[str, int], ...]:
    girl, king = generator.choice(_HERSELF), generator.choice(_HIMSELF)
    near, washed = generator.choice(_PREPOSITIONS), generator.choice(_PAST)
    adverb = generator.choice(_ADVERBS)
    return (
        (f"the {girl} {near} the {king} {washed} herself {adverb}", 1),
        (f"the {girl} {near} the {king} {washed} himself {adverb}", 0),
        (f"the {king} {near} the {girl} {washed} himself {adverb}", 1),
        (f"the {king} {near} the {girl} {washed} herself {adverb}", 0),
    )


def _order(generator: random.Random) -> tuple[tuple[str, int], ...]:
    choice = generator.choice
    number = choice((0, 1))
    subject = f"the {choice(ADJECTIVES)} {choice(PEOPLE)[number]}"
    thing = choice(THINGS)[choice((0, 1))]
    words = f"{subject} {choice(TRANSITIVE)[number]} the {thing}".split()
    first, second = choice(_SWAPS)
    swapped = list(words)
    swapped[first], swapped[second] = words[second], words[first]
    return (" ".join(words), 1), (" ".join(swapped), 0)
