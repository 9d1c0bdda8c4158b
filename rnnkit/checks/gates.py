"""Checks for unit 02: gates, one step of an LSTM and of a GRU."""

from itertools import permutations

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


def lstm(
    x: Array,
    h: Array,
    c: Array,
    kernel: Array,
    recurrent_kernel: Array,
    bias: Array,
    *,
    order: str = "ifgo",
    squash: bool = True,
    gates: str = "both",
) -> dict[str, Array]:
    """One step; the settings make slips: the order of the blocks, the last tanh, the gates."""
    parts = np.split(x @ kernel + h @ recurrent_kernel + bias, 4, axis=-1)
    block = dict(zip(order, parts, strict=True))
    i, f, o = (sigmoid(block[name]) for name in "ifo")
    g = np.tanh(block["g"])
    kept = c if gates == "no forget" else f * c
    added = g if gates == "no input" else i * g
    new_c = (1 - i) * c + added if gates == "coupled" else kept + added
    seen = np.tanh(new_c) if squash else new_c
    return {"h": seen if gates == "no output" else o * seen, "c": new_c}


@check
def lstm_step(answer: Function, seed: int = 0) -> None:
    """Check `answer(x, h, c, kernel, recurrent_kernel, bias)`, section s6.

    Args:
        answer: The student's function of the input `(batch, features)`, the
            states h and c `(batch, units)` and the weights as
            `keras.layers.LSTM` keeps them, in blocks i, f, g, o: kernel
            `(features, 4 units)`, recurrent_kernel `(units, 4 units)`, bias
            `(4 units,)`. It returns the new h and the new c.
        seed: For the random inputs.

    Raises:
        AssertionError: One of the two states is not right.
    """

    def blocks(order: str) -> Function:
        return lambda *i: lstm(*i, order=order)

    def output_on_memory(*inputs: Array) -> dict[str, Array]:
        new = lstm(*inputs)
        return {"h": new["h"], "c": _output_gate(new) * new["c"]}

    expect_answers(
        "lstm_step(x, h, c, kernel, recurrent_kernel, bias)",
        answer,
        {
            "": _lstm_inputs(3, 4, 4, seed),
            "another size of the inputs": _lstm_inputs(2, 3, 5, seed + 1),
            "a batch of one": _lstm_inputs(1, 2, 3, seed + 2),
        },
        lstm,
        {
            "h and c are swapped in the result: h comes first.": lambda *i: {
                "h": lstm(*i)["c"],
                "c": lstm(*i)["h"],
            },
            "h and c are swapped in what comes in: the gates look at h, the memory is c.": (
                lambda x, h, c, *w: lstm(x, c, h, *w)
            ),
            "The blocks of the input gate and the forget gate are swapped. Keras's order is i, f, "
            "g, o.": blocks("figo"),
            "The blocks of the candidate and the output gate are swapped. Keras's order is i, f, "
            "g, o.": blocks("ifog"),
            "The blocks are taken in another order. Keras's order is i, f, g, o.": [
                blocks("".join(order))
                for order in permutations("ifgo")
                if "".join(order) not in ("ifgo", "figo", "ifog")
            ],
            "The tanh of the memory is missing: h is o ⊙ tanh(c).": (
                lambda *i: lstm(*i, squash=False)
            ),
            "The output gate works on the memory too; it should work on h alone.": (
                output_on_memory
            ),
            "The output gate is left out: h is o ⊙ tanh(c).": (
                lambda *i: lstm(*i, gates="no output")
            ),
            "The forget gate is left out: the new memory is f ⊙ c + i ⊙ g.": (
                lambda *i: lstm(*i, gates="no forget")
            ),
            "The input gate is left out: the new memory is f ⊙ c + i ⊙ g.": (
                lambda *i: lstm(*i, gates="no input")
            ),
            "The forget gate is 1 - i here; an LSTM has a forget gate of its own.": (
                lambda *i: lstm(*i, gates="coupled")
            ),
            "h is made from the memory before the step; it should be made from the new one.": (
                lambda x, h, c, *w: {
                    **lstm(x, h, c, *w),
                    "h": _output_gate(lstm(x, h, c, *w)) * np.tanh(c),
                }
            ),
            "The bias is left out.": lambda x, h, c, k, r, b: lstm(x, h, c, k, r, 0 * b),
            "The bias of the forget gate is one too high: Keras's bias holds it already.": (
                lambda x, h, c, k, r, b: lstm(x, h, c, k, r, b + _forget_block(b, 1.0))
            ),
            "The state h has no part in the gates.": lambda x, h, c, k, r, b: lstm(
                x, h, c, k, 0 * r, b
            ),
            "The candidate has a sigmoid; it should have a tanh.": _sigmoid_candidate,
        },
    )


def _output_gate(new: dict[str, Array]) -> Array:
    return new["h"] / np.tanh(new["c"])


def _forget_block(bias: Array, value: float) -> Array:
    block = np.zeros_like(bias)
    block[len(bias) // 4 : len(bias) // 2] = value
    return block


def _sigmoid_candidate(x: Array, h: Array, c: Array, k: Array, r: Array, b: Array) -> dict:
    i, f, g, o = (sigmoid(part) for part in np.split(x @ k + h @ r + b, 4, axis=-1))
    new_c = f * c + i * g
    return {"h": o * np.tanh(new_c), "c": new_c}


def _lstm_inputs(batch: int, features: int, units: int, seed: int) -> tuple[Array, ...]:
    return (
        random_numbers(seed + 70, batch, features),
        0.5 * random_numbers(seed + 71, batch, units),
        random_numbers(seed + 72, batch, units),
        random_numbers(seed + 73, features, 4 * units),
        random_numbers(seed + 74, units, 4 * units),
        random_numbers(seed + 75, 4 * units),
    )


def gru(
    x: Array,
    h: Array,
    kernel: Array,
    recurrent_kernel: Array,
    bias: Array,
    *,
    order: str = "zrg",
    keeps_old: bool = True,
    reset: str = "after",
) -> Array:
    """One step; the settings make slips."""
    inside = dict(zip(order, np.split(x @ kernel + bias[0], 3, axis=-1), strict=True))
    kernels = dict(zip(order, np.split(recurrent_kernel, 3, axis=-1), strict=True))
    biases = dict(zip(order, np.split(bias[1], 3), strict=True))
    z = sigmoid(inside["z"] + h @ kernels["z"] + biases["z"])
    r = sigmoid(inside["r"] + h @ kernels["r"] + biases["r"])
    state = {
        "after": lambda: r * (h @ kernels["g"] + biases["g"]),
        "after, bias outside": lambda: r * (h @ kernels["g"]) + biases["g"],
        "before": lambda: (r * h) @ kernels["g"] + biases["g"],
        "none": lambda: h @ kernels["g"] + biases["g"],
    }[reset]()
    g = np.tanh(inside["g"] + state)
    return z * h + (1 - z) * g if keeps_old else (1 - z) * h + z * g


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
            "g.": lambda *i: gru(*i, keeps_old=False),
            "The reset gate works before the product with the recurrent kernel; in Keras it works "
            "after it: r ⊙ (h U + b).": lambda *i: gru(*i, reset="before"),
            "The state's bias of the candidate stands outside the reset gate; it belongs inside: r "
            "⊙ (h U + b).": lambda *i: gru(*i, reset="after, bias outside"),
            "The reset gate is left out.": lambda *i: gru(*i, reset="none"),
            "The blocks of z and r are swapped. Keras's order is z, r, g.": blocks("rzg"),
            "The blocks are taken in another order. Keras's order is z, r, g.": [
                blocks("".join(order))
                for order in permutations("zrg")
                if "".join(order) not in ("zrg", "rzg")
            ],
            "The second row of the bias, the state's, is left out.": bias_row(1, 0),
            "The first row of the bias, the input's, is left out.": bias_row(0, 1),
            "The bias is left out.": bias_row(0, 0),
            "The two rows of the bias are swapped: the first is the input's.": (
                lambda x, h, k, r, b: gru(x, h, k, r, b[::-1])
            ),
            "The old state is not kept: the new state is z ⊙ h + (1 - z) ⊙ g.": (_candidate),
        },
    )


def _candidate(x: Array, h: Array, k: Array, r: Array, b: Array) -> Array:
    """g alone, without the old state."""
    units = h.shape[-1]
    inside, state = x @ k + b[0], h @ r + b[1]
    reset = sigmoid(inside[:, units : 2 * units] + state[:, units : 2 * units])
    return np.tanh(inside[:, 2 * units :] + reset * state[:, 2 * units :])


def _gru_inputs(batch: int, features: int, units: int, seed: int) -> tuple[Array, ...]:
    return (
        random_numbers(seed + 80, batch, features),
        0.5 * random_numbers(seed + 81, batch, units),
        random_numbers(seed + 82, features, 3 * units),
        random_numbers(seed + 83, units, 3 * units),
        random_numbers(seed + 84, 2, 3 * units),
    )


@check
def forget_bias(answer: Function, seed: int = 0) -> None:
    """Check `answer(bias, value)`, section s7: set the forget gate's bias.

    Args:
        answer: The student's function of a bias `(4 units,)` in Keras's blocks
            i, f, g, o, and a number; it returns the bias with all of the
            forget gate's block set to the number, and the rest as it was.
        seed: For the random bias.

    Raises:
        AssertionError: The bias is not right.
    """

    def block(number: int, add: bool = False) -> Function:
        def change(bias: Array, value: float) -> Array:
            units, changed = len(bias) // 4, bias.copy()
            part = slice(number * units, (number + 1) * units)
            changed[part] = changed[part] + value if add else value
            return changed

        return change

    expect_answers(
        "forget_bias(bias, value)",
        answer,
        {
            "": (random_numbers(seed, 12), 3.0),
            "one unit": (random_numbers(seed + 1, 4), 1.0),
            "the value 0": (random_numbers(seed + 2, 8), 0.0),
        },
        block(1),
        {
            "This is the input gate's block. Keras's order is i, f, g, o.": block(0),
            "This is the candidate's block. Keras's order is i, f, g, o.": block(2),
            "This is the output gate's block. Keras's order is i, f, g, o.": block(3),
            "The value is added to the block; it should be set.": block(1, add=True),
            "All blocks have the value; only the forget gate's should.": lambda bias, value: (
                np.full_like(bias, value)
            ),
            "The other blocks are 0; they should stay as they were.": lambda bias, value: block(1)(
                0 * bias, value
            ),
            "The bias is as it was before.": lambda bias, value: bias,
        },
    )
