"""Checks for unit 06: shifted targets, the greedy loop, accuracy by length."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array, expect_close
from rnnkit.checks.ready_made import no_ready_made
from rnnkit.decoding import greedy as reference_greedy
from rnnkit.metrics import accuracy_by_length as reference_accuracy
from rnnkit.text import Vocabulary

PAD, UNK, BOS, EOS = (
    Vocabulary.pad_id,
    Vocabulary.unk_id,
    Vocabulary.bos_id,
    Vocabulary.eos_id,
)
Function = Callable[..., Any]


@check
def shifted_targets(answer: Function, batch: int = 3, time: int = 5, seed: int = 0) -> None:
    """Check `answer(targets, mask)`, section s21.

    Args:
        answer: The student's function; it returns `previous` and `following`,
            each `(batch, time + 1)`.
        batch: Sentences side by side.
        time: The length of the longest.
        seed: For the random symbols and lengths.

    Raises:
        AssertionError: One of the two results is not right.
    """
    generator = np.random.default_rng(seed)
    lengths = generator.integers(1, time + 1, batch)
    lengths[0] = time
    mask = np.arange(time) < lengths[:, None]
    targets = np.where(mask, generator.integers(4, 20, (batch, time)), PAD).astype("int32")
    result = answer(targets.copy(), mask.copy())
    try:
        previous, following = result
    except (TypeError, ValueError):
        raise AssertionError(
            "shift_targets should return two arrays: previous, following"
        ) from None

    column = np.zeros((batch, 1), dtype="int32")
    expected_previous = np.concatenate([column + BOS, targets], axis=1)
    expected_following = np.concatenate([targets, column], axis=1)
    expected_following[np.arange(batch), lengths] = EOS
    with_end = expected_following.copy()
    without_start = np.concatenate([targets, column], axis=1)
    expect_close(
        "previous (what the decoder sees)",
        previous,
        expected_previous,
        {
            "It does not begin with the start token (BOS_ID).": without_start,
            "It begins with padding; it should begin with the start token "
            "(BOS_ID).": np.concatenate([column, targets], axis=1),
            "It begins with the end token; it should begin with the start token "
            "(BOS_ID).": np.concatenate([column + EOS, targets], axis=1),
            "It is the same as following: the decoder would see the symbol that it should "
            "predict. It must be moved one place to the right.": with_end,
            "It is moved by two places; it should be moved by one.": np.concatenate(
                [column + BOS, column + BOS, targets], axis=1
            )[:, : time + 1],
        },
    )
    at_the_right = np.concatenate([targets, column + EOS], axis=1)
    early = np.concatenate([targets, column], axis=1)
    early[np.arange(batch), lengths - 1] = EOS
    late = np.concatenate([targets[:, 1:], column, column], axis=1)
    late[np.arange(batch), lengths - 1] = EOS
    expect_close(
        "following (what the decoder should predict)",
        following,
        expected_following,
        {
            "The end token stands in the last column of every row. It should come right "
            "after the last real symbol of its row.": at_the_right,
            "There is no end token (EOS_ID), so the decoder never learns to stop.": early * 0
            + np.concatenate([targets, column], axis=1),
            "The end token replaces the last symbol; it should come after it.": early,
            "It is the same as previous: the decoder would learn to copy the symbol that it "
            "sees. It must be one place further.": expected_previous,
            "It is off by one: the first symbol is missing.": late,
        },
    )


@check
def greedy(answer: Function, batch: int = 3, steps: int = 8, seed: int = 0) -> None:
    """Check the greedy loop through `answer(tables, max_length)`, section s21.

    Args:
        answer: A function that runs the student's loop on tables of scores:
            at step i, `tables[b, i, p]` are the scores of sentence b after the
            symbol p. The exercise defines it in a locked cell.
        batch: Sentences side by side.
        steps: How many steps the tables have.
        seed: For the random tables.

    Raises:
        AssertionError: The symbols are not right, or the loop does not stop.
    """
    tables = _tables(batch, steps, seed)
    with no_ready_made("greedy_decode"):
        actual = answer(tables.copy(), steps)
    expected = _run(tables, BOS, EOS)
    slips: dict[str, np.ndarray] = {
        "The loop begins with padding; the first previous symbol should be the start token "
        "(BOS_ID).": _run(tables, PAD, EOS),
        "The loop begins with the end token; the first previous symbol should be the start "
        "token (BOS_ID).": _run(tables, EOS, EOS),
        "It never stops at the end token: symbols go on after EOS_ID. A sentence that has "
        "ended should get PAD_ID.": _run(tables, BOS, -1),
        "It stops as soon as one sentence has ended; the others must go on.": expected[
            :, : int((expected == EOS).argmax(axis=1).min()) + 1
        ],
        "A sentence that has ended goes on while others have not: after its EOS_ID it should "
        "get PAD_ID.": _run(tables, BOS, -1)[:, : expected.shape[1]],
        "The loop begins with the unknown symbol; the first previous symbol should be the start "
        "token (BOS_ID).": _run(tables, UNK, EOS),
        "The new state is not used: each step gets the first state again.": _run(
            np.repeat(tables[:, :1], steps, axis=1), BOS, EOS
        ),
        "Each step gets the start token: the symbol that was just written is not passed "
        "on.": _without_feedback(tables),
        "The lowest score is taken; it should be the highest.": _run(-tables, BOS, EOS),
    }
    with_start = np.concatenate([np.full((batch, 1), BOS), expected], axis=1)
    slips["The start token stands in the result; only what was written belongs there."] = with_start
    slips["The end token is missing in the result."] = np.where(expected == EOS, PAD, expected)
    array = as_array("the result of greedy_decode", actual)
    if array.ndim == 2 and array.shape[0] == batch and array.shape[1] > expected.shape[1]:
        rest = array[:, expected.shape[1] :]
        if (rest == PAD).all() and np.array_equal(array[:, : expected.shape[1]], expected):
            array = expected  # a loop that runs to max_length and pads is right too
    expect_close("the result of greedy_decode", array, expected, slips)


def _tables(batch: int, steps: int, seed: int) -> np.ndarray:
    """Scores under which sentences end at different steps, and no start symbol gives the same."""
    vocabulary = 9
    for attempt in range(1000):
        generator = np.random.default_rng([seed, attempt])
        tables = generator.normal(size=(batch, steps, vocabulary, vocabulary)).astype("float32")
        tables[..., [PAD, BOS]] -= 10.0  # never the best
        written = _run(tables, BOS, EOS)
        ends = (written == EOS).any(axis=1)
        lengths = {int(np.argmax(row == EOS)) for row in written}
        others = [_run(tables, start, EOS) for start in (PAD, UNK, EOS)]
        others.append(_without_feedback(tables))
        differ = all(other.shape != written.shape or (other != written).any() for other in others)
        if ends.all() and len(lengths) == min(batch, 3) and min(lengths) >= 1 and differ:
            return tables
    raise RuntimeError(f"no tables found for batch={batch}, steps={steps}, seed={seed}")


def _run(tables: np.ndarray, bos_id: int, eos_id: int) -> np.ndarray:
    batch, steps = tables.shape[:2]
    rows = np.arange(batch)

    def step(previous: np.ndarray, state: int) -> tuple[np.ndarray, int]:
        return tables[rows, state, previous], state + 1

    return reference_greedy(step, 0, batch, bos_id, eos_id, steps)


def _without_feedback(tables: np.ndarray) -> np.ndarray:
    return _run(np.repeat(tables[:, :, BOS : BOS + 1], tables.shape[2], axis=2), BOS, EOS)


@check
def accuracy_by_length(answer: Function, count: int = 40, seed: int = 0) -> None:
    """Check `answer(predictions, targets, edges)`, section s23.

    Args:
        answer: The student's function; it returns one accuracy for each band
            of lengths, where band k holds the targets of length
            `edges[k] <= length < edges[k + 1]`.
        count: How many targets.
        seed: For the random strings.

    Raises:
        AssertionError: One of the accuracies is not right.
    """
    generator = np.random.default_rng(seed)
    edges = [3, 6, 10, 15]
    lengths = np.concatenate([[3, 5, 6, 9, 10, 14], generator.integers(3, 15, count)])
    targets = ["".join(generator.choice(list("abcdef"), length)) for length in lengths]
    predictions = [
        target
        if generator.random() < 1.2 - length / 14
        else target[:-1] + generator.choice(["z", ""])
        for target, length in zip(targets, lengths, strict=True)
    ]
    predictions[0], predictions[2], predictions[4] = targets[0], targets[2], targets[4]
    right = np.array([p == t for p, t in zip(predictions, targets, strict=True)])

    def in_band(length: int, low: int, high: int, low_closed: bool = True) -> bool:
        return low <= length < high if low_closed else low < length <= high

    def by_band(lengths: list[int], low_closed: bool = True) -> np.ndarray:
        return np.array(
            [
                np.mean(
                    [
                        r
                        for r, n in zip(right, lengths, strict=True)
                        if in_band(n, low, high, low_closed)
                    ]
                )
                for low, high in itertools.pairwise(edges)
            ]
        )

    def symbols() -> np.ndarray:
        return np.array(
            [
                np.mean(
                    [
                        np.mean([a == b for a, b in zip(p, t, strict=False)])
                        for p, t in zip(predictions, targets, strict=True)
                        if in_band(len(t), low, high)
                    ]
                )
                for low, high in itertools.pairwise(edges)
            ]
        )

    counts = np.array(
        [((low <= lengths) & (lengths < high)).sum() for low, high in itertools.pairwise(edges)]
    )
    with no_ready_made("accuracy_by_length"):
        actual = answer(list(predictions), list(targets), list(edges))
    expected = np.array(
        [
            accuracy
            for _, _, _, accuracy in reference_accuracy(
                predictions, targets, lengths.tolist(), edges
            )
        ]
    )
    expect_close(
        "accuracy_by_length(predictions, targets, edges)",
        actual,
        expected,
        {
            "A length that equals the upper edge belongs to the next band: low <= length < "
            "high.": by_band(lengths.tolist(), low_closed=False),
            "The bands are made by the length of the prediction; the length of the target "
            "counts.": by_band([len(prediction) for prediction in predictions]),
            "These are shares of right symbols. A prediction counts only where the whole "
            "string is right.": symbols(),
            "These are counts; divide by the number of targets in the band.": expected * counts,
            "These are divided by the number of all targets; divide by the number in the "
            "band.": expected * counts / len(targets),
        },
    )
