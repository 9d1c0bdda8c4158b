"""No hostile answer gains a point, learns a hidden test, or disturbs another submission."""

import dataclasses
from pathlib import Path

import nbformat
import pytest
from hostile import ATTACKS, CANARY
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell
from tiny_unit import QUICK, UNIT, hand_in, marked, notebook_of, points, prepared

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.outcome import Fence, Outcome
from rnnkit.grading.runner import run_submissions

HONEST = "honest"
SETUP = "import numpy as np\nfrom numpy.testing import assert_allclose\nfrom rnnkit import checks"
ANSWER = """### BEGIN SOLUTION
def double(x):
    return 2 * x

def score(query, keys):
    return np.einsum("bu,bsu->bs", query, keys)
### END SOLUTION"""
DOUBLE_TEST = f"""assert double(2) == 4, "double(2) is not 4"
### BEGIN HIDDEN TESTS
secret = "{CANARY}"
assert double(21) == 42, "the double of another number is wrong"
assert_allclose(double(np.array([1.0, 2.5])), [2.0, 5.0])
### END HIDDEN TESTS"""
SCORE_TEST = f"""checks.dot_product_score(score)
### BEGIN HIDDEN TESTS
other_secret = "{CANARY}"
checks.dot_product_score(score, batch=4, source=7, units=2, seed=2)
### END HIDDEN TESTS"""
POINTS = {"double-test": 2.0, "score-test": 2.0, "half-test": 1.0}


def vault() -> NotebookNode:
    return notebook_of(
        [
            marked(new_code_cell(SETUP), "setup", None, False),
            marked(new_code_cell(ANSWER), "answer", None, True),
            marked(new_code_cell(DOUBLE_TEST), "double-test", 2, False),
            marked(new_code_cell(SCORE_TEST), "score-test", 2, False),
            marked(new_code_cell("def half(x):\n    return x / 2"), "half", None, True),
            marked(new_code_cell("assert half(4) == 2"), "half-test", 1, False),
        ]
    )


def with_answer(source: str | None) -> NotebookNode:
    notebook = vault()
    if source is not None:
        notebook.cells[1].source = source
    for cell in notebook.cells:
        if cell.metadata.nbgrader.grade:
            cell.source = cell.source.split("\n### BEGIN HIDDEN")[0]
    return notebook


@pytest.fixture(scope="module")
def vault_assignment(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    return prepared(tmp_path_factory.mktemp("vault"), vault())


@pytest.fixture(scope="module")
def outcomes(
    vault_assignment: Assignment, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    root = tmp_path_factory.mktemp("hostile")
    submissions = [
        hand_in(root / "submitted", f"s{number:02}", with_answer(source))
        for number, source in enumerate([*ATTACKS.values(), None])
    ]
    (root / "runs").mkdir()
    limits = dataclasses.replace(QUICK, cell_seconds=10)
    found = {}
    for outcome in run_submissions(vault_assignment, submissions, limits, root / "runs"):
        assert outcome.folder is not None or outcome.notebook is None
        found[outcome.submission.student] = outcome
    names = [*ATTACKS, HONEST]
    return {name: found[f"s{number:02}"] for number, name in enumerate(names)}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_gains_nothing_beyond_its_honest_part(
    outcomes: dict[str, Outcome], attack: str
) -> None:
    outcome = outcomes[attack]
    assert outcome.notebook is not None, outcome.note
    got = points(outcome)
    assert (got["double-test"], got["score-test"]) == (0, 0)


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_learns_no_hidden_test(outcomes: dict[str, Outcome], attack: str) -> None:
    outcome = outcomes[attack]
    assert outcome.notebook is not None
    said = nbformat.writes(outcome.notebook) + outcome.note + str(outcome.mendings)
    assert CANARY not in said
    assert "other_secret" not in said


def test_honest_answer_after_all_of_them_has_all_points(outcomes: dict[str, Outcome]) -> None:
    assert points(outcomes[HONEST]) == POINTS
    assert outcomes[HONEST].fence is Fence.FULL or outcomes[HONEST].fence is Fence.WEAK


def test_given_cell_that_is_gone_gives_no_name_away(
    vault_assignment: Assignment, tmp_path: Path
) -> None:
    fake = (
        "from types import SimpleNamespace\n"
        "checks = SimpleNamespace(dot_product_score=lambda *a, **k: None)\n"
    )
    notebook = with_answer(fake + "double = score = lambda *inputs: 0")
    del notebook.cells[0]
    submission = hand_in(tmp_path / "submitted", "student", notebook)
    submission = dataclasses.replace(submission, mend=False)  # as plain nbgrader takes it
    (tmp_path / "runs").mkdir()
    [outcome] = run_submissions(vault_assignment, [submission], QUICK, tmp_path / "runs")
    got = points(outcome)
    assert (got["double-test"], got["score-test"], got["half-test"]) == (0, 0, 1)


def test_canary_is_in_the_tests(vault_assignment: Assignment) -> None:
    assert Path(vault_assignment.source, f"{UNIT}.ipynb").read_text().count(CANARY) == 2
