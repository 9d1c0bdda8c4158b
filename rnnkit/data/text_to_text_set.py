"""Many tasks in one form: a text goes in, a text comes out."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import columns, draw

_WORDS = (
    *("apple", "bread", "cloud", "desk", "earth", "flag", "glass", "hat", "ink", "jar"),
    *("kite", "leaf", "moon", "nest", "owl", "pen", "queen", "ring", "shoe", "tent"),
)
_NAMES = ("anna", "ben", "carla", "david", "emma", "felix", "greta", "hugo")
_CITIES = ("oslo", "lima", "cairo", "kyoto", "dublin", "quebec", "sofia", "delhi")
_COLOURS = ("red", "blue", "green", "yellow", "black", "white")
_THINGS = ("ball", "kite", "bag", "boat", "bike", "coat", "clock", "lamp")
_PLACES = ("in the kitchen", "on the table", "under the bed", "by the door", "in the car")
_FEELINGS = ("sad", "happy", "tired", "angry", "afraid", "bored")

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ROLES = ("mayor", "police", "army", "council", "museum", "bank")
# (in the report, in the headline)
_DEEDS = (("opened", "opens"), ("closed", "closes"), ("bought", "buys"), ("sold", "sells"))
_BUILDINGS = ("bridge", "school", "park", "theatre", "station", "library")
_DETAILS = (
    "after two years of work",
    "in spite of the rain",
    "as many people had hoped",
    "and nobody was surprised",
    "for the first time since the war",
)

_NOUNS = ("cat", "dog", "bird", "girl", "boy", "horse", "king", "fox")
_ADJECTIVES = ("old", "small", "quick", "grey", "loud", "kind")
_VERBS = ("sees", "hears", "likes", "follows", "finds", "knows")

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_LETTERS = ("x", "y", "z", "n")
_OPERATIONS = (("sum", "+"), ("product", "*"), ("difference", "-"))

Pair = tuple[str, str]


class TextToTextSet(NamedTuple):
    """Texts in, texts out. Tokens stand between single spaces.

    Args:
        sources: "reverse : owl pen".
        targets: "pen owl".
        tasks: The task of each pair, as its source names it: "reverse".
    """

    sources: list[str]
    targets: list[str]
    tasks: list[str]


def _copy(generator: random.Random) -> Pair:
    words = _some_words(generator)
    return " ".join(words), " ".join(words)


def _reverse(generator: random.Random) -> Pair:
    words = _some_words(generator)
    return " ".join(words), " ".join(words[::-1])


def _sort(generator: random.Random) -> Pair:
    words = _some_words(generator)
    return " ".join(words), " ".join(sorted(words))


def _some_words(generator: random.Random) -> list[str]:
    return generator.sample(_WORDS, generator.randint(3, 6))


def _summarise(generator: random.Random) -> Pair:
    """A report of one sentence, and its headline."""
    choice = generator.choice
    role, city, building = choice(_ROLES), choice(_CITIES), choice(_BUILDINGS)
    past, headline = choice(_DEEDS)
    report = (
        f"on {choice(_DAYS)} the {role} of {city} {past} the {choice(_ADJECTIVES)} "
        f"{building} near the river {choice(_DETAILS)} ."
    )
    return report, f"{city} {role} {headline} {building}"


def _answer(generator: random.Random) -> Pair:
    """Two facts and a question about one of them."""
    names = generator.sample(_NAMES, 2)
    things = generator.sample(_THINGS, 2)
    colours = generator.sample(_COLOURS, 2)
    facts = [
        f"{name} has a {colour} {thing} ."
        for name, colour, thing in zip(names, colours, things, strict=True)
    ]
    asked = generator.randrange(2)
    question, answer = generator.choice(
        (
            (f"who has a {things[asked]} ?", names[asked]),
            (f"who has something {colours[asked]} ?", names[asked]),
            (f"what does {names[asked]} have ?", f"a {colours[asked]} {things[asked]}"),
            (f"what colour is the {things[asked]} ?", colours[asked]),
        )
    )
    return f"{' '.join(facts)} {question}", answer


def _reply(generator: random.Random) -> Pair:
    """What someone says, and a polite reply that takes up what was said."""
    choice = generator.choice
    name, city, colour = choice(_NAMES), choice(_CITIES), choice(_COLOURS)
    thing, place, feeling = choice(_THINGS), choice(_PLACES), choice(_FEELINGS)
    return choice(
        (
            (f"hello , i am {name} from {city} .", f"nice to meet you , {name} ."),
            (f"i am {feeling} today , {name} .", f"why are you {feeling} ?"),
            (f"have you seen my {colour} {thing} ?", f"no , where did you put the {thing} ?"),
            (f"the {colour} {thing} is {place} .", f"i will look {place} ."),
            (f"{name} went to {city} with a {thing} .", f"when will {name} come back ?"),
        )
    )


def _parse(generator: random.Random) -> Pair:
    """A sentence, and its tree in brackets."""
    subject, subject_tree = _noun_phrase(generator)
    object_, object_tree = _noun_phrase(generator)
    verb = generator.choice(_VERBS)
    tree = f"( s {subject_tree} ( vp {verb} {object_tree} ) )"
    return f"{subject} {verb} {object_}", tree


def _noun_phrase(generator: random.Random) -> Pair:
    words = [generator.choice(("the", "a")), generator.choice(_NOUNS)]
    if generator.random() < 0.5:
        words.insert(1, generator.choice(_ADJECTIVES))
    phrase = " ".join(words)
    return phrase, f"( np {phrase} )"


def _code(generator: random.Random) -> Pair:
    """An expression in words, and in Python."""
    said, written = _expression(generator, depth=2)
    return f"print {said}", f"print ( {written} )"


def _expression(generator: random.Random, depth: int) -> Pair:
    if depth == 0:
        number = generator.randrange(len(_NUMBERS))
        letter = generator.choice(_LETTERS)
        return generator.choice(((_NUMBERS[number], str(number)), (letter, letter)))
    name, sign = generator.choice(_OPERATIONS)
    left, left_code = _expression(generator, generator.randrange(depth))
    right, right_code = _expression(generator, generator.randrange(depth))
    operands = [code if len(code) == 1 else f"( {code} )" for code in (left_code, right_code)]
    return f"the {name} of {left} and {right}", f" {sign} ".join(operands)


_MAKERS: dict[str, Callable[[random.Random], Pair]] = {
    "copy": _copy,
    "reverse": _reverse,
    "sort": _sort,
    "summarise": _summarise,
    "answer": _answer,
    "reply": _reply,
    "parse": _parse,
    "code": _code,
}
TASKS = tuple(_MAKERS)


@register(
    DataInfo(
        name="text_to_text",
        kind="generated",
        description="eight tasks in one form: copy, sort, summarise, answer, reply, parse, ...",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def text_to_text(
    count: int = 1000, tasks: Sequence[str] = TASKS, split: str = "train", seed: int = 0
) -> TextToTextSet:
    """Make pairs of many tasks, each source with its task before a colon.

    copy, reverse and sort: three to six words out of 20. summarise: a report
    of one sentence to its headline. answer: two facts and a question. reply: a
    line of a dialogue to the next. parse: a sentence to a tree in brackets.
    code: an expression in words to Python. Each source has exactly one right
    target, so exact match is a fair measure; chance is near 0. A net must read
    the task first and keep it, with the words that its target needs. Taught in
    unit 05, section s24.

    Args:
        count: How many pairs.
        tasks: The tasks to choose from, evenly.
        split: "train", "valid" or "test". They share no source.
        seed: The same seed gives the same pairs.

    Returns:
        ``count`` pairs, tasks mixed.

    Raises:
        ValueError: A task is unknown, or another setting is out of its range.

    Example:

    >>> from rnnkit.data import text_to_text
    >>> data = text_to_text(1, tasks=["sort"], seed=1)
    >>> words = data.sources[0].removeprefix("sort : ").split()
    >>> data.targets[0].split() == sorted(words)
    True
    """
    if isinstance(tasks, str) or not tasks or any(task not in TASKS for task in tasks):
        raise ValueError(f"tasks must be a list of some of {', '.join(TASKS)}. Received: {tasks!r}")

    def plan(generator: random.Random) -> tuple[str, str, str]:
        task = generator.choice(tasks)
        source, target = _MAKERS[task](generator)
        return f"{task} : {source}", target, task

    rows = draw(count, split, seed, plan, write=lambda row: [row], key=lambda row: row[0])
    return TextToTextSet(*columns(rows, 3))
