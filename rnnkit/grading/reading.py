"""Reading a notebook file as a student handed it in, whatever program wrote it."""

import codecs
import json
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from rnnkit.grading.mending import Mending, Weight, shown

__all__ = ["HandedInCell", "Unreadable", "read_cells", "size_in_words"]

MOST_CELLS = 5000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8 with a byte order mark", Weight.TIDY),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32", Weight.REPAIR),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32", Weight.REPAIR),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16", Weight.REPAIR),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16", Weight.REPAIR),
)
# What other files begin with, and what to call them.
_OTHER_FILES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF", "a PDF"),
    (b"<!doctype html", "a web page, not the notebook behind it"),
    (b"<html", "a web page, not the notebook behind it"),
    (b"# %%", "a Python script"),
    (b"version https://git-lfs", "a pointer to a file in Git LFS, not the file"),
)
_CONFLICT = ("<<<<<<< ", ">>>>>>> ")


class Unreadable(Exception):
    """A file that is no notebook; the message says what it is instead."""


@dataclass
class HandedInCell:
    """A cell as it stands in a student's file, without its outputs.

    Args:
        cell_type: ``code``, ``markdown`` or ``raw``.
        source: Its text, with ``\\n`` at the ends of lines.
        marks: nbgrader's metadata; empty where there is none.
        ids: What programs wrote as the cell's id.
        tags: The cell's tags.
        attachments: Pictures in a Markdown cell.
    """

    cell_type: str
    source: str
    marks: dict[str, Any] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    attachments: dict[str, Any] = field(default_factory=dict)


def size_in_words(count: float) -> str:
    """A number of bytes as people write it.

    Example:

    >>> size_in_words(3_200_000_000), size_in_words(100_000_000), size_in_words(512)
    ('3.2 GB', '100 MB', '512 bytes')
    """
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:g} bytes"


def read_cells(path: Path, most_bytes: int) -> tuple[list[HandedInCell], list[Mending]]:
    """Read the cells of a notebook.

    Outputs are left out, since the notebook is run anew, and so is all metadata
    but what grading looks at: programs write people's names there.

    Args:
        path: The file.
        most_bytes: A larger file is refused before it is read.

    Returns:
        The cells, and what had to be put right to read them.

    Raises:
        Unreadable: The file is too large, or no notebook.
    """
    try:
        content = _content(path, most_bytes)
    except OSError as error:
        raise Unreadable(f"The file cannot be read: {error.strerror}.") from error
    text, mendings = _decoded(content)
    try:
        data, more = _parsed(text)
        cells, changes = _cells(data)
    except RecursionError as error:
        raise Unreadable("The file is not a notebook: it is nested too deep.") from error
    return cells, mendings + more + changes


def _content(path: Path, most_bytes: int) -> bytes:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable("It is not a file but a link or a device, which is not followed.")
    if status.st_size > most_bytes:
        raise Unreadable(
            f"The file has {size_in_words(status.st_size)}, and the limit is "
            f"{size_in_words(most_bytes)}. Clear all outputs, save it, and hand it in again."
        )
    with path.open("rb") as file:
        content = file.read(most_bytes + 1)
    if not content.strip(b"\0\r\n\t "):
        raise Unreadable("The file is empty.")
    start = content[:200].lstrip().lower()
    for beginning, name in _OTHER_FILES:
        if start.startswith(beginning.lower()):
            raise Unreadable(f"The file is not a notebook but {name}.")
    return content


def _as_windows_wrote_it(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8, as Windows-1252 or else Latin-1 reads them."""
    assert isinstance(error, UnicodeDecodeError)
    letters = error.object[error.start : error.end]
    try:
        return letters.decode("cp1252"), error.end
    except UnicodeDecodeError:
        return letters.decode("latin-1"), error.end


codecs.register_error("rnnkit-windows", _as_windows_wrote_it)


def _decoded(content: bytes) -> tuple[str, list[Mending]]:
    for mark, encoding, name, weight in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, "replace"), [_encoding(name, weight)]
    if content[1:2] == b"\0" or content[:1] == b"\0":  # every notebook begins with an ASCII letter
        encoding = "utf-16-le" if content[1:2] == b"\0" else "utf-16-be"
        return content.decode(encoding, "replace"), [_encoding("UTF-16", Weight.REPAIR)]
    try:
        return content.decode("utf-8"), []
    except UnicodeDecodeError:
        text = content.decode("utf-8", "rnnkit-windows")
        return text, [_encoding("an old Windows encoding", Weight.REPAIR)]


def _encoding(name: str, weight: Weight) -> Mending:
    sentence = f"The file was saved as {name} instead of UTF-8 and was read as that."
    return Mending(weight, f"file read as {name}", sentence if weight is Weight.REPAIR else "")


def _parsed(text: str) -> tuple[dict[str, Any], list[Mending]]:
    text = text.strip("\0\r\n\t \ufeff")
    mendings = []
    try:
        data = json.loads(text)
    except ValueError as error:
        try:
            data = json.loads(text, strict=False)  # line ends and tabs inside strings
        except ValueError:
            raise Unreadable(_why_no_json(text, error)) from error
        mendings.append(Mending(Weight.REPAIR, "control characters in the file's strings read"))
    if not isinstance(data, dict):
        raise Unreadable("The file is not a notebook: it holds other data.")
    return data, mendings


def _why_no_json(text: str, error: ValueError) -> str:
    lines = text.splitlines()
    if any(line.startswith(_CONFLICT) for line in lines):
        return (
            "The file is not a notebook: it holds the marks of a conflict that git left for you "
            "to solve (<<<<<<<)."
        )
    if not text.startswith("{"):
        return "The file is not a notebook: it is not JSON."
    line = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
    if isinstance(error, json.JSONDecodeError) and error.pos >= len(text.rstrip()) - 1:
        return f"The file is not a whole notebook: its end is missing{line}."
    return f"The file is not a notebook: it is not JSON, or a part of it is missing{line}."


def _cells(data: dict[str, Any]) -> tuple[list[HandedInCell], list[Mending]]:
    version = data.get("nbformat")
    mendings = []
    if "cells" not in data or (isinstance(version, int) and version < 4):
        data = _upgraded(data)
        mendings.append(
            Mending(
                Weight.REPAIR,
                f"notebook format {shown(str(version))} brought to 4",
                "The file was in an old notebook format and was brought to the present one.",
            )
        )
    raw = data.get("cells")
    if not isinstance(raw, list):
        raise Unreadable("The file is not a notebook: it has no list of cells.")
    if len(raw) > MOST_CELLS:
        raise Unreadable(f"The notebook has {len(raw)} cells, and the limit is {MOST_CELLS}.")
    cells = [_cell(cell) for cell in raw if isinstance(cell, dict)]
    return cells, mendings + _traces(data, raw)


def _upgraded(data: dict[str, Any]) -> dict[str, Any]:
    """A notebook of an old format in the present one."""
    try:
        upgraded: dict[str, Any] = nbformat.convert(
            nbformat.reader.reads(json.dumps(data)), to_version=4
        )
    except Exception as error:  # nbformat raises many kinds for a file that is no notebook
        words = " ".join(str(error).split()) or type(error).__name__
        raise Unreadable(f"The file is not a notebook: {words[:200]}") from error
    return upgraded


def _traces(data: dict[str, Any], raw: list[Any]) -> list[Mending]:
    """What programs leave in a notebook that is not kept, for the log."""
    found = []
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    inside: list[Any] = [cell.get("metadata") for cell in raw if isinstance(cell, dict)]
    has_user = any("executionInfo" in kept for kept in inside if isinstance(kept, dict))
    if has_user or "authors" in metadata:
        found.append("names of people not kept")
    if "widgets" in metadata:
        found.append("state of widgets not kept")
    kernelspec = metadata.get("kernelspec")
    kernel: Any = kernelspec.get("name") if isinstance(kernelspec, dict) else None
    if isinstance(kernel, str) and kernel != "python3":
        found.append(f"kernel {shown(kernel)} replaced by the unit's")
    ids = [cell.get("id") for cell in raw if isinstance(cell, dict)]
    if None in ids or len({str(value) for value in ids}) < len(ids):
        found.append("cell ids that were missing or doubled made anew")
    if any(isinstance(cell, dict) and cell.get("outputs") for cell in raw):
        found.append("outputs not kept: the notebook is run anew")
    if len(raw) != sum(isinstance(cell, dict) for cell in raw):
        found.append("entries that are no cells not kept")
    return [Mending(Weight.TIDY, words) for words in found]


def _text(value: Any) -> str:
    """A source as text: JSON has it as a string or as a list of lines."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    text = value if isinstance(value, str) else ""
    # A lone surrogate cannot be written as UTF-8.
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _cell(raw: dict[str, Any]) -> HandedInCell:
    metadata = raw.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    marks = metadata.get("nbgrader")
    tags = metadata.get("tags")
    cell_type = raw.get("cell_type")
    if cell_type not in ("code", "markdown", "raw"):
        cell_type = "code" if "outputs" in raw else "markdown"
    return HandedInCell(
        cell_type=cell_type,
        source=_text(raw.get("source", raw.get("input"))),
        marks=marks if isinstance(marks, dict) else {},
        ids=tuple(i for i in (raw.get("id"), metadata.get("id")) if isinstance(i, str) and i),
        tags=tuple(t for t in tags if isinstance(t, str)) if isinstance(tags, list) else (),
        attachments=_attachments(raw.get("attachments")) if cell_type == "markdown" else {},
    )


def _attachments(value: Any) -> dict[str, Any]:
    """Pictures in the form that the notebook format asks for; others are left out."""
    if not isinstance(value, dict):
        return {}
    kept: dict[str, dict[str, str]] = {}
    for name, forms in value.items():
        if isinstance(forms, dict):
            pictures = {
                kind: _text(data)
                for kind, data in forms.items()
                if kind.startswith("image/") and isinstance(data, str | list)
            }
            if pictures:
                kept[name] = pictures
    return kept
