"""Random strings to reverse: a task that needs a memory as long as the string."""

import random

from rnnkit.data.registry import DataInfo, register

_TWELVE_LETTERS = "abcdefghijkl"


@register(
    DataInfo(
        name="reversals",
        kind="generated",
        description="random strings and the same strings from right to left",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def reversals(
    count: int = 1000,
    seed: int = 0,
    minimum: int = 3,
    maximum: int = 24,
    alphabet: str = _TWELVE_LETTERS,
) -> tuple[list[str], list[str]]:
    """Make random strings and the same strings from right to left.

    All lengths are equally likely, and so are all letters. Used in units 05
    and 06 to measure accuracy against length.

    Args:
        count: How many pairs.
        seed: The same seed gives the same pairs; another gives others.
        minimum: The smallest length, in letters.
        maximum: The greatest length, in letters.
        alphabet: The letters, each once.

    Returns:
        The sources and the targets, ``count`` strings each.

    Raises:
        ValueError: ``count`` is negative, the lengths are not
            ``1 <= minimum <= maximum``, or the alphabet is empty or holds a
            letter twice.

    Example:

    >>> from rnnkit.data import reversals
    >>> sources, targets = reversals(100, seed=1)
    >>> all(target == source[::-1] for source, target in zip(sources, targets))
    True
    """
    if count < 0:
        raise ValueError(f"count must be 0 or more. Received: {count}")
    if not 1 <= minimum <= maximum:
        raise ValueError(
            "lengths must be 1 <= minimum <= maximum. "
            f"Received: minimum={minimum}, maximum={maximum}"
        )
    if not alphabet or len(set(alphabet)) != len(alphabet):
        raise ValueError(f"alphabet must be letters, each given once. Received: {alphabet!r}")
    generator = random.Random(seed)
    sources = [
        "".join(generator.choices(alphabet, k=generator.randint(minimum, maximum)))
        for _ in range(count)
    ]
    return sources, [source[::-1] for source in sources]
