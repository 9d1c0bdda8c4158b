"""What makes a function a check."""

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from rnnkit.checks.arithmetic import exact_arithmetic

Check = TypeVar("Check", bound=Callable[..., Any])


def check(function: Check) -> Check:
    """Show a student the message of a failed check, not the check's own lines.

    Only an AssertionError is shortened so. Where the student's code itself
    goes wrong, the whole traceback stays. On a GPU, the check runs with exact
    arithmetic. A warning of the student's function is not shown here: the
    student saw it when the function ran before, and stock nbgrader gives no
    points where a test cell writes to stderr.

    Example:

    >>> @check
    ... def positive(number):
    ...     assert number > 0, f"{number} is not above 0"
    >>> positive(-1)
    Traceback (most recent call last):
    ...
    AssertionError: -1 is not above 0
    """

    @functools.wraps(function)
    def run(*args: Any, **settings: Any) -> Any:
        __tracebackhide__ = True  # IPython and pytest leave this frame out
        try:
            with exact_arithmetic(), warnings.catch_warnings(action="ignore"):
                return function(*args, **settings)
        except AssertionError as error:
            raise error.with_traceback(None) from None

    return run  # type: ignore[return-value]
