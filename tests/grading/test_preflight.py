"""The right notebook is found in what was handed in, and nothing outside is looked at."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from damages import ANSWERS, UNIT, canon, right
from tiny_unit import tree_digest

from rnnkit.grading.limits import Limits
from rnnkit.grading.mending import Weight
from rnnkit.grading.preflight import Preflight, preflight
from rnnkit.grading.status import Status

CANON = canon()
TEXT = json.dumps(right())
BLANK = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []})


def answer(text: str) -> str:
    """The right notebook with another written answer, to tell notebooks apart."""
    return TEXT.replace("Nothing more, thank you.", text)


def hand_in(folder: Path, files: dict[str, str]) -> None:
    for age, (name, text) in enumerate(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1e9 + age, 1e9 + age))


def look(folder: Path, limits: Limits | None = None, **sizes: Any) -> Preflight:
    reserved = folder.parent / "reserved"
    reserved.mkdir(exist_ok=True)
    return preflight(folder, CANON, limits or Limits(**sizes), reserved)


def graded_text(result: Preflight) -> str:
    assert result.notebook is not None, result.note
    return str(result.notebook.cells[-1].source)


def note(result: Preflight) -> str:
    return "; ".join(m.for_instructor for m in result.mendings if m.weight is not Weight.TIDY)


@pytest.mark.parametrize(
    "name",
    [
        f"{UNIT} (1).ipynb",
        f"Copy of {UNIT}.ipynb",
        f"{UNIT}-copy1.ipynb",
        f"{UNIT}-Copy2.ipynb",
        f"{UNIT.upper()}.ipynb",
        f"{UNIT}.IPYNB",
        f"{UNIT}.ipynb.txt",
        f"{UNIT}.ipynb.json",
        "my homework.ipynb",
        "Übung.ipynb",
        "U\u0308bung.ipynb",
        f"folder/{UNIT}.ipynb",
        f"a/b/c/{UNIT} (2).ipynb",
        "line\nbreak.ipynb",
    ],
)
def test_notebook_with_another_name_is_graded_and_said(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path / "in", {name: TEXT})
    result = look(tmp_path / "in")
    assert graded_text(result) == ANSWERS["q5-more"]
    assert note(result).startswith("graded the file ")
    assert "\n" not in note(result)
    assert f"it should be named {UNIT}.ipynb" in result.mendings[0].for_student


def test_right_name_is_taken_before_a_newer_notebook(tmp_path: Path) -> None:
    hand_in(tmp_path / "in", {f"{UNIT}.ipynb": answer("right name"), "newer.ipynb": TEXT})
    result = look(tmp_path / "in")
    assert graded_text(result) == "right name"
    assert note(result) == "other notebooks not graded: newer.ipynb"
    assert {mending.weight for mending in result.mendings} == {Weight.NOTE}


def test_of_several_the_newest_with_most_graded_cells_is_taken(tmp_path: Path) -> None:
    data = right()
    data["cells"] = data["cells"][:3]
    hand_in(
        tmp_path / "in",
        {"1.ipynb": TEXT, "2.ipynb": answer("newest whole"), "3.ipynb": json.dumps(data)},
    )
    result = look(tmp_path / "in")
    assert graded_text(result) == "newest whole"
    assert "graded the file 2.ipynb; other notebooks not graded: 1.ipynb, 3.ipynb" in note(result)


@pytest.mark.parametrize("content", ["", BLANK, TEXT[:300]])
def test_broken_notebook_with_the_right_name_gives_way_to_a_whole_one(
    content: str, tmp_path: Path
) -> None:
    hand_in(tmp_path / "in", {f"{UNIT}.ipynb": content, "saved.ipynb": answer("saved")})
    result = look(tmp_path / "in")
    assert graded_text(result) == "saved"
    assert f"{UNIT}.ipynb not used (The " in note(result)


def test_only_notebook_that_is_another_is_unreadable(tmp_path: Path) -> None:
    hand_in(tmp_path / "in", {"other.ipynb": BLANK})
    result = look(tmp_path / "in")
    assert result.status is Status.UNREADABLE
    assert result.note.startswith("other.ipynb: The notebook has none of the exercise's")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "the folder is empty"),
        ({"report.pdf": "x", "lab.zip": "x"}, "found lab.zip, report.pdf."),
        ({f".ipynb_checkpoints/{UNIT}.ipynb": TEXT}, "found .ipynb_checkpoints/"),
        ({f"__MACOSX/._{UNIT}.ipynb": TEXT}, "found __MACOSX/"),
    ],
)
def test_folder_without_a_notebook_is_missing(
    files: dict[str, str], words: str, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    hand_in(tmp_path / "in", files)
    result = look(tmp_path / "in")
    assert result.status is Status.MISSING
    assert words in result.note


def test_no_folder_file_and_link_in_its_place_are_missing(tmp_path: Path) -> None:
    hand_in(tmp_path / "real", {f"{UNIT}.ipynb": TEXT})
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for name, words in (("none", "nothing"), ("file", "a file"), ("link", "not followed")):
        result = look(tmp_path / name)
        assert result.status is Status.MISSING
        assert words in result.note


def test_links_out_of_the_folder_are_not_followed_and_said(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "gradebook.db").write_text("secret")
    hand_in(tmp_path / "in", {f"{UNIT}.ipynb": TEXT, "data.csv": "1"})
    (tmp_path / "in" / "db.csv").symlink_to(tmp_path / "secret" / "gradebook.db")
    (tmp_path / "in" / "folder").symlink_to(tmp_path / "secret")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    os.mkfifo(tmp_path / "in" / "pipe")
    result = look(tmp_path / "in")
    result.write(tmp_path / "out", UNIT)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"{UNIT}.ipynb",
        "data.csv",
    ]
    assert "links in the folder not followed: db.csv, folder, loop" in note(result)
    assert "devices or closed folders in the folder not followed: pipe" in note(result)


def test_link_with_the_right_name_gives_way_to_a_notebook(tmp_path: Path) -> None:
    hand_in(tmp_path / "elsewhere", {"theirs.ipynb": answer("stolen")})
    hand_in(tmp_path / "in", {"mine.ipynb": answer("mine")})
    (tmp_path / "in" / f"{UNIT}.ipynb").symlink_to(tmp_path / "elsewhere" / "theirs.ipynb")
    assert graded_text(look(tmp_path / "in")) == "mine"


def test_files_beside_a_notebook_in_a_folder_lie_beside_it_again(tmp_path: Path) -> None:
    files = {f"work/{UNIT}.ipynb": TEXT, "work/data/a.csv": "1", "top.csv": "2"}
    hand_in(tmp_path / "in", files)
    look(tmp_path / "in").write(tmp_path / "out", UNIT)
    for name in ("data/a.csv", "work/data/a.csv", "top.csv"):
        assert (tmp_path / "out" / name).is_file()


def test_files_of_the_unit_and_its_notebook_are_not_replaced(tmp_path: Path) -> None:
    hand_in(tmp_path / "reserved", {"data.csv": "the unit's", "helpers": "a file"})
    files = {
        "work.ipynb": TEXT,
        "data.csv": "the student's",
        "helpers/x.py": "a folder in the place of a file",
        f"{UNIT}.ipynb/x.txt": "a folder in the place of the notebook",
        "own.csv": "1",
    }
    hand_in(tmp_path / "in", files)
    look(tmp_path / "in").write(tmp_path / "out", UNIT)
    assert sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").iterdir()) == [
        f"{UNIT}.ipynb",
        "own.csv",
    ]


def test_file_too_large_is_left_out_and_said(tmp_path: Path) -> None:
    hand_in(tmp_path / "in", {f"{UNIT}.ipynb": TEXT, "big.csv": "x" * 3000, "small.csv": "1"})
    result = look(tmp_path / "in", folder_bytes=2000)
    result.write(tmp_path / "out", UNIT)
    assert not (tmp_path / "out" / "big.csv").exists()
    assert (tmp_path / "out" / "small.csv").exists()
    assert "files too large to be copied: big.csv (3 kB)" in note(result)


def test_notebook_too_large_is_refused_with_the_limit(tmp_path: Path) -> None:
    hand_in(tmp_path / "in", {f"{UNIT}.ipynb": TEXT})
    result = look(tmp_path / "in", notebook_bytes=1000)
    assert result.status is Status.UNREADABLE
    assert "the limit is 1 kB" in result.note


def test_what_was_handed_in_stays_as_it_was(tmp_path: Path) -> None:
    hand_in(tmp_path / "in", {"work/a.ipynb": TEXT, "work/data.csv": "1"})
    before = tree_digest(tmp_path / "in")
    look(tmp_path / "in").write(tmp_path / "out", UNIT)
    assert tree_digest(tmp_path / "in") == before
