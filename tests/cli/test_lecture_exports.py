"""The commands `rnnkit site` and `rnnkit slides`."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rnnkit.cli import main

ROOT = Path(__file__).resolve().parents[2]
HEADER = "# ---\n# jupyter:\n#   rnnkit:\n#     points: 0\n# ---\n\n"
LECTURE = "# %% [markdown]\n# # A lecture\n#\n# Short.\n\n# %%\nprint(6 * 7)\n"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder with one tiny unit and its lecture, in which the command is called."""
    for folder in ("solutions/01_toy", "lectures"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    (tmp_path / "solutions/01_toy/01_toy.py").write_text(HEADER + "# %%\nx = 1\n")
    (tmp_path / "lectures/01_toy.py").write_text(LECTURE)
    monkeypatch.chdir(tmp_path)
    main(["build"])
    return tmp_path


def test_a_second_call_runs_no_lecture_again(course, capsys):
    capsys.readouterr()
    assert main(["site", "--fast"]) == 0
    ran, wrote = capsys.readouterr().out.splitlines()
    assert ran.startswith("[1/1] 01_toy: ran in the short setting (")
    assert wrote == f"Wrote 3 pages; begin with {course / 'build/site/index.html'}"
    assert "42" in (course / "build/site/lectures/01_toy.html").read_text()
    assert main(["slides", "--fast", "talk"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "[1/1] 01_toy: has not changed",
        f"Wrote 2 pages; begin with {course / 'talk/index.html'}",
    ]


def test_a_link_that_leads_nowhere_is_named_and_exits_1(course, capsys):
    with (course / "lectures/01_toy.py").open("a") as script:
        script.write("\n# %% [markdown]\n# [gone](01_toy.ipynb#s9)\n")
    assert main(["site", "--fast"]) == 1
    assert "nothing is named as in 01_toy.ipynb#s9" in capsys.readouterr().out


def test_a_lecture_that_fails_is_named_with_what_to_do(course, capsys):
    (course / "lectures/01_toy.py").write_text("# %%\n1 / 0\n")
    assert main(["slides", "--fast"]) == 2
    told = capsys.readouterr().err
    assert "lectures/01_toy.py: cell 1 fails: ZeroDivisionError" in told
    assert "mend that cell" in told
    assert not (course / "build/slides").exists()


@pytest.mark.parametrize("command", ["site", "slides"])
def test_missing_packages_are_named_with_what_to_install(course, capsys, monkeypatch, command):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name in ("latex2mathml", "sphinx_revealjs") else found(name),
    )
    assert main([command]) == 2
    told = capsys.readouterr().err
    assert "no latex2mathml, no sphinx-revealjs" in told
    assert 'pip install -c constraints.txt -e ".[course,site]"' in told


def test_the_command_starts_without_the_course_extra():
    program = (
        "import sys\n"
        "sys.modules['rich'] = sys.modules['nbconvert'] = sys.modules['jupytext'] = None\n"
        "import rnnkit.cli.site, rnnkit.cli.slides\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
