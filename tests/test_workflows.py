"""What the workflows do can be done by hand, and is tried out here, on a processor."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent / "grading"))

from tiny_unit import UNIT, make_kit, reference_notebook

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
NEWEST = ("tensorflow", "keras", "nbgrader", "jupyterlab")

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def jobs(name):
    return yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))["jobs"]


def commands(name):
    """The steps of a workflow that are commands, by their names."""
    return {
        step["name"]: step["run"]
        for job in jobs(name).values()
        for step in job["steps"]
        if "run" in step
    }


@pytest.fixture
def runner(tmp_path):
    """A kit as it lies on a runner: set up, with what two students handed in."""
    root = make_kit(tmp_path / "kit").root
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(ROOT / ".ci", root / ".ci")
    (root / ".venv").mkdir()
    (root / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    # What make looks at: so it finds all of it done, and installs nothing.
    for name in ("installed-course", "installed-gpu"):
        (root / ".venv" / name).touch()
    for student, answer in (("ada", "return x + x"), ("ben", "return x * x")):
        notebook = reference_notebook()
        notebook.cells[2].source = f"def double(x):\n    {answer}"
        place = root / "course" / "submitted" / student / UNIT
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{UNIT}.ipynb")
    return root


@pytest.mark.slow
def test_each_step_of_grading_on_a_gpu_runs_as_a_command_on_a_processor(runner):
    from rnnkit.grading.fence import probe

    if probe().level.value == "none":
        pytest.skip("this machine can put up no fence, so nothing is graded")
    declared = jobs("grade-on-gpu.yml")["grade"]["env"]
    environment = {
        **os.environ,
        **dict.fromkeys(declared, ""),
        "COURSE": declared["COURSE"],
        "PYTHONPATH": str(ROOT),
        "RNNKIT_FAST": "1",
    }
    for name, command in commands("grade-on-gpu.yml").items():
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=runner,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (name, done.stdout, done.stderr)
    with (runner / "course" / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    points = {student: float(row["q1-double-test"]) for student, row in rows.items()}
    assert points == {"ada": 2.0, "ben": 0.0}


def test_grading_uses_gpus_where_some_are_named():
    steps = commands("grade-on-gpu.yml")
    for name, words in (("Look at the machine", "--gpus"), ("Grade", "--gpus 0,1")):
        shown = subprocess.run(
            ["bash", "-c", f"echo {steps[name].split('rnnkit')[1].split('||')[0]}"],
            env={**os.environ, "GPUS": "0,1"},
            capture_output=True,
            text=True,
        )
        assert words in shown.stdout


def dry_run(target):
    """What make would run, also where make runs these tests: it tells a make in it to say more."""
    of_make = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    return subprocess.run(
        ["make", "--dry-run", "--always-make", target],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in of_make},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("command", commands("newest.yml").values())
def test_each_step_of_the_weekly_tests_is_a_command_that_make_knows(command):
    make, target = command.split()
    assert make == "make"
    done = dry_run(target)
    assert done.returncode == 0, done.stderr


def test_the_newest_versions_are_installed_whatever_is_supported():
    done = dry_run("test-newest")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.replace("\\\n", " ").splitlines()
    (upgrade,) = (line for line in lines if "--upgrade" in line)
    assert set(NEWEST) <= set(upgrade.split())
    assert "-c constraints.txt" not in done.stdout
    assert lines[-1].split()[0].endswith("/pytest")


def test_the_weekly_tests_come_by_themselves():
    text = (WORKFLOWS / "newest.yml").read_text(encoding="utf-8")
    triggers = yaml.safe_load(text)[True]  # YAML 1.1 takes the word `on` for a truth value
    assert triggers["schedule"][0]["cron"].split()[-1] == "1"


def test_each_file_that_the_container_copies_is_there():
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert "RUN make gpu" in lines
    assert [line for line in lines if line.startswith("COPY")] == ["COPY . ."]
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for needed in ("Makefile", ".ci", "rnnkit", "solutions", "constraints.txt"):
        assert (ROOT / needed).exists() and needed not in ignored


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not installed")
def test_the_container_recipe_has_no_known_fault():
    done = subprocess.run(["hadolint", ROOT / "Containerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
