"""Checks for unit 02: hard and soft gates."""

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers, sigmoid

Array = np.ndarray


@check
def hard_gate(answer: Function, seed: int = 0) -> None:
    """Check `answer(g, x, s)`, section s5: `g ⊙ x + (1 - g) ⊙ s`.

    The first case is the worked example: the gate (0, 1, 0) lets the second of
    (10, 11, 12) into the state (8, 9, 3), which gives (8, 11, 3).

    Args:
        answer: The student's function of the gate, the input and the state,
            all of one shape; it returns the new state.
        seed: For the random inputs.

    Raises:
        AssertionError: The state is not right.
    """
    numbers = [random_numbers(seed + place, 3, 4) for place in range(2)]
    gate = (random_numbers(seed + 2, 3, 4) > 0).astype("float64")
    example = [[0.0, 1.0, 0.0], [10.0, 11.0, 12.0], [8.0, 9.0, 3.0]]
    expect_answers(
        "hard_gate(g, x, s)",
        answer,
        {
            "": tuple(np.array(row) for row in example),
            "random numbers, a batch of three": (gate, *numbers),
            "a gate of zeros": (0 * gate, *numbers),
            "an input of zeros": (np.ones_like(gate), 0 * numbers[0], numbers[1]),
        },
        lambda g, x, s: g * x + (1 - g) * s,
        {
            "The gate works the other way round: 1 should let the input in, 0 should keep the "
            "state.": lambda g, x, s: g * s + (1 - g) * x,
            "The state is not kept where the gate is 0: the part (1 - g) ⊙ s is missing.": (
                lambda g, x, s: g * x
            ),
            "The input is added to the whole state: where the gate is 1, the old state should "
            "go.": lambda g, x, s: g * x + s,
            "The second gate should be (1 - g); here it is (1 + g).": lambda g, x, s: (
                g * x + (1 + g) * s
            ),
            "Input and state are both gated by g: the state's gate should be (1 - g).": (
                lambda g, x, s: g * x + g * s
            ),
            "A 0 of the input is not written: where the gate is 1, each number of the input should "
            "be, also a 0.": lambda g, x, s: np.where(g * x != 0, g * x, s),
            "The larger one of the two parts is taken; they should be added up.": (
                lambda g, x, s: np.maximum(g * x, (1 - g) * s)
            ),
            "The state is not gated by the new input, but left as it is.": lambda g, x, s: s,
        },
    )


@check
def soft_gate(answer: Function, seed: int = 0) -> None:
    """Check `answer(x, s, W, U, b)`, section s5: a gate between 0 and 1 that can be learned.

    With `g = sigmoid(x W + s U + b)` the new state is `g ⊙ x + (1 - g) ⊙ s`.

    Args:
        answer: The student's function of the input and the state `(batch,
            units)`, W and U `(units, units)` and b `(units,)`; it returns the
            new state.
        seed: For the random inputs.

    Raises:
        AssertionError: The state is not right.
    """

    def mix(g: Array, x: Array, s: Array) -> Array:
        return g * x + (1 - g) * s

    def right(x: Array, s: Array, W: Array, U: Array, b: Array) -> Array:
        return mix(sigmoid(x @ W + s @ U + b), x, s)

    expect_answers(
        "soft_gate(x, s, W, U, b)",
        answer,
        {"": _soft_inputs(3, 4, seed), "a batch of one": _soft_inputs(1, 3, seed + 9)},
        right,
        {
            "The gate works the other way round: g belongs to the input, 1 - g to the state.": (
                lambda x, s, W, U, b: mix(sigmoid(x @ W + s @ U + b), s, x)
            ),
            "In exp(-a), the minus belongs to the whole sum, x W + s U + b.": (
                lambda x, s, W, U, b: mix(sigmoid(x @ W - s @ U - b), x, s)
            ),
            "The sigmoid is missing, so the gate is not between 0 and 1.": (
                lambda x, s, W, U, b: mix(x @ W + s @ U + b, x, s)
            ),
            "The gate has a tanh, so it can be negative; it needs a sigmoid.": (
                lambda x, s, W, U, b: mix(np.tanh(x @ W + s @ U + b), x, s)
            ),
            "The gate is hard, 0 or 1; a soft gate is the sigmoid itself.": (
                lambda x, s, W, U, b: mix((x @ W + s @ U + b > 0).astype("float64"), x, s)
            ),
            "W and U are swapped: W belongs to the input, U to the state.": (
                lambda x, s, W, U, b: right(x, s, U, W, b)
            ),
            "The bias b is left out of the gate.": lambda x, s, W, U, b: right(x, s, W, U, 0 * b),
            "The gate does not look at the state.": lambda x, s, W, U, b: right(x, s, W, 0 * U, b),
            "The gate does not look at the input.": lambda x, s, W, U, b: right(x, s, 0 * W, U, b),
            "This is the gate, not the new state.": lambda x, s, W, U, b: sigmoid(
                x @ W + s @ U + b
            ),
            "The old state is not kept where the gate is small: the part (1 - g) ⊙ s is "
            "missing.": lambda x, s, W, U, b: sigmoid(x @ W + s @ U + b) * x,
        },
    )


def _soft_inputs(batch: int, units: int, seed: int) -> tuple[Array, ...]:
    shapes = [(batch, units), (batch, units), (units, units), (units, units), (units,)]
    return tuple(random_numbers(seed + place, *shape) for place, shape in enumerate(shapes))
