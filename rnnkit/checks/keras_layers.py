"""Checks for units 01, 02 and 04: an answer gives what the layer of Keras gives."""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.gru import gru
from rnnkit.checks.inputs import Function, name_of, random_numbers
from rnnkit.checks.lstm import lstm
from rnnkit.checks.recurrence import WRONG_STEPS, Step, elman, run

Slips = dict[str, Function | Sequence[Function]]

_LAYERS = {"SimpleRNN": 1, "GRU": 3, "LSTM": 4}  # how many blocks their weights have


@check
def equals_keras_layer(
    answer: Function,
    kind: str,
    bidirectional: bool = False,
    seed: int = 0,
    given: tuple[str, ...] = (),
) -> None:
    """Check that an answer equals a layer of Keras with the same weights.

    Sections s2 (SimpleRNN), s6 (GRU and LSTM) and s14 (Bidirectional).

    Args:
        answer: The student's function of inputs `(batch, time, features)` and
            the list of the layer's weights, in the order in which Keras keeps
            them (kernel, recurrent kernel, bias; for both directions, first
            the forward, then the backward ones). It returns the outputs of all
            steps, `(batch, time, units)`, or 2 units with both directions.
        kind: "SimpleRNN", "GRU" or "LSTM".
        bidirectional: Whether the layer reads in both directions.
        seed: For the random inputs and weights.
        given: Functions of this kit that the exercise gives to the student.

    Raises:
        AssertionError: The outputs are not those of the layer.
        ValueError: There is no such kind.
    """
    if kind not in _LAYERS:
        raise ValueError(
            f"equals_keras_layer expects one of {', '.join(_LAYERS)}. Received: {kind!r}"
        )
    both: dict[str, Any] = {"kind": kind, "bidirectional": bidirectional}
    expect_answers(
        f"{name_of(answer, kind.lower())}(inputs, weights)",
        answer,
        {
            "": _inputs(kind, bidirectional, 3, 5, 4, 4, seed),
            "another size of the inputs": _inputs(kind, bidirectional, 2, 4, 3, 5, seed + 1),
            "a batch of one": _inputs(kind, bidirectional, 1, 3, 2, 3, seed + 2),
            "a sentence of one step": _inputs(kind, bidirectional, 2, 1, 3, 2, seed + 3),
        },
        lambda x, w: _keras(x, w, **both),
        _slips(**both),
        given=given,
    )


def _slips(kind: str, bidirectional: bool) -> Slips:
    def outputs(inputs: np.ndarray, weights: list[np.ndarray]) -> np.ndarray:
        return _numpy(inputs, weights, kind, bidirectional)

    slips: Slips = {
        "The last step's output is there alone; give those of all steps.": (
            lambda x, w: outputs(x, w)[:, -1]
        ),
        "Time comes before the batch; the axes should be (batch, time, units).": (
            lambda x, w: outputs(x, w).swapaxes(0, 1)
        ),
        "The biases are left out.": lambda x, w: outputs(
            x, [0 * array if number % 3 == 2 else array for number, array in enumerate(w)]
        ),
    }
    if bidirectional:
        return slips | _slips_of_two_directions(kind)
    slips |= _slips_of_one_direction(kind)
    if kind == "SimpleRNN":
        slips |= _slips_of_the_step()
    elif kind == "LSTM":
        slips |= _slips_of_the_memory()
    return slips


def _slips_of_one_direction(kind: str) -> Slips:
    def outputs(inputs: np.ndarray, weights: list[np.ndarray]) -> np.ndarray:
        return _numpy(inputs, weights, kind, False)

    W, U, b = "WUb" if kind == "SimpleRNN" else ("kernel", "recurrent_kernel", "bias")
    return {
        "The loop runs from the last step to the first.": [
            lambda x, w: outputs(x[:, ::-1], w),
            lambda x, w: outputs(x[:, ::-1], w)[:, ::-1],
        ],
        "The new state is not passed on: each step begins with zeros.": lambda x, w: np.concatenate(
            [outputs(x[:, [t]], w) for t in range(x.shape[1])], axis=1
        ),
        "These are the states before each step; they should be the states after it.": (
            lambda x, w: _one_step_late(outputs(x, w))
        ),
        f"{W} and {U} have changed places: {W} belongs to the input, {U} to the state, and the "
        f"list of Keras is {W}, {U}, {b}.": lambda x, w: outputs(x, [w[1], w[0], w[2]]),
    }


def _slips_of_two_directions(kind: str) -> Slips:
    def outputs(inputs: np.ndarray, weights: list[np.ndarray]) -> np.ndarray:
        return _numpy(inputs, weights, kind, True)

    slips: Slips = {
        "The backward outputs are not turned back: at each step they belong to another one.": (
            lambda x, w: _unturned(outputs(x, w))
        ),
        "The two directions are added up; they should stand side by side.": lambda x, w: sum(
            np.split(outputs(x, w), 2, axis=-1)
        ),
        "The backward direction stands first; the forward one should.": lambda x, w: np.concatenate(
            np.split(outputs(x, w), 2, axis=-1)[::-1], axis=-1
        ),
        "The backward direction reads forward too: turn the inputs round for it.": (
            lambda x, w: np.concatenate(
                [_numpy(x, part, kind, False) for part in _halves(w)], axis=-1
            )
        ),
        "Both directions have the forward weights.": lambda x, w: outputs(x, 2 * _halves(w)[0]),
    }
    if kind != "LSTM":  # which has two states to go on with
        slips[
            "The backward direction begins with the last state of the forward one; it should "
            "begin with zeros."
        ] = lambda x, w: _going_on(x, w, kind)
    return slips


def _slips_of_the_step() -> Slips:
    """The faults of the Elman step, as all states of a loop show them."""

    def in_a_loop(step: Function) -> Function:
        return lambda x, w: _run(lambda *inputs: step(*inputs, *w), x, w)

    return {
        sentence: [in_a_loop(step) for step in ([steps] if callable(steps) else steps)]
        for sentence, steps in WRONG_STEPS.items()
    }


def _slips_of_the_memory() -> Slips:
    return {
        "The memory c is not passed on: each step begins with a memory of zeros.": (
            lambda x, w: _run_lstm(x, w, keep=("h",))
        ),
        "The state h is not passed on: each step begins with an h of zeros.": (
            lambda x, w: _run_lstm(x, w, keep=("c",))
        ),
        "These are the memories c; the outputs of an LSTM are its states h.": (
            lambda x, w: _run_lstm(x, w, output="c")
        ),
        "h and c change places from one step to the next.": lambda x, w: _run_lstm(
            x, w, keep=("c", "h")
        ),
    }


def _inputs(
    kind: str, bidirectional: bool, batch: int, time: int, features: int, units: int, seed: int
) -> tuple[np.ndarray, list[np.ndarray]]:
    blocks = _LAYERS[kind] * units
    bias = (2, blocks) if kind == "GRU" else (blocks,)
    shapes = [(features, blocks), (units, blocks), bias] * (1 + bidirectional)
    weights = [random_numbers(seed + 30 + place, *shape) for place, shape in enumerate(shapes)]
    return random_numbers(seed + 29, batch, time, features), weights


def _keras(
    inputs: np.ndarray, weights: list[np.ndarray], kind: str, bidirectional: bool
) -> np.ndarray:
    """What the layer of Keras gives, with these weights."""
    units = weights[1].shape[0]
    layer = getattr(keras.layers, kind)(units, return_sequences=True)
    if bidirectional:
        layer = keras.layers.Bidirectional(layer)
    layer.build(inputs.shape)
    layer.set_weights(weights)
    return keras.ops.convert_to_numpy(layer(inputs.astype("float32"))).astype("float64")


def _numpy(
    inputs: np.ndarray,
    weights: list[np.ndarray],
    kind: str,
    bidirectional: bool,
    first: np.ndarray | None = None,
) -> np.ndarray:
    """The same in NumPy, which is fast: the slips are made of it.

    One direction of a SimpleRNN or a GRU can begin with another state than zeros.
    """
    if bidirectional:
        forward, backward = _halves(weights)
        turned = _numpy(inputs[:, ::-1], backward, kind, False)[:, ::-1]
        return np.concatenate([_numpy(inputs, forward, kind, False), turned], axis=-1)
    if kind == "LSTM":
        return _run_lstm(inputs, weights)
    step = elman if kind == "SimpleRNN" else gru
    return _run(lambda x, h: step(x, h, *weights), inputs, weights, first)


def _run(
    step: Step, inputs: np.ndarray, weights: list[np.ndarray], first: np.ndarray | None = None
) -> np.ndarray:
    """All states, from zeros where no first one is given."""
    zeros = np.zeros((len(inputs), weights[1].shape[0]))
    return run(step, inputs, zeros if first is None else first)


def _run_lstm(
    inputs: np.ndarray,
    weights: list[np.ndarray],
    keep: tuple[str, ...] = ("h", "c"),
    output: str = "h",
) -> np.ndarray:
    """All outputs; `keep` says what becomes h and c of the next step, where not zeros."""
    zeros = np.zeros((len(inputs), weights[1].shape[0]))
    h, c, outputs = zeros, zeros, []
    for x in inputs.swapaxes(0, 1):
        new = lstm(x, h, c, *weights)
        outputs.append(new[output])
        if len(keep) == 2:
            h, c = new[keep[0]], new[keep[1]]
        else:
            h, c = (new[state] if state in keep else zeros for state in ("h", "c"))
    return np.stack(outputs, axis=1)


def _halves(weights: list[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    middle = len(weights) // 2
    return weights[:middle], weights[middle:]


def _going_on(inputs: np.ndarray, weights: list[np.ndarray], kind: str) -> np.ndarray:
    """Both directions, where the backward one begins with the last forward state."""
    forward_weights, backward_weights = _halves(weights)
    forward = _numpy(inputs, forward_weights, kind, False)
    backward = _numpy(inputs[:, ::-1], backward_weights, kind, False, first=forward[:, -1])
    return np.concatenate([forward, backward[:, ::-1]], axis=-1)


def _one_step_late(outputs: np.ndarray) -> np.ndarray:
    return np.concatenate([0 * outputs[:, :1], outputs[:, :-1]], axis=1)


def _unturned(outputs: np.ndarray) -> np.ndarray:
    forward, backward = np.split(outputs, 2, axis=-1)
    return np.concatenate([forward, backward[:, ::-1]], axis=-1)
