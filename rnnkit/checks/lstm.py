"""Checks for unit 02: one step of an LSTM, and the bias of its forget gate."""

from itertools import permutations

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers, sigmoid
from rnnkit.checks.left_alone import inputs_left_alone

Array = np.ndarray


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
    candidate: Function = np.tanh,
    gates: str = "both",
) -> dict[str, Array]:
    """One step; the settings make slips: the order of the blocks, the last tanh, the gates."""
    parts = np.split(x @ kernel + h @ recurrent_kernel + bias, 4, axis=-1)
    block = dict(zip(order, parts, strict=True))
    i, f, o = (sigmoid(block[name]) for name in "ifo")
    g = candidate(block["g"])
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

    def cut_off(limit: float) -> Function:
        def step(*inputs: Array) -> dict[str, Array]:
            new = lstm(*inputs)
            memory = np.clip(new["c"], -limit, limit)
            return {"h": _output_gate(new) * np.tanh(memory), "c": memory}

        return step

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
            "a large memory": _with_large_memory(*_lstm_inputs(2, 3, 4, seed + 3)),
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
            **{
                f"The blocks are taken in the order {', '.join(order)}. Keras's order is i, f, g, "
                "o.": blocks("".join(order))
                for order in permutations("ifgo")
                if "".join(order) not in ("ifgo", "figo", "ifog")
            },
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
            **{
                f"The memory is cut off at {limit}; nothing limits it.": cut_off(limit)
                for limit in (1, 3, 5, 10)
            },
            "The candidate has a sigmoid; it should have a tanh.": (
                lambda *i: lstm(*i, candidate=sigmoid)
            ),
        },
    )


def _output_gate(new: dict[str, Array]) -> Array:
    return new["h"] / np.tanh(new["c"])


def _forget_block(bias: Array, value: float) -> Array:
    block = np.zeros_like(bias)
    block[len(bias) // 4 : len(bias) // 2] = value
    return block


def _lstm_inputs(batch: int, features: int, units: int, seed: int) -> tuple[Array, ...]:
    return (
        random_numbers(seed + 70, batch, features),
        0.5 * random_numbers(seed + 71, batch, units),
        random_numbers(seed + 72, batch, units),
        random_numbers(seed + 73, features, 4 * units),
        random_numbers(seed + 74, units, 4 * units),
        random_numbers(seed + 75, 4 * units),
    )


def _with_large_memory(x: Array, h: Array, c: Array, *weights: Array) -> tuple[Array, ...]:
    return x, h, 64 * c, *weights


@check
def forget_bias(answer: Function, seed: int = 0) -> None:
    """Check `answer(bias, value)`, section s7: set the forget gate's bias.

    Args:
        answer: The student's function of a bias `(4 units,)` in Keras's blocks
            i, f, g, o, and a number; it returns the bias with all of the
            forget gate's block set to the number, and the rest as it was. The
            array that it gets stays as it is.
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
    inputs_left_alone(answer, bias=random_numbers(seed, 12), value=3.0)
