"""An Elman network that labels each step: loss, gradients, and the state it begins with."""

import numpy as np
import pytest

from rnnkit.checks import bptt_parameters
from rnnkit.models import elman_forward, elman_gradients

GENERATOR = np.random.default_rng(0)
INPUTS = GENERATOR.normal(size=(2, 5, 3))
LABELS = GENERATOR.integers(0, 5, (2, 5))
FIRST = np.tanh(GENERATOR.normal(size=(2, 4)))
PARAMS = bptt_parameters(features=3, units=4, labels=5)


def test_way_forward_is_written_out() -> None:
    loss, states, d_logits = elman_forward(INPUTS, LABELS, PARAMS, FIRST)
    h, losses = FIRST, []
    for t in range(5):
        h = np.tanh(INPUTS[:, t] @ PARAMS["W"] + h @ PARAMS["U"] + PARAMS["b"])
        np.testing.assert_allclose(states[:, t], h, atol=1e-12)
        exponentials = np.exp(h @ PARAMS["V"] + PARAMS["c"])
        p = exponentials / exponentials.sum(axis=1, keepdims=True)
        losses.append(-np.log(p[[0, 1], LABELS[:, t]]))
        np.testing.assert_allclose(d_logits[:, t], (p - np.eye(5)[LABELS[:, t]]) / 10, atol=1e-12)
    assert loss == pytest.approx(np.mean(losses))


@pytest.mark.parametrize("first", [None, FIRST], ids=["zeros", "first"])
@pytest.mark.parametrize("name", PARAMS)
def test_gradients_equal_differences_of_the_loss(name: str, first: np.ndarray | None) -> None:
    gradients, _ = elman_gradients(INPUTS, LABELS, PARAMS, first)
    assert gradients[name].shape == PARAMS[name].shape
    for place in np.ndindex(PARAMS[name].shape):
        losses = []
        for move in (1e-5, -1e-5):
            changed = {key: value.copy() for key, value in PARAMS.items()}
            changed[name][place] += move
            losses.append(elman_forward(INPUTS, LABELS, changed, first).loss)
        assert gradients[name][place] == pytest.approx((losses[0] - losses[1]) / 2e-5, abs=1e-6)


def test_last_state_goes_on_into_the_next_window() -> None:
    whole = elman_forward(INPUTS, LABELS, PARAMS).states
    _, last = elman_gradients(INPUTS[:, :3], LABELS[:, :3], PARAMS)
    np.testing.assert_allclose(last, whole[:, 2], atol=1e-6)
    rest = elman_forward(INPUTS[:, 3:], LABELS[:, 3:], PARAMS, last)
    np.testing.assert_allclose(rest.states, whole[:, 3:], atol=1e-6)


def test_single_precision_is_kept() -> None:
    params = {name: value.astype("float32") for name, value in PARAMS.items()}
    result = elman_forward(INPUTS.astype("float32"), LABELS, params, FIRST.astype("float32"))
    assert result.states.dtype == result.d_logits.dtype == np.float32
    gradients, _ = elman_gradients(INPUTS.astype("float32"), LABELS, params)
    assert {gradient.dtype for gradient in gradients.values()} == {np.dtype("float32")}
