"""Text that somebody else wrote, as it can be shown: in a page, a table, a log or a terminal.

A student's text can hold characters that do something where they are shown: move the
cursor, change the title of the window, or turn the direction of a line so that it reads
as another. In their place stands a question mark.
"""

import re

__all__ = ["in_one_line", "plain_text", "with_colours", "without_colours"]

_COLOUR = r"\[[0-9;]*m"  # after an escape character
# Controls of both sets but for the white space and the escape character; overrides of a
# line's direction; and the halves of characters, which no file can hold.
_CONTROLS = "\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_COLOURS = re.compile(rf"\x1b{_COLOUR}")
_UNSAFE = re.compile(rf"[\x08\x1b{_CONTROLS}]+")
_UNSAFE_IN_COLOUR = re.compile(rf"(?:[{_CONTROLS}]|\x1b(?!{_COLOUR}))+")


def with_colours(text: str) -> str:
    """A text of a notebook's output, its colours kept for those that turn them into HTML.

    Carriage returns and backspaces stay too: bars that show progress are made of them.

    Args:
        text: Any text.

    Example:

    >>> with_colours("a\\x1b[2Jb \\x1b[31mred\\x1b[0m \\ud800c")
    'a?[2Jb \\x1b[31mred\\x1b[0m ?c'
    """
    return _UNSAFE_IN_COLOUR.sub("?", text)


def without_colours(text: str) -> str:
    """A text without the sequences that colour a terminal.

    Args:
        text: Any text.

    Example:

    >>> without_colours("\\x1b[0;31mred\\x1b[0m")
    'red'
    """
    return _COLOURS.sub("", text)


def plain_text(text: str) -> str:
    """A text of lines: tabs and the ends of lines are all that is not printed.

    Args:
        text: Any text.

    Example:

    >>> plain_text("\\x1b[31mone\\x1b[0m\\r\\ntwo\\x00\\u202eeerht")
    'one\\ntwo?eerht'
    """
    lines = without_colours(text).replace("\r\n", "\n").replace("\r", "\n")
    return _UNSAFE.sub("?", lines)


def in_one_line(text: str) -> str:
    """A text in one line, for a note or a cell of a table.

    Args:
        text: Any text.

    Example:

    >>> in_one_line(" one\\ttwo\\n\\x07three")
    'one two ?three'
    """
    return " ".join(plain_text(text).split())
