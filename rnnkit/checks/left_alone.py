"""Whether an answer writes into what it is given."""

from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, copy, name_of, of_other_process


@check
def inputs_left_alone(answer: Function, /, **inputs: Any) -> None:
    """Check that a function leaves its inputs as they are.

    Ask this only where the exercise's text does.

    Args:
        answer: The student's function.
        inputs: What it is called with, in order: each under the name that a message gives it.

    Raises:
        AssertionError: An input is another after the call.

    Example:

    >>> def forget_bias(bias, value):
    ...     bias[2:4] = value
    ...     return bias
    >>> inputs_left_alone(forget_bias, bias=np.zeros(8), value=3.0)
    Traceback (most recent call last):
    ...
    AssertionError: forget_bias writes into the bias that it gets: bias[2] was 0 before the call, \
and is 3 after it. Expected: the bias as it was. Work on a copy, for example of np.array(bias).
    """
    names = list(inputs)
    for place, after in written_into(answer, *inputs.values()).items():
        name = names[place]
        listed = isinstance(after, list)
        example = f"list({name})" if listed else f"np.array({name})"
        raise AssertionError(
            f"{name_of(answer, 'The function')} writes into the {name} that it gets: "
            f"{_difference(name, copy(inputs[name]), after)}. Expected: the {name} as it was. "
            f"Work on a copy, for example of {example}."
        )


def written_into(answer: Function, *inputs: Any) -> dict[int, Any]:
    """Call a function on copies, and find those that it has written into.

    Args:
        answer: The function; it may live in another process.
        inputs: Arrays, and lists of numbers or strings.

    Returns:
        For the place of each input that has changed, what it is after the call.
    """
    elsewhere = of_other_process(answer, "changed_elsewhere")
    if elsewhere is not None:
        found: dict[int, Any] = elsewhere(*(copy(value) for value in inputs))
        return found
    given = [copy(value) for value in inputs]
    answer(*given)
    return {
        place: after
        for place, (before, after) in enumerate(zip(map(copy, inputs), given, strict=True))
        if not _same(before, after)
    }


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, np.ndarray | list):
        return np.shape(before) == np.shape(after) and not _unequal(before, after).any()
    return bool(before == after)


def _unequal(before: Any, after: Any) -> np.ndarray:
    """Which entries differ; NaN equals NaN."""
    before, after = np.asarray(before), np.asarray(after)
    return (before != after) & ((before == before) | (after == after))


def _difference(name: str, before: Any, after: Any) -> str:
    """The first entry that differs, before and after."""
    if np.shape(before) != np.shape(after):
        return f"it had the length {len(before)} before the call, and has {len(after)} after it"
    unequal = np.argwhere(_unequal(before, after))
    place = tuple(map(int, unequal[0]))
    return (
        f"{name}[{', '.join(map(str, place))}] was {_entry(before, place)} before the call, and "
        f"is {_entry(after, place)} after it"
    )


def _entry(values: Any, place: tuple[int, ...]) -> str:
    for each in place:
        values = values[each]
    if isinstance(values, str):
        return repr(values)
    return f"{values:.4g}" if isinstance(values, float | np.floating) else str(values)
