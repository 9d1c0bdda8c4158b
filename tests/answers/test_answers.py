"""Each answer file gets exactly what its first lines say, in feedback too.

A part of each unit's right and wrong answers is graded; with ``RNNKIT_ANSWERS=all`` all are
(`make test-all`).
"""

import os
from pathlib import Path

import pytest

from rnnkit.course.kit import find_kit
from rnnkit.grading.answers import (
    KINDS,
    REFERENCE,
    Answer,
    GradedAnswer,
    answer_files,
    grade_answers,
    read_answer,
)
from rnnkit.grading.limits import Limits

KIT = find_kit(Path(__file__).parent)


EVERY = 1 if os.environ.get("RNNKIT_ANSWERS") == "all" else 20


def _answers(unit: str) -> list[Answer]:
    """The reference and the blank, and one of `EVERY` right and of `EVERY` wrong answers."""
    kinds: dict[str, list[Answer]] = {kind: [] for kind in KINDS}
    for path in answer_files(KIT, unit):
        answer = read_answer(path)
        kinds[answer.kind].append(answer)
    reference = Answer(None, REFERENCE, "the solutions themselves")
    return [reference, *(answer for answers in kinds.values() for answer in answers[::EVERY])]


CASES = [(unit, answer.name) for unit in KIT.units() for answer in _answers(unit)]


@pytest.fixture(scope="session")
def graded() -> dict[str, dict[str, GradedAnswer]]:
    """The graded answers of each unit that was asked for; each unit is run once."""
    return {}


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "name"), CASES)
def test_answer_gets_what_it_should(
    unit: str, name: str, graded: dict[str, dict[str, GradedAnswer]]
) -> None:
    if unit not in graded:
        results = grade_answers(KIT, unit, _answers(unit), Limits(jobs=2, fast=True, sandbox="try"))
        graded[unit] = {result.answer.name: result for result in results}
    assert graded[unit][name].faults() == []
