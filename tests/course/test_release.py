"""Solutions to exercises through nbgrader."""

import json
import os

import pytest

from rnnkit.course.build import build_solution
from rnnkit.course.release import release
from rnnkit.errors import KitError


@pytest.fixture
def released(kit, write_source, sound):
    """The files of the exercise that a source gives."""

    def make(source=sound, extra=None):
        write_source(source)
        for name, content in (extra or {}).items():
            path = kit.solutions / "01_toy" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        return release(kit, "01_toy", build_solution(kit, "01_toy").content)

    return make


def sources(files):
    notebook = json.loads(files["01_toy.ipynb"])
    return {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}


def test_answers_become_stubs(released):
    assert sources(released())["q1-double"] == (
        "def double(number):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    )


def test_hidden_tests_go_and_visible_ones_stay(released):
    assert sources(released())["q1-double-test"] == 'assert double(2) == 4, "twice the number"'


def test_written_answers_go(released):
    assert sources(released())["q2-why"] == "YOUR ANSWER HERE"


def test_test_cells_are_locked_and_have_a_checksum(released):
    cells = json.loads(released()["01_toy.ipynb"])["cells"]
    test = next(cell for cell in cells if cell["id"] == "q1-double-test")
    assert test["metadata"]["editable"] is False
    assert len(test["metadata"]["nbgrader"]["checksum"]) == 32


def test_an_exercise_is_not_paired_with_a_script(released):
    assert "jupytext" not in json.loads(released()["01_toy.ipynb"])["metadata"]


def test_files_beside_the_solution_come_along_and_scripts_do_not(released):
    extra = {"figure.png": b"\x89PNG", "data/words.txt": b"a b", "helper.py": b"answer = 1"}
    files = released(extra=extra)
    assert sorted(files) == ["01_toy.ipynb", "data/words.txt", "figure.png"]
    assert files["figure.png"] == b"\x89PNG"


def test_the_cause_is_told_when_nbgrader_refuses(released, sound):
    with pytest.raises(KitError, match="no end solution statement"):
        released(sound.replace("    ### END SOLUTION\n", ""))


def test_nothing_is_left_behind(kit, released, capfd):
    before = os.getcwd()
    released()
    assert os.getcwd() == before
    assert sorted(path.name for path in kit.root.iterdir()) == [
        "exercises",
        "lectures",
        "nbgrader_config.py",
        "solutions",
    ]
    assert capfd.readouterr() == ("", "")


def test_settings_that_cannot_be_read_are_named(kit, released):
    (kit.root / "nbgrader_config.py").write_text("c = get_config(\n")
    with pytest.raises(KitError, match=r"nbgrader_config\.py"):
        released()


def test_it_works_without_the_environments_commands_on_the_path(released, monkeypatch):
    from rnnkit.course.release import _empty_gradebook

    _empty_gradebook.cache_clear()
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert "01_toy.ipynb" in released()
    assert os.environ["PATH"] == "/usr/bin:/bin"
