"""Feedback pages in a zip, under the names by which an LMS hands them out."""

import zipfile
from pathlib import Path

import pytest

from rnnkit.course.collecting.record import Attempt, Record, collected_folder
from rnnkit.course.exporting import feedback_zip
from rnnkit.errors import KitError

UNIT = "00_tiny"
PLACES = {
    "ada": ("moodle", "Ada Lovelace_41_assignsubmission_file_"),
    "zoe": ("moodle", "Zoë OBrien_43_assignsubmission_file"),
    "ben": ("canvas", "raybén_LATE_502_900_"),
    "cy": ("plain", ""),
}


@pytest.fixture
def course(root: Path) -> Path:
    """A course in which four students handed in, each in another way, and all have a page."""
    folder = collected_folder(root, UNIT)
    folder.mkdir(parents=True)
    attempts = [
        Attempt(name, name, "", name, [0.0], form, "1", name, place, "x.zip")
        for name, (form, place) in PLACES.items()
    ]
    old = Attempt("ada", "old", "", "old", [-1.0], "moodle", "1", "ada", "old_", "x.zip")
    Record([*attempts, old]).write(folder)
    for name in PLACES:
        page = page_of(root, name)
        page.parent.mkdir(parents=True)
        page.write_text(f"<p>{name}</p>")
    return root


def page_of(root: Path, student: str) -> Path:
    return root / "feedback" / student / UNIT / f"{UNIT}.html"


def written(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_moodle_finds_each_page_in_the_folder_that_it_made_itself(course: Path) -> None:
    path = course / "feedback.zip"
    made = feedback_zip(path, UNIT, course, lambda name: page_of(course, name), "moodle")
    assert written(path) == {
        "Ada Lovelace_41_assignsubmission_file_/00_tiny.html": "<p>ada</p>",
        "Zoë OBrien_43_assignsubmission_file/00_tiny.html": "<p>zoe</p>",
    }
    assert (made.pages, made.no_page, made.no_place) == (2, [], ["ben", "cy"])


def test_canvas_finds_each_page_by_the_begin_of_its_name(course: Path) -> None:
    path = course / "feedback.zip"
    feedback_zip(path, UNIT, course, lambda name: page_of(course, name), "canvas")
    assert written(path) == {"raybén_LATE_502_900_00_tiny.html": "<p>ben</p>"}


def test_who_has_no_page_is_named(course: Path) -> None:
    page_of(course, "zoe").unlink()
    path = course / "feedback.zip"
    made = feedback_zip(path, UNIT, course, lambda name: page_of(course, name), "moodle")
    assert (made.pages, made.no_page) == (1, ["zoe"])


@pytest.mark.parametrize(("unit", "words"), [(UNIT, "none has been made"), ("99", "none in")])
def test_a_zip_of_nothing_is_not_written(course: Path, unit: str, words: str) -> None:
    with pytest.raises(KitError, match=words):
        feedback_zip(course / "f.zip", unit, course, lambda name: course / name, "moodle")
    assert not (course / "f.zip").exists()
