"""Numbers on the command line."""

import argparse

__all__ = ["positive"]


def positive(text: str) -> int:
    """Read a whole number above 0.

    Args:
        text: What the user wrote.

    Raises:
        ArgumentTypeError: It is something else.
    """
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, received {text!r}")
    return number
