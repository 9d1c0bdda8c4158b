"""The error that a user of the command line can act on."""


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
