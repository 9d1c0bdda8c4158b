"""Checks for unit 01: windows of a long text, and the state that goes from one to the next."""

import functools
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.backpropagation import elman_bptt, labelled_inputs
from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array
from rnnkit.checks.inputs import Function, kind_of, random_numbers
from rnnkit.checks.recurrence import elman, run

Array = np.ndarray


@check
def truncated_windows(answer: Function, seed: int = 0, integers: bool = False) -> None:
    """Check `answer(ids, batch, length)`, section s4: text for truncated BPTT.

    The text is cut into `batch` streams that are read side by side, and each
    stream into windows of `length` symbols. Window 2 of a stream goes on where
    its window 1 ended, so the state can be carried.

    Args:
        answer: The student's function of ids `(n,)` with `n - 1` a multiple of
            `batch * length`; it returns the list of windows in the order of
            reading, each a pair: inputs and targets (the next symbols), both
            `(batch, length)`.
        seed: For the random ids.
        integers: Whether the exercise says that the windows hold integers.

    Raises:
        AssertionError: The windows are not right.
    """

    def windows(stream: Array, batch: int, length: int) -> Array:
        return stream.reshape(batch, -1, length).swapaxes(0, 1)

    def both(cut: Function) -> Function:
        return lambda ids, batch, length: {
            "inputs": cut(ids[:-1], batch, length),
            "targets": cut(ids[1:], batch, length),
        }

    def with_targets(targets: Function) -> Function:
        return lambda ids, batch, length: {
            "inputs": windows(ids[:-1], batch, length),
            "targets": targets(ids, batch, length),
        }

    def all_but_last(stream: Array, batch: int, length: int) -> Array:
        left = windows(stream, batch, length)[:-1]
        if not len(left):
            raise ValueError("an empty list, which has no inputs and no targets")
        return left

    def ids(windows: int, batch: int, length: int, seed: int) -> tuple:
        generator = np.random.default_rng(seed)
        return generator.permutation(windows * batch * length + 1) + 4, batch, length

    expect_answers(
        "windows(ids, batch, length)",
        answer,
        {
            "": ids(3, 4, 5, seed),
            "a batch of one": ids(3, 1, 4, seed + 1),
            "windows of one symbol": ids(4, 3, 1, seed + 2),
            "one window": ids(1, 2, 3, seed + 3),
        },
        both(windows),
        {
            "The text goes on in the next row of the batch; it should go on in the same row of "
            "the next window, or the state that is carried belongs to another text.": both(
                lambda ids, batch, length: ids.reshape(-1, batch, length)
            ),
            "Neighbours in the text stand in neighbouring rows; each row should be one stretch of "
            "the text.": [
                both(lambda ids, batch, length: windows(ids.reshape(-1, batch).T, batch, length)),
                both(lambda ids, batch, length: ids.reshape(-1, length, batch).swapaxes(1, 2)),
            ],
            "The targets are the inputs: they should be one symbol further.": with_targets(
                lambda ids, batch, length: windows(ids[:-1], batch, length)
            ),
            "The last target of a window is its own first symbol; it should be the first symbol "
            "of the next window.": with_targets(
                lambda ids, batch, length: np.roll(windows(ids[:-1], batch, length), -1, axis=-1)
            ),
            "The last target of a stream is its own first symbol; it should be the symbol after "
            "it in the text.": with_targets(
                lambda ids, batch, length: windows(
                    np.roll(ids[:-1].reshape(batch, -1), -1, axis=1), batch, length
                )
            ),
            "The last window is missing.": both(all_but_last),
            "The targets are the inputs plus 1, as in the example; they should be the next symbols "
            "of the text.": with_targets(
                lambda ids, batch, length: windows(ids[:-1], batch, length) + 1
            ),
            "The targets are the symbols before; they should be the ones after.": with_targets(
                lambda ids, batch, length: windows(np.roll(ids, 1)[:-1], batch, length)
            ),
            "The list has an entry for each stream; it should have one for each window, with all "
            "streams.": both(lambda ids, batch, length: ids.reshape(batch, -1, length)),
        },
        read=_of_pairs_of_integers if integers else _of_pairs,
    )


def _of_pairs(windows: Any) -> Any:
    """A list of pairs as a pair of arrays."""
    if windows is None or isinstance(windows, dict):
        return windows
    try:
        inputs, targets = zip(*windows, strict=True)
    except (TypeError, ValueError):
        raise AssertionError(
            "windows(ids, batch, length) should return a list with a pair for each window: "
            f"inputs, targets. Received: {kind_of(windows)}"
        ) from None
    return list(inputs), list(targets)


def _of_pairs_of_integers(windows: Any) -> Any:
    """The same, where floats are not allowed."""
    pairs = _of_pairs(windows)
    for part in pairs or ():
        array = as_array("windows(ids, batch, length)", part)
        if not np.issubdtype(array.dtype, np.integer):
            raise AssertionError(
                "windows(ids, batch, length) should hold integers, which the model looks up. "
                f"Received: {array.dtype}. (np.zeros and np.empty make floats; give them "
                "dtype=int.)"
            )
    return pairs


@check
def carried_state(answer: Function, seed: int = 0) -> None:
    """Check `answer(windows, first, W, U, b)`, section s4: read window after window.

    Args:
        answer: The student's function of the windows `(windows, batch,
            length, features)`, the first state `(batch, units)` and the
            weights of `elman_step`. It returns the states of the whole text,
            `(batch, windows * length, units)`, the same as without windows.
        seed: For the random inputs.

    Raises:
        AssertionError: The states are not right.
    """

    def read(windows: Array, first: Array, w: tuple, carry: Function) -> Array:
        states, h = [], first
        for window in windows:
            states.append(run(lambda x, h: elman(x, h, *w), window, h))
            h = carry(states[-1], first)
        return np.concatenate(states, axis=1)

    def carrying(carry: Function) -> Function:
        return lambda windows, first, *w: read(windows, first, w, carry)

    def inputs(windows: int, batch: int, length: int, seed: int) -> tuple[Array, ...]:
        features, units = 3, 4
        return (
            random_numbers(seed, windows, batch, length, features),
            0.5 * random_numbers(seed + 1, batch, units),
            random_numbers(seed + 2, features, units),
            random_numbers(seed + 3, units, units),
            random_numbers(seed + 4, units),
        )

    right = carrying(lambda states, first: states[:, -1])
    expect_answers(
        "read_windows(windows, first, W, U, b)",
        answer,
        {
            "": inputs(3, 2, 4, seed),
            "a batch of one": inputs(2, 1, 3, seed + 10),
            "windows of one step": inputs(3, 2, 1, seed + 20),
        },
        right,
        {
            "The state is not carried: each window begins with the first state again.": carrying(
                lambda states, first: first
            ),
            "The state is not carried: each window after the first begins with zeros.": carrying(
                lambda states, first: 0 * first
            ),
            "The state is not carried: each window begins with zeros.": (
                lambda windows, first, *w: read(windows, 0 * first, w, lambda states, first: first)
            ),
            "The first state has no part in it: the first window begins with zeros.": (
                lambda windows, first, *w: right(windows, 0 * first, *w)
            ),
            "The state after the first step of a window is carried; it should be the one after "
            "its last step.": carrying(lambda states, first: states[:, 0]),
            "The mean of a window's states is carried; it should be its last state.": carrying(
                lambda states, first: states.mean(axis=1)
            ),
            "The state of one row goes on in another row of the next window.": carrying(
                lambda states, first: np.roll(states[:, -1], 1, axis=0)
            ),
            "The windows should be joined along time: (batch, windows * length, units).": [
                lambda *i: _in_windows(right(*i), i[0]).swapaxes(0, 1),
                lambda *i: _in_windows(right(*i), i[0]),
                lambda *i: np.concatenate(list(_in_windows(right(*i), i[0]).swapaxes(0, 1))),
            ],
        },
    )


def _in_windows(states: Array, windows: Array) -> Array:
    """The states as `(batch, windows, length, units)`."""
    number, batch, length, _ = windows.shape
    return states.reshape(batch, number, length, -1)


@check
def truncated_gradients(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, labels, params, length)`, section s4: truncated BPTT.

    The sequence is cut into windows of `length` steps. Each begins with the
    state that the one before it left, and no gradient goes back over a border.
    The answer may call `rnnkit.models.elman_forward` and `elman_gradients`.

    Args:
        answer: The student's function of the inputs `(batch, time, features)`,
            the labels `(batch, time)`, the weights of `bptt_parameters` and the
            length of a window, which divides the time. The first window begins
            with zeros. It returns a dict with the mean of the windows'
            gradients for each of the weights.
        seed: For the random inputs.

    Raises:
        AssertionError: A gradient is not right.
    """

    def truncated(carry: str = "last", total: str = "mean", by: int | None = None) -> Function:
        def run_windows(inputs: Array, labels: Array, p: dict, length: int) -> dict[str, Array]:
            first = zeros = np.zeros((len(inputs), len(p["b"])))
            found = []
            for start in range(0, labels.shape[1] - length + 1, by or length):
                part = slice(start, start + length)
                found.append(elman_bptt(inputs[:, part], labels[:, part], p, first))
                states = run(
                    lambda x, h: elman(x, h, p["W"], p["U"], p["b"]),
                    inputs[:, part],
                    zeros if carry == "of the window alone" else first,
                )
                first = {"none": zeros, "first": states[:, 0]}.get(carry, states[:, -1])
            together = {
                "mean": lambda g: sum(g) / len(g),
                "sum": sum,
                "last": lambda g: g[-1],
                "first": lambda g: g[0],
                "over the steps": lambda g: sum(g) / labels.shape[1],
                "over a window": lambda g: sum(g) / length,
                "mean of two": lambda g: functools.reduce(lambda mean, new: (mean + new) / 2, g),
            }[total]
            return {name: together([each[name] for each in found]) for name in p}

        return run_windows

    def whole(inputs: Array, labels: Array, p: dict, length: int) -> dict[str, Array]:
        return elman_bptt(inputs, labels, p)

    expect_answers(
        "truncated_bptt(inputs, labels, params, length)",
        answer,
        {
            "": (*labelled_inputs(3, 6, 4, 4, seed), 2),
            "another size of the inputs": (*labelled_inputs(2, 6, 2, 3, seed + 1), 3),
            "a batch of one": (*labelled_inputs(1, 8, 3, 2, seed + 2), 2),
            "windows of one step": (*labelled_inputs(2, 3, 3, 4, seed + 3), 1),
            "one window": (*labelled_inputs(2, 4, 3, 4, seed + 4), 4),
        },
        truncated(),
        {
            "The state is not carried: each window begins with zeros.": truncated(carry="none"),
            "The state after the first step of a window is carried; it should be the one after "
            "its last step.": truncated(carry="first"),
            "The windows' gradients are added up; take their mean, as the loss is a mean.": (
                truncated(total="sum")
            ),
            "The sum is divided by the number of steps; divide it by the number of windows.": [
                truncated(total="over the steps"),
                truncated(total="over a window"),
            ],
            "Only the last window counts: add up the gradients of all windows.": truncated(
                total="last"
            ),
            "Only the first window counts: add up the gradients of all windows.": truncated(
                total="first"
            ),
            "The mean of the windows so far and the next window is taken again and again, so the "
            "last windows count for more; all should count the same.": truncated(
                total="mean of two"
            ),
            "Each window begins with the last state of the window before it, but that one was run "
            "from zeros; it should begin with what was carried into it.": truncated(
                carry="of the window alone"
            ),
            "The gradient goes back over the borders: this is the gradient of the whole "
            "sequence.": whole,
            "The windows overlap: one should begin where the one before it ended.": [
                truncated(by=1),
                truncated(by=1, carry="none"),
            ],
        },
        given=("elman_forward", "elman_gradients"),
        relative=True,
    )
