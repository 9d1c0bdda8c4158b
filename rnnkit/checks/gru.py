"""Checks for unit 02: one step of a GRU."""

from itertools import permutations

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers, sigmoid

Array = np.ndarray


def gru(
    x: Array,
    h: Array,
    kernel: Array,
    recurrent_kernel: Array,
    bias: Array,
    *,
    order: str = "zrg",
    keeps: str = "old",
    reset: str = "after",
) -> Array:
    """One step; the settings make slips."""
    inside = dict(zip(order, np.split(x @ kernel + bias[0], 3, axis=-1), strict=True))
    kernels = dict(zip(order, np.split(recurrent_kernel, 3, axis=-1), strict=True))
    first_biases, biases = (dict(zip(order, np.split(row, 3), strict=True)) for row in bias)
    z = sigmoid(inside["z"] + h @ kernels["z"] + biases["z"])
    r = sigmoid(inside["r"] + h @ kernels["r"] + biases["r"])
    state = {
        "after": lambda: r * (h @ kernels["g"] + biases["g"]),
        "after, on both biases": lambda: (
            r * (h @ kernels["g"] + biases["g"] + first_biases["g"]) - first_biases["g"]
        ),
        "after, bias outside": lambda: r * (h @ kernels["g"]) + biases["g"],
        "before": lambda: (r * h) @ kernels["g"] + biases["g"],
        "none": lambda: h @ kernels["g"] + biases["g"],
    }[reset]()
    g = np.tanh(inside["g"] + state)
    return {"old": z * h + (1 - z) * g, "new": (1 - z) * h + z * g, "none": g}[keeps]


@check
def gru_step(answer: Function, seed: int = 0) -> None:
    """Check `answer(x, h, kernel, recurrent_kernel, bias)`, section s6.

    Args:
        answer: The student's function of the input `(batch, features)`, the
            state `(batch, units)` and the weights as `keras.layers.GRU` keeps
            them, in blocks z, r, g: kernel `(features, 3 units)`,
            recurrent_kernel `(units, 3 units)`, and bias `(2, 3 units)`, the
            first row for the input's part, the second for the state's. It
            returns the new state.
        seed: For the random inputs.

    Raises:
        AssertionError: The state is not right.
    """

    def blocks(order: str) -> Function:
        return lambda *i: gru(*i, order=order)

    def bias_row(first: float, second: float) -> Function:
        return lambda x, h, k, r, b: gru(x, h, k, r, b * np.array([[first], [second]]))

    expect_answers(
        "gru_step(x, h, kernel, recurrent_kernel, bias)",
        answer,
        {
            "": _gru_inputs(3, 4, 4, seed),
            "another size of the inputs": _gru_inputs(2, 3, 5, seed + 1),
            "a batch of one": _gru_inputs(1, 2, 3, seed + 2),
        },
        gru,
        {
            "z keeps the wrong part: in Keras, z is the share of the old state: z ⊙ h + (1 - z) ⊙ "
            "g.": lambda *i: gru(*i, keeps="new"),
            "The reset gate works before the product with the recurrent kernel; in Keras it works "
            "after it: r ⊙ (h U + b).": lambda *i: gru(*i, reset="before"),
            "The state's bias of the candidate stands outside the reset gate; it belongs inside: r "
            "⊙ (h U + b).": lambda *i: gru(*i, reset="after, bias outside"),
            "The reset gate works on both biases of the candidate; it should work on the state's "
            "alone.": lambda *i: gru(*i, reset="after, on both biases"),
            "The reset gate is left out.": lambda *i: gru(*i, reset="none"),
            "The blocks of z and r are swapped. Keras's order is z, r, g.": blocks("rzg"),
            "The blocks are taken in another order. Keras's order is z, r, g.": [
                blocks("".join(order))
                for order in permutations("zrg")
                if "".join(order) not in ("zrg", "rzg")
            ],
            "The second row of the bias, the state's, is left out.": bias_row(1, 0),
            "The first row of the bias, the input's, is left out.": bias_row(0, 1),
            "The first row of the bias stands in both places; the second row is the "
            "state's.": lambda x, h, k, r, b: gru(x, h, k, r, b[[0, 0]]),
            "The bias is left out.": bias_row(0, 0),
            "The two rows of the bias are swapped: the first is the input's.": (
                lambda x, h, k, r, b: gru(x, h, k, r, b[::-1])
            ),
            "The old state is not kept: the new state is z ⊙ h + (1 - z) ⊙ g.": (
                lambda *i: gru(*i, keeps="none")
            ),
        },
    )


def _gru_inputs(batch: int, features: int, units: int, seed: int) -> tuple[Array, ...]:
    return (
        random_numbers(seed + 80, batch, features),
        0.5 * random_numbers(seed + 81, batch, units),
        random_numbers(seed + 82, features, 3 * units),
        random_numbers(seed + 83, units, 3 * units),
        random_numbers(seed + 84, 2, 3 * units),
    )
