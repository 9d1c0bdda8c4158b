"""The command `rnnkit build`."""

import shutil
from pathlib import Path

import pytest

from rnnkit.cli import main

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """\
# ---
# jupyter:
#   rnnkit:
#     points: 0
# ---

# %%
x = 1
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder with one tiny unit, in which the command is called."""
    for folder in ("solutions/01_toy", "lectures"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    (tmp_path / "solutions/01_toy/01_toy.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_line_for_each_file_says_whether_it_was_written(course, capsys):
    assert main(["build"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "written    solutions/01_toy/01_toy.ipynb",
        "written    exercises/01_toy/01_toy.ipynb",
    ]
    assert main(["build", "01_toy"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "unchanged  solutions/01_toy/01_toy.ipynb",
        "unchanged  exercises/01_toy/01_toy.ipynb",
    ]


def test_a_check_of_a_sound_course_says_what_was_checked(course, capsys):
    main(["build"])
    capsys.readouterr()
    assert main(["build", "--check", "--no-run"]) == 0
    assert capsys.readouterr().out == (
        "Checked 1 unit and 0 lectures: compared 2 files with their sources, "
        "ran no reference (--no-run); 0 things wrong.\n"
    )


def test_a_check_that_finds_something_names_it_and_exits_1(course, capsys):
    assert main(["build", "--check", "--no-run"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == [
        "solutions/01_toy/01_toy.ipynb: missing: run rnnkit build",
        "exercises/01_toy/01_toy.ipynb: missing: run rnnkit build",
    ]
    assert out[2].endswith("2 things wrong.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build", "99_none"], "Found:    '99_none'"),
        (["build", "--no-run"], "--no-run together with --check"),
    ],
)
def test_what_cannot_be_done_is_said_without_a_traceback(course, capsys, arguments, words):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error
