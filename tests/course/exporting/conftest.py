"""A course with a gradebook, made without grading anybody."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy.exc import SAWarning

from rnnkit.grading.folders import new_gradebook

UNIT = "00_tiny"
POINTS = {"ada": 2.0, "ben": 1.5, "zoe": 0.0}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course folder."""
    folder = tmp_path / "course"
    folder.mkdir()
    return folder


@pytest.fixture
def gradebook(root: Path) -> Iterator[Gradebook]:
    """Ada has 2 points, Ben 1.5 and a part that waits, Zoë 0, and Cy handed in nothing."""
    path = root / "gradebook.db"
    new_gradebook(path)
    with Gradebook(f"sqlite:///{path}") as opened, warnings.catch_warnings():
        # nbgrader's way of adding a submission warns about itself, harmlessly.
        warnings.simplefilter("ignore", SAWarning)
        opened.add_assignment(UNIT)
        opened.add_notebook(UNIT, UNIT)
        opened.add_grade_cell("q1", UNIT, UNIT, max_score=3, cell_type="code")
        for student in (*POINTS, "cy"):
            opened.add_student(student)
        for student, points in POINTS.items():
            opened.add_submission(UNIT, student)
            grade = opened.find_grade("q1", UNIT, UNIT, student)
            grade.auto_score = points
            grade.needs_manual_grade = student == "ben"
        opened.db.commit()
        yield opened
