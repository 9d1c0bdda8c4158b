"""Taking people's names out of a notebook that a program wrote them into.

Colab writes the name and the number of whoever ran a cell beside its outputs, and where
the file lay in that person's Drive. What the student wrote is not touched.
"""

import json
import re
from typing import Any

__all__ = ["REMOVED", "without_names"]

REMOVED = "(name removed)"
# Metadata that is about a person or that person's files, wherever it stands.
_PERSONAL = ("executionInfo", "colab", "authors", "displayName", "userId", "photoUrl")
_NAMES_IN = ("displayName", "name", "userId", "photoUrl")
_WORDS = ("source", "input", "attachments")  # what the student wrote
_IN_BROKEN_JSON = re.compile(
    rb'("(?:displayName|userId|photoUrl)"\s*:\s*)"(?:[^"\\\r\n]|\\.)*"', re.DOTALL
)


def without_names(content: bytes) -> tuple[bytes, bool]:
    """A notebook without the names that programs wrote into it.

    Args:
        content: The file.

    Returns:
        The file to keep, byte for byte the same where nothing was taken out, and
        whether something was.

    Example:

    >>> cell = {"metadata": {"executionInfo": {"user": {"displayName": "Ada"}}, "id": "x"}}
    >>> without_names(json.dumps({"cells": [cell]}).encode())[0]
    b'{\\n "cells": [\\n  {\\n   "metadata": {\\n    "id": "x"\\n   }\\n  }\\n ]\\n}\\n'
    """
    if not any(name.encode() in content.replace(b"\0", b"") for name in _PERSONAL):
        return content, False
    try:
        data = json.loads(content)
        cleaned = _cleaned(data, _People(_names(data)))
        if cleaned == data:
            return content, False
        text = json.dumps(cleaned, ensure_ascii=False, indent=1) + "\n"
        return text.encode("utf-8", "backslashreplace"), True
    except (ValueError, RecursionError):  # no whole JSON: the grading will say so
        cleaned_bytes = _IN_BROKEN_JSON.sub(rb'\1""', content)
        return cleaned_bytes, cleaned_bytes != content


def _names(value: Any) -> list[str]:
    """The names of people that stand in metadata about them."""
    found: list[str] = []
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("user", "authors"):
                people = inner if isinstance(inner, list) else [inner]
                for person in people:
                    if isinstance(person, dict):
                        found += [str(person[field]) for field in _NAMES_IN if person.get(field)]
            elif name == "displayName" and isinstance(inner, str):
                found.append(inner)
            if name not in _WORDS:
                found += _names(inner)
    elif isinstance(value, list):
        for inner in value:
            found += _names(inner)
    return found


class _People:
    """The names to take out, as whole words; a single letter is none."""

    def __init__(self, names: list[str]) -> None:
        self.names = sorted({name for name in names if len(name) > 1}, key=len, reverse=True)
        listed = "|".join(map(re.escape, self.names))
        self.pattern = re.compile(rf"(?<!\w)(?:{listed})(?!\w)")

    def taken_out_of(self, text: str) -> str:
        """The text without them."""
        if not any(name in text for name in self.names):  # much quicker than the pattern
            return text
        return self.pattern.sub(REMOVED, text)


def _cleaned(value: Any, people: _People) -> Any:
    if isinstance(value, dict):
        return {
            name: inner if name in _WORDS else _cleaned(inner, people)
            for name, inner in value.items()
            if name not in _PERSONAL
        }
    if isinstance(value, list):
        return [_cleaned(inner, people) for inner in value]
    return people.taken_out_of(value) if isinstance(value, str) else value
