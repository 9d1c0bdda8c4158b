"""Train, valid and test parts that share no example, whatever the seeds."""

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

SPLITS = ("train", "valid", "test")

Plan = TypeVar("Plan")
Example = TypeVar("Example")


def split_of(key: object) -> str:
    """The part that an example belongs to: a fixed choice, 8 : 1 : 1.

    The choice is made by a hash of the key, so it is the same on each machine,
    and one example can never be in two parts.

    Args:
        key: What makes the example that example, with a stable ``repr``.

    Returns:
        "train", "valid" or "test".

    Example:

    >>> [split_of(number) for number in (1, 4, 6)]
    ['train', 'test', 'valid']
    """
    digest = hashlib.blake2b(repr(key).encode(), digest_size=4).digest()
    return part_of(int.from_bytes(digest, "big"))


def part_of(number: int) -> str:
    """The part of an example with a number: of each ten, one is valid and one test."""
    return {8: "valid", 9: "test"}.get(number % 10, "train")


def check_count(count: int) -> None:
    """Check the number of examples that someone asks for.

    Raises:
        ValueError: It is no whole number, or a negative one.
    """
    if not isinstance(count, int) or count < 0:
        raise ValueError(f"count must be a whole number, 0 or more. Received: {count!r}")


def check_split(split: str) -> None:
    """Check the name of a part.

    Raises:
        ValueError: It is none of train, valid and test.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}. Received: {split!r}")


def columns(rows: Sequence[Iterable[Any]], number: int) -> list[list[Any]]:
    """Rows as columns: each a list of its own, also where there is no row.

    Args:
        rows: Rows of as many values each.
        number: How many values a row has.

    Example:

    >>> columns([("a", 1), ("b", 2)], 2), columns([], 2)
    ([['a', 'b'], [1, 2]], [[], []])
    """
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(number)]


def draw(
    count: int,
    split: str,
    seed: int,
    plan: Callable[[random.Random], Plan],
    write: Callable[[Plan], Iterable[Example]],
    key: Callable[[Plan], object] = lambda planned: planned,
) -> list[Example]:
    """Draw examples of one part, in a random order.

    A plan is a small tuple that says what to write. Examples that differ in
    nothing but what is to be learned come from one plan, so they fall into the
    same part and keep its labels in balance.

    Args:
        count: How many examples.
        split: The part: "train", "valid" or "test".
        seed: The same seed gives the same examples.
        plan: Makes a plan from a source of random numbers.
        write: Turns a plan into one example or more.
        key: What of a plan decides its part; the whole plan by default.

    Returns:
        ``count`` examples.

    Raises:
        ValueError: The count or the part is none, or the part is empty.
    """
    check_count(count)
    check_split(split)
    generator = random.Random(seed)
    examples: list[Example] = []
    misses = 0
    while len(examples) < count:
        planned = plan(generator)
        if split_of(key(planned)) == split:
            examples.extend(write(planned))
            misses = 0
        elif (misses := misses + 1) > 2000:
            raise ValueError(
                "the settings must leave room for examples in each split. "
                f"Received: settings with none in split={split!r}"
            )
    del examples[count:]
    generator.shuffle(examples)
    return examples
