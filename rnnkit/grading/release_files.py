"""What ``nbgrader release_feedback`` looks for beside each feedback page."""

import secrets
from collections.abc import Mapping
from pathlib import Path

from rnnkit.grading.files import write_whole

__all__ = ["add_release_files"]

SECRET, TIME = "submission_secret.txt", "timestamp.txt"
LONGEST = 10_000  # bytes; nbgrader writes less than 100


def add_release_files(pages: Mapping[Path, Path]) -> None:
    """Put the secret and the time of each submission beside its page.

    nbgrader's exchange gives each submission a secret, by which its student finds the
    page again. One page without such a file stops ``nbgrader release_feedback``: so who
    handed in by another way gets a secret that nobody knows. A class in which nobody
    used the exchange gets no files.

    Args:
        pages: For each page the folder of what was handed in.
    """
    if not any(_content(folder / SECRET) for folder in pages.values()):
        return
    for page, folder in pages.items():
        if not page.is_file():
            continue
        secret = _content(folder / SECRET) or _content(page.parent / SECRET)
        _write(page.parent / SECRET, secret or secrets.token_urlsafe(24))
        _write(page.parent / TIME, _content(folder / TIME))


def _content(path: Path) -> str:
    """A small file's text; a link that was handed in is not followed."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LONGEST:
        return ""
    return path.read_text(encoding="utf-8", errors="replace")


def _write(path: Path, text: str) -> None:
    if not path.exists() or _content(path) != text:
        write_whole(path, text)
