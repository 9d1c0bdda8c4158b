"""The sentences of a text file, one a line, as such files are found."""

import codecs
import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rnnkit.errors import KitError, in_a_line

_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # that of UTF-32 begins like the first


class Line(NamedTuple):
    """One line of a text.

    Args:
        text: What stands between the white space at its ends.
        is_valid: Whether it is UTF-8; if not, U+FFFD stands for what is not.
    """

    text: str
    is_valid: bool


class TextLines:
    r"""The lines of a text file in UTF-8, one after the other, read as often as needed.

    A line ends with a line feed. A carriage return before it does not count,
    nor does a byte order mark at the start of the file.

    Args:
        path: The file.

    Raises:
        KitError: The text is in UTF-16 or UTF-32.

    Example:

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "text"
    >>> _ = path.write_bytes(b"\xef\xbb\xbfthe  bank\r\n\ncaf\xe9")
    >>> [line.text for line in TextLines(path)]
    ['the  bank', '', 'caf\ufffd']
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The SHA-256 of all bytes that have been read."""
        return self._digest.hexdigest()

    def __iter__(self) -> Iterator[Line]:
        self._digest = hashlib.sha256()
        with open(self.path, "rb") as file:
            for number, raw in enumerate(file):
                self._digest.update(raw)
                yield _line(raw if number else self._without_mark(raw))

    def _without_mark(self, raw: bytes) -> bytes:
        if raw.startswith(_WIDE_MARKS):
            raise KitError(
                "a text in UTF-8",
                f"one in UTF-16 or UTF-32: {self.path}",
                "convert it, for example with: iconv -f UTF-16 -t UTF-8",
            )
        return raw.removeprefix(codecs.BOM_UTF8)


def _line(raw: bytes) -> Line:
    try:
        return Line(raw.decode("utf-8").strip(), True)
    except UnicodeDecodeError:
        return Line(raw.decode("utf-8", errors="replace").strip(), False)


@dataclass
class Contents:
    """What a text file holds, but for the words.

    Args:
        sha256: The SHA-256 of the file.
        lengths: The number of words of each line.
        last_lines: For each sentence the number of the last line that it is, from 0.
        repeated: How many lines hold a sentence that comes again further down.
        invalid: How many lines are no UTF-8.
        first_invalid: The number of the first of them, from 0.
    """

    sha256: str = ""
    lengths: array = field(default_factory=lambda: array("L"))
    last_lines: dict[str, int] = field(default_factory=dict)
    repeated: int = 0
    invalid: int = 0
    first_invalid: int | None = None


def read_contents(path: Path) -> Contents:
    """Look through a text file once.

    Args:
        path: The file.

    Raises:
        KitError: It cannot be read, or not twice.
    """
    _check(path)
    contents = Contents()
    lines = TextLines(path)
    try:
        for number, line in enumerate(lines):
            contents.lengths.append(len(line.text.split()))
            contents.last_lines[line.text] = number
            if not line.is_valid:
                contents.invalid += 1
                if contents.first_invalid is None:
                    contents.first_invalid = number
    except OSError as error:
        raise KitError(
            "a text file that can be read", in_a_line(error), "change the file's permissions"
        ) from error
    contents.sha256 = lines.sha256
    contents.repeated = len(contents.lengths) - len(contents.last_lines)
    return contents


def _check(path: Path) -> None:
    expected = "a text file, one sentence a line"
    if path.is_dir():
        raise KitError(expected, f"a folder: {path}", "name the file in it")
    if not path.exists():
        raise KitError(expected, f"no such file: {path}", "correct the name")
    if not path.is_file():
        raise KitError(
            f"{expected}, which can be read twice",
            f"a pipe or a device: {path}",
            "write the text to a file first",
        )
