"""Tests that the referee runs beside a real kernel."""

import dataclasses
from pathlib import Path

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell
from tiny_unit import QUICK, hand_in, marked, notebook_of, points, prepared

from rnnkit.grading.outcome import Outcome
from rnnkit.grading.runner import run_submissions
from rnnkit.grading.status import Status

SETUP = "import keras\nimport numpy as np\nfrom rnnkit import checks"
MODEL = """### BEGIN SOLUTION
keras.utils.set_random_seed(1)
model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(2)])
model.compile(loss="mse")
def dense(x):
    return keras.ops.sum(model(x), axis=-1)
### END SOLUTION"""
MODEL_TEST = """assert model.count_params() == 4 * 3 + 3 + 3 * 2 + 2
assert model.layers[1].units == 2
assert len(model.layers) == 2
assert [each.shape for each in model.weights] == [(4, 3), (3,), (3, 2), (2,)]
weights = model.get_weights()
assert np.asarray(model.trainable_variables[0]).shape == (4, 3)
x = np.ones((5, 4), "float32")
expected = (x @ weights[0] + weights[1]) @ weights[2] + weights[3]
np.testing.assert_allclose(model(x), expected, rtol=1e-5)
np.testing.assert_allclose(model.predict(x, verbose=0), expected, rtol=1e-5)
history = model.fit(x, np.zeros((5, 2)), epochs=2, verbose=0).history
assert history["loss"][1] < history["loss"][0]
model.set_weights([0 * each for each in weights])
assert (np.asarray(model(x)) == 0).all()
slope = dense.gradient_elsewhere(x, np.ones(5, "float32"))
assert slope.shape == (5, 4)"""
CREDIT = "def half(x):\n    ### BEGIN SOLUTION\n    return x / 2\n    ### END SOLUTION"
CREDIT_TEST = "sum(half(x) == x / 2 for x in (2, 4)) / 2"


def unit() -> NotebookNode:
    return notebook_of(
        [
            marked(new_code_cell(SETUP), "setup", None, False),
            marked(new_code_cell(MODEL), "model", None, True),
            marked(new_code_cell(MODEL_TEST), "model-test", 2, False),
            marked(new_code_cell(CREDIT), "half", None, True),
            marked(new_code_cell(CREDIT_TEST), "half-test", 1, False),
        ]
    )


def graded(root: Path, reference: NotebookNode, cell_seconds: int = 10, **sources: str) -> Outcome:
    """Grade the reference with the source of some cells replaced."""
    assignment = prepared(root, reference)
    notebook = nbformat.reads(nbformat.writes(reference), as_version=4)
    for cell in notebook.cells:
        cell.source = sources.get(cell.metadata.nbgrader.grade_id, cell.source)
    (root / "runs").mkdir()
    limits = dataclasses.replace(QUICK, cell_seconds=cell_seconds, memory_bytes=800_000_000)
    submission = hand_in(root / "submitted", "student", notebook)
    [outcome] = run_submissions(assignment, [submission], limits, root / "runs")
    return outcome


def test_keras_models_work_through_the_referee(tmp_path: Path) -> None:
    outcome = graded(tmp_path, unit())
    assert outcome.notebook is not None, outcome.note
    errors = [o for c in outcome.notebook.cells for o in c.outputs if o.output_type == "error"]
    assert errors == []
    assert points(outcome) == {"model-test": 2, "half-test": 1}


def test_partial_credit_is_what_the_referee_came_to(tmp_path: Path) -> None:
    outcome = graded(tmp_path, unit(), half="def half(x):\n    return 1.0")
    assert points(outcome)["half-test"] == 0.5


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("while True:\n        pass", Status.TIMED_OUT),
        (
            "while True:\n        try:\n            while True:\n                pass\n"
            "        except KeyboardInterrupt:\n            pass",
            Status.TIMED_OUT,
        ),
        ("import os\n    os._exit(1)", Status.CRASHED),
        ("held = [bytes([1]) * 50_000_000 for _ in range(1000)]", Status.OUT_OF_MEMORY),
        (  # as a library that ends the process where it is refused more
            "import os, time\n    held = bytes([1]) * 900_000_000\n    time.sleep(1)\n"
            "    os._exit(1)",
            Status.OUT_OF_MEMORY,
        ),
    ],
)
def test_function_that_stops_its_process_costs_its_own_test_alone(
    tmp_path: Path, body: str, status: Status
) -> None:
    broken = f"model = None\ndef dense(x):\n    {body}"
    reference = unit()
    reference.cells[2].source = "assert dense(np.ones((5, 4))) is not None"
    outcome = graded(tmp_path, reference, 5, model=broken)
    assert outcome.status is status
    assert points(outcome) == {"model-test": 0, "half-test": 1}


@pytest.mark.parametrize("value", ["np.zeros(2)", "'2.0'", "[1, 2]", "float('nan')", "None"])
def test_answer_that_makes_a_check_come_to_no_number_gets_no_points(
    tmp_path: Path, value: str
) -> None:
    reference = unit()
    reference.cells[4].source = "half(2) * 1" if value != "None" else "half(2) + 0"
    outcome = graded(tmp_path, reference, half=f"def half(x):\n    return {value}")
    assert points(outcome)["half-test"] == 0


def test_function_that_is_stopped_shows_where_it_was(tmp_path: Path) -> None:
    endless = "def half(x):\n    while True:\n        x += 1"
    outcome = graded(tmp_path, unit(), 3, half=endless)
    assert outcome.notebook is not None
    [output] = outcome.notebook.cells[4].outputs
    assert (output.output_type, output.ename) == ("error", "CellTimeoutError")
    assert "----> " in output.traceback[0] and "half(x)" in output.traceback[0]
    assert "in half" in output.traceback[1]
    assert "referee" not in str(output)


@pytest.mark.parametrize("size", [10_000_000, 1_000_000])
def test_cell_that_takes_all_memory_costs_no_other_test(tmp_path: Path, size: int) -> None:
    reference = unit()
    reference.cells[2].source = "assert model is None"
    take = f"held = []\nwhile True:\n    held.append(bytearray({size}))"
    outcome = graded(tmp_path, reference, 20, model=take)
    assert outcome.status is Status.OUT_OF_MEMORY
    assert points(outcome) == {"model-test": 0, "half-test": 1}


def test_name_that_was_not_defined_is_the_students_error(tmp_path: Path) -> None:
    outcome = graded(tmp_path, unit(), half="pass")
    assert points(outcome)["half-test"] == 0
    assert outcome.status is Status.OK


@pytest.mark.parametrize(
    ("check", "in_note", "in_log"),
    [
        ("assert half(2) == nothing_is_called_so", "nothing_is_called_so", ""),
        ("assert half(2) == 1 / 0", "ZeroDivisionError", "1 / 0"),
    ],
)
def test_test_that_fails_with_the_solution_too_is_no_students_fault(
    tmp_path: Path, check: str, in_note: str, in_log: str
) -> None:
    reference = unit()
    reference.cells[4].source = check
    outcome = graded(tmp_path, reference)
    assert outcome.status is Status.INFRASTRUCTURE_ERROR
    assert "half-test" in outcome.note and in_note in outcome.note
    assert in_log in outcome.log


def test_answer_that_a_test_cannot_use_has_failed_it(tmp_path: Path) -> None:
    reference = unit()
    reference.cells[4].source = "assert half(np.array([2.0]))[0] == 1"
    outcome = graded(tmp_path, reference, half="def half(x):\n    return None")
    assert points(outcome)["half-test"] == 0
    assert outcome.status is not Status.INFRASTRUCTURE_ERROR
    assert "half-test" in outcome.note


def test_test_that_must_run_in_the_kernel_does_and_is_marked(tmp_path: Path) -> None:
    reference = unit()
    reference.cells[4].metadata["rnnkit"] = {"run_in": "kernel"}
    reference.cells[4].source = "assert half.__code__.co_argcount == 1"
    outcome = graded(tmp_path, reference)
    assert points(outcome)["half-test"] == 1
    assert "half-test" in outcome.note


def test_what_the_answer_prints_stands_above_the_verdict(tmp_path: Path) -> None:
    outcome = graded(tmp_path, unit(), half="def half(x):\n    print('called')\n    return 0")
    assert outcome.notebook is not None
    outputs = outcome.notebook.cells[4].outputs
    assert outputs[0].text == "called\ncalled\n"
    assert outputs[-1].data["text/plain"] == "0.0"
