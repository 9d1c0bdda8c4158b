"""Finding the kit and its parts."""

import pytest

from rnnkit.course.kit import find_kit
from rnnkit.errors import KitError


def test_the_kit_is_found_from_a_folder_inside_it(kit, write_source, sound):
    write_source(sound, "02_b")
    inside = kit.lectures / "images"
    inside.mkdir()
    assert find_kit(inside).root == kit.root


def test_a_course_folder_inside_the_kit_is_not_taken_for_one(kit, write_source, sound):
    write_source(sound, "02_b")
    course = kit.root / "autumn"
    (course / "solutions" / "02_b").mkdir(parents=True)
    (course / "solutions" / "02_b" / "02_b.ipynb").write_text("{}")
    (course / "nbgrader_config.py").write_text("")
    assert find_kit(course).root == kit.root


def test_elsewhere_the_checkout_that_is_installed_is_found(tmp_path):
    assert (find_kit(tmp_path).root / "pyproject.toml").is_file()


def test_a_unit_is_a_folder_with_a_script_of_its_name(kit, write_source, sound):
    write_source(sound, "02_b")
    (kit.solutions / "03_c").mkdir()
    (kit.solutions / "02_b" / "helper.py").write_text("")
    assert kit.units() == ["02_b"]


def test_an_unknown_unit_is_refused_with_the_known_ones(kit, write_source, sound):
    write_source(sound, "02_b")
    with pytest.raises(KitError, match="02_b"):
        kit.check_unit("09_z")
