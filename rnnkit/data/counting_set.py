"""Counting and brackets: strings that are right or one step from right."""

import random
from typing import NamedTuple

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_count

KINDS = ("ab", "brackets")

_CLOSE = {"(": ")", "[": "]"}


class CountingSet(NamedTuple):
    """Strings, whether each is right, and the count that a net must keep.

    Args:
        texts: "aaabbb", or "([])()".
        labels: 1 for a right string, 0 for a wrong one.
        depths: For each symbol, how many are still open after it.
    """

    texts: list[str]
    labels: list[int]
    depths: list[list[int]]


@register(
    DataInfo(
        name="counting",
        kind="generated",
        description="strings of a's and as many b's, or of brackets, right and wrong",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def counting(
    count: int = 1000, kind: str = "ab", minimum: int = 1, maximum: int = 10, seed: int = 0
) -> CountingSet:
    """Make strings that can be told right from wrong only by counting.

    "ab": n a's and then n b's are right; in a wrong string of the same length
    the two numbers differ by 2 or more. A net must keep one number, up to
    ``maximum``. "brackets": round and square brackets that close in the right
    order; in a wrong string one closing bracket has the wrong form, so that
    the numbers of opening and closing brackets still agree. A net must keep
    which brackets are open, in order.

    Strings come in pairs of one length, one right and one wrong: chance is
    exactly 1/2, and the length tells nothing. The strings of another range of
    lengths are a test of whether a net has learned to count. Taught in unit
    02, section s5.

    Args:
        count: How many strings.
        kind: "ab" or "brackets".
        minimum: The smallest length, in pairs of "a" and "b" or of brackets.
        maximum: The greatest length, in such pairs.
        seed: The same seed gives the same strings.

    Returns:
        ``count`` strings, in a random order.

    Raises:
        ValueError: The kind is unknown, or not ``1 <= minimum <= maximum``.

    Example:

    >>> from rnnkit.data import counting
    >>> data = counting(2, minimum=3, maximum=3, seed=1)
    >>> sorted(zip(data.labels, data.texts))
    [(0, 'aaaaab'), (1, 'aaabbb')]
    """
    check_count(count)
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}. Received: {kind!r}")
    if not 1 <= minimum <= maximum:
        raise ValueError(
            "lengths must be 1 <= minimum <= maximum. "
            f"Received: minimum={minimum}, maximum={maximum}"
        )
    generator = random.Random(seed)
    make_pair = _ab_pair if kind == "ab" else _bracket_pair
    examples: list[tuple[str, int]] = []
    while len(examples) < count:
        right, wrong = make_pair(generator, generator.randint(minimum, maximum))
        examples += [(right, 1), (wrong, 0)]
    del examples[count:]
    generator.shuffle(examples)
    texts = [text for text, _ in examples]
    return CountingSet(texts, [label for _, label in examples], [_depths(text) for text in texts])


def _ab_pair(generator: random.Random, size: int) -> tuple[str, str]:
    others = [number for number in range(2 * size + 1) if number != size]
    number = generator.choice(others)
    return "a" * size + "b" * size, "a" * number + "b" * (2 * size - number)


def _bracket_pair(generator: random.Random, size: int) -> tuple[str, str]:
    right, still_open, left = "", "", size
    while left or still_open:
        if left and (not still_open or generator.random() < 0.5):
            bracket = generator.choice("([")
            right, still_open, left = right + bracket, still_open + bracket, left - 1
        else:
            right, still_open = right + _CLOSE[still_open[-1]], still_open[:-1]
    at = generator.choice([index for index, symbol in enumerate(right) if symbol in ")]"])
    other = "]" if right[at] == ")" else ")"
    return right, right[:at] + other + right[at + 1 :]


def _depths(text: str) -> list[int]:
    depth, depths = 0, []
    for symbol in text:
        depth += 1 if symbol in "a([" else -1
        depths.append(depth)
    return depths
