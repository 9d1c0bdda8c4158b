"""Compare an answer with a reference on several inputs, and name the slip behind it."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from rnnkit.checks.compare import TOLERANCE, as_array, equal, expect_close
from rnnkit.checks.inputs import Function, call, kind_of

Inputs = tuple[Any, ...]
Parts = dict[str, np.ndarray]
# Called with the inputs: which positions of a result count, (batch, time).
Real = Callable[..., np.ndarray]
# Whether some parts of a result are those that are expected.
Same = Callable[[Parts, Parts], bool]


def expect_answers(
    what: str,
    answer: Function,
    cases: Mapping[str, Inputs],
    right: Function,
    slips: Mapping[str, Function | Sequence[Function]],
    given: tuple[str, ...] = (),
    read: Callable[[Any], Any] | None = None,
    real: Real | None = None,
    relative: bool = False,
    tolerance: float = TOLERANCE,
) -> None:
    """Ask that a function gives the right result on each of some inputs.

    Args:
        what: How a message calls the answer, with its inputs: "f(x, y)".
        answer: The student's function.
        cases: Inputs by what is special about them ("a batch of one"); float64
            arrays are passed as float32. The first should tell all slips apart.
        right: The reference, called with the same inputs. It returns an array,
            or a dict or list of arrays where the answer has several parts.
        slips: For each known slip, one sentence about it and the function that
            makes it, or several where there are several ways to make it. A
            slip is named only where it explains the answers to all cases.
        given: Functions of this kit that the exercise gives to the student.
        read: Turns what the answer returns into the form of the reference.
        real: Called as `real(*inputs)`: the mask of the positions that count,
            `(batch, time)`. It holds for results with three axes.
        relative: Whether differences count beside the largest number that is
            expected, for results that are all small.
        tolerance: The largest difference, as in `expect_close`.

    Raises:
        AssertionError: A result is not right.
    """
    comparison = _Comparison(real, relative, tolerance)
    name = what.split("(")[0]

    def result_of(inputs: Inputs, expected: Parts) -> Parts:
        value = call(name, answer, *inputs, given=given)
        same = functools.partial(comparison.same, inputs=inputs)
        return _read(what, read(value) if read else value, expected, same)

    results: list[Parts | None] = []  # None where the answer raised an error
    wrong: tuple[str, Parts, Parts] | None = None  # the first case that is not right
    for label, inputs in cases.items():
        expected = _parts_of(right(*inputs))
        try:
            actual = result_of(inputs, expected)
        except Exception:
            if wrong is None:
                raise
            results.append(None)
            continue
        results.append(actual)
        if wrong is None and not comparison.same(actual, expected, inputs):
            wrong = (
                label,
                comparison.counting(actual, inputs),
                comparison.counting(expected, inputs),
            )
    if wrong is None:
        return

    label, actual, expected = wrong
    named = [
        sentence
        for sentence, ways in slips.items()
        if any(
            comparison.explains(way, cases, results, label)
            for way in ([ways] if callable(ways) else ways)
        )
    ]
    sentence = named[0] if named else comparison.wrong_order(actual, expected)
    if sentence is None:
        sentence = _of_another_call(
            lambda: result_of(cases[label], expected),
            lambda again: comparison.same(again, actual, cases[label]),
        )
    scale = comparison.scale(expected)
    where = what + (f", with {label}" if label else "")
    for part, array in actual.items():
        title = f"{where}: {part}" if part else where
        right_part = expected[part]
        if relative:
            title += ", divided by the largest expected number"
            array, right_part = array / scale, right_part / scale
        expect_close(title, array, right_part, {sentence: array} if sentence else {}, tolerance)


@dataclass(frozen=True)
class _Comparison:
    """How results are compared: see `expect_answers`."""

    real: Real | None
    relative: bool
    tolerance: float

    def same(self, actual: Parts, expected: Parts, inputs: Inputs) -> bool:
        if actual.keys() != expected.keys():
            return False
        scale = self.scale(expected)
        actual, expected = self.counting(actual, inputs), self.counting(expected, inputs)
        return all(
            equal(actual[part] / scale, expected[part] / scale, self.tolerance) for part in expected
        )

    def explains(
        self,
        slip: Function,
        cases: Mapping[str, Inputs],
        results: Sequence[Parts | None],
        first_wrong: str,
    ) -> bool:
        """Whether a slip gives exactly what the answer gave, in every case.

        Where it overflowed beside the slip, on large numbers, nothing can be
        said; but the first case that is wrong must be explained.
        """
        for (label, inputs), result in zip(cases.items(), results, strict=True):
            if label != first_wrong and result is not None and not _finite(result):
                continue
            try:
                with np.errstate(all="ignore"):
                    parts = _parts_of(slip(*inputs))
            except Exception:  # a slip that does not fit all shapes, as the answer then
                if result is not None:
                    return False
                continue
            if result is None or not self.same(result, parts, inputs):
                return False
        return True

    def wrong_order(self, actual: Parts, expected: Parts) -> str | None:
        if not 2 <= len(expected) <= 4:
            return None
        for order in list(permutations(actual))[1:]:
            if all(
                equal(actual[here], expected[part], self.tolerance)
                for here, part in zip(order, expected, strict=True)
            ):
                return f"All is there, but in another order. Return {', '.join(expected)}."
        return None

    def counting(self, parts: Parts, inputs: Inputs) -> Parts:
        """The parts, with zeros at the positions that do not count."""
        if self.real is None:
            return parts
        mask = self.real(*inputs)
        return {
            name: np.where(mask[..., None], part, 0.0)
            if part.ndim == 3 and part.shape[:2] == mask.shape
            else part
            for name, part in parts.items()
        }

    def scale(self, parts: Parts) -> float:
        if not self.relative:
            return 1.0
        largest = max(float(np.abs(part).max(initial=0.0)) for part in parts.values())
        return largest if 0 < largest < np.inf else 1.0


def _of_another_call(again: Callable[[], Parts], same: Callable[[Parts], bool]) -> str | None:
    """A sentence where the same inputs do not give the same result again."""
    try:
        if same(again()):
            return None
    except Exception:  # then it is another fault
        return None
    return (
        "Called again with the same inputs, it gives something else: nothing may be kept from one "
        "call to the next."
    )


def _finite(parts: Parts) -> bool:
    return all(bool(np.isfinite(part).all()) for part in parts.values())


def _parts_of(result: Any) -> Parts:
    if isinstance(result, dict):
        return {str(name): np.asarray(part) for name, part in result.items()}
    if isinstance(result, list):
        return {_in_a_list(place): np.asarray(part) for place, part in enumerate(result)}
    return {"": np.asarray(result)}


def _in_a_list(place: int) -> str:
    return f"number {place + 1}"


def _read(what: str, value: Any, expected: Parts, same: Same) -> Parts:
    """The student's result in the parts that are expected."""
    names = list(expected)
    if names == [""]:
        return {"": _number(as_array(what, value), expected[""])}
    if isinstance(value, Mapping):
        missing = [name for name in names if name not in value]
        if missing:
            raise AssertionError(
                f"{what} should return {', '.join(names)}. Missing: {', '.join(missing)}"
            )
        return {name: as_array(f"{what}: {name}", value[name]) for name in names}
    if value is None:
        raise AssertionError(f"{what} is None. Does the function end with `return`?")
    try:
        entries = list(value)
    except TypeError:
        entries = []
    if len(entries) != len(names):
        things = f"{len(names)} things: {', '.join(names)}"
        if names[0] == _in_a_list(0):
            things = f"a list of length {len(names)}"
        raise AssertionError(
            f"{what} should return {things}. Received: {len(entries) or kind_of(value)}"
            f"{_beside_the_right_ones(entries, expected, same)}"
        )
    return {
        name: as_array(f"{what}: {name}", entry) for name, entry in zip(names, entries, strict=True)
    }


def _beside_the_right_ones(entries: list[Any], expected: Parts, same: Same) -> str:
    """A sentence about what is too many or missing, where the rest is right."""
    names = list(expected)
    found = {
        "The first one is too many; the others are right.": (entries[1:], names),
        "The last one is too many; the others are right.": (entries[:-1], names),
        "Only the last one is there; give all of them.": (entries, names[-1:]),
        "The first one is missing.": (entries, names[1:]),
        "The last one is missing.": (entries, names[:-1]),
    }
    for sentence, (values, wanted) in found.items():
        if not wanted or len(values) != len(wanted):
            continue
        try:
            parts = {
                name: as_array(name, value) for name, value in zip(wanted, values, strict=True)
            }
        except AssertionError:
            continue
        if same(parts, {name: expected[name] for name in wanted}):
            return f". {sentence}"
    return ""


def _number(array: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """A number stays a number where it came in brackets."""
    return array.reshape(()) if expected.ndim == 0 and array.size == 1 else array
