"""Shifted targets, the greedy loop, accuracy by length: slips and right answers."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from rnnkit import checks

PAD, BOS, EOS = 0, 2, 3


def named(slips: list, failure: pytest.ExceptionInfo) -> list[str]:
    """Which of the slips' words are in a message."""
    found = [words for _, words in slips if words in str(failure.value)]
    return list(dict.fromkeys(found))


def shift(start=BOS, end="after", swap=False, seen_end=False, sliced=False):
    def shift_targets(targets, mask):
        rows, lengths = np.arange(len(targets)), mask.sum(axis=1)
        column = np.zeros((len(targets), 1), int)
        previous = np.hstack([column + start, targets])
        following = np.hstack([targets, column])
        if end == "after":
            following[rows, lengths] = EOS
        elif end == "after known ones":
            following[rows, (targets > EOS).sum(axis=1)] = EOS
        elif end in ("after its value", "after its value, if it has one"):
            last = targets[rows, lengths - 1][:, None]
            places = (targets == last).argmax(axis=1) + 1
            following[rows, np.where((lengths > 0) | (end == "after its value"), places, 0)] = EOS
        elif end == "last column":
            following[:, -1] = EOS
        elif end == "of all rows":
            following[:, lengths] = EOS
        elif end == "first padding":
            following[rows, np.argmax(targets == PAD, axis=1)] = EOS
        elif end == "over padding":
            following[:, :-1][rows[~mask.all(axis=1)], lengths[~mask.all(axis=1)]] = EOS
        elif end == "last real":
            following[rows, mask.shape[1] - np.argmax(mask[:, ::-1], axis=1)] = EOS
        elif end == "where real":
            following[rows[lengths > 0], lengths[lengths > 0]] = EOS
        elif end == "everywhere":
            following[following == PAD] = EOS
        elif end == "instead":
            following[rows, lengths - 1] = EOS
        if seen_end:
            previous = following.copy()
        if sliced:  # one array with both tokens, without its last column and without its first
            previous = np.hstack([column + start, following[:, :-1]])
        return (following, previous) if swap else (previous, following)

    return shift_targets


SHIFTS = [
    (shift(start=PAD), "begins with padding"),
    (shift(start=EOS), "begins with the end token"),
    (shift(end="last column"), "last column of every row"),
    (shift(end="none"), "no end token"),
    (shift(end="everywhere"), "fills all free places"),
    (shift(end="of all rows"), "picks these columns of every row"),
    (shift(end="first padding"), "argmax gives 0"),
    (shift(end="over padding"), "missing in rows without padding"),
    (shift(end="last real"), "gets its end token in another column"),
    (shift(end="where real"), "missing in a row without a real symbol"),
    (shift(sliced=True), "stands in shorter rows"),
    (lambda t, m: [each.astype(float) for each in shift()(t, m)], "should hold integers"),
    (lambda t, m: (shift()(t, m)[0], shift()(t, m)[1] * 1.0), "should hold integers"),
    (shift(end="instead"), "replaces the last symbol"),
    (shift(swap=True), "the symbol that it should predict"),
    (shift(seen_end=True), "the symbol that it should predict"),
    (lambda t, m: np.hstack([t, t[:, :1]]), "should return two arrays"),
    (shift(end="after its value"), "looked up by its value"),
    (shift(end="after its value, if it has one"), "looked up by its value"),
    (shift(end="after known ones"), "unknown symbol (UNK_ID) is not counted"),
]


@pytest.mark.parametrize("seed", range(5))
def test_right_shift_passes(seed: int) -> None:
    checks.shifted_targets(shift(), seed=seed)
    checks.shifted_targets(shift(), batch=1, time=1, seed=seed)


@pytest.mark.parametrize(("answer", "words"), SHIFTS, ids=[words for _, words in SHIFTS])
@pytest.mark.parametrize("seed", range(3))
def test_shift_slip_is_named_and_no_other(answer: Callable, words: str, seed: int) -> None:
    with pytest.raises(AssertionError) as failure:
        checks.shifted_targets(answer, seed=seed)
    assert named(SHIFTS, failure) == [words]


def loop(
    start=BOS,
    stop=True,
    until=np.all,
    pad=True,
    feed=True,
    move=True,
    pad_to_limit=False,
    keep_end=True,
    look_back=False,
):
    """An answer to the greedy question, run on tables as the exercise does."""

    def decode(tables, max_length):
        batch = len(tables)
        previous, state, ended = np.full(batch, start), 0, np.zeros(batch, bool)
        written = []
        while len(written) < max_length and not (stop and until(ended)):
            best = tables[np.arange(batch), state, previous].argmax(axis=-1)
            state += int(move)
            if look_back:
                ended = previous == EOS
            best = np.where(ended & (stop | look_back) & pad, PAD, best)
            ended = ended | (best == EOS)
            previous = best if feed else np.full(batch, start)
            written.append(best)
        result = np.stack(written, axis=1)
        if not keep_end:
            result = np.where(result == EOS, PAD, result)
        if pad_to_limit:
            result = np.pad(result, ((0, 0), (0, max_length - result.shape[1])))
        return result

    return decode


LOOPS = [
    (loop(start=PAD), "begins with padding"),
    (loop(start=EOS), "begins with the end token"),
    (loop(start=1), "begins with the unknown symbol"),
    (loop(stop=False), "never stops"),
    (loop(until=np.any), "as soon as one sentence"),
    (loop(pad=False), "goes on while others have not"),
    (loop(feed=False), "Each step gets the start token"),
    (loop(move=False), "new state is not used"),
    (loop(keep_end=False), "end token is missing"),
    (loop(keep_end=False, pad_to_limit=True), "end token is missing"),
    (loop(stop=False, look_back=True), "for one step and then goes on"),
]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("pad_to_limit", [False, True])
def test_right_loop_passes(seed: int, pad_to_limit: bool) -> None:
    checks.greedy(loop(pad_to_limit=pad_to_limit), seed=seed)
    checks.greedy(loop(pad_to_limit=pad_to_limit), batch=1, steps=6, seed=seed)
    checks.greedy(loop(pad_to_limit=pad_to_limit), batch=4, steps=12, seed=seed)


@pytest.mark.parametrize(("answer", "words"), LOOPS, ids=[words for _, words in LOOPS])
@pytest.mark.parametrize("seed", range(3))
def test_loop_slip_is_named_and_no_other(answer: Callable, words: str, seed: int) -> None:
    with pytest.raises(AssertionError) as failure:
        checks.greedy(answer, seed=seed)
    assert named(LOOPS, failure) == [words]


def on(change: Callable) -> Callable:
    """The right loop on scores of which the answer makes others."""

    def decode(tables, max_length):
        with np.errstate(all="ignore"):
            return loop()(change(tables.copy()), max_length)

    return decode


def without(*symbols: int) -> Callable:
    def change(tables):
        tables[..., list(symbols)] = -np.inf
        return tables

    return change


def softmax(tables):
    return np.exp(tables) / np.exp(tables).sum(axis=-1, keepdims=True)


def ends_at_padding(to_limit: bool) -> Callable:
    def decode(tables, max_length):
        written = loop(stop=False)(tables, max_length)
        ends = np.isin(written, [PAD, EOS])
        written = np.where(ends.cumsum(axis=1) - ends > 0, PAD, written)
        length = int((~ends).cumprod(axis=1).sum(axis=1).max()) + 1
        return written if to_limit else written[:, :length]

    return decode


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ends_at_padding(to_limit=False), "where PAD_ID and BOS_ID .* ends at PAD_ID as if"),
        (ends_at_padding(to_limit=True), "where PAD_ID and BOS_ID .* ends at PAD_ID as if"),
        (on(without(PAD)), "is never written"),
        (on(without(BOS)), "is never written"),
        (on(without(PAD, BOS)), "is never written"),
        (on(softmax), "scores near 1000 and -1000.* without a softmax"),
        (on(lambda tables: softmax(tables.astype("float64"))), "without a softmax"),
    ],
)
@pytest.mark.parametrize("sizes", [{}, {"batch": 1, "steps": 6}, {"batch": 4, "steps": 12}])
@pytest.mark.parametrize("seed", range(3))
def test_best_symbol_and_scores_that_are_left_out_are_named(answer, words, sizes, seed) -> None:
    with pytest.raises(AssertionError, match=f"(?s){words}"):
        checks.greedy(answer, seed=seed, **sizes)


def longer_by(rest):
    """The right symbols, and one column more where there is room for it."""

    def decode(tables, max_length):
        written = loop()(tables, max_length)
        if written.shape[1] == max_length:
            return written
        return np.hstack([written, np.full((len(written), 1), rest)])

    return decode


def test_loop_that_makes_a_step_too_many_fails() -> None:
    def decode(tables, max_length):
        return loop()(np.concatenate([tables, tables[:, -1:]], axis=1), max_length + 1)

    with pytest.raises(AssertionError, match="which is less than it needs"):
        checks.greedy(decode)


def test_loop_that_stops_a_step_early_is_told_so() -> None:
    def decode(tables, max_length):
        written = loop()(tables, max_length)
        return written[:, :-1] if written.shape[1] == max_length < 8 else written

    with pytest.raises(AssertionError, match="before it has written max_length"):
        checks.greedy(decode, steps=8, seed=1)


def test_column_of_padding_behind_the_ends_passes() -> None:
    checks.greedy(longer_by(PAD), steps=12)


def test_symbols_behind_the_ends_are_shown_beside_the_padding_that_belongs_there() -> None:
    with pytest.raises(AssertionError, match=r"not right.\nYours: \[.* 5\]\nExpected: \[.* 0\]"):
        checks.greedy(longer_by(5), steps=12)


def test_slip_in_a_longer_result_is_shown_with_its_row() -> None:
    with pytest.raises(AssertionError, match=r"never stops.*\nYours: \[\d.*\nExpected: \[\d"):
        checks.greedy(loop(stop=False))


def by_length(closed="low", unit="strings", divide="band", of="target", last=0):
    def accuracy_by_length(predictions, targets, edges):
        result, edges = [], [*edges[:-1], edges[-1] + last]
        for low, high in itertools.pairwise(edges):
            pairs = [
                (p, t)
                for p, t in zip(predictions, targets, strict=True)
                for length in [len(t if of == "target" else p)]
                if (low <= length < high if closed == "low" else low < length <= high)
            ]
            if unit == "symbols":
                shares = [np.mean([a == b for a, b in zip(p, t, strict=False)]) for p, t in pairs]
            else:
                shares = [p == t for p, t in pairs]
            size = {"band": len(pairs), "all": len(targets), "nothing": 1}[divide]
            result.append(sum(shares) / size)
        return result

    return accuracy_by_length


def by_histogram(predictions, targets, edges):
    lengths = np.array([len(target) for target in targets])
    right = np.array([p == t for p, t in zip(predictions, targets, strict=True)])
    return list(np.histogram(lengths[right], edges)[0] / np.histogram(lengths, edges)[0])


def by_index(predictions, targets, edges):
    bands = [[] for _ in edges[1:]]
    for prediction, target in zip(predictions, targets, strict=True):
        place = int(np.digitize(len(target), edges)) - 1
        if place < len(bands):
            bands[place].append(prediction == target)  # -1 is the last one
    return [sum(band) / len(band) for band in bands]


def of_other_pairs(change: Callable) -> Callable:
    """The right function, on what is made of the pairs of target and prediction."""

    def accuracy_by_length(predictions, targets, edges):
        pairs = change(list(zip(targets, predictions, strict=True)))
        return by_length()([p for _, p in pairs], [t for t, _ in pairs], edges)

    return accuracy_by_length


def cut_to_shorter(pairs):
    return [(t, t if p.startswith(t) or t.startswith(p) else p) for t, p in pairs]


@pytest.mark.parametrize("count", [5, 40, 90])
@pytest.mark.parametrize("seed", range(5))
def test_right_accuracy_passes(seed: int, count: int) -> None:
    checks.accuracy_by_length(by_length(), count=count, seed=seed)


ACCURACIES = [
    (by_length(closed="high"), "belongs to the next band"),
    (by_length(unit="symbols"), "whole string"),
    (by_length(of="prediction"), "length of the prediction"),
    (by_length(divide="all"), "number of all targets"),
    (by_length(divide="nothing"), "These are counts"),
    (by_length(last=1), "last band is closed"),
    (by_length(last=100), "shorter or longer than all bands"),
    (by_histogram, "last band is closed"),
    (by_index, "band -1 is the last item"),
    (
        of_other_pairs(lambda pairs: [(t, t if p.startswith(t) else p) for t, p in pairs]),
        "and goes on counts as right",
    ),
    (of_other_pairs(cut_to_shorter), "as if zip stopped at the end of the shorter"),
    (of_other_pairs(lambda pairs: dict(pairs).items()), "each has its own prediction"),
    (of_other_pairs(lambda pairs: dict(pairs[::-1]).items()), "each has its own prediction"),
    (of_other_pairs(set), "stands there more than once is counted once"),
]


@pytest.mark.parametrize(("answer", "words"), ACCURACIES)
@pytest.mark.parametrize("seed", range(3))
def test_accuracy_slip_is_named_and_no_other(answer: Callable, words: str, seed: int) -> None:
    with pytest.raises(AssertionError) as failure:
        checks.accuracy_by_length(answer, seed=seed)
    assert named(ACCURACIES, failure) == [words]
