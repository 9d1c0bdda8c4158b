"""What every check has in common."""

import warnings

import pytest

from rnnkit.checks.check import check


@check
def doubles(function) -> None:
    assert function(2) == 4, "2 should become 4"


def warns_and_doubles(number: int) -> int:
    warnings.warn("this is slow", stacklevel=1)
    return 2 * number


def test_a_right_answer_that_warns_shows_no_warning() -> None:
    with warnings.catch_warnings(record=True, action="always") as shown:
        doubles(warns_and_doubles)
    assert shown == []


def test_warnings_are_shown_again_after_a_check() -> None:
    doubles(lambda number: 2 * number)
    with pytest.warns(UserWarning, match="this is slow"):
        warns_and_doubles(2)


def test_a_failed_check_shows_its_message_and_no_line_of_its_own() -> None:
    with pytest.raises(AssertionError, match="2 should become 4") as found:
        doubles(lambda number: number)
    assert [entry.name for entry in found.traceback][-1] == "run"
