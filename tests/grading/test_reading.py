"""A notebook file is read whatever program wrote it, or it is said what it is."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from damages import notebook_of, right

from rnnkit.grading.mending import Weight
from rnnkit.grading.reading import Unreadable, read_cells

LIMIT = 1_000_000
ACCENT = "Zoë “wrote” this"


def text_with_accents(ascii_only: bool = False) -> str:
    data = right()
    data["cells"][0]["source"] = ACCENT
    return json.dumps(data, ensure_ascii=ascii_only, indent=1)


def old_format() -> bytes:
    notebook = nbformat.convert(notebook_of("right"), to_version=3)
    notebook.worksheets[0].cells[0].source = ACCENT
    return nbformat.writes(notebook, version=3).encode()


ENCODINGS: dict[str, tuple[Callable[[], bytes], Weight | None]] = {
    "UTF-8": (lambda: text_with_accents().encode(), None),
    "ASCII": (lambda: text_with_accents(ascii_only=True).encode(), None),
    "UTF-8 with a mark": (lambda: text_with_accents().encode("utf-8-sig"), Weight.TIDY),
    "UTF-16": (lambda: text_with_accents().encode("utf-16"), Weight.REPAIR),
    "UTF-16 big-endian": (
        lambda: "\ufeff".encode("utf-16-be") + text_with_accents().encode("utf-16-be"),
        Weight.REPAIR,
    ),
    "UTF-16 without a mark": (lambda: text_with_accents().encode("utf-16-le"), Weight.REPAIR),
    "UTF-32": (lambda: text_with_accents().encode("utf-32"), Weight.REPAIR),
    "Windows-1252": (lambda: text_with_accents().encode("cp1252"), Weight.REPAIR),
    "Windows line ends": (lambda: text_with_accents().replace("\n", "\r\n").encode(), None),
    "zeros at the end": (lambda: text_with_accents().encode() + b"\0" * 100, None),
    "format 3": (old_format, Weight.REPAIR),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_file_is_read_with_its_accents(name: str, tmp_path: Path) -> None:
    content, weight = ENCODINGS[name]
    path = tmp_path / "a.ipynb"
    path.write_bytes(content())
    cells, mendings = read_cells(path, LIMIT)
    assert cells[0].source == ACCENT
    assert [cell.marks.get("grade_id") for cell in cells] == [
        cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook_of("right").cells
    ]
    assert [m.weight for m in mendings] == ([weight] if weight else [])


def test_line_ends_inside_a_cell_are_made_plain(tmp_path: Path) -> None:
    data = right()
    data["cells"][2]["source"] = "a = 1\r\nb = 2\r"
    (tmp_path / "a.ipynb").write_text(json.dumps(data))
    assert read_cells(tmp_path / "a.ipynb", LIMIT)[0][2].source == "a = 1\nb = 2\n"


def test_raw_control_characters_in_a_string_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(text_with_accents().replace("Zoë", "Zoë\t"))
    cells, mendings = read_cells(tmp_path / "a.ipynb", LIMIT)
    assert cells[0].source.startswith("Zoë\t")
    assert [mending.weight for mending in mendings] == [Weight.REPAIR]


def conflict() -> bytes:
    text = text_with_accents()
    return text.replace(' "cells"', '<<<<<<< HEAD\n "cells"', 1).encode()


NOT_NOTEBOOKS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "The file is empty"),
    "only zeros": (b"\0" * 1000, "The file is empty"),
    "only a mark": (b"\xef\xbb\xbf", "not JSON"),
    "text": (b"not JSON at all", "it is not JSON"),
    "bytes": (bytes(range(1, 256)), "it is not JSON"),
    "cut off": (text_with_accents().encode()[:500], "not a whole notebook"),
    "cut off in a string": (text_with_accents().encode()[:40], "not a"),
    "a list": (b"[]", "holds other data"),
    "no cells": (b'{"nbformat": 4, "metadata": {}}', "not a notebook"),
    "cells that are no list": (b'{"cells": 3, "nbformat": 4}', "no list of cells"),
    "old format without cells": (b'{"worksheets": 3, "nbformat": 3}', "not a notebook"),
    "unknown format": (b'{"nbformat": "x"}', "not a notebook"),
    "web page": (b"<!DOCTYPE html><html>", "a web page"),
    "zip": (b"PK\x03\x04 rest", "a zip archive"),
    "PDF": (b"%PDF-1.7", "a PDF"),
    "conflict": (conflict(), "conflict that git left"),
    "nested too deep": (b'{"cells": ' + b"[" * 100_000, "nested too deep"),
    "too many cells": (json.dumps({"nbformat": 4, "cells": [{}] * 6000}).encode(), "6000 cells"),
    "too large": (b" " * (LIMIT + 1), "The file has 1 MB, and the limit is 1 MB"),
}


@pytest.mark.parametrize("name", NOT_NOTEBOOKS)
def test_file_that_is_no_notebook_is_told_what_it_is(name: str, tmp_path: Path) -> None:
    content, words = NOT_NOTEBOOKS[name]
    (tmp_path / "a.ipynb").write_bytes(content)
    with pytest.raises(Unreadable, match=words):
        read_cells(tmp_path / "a.ipynb", LIMIT)


def test_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    path.touch()
    os.truncate(path, 5_000_000_000)  # it takes no room on the disk
    with pytest.raises(Unreadable, match=r"The file has 5 GB, and the limit is 1 MB"):
        read_cells(path, LIMIT)


def test_link_and_pipe_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "other.ipynb").write_text(text_with_accents())
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "other.ipynb")
    os.mkfifo(tmp_path / "pipe.ipynb")
    for name in ("link", "pipe"):
        with pytest.raises(Unreadable, match="not followed"):
            read_cells(tmp_path / f"{name}.ipynb", LIMIT)


def test_what_programs_leave_is_logged_without_the_name(tmp_path: Path) -> None:
    data: dict[str, Any] = right()
    data["metadata"]["widgets"] = {"a": {}}
    data["metadata"]["kernelspec"] = {"name": "my_env"}
    data["cells"][2]["metadata"]["executionInfo"] = {"user": {"displayName": "Ada Lovelace"}}
    (tmp_path / "a.ipynb").write_text(json.dumps(data))
    mendings = read_cells(tmp_path / "a.ipynb", LIMIT)[1]
    assert {mending.weight for mending in mendings} == {Weight.TIDY}
    words = "; ".join(mending.for_instructor for mending in mendings)
    assert "names of people" in words
    assert "widgets" in words
    assert "kernel my_env" in words
    assert "Lovelace" not in words
