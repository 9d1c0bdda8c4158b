"""A result of exact numbers, which NumPy takes for objects, is a result of numbers."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rnnkit import checks


@pytest.fixture(params=["here", "in another process"])
def living(request: pytest.FixtureRequest, link_to: Callable[..., Any]) -> Callable[..., Any]:
    """Gives an answer as a check sees it: as it is, or through the referee."""
    if request.param == "here":
        return lambda answer: answer
    return lambda answer: link_to(answer=answer).names(["answer"])["answer"]


def rate_as(number: Callable[..., Any]) -> Callable[..., Any]:
    def alignment_error_rate(a: np.ndarray, s: np.ndarray, p: np.ndarray) -> Any:
        right, links = (a & s).sum() + (a & p).sum(), a.sum() + s.sum()
        return 1 - number(int(right)) / number(int(links))

    return alignment_error_rate


@pytest.mark.parametrize("number", [Fraction, Decimal, float])
def test_rate_of_any_kind_of_number_is_right(number: Any, living: Callable[..., Any]) -> None:
    checks.alignment_error_rate(living(rate_as(number)))


@pytest.mark.parametrize("number", [Fraction, Decimal])
def test_wrong_exact_number_is_shown_as_a_number(number: Any, living: Callable[..., Any]) -> None:
    with pytest.raises(AssertionError, match=r"one minus the error rate.*\nYours: 0\.\d+\n"):
        checks.alignment_error_rate(living(lambda *links: 1 - rate_as(number)(*links)))


@pytest.mark.parametrize(
    "several",
    [
        lambda: [Fraction(1, 4), Decimal("0.5")],
        lambda: (Fraction(1, 4), 0.5),
        lambda: np.array([Fraction(1, 4), Decimal("0.5")]),
        lambda: [np.array(Fraction(1, 4)), np.float64(0.5)],
    ],
)
def test_exact_numbers_in_lists_and_arrays_are_numbers(
    several: Callable[..., Any], living: Callable[..., Any]
) -> None:
    checks.expect_close("the shares", living(several)(), np.array([0.25, 0.5]))


def test_array_of_other_objects_stays_none() -> None:
    with pytest.raises(AssertionError, match="should be an array of numbers"):
        checks.as_array("the shares", np.array([Fraction(1, 4), "a half"], dtype=object))
