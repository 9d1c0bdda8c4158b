"""Any change of any weight is seen, and nothing else is taken for one."""

import keras
import numpy as np
import pytest

from rnnkit.elmo import seen_weights
from rnnkit.elmo.seen_weights import SeenWeights


@pytest.fixture(params=[True, False], ids=["places are seen", "places are not seen"])
def variables(request, monkeypatch) -> list[keras.Variable]:
    if not request.param:
        monkeypatch.setattr(seen_weights, "_memory_of", lambda tensors: [])
    return [keras.Variable(np.ones(shape, "float32")) for shape in ((2, 3), (4,))]


def test_the_first_look_is_a_change(variables) -> None:
    assert SeenWeights(variables).have_changed()


@pytest.mark.parametrize("which", [0, 1])
def test_one_other_number_is_a_change_once(variables, which: int) -> None:
    seen = SeenWeights(variables)
    seen.have_changed()
    numbers = np.ones(variables[which].shape, "float32")
    numbers.flat[-1] = 1.001
    variables[which].assign(numbers)
    assert seen.have_changed()
    assert not seen.have_changed()


def test_a_number_that_is_added_in_place_is_a_change(variables) -> None:
    seen = SeenWeights(variables)
    seen.have_changed()
    variables[1].assign_add(np.full(4, 0.5, "float32"))
    assert seen.have_changed()


def test_the_same_numbers_written_anew_are_no_change(variables) -> None:
    seen = SeenWeights(variables)
    seen.have_changed()
    for variable in variables:
        variable.assign(np.ones(variable.shape, "float32"))
    assert not seen.have_changed()
    assert not seen.have_changed()


def test_a_change_and_its_undoing_between_two_looks_is_no_change(variables) -> None:
    seen = SeenWeights(variables)
    seen.have_changed()
    variables[0].assign_add(np.ones((2, 3), "float32"))
    variables[0].assign_sub(np.ones((2, 3), "float32"))
    assert not seen.have_changed()
