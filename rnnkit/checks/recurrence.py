"""Checks for unit 01: one step of an Elman network, and its way over the sentence."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_mask, random_numbers

Array = np.ndarray
Step = Callable[[Array, Array], Array]


def elman(x: Array, h: Array, W: Array, U: Array, b: Array) -> Array:
    """The reference: one step of an Elman network."""
    return np.tanh(x @ W + h @ U + b)


# Faults within one step, which show in its state and in all states of a loop alike.
WRONG_STEPS: dict[str, Function | Sequence[Function]] = {
    "W is transposed.": lambda x, h, W, U, b: elman(x, h, W.T, U, b),
    "U is transposed.": lambda x, h, W, U, b: elman(x, h, W, U.T, b),
    "W and U are both transposed; rows are multiplied by them as they are: x W and h U.": (
        lambda x, h, W, U, b: elman(x, h, W.T, U.T, b)
    ),
    "The tanh is missing.": lambda x, h, W, U, b: x @ W + h @ U + b,
    "The input x has no part in it.": lambda x, h, W, U, b: elman(0 * x, h, W, U, b),
    "The tanh is taken of the input's part alone; it should be taken of the whole "
    "sum.": lambda x, h, W, U, b: np.tanh(x @ W + b) + h @ U,
    "The tanh is taken of the state's part alone; it should be taken of the whole "
    "sum.": lambda x, h, W, U, b: x @ W + np.tanh(h @ U + b),
    "The tanh is taken before the bias is added; it should be taken of the whole "
    "sum.": lambda x, h, W, U, b: np.tanh(x @ W + h @ U) + b,
    "The tanh is taken of both parts, each for itself; it should be taken of their sum.": [
        lambda x, h, W, U, b: np.tanh(x @ W) + np.tanh(h @ U) + b,
        lambda x, h, W, U, b: np.tanh(x @ W + b) + np.tanh(h @ U),
    ],
    "This is a sigmoid; the Elman network has a tanh.": lambda x, h, W, U, b: (
        1 / (1 + np.exp(-(x @ W + h @ U + b)))
    ),
    "The new state is added to the old one; it should replace it.": lambda x, h, W, U, b: (
        h + elman(x, h, W, U, b)
    ),
}


@check
def elman_step(answer: Function, seed: int = 0) -> None:
    """Check `answer(x, h, W, U, b)`, section s2: `tanh(x W + h U + b)`.

    Args:
        answer: The student's function of the inputs `(batch, features)`, the
            state before `(batch, units)`, W `(features, units)`, U
            `(units, units)` and b `(units,)`; it returns the new state.
        seed: For the random inputs.

    Raises:
        AssertionError: The state is not right.
    """
    cases = {
        "": _step_inputs(3, 4, 4, seed),
        "another size of the inputs": _step_inputs(2, 3, 5, seed + 1),
        "a batch of one": _step_inputs(1, 2, 3, seed + 2),
    }
    expect_answers(
        "elman_step(x, h, W, U, b)",
        answer,
        cases,
        elman,
        {
            "W and U are swapped: W belongs to the input, U to the state.": lambda x, h, W, U, b: (
                elman(x, h, U, W, b)
            ),
            "The bias b is left out.": lambda x, h, W, U, b: elman(x, h, W, U, 0 * b),
            "The old state h has no part in it.": lambda x, h, W, U, b: elman(x, 0 * h, W, U, b),
            **WRONG_STEPS,
        },
    )


def _step_inputs(batch: int, features: int, units: int, seed: int) -> tuple[Array, ...]:
    x, h = random_numbers(seed, batch, features), np.tanh(random_numbers(seed + 50, batch, units))
    return x, h.astype("float32").astype("float64"), *_weights(features, units, seed)


def _weights(features: int, units: int, seed: int) -> tuple[Array, ...]:
    return (
        random_numbers(seed + 51, features, units),
        0.7 * random_numbers(seed + 52, units, units),
        random_numbers(seed + 53, units),
    )


def run(step: Step, inputs: Array, first: Array, mask: Array | None = None) -> Array:
    """All states `(batch, time, units)`; a padded step keeps the state."""
    states, h = [], first
    for t in range(inputs.shape[1]):
        new = step(inputs[:, t], h)
        h = new if mask is None else np.where(mask[:, t, None], new, h)
        states.append(h)
    return np.stack(states, axis=1)


@check
def joined_weights(answer: Function, seed: int = 0) -> None:
    """Check `answer(W, U)`, section s2: from one notation of the Elman network to the other.

    Args:
        answer: The student's function of W `(features, units)` and U `(units,
            units)`, as in `x W + h U`; it returns M `(units, features + units)`
            with the same sum as the column `M [x; h]`.
        seed: For the random weights.

    Raises:
        AssertionError: M is not right.
    """
    expect_answers(
        "joined_weights(W, U)",
        answer,
        {
            "": _weights(4, 4, seed)[:2],
            "another size of the inputs": _weights(2, 5, seed + 1)[:2],
            "one unit": _weights(3, 1, seed + 2)[:2],
        },
        lambda W, U: np.hstack([W.T, U.T]),
        {
            "W and U stand one above the other, as for a row [x, h]; for a column, M is the "
            "transposed of this.": lambda W, U: np.vstack([W, U]),
            "U stands first; in [x; h] the input comes first.": lambda W, U: np.hstack([U.T, W.T]),
            "U stands first, and nothing is transposed.": [
                lambda W, U: np.vstack([U, W]),
                lambda W, U: np.hstack([U, W]),
            ],
            "reshape gives the right shape, but leaves the numbers in their order; W and U must be "
            "transposed.": lambda W, U: np.vstack([W, U]).reshape(len(U), -1),
            "W and U stand side by side, but neither is transposed.": lambda W, U: np.hstack(
                [W, U]
            ),
            "W and U are transposed, and stand one above the other; they should stand side by "
            "side.": lambda W, U: np.vstack([W.T, U.T]),
            "W is transposed, U is not; for a column, both must be.": lambda W, U: np.hstack(
                [W.T, U]
            ),
            "U is transposed, W is not; for a column, both must be.": lambda W, U: np.hstack(
                [W, U.T]
            ),
        },
    )


@check
def recurrence(answer: Function, seed: int = 0, with_step: bool = False) -> None:
    """Check `answer(inputs, first, W, U, b)`, section s1: the loop over time.

    Args:
        answer: The student's function of the inputs `(batch, time, features)`,
            the first state `(batch, units)` and the weights of `elman_step`; it
            returns all states `(batch, time, units)` and the last `(batch, units)`.
        seed: For the random inputs.
        with_step: Call it as `answer(step, inputs, first)`, with a function
            `step(x, h)` in the place of the weights.

    Raises:
        AssertionError: The states are not right.
    """

    def result(states: Array, last: Array | None = None) -> dict[str, Array]:
        return {"states": states, "last state": states[:, -1] if last is None else last}

    def loop(inputs: Array, first: Array, *weights: Array) -> Array:
        return run(lambda x, h: elman(x, h, *weights), inputs, first)

    def from_last_to_first(inputs: Array, first: Array, *w: Array) -> Array:
        return loop(inputs[:, ::-1], first, *w)

    def with_weights(inputs: Array, first: Array, *weights: Array) -> Any:
        def step(x: Any, h: Any) -> Array:
            _expect_no_sentence(np.asarray(x), inputs)
            return elman(np.asarray(x), np.asarray(h), *weights)

        return answer(step, inputs, first)

    expect_answers(
        "unroll(step, inputs, first)" if with_step else "recurrence(inputs, first, W, U, b)",
        with_weights if with_step and callable(answer) else answer,
        {
            "": _sequence_inputs(3, 5, 4, 4, seed),
            "another size of the inputs": _sequence_inputs(2, 4, 2, 3, seed + 1),
            "a batch of one": _sequence_inputs(1, 3, 4, 2, seed + 2),
            "a sentence of one step": _sequence_inputs(2, 1, 3, 4, seed + 3),
            "a step whose inputs are zeros": _with_a_step_of_zeros(seed + 4),
        },
        lambda *inputs: result(loop(*inputs)),
        {
            "The loop runs from the last step to the first.": [
                lambda *i: result(from_last_to_first(*i)),
                lambda *i: result(from_last_to_first(*i)[:, ::-1], from_last_to_first(*i)[:, -1]),
                lambda *i: result(from_last_to_first(*i)[:, ::-1]),
            ],
            "Only the last state is there; states should hold the state after each step.": [
                lambda *i: result(loop(*i)[:, -1]),
                lambda *i: result(loop(*i)[:, -1], loop(*i)[:, -1]),
                lambda *i: result(loop(*i)[:, -1:]),
            ],
            "The loop begins with zeros; it should begin with the state first.": (
                lambda inputs, first, *w: result(loop(inputs, 0 * first, *w))
            ),
            "The new state is not passed on: each step begins with the first state "
            "again.": lambda inputs, first, *w: result(
                np.stack([elman(x, first, *w) for x in inputs.swapaxes(0, 1)], axis=1)
            ),
            "The new state is not passed on: each step begins with zeros.": (
                lambda inputs, first, *w: result(
                    np.stack([elman(x, 0 * first, *w) for x in inputs.swapaxes(0, 1)], axis=1)
                )
            ),
            "The last state is the one after the first step; it should be the one after the last "
            "step.": lambda *i: result(loop(*i), loop(*i)[:, 0]),
            "The last state is the one before the last step.": lambda inputs, first, *w: result(
                loop(inputs, first, *w), _before(loop(inputs, first, *w), first)[:, -1]
            ),
            "The last state keeps an axis for the time, of length 1; it should be the state of one "
            "step.": lambda *i: result(loop(*i), loop(*i)[:, -1:]),
            "One more step is made for the last state; it is the one after the last "
            "step.": lambda inputs, first, *w: result(
                loop(inputs, first, *w), elman(inputs[:, -1], loop(inputs, first, *w)[:, -1], *w)
            ),
            "Where the input is zeros, no step is made; step must be called for it too.": (
                lambda inputs, first, *w: result(
                    run(lambda x, h: elman(x, h, *w), inputs, first, inputs.any(axis=-1))
                )
            ),
            "The last state is the state before the first step.": lambda inputs, first, *w: result(
                loop(inputs, first, *w), first
            ),
            "These are the states before each step; they should be the states after it.": [
                lambda inputs, first, *w: result(
                    _before(loop(inputs, first, *w), first), loop(inputs, first, *w)[:, -1]
                ),
                lambda inputs, first, *w: result(_before(loop(inputs, first, *w), first)),
            ],
            "The state before the first step stands in front; there should be one state for "
            "each step.": lambda inputs, first, *w: result(
                np.concatenate([first[:, None], loop(inputs, first, *w)], axis=1)
            ),
            "The first axis is time; the batch should come first.": lambda *i: result(
                loop(*i).swapaxes(0, 1), loop(*i)[:, -1]
            ),
            "The loop leaves out the last step.": lambda inputs, first, *w: result(
                loop(inputs[:, :-1], first, *w)
            ),
        },
    )


def _expect_no_sentence(x: Array, inputs: Array) -> None:
    """Ask that a loop over the steps does not run over the sentences."""
    batch, time, features = inputs.shape
    if x.shape == (time, features) and time != batch:
        raise AssertionError(
            f"unroll(step, inputs, first): step gets an x of the shape {x.shape}, which is all of "
            "one sentence: the loop runs over the batch. It should run over the time, axis 1. "
            f"Expected: shape {(batch, features)}"
        )


def _before(states: Array, first: Array) -> Array:
    return np.concatenate([first[:, None], states[:, :-1]], axis=1)


def _sequence_inputs(
    batch: int, time: int, features: int, units: int, seed: int
) -> tuple[Array, ...]:
    first = np.tanh(random_numbers(seed + 60, batch, units)).astype("float32").astype("float64")
    return random_numbers(seed + 61, batch, time, features), first, *_weights(features, units, seed)


def _with_a_step_of_zeros(seed: int) -> tuple[Array, ...]:
    """An input of zeros, which is as good as any other."""
    inputs, *more = _sequence_inputs(2, 4, 3, 4, seed)
    inputs[:, 1] = 0.0
    return inputs, *more


@check
def masked_recurrence(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, mask, first, W, U, b)`, section s1: the loop, with padding.

    Args:
        answer: As for `recurrence`, with a mask `(batch, time)`, True for a
            real position. States at real positions are compared, and the last
            state of each sentence: the one after its last real step.
        seed: For the random inputs.

    Raises:
        AssertionError: The states are not right.
    """

    def inputs(batch: int, time: int, features: int, units: int, seed: int) -> tuple[Array, ...]:
        sequence, *others = _sequence_inputs(batch, time, features, units, seed)
        return sequence, random_mask(batch, time, seed), *others

    def loop(inputs: Array, mask: Array | None, first: Array, *w: Array) -> Array:
        return run(lambda x, h: elman(x, h, *w), inputs, first, mask)

    def result(states: Array, last: Array) -> dict[str, Array]:
        return {"states": states, "last state": last}

    seed += seed % 2  # an even one has padding
    expect_answers(
        "masked_recurrence(inputs, mask, first, W, U, b)",
        answer,
        {
            "": inputs(4, 6, 3, 4, seed),
            "a batch of one": inputs(1, 3, 4, 2, seed + 2),
            "a sentence of one step": inputs(2, 1, 3, 4, seed + 3),
        },
        lambda *i: result(loop(*i), loop(*i)[:, -1]),
        {
            "Padding changes the state: the mask is left out. A padded step should keep the "
            "state as it is.": lambda x, mask, *w: result(
                loop(x, None, *w), loop(x, None, *w)[:, -1]
            ),
            "The input is set to 0 on padding, but the step is made all the same. A padded step "
            "should keep the state as it is.": lambda x, mask, *w: result(
                loop(x * mask[..., None], None, *w), loop(x * mask[..., None], None, *w)[:, -1]
            ),
            "A padded step sets the state to 0; it should keep it.": lambda x, mask, *w: result(
                loop(x, None, *w), loop(x, None, *w)[:, -1] * mask[:, -1:]
            ),
            "A padded step goes back to the first state; it should keep the state.": (
                lambda x, mask, first, *w: result(
                    loop(x, None, first, *w),
                    np.where(mask[:, -1:], loop(x, None, first, *w)[:, -1], first),
                )
            ),
            "The mask is inverted: True means a real position.": lambda x, mask, *w: result(
                loop(x, ~mask, *w), loop(x, ~mask, *w)[:, -1]
            ),
        },
        real=lambda x, mask, *w: mask,
    )
