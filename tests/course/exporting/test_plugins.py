"""Grades as Moodle, Canvas and a spreadsheet take them."""

import csv
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from rnnkit.course.collecting.record import Attempt, Record, collected_folder
from rnnkit.course.exporting import CanvasExport, CsvExport, Exported, MoodleExport
from rnnkit.errors import KitError

UNIT = "00_tiny"
HEADER = "student_id,first name,last name,email address,id number,username"
PEOPLE = (
    "ada,Ada,Lovelace,ada@uni.example,1001,al1",
    "ben,Ben,Ray,ben@uni.example,1002,br2",
    "zoe,Zoë,O'Brien,zoe@uni.example,1003,zo3",
    "cy,Cy,Do,cy@uni.example,1004,cd4",
)


def roster(root: Path, *lines: str, header: str = HEADER) -> None:
    (root / "collected").mkdir(exist_ok=True)
    text = "\n".join([header, *lines]) + "\n"
    (root / "collected" / "roster.csv").write_text(text, encoding="utf-8")


def collected(root: Path, form: str, **ids: str) -> None:
    """A record that says under which number each student was collected."""
    folder = collected_folder(root, UNIT)
    folder.mkdir(parents=True, exist_ok=True)
    attempts = [
        Attempt(name, name, "", name, [0.0], form, lms_id, name.title(), f"{name}_", "x.zip")
        for name, lms_id in ids.items()
    ]
    Record(attempts).write(folder)


def export(
    kind: type, gradebook: Gradebook, root: Path, **options: Any
) -> tuple[list[list[str]], Exported]:
    plugin = kind(to=str(root / "out.csv"), course_root=str(root), **options)
    plugin.export(gradebook)
    with (root / "out.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file)), plugin.exported


def test_moodle_gets_what_both_of_its_imports_ask_for(gradebook: Gradebook, root: Path) -> None:
    roster(root, *PEOPLE)
    collected(root, "moodle", ada="41", ben="42", zoe="43")
    (header, *rows), exported = export(MoodleExport, gradebook, root, assignment=[UNIT])
    # A grading worksheet needs these three, under these names.
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(header)
    by_name = [dict(zip(header, row, strict=True)) for row in rows]
    assert [(row["Identifier"], row["Grade"], row["Maximum Grade"]) for row in by_name] == [
        ("Participant 41", "2", "3"),
        ("Participant 43", "0", "3"),
        ("Participant 42", "1.5", "3"),
    ]
    assert by_name[0]["Email address"] == "ada@uni.example"
    assert [row["ID number"] for row in by_name] == ["1001", "1003", "1002"]
    assert (exported.left_out, exported.waiting) == (["cy"], ["ben"])


def test_moodle_never_gets_a_column_to_find_people_by_with_a_gap(
    gradebook: Gradebook, root: Path
) -> None:
    gap = "ben,Ben,Ray,,1002,br2"
    roster(root, PEOPLE[0], gap, PEOPLE[2])
    (header, *rows), _ = export(MoodleExport, gradebook, root, assignment=[UNIT])
    assert header[:3] == ["Full name", "ID number", "Username"]
    assert all(all(row) for row in rows)


def test_moodle_needs_something_to_find_people_by(gradebook: Gradebook, root: Path) -> None:
    with pytest.raises(KitError, match=r"3 without an address: .*ada") as refusal:
        export(MoodleExport, gradebook, root, assignment=[UNIT])
    assert "--roster" in refusal.value.remedy
    assert not (root / "out.csv").exists()


def test_moodles_numbers_of_participants_are_enough(gradebook: Gradebook, root: Path) -> None:
    collected(root, "moodle", ada="41", ben="42", zoe="43")
    (header, *rows), _ = export(MoodleExport, gradebook, root, assignment=[UNIT])
    assert header[:2] == ["Identifier", "Full name"]
    assert rows[0][:2] == ["Participant 41", "Ada"]


def test_moodles_numbers_of_another_assignment_are_not_used(
    gradebook: Gradebook, root: Path
) -> None:
    people = [f"{line},Participant {number}" for number, line in enumerate(PEOPLE)]
    roster(root, *people, header=f"{HEADER},identifier")
    (header, *_), _ = export(MoodleExport, gradebook, root, assignment=[UNIT])
    assert "Identifier" not in header


def test_canvas_gets_a_header_that_it_takes(gradebook: Gradebook, root: Path) -> None:
    roster(root, *PEOPLE)
    collected(root, "canvas", ada="501", ben="502")
    titles = {UNIT: "Lab 0 (777)"}
    table, exported = export(CanvasExport, gradebook, root, assignment=[UNIT], titles=titles)
    header, possible, *rows = table
    assert "Student" in header[0] and "ID" in header[1]
    assert re.search(r"SIS\s+User\s+ID", header[2]) and re.search(r"SIS\s+Login\s+ID", header[3])
    assert header[4:] == ["Section", "Lab 0 (777)"]
    assert "Points Possible" in possible[0] and possible[5] == "3"
    assert rows == [
        ["Lovelace, Ada", "501", "1001", "al1", "", "2"],
        ["O'Brien, Zoë", "", "1003", "zo3", "", "0"],
        ["Ray, Ben", "502", "1002", "br2", "", "1.5"],
    ]
    assert exported.by_name == []


def test_canvas_without_numbers_says_who_is_found_by_name(gradebook: Gradebook, root: Path) -> None:
    collected(root, "canvas", ada="501")
    _, exported = export(CanvasExport, gradebook, root, assignment=[UNIT])
    assert exported.by_name == ["ben", "zoe"]


def test_a_spreadsheet_gets_all_students_and_a_blank_for_no_score(
    gradebook: Gradebook, root: Path
) -> None:
    roster(root, *PEOPLE, "new,Newt,Only On The List,n@uni.example,1005,n")
    (header, *rows), _ = export(CsvExport, gradebook, root)
    score = header.index("score")
    assert {row[0]: row[score] for row in rows} == {
        "ada": "2",
        "ben": "1.5",
        "zoe": "0",
        "cy": "",
        "new": "",
    }


def test_late_penalty_is_taken_off_and_never_below_zero(gradebook: Gradebook, root: Path) -> None:
    for student, penalty in (("ada", 0.5), ("zoe", 1.0)):
        notebook = gradebook.find_submission_notebook(UNIT, UNIT, student)
        notebook.late_submission_penalty = penalty
    gradebook.db.commit()
    (header, *rows), _ = export(CsvExport, gradebook, root)
    found = {row[0]: row[header.index("score")] for row in rows}
    assert (found["ada"], found["zoe"]) == ("1.5", "0")


def test_a_name_is_no_formula_to_a_spreadsheet(gradebook: Gradebook, root: Path) -> None:
    roster(root, "ada,=HYPERLINK(1),Lovelace,ada@uni.example,1001,al1", *PEOPLE[1:])
    table, _ = export(CsvExport, gradebook, root)
    assert any("'=HYPERLINK(1)" in row for row in table)
    assert not any(cell.startswith("=") for row in table for cell in row)


def test_an_unknown_unit_is_told_with_those_that_are_there(
    gradebook: Gradebook, root: Path
) -> None:
    with pytest.raises(KitError, match=UNIT):
        export(CsvExport, gradebook, root, assignment=["99_none"])


def test_several_units_become_several_columns(gradebook: Gradebook, root: Path) -> None:
    roster(root, *PEOPLE)
    gradebook.add_assignment("01_more")
    gradebook.add_notebook("01_more", "01_more")
    gradebook.db.commit()
    (moodle, *_), _ = export(MoodleExport, gradebook, root)
    (canvas, *_), _ = export(CanvasExport, gradebook, root)
    assert moodle[-2:] == canvas[-2:] == [UNIT, "01_more"]


@pytest.mark.parametrize("exporter", ["MoodleExport", "CanvasExport", "CsvExport"])
def test_plain_nbgrader_exports_the_same(gradebook: Gradebook, root: Path, exporter: str) -> None:
    roster(root, *PEOPLE)
    named = f"--exporter=rnnkit.course.exporting.{exporter}"
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "export", named, "--to", "plain.csv"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    kinds = {kind.__name__: kind for kind in (MoodleExport, CanvasExport, CsvExport)}
    ours, _ = export(kinds[exporter], gradebook, root)
    with (root / "plain.csv").open(encoding="utf-8", newline="") as file:
        plain = list(csv.reader(file))
    moment = ours[0].index("Last modified (grade)") if exporter == "MoodleExport" else None
    for row in (*ours, *plain):
        if moment is not None:
            row[moment] = ""
    assert plain == ours
