"""Checks for unit 04: both directions, several layers, and the states at the two ends."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_mask, random_numbers
from rnnkit.checks.recurrence import elman, run

Array = np.ndarray
Weights = dict[str, Array]


@check
def reversed_sequences(
    answer: Function, batch: int = 4, time: int = 6, features: int = 3, seed: int = 0
) -> None:
    """Check `answer(inputs, mask)`, section s14: real positions turned round.

    Args:
        answer: The student's function of inputs `(batch, time, features)` and a
            mask `(batch, time)`, True for a real position. It returns an array
            of the same shape: in each row the real positions stand in the
            reverse order, and padding stays at the end. Real positions are
            compared.
        batch: Sentences side by side.
        time: The length of the longest row.
        features: The size of an input.
        seed: For the random inputs.

    Raises:
        AssertionError: The order is not right.
    """

    def inputs(batch: int, time: int, seed: int) -> tuple[Array, Array]:
        mask = random_mask(batch, time, seed)
        mask[0, : min(2, time)] = True  # a row of one position looks alike from both ends
        return random_numbers(seed, batch, time, features), mask

    def at(source: Callable[[Array, Array], Array]) -> Function:
        """Take at each position what stands at another one of the row."""

        def turned(inputs: Array, mask: Array) -> Array:
            time = mask.shape[1]
            places = source(np.arange(time), mask.sum(axis=1)[:, None])
            places = np.broadcast_to(np.clip(places, 0, time - 1), mask.shape)
            return np.take_along_axis(inputs, places[..., None], axis=1)

        return turned

    seed += seed % 2  # an even seed has padding
    right = at(lambda t, length: np.where(t < length, length - 1 - t, t))
    expect_answers(
        "reverse_real(inputs, mask)",
        answer,
        {
            "": inputs(batch, time, seed),
            "a batch of one": inputs(1, 4, seed + 2),
            "no padding": (random_numbers(seed + 4, 2, 3, features), np.ones((2, 3), bool)),
            "one position": inputs(2, 1, seed + 6),
        },
        right,
        {
            "The whole row is turned round, so that padding comes first: turn only the real "
            "positions.": lambda inputs, mask: inputs[:, ::-1],
            "Nothing is turned round.": lambda inputs, mask: inputs,
            "The sentences of the batch are turned round; the positions of each sentence "
            "should be.": lambda inputs, mask: inputs[::-1],
            "The features of each position are turned round too: turn the positions alone (np.flip "
            "needs axis=0).": lambda inputs, mask: right(inputs, mask)[..., ::-1],
            "The features are turned round; the positions should be.": lambda inputs, mask: inputs[
                ..., ::-1
            ],
            "Off by one: the first position gets the padding after the last real one. The last "
            "real position has the index length - 1.": at(lambda t, length: length - t),
            "The second half repeats the first: what is read there was written over before. Write "
            "into a copy.": at(lambda t, length: np.where(2 * t < length, length - 1 - t, t)),
            "The rows are turned round at the length of the longest sentence; each has a length "
            "of its own.": at(lambda t, length: length.max() - 1 - t),
        },
        real=lambda inputs, mask: mask,
    )


@check
def bidirectional_outputs(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, mask, forward, backward)`, section s14.

    Args:
        answer: The student's function of inputs `(batch, time, features)`, a
            mask `(batch, time)`, True for a real position, and the weights of
            two Elman networks, dicts with W, U and b. It returns outputs
            `(batch, time, 2 units)`: at each position the forward state, then
            the backward one. Real positions are compared.
        seed: For the random inputs.

    Raises:
        AssertionError: The outputs are not right.
    """

    def join(first: Array, second: Array) -> Array:
        return np.concatenate([first, second], axis=-1)

    def longest(mask: Array) -> Array:
        """As if all sentences were as long as the longest."""
        return np.broadcast_to(mask.any(axis=0), mask.shape)

    seed += seed % 2  # an even seed has padding
    expect_answers(
        "bidirectional(inputs, mask, forward, backward)",
        answer,
        {
            "": _inputs(3, 5, 4, 4, seed),
            "another size of the inputs": _inputs(2, 4, 5, 3, seed + 6),
            "a batch of one": _inputs(1, 4, 2, 3, seed + 2),
            "one position": _inputs(2, 1, 3, 4, seed + 4),
            "no padding": _inputs(1, 3, 3, 2, seed + 5),
        },
        _both,
        {
            "The backward direction begins on the padding: it must begin at the last real "
            "position of each sentence.": [
                lambda x, m, f, b: join(_forward(x, m, f), _backward(x, m, b, over_padding=True)),
                lambda x, m, f, b: join(_forward(x, m, f), _backward(x, longest(m), b)),
            ],
            "The states of the backward direction are turned back as whole rows, so that those of "
            "the padding come first: turn back the real positions alone, as the inputs.": (
                lambda x, m, f, b: join(
                    _forward(x, m, f),
                    _forward(np.where(m[..., None], _turn(x, m), x), None, b)[:, ::-1],
                )
            ),
            "The backward outputs are not turned back: at each position they belong to another "
            "one.": [
                lambda x, m, f, b: join(_forward(x, m, f), _turn(_backward(x, m, b), m)),
                lambda x, m, f, b: join(
                    _forward(x, m, f), _backward(x, m, b, over_padding=True)[:, ::-1]
                ),
                lambda x, m, f, b: join(_forward(x, m, f), _backward(x, m, b)[:, ::-1]),
            ],
            "The whole row is turned round, padding included: turn only the real positions, or "
            "let padding keep the state.": lambda x, m, f, b: join(
                _forward(x, m, f), _turn(_forward(x[:, ::-1], m, b), m)
            ),
            "The inputs are turned round for the backward direction, the mask is not; it must be "
            "turned too.": lambda x, m, f, b: join(
                _forward(x, m, f), _forward(x[:, ::-1], m, b)[:, ::-1]
            ),
            "The two directions are added up; they should stand side by side.": (
                lambda x, m, f, b: _forward(x, m, f) + _backward(x, m, b)
            ),
            "This is the mean of the two directions; they should stand side by side.": (
                lambda x, m, f, b: (_forward(x, m, f) + _backward(x, m, b)) / 2
            ),
            "The backward state stands first; the forward one should.": lambda x, m, f, b: join(
                _backward(x, m, b), _forward(x, m, f)
            ),
            "Both directions read forward.": lambda x, m, f, b: join(
                _forward(x, m, f), _forward(x, m, b)
            ),
            "Both directions have the forward weights.": lambda x, m, f, b: join(
                _forward(x, m, f), _backward(x, m, f)
            ),
            "The backward direction reads the forward outputs; it should read the inputs.": (
                lambda x, m, f, b: join(_forward(x, m, f), _backward(_forward(x, m, f), m, b))
            ),
            "The inputs are set to 0 on padding, but the backward direction makes its steps there, "
            "and the bias moves the state: padding should keep the state.": (
                lambda x, m, f, b: join(
                    _forward(x, m, f), _backward(x * m[..., None], m, b, over_padding=True)
                )
            ),
            "The backward direction begins with the last state of the forward one; it should "
            "begin with zeros.": lambda x, m, f, b: join(
                _forward(x, m, f), _backward(x, m, b, first=_forward(x, m, f)[:, -1])
            ),
            "The two directions stand one after the other along time; join them along the last "
            "axis.": lambda x, m, f, b: np.concatenate(
                [_forward(x, m, f), _backward(x, m, b)], axis=1
            ),
        },
        real=lambda inputs, mask, *others: mask,
    )


def _forward(inputs: Array, mask: Array | None, w: Weights, first: Array | None = None) -> Array:
    if first is None:
        first = np.zeros((len(inputs), len(w["b"])))
    return run(lambda x, h: elman(x, h, w["W"], w["U"], w["b"]), inputs, first, mask)


def _backward(
    inputs: Array,
    mask: Array,
    w: Weights,
    over_padding: bool = False,
    first: Array | None = None,
) -> Array:
    seen = None if over_padding else mask[:, ::-1]
    return _forward(inputs[:, ::-1], seen, w, first)[:, ::-1]


def _both(inputs: Array, mask: Array, forward: Weights, backward: Weights) -> Array:
    return np.concatenate(
        [_forward(inputs, mask, forward), _backward(inputs, mask, backward)], axis=-1
    )


def _turn(array: Array, mask: Array) -> Array:
    """Each row's real positions in the reverse order."""
    turned = np.zeros_like(array)
    for row, length in enumerate(mask.sum(axis=1)):
        turned[row, :length] = array[row, :length][::-1]
    return turned


def _weights(features: int, units: int, seed: int) -> Weights:
    return {
        "W": random_numbers(seed, features, units),
        "U": 0.7 * random_numbers(seed + 1, units, units),
        "b": random_numbers(seed + 2, units),
    }


def _inputs(batch: int, time: int, features: int, units: int, seed: int) -> tuple[Any, ...]:
    inputs, mask = random_numbers(seed, batch, time, features), random_mask(batch, time, seed)
    weights = (_weights(features, units, seed + 20), _weights(features, units, seed + 30))
    return inputs, mask, *weights


@check
def stacked(answer: Function, seed: int = 0, given: tuple[str, ...] = ()) -> None:
    """Check `answer(inputs, mask, weights)`, section s15.

    Args:
        answer: The student's function of inputs `(batch, time, features)`, a
            mask, and a list with a dict for each layer: "forward" and
            "backward", each a dict with W, U and b. It returns the list of the
            layers' outputs, `(batch, time, 2 units)` each. Real positions are
            compared.
        seed: For the random inputs.
        given: Functions of this kit that the exercise gives to the student.

    Raises:
        AssertionError: The outputs of a layer are not right.
    """

    def stack(
        *, reads: str = "layer below", over_padding: bool = False, layers_turned: bool = False
    ) -> Function:
        def outputs(inputs: Array, mask: Array, layers: list[dict[str, Weights]]) -> list[Array]:
            below, results = inputs, []
            for layer in layers[::-1] if layers_turned else layers:
                forward = _forward(below, mask, layer["forward"])
                backward = _backward(below, mask, layer["backward"], over_padding)
                results.append(np.concatenate([forward, backward], axis=-1))
                below = {
                    "layer below": results[-1],
                    "inputs": inputs,
                    "turned": np.concatenate([backward, forward], axis=-1),
                    "forward twice": np.concatenate([forward, forward], axis=-1),
                    "sum": results[-1] + below if below.shape == results[-1].shape else below,
                }[reads]
            return results

        return outputs

    def without_mask(first: int) -> Function:
        """From this layer on, both directions run over the padding; below they give 0 there."""

        def outputs(inputs: Array, mask: Array, layers: list[dict[str, Weights]]) -> list[Array]:
            results = [inputs]
            for number, layer in enumerate(layers):
                seen = mask if number < first else np.ones_like(mask)
                both = _both(results[-1], seen, layer["forward"], layer["backward"])
                results.append(both * seen[..., None])
            return results[1:]

        return outputs

    def inputs(batch: int, time: int, units: int, layers: int, seed: int) -> tuple[Any, ...]:
        features = 2 * units  # so that a layer can read the inputs by mistake
        weights = [
            {
                "forward": _weights(features, units, seed + 40 * number),
                "backward": _weights(features, units, seed + 40 * number + 20),
            }
            for number in range(layers)
        ]
        mask = random_mask(batch, time, seed)
        return random_numbers(seed, batch, time, features), mask, weights

    def adding_below(inputs: Array, mask: Array, layers: list[dict[str, Weights]]) -> list[Array]:
        """From the second layer on, what a layer reads is added to what it gives."""
        results: list[Array] = []
        for layer in layers:
            both = _both(results[-1] if results else inputs, mask, **layer)
            results.append(both + results[-1] if results else both)
        return results

    seed += seed % 2  # an even seed has padding
    right = stack()
    expect_answers(
        "stacked(inputs, mask, weights)",
        answer,
        {
            "": inputs(3, 5, 3, 3, seed),
            "one layer": inputs(2, 4, 2, 1, seed + 2),
            "a batch of one": inputs(1, 3, 2, 2, seed + 4),
        },
        right,
        {
            "Each layer reads the inputs; a layer should read the outputs of the one below.": stack(
                reads="inputs"
            ),
            "The next layer reads the backward state first; it should read the forward state, "
            "then the backward one.": stack(reads="turned"),
            "The next layer reads the forward state alone; it should read both directions.": stack(
                reads="forward twice"
            ),
            "The next layer reads the sum of the outputs and the inputs; it should read the "
            "outputs.": stack(reads="sum"),
            "The backward direction begins on the padding: it must begin at the last real "
            "position, in each layer.": [stack(over_padding=True), without_mask(0)],
            "The mask reaches the first layer only: above it, the backward direction begins on the "
            "padding.": without_mask(1),
            "The layers are taken from the last to the first.": stack(layers_turned=True),
            "The outputs stand from the last layer to the first.": lambda *i: right(*i)[::-1],
            "From the second layer on, the outputs of the layer below are added to those of the "
            "layer; it should give the states of its own two directions alone.": adding_below,
        },
        real=lambda inputs, mask, layers: mask,
        given=given,
    )


@check
def final_states(answer: Function, seed: int = 0) -> None:
    """Check `answer(outputs, mask)`, section s17: one vector for each sentence.

    Args:
        answer: The student's function of the outputs of a bidirectional layer,
            `(batch, time, 2 units)`, forward states first, and a mask. It
            returns `(batch, 2 units)`: where each direction has read the whole
            sentence, the forward state at the last real position and the
            backward state at the first.
        seed: For the random outputs.

    Raises:
        AssertionError: The vectors are not right.
    """

    def pick(outputs: Array, forward: Array, backward: Array) -> Array:
        first, second = np.split(outputs, 2, axis=-1)
        rows = np.arange(len(outputs))
        return np.concatenate([first[rows, forward], second[rows, backward]], axis=-1)

    def at(forward: str, backward: str) -> Function:
        def states(outputs: Array, mask: Array) -> Array:
            places = {
                "first": np.zeros(len(mask), int),
                "last": mask.sum(axis=1) - 1,
                "column": np.full(len(mask), mask.shape[1] - 1),
                "after": np.minimum(mask.sum(axis=1), mask.shape[1] - 1),
                "before": mask.sum(axis=1) - 2,
            }
            return pick(outputs, places[forward], places[backward])

        return states

    def inputs(batch: int, time: int, units: int, seed: int) -> tuple[Array, Array]:
        mask = random_mask(batch, time, seed)
        mask[0, : min(2, time)] = True  # the ends of the first sentence are two positions
        return random_numbers(seed, batch, time, 2 * units), mask

    def half_of_the_time(outputs: Array, mask: Array) -> Array:
        half, last = mask.shape[1] // 2, mask.sum(axis=1) - 1
        forward = outputs[np.arange(len(mask)), last, :half]
        return np.concatenate([forward, outputs[:, 0, half:]], axis=-1)

    seed += seed % 2  # an even seed has padding
    right = at("last", "first")
    expect_answers(
        "final_states(outputs, mask)",
        answer,
        {
            "": inputs(4, 6, 4, seed),
            "a batch of one": inputs(1, 4, 3, seed + 2),
            "one position": inputs(2, 1, 2, seed + 4),
        },
        right,
        {
            "The backward state is that of the last position, where the backward direction has "
            "read one symbol only; take it at the first position.": at("last", "last"),
            "Both are taken from the last column, which may be padding; take the forward state at "
            "the last real position and the backward state at the first.": at("column", "column"),
            "The forward state is taken from the last column, which may be padding; take it at "
            "the last real position.": at("column", "first"),
            "The forward state is that of the first position, where the forward direction has read "
            "one symbol only; take it at the last real position.": at("first", "first"),
            "The two positions are swapped: the forward direction ends at the last real position, "
            "the backward one at the first.": [at("first", "last"), at("first", "column")],
            "The forward state is taken one position after the last real one.": at(
                "after", "first"
            ),
            "The forward state is taken one position before the last real one.": at(
                "before", "first"
            ),
            "This is the mean over the positions; take the states at the two ends.": [
                lambda outputs, mask: outputs.mean(axis=1),
                lambda outputs, mask: (
                    (outputs * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
                ),
            ],
            "The border between the two states is half of the time; it is half of the last axis.": (
                half_of_the_time
            ),
            "The backward state stands first; the forward one should.": lambda *i: np.concatenate(
                np.split(right(*i), 2, axis=-1)[::-1], axis=-1
            ),
        },
    )
