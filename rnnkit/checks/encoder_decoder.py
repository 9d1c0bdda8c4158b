"""Checks for unit 05: the context, as the decoder's first state, and as an input of each step."""

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers
from rnnkit.checks.recurrence import elman, run

Array = np.ndarray


@check
def encoder_context(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, mask, W, U, b)`, section s20: the state after the last real symbol.

    Args:
        answer: The student's function of the vectors of the source symbols,
            `(batch, time, features)`, the mask `(batch, time)`, True for a real
            symbol, and the weights of an Elman encoder. It begins with zeros
            and returns the context, `(batch, units)`.
        seed: For the random inputs.

    Raises:
        AssertionError: The context is not right.
    """

    def states(inputs: Array, *w: Array) -> Array:
        zeros = np.zeros((len(inputs), w[1].shape[0]))
        return run(lambda x, h: elman(x, h, *w), inputs, zeros)

    def pick(states: Array, places: Array) -> Array:
        return states[np.arange(len(states)), places]

    def context(inputs: Array, mask: Array, *w: Array) -> Array:
        return pick(states(inputs, *w), mask.sum(axis=1) - 1)

    def in_order(sign: int, times: int) -> Function:
        """The contexts, taken once or twice in the order of their lengths."""

        def way(inputs: Array, mask: Array, *w: Array) -> Array:
            result = context(inputs, mask, *w)
            order = np.argsort(sign * mask.sum(axis=1), kind="stable")
            return result[order] if times == 1 else result[order][order]

        return way

    def zeroed(inputs: Array, mask: Array, *w: Array) -> Array:
        state = np.zeros((len(inputs), w[1].shape[0]))
        for step in range(inputs.shape[1]):
            state = elman(inputs[:, step], state, *w) * mask[:, [step]]
        return state

    def backwards(inputs: Array, mask: Array, *w: Array) -> Array:
        state = np.zeros((len(inputs), w[1].shape[0]))
        for step in reversed(range(inputs.shape[1])):
            state = np.where(mask[:, [step]], elman(inputs[:, step], state, *w), state)
        return state

    def mean(inputs: Array, mask: Array, *w: Array) -> Array:
        real = mask[..., None]
        return (states(inputs, *w) * real).sum(axis=1) / real.sum(axis=1)

    expect_answers(
        "encoder_context(inputs, mask, W, U, b)",
        answer,
        {
            "": _encoder(4, 6, 4, 4, seed, [3, 5, 2, 4]),
            "other sizes": _encoder(3, 5, 2, 3, seed + 10, [5, 2, 4]),
            "a batch of one": _encoder(1, 4, 3, 2, seed + 20, [3]),
            "one symbol": _encoder(2, 1, 3, 2, seed + 30, [1, 1]),
            "real symbols whose vectors are zeros": _with_zeros(
                _encoder(3, 5, 2, 3, seed + 40, [5, 3, 4])
            ),
        },
        context,
        {
            "The state in the last column is taken, so that padding has a part in it; take the "
            "state after the last real symbol.": lambda x, mask, *w: states(x, *w)[:, -1],
            "Padding sets the state to 0; it should leave the state as it is.": zeroed,
            "Padding is taken as a vector of zeros, but such a step moves the state too; it should "
            "leave the state as it is.": lambda x, mask, *w: states(x * mask[..., None], *w)[:, -1],
            "It is one symbol too early: the state after n symbols is the context.": (
                lambda x, mask, *w: pick(
                    np.concatenate([0 * states(x, *w)[:, :1], states(x, *w)], axis=1),
                    mask.sum(axis=1) - 1,
                )
            ),
            "The length of the first sentence is taken for all; each has its own.": (
                lambda x, mask, *w: states(x, *w)[:, mask[0].sum() - 1]
            ),
            "This is the mean of the states; the context is the last real one.": mean,
            "The source is read from right to left; read it from left to right.": [
                backwards,
                lambda x, mask, *w: states(x[:, ::-1], *w)[:, -1],
            ],
            "Each step begins with zeros: the new state is not passed on.": (
                lambda x, mask, W, U, b: context(x, mask, W, 0 * U, b)
            ),
            "The states of all steps are there; give the last real one alone.": (
                lambda x, mask, *w: states(x, *w)
            ),
            "A real symbol whose vector is zeros is taken for padding; the mask alone says what is "
            "real.": [
                lambda x, mask, *w: _kept_on_padding(x, mask & x.any(axis=-1), *w),
                lambda x, mask, *w: pick(states(x, *w), (mask & x.any(axis=-1)).sum(axis=1) - 1),
                lambda x, mask, *w: _kept_on_padding(x, x.any(axis=-1), *w),
            ],
            "The contexts stand in the order of another sorting; where rows were sorted by their "
            "lengths, bring them back: result[order] = sorted_rows.": [
                in_order(sign, times) for sign in (1, -1) for times in (1, 2)
            ],
            "The bias b is left out.": lambda x, mask, W, U, b: context(x, mask, W, U, 0 * b),
            "The mask is taken the wrong way round: True stands for a real symbol.": (
                lambda x, mask, *w: _kept_on_padding(x, ~mask, *w)
            ),
        },
    )


def _kept_on_padding(inputs: Array, mask: Array, *w: Array) -> Array:
    """The last state, where a step that the mask leaves out keeps the state before it."""
    state = np.zeros((len(inputs), w[1].shape[0]))
    for step in range(inputs.shape[1]):
        state = np.where(mask[:, [step]], elman(inputs[:, step], state, *w), state)
    return state


@check
def context_as_state(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, context, W, U, b)`, section s20: the decoder begins with the context.

    Args:
        answer: The student's function of the vectors that the decoder sees,
            `(batch, time, features)`, the context `(batch, units)` and the
            weights of an Elman decoder; it returns its states, `(batch, time,
            units)`.
        seed: For the random inputs.

    Raises:
        AssertionError: The states are not right.
    """

    def states(inputs: Array, first: Array, *w: Array) -> Array:
        return run(lambda x, h: elman(x, h, *w), inputs, first)

    expect_answers(
        "decode_from_context(inputs, context, W, U, b)",
        answer,
        {
            "": _decoder(3, 5, 4, 4, seed),
            "another size of the inputs": _decoder(2, 4, 2, 3, seed + 10),
            "a batch of one": _decoder(1, 3, 2, 3, seed + 20),
            "one step": _decoder(2, 1, 3, 2, seed + 30),
            "vectors of zeros": _with_zeros(_decoder(3, 5, 2, 3, seed + 40)),
        },
        states,
        {
            "The decoder begins with zeros; its first state should be the context.": (
                lambda inputs, context, *w: states(inputs, 0 * context, *w)
            ),
            "Each step begins with the context again; after the first, it should begin with the "
            "state before.": lambda inputs, context, *w: np.stack(
                [elman(x, context, *w) for x in inputs.swapaxes(0, 1)], axis=1
            ),
            "The context is added to the state at each step; it should be the first state alone.": [
                lambda inputs, context, *w: run(
                    lambda x, h: elman(x, h + context, *w), inputs, 0 * context
                ),
                lambda inputs, context, *w: run(
                    lambda x, h: elman(x, h + context, *w), inputs, context
                ),
            ],
            "The context stands in front of the states; there should be one state for each "
            "step.": lambda inputs, context, *w: np.concatenate(
                [context[:, None], states(inputs, context, *w)], axis=1
            ),
            "These are the states before each step; they should be the states after it.": (
                lambda inputs, context, *w: np.concatenate(
                    [context[:, None], states(inputs, context, *w)[:, :-1]], axis=1
                )
            ),
            "The last state is there alone; give those of all steps.": (
                lambda *i: states(*i)[:, -1]
            ),
            "Time comes before the batch; the axes should be (batch, time, units).": (
                lambda *i: states(*i).swapaxes(0, 1)
            ),
            "The states are brought into shape with reshape, which mixes sentences and steps; "
            "exchange the axes, or use np.stack(..., axis=1).": lambda *i: _reshaped(states(*i)),
            "All sentences have the context of the first.": lambda inputs, context, *w: states(
                inputs, np.broadcast_to(context[:1], context.shape), *w
            ),
            _LEFT_OUT: lambda inputs, context, *w: _without_zeros(inputs, inputs, context, *w),
        },
    )


@check
def context_each_step(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, context, W, U, b)`, section s20: the context is an input of each step.

    Args:
        answer: The student's function of the vectors that the decoder sees,
            `(batch, time, features)`, the context `(batch, units)` and the
            weights of an Elman decoder, W `(features + units, units)`. Each step
            reads its vector and, after it, the context. The first state is
            zeros. It returns the states, `(batch, time, units)`.
        seed: For the random inputs.

    Raises:
        AssertionError: The states are not right.
    """

    def read(
        inputs: Array, contexts: Array, first: Array, *w: Array, turned: bool = False
    ) -> Array:
        parts = [contexts, inputs] if turned else [inputs, contexts]
        return run(lambda x, h: elman(x, h, *w), np.concatenate(parts, axis=-1), first)

    def each(inputs: Array, context: Array) -> Array:
        return np.repeat(context[:, None], inputs.shape[1], axis=1)

    def states(inputs: Array, context: Array, *w: Array) -> Array:
        return read(inputs, each(inputs, context), 0 * context, *w)

    def tiled(inputs: Array, context: Array) -> Array:
        batch, time = inputs.shape[:2]
        return np.tile(context, (time, 1)).reshape(batch, time, -1)

    def first_alone(inputs: Array, context: Array) -> Array:
        contexts = 0 * each(inputs, context)
        contexts[:, 0] = context
        return contexts

    expect_answers(
        "decode_with_context(inputs, context, W, U, b)",
        answer,
        {
            "": _decoder(3, 5, 4, 4, seed, wide=True),
            "another size of the inputs": _decoder(2, 4, 2, 3, seed + 10, wide=True),
            "a batch of one": _decoder(1, 3, 2, 3, seed + 20, wide=True),
            "one step": _decoder(2, 1, 3, 2, seed + 30, wide=True),
            "vectors of zeros": _with_zeros(_decoder(3, 5, 2, 3, seed + 40, wide=True)),
        },
        states,
        {
            "The context is read at the first step alone; each step should read it.": (
                lambda x, c, *w: read(x, first_alone(x, c), 0 * c, *w)
            ),
            "The context is joined in front of the vector; it should come after it.": (
                lambda x, c, *w: read(x, each(x, c), 0 * c, *w, turned=True)
            ),
            "The contexts are repeated in the wrong order, so that sentences get those of others; "
            "repeat each sentence's own, as np.repeat does.": lambda x, c, *w: read(
                x, tiled(x, c), 0 * c, *w
            ),
            "The context is left out.": lambda x, c, *w: read(x, 0 * each(x, c), 0 * c, *w),
            "The first state is the context; here it should be zeros.": lambda x, c, *w: read(
                x, each(x, c), c, *w
            ),
            "The context is the first state and no input; each step should read it.": (
                lambda x, c, *w: read(x, 0 * each(x, c), c, *w)
            ),
            "All sentences have the context of the first.": lambda x, c, *w: states(
                x, np.broadcast_to(c[:1], c.shape), *w
            ),
            _LEFT_OUT: lambda x, c, *w: _without_zeros(
                x, np.concatenate([x, each(x, c)], axis=-1), 0 * c, *w
            ),
            "Each step begins with zeros: the new state is not passed on.": lambda x, c, *w: (
                np.concatenate([states(x[:, [t]], c, *w) for t in range(x.shape[1])], axis=1)
            ),
            "The last state is there alone; give those of all steps.": (
                lambda *i: states(*i)[:, -1]
            ),
            "Time comes before the batch; the axes should be (batch, time, units).": (
                lambda *i: states(*i).swapaxes(0, 1)
            ),
            "The states are brought into shape with reshape, which mixes sentences and steps; "
            "exchange the axes, or use np.stack(..., axis=1).": lambda *i: _reshaped(states(*i)),
        },
    )


_LEFT_OUT = "Where the vector is zeros, no step is made; each vector makes a step."


def _with_zeros(inputs: tuple[Array, ...]) -> tuple[Array, ...]:
    """The same with vectors of zeros, in the middle of the first sentence and last in a later."""
    vectors, *more = inputs
    vectors[0, 1] = vectors[1, 2] = 0
    return vectors, *more


def _without_zeros(vectors: Array, read: Array, first: Array, *w: Array) -> Array:
    """The states of a loop that keeps the state where the vector is zeros."""
    return run(lambda x, h: elman(x, h, *w), read, first, np.any(vectors != 0, axis=-1))


def _reshaped(states: Array) -> Array:
    """States that were made with the time first, in the right shape but not in the right places."""
    return states.swapaxes(0, 1).reshape(states.shape)


def _decoder(
    batch: int, time: int, features: int, units: int, seed: int, wide: bool = False
) -> tuple[Array, ...]:
    return (
        random_numbers(seed, batch, time, features),
        0.7 * random_numbers(seed + 1, batch, units),
        random_numbers(seed + 2, features + units if wide else features, units),
        0.7 * random_numbers(seed + 3, units, units),
        random_numbers(seed + 4, units),
    )


def _encoder(
    batch: int, time: int, features: int, units: int, seed: int, lengths: list[int]
) -> tuple[Array, ...]:
    """Inputs, a mask with sentences of these lengths, and weights."""
    inputs, _, *weights = _decoder(batch, time, features, units, seed)
    return inputs, np.arange(time) < np.array(lengths)[:, None], *weights
