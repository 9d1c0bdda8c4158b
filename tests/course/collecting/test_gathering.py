"""Collecting, from an LMS's zip to the folders that are graded."""

import datetime
import json
import os
import random
import shutil
import unicodedata
from pathlib import Path

import pytest
from lms_zips import DAY, IDS, UNIT, CourseFolder, make_zip, notebook, raw_zip, write_roster

from rnnkit.course.collecting.archives import Bounds
from rnnkit.errors import KitError

MOODLE = "{}_{}_assignsubmission_file_/{}"
LATER = (2026, 11, 25, 9, 30, 0)


def moodle(name: str, number: int, file: str = "lab.ipynb") -> str:
    return MOODLE.format(name, number, file)


@pytest.mark.parametrize(
    "name",
    [
        "Ada Lovelace_12345_assignsubmission_file_/lab.ipynb",
        "Ada Lovelace_12345_assignsubmission_file/lab.ipynb",
        "Ada Lovelace_12345_assignsubmission_file_lab.ipynb",
        "lovelaceada_12345_67890_lab.ipynb",
        "lovelaceada_LATE_12345_67890_lab-2.ipynb",
        "Ada Lovelace/lab.ipynb",
        "submissions/Ada Lovelace/lab.ipynb",
        "ada_00_tiny.ipynb",
        "ada.ipynb",
        "Lovelace, Ada.ipynb",
        f"ada/{UNIT}/{UNIT}.ipynb",
        "downloads/Ada Lovelace_12345_assignsubmission_file_/lab.ipynb",
    ],
)
def test_each_form_of_name_reaches_its_student(
    course: CourseFolder, tmp_path: Path, name: str
) -> None:
    source = make_zip(tmp_path / "x.zip", {name: notebook("mine")})
    course.collect(source, roster=write_roster(tmp_path / "class.csv", "ada,Ada,Lovelace"))
    assert course.submitted() == {"ada": [f"{UNIT}.ipynb"]}
    assert course.answer("ada") == "mine"


@pytest.mark.parametrize(
    ("written", "person"),
    [
        ("Zoë OBrien_1_assignsubmission_file_/a.ipynb", "z,Zoë,O'Brien"),
        ("Zoe O’Brien_1_assignsubmission_file_/a.ipynb", "z,Zoë,O'Brien"),
        ("obrienzoë_77_88_a.ipynb", "z,Zoë,O'Brien"),
        ("García Márquez José_1_assignsubmission_file_/a.ipynb", "z,José,García Márquez"),
        ("garcamrquezjos_77_88_a.ipynb", "z,José,García Márquez,77"),
        ("Müller Jörg_1_assignsubmission_file_/a.ipynb", "z,Joerg,Mueller"),
        ("Joerg Mueller_1_assignsubmission_file_/a.ipynb", "z,Jörg,Müller"),
        ("Jan Łukasz Nowak_1_assignsubmission_file_/a.ipynb", "z,Jan,Nowak"),
        ("李 明_1_assignsubmission_file_/a.ipynb", "z,明,李"),
        ("van der Berg Anna-Marie_1_assignsubmission_file_/a.ipynb", "z,Anna-Marie,van der Berg"),
        ("s1234567/a.ipynb", "s1234567,Any,Body"),
        ("any.body/a.ipynb", "z,Any,Body,,any.body@uni.example"),
        ("Grace Murray_1_assignsubmission_file_/a.ipynb", "z,Grace,Hopper,,,Grace Murray"),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_match_whatever_accents_order_and_spelling(
    course: CourseFolder, tmp_path: Path, written: str, person: str, form: str
) -> None:
    written = unicodedata.normalize(form, written)  # type: ignore[arg-type]
    source = make_zip(tmp_path / "x.zip", {written: notebook()})
    header = "student_id,first name,last name,canvas id,email,also"
    other = "ada,Ada,Lovelace,5,ada@uni.example,"
    roster = write_roster(tmp_path / "class.csv", person, other, header=header)
    result = course.collect(source, roster=roster)
    assert list(course.submitted()) == [person.split(",")[0]]
    assert [missing.student for missing in result.missing or []] == ["ada"]


def test_the_latest_attempt_is_submitted_and_all_are_kept(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {
        "lovelaceada_12_900_lab-2.ipynb": notebook("third"),
        "lovelaceada_12_700_lab.ipynb": notebook("first"),
        "lovelaceada_12_800_lab-1.ipynb": notebook("second"),
    }
    course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.answer("lovelaceada") == "third"
    assert course.attempts("lovelaceada") == ["001", "002", "003"]


def test_a_scratch_notebook_with_a_higher_number_is_no_later_attempt(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {
        moodle("Ada Lovelace", 1, "lab-1.ipynb"): notebook("mine"),
        moodle("Ada Lovelace", 1, "lab-2.ipynb"): notebook("scratch", ids=()),
    }
    course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.answer("ada_lovelace") == "mine"
    assert course.attempts("ada_lovelace") == ["001"]


def test_a_newer_zip_adds_attempts_and_repeats_nothing(
    course: CourseFolder, tmp_path: Path
) -> None:
    first = {moodle("Ada Lovelace", 1): notebook("a1"), moodle("Ben Ray", 2): notebook("b1")}
    old = make_zip(tmp_path / "old.zip", first)
    course.collect(old)
    second = {**first, moodle("Ada Lovelace", 1): notebook("a2"), moodle("Cy Do", 3): notebook()}
    new = make_zip(tmp_path / "new.zip", second, when=LATER)
    result = course.collect(new)
    assert [attempt.student for attempt in result.new] == ["ada_lovelace", "cy_do"]
    assert result.unchanged == 1
    assert course.answer("ada_lovelace") == "a2"
    assert course.attempts("ada_lovelace") == ["001", "002"]
    before = course.tree()
    again = course.collect(new, old)  # the older one last: it must not win
    assert (again.new, again.replaced) == ([], [])
    assert course.tree() == before
    assert course.answer("ada_lovelace") == "a2"


def test_an_older_zip_collected_later_does_not_replace_what_is_newer(
    course: CourseFolder, tmp_path: Path
) -> None:
    name = moodle("Ada Lovelace", 1)
    course.collect(make_zip(tmp_path / "new.zip", {name: notebook("new")}, when=LATER))
    course.collect(make_zip(tmp_path / "old.zip", {name: notebook("old")}, when=DAY))
    assert course.answer("ada_lovelace") == "new"
    assert course.attempts("ada_lovelace") == ["001", "002"]


def test_time_of_handing_in_is_written_where_the_zip_has_it(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {moodle("Ada Lovelace", 1): notebook(), moodle("Ben Ray", 2): notebook()}
    times = {moodle("Ben Ray", 2): LATER}
    result = course.collect(make_zip(tmp_path / "x.zip", files, times))
    assert course.submitted()["ben_ray"] == [f"{UNIT}.ipynb", "timestamp.txt"]
    written = (course.place("ben_ray") / "timestamp.txt").read_text()
    assert written.startswith("2026-11-2") and written.endswith("UTC\n")
    assert result.untimed == []


def test_time_of_a_download_is_not_taken_for_that_of_handing_in(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {moodle("Ada Lovelace", 1): notebook(), moodle("Ben Ray", 2): notebook()}
    times = {moodle("Ben Ray", 2): (2026, 11, 20, 12, 4, 0)}
    result = course.collect(make_zip(tmp_path / "x.zip", files, times))
    assert course.submitted()["ben_ray"] == [f"{UNIT}.ipynb"]
    assert result.untimed == ["x.zip"]


def test_moodles_worksheet_gives_the_times_of_handing_in(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {moodle("Ada Lovelace", 41): notebook(), moodle("Ben Ray", 42): notebook()}
    source = make_zip(tmp_path / "x.zip", files)
    worksheet = write_roster(
        tmp_path / "grading.csv",
        'Participant 41,Ada Lovelace,"Tuesday, 17 November 2026, 11:59 PM"',
        "Participant 42,Ben Ray,-",
        header="Identifier,Full name,Last modified (submission)",
    )
    result = course.collect(source, roster=worksheet)
    moment = datetime.datetime(2026, 11, 17, 23, 59).astimezone(datetime.UTC)
    written = (course.place("ada_lovelace") / "timestamp.txt").read_text()
    assert written == f"{moment:%Y-%m-%d %H:%M:%S} UTC\n"
    assert course.submitted()["ben_ray"] == [f"{UNIT}.ipynb"]
    assert result.untimed == ["x.zip"]


def test_a_student_cannot_give_the_time_of_handing_in(course: CourseFolder, tmp_path: Path) -> None:
    files = {
        moodle("Ada Lovelace", 1): notebook(),
        moodle("Ada Lovelace", 1, "timestamp.txt"): "2020-01-01 00:00:00 UTC",
    }
    course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.submitted()["ada_lovelace"] == [f"{UNIT}.ipynb", "timestamp (1).txt"]


def test_helper_files_are_passed_over_and_listed(course: CourseFolder, tmp_path: Path) -> None:
    helpers = [
        "__MACOSX/Ada Lovelace_1_assignsubmission_file_/._lab.ipynb",
        moodle("Ada Lovelace", 1, ".DS_Store"),
        moodle("Ada Lovelace", 1, ".ipynb_checkpoints/lab-checkpoint.ipynb"),
        "Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html",
        "Thumbs.db",
    ]
    files = {moodle("Ada Lovelace", 1): notebook("mine"), **dict.fromkeys(helpers, "x")}
    result = course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.submitted() == {"ada_lovelace": [f"{UNIT}.ipynb"]}
    assert sorted(path for _, path, _ in result.passed) == sorted(helpers)


def test_files_beside_the_notebook_come_with_it(course: CourseFolder, tmp_path: Path) -> None:
    files = {
        moodle("Ada Lovelace", 1, "my work/lab.ipynb"): notebook("mine"),
        moodle("Ada Lovelace", 1, "my work/data/x.csv"): "1",
        moodle("Ada Lovelace", 1, "other.ipynb"): notebook(ids=()),
    }
    course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.submitted()["ada_lovelace"] == [
        f"{UNIT}.ipynb",
        "my work/data/x.csv",
        "other.ipynb",
    ]
    assert course.answer("ada_lovelace") == "mine"


@pytest.mark.parametrize(
    "name",
    [
        "Ada Lovelace_1_assignsubmission_file_/all.zip",
        "Ada Lovelace_1_assignsubmission_file_all.zip",
        "lovelaceada_1_2_all.zip",
        "Ada Lovelace/all.ZIP",
        "Ada Lovelace.zip",
    ],
)
def test_a_zip_that_a_student_handed_in_is_opened(
    course: CourseFolder, tmp_path: Path, name: str
) -> None:
    inner = make_zip(tmp_path / "inner.zip", {"lab.ipynb": notebook("packed"), "a/b.csv": "1"})
    source = make_zip(tmp_path / "x.zip", {name: inner.read_bytes()})
    course.collect(source, roster=write_roster(tmp_path / "c.csv", "ada,Ada,Lovelace"))
    assert course.submitted() == {"ada": [f"{UNIT}.ipynb", "a/b.csv"]}
    assert course.answer("ada") == "packed"


@pytest.mark.parametrize("mine", ["lovelaceada_1_2_all.zip", moodle("Ada Lovelace", 1, "all.zip")])
@pytest.mark.parametrize(
    "others", ["Ben Ray_2_assignsubmission_file_/lab.ipynb", "rayben_2_3_lab.ipynb"]
)
def test_nobody_hands_in_for_another_by_names_in_a_zip(
    course: CourseFolder, tmp_path: Path, mine: str, others: str
) -> None:
    inner = make_zip(tmp_path / "inner.zip", {others: notebook()})
    source = make_zip(tmp_path / "x.zip", {mine: inner.read_bytes()})
    roster = write_roster(tmp_path / "c.csv", "ada,Ada,Lovelace", "ben,Ben,Ray")
    course.collect(source, roster=roster)
    assert list(course.submitted()) == ["ada"]


def test_times_in_a_zip_that_a_student_made_do_not_count(
    course: CourseFolder, tmp_path: Path
) -> None:
    inner = make_zip(tmp_path / "inner.zip", {"lab.ipynb": notebook()}, when=(2020, 1, 1, 0, 0, 0))
    files = {
        moodle("Ada Lovelace", 1, "all.zip"): inner.read_bytes(),
        moodle("Ben Ray", 2): notebook(),
    }
    course.collect(make_zip(tmp_path / "x.zip", files, {moodle("Ben Ray", 2): LATER}))
    assert (course.place("ada_lovelace") / "timestamp.txt").read_text().startswith("2026-11-")


def test_a_students_bad_zip_stops_nobody_else(course: CourseFolder, tmp_path: Path) -> None:
    hostile = make_zip(tmp_path / "inner.zip", {"../../evil.ipynb": notebook()})
    files = {
        moodle("Ada Lovelace", 1, "all.zip"): hostile.read_bytes(),
        moodle("Ben Ray", 2): notebook("mine"),
    }
    result = course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.submitted() == {"ada_lovelace": ["all.zip"], "ben_ray": [f"{UNIT}.ipynb"]}
    assert any("leads out of it" in why for _, _, why in result.passed)
    assert ("ada_lovelace", "handed in no notebook, but all.zip") in result.odd


def test_a_file_and_a_folder_of_one_name_both_find_a_place(
    course: CourseFolder, tmp_path: Path
) -> None:
    inner = make_zip(tmp_path / "i.zip", {"a": "1", "a/b": "2", "lab.ipynb": notebook()})
    files = {moodle("Ada Lovelace", 1, "all.zip"): inner.read_bytes()}
    course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.submitted()["ada_lovelace"] == [f"{UNIT}.ipynb", "a", "b"]


def test_a_folder_that_a_browser_unpacked_is_collected(
    course: CourseFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "Lab-download"
    name = unicodedata.normalize("NFD", "Zoë Müller_12_assignsubmission_file_")
    (folder / name).mkdir(parents=True)
    (folder / name / "lab.ipynb").write_text(notebook("mine"))
    (folder / ".DS_Store").write_text("x")
    course.collect(folder)
    assert course.submitted() == {"zoe_muller": [f"{UNIT}.ipynb"]}


def test_names_of_windows_and_of_macos_are_read_as_they_were_meant(
    course: CourseFolder, tmp_path: Path
) -> None:
    content = notebook().encode()
    names = [
        "Zoé Ray/lab.ipynb".encode("cp437"),
        "José Ana/lab.ipynb".encode(),  # macOS: UTF-8 without the mark
        "Ágnes Kiss\\lab.ipynb".encode("cp850"),
    ]
    course.collect(raw_zip(tmp_path / "x.zip", names, content))
    assert sorted(course.submitted()) == ["José Ana", "Zoé Ray", "Ágnes Kiss"]


def test_who_fits_nobody_is_kept_aside_and_found_with_a_better_list(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {moodle("Ada King", 1): notebook("mine"), moodle("Ben Ray", 2): notebook()}
    source = make_zip(tmp_path / "x.zip", files)
    roster = write_roster(tmp_path / "class.csv", "ada,Ada,Lovelace", "ben,Ben,Ray")
    result = course.collect(source, roster=roster)
    (aside,) = result.aside
    assert aside.lms_name == "Ada King"
    assert (result.folder / aside.folder / "lab.ipynb").is_file()
    assert list(course.submitted()) == ["ben"]
    better = write_roster(
        tmp_path / "better.csv",
        "ada,Ada,Lovelace,Ada King",
        "ben,Ben,Ray,",
        header="student_id,first name,last name,also",
    )
    result = course.collect(roster=better)
    assert course.answer("ada") == "mine"
    assert (result.aside, result.missing) == ([], [])
    assert not (result.folder / "aside").exists()
    assert course.collect(source).new == []


def test_two_people_of_one_name_are_never_taken_for_one(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {moodle("Jan Novák", 1): notebook("one"), moodle("Jan Novák", 2): notebook("two")}
    source = make_zip(tmp_path / "x.zip", files)
    result = course.collect(source, roster=write_roster(tmp_path / "c.csv", "jan,Jan,Novák"))
    assert len(result.aside) == 2
    assert course.submitted() == {}
    assert len(course.collect(source).aside) == 2  # nor by calling again
    assert course.submitted() == {}
    sure = write_roster(
        tmp_path / "d.csv", "jan,Jan,Novák,2", header="student_id,first name,last name,identifier"
    )
    result = course.collect(roster=sure)
    assert course.answer("jan") == "two"
    assert [attempt.lms_id for attempt in result.aside] == ["1"]


def test_two_unknown_people_with_one_answer_are_both_kept(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {"kim/lab.ipynb": notebook(), "lee/lab.ipynb": notebook()}
    source = make_zip(tmp_path / "x.zip", files)
    course.collect(source, roster=write_roster(tmp_path / "c.csv", "ada,Ada,Lovelace"))
    roster = write_roster(tmp_path / "d.csv", "ada,Ada,Lovelace", "kim,Kim,Young")
    result = course.collect(roster=roster)
    assert list(course.submitted()) == ["kim"]
    assert [attempt.lms_name for attempt in result.aside] == ["lee"]


def test_one_name_under_another_number_is_told(course: CourseFolder, tmp_path: Path) -> None:
    roster = write_roster(tmp_path / "c.csv", "jan,Jan,Novák")
    first = make_zip(tmp_path / "x.zip", {moodle("Jan Novák", 1): notebook("one")})
    course.collect(first, roster=roster)
    late = make_zip(tmp_path / "y.zip", {moodle("Jan Novák", 2): notebook("two")}, when=LATER)
    ((student, why),) = course.collect(late).odd
    assert (student, why) == (
        "jan",
        "came as Moodle's number 2, and before as 1: is it one person?",
    )


def test_two_people_of_one_name_are_told_apart_without_a_class_list(
    course: CourseFolder, tmp_path: Path
) -> None:
    one = {moodle("Jan Novák", 1): notebook("one")}
    course.collect(make_zip(tmp_path / "x.zip", one))
    both = {**one, moodle("Jan Novák", 2): notebook("two")}
    course.collect(make_zip(tmp_path / "y.zip", both))
    assert list(course.submitted()) == ["jan_novak", "jan_novak_2"]
    assert course.answer("jan_novak_2") == "two"


def test_numbers_of_participants_decide_where_names_do_not(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {moodle("Participant", 41): notebook("a"), moodle("Participant", 42): notebook("b")}
    roster = write_roster(
        tmp_path / "grading.csv",
        'Participant 41,"Ada Lovelace",ada',
        'Participant 42,"Ben Ray",ben',
        header="Identifier,Full name,Username",
    )
    course.collect(make_zip(tmp_path / "x.zip", files), roster=roster)
    assert (course.answer("ada"), course.answer("ben")) == ("a", "b")


def test_who_is_missing_is_listed_also_in_a_later_call_without_the_list(
    course: CourseFolder, tmp_path: Path
) -> None:
    roster = write_roster(tmp_path / "c.csv", "ada,Ada,Lovelace", "ben,Ben,Ray", "cy,Cy,Do")
    source = make_zip(tmp_path / "x.zip", {moodle("Ada Lovelace", 1): notebook()})
    course.collect(source, roster=roster)
    roster.unlink()
    late = make_zip(tmp_path / "y.zip", {moodle("Cy Do", 3): notebook()})
    result = course.collect(late)
    assert [person.student for person in result.missing or []] == ["ben"]


def test_what_somebody_changed_by_hand_is_kept(course: CourseFolder, tmp_path: Path) -> None:
    name = moodle("Ada Lovelace", 1)
    course.collect(make_zip(tmp_path / "x.zip", {name: notebook("first")}))
    mended = course.place("ada_lovelace") / f"{UNIT}.ipynb"
    mended.write_text(notebook("mended"))
    again = course.collect(make_zip(tmp_path / "x.zip", {name: notebook("first")}))
    assert course.answer("ada_lovelace") == "mended"  # nothing new came
    assert again.by_hand == []
    result = course.collect(make_zip(tmp_path / "y.zip", {name: notebook("second")}, when=LATER))
    ((student, kept),) = result.by_hand
    assert student == "ada_lovelace"
    assert (kept / f"{UNIT}.ipynb").read_text() == notebook("mended")
    assert course.answer("ada_lovelace") == "second"


def test_a_submission_that_was_deleted_comes_back(course: CourseFolder, tmp_path: Path) -> None:
    source = make_zip(tmp_path / "x.zip", {moodle("Ada Lovelace", 1): notebook("mine")})
    course.collect(source)
    shutil.rmtree(course.root / "submitted")
    result = course.collect(source)
    assert (result.new, result.replaced) == ([], ["ada_lovelace"])
    assert course.answer("ada_lovelace") == "mine"


def test_another_units_notebook_is_told(course: CourseFolder, tmp_path: Path) -> None:
    files = {moodle("Ada Lovelace", 1): notebook(ids=("other",))}
    result = course.collect(make_zip(tmp_path / "x.zip", files))
    ((student, why),) = result.odd
    assert student == "ada_lovelace"
    assert "another notebook" in why


def test_of_several_notebooks_the_units_is_graded(course: CourseFolder, tmp_path: Path) -> None:
    files = {
        moodle("Ada Lovelace", 1, "my answer.ipynb"): notebook("right"),
        moodle("Ada Lovelace", 1, "zz.ipynb"): notebook("wrong", ids=("other",)),
    }
    course.collect(make_zip(tmp_path / "x.zip", files))
    assert course.answer("ada_lovelace") == "right"


COLAB_USER = {"displayName": "Ada Lovelace", "userId": "12345678901234567890"}


@pytest.mark.parametrize("broken", [False, True])
def test_names_that_colab_wrote_are_stored_nowhere(
    course: CourseFolder, tmp_path: Path, broken: bool
) -> None:
    data = json.loads(notebook("mine", colab={"provenance": [{"file_id": "x"}], "name": "lab"}))
    data["nbformat_minor"] = 0
    data["cells"][0]["metadata"] |= {
        "id": "abc",
        "executionInfo": {"status": "ok", "user": COLAB_USER},
    }
    data["cells"][0]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": ["Hello Ada Lovelace!\n"]}
    ]
    text = json.dumps(data)
    if broken:
        text = text[:-2]
    inner = make_zip(tmp_path / "inner.zip", {"lab.ipynb": text})
    files = {
        "doe_1_5_lab.ipynb": text,
        "ray_2_6_lab.ipynb.txt": text,
        "kim_3_7_all.zip": inner.read_bytes(),
    }
    course.collect(make_zip(tmp_path / "x.zip", files))
    assert list(course.submitted()) == ["doe", "kim", "ray"]
    stored = [path for path in course.root.rglob("*") if path.is_file()]
    assert len(stored) == 7  # three attempts, three submissions, the record
    words = [b'displayName": "Ada', b"12345678901234567890"]
    for path in stored:
        content = path.read_bytes()
        assert not any(word in content for word in words), path
        assert broken or b"Lovelace" not in content, path
    kept = json.loads(text) if not broken else None
    if kept:
        (cell, *_) = json.loads((course.place("doe") / f"{UNIT}.ipynb").read_bytes())["cells"]
        assert cell["metadata"] == {"nbgrader": {"grade_id": IDS[0]}, "id": "abc"}
        assert cell["source"] == "mine"


def test_a_notebook_without_names_is_stored_byte_for_byte(
    course: CourseFolder, tmp_path: Path
) -> None:
    text = notebook("é").replace(",", " ,") + "\n\n"
    course.collect(make_zip(tmp_path / "x.zip", {"doe_1_5_lab.ipynb": text}))
    assert (course.place("doe") / f"{UNIT}.ipynb").read_text(encoding="utf-8") == text


def link_in_zip(path: Path) -> Path:
    import stat
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("ada/lab.ipynb")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return path


def link_in_folder(path: Path) -> Path:
    folder = path.with_suffix("")
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / "lab.ipynb").symlink_to("/etc/passwd")
    return folder


def without_its_end(path: Path) -> Path:
    make_zip(path, {"ada/lab.ipynb": notebook()})
    path.write_bytes(path.read_bytes()[:-30])
    return path


def with_a_wrong_byte(path: Path) -> Path:
    content = bytearray(raw_zip(path, [b"ada/lab.ipynb"], b"{" + b"x" * 500 + b"}").read_bytes())
    content[300] ^= 1
    path.write_bytes(bytes(content))
    return path


def locked(path: Path) -> Path:
    content = bytearray(make_zip(path, {"ada/lab.ipynb": notebook()}).read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    path.write_bytes(bytes(content))
    return path


def text_file(path: Path) -> Path:
    path.write_text("no zip")
    return path


BAD = {
    "a path out of it": (
        lambda path: make_zip(path, {"../ada/lab.ipynb": notebook()}),
        "leads out of it",
    ),
    "a path from the root": (
        lambda path: make_zip(path, {"/ada/lab.ipynb": notebook()}),
        "leads out of it",
    ),
    "a folder out of it": (lambda path: make_zip(path, {"a/../../": ""}), "leads out of it"),
    "a drive of Windows": (
        lambda path: raw_zip(path, [b"C:\\ada\\lab.ipynb"]),
        "leads out of it",
    ),
    "a path out of it, as Windows writes it": (
        lambda path: raw_zip(path, [b"ada\\..\\..\\lab.ipynb"]),
        "leads out of it",
    ),
    "a link": (link_in_zip, "is a link"),
    "a link in a folder": (link_in_folder, "is a link"),
    "a name twice": (
        lambda path: raw_zip(path, [b"ada/lab.ipynb", b"ada/lab.ipynb"]),
        "twice",
    ),
    "a name twice, its accents written in two ways": (
        lambda path: raw_zip(path, ["Zoë/a".encode(), "Zoe\u0308/a".encode()], utf8=True),
        "twice",
    ),
    "no zip": (text_file, "no zip"),
    "half a zip": (without_its_end, "no zip, or a part of it is missing"),
    "a damaged zip": (with_a_wrong_byte, "no zip, or a part of it is missing"),
    "a password": (locked, "password"),
    "nothing there": (lambda path: path, "no such file"),
    "nothing in it": (lambda path: make_zip(path, {}), "no file in it"),
    "no notebook in it": (lambda path: make_zip(path, {"readme.txt": "x"}), "no file in it"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_source_is_refused_with_a_sentence_and_nothing_is_imported(
    course: CourseFolder, tmp_path: Path, case: str
) -> None:
    make, words = BAD[case]
    good = make_zip(tmp_path / "good.zip", {"ben/lab.ipynb": notebook()})
    with pytest.raises(KitError, match=words) as refusal:
        course.collect(good, make(tmp_path / "bad.zip"))
    assert "bad" in refusal.value.found
    assert course.tree() == []


def test_a_zip_with_wrong_bytes_is_read_or_refused_and_leaves_nothing_between(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {moodle(f"Ada {name}", 1): notebook(name) for name in "abc"}
    good = make_zip(tmp_path / "x.zip", files).read_bytes()
    rng, refused = random.Random(3), 0
    for _ in range(100):
        content = bytearray(good)
        for _ in range(rng.choice([1, 2, 5])):
            content[rng.randrange(len(content))] = rng.randrange(256)
        (tmp_path / "x.zip").write_bytes(content)
        try:
            course.collect(tmp_path / "x.zip")
        except KitError:
            refused += 1
            assert course.tree() == []
        shutil.rmtree(course.root)
        course.root.mkdir()
    assert refused > 50


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Bounds(files=2), "3 files, and the limit is 2"),
        (Bounds(all_bytes=3000), "unpacks to more than"),
    ],
)
def test_a_bomb_is_refused_before_it_is_unpacked(
    course: CourseFolder, tmp_path: Path, bounds: Bounds, words: str
) -> None:
    files = {f"{name}/lab.ipynb": "x" * 2000 for name in "abc"}
    with pytest.raises(KitError, match=words):
        course.collect(make_zip(tmp_path / "x.zip", files), bounds=bounds)
    assert course.tree() == []


def test_a_file_that_is_too_large_is_passed_over_and_told(
    course: CourseFolder, tmp_path: Path
) -> None:
    files = {"ada/lab.ipynb": notebook(), "ada/weights.h5": b"\0" * 5_000_000}
    source = make_zip(tmp_path / "x.zip", files)
    result = course.collect(source, bounds=Bounds(file_bytes=2_000_000))
    assert course.submitted() == {"ada": [f"{UNIT}.ipynb"]}
    assert result.passed == [("x.zip", "ada/weights.h5", "too large: 5 MB, and the limit is 2 MB")]


def test_a_call_that_was_stopped_is_finished_by_the_next(
    course: CourseFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {moodle("Ada Lovelace", 1): notebook("a"), moodle("Ben Ray", 2): notebook("b")}
    source = make_zip(tmp_path / "x.zip", files)
    calls: list[Path] = []

    def stopped(new: Path, place: Path, keep_old: Path | None) -> None:
        calls.append(place)
        if len(calls) == 2:
            raise KeyboardInterrupt
        os.makedirs(place.parent, exist_ok=True)
        os.rename(new, place)

    with monkeypatch.context() as patched:
        patched.setattr("rnnkit.course.collecting.gathering.put", stopped)
        with pytest.raises(KeyboardInterrupt):
            course.collect(source)
    assert len(course.submitted()) == 1
    result = course.collect(source)
    assert result.new == []
    assert (course.answer("ada_lovelace"), course.answer("ben_ray")) == ("a", "b")
    assert not list(course.root.glob(".collecting-*"))


def test_a_call_that_was_stopped_before_its_record_leaves_nothing_that_counts(
    course: CourseFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = make_zip(tmp_path / "x.zip", {moodle("Ada Lovelace", 1): notebook("a")})

    def stopped(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("rnnkit.course.collecting.record.Record.write", stopped)
        with pytest.raises(OSError, match="No space"):
            course.collect(source)
    assert course.submitted() == {}
    assert len(course.collect(source).new) == 1
    assert course.attempts("ada_lovelace") == ["001"]


def test_two_commands_never_work_in_one_course(course: CourseFolder, tmp_path: Path) -> None:
    from rnnkit.course.alone import alone_in

    source = make_zip(tmp_path / "x.zip", {"ada/lab.ipynb": notebook()})
    with alone_in(course.root), pytest.raises(KitError, match="is at work in it"):
        course.collect(source)


def test_a_damaged_record_is_told(course: CourseFolder, tmp_path: Path) -> None:
    source = make_zip(tmp_path / "x.zip", {"ada/lab.ipynb": notebook()})
    course.collect(source)
    record = course.root / "collected" / UNIT / "record.json"
    record.write_text("{")
    with pytest.raises(KitError, match=r"record\.json is damaged"):
        course.collect(source)
