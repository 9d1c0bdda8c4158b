"""Dates written as people write them, and in ISO form (2026-11-27)."""

import datetime
import functools
import random
from collections.abc import Collection, Sequence
from typing import NamedTuple

import babel
import babel.dates
import numpy as np

from rnnkit.data.registry import DataInfo, register

LANGUAGES = ("de", "en", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv")

_FIRST_DAY = datetime.date(1950, 1, 1).toordinal()
_LAST_DAY = datetime.date(2050, 12, 31).toordinal()
_LONGEST_SOURCE = 36
_STYLES = ("full", "long", "medium", "short")
_SKELETONS = ("yMMMd", "yMMMEd", "yMEd", "yMd")
# Where year, month and day stand in an ISO date.
_YEAR, _MONTH, _DAY = slice(0, 4), slice(5, 7), slice(8, 10)


class Alignment(NamedTuple):
    """Which characters of a target come from which characters of its source.

    Both arrays are bool ``(len(target), len(source))``. Each sure link is also
    a possible one.

    Args:
        sure: A digit of the year or the day, and the same digit in the source.
        possible: Also a digit of the month and each character of the month's
            name (or digits), and a day's leading 0 and the day's digit.
    """

    sure: np.ndarray
    possible: np.ndarray


class DateSet(NamedTuple):
    """Written dates, with their ISO forms and gold alignments.

    Args:
        sources: Written dates: "Freitag, 27. November 2026".
        targets: The same dates in ISO form: "2026-11-27".
        languages: The language of each source: "de".
        alignments: The gold alignment of each pair. The hyphens of a target
            have no links.
    """

    sources: list[str]
    targets: list[str]
    languages: list[str]
    alignments: list[Alignment]


@register(
    DataInfo(
        name="dates",
        kind="generated",
        description="dates as people write them in ten languages, and in ISO form",
        size="any count",
        licence="MIT",
        source="made here with Babel (BSD)",
    )
)
def dates(
    count: int = 1000,
    seed: int = 0,
    languages: Sequence[str] = LANGUAGES,
    exclude: Collection[str] = (),
) -> DateSet:
    """Make written dates of the years 1950 to 2050 and their ISO forms.

    Babel writes them, in the forms that are usual in each language. No source
    comes twice, none has more than 36 characters, and none can be read as two
    dates: years have four digits, and a form in digits alone is taken only
    where the month stands between day and year. Used in unit 06.

    Args:
        count: How many pairs.
        seed: The same seed gives the same pairs under the same version of
            Babel; another seed gives others.
        languages: Codes of languages, of ``de en es fi fr it nl pl pt sv``.
        exclude: Sources that must not come up: pass the sources of the
            training set to make a test set that shares none with it.

    Returns:
        ``count`` pairs, with languages and gold alignments.

    Raises:
        ValueError: ``count`` is negative, a language is unknown, ``exclude``
            is not a list of strings, or there are fewer than ``count`` such
            dates.

    Example:

    >>> from rnnkit.data import dates
    >>> train = dates(50, seed=1)
    >>> test = dates(5, seed=2, exclude=train.sources)
    >>> len(test.sources[0]) <= 36, len(test.targets[0])
    (True, 10)
    """
    if count < 0:
        raise ValueError(f"count must be 0 or more. Received: {count}")
    _check_languages(languages)
    _check_exclude(exclude)
    generator = random.Random(seed)
    taken = set(exclude)
    made = DateSet([], [], [], [])
    misses = 0
    while len(made.sources) < count:
        language = generator.choice(languages)
        pattern = generator.choice(_patterns(language))
        day = datetime.date.fromordinal(generator.randint(_FIRST_DAY, _LAST_DAY))
        source, spans = _write(day, language, pattern)
        if source in taken or len(source) > _LONGEST_SOURCE:
            misses += 1
            if misses > 100 * (count + 10):  # then nearly all that exist are taken
                raise ValueError(
                    "count must leave room among the dates that can be written in "
                    f"{', '.join(languages)}. Received: count={count}, after "
                    f"{len(made.sources)} no more were found"
                )
            continue
        taken.add(source)
        target = day.isoformat()
        made.sources.append(source)
        made.targets.append(target)
        made.languages.append(language)
        made.alignments.append(_align(source, target, spans))
    return made


def _check_languages(languages: Sequence[str]) -> None:
    unknown = [language for language in languages if language not in LANGUAGES]
    if isinstance(languages, str) or unknown or not languages:
        raise ValueError(
            f"languages must be a list of some of {', '.join(LANGUAGES)}. Received: {languages!r}"
        )


def _check_exclude(exclude: Collection[str]) -> None:
    if isinstance(exclude, str) or not all(isinstance(source, str) for source in exclude):
        raise ValueError(
            "exclude must be a list of sources, such as those of a training set, train.sources. "
            f"Received: {type(exclude).__name__}"
        )


# A pattern is a tuple of pieces: ("", text) for text, (letter, format) for a
# field, where the letter is one of y (year), M (month), d (day), E (weekday).
Pattern = tuple[tuple[str, str], ...]


@functools.cache
def _patterns(language: str) -> tuple[Pattern, ...]:
    """The usual ways to write a whole date that only one date can be written as."""
    locale = babel.Locale.parse(language)
    skeletons = locale.datetime_skeletons
    found = [locale.date_formats[style].pattern for style in _STYLES]
    found += [skeletons[name].pattern for name in _SKELETONS if name in skeletons]
    patterns = dict.fromkeys(_parse(pattern) for pattern in found)  # each once, in order
    return tuple(pattern for pattern in patterns if _has_one_reading(pattern))


def _parse(pattern: str) -> Pattern:
    same_field = {"L": "M", "c": "E"}  # the forms of month and weekday that stand alone
    pieces: list[tuple[str, str]] = []
    for _, value in babel.dates.tokenize_pattern(pattern):
        if not isinstance(value, str):
            letter, width = value
            pieces.append((same_field.get(letter, letter), letter * width))
        elif pieces and not pieces[-1][0]:  # Babel cuts a text at its quotes: join it again
            pieces[-1] = ("", pieces[-1][1] + value)
        else:
            pieces.append(("", value))
    return tuple(pieces)


def _has_one_reading(pattern: Pattern) -> bool:
    fields = [(letter, form) for letter, form in pattern if letter]
    order = "".join(letter for letter, _ in fields if letter != "E")
    forms = dict(fields)
    whole_date = sorted(order) == ["M", "d", "y"]
    if not whole_date or forms["y"] != "y":  # "yy" is a year of two digits
        return False
    month_in_digits = len(forms["M"]) <= 2
    return not month_in_digits or order in ("dMy", "yMd")  # 3/4/1950: the 3rd or the 4th?


def _write(
    day: datetime.date, language: str, pattern: Pattern
) -> tuple[str, dict[str, tuple[int, int]]]:
    """A written date, and where each field begins and ends in it."""
    source, spans = "", {}
    for letter, form in pattern:
        text = _format_field(letter, form, day, language) if letter else form
        spans[letter] = (len(source), len(source) + len(text))
        source += text
    return source, spans


def _format_field(letter: str, form: str, day: datetime.date, language: str) -> str:
    value = {"y": day.year, "M": day.month, "d": day.day, "E": day.isoweekday()}[letter]
    return _format_value(letter, form, value, language)


@functools.cache
def _format_value(letter: str, form: str, value: int, language: str) -> str:
    # Babel formats whole dates, so put the value into one. 1 January 2001 was a Monday.
    parts = {"y": 2001, "M": 1, "d": 1}
    if letter == "E":
        parts["d"] = value
    else:
        parts[letter] = value
    day = datetime.date(parts["y"], parts["M"], parts["d"])
    return str(babel.dates.format_date(day, form, locale=language))


def _align(source: str, target: str, spans: dict[str, tuple[int, int]]) -> Alignment:
    sure = np.zeros((len(target), len(source)), dtype=bool)
    possible = np.zeros_like(sure)
    year, month, day = (slice(*spans[letter]) for letter in "yMd")

    np.fill_diagonal(sure[_YEAR, year], True)
    # From the last digit back: "7" in the source is the second digit of "07".
    np.fill_diagonal(sure[_DAY, day][::-1, ::-1], True)

    possible |= sure
    possible[_MONTH, month] = True
    if day.stop - day.start == 1:
        possible[_DAY, day] = True
    return Alignment(sure, possible)
