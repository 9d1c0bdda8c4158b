"""The errors that grading itself writes into a notebook.

A student can give a class any name. So an error that comes from the student's process
never bears one of these, and what does bear one is ours.
"""

from rnnkit.plain_text import in_one_line

__all__ = [
    "LEFT_OUT",
    "NOT_POINTS",
    "NOT_RUN",
    "NO_ANSWER",
    "TEST_STOPPED",
    "TIMED_OUT",
    "students_name",
]

LEFT_OUT = "CellLeftOut"
NOT_POINTS = "PointsOutOfRange"
NOT_RUN = "CellNotRun"
NO_ANSWER = "NoAnswer"
TEST_STOPPED = "TestStopped"
TIMED_OUT = "CellTimeoutError"
_OURS = {LEFT_OUT, NOT_POINTS, NOT_RUN, NO_ANSWER, TEST_STOPPED, TIMED_OUT}


def students_name(name: str) -> str:
    """What to call the class of an error that the student's process has told us of.

    Args:
        name: The name that it gave.

    Example:

    >>> students_name("ValueError"), students_name("CellNotRun")
    ('ValueError', '__main__.CellNotRun')
    """
    plain = in_one_line(name)
    return f"__main__.{plain}" if plain in _OURS else plain
