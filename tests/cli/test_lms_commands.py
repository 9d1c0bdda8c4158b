"""The commands that take from an LMS and give to it, from their words to the exit status."""

import csv
import gzip
import io
import json
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
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


PERSON = {"displayName": "Somebody Else", "userId": "77001234567890123456"}


def answered(double: str) -> str:
    """The unit's published notebook with one answer, as Colab saves it.

    Cell ids lie in the metadata, each of them twice, and beside them stands who ran the cell.
    """
    notebook = reference_notebook()
    first = new_code_cell("import sys\nassert 'google.colab' not in sys.modules, 'Colab here'")
    notebook.cells = [
        new_markdown_cell("[![Open in Colab](badge)](address)"),
        first,
        *notebook.cells,
    ]
    for number, cell in enumerate(notebook.cells):
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "q1-double":
            cell.source = double
        cell.pop("id")
        cell.metadata |= {"id": f"aB{number // 2}", "colab": {"base_uri": "https://localhost/"}}
        if cell.cell_type == "code":
            cell.metadata["outputId"] = f"output-{number}"
            cell.metadata["executionInfo"] = {
                "status": "ok",
                "timestamp": 1790000000000 + number,
                "user": PERSON,
                "user_tz": -120,
                "elapsed": 5,
            }
            text = f"ran for {PERSON['displayName']}\n"
            cell.outputs = [{"output_type": "stream", "name": "stdout", "text": [text]}]
    notebook.metadata |= {
        "accelerator": "GPU",
        "colab": {
            "provenance": [{"file_id": "secret-place", "timestamp": 1790000000000}],
            "name": "Copy of lab.ipynb",
            "gpuType": "T4",
        },
    }
    notebook.nbformat_minor = 0
    return json.dumps(notebook)


def words_in(folder: Path, words: list[str]) -> set[tuple[str, str]]:
    """Which files below a folder hold one of the words, also inside zips and gzipped files."""
    found = set()
    for path in filter(Path.is_file, folder.rglob("*")):
        content = path.read_bytes()
        contents = [content]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                contents += [archive.read(name) for name in archive.namelist()]
        elif content[:2] == b"\x1f\x8b":
            contents.append(gzip.decompress(content))
        found |= {
            (path.relative_to(folder).as_posix(), word)
            for word in words
            for each in contents
            if word.encode() in each
        }
    return found


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
    secrets = [*PERSON.values(), "secret-place"]
    assert words_in(Path("course"), ["def double"])  # what people wrote is found there
    assert words_in(Path("course"), secrets) == set()
    assert not any(word in page for page in pages.values() for word in secrets)

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
