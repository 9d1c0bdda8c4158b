"""Students are found by what an LMS calls them, and nobody is guessed."""

import pytest

from rnnkit.course.collecting.forms import Form, Handle
from rnnkit.course.collecting.matching import Matcher
from rnnkit.course.collecting.roster import Person

PEOPLE = [
    Person("ada", "Ada", "Lovelace", email="al@uni.example", number="1001", canvas="501"),
    Person("jan1", "Jan", "Novák"),
    Person("jan2", "Ján", "Novak", participant="42"),
    Person("maria", full="María José García Márquez"),
]


def moodle(name: str, number: str = "7") -> Handle:
    return Handle(Form.MOODLE, name, number)


@pytest.mark.parametrize(
    ("handle", "student"),
    [
        (moodle("Ada Lovelace"), "ada"),
        (moodle("Lovelace Ada"), "ada"),
        (moodle("LOVELACE, Ada Augusta"), "ada"),
        (Handle(Form.PLAIN, "al@uni.example"), "ada"),
        (Handle(Form.PLAIN, "1001"), "ada"),
        (Handle(Form.CANVAS, "somebody", "501"), "ada"),
        (moodle("Jan Novak", "42"), "jan2"),
        (moodle("Jan Novak", "43"), ""),
        (moodle("García Márquez María José"), "maria"),
        (moodle("María García"), "maria"),
        (moodle("José"), ""),
        (moodle("Ada Byron"), ""),
        (moodle("Lovelace"), ""),
        (moodle(""), ""),
    ],
)
def test_a_name_fits_one_student_or_none(handle: Handle, student: str) -> None:
    assert Matcher(PEOPLE).find(handle).student == student


def test_canvas_number_of_another_decides_against_a_name() -> None:
    match = Matcher(PEOPLE).find(Handle(Form.CANVAS, "lovelaceada", "777"))
    assert (match.student, match.why) == ("", "ada has the name, but Canvas's number 501")
    assert Matcher(PEOPLE).find(Handle(Form.CANVAS, "lovelaceada", "501")).student == "ada"


def test_two_students_who_fit_are_named() -> None:
    assert Matcher(PEOPLE).find(moodle("Jan Novak")).why.endswith("fit: jan1, jan2")


def test_a_number_that_was_matched_before_is_known() -> None:
    matcher = Matcher(PEOPLE, {(Form.MOODLE, "7"): "ada"})
    assert matcher.find(moodle("Countess of Lovelace", "7")).student == "ada"
    assert matcher.find(moodle("Countess of Lovelace", "8")).student == ""


def test_without_a_class_list_students_are_named_after_the_lms() -> None:
    matcher = Matcher([])
    assert matcher.find(moodle("Zoë O'Brien")).student == "zoe_obrien"
    assert matcher.find(Handle(Form.PLAIN, "s123.b")).student == "s123.b"
    assert matcher.find(moodle("Participant", "41")).student == "participant_41"
    assert matcher.find(Handle(Form.PLAIN, "")).student == ""
