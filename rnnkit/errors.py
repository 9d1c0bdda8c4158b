"""The error that a user of the command line can act on."""

import shutil

from rnnkit.plain_text import in_one_line


class KitError(Exception):
    """Something that the user can put right, told without a traceback.

    Args:
        expected: What the command needed.
        found: What it met instead.
        remedy: What to do now.

    Example:

    >>> print(KitError("a folder", "no such folder: demo", "run make demo first"))
    Expected: a folder
    Found:    no such folder: demo
    To do:    run make demo first
    """

    def __init__(self, expected: str, found: str, remedy: str) -> None:
        self.expected = expected
        self.found = found
        self.remedy = remedy
        super().__init__(f"Expected: {expected}\nFound:    {found}\nTo do:    {remedy}")


def in_a_line(error: BaseException) -> str:
    """Any error in one line, for a note or a message.

    Args:
        error: The error.

    Example:

    >>> in_a_line(ValueError("two\\nlines"))
    'ValueError: two lines'
    """
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        text = str(error.args[0][0][-1])  # (from, to, why) of the first file
    elif isinstance(error, OSError):
        text = str(error)
    else:
        text = f"{type(error).__name__}: {error}"
    return in_one_line(text)[:300]
