"""Committed files against what their sources give."""

import json

import pytest


@pytest.fixture
def unit(add_unit, sound):
    return add_unit(sound)


def edited(path, change):
    """Change a notebook's JSON in place."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    change(notebook)
    path.write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def test_built_files_are_as_they_should_be(unit, found):
    assert found() == []


def test_the_first_cell_that_differs_is_named(unit, kit, found):
    def change(notebook):
        for cell in notebook["cells"][2:]:
            cell["source"] = ["pass"]

    edited(kit.solution_notebook(unit), change)
    (finding,) = found()
    assert finding.startswith(
        "solutions/01_toy/01_toy.ipynb: cell 3 (q1-double): its source is not what its source gives"
    )


def test_outputs_left_in_a_notebook_are_named(unit, kit, found):
    def change(notebook):
        notebook["cells"][2]["outputs"] = [
            {"output_type": "stream", "name": "stdout", "text": ["hello"]}
        ]

    edited(kit.exercise_notebook(unit), change)
    (finding,) = found()
    assert "exercises/01_toy/01_toy.ipynb: cell 3 (q1-double): its outputs" in finding


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda notebook: notebook["cells"].pop(), "cell 6 (q2-why): is missing"),
        (
            lambda notebook: notebook["cells"].append(
                {"cell_type": "markdown", "id": "new", "metadata": {}, "source": []}
            ),
            "cell 7: is not in the source",
        ),
        (
            lambda notebook: notebook["metadata"].update(title="x"),
            "has metadata that its source does not give",
        ),
    ],
)
def test_other_differences_are_named(unit, kit, found, change, words):
    edited(kit.solution_notebook(unit), change)
    (finding,) = found()
    assert f"solutions/01_toy/01_toy.ipynb: {words}" in finding


def test_a_difference_in_spacing_is_named(unit, kit, found):
    path = kit.solution_notebook(unit)
    path.write_text(json.dumps(json.loads(path.read_text())))
    (finding,) = found()
    assert "in spacing or order only" in finding


@pytest.mark.parametrize("content", ["", "{", "[]", '{"cells": 3}', '{"cells": [1]}'])
def test_a_file_that_is_no_notebook_is_named(unit, kit, found, content):
    kit.exercise_notebook(unit).write_text(content)
    (finding,) = found()
    assert "exercises/01_toy/01_toy.ipynb: is no notebook that can be read" in finding


def test_a_missing_notebook_is_named(unit, kit, found):
    kit.exercise_notebook(unit).unlink()
    assert found() == ["exercises/01_toy/01_toy.ipynb: missing: run rnnkit build"]


def test_a_script_in_an_exercise_is_named(unit, kit, found):
    (kit.exercises / unit / "01_toy.py").write_text("answer = 1\n")
    assert found() == [
        "exercises/01_toy/01_toy.py: a .py file in exercises/ may hold the answers: delete it"
    ]


def test_a_file_that_no_source_gives_is_named(unit, kit, found):
    (kit.exercises / unit / "old.png").write_bytes(b"")
    (finding,) = found()
    assert finding.startswith("exercises/01_toy/old.png: no source gives this file")


def test_a_second_notebook_beside_a_solution_is_named(unit, kit, found):
    (kit.solutions / unit / "Untitled.ipynb").write_text("{}")
    (finding,) = found()
    assert finding.startswith("solutions/01_toy/Untitled.ipynb: no percent script gives this")


def test_checkpoints_of_jupyterlab_do_not_matter(unit, kit, found):
    folder = kit.exercises / unit / ".ipynb_checkpoints"
    folder.mkdir()
    (folder / "01_toy-checkpoint.ipynb").write_text("{}")
    assert found() == []


def test_a_changed_file_beside_the_solution_is_named(kit, add_unit, sound, found):
    add_unit(sound)
    (kit.solutions / "01_toy" / "words.txt").write_text("new")
    assert found() == ["exercises/01_toy/words.txt: missing: run rnnkit build"]


def test_an_exercise_without_a_source_is_named(unit, kit, found):
    (kit.solutions / unit / f"{unit}.py").unlink()
    assert [line.split(": ")[0] for line in found()] == ["solutions/01_toy", "exercises/01_toy"]


def test_a_lecture_without_a_source_is_named(kit, found):
    (kit.lectures / "01_toy.ipynb").write_text("{}")
    (finding,) = found()
    assert finding.startswith("lectures/01_toy.ipynb: no percent script gives this")


def test_a_lecture_that_differs_is_named(kit, add_lecture, found):
    add_lecture("# %%\nx = 1\n")
    kit.lecture_script("01_toy").write_text("# %%\nx = 2\n")
    (finding,) = found()
    assert finding.startswith("lectures/01_toy.ipynb: cell 1: ")
