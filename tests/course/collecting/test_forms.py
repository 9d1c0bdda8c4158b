"""What a path in an LMS's zip says."""

from pathlib import PurePosixPath

import pytest

from rnnkit.course.collecting.forms import named_by_lms, plain_name


@pytest.mark.parametrize(
    ("path", "name", "lms_id", "inside"),
    [
        ("Ada Lovelace_12_assignsubmission_file_/a/b.csv", "Ada Lovelace", "12", "a/b.csv"),
        ("x/Ada Lovelace_12_assignsubmission_file/b.csv", "Ada Lovelace", "12", "b.csv"),
        ("Ada Lovelace_12_assignsubmission_file_a_b.csv", "Ada Lovelace", "12", "a_b.csv"),
        ("Group A_7_assignsubmission_file_/lab.ipynb", "Group A", "7", "lab.ipynb"),
        ("lovelaceada_12_345_my_1_2_lab.ipynb", "lovelaceada", "12", "my_1_2_lab.ipynb"),
        ("lovelace_ada_late_12_345_lab.ipynb", "lovelace_ada", "12", "lab.ipynb"),
        ("anon_a1B2c_345_lab.ipynb", "anon", "a1B2c", "lab.ipynb"),
        ("李明_12_345_lab.ipynb", "李明", "12", "lab.ipynb"),
    ],
)
def test_a_path_of_an_lms_is_read(path: str, name: str, lms_id: str, inside: str) -> None:
    named = named_by_lms(PurePosixPath(path))
    assert named is not None
    handle, file = named
    assert (handle.name, handle.lms_id, str(file)) == (name, lms_id, inside)


@pytest.mark.parametrize(
    "path",
    [
        "ada/lab.ipynb",
        "ada_06_attention.ipynb",
        "lovelace_12345_06_attention.ipynb",  # a student's number and the unit's
        "Ada Lovelace_12_assignsubmission_onlinetext_/onlinetext.html",
        "Ada Lovelace_12_assignfeedback_file_/06_attention.html",
    ],
)
def test_another_path_is_not_taken_for_an_lmss(path: str) -> None:
    assert named_by_lms(PurePosixPath(path)) is None


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("Ada L_12_assignsubmission_file_/a.ipynb", "Ada L_12_assignsubmission_file_"),
        ("Ada L_12_assignsubmission_file/a.ipynb", "Ada L_12_assignsubmission_file"),
        ("Ada L_12_assignsubmission_file_a.ipynb", "Ada L_12_assignsubmission_file_"),
        ("lada_LATE_12_345_a.ipynb", "lada_LATE_12_345_"),
    ],
)
def test_where_feedback_goes_is_remembered_as_the_lms_wrote_it(form: str, begin: str) -> None:
    named = named_by_lms(PurePosixPath(form))
    assert named is not None
    assert named[0].folder == begin


@pytest.mark.parametrize("name", ["lab-10.ipynb", "LAB (2).ipynb", "lab copy 3.ipynb", "lab.ipynb"])
def test_a_copy_has_the_name_of_what_was_copied(name: str) -> None:
    assert plain_name(name) == "lab"


def test_a_units_own_number_is_no_mark_of_a_copy() -> None:
    assert plain_name("06_attention.ipynb") == "06_attention"
