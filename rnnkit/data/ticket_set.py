"""A word that was said early and must be said again much later."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import columns, draw

ITEMS = (
    *("tickets", "letters", "photos", "poems", "maps", "labels", "posters", "recipes"),
    *("tools", "shoes", "candles", "flowers", "keys", "cards", "stamps", "glasses"),
)

_NAMES = ("anna", "omar", "mei", "pavel", "rosa", "kofi", "lena", "ivan")
_OPENINGS = (
    "{name} promised to bring the {item} .",
    "{name} had to fetch the {item} .",
    "this is about {name} and the {item} .",
)
# Five words each, and each names another item.
_DISTRACTORS = (
    "nobody wanted the {item} .",
    "the {item} were old .",
    "someone sold all {item} .",
    "there were no {item} .",
)
# One of each length from 3 to 7 at least, so that any length can be made.
_FILLERS = (
    "it rained .",
    "time passed .",
    "a dog barked .",
    "the sun came out .",
    "nobody was at home .",
    "the road was very long .",
    "a bus came late that day .",
    "the train stopped in the valley .",
    "people waited in front of it .",
)
# The end, after what is missing to the right length: 0, 1 or 2 words.
_CLOSINGS = (
    "at last {name} brought the",
    "at last {name} really brought the",
    "at last {name} came and brought the",
)
_DISTRACTOR_LENGTH = 5
_SHORTEST_FILLER = 3
_LONGEST_FILLER = max(len(filler.split()) for filler in _FILLERS)
# By the number of words that there is room for.
_FITTING = [
    [filler for filler in _FILLERS if len(filler.split()) <= room]
    for room in range(_LONGEST_FILLER + 1)
]


class TicketSet(NamedTuple):
    """Stories that end in a word of their first sentence.

    Args:
        sentences: The words of each story, the last word with it.
        answers: The last words: "tickets".
        distances: How many words after its first mention the last word comes.
        first_positions: The index of the first mention in the story.
    """

    sentences: list[list[str]]
    answers: list[str]
    distances: list[int]
    first_positions: list[int]


class _Plan(NamedTuple):
    name: str
    opening: str
    answer: str
    before: str  # another thing, named before the answer, or ""
    between: tuple[str, ...]  # things that are named after the answer
    distance: int


@register(
    DataInfo(
        name="tickets",
        kind="generated",
        description="stories whose last word was said once, many words before",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def tickets(
    count: int = 1000,
    distances: Sequence[int] = (20, 40, 80),
    distractors: int = 2,
    split: str = "train",
    seed: int = 0,
) -> TicketSet:
    """Make stories such as "anna promised to bring the tickets . ... brought the tickets".

    Someone is to bring something; other things are mentioned, the weather
    changes; at last that person brings it. The last word is one of 16, drawn
    evenly: chance is 1/16, or ``1 / (16 - distractors)`` for who only leaves
    out what was mentioned last. Half of the stories mention another thing
    before the right one, so the first thing is not always right. A net must
    keep one word of 16, through ``distances`` words. Taught in unit 03,
    section s13.

    Args:
        count: How many stories.
        distances: The distances to choose from, evenly, in words: how many
            words after its first mention the last word comes.
        distractors: How many other things are mentioned between.
        split: "train", "valid" or "test". They share no story.
        seed: The same seed gives the same stories.

    Returns:
        ``count`` stories.

    Raises:
        ValueError: A distance is too short for the distractors, or another
            setting is out of its range.

    Example:

    >>> from rnnkit.data import tickets
    >>> data = tickets(1, distances=[20], seed=1)
    >>> story, first = data.sentences[0], data.first_positions[0]
    >>> story[first] == story[first + 20] == story[-1] == data.answers[0]
    True
    """
    if distractors not in range(len(ITEMS) - 1):
        raise ValueError(
            f"distractors must be from 0 to {len(ITEMS) - 2}. Received: {distractors!r}"
        )
    # A stop, the distractors, the shortest end, the word itself.
    shortest = 1 + distractors * _DISTRACTOR_LENGTH + len(_CLOSINGS[0].split()) + 1
    if not distances or min(distances) < shortest:
        raise ValueError(
            f"with distractors={distractors}, distances must be a list of numbers from {shortest} "
            f"up. Received: {distances!r}"
        )

    def plan(generator: random.Random) -> tuple[_Plan, int]:
        return _plan(generator, generator.choice(distances), distractors), generator.getrandbits(32)

    def write(planned: tuple[_Plan, int]) -> list[tuple[list[str], str, int, int]]:
        story, seed_of_fillers = planned
        return [_write(story, random.Random(seed_of_fillers), room=story.distance - shortest)]

    stories = draw(count, split, seed, plan, write, key=lambda planned: planned[0])
    return TicketSet(*columns(stories, 4))


def _plan(generator: random.Random, distance: int, distractors: int) -> _Plan:
    answer, before, *between = generator.sample(ITEMS, distractors + 2)
    return _Plan(
        name=generator.choice(_NAMES),
        opening=generator.choice(_OPENINGS),
        answer=answer,
        before=before if generator.random() < 0.5 else "",
        between=tuple(sorted(between)),
        distance=distance,
    )


def _write(plan: _Plan, generator: random.Random, room: int) -> tuple[list[str], str, int, int]:
    opening = plan.opening.format(name=plan.name, item=plan.answer).split()
    if plan.before:
        opening = [*f"there were {plan.before} here .".split(), *opening]
    sentences = [generator.choice(_DISTRACTORS).format(item=item) for item in plan.between]
    while room >= _SHORTEST_FILLER:
        filler = generator.choice(_FITTING[min(room, _LONGEST_FILLER)])
        sentences.append(filler)
        room -= filler.count(" ") + 1
    generator.shuffle(sentences)
    closing = _CLOSINGS[room].format(name=plan.name)
    words = [*opening, *" ".join([*sentences, closing]).split(), plan.answer]
    return words, plan.answer, plan.distance, opening.index(plan.answer)
