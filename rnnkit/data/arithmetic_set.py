"""Sums and differences, as text to text."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import draw

Problem = tuple[str, int, int]


class ArithmeticSet(NamedTuple):
    """Problems and their answers.

    Args:
        sources: "12+7=".
        targets: "19".
        digits: The number of digits of each problem's longer number.
    """

    sources: list[str]
    targets: list[str]
    digits: list[int]


@register(
    DataInfo(
        name="arithmetic",
        kind="generated",
        description="sums and differences of whole numbers, as text to text",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def arithmetic(
    count: int = 1000,
    digits: Sequence[int] = (1, 2, 3),
    operations: str = "+-",
    split: str = "train",
    seed: int = 0,
) -> ArithmeticSet:
    """Make problems such as "12+7=", with answers such as "19".

    The number of digits of the longer number is drawn evenly from ``digits``,
    and the other number evenly among those with at most that many digits. The
    smaller number is taken from the greater, so no answer is negative. A net
    must keep all digits of both numbers, and carry from right to left while it
    writes from left to right. Guessing has a chance below 1/10 for one digit,
    1/100 for two. Taught in unit 05, section s22.

    "12+7=" and "7+12=" are one problem: they are always in the same split.
    With few digits there are few problems, and they come again.

    Args:
        count: How many problems.
        digits: The numbers of digits to choose from, each from 1 to 9.
        operations: "+", "-" or "+-".
        split: "train", "valid" or "test". They share no problem.
        seed: The same seed gives the same problems.

    Returns:
        ``count`` problems.

    Raises:
        ValueError: ``digits``, ``operations``, ``split`` or ``count`` is out
            of its range.

    Example:

    >>> from rnnkit.data import arithmetic
    >>> data = arithmetic(3, digits=[2], operations="+", seed=1)
    >>> left, right = data.sources[0].removesuffix("=").split("+")
    >>> int(left) + int(right) == int(data.targets[0])
    True
    """
    if not digits or any(number not in range(1, 10) for number in digits):
        raise ValueError(f"digits must be a list of numbers from 1 to 9. Received: {digits!r}")
    if operations not in ("+", "-", "+-", "-+"):
        raise ValueError(f"operations must be '+', '-' or '+-'. Received: {operations!r}")

    def plan(generator: random.Random) -> Problem:
        size = generator.choice(digits)
        longer = generator.randint(10 ** (size - 1) if size > 1 else 0, 10**size - 1)
        shorter = generator.randint(0, 10**size - 1)
        operation = generator.choice(operations)
        first, second = sorted((longer, shorter), reverse=True)
        if operation == "+" and generator.random() < 0.5:
            first, second = second, first
        return operation, first, second

    problems = draw(count, split, seed, plan, write=lambda problem: [problem], key=_same_problem)
    return ArithmeticSet(
        [f"{first}{operation}{second}=" for operation, first, second in problems],
        [
            str(first + second if operation == "+" else first - second)
            for operation, first, second in problems
        ],
        [len(str(max(first, second))) for _, first, second in problems],
    )


def _same_problem(problem: Problem) -> Problem:
    operation, first, second = problem
    return operation, max(first, second), min(first, second)
