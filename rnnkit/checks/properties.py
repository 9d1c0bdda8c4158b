"""Properties of any unit: what an output may depend on, and rows that are distributions."""

from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array, expect_close
from rnnkit.checks.inputs import Function, copy, random_mask, random_numbers


@check
def rows_sum_to_one(rows: Any, mask: Any = None, what: str = "the weights") -> None:
    """Check that each row is a distribution over its real positions, section s25.

    Args:
        rows: `(..., positions)`.
        mask: True for a real position, of the shape of `rows` or one that fits it.
        what: How a message calls the rows.

    Raises:
        AssertionError: A row has a negative number, or another sum, or padding has a share.
    """
    rows = as_array(what, rows).astype("float64")
    if rows.ndim == 0:
        raise AssertionError(f"{what} should have rows. Received: one number")
    mask = np.ones(rows.shape, bool) if mask is None else np.broadcast_to(mask, rows.shape)
    ones = mask.any(axis=-1).astype("float64")  # 0 for a row of padding alone
    if not np.isfinite(rows).all():
        raise AssertionError(
            f"{what}: there is NaN or infinity. Was exp() taken of a large number?"
        )
    if (rows < 0).any():
        raise AssertionError(
            f"{what}: there is a negative number, {rows.min():.4g}. Are these scores, before the "
            "softmax? Or logarithms?"
        )
    if (rows[~mask] > 0).any():
        raise AssertionError(
            f"{what}: padding has a share, up to {rows[~mask].max():.2g}. Expected: 0."
        )
    over_others = rows.ndim > 1 and np.allclose(rows.sum(axis=-2), 1, atol=1e-4)
    expect_close(
        f"{what}: the sums of the rows",
        rows.sum(axis=-1),
        ones,
        {"The columns sum to 1: the softmax runs over the wrong axis.": rows.sum(axis=-1)}
        if over_others
        else {},
    )


@check
def prefix_only(answer: Function, features: int = 3, time: int = 6, seed: int = 0) -> None:
    """Check that each output depends on its whole prefix and on nothing later, section s1.

    Args:
        answer: The student's function of inputs `(batch, time, features)`; it
            returns one vector for each step, `(batch, time, units)`.
        features: The size of an input.
        time: Steps, at least 2.
        seed: For the random inputs.

    Raises:
        AssertionError: An output depends on a later input, or not on an earlier one.
    """
    depends = _dependences(answer, random_numbers(seed, 2, time, features), seed)
    _expect_nothing_later(depends)
    for step in range(time):
        missing = [place for place in range(step + 1) if not depends[place, step]]
        if not missing:
            continue
        place = missing[-1]
        if place == step:
            hint = "The input of a step must go into the output of that step."
        elif not any(depends[earlier, later] for earlier, later in _pairs(time)):
            hint = "Each output depends on its own input alone: the state is not passed on."
        else:
            hint = (
                f"The output depends on the steps after {place} only: the state must carry the "
                "whole prefix."
            )
        raise AssertionError(
            f"The output of step {step} does not change when the input of step {place} changes "
            f"(steps counted from 0). {hint}"
        )


def _pairs(time: int) -> list[tuple[int, int]]:
    return [(place, step) for step in range(time) for place in range(step)]


@check
def nothing_later_leaks(answer: Function, inputs: Any, symbols: int | None = None) -> None:
    """Check that no output depends on a later input, sections s1 and s8.

    Args:
        answer: A function or model of the inputs; it returns an array
            `(batch, time, …)`.
        inputs: Ids `(batch, time)`, or vectors `(batch, time, features)`.
        symbols: For ids: how many symbols there are. By default one more than
            the largest of the inputs.

    Raises:
        AssertionError: An output depends on a later input.
    """
    inputs = _of_two_steps("nothing_later_leaks", inputs)
    _expect_nothing_later(_dependences(answer, inputs, seed=0, symbols=symbols))


@check
def sees_both_sides(answer: Function, inputs: Any, symbols: int | None = None) -> None:
    """Check that outputs depend on what stands before them and on what stands after, section s16.

    In a trained net, the part of a far input can become too small for float32,
    so not each output is asked about each input.

    Args:
        answer: A function or model of the inputs; it returns an array
            `(batch, time, …)`.
        inputs: Ids `(batch, time)`, or vectors `(batch, time, features)`,
            without padding.
        symbols: For ids: how many symbols there are. By default one more than
            the largest of the inputs.

    Raises:
        AssertionError: No output depends on an earlier input, or none on a later one.
    """
    inputs = _of_two_steps("sees_both_sides", inputs)
    depends = _dependences(answer, inputs, seed=0, symbols=symbols)
    for side, here, way in (
        ("after", np.tril(depends, k=-1), "forward"),
        ("before", np.triu(depends, k=1), "backward"),
    ):
        if not here.any():
            other = depends.sum() > np.trace(depends)
            hint = f"the model reads {way} only" if other else "the state is not passed on"
            raise AssertionError(f"No output changes when an input {side} it changes: {hint}.")


def _of_two_steps(name: str, inputs: Any) -> np.ndarray:
    inputs = np.asarray(inputs)
    if inputs.ndim < 2 or inputs.shape[1] < 2:
        raise ValueError(
            f"{name} expects inputs of two steps or more, (batch, time, …). "
            f"Received: shape {inputs.shape}"
        )
    return inputs


def _expect_nothing_later(depends: np.ndarray) -> None:
    for place, step in np.argwhere(np.tril(depends, k=-1)):
        everywhere = depends[-1].all()
        hint = (
            "Does the loop run backwards, or does the model read in both directions?"
            if everywhere
            else "Is there a step that looks one or more places ahead?"
        )
        raise AssertionError(
            f"The output of step {step} changes when the input of step {place} changes (steps "
            f"counted from 0): it sees what comes later. {hint}"
        )


def _dependences(
    answer: Function, inputs: np.ndarray, seed: int, symbols: int | None = None
) -> np.ndarray:
    """`depends[place, step]`: whether the output of a step moves with the input of a place."""
    before = as_array("the outputs", answer(copy(inputs)))
    batch, time = inputs.shape[:2]
    if before.ndim < 2 or before.shape[:2] != (batch, time):
        raise AssertionError(
            f"There should be one output for each step, {(batch, time)} and then its size. "
            f"Received: shape {before.shape}"
        )
    again = as_array("the outputs", answer(copy(inputs)))
    if not np.array_equal(before, again, equal_nan=True):
        raise AssertionError(
            "The outputs differ when the same inputs are given twice. Is dropout on, or is a "
            "state kept from the call before?"
        )
    depends = np.zeros((time, time), bool)
    for place in range(time):
        changed = inputs.copy()
        if np.issubdtype(inputs.dtype, np.integer):
            symbols = symbols or int(inputs.max()) + 1
            changed[:, place] = (inputs[:, place] + 1) % max(symbols, 2)
        else:
            changed[:, place] = random_numbers(seed + 1 + place, *inputs[:, place].shape)
        after = as_array("the outputs", answer(copy(changed)))
        axes = (0, *range(2, before.ndim))
        depends[place] = (after != before).any(axis=axes)
    return depends


@check
def padding_changes_nothing(
    answer: Function,
    features: int = 3,
    batch: int = 4,
    time: int = 6,
    tolerance: float = 1e-5,
    seed: int = 0,
) -> None:
    """Check that what stands on padding, and how much there is, changes nothing, section s15.

    Args:
        answer: The student's function of inputs `(batch, time, features)` and
            a mask `(batch, time)`, True for a real position. It returns the
            outputs `(batch, time, units)`, or a list of them, one for each layer.
        features: The size of an input.
        batch: Sentences side by side.
        time: The length of the longest.
        tolerance: The largest difference allowed at a real position.
        seed: For the random inputs.

    Raises:
        AssertionError: A real position changes; the message names the layer.
    """
    inputs, mask = random_numbers(seed, batch, time, features), random_mask(batch, time, seed)
    other = np.where(mask[..., None], inputs, 10 * random_numbers(seed + 1, *inputs.shape))
    more = np.concatenate([inputs, random_numbers(seed + 2, batch, 3, features)], axis=1)
    more_mask = np.concatenate([mask, np.zeros((batch, 3), bool)], axis=1)
    changes = {
        "other numbers stand on the padding": (other, mask),
        "three more positions of padding follow": (more, more_mask),
    }
    longest = mask.sum(axis=1)
    before = _layers_of(answer(copy(inputs), mask.copy()))
    for what, (changed, its_mask) in changes.items():
        after = _layers_of(answer(copy(changed), its_mask.copy()))
        _expect_same_real(before, after, mask, what, tolerance)
    for row in range(batch):  # each sentence alone, without padding
        rows, length = slice(row, row + 1), int(longest[row])
        alone = _layers_of(answer(copy(inputs[rows, :length]), mask[rows, :length].copy()))
        rows_before = [layer[rows, :length] for layer in before]
        what = "a sentence stands alone, without padding"
        _expect_same_real(rows_before, alone, mask[rows, :length], what, tolerance)


def _layers_of(result: Any) -> list[np.ndarray]:
    layers = result if isinstance(result, list | tuple) else [result]
    if not len(layers):
        raise AssertionError(
            "The outputs of no layer came back. Was the list of the weights changed in an earlier "
            "call, for example by pop()? Leave it as it is."
        )
    arrays = [as_array("the outputs", layer) for layer in layers]
    for array in arrays:
        if array.ndim != 3:
            raise AssertionError(
                "The outputs should have the shape (batch, time, units). "
                f"Received: shape {array.shape}"
            )
    return arrays


def _expect_same_real(
    before: list[np.ndarray],
    after: list[np.ndarray],
    mask: np.ndarray,
    what: str,
    tolerance: float,
) -> None:
    for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
        new = new[:, : mask.shape[1]]
        difference = np.where(mask[..., None], np.abs(new - old), 0.0)
        if difference.max() <= tolerance:
            continue
        layer = f"in layer {number}, " if len(before) > 1 else ""
        row, step, _ = np.unravel_index(difference.argmax(), difference.shape)
        last = int(mask[row].sum()) - 1
        hint = (
            "The backward direction must begin at the last real position."
            if difference[row, last].max() > tolerance
            else "Does something run over the whole row, padding included?"
        )
        raise AssertionError(
            f"When {what}, real positions change: {layer}sentence {row}, step {step} (counted "
            f"from 0), by {difference.max():.2g}. Expected: no change. {hint}"
        )
