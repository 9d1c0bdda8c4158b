"""Text of a downloaded file, whatever its line ends and encoding errors."""

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from rnnkit.data.download import DataError

_REPLACEMENT = "\ufffd"


def read_text(path: Path) -> str:
    """Read a text file, or one packed with gzip (".gz").

    A byte order mark is left out, line ends become ``"\\n"``. What is not
    valid UTF-8 becomes U+FFFD, the replacement character; how often is said on
    stdout.

    Args:
        path: The file.

    Returns:
        Its text.

    Raises:
        DataError: A ".gz" file cannot be unpacked.
    """
    raw = path.read_bytes()
    if path.suffix == ".gz":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(
                f"{path} to be a whole file packed with gzip",
                str(error),
                f"delete {path} and run this again",
            ) from error
    return decode(raw, path.name)


def unzip_texts(path: Path, needed: str, suffixes: tuple[str, ...]) -> dict[str, str]:
    """The texts of a zip archive, as ``read_text`` reads them.

    Args:
        path: The archive.
        needed: The name of a text without which it is not the right archive.
        suffixes: How the names of texts end.

    Returns:
        Text by its name below the archive's one folder.

    Raises:
        DataError: The archive cannot be unpacked, or lacks the text.
    """
    found = f"no {needed}"
    texts: dict[str, str] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(suffixes):
                    texts[name.partition("/")[2]] = decode(archive.read(name), name)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        texts, found = {}, str(error)
    if needed not in texts:
        expected = f"{path} to be a zip archive with {needed}"
        raise DataError(expected, found, f"delete {path} and run this again")
    return texts


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, each with its number in the file, from 1.

    Example:

    >>> list(numbered_lines("a\\n\\nb"))
    [(1, 'a'), (3, 'b')]
    """
    for number, line in enumerate(io.StringIO(text), start=1):  # parts lines at "\n" alone
        if line.strip():
            yield number, line.removesuffix("\n")


def decode(raw: bytes, name: str) -> str:
    """Turn bytes into text as ``read_text`` does.

    Args:
        raw: The bytes.
        name: What to call them in the line on stdout.

    Example:

    >>> decode(b"caf\\xc3\\xa9\\r\\n", "menu.txt")
    'café\\n'
    >>> len(decode(b"caf\\xe9", "menu.txt"))
    menu.txt: not valid UTF-8 in 1 place, replaced by U+FFFD there
    4
    """
    text = raw.decode("utf-8-sig", errors="replace")
    invalid = text.count(_REPLACEMENT) - raw.count(_REPLACEMENT.encode())
    if invalid:
        places = "1 place" if invalid == 1 else f"{invalid} places"
        print(f"{name}: not valid UTF-8 in {places}, replaced by U+FFFD there")
    return text.replace("\r\n", "\n")


def odd_line(path: Path, number: int, expected: str, line: str) -> DataError:
    """The error for a line that a file of this kind cannot have.

    Args:
        path: The file.
        number: The line's number, from 1.
        expected: What each line should be.
        line: What it is.
    """
    shown = line if len(line) <= 80 else f"{line[:77]}..."
    return DataError(
        expected,
        f"{path}, line {number}: {shown!r}",
        f"delete {path} (and its .sha256, if there is one) and run this again to have it anew",
    )
