"""What is built, and when it is written."""

import pytest

from rnnkit.course.build import BuiltFile, build_exercise, build_lecture, build_solution, select
from rnnkit.course.kit import Kit
from rnnkit.errors import KitError


def test_two_folders_get_the_same_bytes(kit, tmp_path, sound):
    contents = []
    for name in ("here", "a folder elsewhere"):
        other = Kit(tmp_path / name)
        script = other.source_script("01_toy")
        script.parent.mkdir(parents=True)
        script.write_text(sound, encoding="utf-8")
        (other.root / "nbgrader_config.py").write_bytes(
            (kit.root / "nbgrader_config.py").read_bytes()
        )
        solution = build_solution(other, "01_toy")
        contents.append(
            [solution.content, *(f.content for f in build_exercise(other, "01_toy", solution))]
        )
    assert contents[0] == contents[1]
    assert len(contents[0]) == 2


def test_a_file_is_written_once(tmp_path):
    file = BuiltFile(tmp_path / "new" / "a.txt", b"a")
    assert [file.write(), file.write()] == [True, False]
    assert file.path.read_bytes() == b"a"


def test_a_file_that_differs_is_written(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    assert BuiltFile(tmp_path / "a.txt", b"new").write()
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_a_lecture_gives_the_notebook_beside_it(kit):
    kit.lecture_script("02_lm").write_text("# %% [markdown]\n# # Language models\n")
    built = build_lecture(kit, "02_lm")
    assert built.path == kit.lectures / "02_lm.ipynb"
    assert b"Language models" in built.content


def test_without_names_everything_is_selected(kit, write_source, sound):
    write_source(sound, "02_b")
    write_source(sound, "01_a")
    kit.lecture_script("03_c").write_text("# %%\n")
    selection = select(kit, [])
    assert (selection.units, selection.lectures) == (["01_a", "02_b"], ["03_c"])
    assert selection.everything


def test_a_name_selects_the_unit_and_the_lecture(kit, write_source, sound):
    for name in ("01_a", "02_b"):
        write_source(sound, name)
        kit.lecture_script(name).write_text("# %%\n")
    selection = select(kit, ["02_b"])
    assert (selection.units, selection.lectures) == (["02_b"], ["02_b"])
    assert not selection.everything


def test_an_unknown_name_is_refused_with_the_known_ones(kit, write_source, sound):
    write_source(sound, "01_a")
    with pytest.raises(KitError, match="01_a") as error:
        select(kit, ["07_elmo"])
    assert error.value.found == "'07_elmo'"
