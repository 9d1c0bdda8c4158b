"""Sentences with parts of speech and names, full of words that can be several things."""

import random
from collections.abc import Callable
from typing import NamedTuple

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import columns, draw

TAGS = ("ADJ", "ADP", "ADV", "AUX", "DET", "NOUN", "PART", "PRON", "PROPN", "PUNCT", "VERB")
ENTITIES = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG")

# A word, its tag and its entity.
Token = tuple[str, str, str]

# Each is a noun and a verb: (singular or infinitive, plural or third person, past).
_NOUN_OR_VERB = (
    ("play", "plays", "played"),
    ("watch", "watches", "watched"),
    ("book", "books", "booked"),
    ("plant", "plants", "planted"),
    ("paint", "paints", "painted"),
    ("guard", "guards", "guarded"),
    ("order", "orders", "ordered"),
    ("study", "studies", "studied"),
    ("light", "lights", "lit"),
    ("water", "waters", "watered"),
    ("cook", "cooks", "cooked"),
    ("judge", "judges", "judged"),
    ("saw", "saws", "sawed"),
    ("mark", "marks", "marked"),
    ("check", "checks", "checked"),
    ("test", "tests", "tested"),
)
_NOUNS = (
    ("table", "tables"),
    ("river", "rivers"),
    ("teacher", "teachers"),
    ("village", "villages"),
    ("picture", "pictures"),
    ("can", "cans"),
    ("will", "wills"),
    ("horse", "horses"),
)
_VERBS = (
    ("see", "sees", "saw"),
    ("find", "finds", "found"),
    ("buy", "buys", "bought"),
    ("know", "knows", "knew"),
    ("draw", "draws", "drew"),
    ("move", "moves", "moved"),
)
_MODALS = ("can", "will", "must", "should")
# The last five are verbs too: "clean the table", "they open the can".
_ADJECTIVES = ("old", "new", "small", "good", "light", "clean", "dry", "open", "warm", "empty")
_ADJECTIVE_OR_VERB = ("clean", "dry", "open", "warm", "empty")
_ADVERBS = ("often", "never", "always", "still", "today")
_SINGULAR_DETERMINERS = ("the", "a", "this", "that", "every")
_PLURAL_DETERMINERS = ("the", "these", "those", "some", "all")
_PREPOSITIONS = ("near", "behind", "with", "under", "for")
_SINGULAR_PRONOUNS = ("she", "he", "everyone")
_PLURAL_PRONOUNS = ("we", "they", "you", "i")

_FIRST_NAMES = ("Maria", "Peter", "Aisha", "Tomas", "Yuki", "Nadia")
_PLACES = ("Helsinki", "Lagos", "Toronto", "Bremen", "Porto", "Nairobi")
_COMPANIES = ("Nordtek", "Filmor", "Agrico", "Solvanet", "Batterix", "Cargonaut")
# A person, a place or a firm.
_ANY_NAME = (
    *("Washington", "Lincoln", "Jordan", "Florence", "Madison", "Austin"),
    *("Sydney", "Victoria", "Chelsea", "Houston", "Jackson", "Hamilton"),
)
_ORGANISATION_WORDS = ("University", "Motors", "Hospital", "Airlines", "Press")
_LANDSCAPE_WORDS = ("Lake", "Port", "Mount")


class TaggedSet(NamedTuple):
    """Sentences with a part of speech and an entity for each word.

    Common words are in small letters, at the beginning of a sentence too.

    Args:
        sentences: The words of each sentence.
        tags: A universal part of speech for each word: "NOUN".
        entities: A label in BIO form for each word: "B-PER" begins the name of
            a person, "I-PER" goes on with it, "O" is no name.
    """

    sentences: list[list[str]]
    tags: list[list[str]]
    entities: list[list[str]]


@register(
    DataInfo(
        name="tagged_sentences",
        kind="generated",
        description="sentences with parts of speech and names, many of them ambiguous",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def tagged_sentences(count: int = 1000, split: str = "train", seed: int = 0) -> TaggedSet:
    """Make sentences such as "they watch the play" and "the watch is near Washington".

    Many words are a noun in one place and a verb in another (play, watch, saw,
    can, ...), and most names are a person, a place or an organisation. Who
    gives each word its most frequent label, without its context, gets about
    94 % of the tags right, but only 3 of 4 of the words that are nouns and
    verbs; and 97 % of the entity labels, but only 1 of 3 of the ambiguous
    names. The context decides all of them. Often what decides comes after the
    word: "water moves the table", "water the plants"; "Jordan smiled", "Jordan
    lies near Porto". Taught in unit 04, section s19, and unit 07, section s36.

    Args:
        count: How many sentences.
        split: "train", "valid" or "test". They share no sentence.
        seed: The same seed gives the same sentences.

    Returns:
        ``count`` sentences.

    Raises:
        ValueError: ``count`` or ``split`` is out of its range.

    Example:

    >>> from rnnkit.data import tagged_sentences, word_only_accuracy
    >>> data = tagged_sentences(2000, seed=1)
    >>> word_only_accuracy(data.sentences, data.tags) < 0.95
    True
    """
    rows = draw(count, split, seed, _plan, _write, key=_words)
    return TaggedSet(*columns(rows, 3))


def _plan(generator: random.Random) -> tuple[Token, ...]:
    tokens = generator.choice(_SENTENCES)(generator)
    if generator.random() < 0.25:
        tokens = [*tokens, *_where(generator)]
    return (*tokens, (".", "PUNCT", "O"))


def _write(tokens: tuple[Token, ...]) -> list[list[list[str]]]:
    """One example: the sentence's words, tags and entity labels."""
    return [columns(tokens, 3)]


def _words(tokens: tuple[Token, ...]) -> str:
    return " ".join(word for word, _, _ in tokens)


def _token(word: str, tag: str) -> Token:
    return word, tag, "O"


def _name(words: str, entity: str) -> list[Token]:
    """A name of one word or more, in BIO form."""
    first, *others = words.split()
    inside = [(word, "PROPN", f"I-{entity}") for word in others]
    return [(first, "PROPN", f"B-{entity}"), *inside]


# ---- phrases


def _noun_phrase(generator: random.Random, number: int) -> list[Token]:
    """A phrase in the singular (0) or plural (1)."""
    determiners = (_SINGULAR_DETERMINERS, _PLURAL_DETERMINERS)[number]
    noun = generator.choice(_NOUN_OR_VERB + _NOUNS)[number]
    phrase = [_token(generator.choice(determiners), "DET"), _token(noun, "NOUN")]
    if generator.random() < 0.3:
        phrase.insert(1, _token(generator.choice(_ADJECTIVES), "ADJ"))
    return phrase


def _any_noun_phrase(generator: random.Random) -> list[Token]:
    return _noun_phrase(generator, generator.randrange(2))


def _verb(generator: random.Random, form: int) -> Token:
    """A verb: infinitive (0), third person singular (1) or past (2)."""
    if form == 0 and generator.random() < 0.15:
        return _token(generator.choice(_ADJECTIVE_OR_VERB), "VERB")
    ambiguous = generator.random() < 0.75
    return _token(generator.choice(_NOUN_OR_VERB if ambiguous else _VERBS)[form], "VERB")


def _where(generator: random.Random) -> list[Token]:
    return [_token(generator.choice(_PREPOSITIONS), "ADP"), *_any_noun_phrase(generator)]


def _person(generator: random.Random) -> list[Token]:
    first, last = generator.choice(_FIRST_NAMES), generator.choice(_ANY_NAME)
    return _name(generator.choice((first, last, last, f"{first} {last}")), "PER")


def _place(generator: random.Random) -> list[Token]:
    sure, unsure = generator.choice(_PLACES), generator.choice(_ANY_NAME)
    landscape = f"{generator.choice(_LANDSCAPE_WORDS)} {unsure}"
    return _name(generator.choice((sure, unsure, unsure, landscape)), "LOC")


def _organisation(generator: random.Random) -> list[Token]:
    sure, unsure = generator.choice(_COMPANIES), generator.choice(_ANY_NAME)
    long = f"{unsure} {generator.choice(_ORGANISATION_WORDS)}"
    return _name(generator.choice((sure, unsure, unsure, long)), "ORG")


# ---- sentences


def _plain(generator: random.Random) -> list[Token]:
    """The guard watches these plays; plays watch the guard."""
    number = generator.randrange(2)
    verb = _verb(generator, generator.choice((2, 1 - number)))
    return [*_noun_phrase(generator, number), verb, *_any_noun_phrase(generator)]


def _with_pronoun(generator: random.Random) -> list[Token]:
    number = generator.randrange(2)
    pronoun = generator.choice((_SINGULAR_PRONOUNS, _PLURAL_PRONOUNS)[number])
    tokens = [_token(pronoun, "PRON"), _verb(generator, generator.choice((2, 1 - number)))]
    if generator.random() < 0.3:
        tokens.insert(1, _token(generator.choice(_ADVERBS), "ADV"))
    return [*tokens, *_any_noun_phrase(generator)]


def _with_modal(generator: random.Random) -> list[Token]:
    pronoun = generator.choice(_SINGULAR_PRONOUNS + _PLURAL_PRONOUNS)
    modal = _token(generator.choice(_MODALS), "AUX")
    verb = _verb(generator, 0)
    return [_token(pronoun, "PRON"), modal, verb, *_any_noun_phrase(generator)]


def _with_to(generator: random.Random) -> list[Token]:
    pronoun = generator.choice(_PLURAL_PRONOUNS)
    want = generator.choice(("want", "hope", "have"))
    tokens = [_token(pronoun, "PRON"), _token(want, "VERB"), _token("to", "PART")]
    return [*tokens, _verb(generator, 0), *_any_noun_phrase(generator)]


def _command(generator: random.Random) -> list[Token]:
    """Water the plants: the first word is a verb, as only the second one shows."""
    return [_verb(generator, 0), *_any_noun_phrase(generator)]


def _bare_subject(generator: random.Random) -> list[Token]:
    """Water moves the plants: the first word is a noun, as only the second one shows."""
    number = generator.randrange(2)
    noun = generator.choice(_NOUN_OR_VERB)[number]
    verb = _verb(generator, generator.choice((2, 1 - number)))
    return [_token(noun, "NOUN"), verb, *_any_noun_phrase(generator)]


def _description(generator: random.Random) -> list[Token]:
    number = generator.randrange(2)
    be = generator.choice((("is", "was"), ("are", "were"))[number])
    adjective = generator.choice(_ADJECTIVES)
    return [*_noun_phrase(generator, number), _token(be, "AUX"), _token(adjective, "ADJ")]


def _about_a_person(generator: random.Random) -> list[Token]:
    rest = generator.choice(
        (
            [_token("smiled", "VERB"), *_where(generator)],
            [_token("fell", "VERB"), _token("ill", "ADJ")],
            [_token("slept", "VERB"), *_where(generator)],
            [_verb(generator, 2), _token("a", "DET"), _token("sister", "NOUN")],
        )
    )
    return [*_person(generator), *rest]


def _about_a_place(generator: random.Random) -> list[Token]:
    rest = generator.choice(
        (
            [_token("lies", "VERB"), _token("near", "ADP"), *_place(generator)],
            [_token("has", "VERB"), _token("some", "DET"), _token("rivers", "NOUN")],
            [_token("is", "AUX"), _token("a", "DET"), _token("village", "NOUN")],
            [_token("was", "AUX"), _token("flooded", "VERB")],
        )
    )
    return [*_place(generator), *rest]


def _about_an_organisation(generator: random.Random) -> list[Token]:
    rest = generator.choice(
        (
            [_token("hired", "VERB"), *_person(generator)],
            [_token("sells", "VERB"), *_noun_phrase(generator, 1)],
            [_token("lost", "VERB"), _token("all", "DET"), _token("orders", "NOUN")],
            [_token("merged", "VERB"), _token("with", "ADP"), *_organisation(generator)],
        )
    )
    return [*_organisation(generator), *rest]


def _with_a_name_at_the_end(generator: random.Random) -> list[Token]:
    """She lives in Washington, works for Washington, married Washington."""
    pronoun = _token(generator.choice(("she", "he")), "PRON")
    ends = generator.choice(
        (
            [_token("lives", "VERB"), _token("in", "ADP"), *_place(generator)],
            [_token("flew", "VERB"), _token("to", "ADP"), *_place(generator)],
            [_token("works", "VERB"), _token("for", "ADP"), *_organisation(generator)],
            [_token("founded", "VERB"), *_organisation(generator)],
            [_token("married", "VERB"), *_person(generator)],
            [_token("thanked", "VERB"), *_person(generator)],
        )
    )
    return [pronoun, *ends]


_SENTENCES: tuple[Callable[[random.Random], list[Token]], ...] = (
    _plain,
    _plain,
    _with_pronoun,
    _with_modal,
    _with_to,
    _command,
    _bare_subject,
    _description,
    _about_a_person,
    _about_a_place,
    _about_an_organisation,
    _with_a_name_at_the_end,
)
