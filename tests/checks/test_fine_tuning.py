"""Fine-tuning: a message says whether the model started, learned and generalised."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from rnnkit import checks, models

SOLUTIONS = Path(__file__).parents[2] / "solutions"

LABELS = np.array([0, 1, 1, 0, 1, 1, 1, 0])
PRETRAINED = [np.arange(1.0, 7.0).reshape(2, 3), np.ones(3)]
MOVED = [PRETRAINED[0] + 0.1, PRETRAINED[1]]
NEARLY = np.array([0, 1, 1, 0, 1, 1, 0, 0])
LOGITS = np.stack([0 * LABELS - 7.5, 0 * LABELS + 3.25], axis=1)


def fine_tuned(predicted: np.ndarray, weights: list[np.ndarray], own: np.ndarray) -> None:
    """A model that was to start from PRETRAINED and learn LABELS, asked about new examples."""

    def answer(inputs: str) -> np.ndarray:
        return np.asarray(own if inputs == "its own" else predicted)

    checks.predicts(
        answer,
        "new",
        LABELS,
        at_least=0.95,
        score="mcc",
        what="judge",
        trained_on=("its own", LABELS),
        pretrained=(weights, PRETRAINED),
    )


def test_fine_tuned_model_passes_where_some_weight_has_moved() -> None:
    fine_tuned(LABELS, MOVED, LABELS)


@pytest.mark.parametrize(
    ("predicted", "weights", "own", "words"),
    [
        (LABELS, PRETRAINED, LABELS, "not fine-tuned: its 2 pretrained arrays .* exactly as"),
        (NEARLY, PRETRAINED, LABELS, "not fine-tuned"),
        (NEARLY, [-PRETRAINED[0], PRETRAINED[1]], LABELS, r"cosine of their weights is -0\.94"),
        (
            NEARLY,
            [np.ones((2, 4)), np.ones(3)],
            LABELS,
            r"seems not to start .* is 0\.00, and that of a",
        ),
        (NEARLY, MOVED, LABELS, "8 of 8 are right: it has learned them by heart, and longer"),
        (NEARLY, MOVED, 1 - LABELS, "0 of 8 are right. Do the labels stand in the order"),
        (LOGITS, MOVED, LABELS, r"label 1 to all.* go from -7\.5 to 3\.25, .* probabilities\?"),
        (np.ones(8, int), MOVED, LABELS, r"label 1 to all: it has learned nothing .* inputs\.$"),
    ],
)
def test_model_that_was_not_fine_tuned_well_is_told_why(
    predicted: np.ndarray, weights: list[np.ndarray], own: np.ndarray, words: str
) -> None:
    with pytest.raises(AssertionError, match=words) as told:
        fine_tuned(predicted, weights, own)
    assert "train longer" not in str(told.value)


@pytest.mark.parametrize("unit", ["04_bidirectional", "07_elmo"])
def test_judge_of_a_unit_is_asked_about_its_own_examples_too(unit: str) -> None:
    tree = ast.parse((SOLUTIONS / unit / f"{unit}.py").read_text(encoding="utf-8"))
    calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    judged = [call for call in calls if call.startswith("checks.predicts(") and "'judge'" in call]
    assert judged
    assert all("trained_on=(judged_ids, judged_labels)" in call for call in judged)


def cell_of_unit_07(name: str) -> str:
    notebook = SOLUTIONS / "07_elmo" / "07_elmo.ipynb"
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
            return "".join(cell["source"])
    raise LookupError(name)


def copy_layers(language_model: Any, classifier: Any, count: int | None) -> None:
    encoder = classifier.encoder
    encoder.embedding.set_weights(language_model.embedding.get_weights())
    pairs = list(zip(encoder.recurrences, language_model.recurrences, strict=True))
    for new, trained in pairs[:count]:
        new.set_weights(trained.get_weights())


def copy_and_clear(language_model: Any, classifier: Any) -> None:
    copy_layers(language_model, classifier, None)
    output = classifier.to_logits
    output.set_weights([0 * array for array in output.get_weights()])


def ask_start(start_from: Callable) -> None:
    """What the test of question 12 in unit 07 asks."""
    names = {"checks": checks, "keras": keras, "models": models, "np": np}
    names["start_from"] = start_from
    exec(cell_of_unit_07("q12-given"), names)
    exec(cell_of_unit_07("q12-start-test"), names)


def test_classifier_that_starts_from_all_layers_passes() -> None:
    ask_start(lambda *both: copy_layers(*both, None))


@pytest.mark.parametrize("count", [0, 1])
def test_layer_into_which_nothing_was_copied_is_named(count: int) -> None:
    words = (
        rf"recurrent layer {count + 1} of the classifier, array 1 .* not right\. These are still "
        r"its first random numbers: nothing was copied into it\.\nYours"
    )
    with pytest.raises(AssertionError, match=words):
        ask_start(lambda *both: copy_layers(*both, count))


def test_output_layer_that_changed_is_told_what_should_be_copied() -> None:
    words = r"output layer of the classifier has changed\. Copy the embedding and the recurrent"
    with pytest.raises(AssertionError, match=words) as told:
        ask_start(copy_and_clear)
    assert "training" not in str(told.value)
