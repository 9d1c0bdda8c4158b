"""A unit is made ready for grading, or its fault is told."""

from pathlib import Path

import nbformat
import pytest
from tiny_unit import UNIT, reference_notebook

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading.assignment import Assignment, prepare_assignment


def test_graded_cells_are_told_apart(assignment: Assignment) -> None:
    cells = [(cell.name, cell.points, cell.by_hand) for cell in assignment.cells]
    assert cells == [
        ("q1-double-test", 2.0, False),
        ("q2-greet-test", 1.0, False),
        ("q3-why", 3.0, True),
    ]


def test_headings_come_from_above_and_not_from_a_solution(kit: Kit, tmp_path: Path) -> None:
    notebook = reference_notebook()
    notebook.cells[-1].source = "### BEGIN SOLUTION\n# Because\n### END SOLUTION"
    nbformat.write(notebook, kit.solution_notebook(UNIT))
    prepared = prepare_assignment(UNIT, kit.solutions / UNIT, None, tmp_path / "prepared")
    assert [cell.heading for cell in prepared.cells] == ["Double", "Greet", "Why?"]


def test_script_with_the_answers_stays_out(assignment: Assignment) -> None:
    assert [path.name for path in assignment.source.iterdir()] == [f"{UNIT}.ipynb"]


def test_unit_that_was_not_built_is_told(kit: Kit, tmp_path: Path) -> None:
    kit.solution_notebook(UNIT).unlink()
    with pytest.raises(KitError, match="rnnkit build"):
        prepare_assignment(UNIT, kit.solutions / UNIT, None, tmp_path / "prepared")


def test_notebook_that_nbgrader_refuses_is_told(kit: Kit, tmp_path: Path) -> None:
    notebook = reference_notebook()
    notebook.cells[2].source = "### BEGIN SOLUTION\nx = 1"
    nbformat.write(notebook, kit.solution_notebook(UNIT))
    with pytest.raises(KitError, match="generate_assignment"):
        prepare_assignment(UNIT, kit.solutions / UNIT, None, tmp_path / "prepared")


def test_settings_that_do_not_run_are_told(kit: Kit, tmp_path: Path) -> None:
    config = kit.root / "nbgrader_config.py"
    config.write_text("c = get_confg()\n")
    with pytest.raises(KitError, match="NameError"):
        prepare_assignment(UNIT, kit.solutions / UNIT, config, tmp_path / "prepared")
