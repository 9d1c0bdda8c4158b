"""Fixtures around the made-up unit of `tiny_unit`."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat.notebooknode import NotebookNode

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import tiny_unit

from tiny_unit import QUICK, hand_in, make_kit, prepared

from rnnkit.course.kit import Kit
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Outcome
from rnnkit.grading.runner import run_submissions


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return make_kit(tmp_path / "kit")


@pytest.fixture(scope="session")
def assignment(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    return prepared(tmp_path_factory.mktemp("assignment"))


@pytest.fixture
def grade(assignment: Assignment, tmp_path: Path) -> Callable[..., Outcome]:
    """Grade one notebook and return the outcome."""

    def grade_one(notebook: NotebookNode | str | bytes | None, limits: Limits = QUICK) -> Outcome:
        (tmp_path / "runs").mkdir()
        submission = hand_in(tmp_path / "submitted", "student", notebook)
        return next(run_submissions(assignment, [submission], limits, tmp_path / "runs"))

    return grade_one
