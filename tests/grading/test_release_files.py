"""Pages of a class that uses nbgrader's exchange have beside them what it looks for."""

from pathlib import Path

import pytest

from rnnkit.grading.release_files import LONGEST, SECRET, TIME, add_release_files


@pytest.fixture
def pages(tmp_path: Path) -> dict[Path, Path]:
    """A page for ada, ben and cy each; cy handed in nothing."""
    found = {}
    for student in ("ada", "ben", "cy"):
        folder = tmp_path / "submitted" / student
        page = tmp_path / "feedback" / student / "lab.html"
        page.parent.mkdir(parents=True)
        page.write_text("the page")
        if student != "cy":
            folder.mkdir(parents=True)
        found[page] = folder
    return found


def beside(page: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in page.parent.glob("*.txt")}


def test_secret_and_time_are_those_of_the_submission(pages: dict[Path, Path]) -> None:
    ada, *others = pages
    (pages[ada] / SECRET).write_text("known to ada")
    (pages[ada] / TIME).write_text("2026-11-20 10:00:00 UTC")
    add_release_files(pages)
    assert beside(ada) == {SECRET: "known to ada", TIME: "2026-11-20 10:00:00 UTC"}
    secrets = [beside(page)[SECRET] for page in others]
    assert all(len(secret) > 20 for secret in secrets) and len(set(secrets)) == 2
    assert [beside(page)[TIME] for page in others] == ["", ""]
    add_release_files(pages)
    assert [beside(page)[SECRET] for page in others] == secrets


def test_later_submission_brings_its_own_secret(pages: dict[Path, Path]) -> None:
    ada = next(iter(pages))
    for secret in ("first", "second"):
        (pages[ada] / SECRET).write_text(secret)
        add_release_files(pages)
    assert beside(ada)[SECRET] == "second"


def test_class_without_the_exchange_gets_no_files(pages: dict[Path, Path]) -> None:
    add_release_files(pages)
    assert [beside(page) for page in pages] == [{}, {}, {}]


def test_page_that_was_not_made_gets_no_files(pages: dict[Path, Path]) -> None:
    ada, ben, _ = pages
    (pages[ada] / SECRET).write_text("known to ada")
    ben.unlink()
    add_release_files(pages)
    assert beside(ben) == {}


def test_link_or_large_file_in_the_place_of_a_secret_is_not_read(
    pages: dict[Path, Path], tmp_path: Path
) -> None:
    ada, ben, cy = pages
    pages[cy].mkdir()
    (pages[cy] / SECRET).write_text("known to cy")
    (tmp_path / "answers").write_text("all the answers")
    (pages[ada] / SECRET).symlink_to(tmp_path / "answers")
    (pages[ben] / SECRET).write_text("x" * (LONGEST + 1))
    add_release_files(pages)
    assert "answers" not in beside(ada)[SECRET]
    assert len(beside(ben)[SECRET]) < 100
