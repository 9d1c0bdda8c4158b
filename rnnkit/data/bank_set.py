"""Words with two meanings, where only what follows tells which."""

import random
from typing import NamedTuple

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import columns, draw

OTHER, NATURE, PEOPLE = "other", "nature", "people"

_BEFORE = (
    "the",
    "yesterday we saw that the",
    "my sister wrote that the",
    "in this story the",
    "everyone here knows that the",
    "i remember how the",
    "it is true that the",
    "they say the",
)
_ADJECTIVES = ("", "old", "large", "small", "famous", "strange", "beautiful", "second")
_AFTER = (
    "",
    "that we talked about",
    "from your picture",
    "that my sister likes so much",
    "which everyone here knows",
    "that you can see from here",
)
# Word: (endings where it is a part of nature, endings where people made it or are meant).
_WORDS = {
    "bank": (
        ("consists of the two sides of the river", "is covered with reeds", "was washed away"),
        ("lends money to farmers", "has closed all accounts", "pays no interest"),
    ),
    "bat": (
        ("sleeps in a cave by day", "catches insects at night", "spreads its wings"),
        ("is made of ash wood", "broke when he hit the ball", "belongs to the team"),
    ),
    "crane": (
        ("lays two eggs", "catches fish with its beak", "flies south in autumn"),
        ("lifts steel onto the roof", "needs a new motor", "loads ships in the harbour"),
    ),
    "seal": (
        ("swims under the ice", "feeds its young with milk", "dives for fish"),
        ("on the envelope is broken", "was pressed into hot wax", "makes the contract valid"),
    ),
    "mouse": (
        ("eats cheese in the kitchen", "ran from the cat", "hides its young in straw"),
        ("has two buttons and a wheel", "needs a new battery", "moves the arrow on the screen"),
    ),
    "spring": (
        ("gives cold water all year", "feeds a brook in the wood", "dries up in august"),
        ("in the mattress is bent", "is made of steel wire", "pushes the door shut"),
    ),
    "trunk": (
        ("has grown for a hundred years", "is covered with bark", "has ivy on it"),
        ("is packed for the journey", "has a lock and two handles", "was lost at the station"),
    ),
    "branch": (
        ("carries leaves and apples", "broke off in the storm", "holds a nest"),
        ("has forty employees", "sells insurance in the city", "opens at nine o'clock"),
    ),
    "plant": (
        ("has yellow flowers", "needs rain and good soil", "grows from a seed"),
        ("employs a thousand workers", "makes engines for cars", "was closed by its owners"),
    ),
    "rock": (
        ("fell from the cliff", "is covered with moss", "contains iron and copper"),
        ("on the radio is too loud", "was played by a band", "has guitars and drums in it"),
    ),
    "star": (
        ("is a thousand light years away", "shines above the horizon", "will burn out one day"),
        ("signs books after the show", "has played in ten films", "sings at the opera"),
    ),
    "nail": (
        ("grows three millimetres a month", "of my thumb hurts", "must be cut once a week"),
        ("is made of iron", "was driven into the board", "holds the picture on the wall"),
    ),
}


class BankSet(NamedTuple):
    """Sentences with one ambiguous word each, and its meaning.

    Args:
        sentences: The words of each sentence.
        labels: A label for each word: "nature" or "people" for the ambiguous
            one, "other" for the rest.
        positions: The index of the ambiguous word.
        meanings: Its label: "nature" or "people".
    """

    sentences: list[list[str]]
    labels: list[list[str]]
    positions: list[int]
    meanings: list[str]


class _Plan(NamedTuple):
    before: str
    word: str
    after: str
    endings: tuple[int, int]  # of either meaning


@register(
    DataInfo(
        name="bank_sentences",
        kind="generated",
        description="words with two meanings, told apart only by what follows",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def bank_sentences(count: int = 1000, split: str = "train", seed: int = 0) -> BankSet:
    """Make sentences such as "the bank consists of the two sides of the river".

    Twelve words (bank, bat, crane, ...) name a part of nature, or something of
    people. Each beginning of a sentence, up to a few words after the ambiguous
    one, comes as often with an ending for either meaning. So a net that reads
    from left to right has a chance of exactly 1/2 at the ambiguous word,
    however much it has learned; one that reads from right to left too can be
    right always. Taught in unit 04, section s16.

    Args:
        count: How many sentences; an even count has as many of each meaning.
        split: "train", "valid" or "test". They share no beginning.
        seed: The same seed gives the same sentences.

    Returns:
        ``count`` sentences.

    Raises:
        ValueError: ``count`` or ``split`` is out of its range.

    Example:

    >>> from rnnkit.data import bank_sentences
    >>> data = bank_sentences(2, seed=1)
    >>> place = data.positions[0]
    >>> data.sentences[0][: place + 1] == data.sentences[1][: place + 1]
    True
    >>> sorted(data.meanings)
    ['nature', 'people']
    """
    examples = draw(count, split, seed, _plan, _write, key=_beginning)
    return BankSet(*columns(examples, 4))


def _plan(generator: random.Random) -> _Plan:
    choice = generator.choice
    before = f"{choice(_BEFORE)} {choice(_ADJECTIVES)}".strip()
    word = choice(tuple(_WORDS))
    nature, people = _WORDS[word]
    endings = generator.randrange(len(nature)), generator.randrange(len(people))
    return _Plan(before, word, choice(_AFTER), endings)


def _beginning(plan: _Plan) -> tuple[str, str, str]:
    return plan.before, plan.word, plan.after


def _write(plan: _Plan) -> list[tuple[list[str], list[str], int, str]]:
    """Write one beginning with an ending for each meaning."""
    position = len(plan.before.split())
    examples = []
    for meaning, endings, which in zip(
        (NATURE, PEOPLE), _WORDS[plan.word], plan.endings, strict=True
    ):
        words = f"{plan.before} {plan.word} {plan.after} {endings[which]}".split()
        labels = [OTHER] * len(words)
        labels[position] = meaning
        examples.append((words, labels, position, meaning))
    return examples
