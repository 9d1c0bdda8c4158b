"""Checks for unit 02: what forget gates leave of a memory, and of its gradient."""

import math
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers, sigmoid

Array = np.ndarray


@check
def memory_gradients(answer: Function, seed: int = 0) -> None:
    """Check `answer(forget_gates)`, section s7: the gradient on the memory's own way.

    Where the gates are held fixed, `∂c_N / ∂c_t` is the product of the forget
    gates of the steps t + 1 to N, for each unit alone.

    Args:
        answer: The student's function of the forget gates `(time, units)` of
            the steps 1 to N; it returns `(time, units)`: for each t, how much
            of a change in `c_t` is left in `c_N`. The last row is ones.
        seed: For the random gates.

    Raises:
        AssertionError: A product is not right.
    """

    def ones(gates: Array) -> Array:
        return np.ones_like(gates[:1])

    def from_the_end(gates: Array) -> Array:
        return np.cumprod(gates[::-1], axis=0)[::-1]

    def right(gates: Array) -> Array:
        return np.concatenate([from_the_end(gates)[1:], ones(gates)])

    def over_units(gates: Array) -> Array:
        return np.repeat(right(gates.mean(axis=1, keepdims=True)), gates.shape[1], axis=1)

    expect_answers(
        "memory_gradients(forget_gates)",
        answer,
        {
            "": (_gates(6, 4, seed),),
            "one unit": (_gates(5, 1, seed + 1),),
            "one step": (_gates(1, 3, seed + 2),),
            "gates of 0 and 1": (np.round(_gates(7, 3, seed + 3)),),
        },
        right,
        {
            "The gate of step t is in the product too. From c_t to c_N the gates of the steps t + "
            "1 to N stand on the way.": from_the_end,
            "The product runs from the first step on; it should run from step t + 1 to the "
            "last.": lambda gates: np.cumprod(gates, axis=0),
            "The product runs over the steps before t; it should run over those after it.": (
                lambda gates: np.concatenate([ones(gates), np.cumprod(gates, axis=0)[:-1]])
            ),
            "The rows stand from the last step to the first; they should stand from the first to "
            "the last.": lambda gates: right(gates)[::-1],
            "The last row is missing: of a change in c_N itself all is left, 1.": (
                lambda gates: right(gates)[:-1]
            ),
            "The last row should be 1: of a change in c_N itself all is left.": [
                lambda gates: np.concatenate([right(gates)[:-1], 0 * ones(gates)]),
                lambda gates: np.roll(from_the_end(gates), -1, axis=0),
            ],
            "The gate of step N is left out of the products.": lambda gates: np.concatenate(
                [right(gates[:-1]), ones(gates)]
            ),
            "These are the gates themselves, not their products.": [
                lambda gates: gates,
                lambda gates: np.concatenate([gates[1:], ones(gates)]),
            ],
            "The gates are added up; they should be multiplied.": [
                lambda gates: np.concatenate([np.cumsum(gates[::-1], axis=0)[-2::-1], ones(gates)]),
                lambda gates: np.concatenate(
                    [np.cumsum(gates[::-1], axis=0)[-2::-1], 0 * ones(gates)]
                ),
            ],
            "Every row has the product of all gates.": lambda gates: np.repeat(
                gates.prod(axis=0, keepdims=True), len(gates), axis=0
            ),
            "The units are mixed: each unit has a product of its own.": over_units,
        },
    )


def _gates(time: int, units: int, seed: int) -> Array:
    return (
        sigmoid(1.5 + random_numbers(seed + 110, time, units)).astype("float32").astype("float64")
    )


@check
def half_life(answer: Function, seed: int = 0) -> None:
    """Check `answer(bias)`, section s7: after how many steps half of a memory is left.

    A forget gate of `σ(bias)` leaves `σ(bias)^n` after n steps; that is one half
    for `n = log(1/2) / log σ(bias)`.

    Args:
        answer: The student's function of a number; it returns a number of
            steps, which need not be whole.
        seed: For the random biases.

    Raises:
        AssertionError: The number of steps is not right.
    """

    steps = _steps_until
    biases = np.random.default_rng(seed).uniform(0.2, 5.0, 3).round(2).tolist()
    expect_answers(
        "half_life(bias)",
        answer,
        {
            "the bias 3": (3.0,),
            "the bias 1": (1.0,),
            **{f"the bias {bias:g}": (bias,) for bias in biases},
            "the bias 0": (0.0,),
            "the bias -1": (-1.0,),
        },
        steps(0.5),
        {
            "The fraction stands upside down: it is log(1/2) divided by the logarithm of the "
            "gate.": lambda bias: 1 / steps(0.5)(bias),
            "The sign is wrong: both logarithms are negative.": lambda bias: -steps(0.5)(bias),
            "The sigmoid is missing: the gate is σ(bias).": [
                steps(0.5, lambda bias: bias),
                lambda bias: math.log(0.5) / math.log(bias),  # which fails at 0 and at 1
            ],
            "The sigmoid has the wrong sign: σ(b) = 1 / (1 + exp(-b)).": steps(
                0.5, lambda bias: sigmoid(-bias)
            ),
            "This is the gate, not a number of steps.": lambda bias: sigmoid(bias),
            "After so many steps 1/e is left; the question is about one half.": steps(math.exp(-1)),
            "After so many steps one tenth is left; the question is about one half.": steps(0.1),
            "The gate has a tanh here; it needs a sigmoid.": steps(0.5, np.tanh),
            "1 / (1 - σ) is about when 1/e is left; the question is about one half.": (
                lambda bias: 1 / (1 - sigmoid(bias))
            ),
            "Each step loses a share of what is left, not always the same amount: solve σ(bias)^n "
            "= 1/2.": lambda bias: 0.5 / (1 - sigmoid(bias)),
            "This is never below 1; with a small gate, half of a memory is lost in less than one "
            "step.": lambda bias: max(1.0, steps(0.5)(bias)),
            "This is rounded to whole steps; give the number as it is.": [
                lambda bias: round(steps(0.5)(bias)),
                lambda bias: math.ceil(steps(0.5)(bias)),
                lambda bias: math.floor(steps(0.5)(bias)),
            ],
        },
    )


@check
def forget_bias_lasts(model: Any, steps: int, what: str = "The model") -> None:
    """Check that the forget bias in a model was chosen for a wait, section s7.

    Args:
        model: The student's model. Each of its cells that begins with a forget
            bias of its own, such as `layers.LSTMCell`, is asked for it.
        steps: After so many steps, at least half of a memory should be left.
        what: How a message calls the model.

    Raises:
        AssertionError: Half of a memory is lost before.
    """
    for layer in model.layers:
        bias = getattr(getattr(layer, "cell", None), "forget_bias", None)
        if not isinstance(bias, int | float | np.number):
            continue
        number = np.asarray(bias, dtype="float64")
        # Not by the number of steps: the logarithm of a gate that rounding makes 1 is 0.
        if sigmoid(number) ** steps < 0.5:
            raise AssertionError(
                f"{what}: with a forget bias of {bias:.4g}, half of a memory is left after "
                f"{_steps_until(0.5)(number):.1f} steps. Expected: after at least {steps}. Which "
                "bias does half_life tell you to take?"
            )


def _steps_until(part: float, gate: Function = sigmoid) -> Function:
    """After how many steps this part of a memory is left, as a function of the bias."""
    return lambda bias: np.log(part) / np.log(gate(bias))
