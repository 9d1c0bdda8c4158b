"""Common words that can be two things, in plain English sentences."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_count, check_split, columns

NOUN, VERB = "NOUN", "VERB"

# Each is a noun and a verb, in this form.
NOUN_OR_VERB = (
    *("play", "work", "walk", "talk", "help", "call", "run", "visit", "answer", "plan"),
    *("report", "fight", "ride", "rest", "look", "move", "change", "start", "stop", "study"),
    *("dance", "watch", "drink", "order"),
)
_HOLE = "_"  # where the ambiguous word stands
# Of the contexts of each kind, those that are left over are for training.
_NOUN_CONTEXTS = (
    "The _ was over before noon .",
    "It was a very long _ .",
    "This _ made her famous .",
    "After the _ we went home .",
    "They needed another _ .",
    "He told us about the _ .",
    "Every _ takes time .",
    "There was no _ that day .",
    "Her _ surprised the whole team .",
    "What a _ it was !",
    "Nobody expected such a _ .",
    "Our _ with them went well .",
    "I remember his last _ .",
    "That _ is still going on .",
    "My first _ was not easy .",
    "Some of us liked the new _ best .",
)
_VERB_CONTEXTS = (
    "They _ in the evening .",
    "We often _ with our friends .",
    "I want to _ before noon .",
    "Many people _ there every day .",
    "She will _ again next week .",
    "Did he _ this morning ?",
    "Let us _ together .",
    "People who _ a lot are happy .",
    "I never _ on Sundays .",
    "It is time to _ now .",
    "The children _ after school .",
    "You should _ more .",
    "We had to _ for an hour .",
    "He could not _ any more .",
    "When do you _ ?",
    "All of them _ well .",
)
# Word: meaning: contexts, eight for each.
SENSES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "bank": {
        "money": (
            "He put all his money in the _ .",
            "The _ gave them a loan for the house .",
            "She works at a _ in the city .",
            "Every _ has to keep some cash .",
            "I have an account at this _ .",
            "The _ wants more for its credit .",
            "They paid the _ two hundred dollars .",
            "Ask your _ about the cost of the account .",
        ),
        "river": (
            "We sat on the _ of the river .",
            "The boat came to the left _ of the water .",
            "Trees grow along the south _ of the lake .",
            "They walked down the _ to the water .",
            "The town lies on the east _ of the river .",
            "Birds live in the grass on the _ .",
            "The army crossed to the other _ of the river .",
            "He fell from the _ into the water .",
        ),
    },
    "party": {
        "celebration": (
            "She is having a birthday _ at home .",
            "We had a great _ last night .",
            "There was music at the _ .",
            "He invited all his friends to the _ .",
            "The _ went on until the morning .",
            "I will bring some food to your _ .",
            "What are you going to wear to the _ tonight ?",
            "It was a fun _ with lots of dancing .",
        ),
        "politics": (
            "The _ lost the election .",
            "He is the leader of a political _ .",
            "The Democratic _ has a new president .",
            "No _ won enough votes in the state .",
            "She joined the Communist _ in 1930 .",
            "The president left his _ after the war .",
            "Members of the _ voted against the law .",
            "The _ formed a new government .",
        ),
    },
    "letter": {
        "mail": (
            "She wrote a long _ to her mother .",
            "Thank you for your _ of June 3 .",
            "He sent the _ to the president .",
            "I received a _ from an old friend .",
            "The _ said that he was well .",
            "They never answered my _ .",
            "Please read the _ that came today .",
            "He signed the _ and sent it to the company .",
        ),
        "alphabet": (
            "The name begins with the _ A .",
            "Each word starts with a capital _ .",
            "The first _ of the word is B .",
            "Write the last _ of each name .",
            "There is one _ too many in that word .",
            "The _ E comes more often than any other .",
            "This word ends with the _ S .",
            "Every _ of the title is in a different color .",
        ),
    },
    "star": {
        "sky": (
            "The sun is a _ .",
            "We saw a bright _ in the night sky .",
            "The planet moves around its _ .",
            "A _ of this size lives a billion years .",
            "Light from the _ takes many years to reach the earth .",
            "Each _ has a different mass .",
            "The _ is much larger than our sun .",
            "One small _ could be seen above the sea .",
        ),
        "person": (
            "She became a movie _ in the 1950s .",
            "The _ of the show is a young actor .",
            "He is a big _ in Hollywood .",
            "Every fan wanted to meet the rock _ .",
            "The _ of the film won an award .",
            "They paid the _ a million dollars .",
            "A famous _ played the role of the king .",
            "The show made the young singer a _ .",
        ),
    },
    "paper": {
        "material": (
            "Write your name on a piece of _ .",
            "The box is made of _ .",
            "She cut the _ with a knife .",
            "Put some clean _ under the food .",
            "He drew a map on white _ .",
            "We need pens and _ for school .",
            "The bag was full of old _ and glass .",
            "There was no _ left in the box .",
        ),
        "press": (
            "I read about the game in the _ .",
            "The _ reported the story on Monday .",
            "She writes for a local _ .",
            "The _ said that the president was ill .",
            "Every morning he buys the _ at the station .",
            "The editor of the _ lost his job .",
            "According to the _ , two people were killed .",
            "He told the _ that he would not resign .",
        ),
    },
    "interest": {
        "money": (
            "The bank pays four percent _ .",
            "The _ on the loan is too high .",
            "They cut the _ rate again .",
            "You have to pay _ on your debt .",
            "The money earned _ for ten years .",
            "He could not pay the _ to the bank .",
            "The rate of _ went up by two percent .",
            "We got the money back with _ .",
        ),
        "attention": (
            "She has no _ in politics .",
            "He showed great _ in the work .",
            "My _ in music began at school .",
            "The story is of _ to many people .",
            "The children lost _ in the game .",
            "There was a lot of public _ in the case .",
            "They took an _ in the history of the town .",
            "Thank you for your _ in our program .",
        ),
    },
    "state": {
        "country": (
            "He was born in the _ of Texas .",
            "The law of this _ is different .",
            "She moved to a southern _ .",
            "Every _ has two votes .",
            "The _ and the city pay for the road .",
            "The governor of the _ was there .",
            "The river runs through the _ of New York .",
            "Israel became a _ in 1948 .",
        ),
        "condition": (
            "The house is in a bad _ .",
            "He was in a _ of shock .",
            "What is the _ of the art now ?",
            "The doctor asked about her mental _ .",
            "The engine is in a good _ .",
            "The water was in its natural _ .",
            "They found the body in a terrible _ .",
            "She was in no _ to drive .",
        ),
    },
    "right": {
        "side": (
            "Turn to the _ at the next street .",
            "The door on the _ was open .",
            "The man on the far _ is my father .",
            "Look to the _ before you cross the road .",
            "The store is on your _ .",
            "He moved a little to the _ .",
            "The second house on the _ is ours .",
            "She sat down on his _ .",
        ),
        "law": (
            "Women got the _ to vote in 1920 .",
            "You have no _ to say that .",
            "Every citizen has a _ to a fair trial .",
            "The law gives us the _ to know .",
            "They fought for the _ to work .",
            "It is your _ to ask for a lawyer .",
            "The court said that he had a _ to the money .",
            "The people have the _ to change their government .",
        ),
    },
    "board": {
        "company": (
            "The _ of directors met on Friday .",
            "She is a member of the school _ .",
            "The _ decided to sell the company .",
            "The president told the _ about the plan .",
            "The _ will vote on the budget .",
            "He joined the _ of the bank .",
            "Members of the _ did not agree .",
            "The school _ approved the new program .",
        ),
        "wood": (
            "He put the cheese on a wooden _ .",
            "The _ is two feet long .",
            "Cut the bread on this _ .",
            "She drew a line on the _ with a pen .",
            "The floor has a broken _ .",
            "He nailed the _ to the wall .",
            "They carried a heavy _ into the house .",
            "The name was painted on a small _ .",
        ),
    },
    "play": {
        "theatre": (
            "She had a small role in the _ .",
            "The _ was written by Shakespeare .",
            "We saw a new _ at the theater .",
            "The first act of the _ is very funny .",
            "He directed a _ about the war .",
            "The actors read the _ aloud .",
            "His second _ opened on Broadway in 1960 .",
            "The _ tells the story of a young king .",
        ),
        "sport": (
            "The team won with good _ in the second half .",
            "Michigan scored on the next _ of the game .",
            "The ball was out of _ .",
            "The _ ended with a touchdown .",
            "Their defensive _ was strong all season .",
            "On the last _ the ball was lost .",
            "He was hurt on the first _ of the game .",
            "The coach liked their _ in the final match .",
        ),
    },
    "plant": {
        "nature": (
            "The _ has yellow flowers .",
            "This _ needs a lot of water .",
            "The leaves of the _ are dark green .",
            "Animals eat the fruit of this _ .",
            "The _ grows in dry soil .",
            "She put the _ in the garden .",
            "It is a small _ with red flowers .",
            "The roots of the _ grow deep into the ground .",
        ),
        "factory": (
            "The nuclear _ was closed last year .",
            "He works at a power _ near the city .",
            "The company built a new _ in Ohio .",
            "Two hundred people work at the _ .",
            "The _ makes parts for cars .",
            "The workers at the chemical _ lost their jobs .",
            "The steel _ was sold to a Japanese company .",
            "The _ produces power for the whole state .",
        ),
    },
    "station": {
        "train": (
            "The train arrived at the _ at noon .",
            "We waited at the bus _ for an hour .",
            "The _ is the last stop on this line .",
            "He took a taxi from the _ to the hotel .",
            "Two trains left the _ at six .",
            "The railway _ was built in 1880 .",
            "She got off the train at the next _ .",
            "There are four tracks at the _ .",
        ),
        "radio": (
            "The radio _ plays jazz all day .",
            "A local TV _ showed the interview .",
            "The song was played on every _ .",
            "He has a show on a New York _ .",
            "The _ sends news every hour .",
            "They listened to a music _ in the car .",
            "The _ broadcast the game on Sunday .",
            "She is the voice of a television _ in Chicago .",
        ),
    },
}
# How many contexts of each kind are for validation and for testing.
_KEPT = {"valid": 1, "test": 3}


class AmbiguousSet(NamedTuple):
    """Sentences with one ambiguous word each, and what it is there.

    Args:
        sentences: The words of each sentence, its full stop among them.
        positions: The place of the ambiguous word.
        labels: What it is there: "NOUN", or "bank: river".
    """

    sentences: list[list[str]]
    positions: list[int]
    labels: list[str]


# A context with its hole, the word that fills it, its label.
_Filled = tuple[str, str, str]


@register(
    DataInfo(
        name="nouns_and_verbs",
        kind="generated",
        description="plain sentences with a word that is a noun or a verb there",
        size="768 sentences",
        licence="MIT",
        source="made here",
    )
)
def nouns_and_verbs(count: int = 400, split: str = "train", seed: int = 0) -> AmbiguousSet:
    """Make sentences such as "It was a very long walk." and "They walk in the evening."

    Twenty-four words come equally often as a noun and as a verb, in the same
    form, so that the word alone tells nothing: without its context, 1/2 of the
    labels are right. All words are common in modern English, and so are the
    sentences, for models that were trained on it. Taught in unit 07, section s35.

    Args:
        count: How many sentences; an even count has as many nouns as verbs of
            each word. No more than the split holds: none comes twice.
        split: "train", "valid" or "test". They share no context.
        seed: The same seed gives the same sentences.

    Returns:
        ``count`` sentences.

    Raises:
        ValueError: ``count`` or ``split`` is out of its range.

    Example:

    >>> from rnnkit.data import nouns_and_verbs
    >>> data = nouns_and_verbs(4, seed=1)
    >>> sorted(data.labels)
    ['NOUN', 'NOUN', 'VERB', 'VERB']
    """

    def pairs(generator: random.Random) -> list[tuple[_Filled, _Filled]]:
        nouns, verbs = (_of_split(each, split) for each in (_NOUN_CONTEXTS, _VERB_CONTEXTS))
        return [
            ((noun, word, NOUN), (verb, word, VERB))
            for word in NOUN_OR_VERB
            for noun, verb in zip(
                generator.sample(nouns, len(nouns)),
                generator.sample(verbs, len(verbs)),
                strict=True,
            )
        ]

    return _draw(count, split, seed, pairs)


@register(
    DataInfo(
        name="word_senses",
        kind="generated",
        description="plain sentences with a noun of two meanings, such as bank and star",
        size="192 sentences",
        licence="MIT",
        source="made here",
    )
)
def word_senses(count: int = 96, split: str = "train", seed: int = 0) -> AmbiguousSet:
    """Make sentences such as "We sat on the bank of the river."

    Twelve nouns (bank, play, star, ...) come equally often in either of two
    meanings. They are nouns in both, so that the part of speech does not help,
    and the word alone tells nothing: of its two meanings, 1/2 are right. Words
    and sentences are common in modern English, for models that were trained on
    it. Taught in unit 07, section s35.

    Args:
        count: How many sentences; an even count has as many of either meaning
            of each word. No more than the split holds: none comes twice.
        split: "train", "valid" or "test". They share no sentence.
        seed: The same seed gives the same sentences.

    Returns:
        ``count`` sentences.

    Raises:
        ValueError: ``count`` or ``split`` is out of its range.

    Example:

    >>> from rnnkit.data import word_senses
    >>> data = word_senses(2, seed=1)
    >>> [words[place] for words, place in zip(data.sentences, data.positions)]
    ['right', 'right']
    """

    def pairs(generator: random.Random) -> list[tuple[_Filled, _Filled]]:
        made = []
        for word, meanings in SENSES.items():
            (one, ones), (other, others) = (
                (f"{word}: {meaning}", _of_split(contexts, split))
                for meaning, contexts in meanings.items()
            )
            for context, beside in zip(
                generator.sample(ones, len(ones)),
                generator.sample(others, len(others)),
                strict=True,
            ):
                made.append(((context, word, one), (beside, word, other)))
        return made

    return _draw(count, split, seed, pairs)


def _of_split(contexts: Sequence[str], split: str) -> Sequence[str]:
    """The contexts of a part: the last ones are for testing, those before them for validation."""
    valid, test = len(contexts) - sum(_KEPT.values()), len(contexts) - _KEPT["test"]
    parts = {"train": contexts[:valid], "valid": contexts[valid:test], "test": contexts[test:]}
    return parts[split]


def _draw(
    count: int,
    split: str,
    seed: int,
    pairs: Callable[[random.Random], list[tuple[_Filled, _Filled]]],
) -> AmbiguousSet:
    """Draw pairs of sentences whose labels are in balance."""
    check_count(count)
    check_split(split)
    generator = random.Random(seed)
    drawn = pairs(generator)
    if count > 2 * len(drawn):
        raise ValueError(
            f"count must be no more than the {2 * len(drawn)} sentences of the split {split!r}. "
            f"Received: {count}"
        )
    generator.shuffle(drawn)
    filled = [each for pair in drawn for each in pair][:count]
    generator.shuffle(filled)
    return AmbiguousSet(*columns([_write(each) for each in filled], 3))


def _write(filled: _Filled) -> tuple[list[str], int, str]:
    context, word, label = filled
    words = context.split()
    place = words.index(_HOLE)
    words[place] = word
    return words, place, label
