"""The commands that take from an LMS and give to it, from their words to the exit status."""

import csv
import io
import json
import zipfile
from pathlib import Path

import nbformat
import pytest
from tiny_unit import UNIT, make_kit, reference_notebook

from rnnkit.cli import main

HEADER = "student_id,first name,last name,email\n"
PEOPLE = (
    "ada,Ada,Lovelace,ada@uni.example\n"
    "ben,Ben,Ray,ben@uni.example\n"
    "zoe,Zoë,O'Brien,zoe@uni.example\n"
    "cy,Cy,Do,cy@uni.example\n"
)
FOLDERS = {
    "ada": "Ada Lovelace_41_assignsubmission_file_",
    "ben": "Ben Ray_42_assignsubmission_file_",
    "zoe": "Zoë OBrien_43_assignsubmission_file_",
}


@pytest.fixture
def inside_kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kit with the made-up unit, as the current folder."""
    root = make_kit(tmp_path / "kit").root
    monkeypatch.chdir(root)
    return root


def answered(double: str) -> str:
    """The unit's notebook with one answer, as Colab saves it."""
    notebook = reference_notebook()
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "q1-double":
            cell.source = double
            user = {"displayName": "Somebody Else", "userId": "77"}
            cell.metadata["executionInfo"] = {"status": "ok", "user": user}
        cell.metadata["id"] = cell.pop("id")
    notebook.metadata["colab"] = {"provenance": [{"file_id": "secret"}]}
    notebook.nbformat_minor = 0
    return json.dumps(notebook)


def moodle_zip(path: Path) -> Path:
    answers = {
        "ada": "def double(x):\n    return x + x",
        "ben": "def double(x):\n    return x * x",
        "zoe": "def double(x):\n    return 2 * x",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for student, folder in FOLDERS.items():
            archive.writestr(f"{folder}/lab.ipynb", answered(answers[student]))
        archive.writestr("__MACOSX/._lab.ipynb", "x")
    return path


@pytest.mark.slow
def test_a_class_goes_from_the_lms_to_the_lms(
    inside_kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("class.csv").write_text(HEADER + PEOPLE, encoding="utf-8")
    source = str(moodle_zip(Path("lab.zip")))
    assert main(["collect", UNIT, source, "--course", "course", "--roster", "class.csv"]) == 0
    printed = capsys.readouterr().out
    assert "Attempts added: 3 by 3 students" in printed
    assert "Of the class list, missing: 1\n  cy (Cy Do)" in printed
    assert "__MACOSX/._lab.ipynb (lab.zip): made by macOS" in printed

    assert main(["grade", UNIT, "--course", "course", "--jobs", "2", "--fast"]) == 0
    words = ["export", UNIT, "--course", "course", "--to", "moodle", "--feedback", "back.zip"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "Grades of 3 students" in printed
    assert "wait for hand grading: 3 (ada, zoe, ben)" in printed
    table = Path(f"course/{UNIT}-moodle.csv").read_text(encoding="utf-8")
    rows = {row["Email address"]: row for row in csv.DictReader(io.StringIO(table))}
    assert {mail: row["Grade"] for mail, row in rows.items()} == {
        "ada@uni.example": "3",
        "ben@uni.example": "1",
        "zoe@uni.example": "3",
    }
    with zipfile.ZipFile("back.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(pages) == sorted(f"{folder}/{UNIT}.html" for folder in FOLDERS.values())
    assert "double" in pages[f"{FOLDERS['ben']}/{UNIT}.html"]
    texts = [path for path in Path("course").rglob("*") if path.suffix in (".ipynb", ".html")]
    assert not any("Somebody Else" in path.read_text(encoding="utf-8") for path in texts)

    assert main(["collect", UNIT, source, "--course", "course"]) == 0
    assert "Attempts added: 0 by 0 students; there already: 3." in capsys.readouterr().out


def test_who_could_not_be_matched_ends_in_status_1(
    inside_kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("class.csv").write_text(HEADER + "ada,Ada,Lovelace,\n", encoding="utf-8")
    source = str(moodle_zip(Path("lab.zip")))
    assert main(["collect", UNIT, "--course", "course", "--roster", "class.csv", source]) == 1
    printed = capsys.readouterr().out
    assert "Could not be given to a student, and kept aside: 2" in printed
    assert "Ben Ray (lab.zip): nobody on the class list has this name" in printed
    assert "column 'also'" in printed


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["collect", "99_none", "x.zip", "--course", "c"], "'99_none'"),
        (["collect", UNIT, "--course", "c"], "neither"),
        (["collect", UNIT, "nothing.zip", "--course", "c"], "no such file"),
        (["collect", UNIT, "x.zip", "--course", "no/where"], "no folder"),
        (["collect", UNIT, "class.txt", "--course", "c"], "it is no zip"),
        (["collect", UNIT, "empty", "--course", "class.txt"], "is not a folder"),
        (["collect", UNIT, "empty", "--course", "c", "--roster", "no.csv"], "no such file"),
        (["collect", UNIT, "empty", "--course", "c", "--roster", "class.txt"], "no header"),
        (["collect", UNIT, "empty", "--course", "c"], "no file in it is one"),
        (["export", UNIT, "--course", "nowhere", "--to", "csv"], "no folder nowhere"),
        (["export", UNIT, "--course", "empty", "--to", "csv"], "no such file"),
        (["export", UNIT, "--course", "bad", "--to", "csv"], "not a database"),
        (["export", UNIT, "--course", "empty", "--to", "csv", "--feedback", "f"], "--to csv"),
    ],
)
def test_bad_input_is_told_without_a_traceback(
    inside_kit: Path, capsys: pytest.CaptureFixture[str], words: list[str], found: str
) -> None:
    Path("class.txt").write_text("no,header\nof,ours\n")
    for folder in ("empty", "bad"):
        Path(folder).mkdir()
    Path("bad/gradebook.db").write_text("no database " * 100)
    assert main(words) == 2
    printed = capsys.readouterr().err
    for part in ("Expected:", "Found:", "To do:", found):
        assert part in printed
    assert "Traceback" not in printed


def test_nothing_is_made_by_an_export_that_cannot_be(inside_kit: Path) -> None:
    Path("empty").mkdir()
    assert main(["export", UNIT, "--course", "empty", "--to", "csv"]) == 2
    assert list(Path("empty").iterdir()) == []


def test_a_notebook_alone_is_collected(inside_kit: Path) -> None:
    nbformat.write(reference_notebook(), "ada.ipynb")
    assert main(["collect", UNIT, "ada.ipynb", "--course", "course"]) == 0
    assert Path(f"course/submitted/ada/{UNIT}/{UNIT}.ipynb").is_file()
