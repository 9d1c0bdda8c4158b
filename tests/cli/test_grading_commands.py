"""The grading commands, from the words on the command line to the exit status."""

import json
from pathlib import Path

import nbformat
import pytest
from tiny_unit import reference_notebook

from rnnkit.cli import main

UNIT = "00_tiny"


@pytest.fixture
def inside_kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kit with one unit whose notebook is not built, as the current folder."""
    folder = tmp_path / "solutions" / UNIT
    folder.mkdir(parents=True)
    (folder / f"{UNIT}.py").write_text("# the script\n")
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    (tmp_path / "tests" / "answers" / UNIT).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["answers", "99_none"], "'99_none'"),
        (["answers", UNIT], "no file"),
        (["answers", UNIT, "nothing.py"], "no file nothing.py"),
        (["mutants"], "neither"),
        (["mutants", UNIT, "--all"], "both"),
        (["mutants", "99_none"], "'99_none'"),
        (["mutants", UNIT], "no file"),
        (["grade", "99_none", "--course", "."], "'99_none'"),
        (["grade", UNIT, "--course", "nowhere"], "nowhere"),
        (["grade", UNIT, "--course", "."], "no such folder"),
        (["demo", "--unit", "99_none"], "'99_none'"),
        (["demo", "--unit", UNIT], "none"),
    ],
)
def test_bad_input_is_told_without_a_traceback(
    inside_kit: Path, capsys: pytest.CaptureFixture[str], words: list[str], found: str
) -> None:
    status = main(words)
    printed = capsys.readouterr()
    assert status == 2
    for part in ("Expected:", "Found:", "To do:"):
        assert part in printed.err
    assert found in printed.err
    assert "Traceback" not in printed.err


@pytest.fixture
def begun(inside_kit: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has begun, in order, where nothing is run; there is something to grade."""
    order: list[str] = []
    (inside_kit / "course" / "submitted").mkdir(parents=True)
    monkeypatch.setattr(
        "rnnkit.grading.provisioner.begin_kernels", lambda slots: order.append("imports")
    )
    monkeypatch.setattr(
        "rnnkit.grading.classroom.grade_class", lambda *words, **more: order.append("class")
    )
    monkeypatch.setattr("rnnkit.cli.grade.show", lambda result: None)
    return order


def test_imports_begin_before_the_class_when_a_unit_is_first_graded(begun: list[str]) -> None:
    assert main(["grade", UNIT, "--course", "course"]) == 0
    assert begun == ["imports", "class"]


@pytest.mark.parametrize(
    ("words", "expected"), [([], ["class"]), (["--regrade"], ["imports", "class"])]
)
def test_imports_wait_where_perhaps_nothing_is_run(
    begun: list[str], inside_kit: Path, words: list[str], expected: list[str]
) -> None:
    (inside_kit / "course" / ".rnnkit" / UNIT).mkdir(parents=True)
    assert main(["grade", UNIT, "--course", "course", *words]) == 0
    assert begun == expected


def test_no_imports_begin_here_for_a_cluster(begun: list[str]) -> None:
    assert main(["grade", UNIT, "--course", "course", "--scheduler", "tcp://nobody:1"]) == 0
    assert begun == ["class"]


def test_no_imports_begin_where_nothing_was_handed_in(begun: list[str], inside_kit: Path) -> None:
    (inside_kit / "course" / "submitted").rmdir()
    assert main(["grade", UNIT, "--course", "course"]) == 0
    assert begun == ["class"]


def test_demo_leaves_a_folder_that_it_did_not_make(
    inside_kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rnnkit.errors import KitError
    from rnnkit.grading.sample_class import clear_folder

    precious = inside_kit / "mine" / "thesis.txt"
    precious.parent.mkdir()
    precious.write_text("years of work")
    with pytest.raises(KitError, match="something else"):
        clear_folder(precious.parent)
    assert precious.read_text() == "years of work"


def test_demo_empties_a_folder_that_it_made(tmp_path: Path) -> None:
    from rnnkit.grading.sample_class import MARKER, clear_folder

    clear_folder(tmp_path / "demo")
    (tmp_path / "demo" / "old").write_text("from the first run")
    clear_folder(tmp_path / "demo")
    assert [path.name for path in (tmp_path / "demo").iterdir()] == [MARKER]


@pytest.mark.parametrize("words", [["--jobs", "0"], ["--cell-timeout", "x"]])
def test_number_that_is_none_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["answers", UNIT, *words])
    assert end.value.code == 2


def test_demo_grades_a_class_of_everything_that_goes_wrong(
    tiny_kit_with_answers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tiny_kit_with_answers)
    monkeypatch.setattr("rnnkit.cli.demo.CELL_SECONDS", 3)
    assert main(["demo", "--unit", UNIT]) == 0
    printed = capsys.readouterr().out
    rows = {line.split(",")[0]: line for line in Path("demo/grades.csv").read_text().splitlines()}
    assert "needs hand grading,3,6" in rows["reference"]
    assert "needs hand grading,3,6" in rows["right-sum"]
    assert "needs hand grading,1,6" in rows["wrong-square"]
    assert "ok,0,6" in rows["blank"]
    assert "timed out" in rows["endless-loop"]
    assert "crashed" in rows["kills-its-kernel"]
    assert "unreadable,," in rows["cut-off-file"]
    assert "short setting" in printed
    assert "report.html" in printed


def test_json_is_all_that_answers_prints(
    tiny_kit_with_answers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tiny_kit_with_answers)
    file = f"tests/answers/{UNIT}/wrong_square.py"
    assert main(["answers", UNIT, file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        file: {"q1-double-test": [0.0, 2.0], "q2-greet-test": [1.0, 1.0], "q3-why": [None, 3.0]}
    }


def test_notebook_of_a_student_is_explained(
    tiny_kit_with_answers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tiny_kit_with_answers)
    notebook = reference_notebook()
    notebook.cells[2].source = "def double(x):\n    return x * x"
    nbformat.write(notebook, "question.ipynb")
    assert main(["answers", UNIT, "question.ipynb"]) == 0
    printed = capsys.readouterr().out
    why = "the double of another number is wrong"
    assert f"question: q1-double-test gave 0 of 2. {why}" in printed
    assert "q2-greet-test gave" not in printed


def test_answer_that_does_not_do_what_it_says_ends_in_status_1(
    tiny_kit_with_answers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tiny_kit_with_answers)
    file = Path(f"tests/answers/{UNIT}/right_but_wrong.py")
    file.write_text("# right: not at all\n# %% q2-greet\ndef greet(name):\n    return name\n")
    assert main(["answers", UNIT, str(file)]) == 1
    assert "right_but_wrong: q2-greet-test gave 0, expected 1" in capsys.readouterr().out


def test_full_disk_is_told_without_a_traceback(
    inside_kit: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> int:
        raise OSError(28, "No space left on device", "grades.csv")

    monkeypatch.setattr("rnnkit.cli.grade.run", fail)
    assert main(["grade", UNIT, "--course", "."]) == 2
    printed = capsys.readouterr().err
    assert "No space left on device: 'grades.csv'" in printed
    assert "To do:" in printed


def test_interrupt_while_the_commands_are_imported_is_told_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rnnkit.cli._parser", interrupted)
    assert main(["grade", UNIT, "--course", "."]) == 130
    assert "stopped by you" in capsys.readouterr().err
