"""Class lists as Moodle, Canvas and people write them."""

from pathlib import Path

import pytest

from rnnkit.course.collecting.roster import Person, read_roster, roster_text
from rnnkit.errors import KitError

MOODLE = """\ufeff"First name","Last name","ID number","Email address","Groups"
Zoë,O'Brien,1003,zoe@uni.example,
Ada,Lovelace,1001,ada@uni.example,"A, B"
"""
WORKSHEET = """Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed
Participant 41,Ada Lovelace,ada@uni.example,Submitted for grading,,20.00,Yes
"""
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Lab 6 (12345)
    Points Possible,,,,,20
"Lovelace, Ada",501,1001,al1,CS 5,17
"Student, Test",502,,,CS 5,
"""
BY_HAND = "student_id;name\nada;Ada Lovelace\n\n;\n"


def roster(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "class.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_moodles_list_of_participants(tmp_path: Path) -> None:
    people = read_roster(roster(tmp_path, MOODLE))
    assert people == [
        Person("1003", "Zoë", "O'Brien", email="zoe@uni.example", number="1003"),
        Person("1001", "Ada", "Lovelace", email="ada@uni.example", number="1001"),
    ]


def test_moodles_grading_worksheet(tmp_path: Path) -> None:
    (person,) = read_roster(roster(tmp_path, WORKSHEET))
    assert (person.student, person.participant) == ("ada_lovelace", "41")


def test_canvas_gradebook(tmp_path: Path) -> None:
    (person,) = read_roster(roster(tmp_path, CANVAS))
    assert person == Person("al1", full="Lovelace, Ada", number="1001", login="al1", canvas="501")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_each_encoding_and_delimiter_of_a_spreadsheet(
    tmp_path: Path, encoding: str, delimiter: str
) -> None:
    text = "student_id,first name,last name\r\nzoe,Zoë,Müller\r\n".replace(",", delimiter)
    (person,) = read_roster(roster(tmp_path, text.encode(encoding)))
    assert person == Person("zoe", "Zoë", "Müller")


def test_empty_lines_are_no_students(tmp_path: Path) -> None:
    assert [person.student for person in read_roster(roster(tmp_path, BY_HAND))] == ["ada"]


def test_a_list_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    person = Person("z", "Zoë", "O'Brien", "", "z@x", "1", "zo", "501", "41", "-", "Zo B; Z. O.")
    assert read_roster(roster(tmp_path, roster_text([person]))) == [person]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04xlsx", "it is a spreadsheet"),
        ("", "it is empty"),
        ("student_id,name\n", "no line for a student"),
        ("a,b\n1,2\n", "no header that is known: a, b"),
        ("student_id,name\nada,Ada\nADA,Ada Two\n", "more than once: ada"),
        ("student_id,name\n../evil,Eve\n", "line 2 has no name that a folder can have"),
        ("student_id,name\n.hidden,Eve\n", "line 2"),
        (b"student_id,name\nada,A\0da\n", "it is not text"),
    ],
)
def test_a_bad_list_is_told(tmp_path: Path, content: str | bytes, words: str) -> None:
    with pytest.raises(KitError, match=words):
        read_roster(roster(tmp_path, content))
