"""A student works through questions of a real exercise in JupyterLab, in a browser."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lab_page import Notebook, open_lab
from lab_server import Server, lab_server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
UNIT = "02_lstm"
# The first question, and the first that trains; all else would only make Validate slow.
CELLS = ("setup", "q1-hard", "q1-hard-test", "capitals-data", "q3-train", "q3-train-test")
STUB = "raise NotImplementedError()"
EXCHANGED = "return g * s + (1 - g) * x"
RIGHT = "return g * x + (1 - g) * s"
MODEL = """\
inputs = keras.Input((None,), dtype="int32")
vectors = keras.layers.Embedding(len(letters), 16)(inputs)
_, (last,) = layers.Recurrence(layers.SoftGateCell(16))(vectors)
gate_model = keras.Model(inputs, keras.layers.Dense(len(letters))(last))
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
gate_model.compile(keras.optimizers.Adam(0.01), loss)
watch = [plots.TrainingCurve("Capitals")]
settings = dict(batch_size=32, epochs=GATE_EPOCHS, verbose=0)
gate_model.fit(train_ids, train_answers, callbacks=watch, **settings);"""


@dataclass
class Work:
    """What the student saw.

    Args:
        wrong: Below the test cell, after a wrong answer.
        right: Below the test cell, after the right one.
        early_verdict: What Validate said with one question not answered.
        verdict: What Validate said at the end.
        curves: The pictures of the training curve, as they followed each other.
        most_curves: The most pictures that stood below the cell at one time.
        saved: The notebook's file at the end.
    """

    wrong: str = ""
    right: str = ""
    early_verdict: str = ""
    verdict: str = ""
    curves: list[str] = field(default_factory=list)
    most_curves: int = 0
    saved: dict[str, Any] = field(default_factory=dict)


def some_questions(path: Path) -> str:
    """The exercise with these cells alone, and what is written above each."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    kept: list[dict[str, Any]] = []
    above: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            above = [*above, cell] if "nbgrader" not in cell["metadata"] else []
            continue
        if cell["id"] in CELLS:
            kept += [*above, cell]
        above = []
    notebook["cells"] = kept
    return json.dumps(notebook)


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab in a student's folder, with the exercise copied to ``work/``."""
    folder = tmp_path_factory.mktemp("students-folder")
    place = folder / "work" / UNIT
    place.mkdir(parents=True)
    text = some_questions(ROOT / "exercises" / UNIT / f"{UNIT}.ipynb")
    (place / f"{UNIT}.ipynb").write_text(text, encoding="utf-8")
    with lab_server(folder, tmp_path_factory.mktemp("home")) as started:
        yield started


@pytest.fixture(scope="module")
def work(server: Server, page: Any, look: Callable[[str], None]) -> Work:
    """All that a student does, in order."""
    seen = Work()
    open_lab(page, server)
    for name in ("work", UNIT, f"{UNIT}.ipynb"):
        page.locator(".jp-DirListing-item", has_text=name).dblclick()
    notebook = Notebook(page, look)
    notebook.run(notebook.cell("import keras"))
    first, test = notebook.cell("def hard_gate"), notebook.cell("checks.hard_gate(hard_gate)")
    look("student-1-stub")
    notebook.write(first, STUB, EXCHANGED)
    notebook.run(first)
    notebook.run(test)
    seen.wrong = notebook.output(test)
    look("student-2-wrong")
    notebook.write(first, EXCHANGED, RIGHT)
    notebook.run(first)
    notebook.run(test)
    seen.right = notebook.output(test)
    look("student-3-right")
    seen.early_verdict = notebook.validate("student-4-early-verdict")
    notebook.run(notebook.cell("def hidden_capitals"))
    training = notebook.cell("GATE_EPOCHS = 2")
    notebook.write(training, STUB, MODEL)
    notebook.watch_pictures(training)
    notebook.run(training)
    seen.curves, seen.most_curves = notebook.pictures_watched()
    training.locator("img").scroll_into_view_if_needed()
    look("student-5-curve")
    notebook.run(notebook.cell("checks.predicts(gate_model"))
    seen.verdict = notebook.validate("student-6-verdict")
    path = server.folder / "work" / UNIT / f"{UNIT}.ipynb"
    seen.saved = json.loads(path.read_text(encoding="utf-8"))
    return seen


def test_wrong_answer_gets_a_message_that_names_the_slip(work: Work) -> None:
    assert "1 should let the input in, 0 should keep the state" in work.wrong


def test_right_answer_passes_without_an_error(work: Work) -> None:
    assert "Error" not in work.right


def test_training_curve_moves_in_its_place(work: Work) -> None:
    assert len(work.curves) >= 2
    assert work.most_curves == 1


def test_validate_names_the_cell_that_fails(work: Work) -> None:
    assert "The following cell failed" in work.early_verdict
    assert "checks.predicts(gate_model" in work.early_verdict
    assert "checks.hard_gate(hard_gate)" not in work.early_verdict


def test_validate_says_that_all_tests_pass(work: Work) -> None:
    assert "Success! Your notebook passes all the tests." in work.verdict


def test_validate_saves_what_was_typed(work: Work) -> None:
    sources = {cell["id"]: "".join(cell["source"]) for cell in work.saved["cells"]}
    assert RIGHT in sources["q1-hard"]
    assert MODEL in sources["q3-train"]


def test_a_machine_without_a_display_is_told_what_to_do_before_the_log(
    server: Server, work: Work
) -> None:
    first, second, *_ = server.log.read_text(encoding="utf-8").splitlines()
    assert first.startswith("There is no display here, so no browser is opened")
    assert "ServerApp]" in second
    assert work.verdict  # the server went on
