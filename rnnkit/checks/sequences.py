"""Checks for unit 06: shifted targets, the greedy loop, accuracy by length."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array, equal, expect_close
from rnnkit.checks.ready_made import no_ready_made
from rnnkit.decoding import greedy as reference_greedy
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
    if batch > 2:
        lengths[1] = 0  # the end token alone
    mask = np.arange(time) < lengths[:, None]
    targets = np.where(mask, generator.integers(4, 20, (batch, time)), PAD).astype("int32")
    targets[0, 0] = UNK  # real, only not known
    if time > 2:
        targets[0, 1] = targets[0, -1]  # so that the last one cannot be found by its value
    result = answer(targets.copy(), mask.copy())
    try:
        previous, following = result
    except (TypeError, ValueError):
        raise AssertionError(
            "shift_targets should return two arrays: previous, following"
        ) from None

    pads = np.full((batch, 1), PAD, dtype="int32")
    starts, ends = pads + BOS, pads + EOS
    right_previous = np.hstack([starts, targets])
    right_following = _with_end_at(np.hstack([targets, pads]), lengths)
    ends_everywhere = np.hstack([targets, pads])
    ends_everywhere[:, lengths] = EOS
    longest = (lengths == time)[:, None]
    expect_close(
        "shift_targets(targets, mask): previous (what the decoder sees)",
        previous,
        right_previous,
        {
            "It does not begin with the start token (BOS_ID).": np.hstack([targets, pads]),
            "It begins with padding; it should begin with the start token (BOS_ID).": np.hstack(
                [pads, targets]
            ),
            "It begins with the end token; it should begin with the start token "
            "(BOS_ID).": np.hstack([ends, targets]),
            "It is the same as following: the decoder would see the symbol that it should "
            "predict. It must be moved one place to the right.": right_following,
            "It is moved by two places; it should be moved by one.": np.hstack(
                [starts, starts, targets[:, :-1]]
            ),
            "The end token (EOS_ID) stands in shorter rows; nothing follows it, so it belongs to "
            "following alone, and here PAD_ID.": _with_end_at(
                np.hstack([starts, targets, pads]), lengths + 1
            )[:, :-1],
        },
    )
    expect_close(
        "shift_targets(targets, mask): following (what the decoder should predict)",
        following,
        right_following,
        {
            "The end token stands in the last column of every row. It should come right "
            "after the last real symbol of its row.": np.hstack([targets, ends]),
            "There is no end token (EOS_ID), so the decoder never learns to stop.": np.hstack(
                [targets, pads]
            ),
            "A row gets the end tokens of all rows: [:, columns] picks these columns of every row. "
            "Each row has one end token, at [np.arange(batch), columns].": ends_everywhere,
            "A row without padding gets its end token over its first symbol: argmax gives 0 where "
            "it finds nothing. There the end token belongs in the last column.": _with_end_at(
                np.hstack([targets, pads]), np.where(lengths == time, 0, lengths)
            ),
            "A row without a real symbol gets its end token in another column; there it comes "
            "first.": [
                _with_end_at(np.hstack([targets, pads]), np.where(lengths == 0, place, lengths))
                for place in (time, time - 1, 1)
            ],
            "The end token is missing in a row without a real symbol; there it comes first.": (
                np.where((lengths == 0)[:, None], PAD, right_following)
            ),
            "The end token is missing in rows without padding; there it belongs in the last "
            "column.": np.where(longest, np.hstack([targets, pads]), right_following),
            "The end token fills all free places; it should come once, and then PAD_ID.": np.where(
                right_following == PAD, EOS, right_following
            ),
            "The end token replaces the last symbol; it should come after it.": _with_end_at(
                np.hstack([targets, pads]), lengths - 1
            ),
            "An unknown symbol (UNK_ID) is not counted, so that the end token comes too early; the "
            "mask says what is real.": _with_end_at(
                np.hstack([targets, pads]), lengths - (targets == UNK).sum(axis=1)
            ),
            "The place of the last symbol is looked up by its value, so that the end token comes "
            "after the first symbol of this value; it comes at mask[b].sum().": [
                _with_end_at(np.hstack([targets, pads]), _after_first_of_last(targets, lengths, no))
                for no in (0, 1)
            ],
            "It is the same as previous: the decoder would learn to copy the symbol that it "
            "sees. It must be one place further.": right_previous,
            "It is off by one: the first symbol is missing.": _with_end_at(
                np.hstack([targets[:, 1:], pads, pads]), lengths - 1
            ),
        },
    )
    _expect_integers("shift_targets(targets, mask): previous", previous)
    _expect_integers("shift_targets(targets, mask): following", following)


def _expect_integers(what: str, ids: Any) -> None:
    kind = as_array(what, ids).dtype
    if not np.issubdtype(kind, np.integer):
        raise AssertionError(
            f"{what} should hold integers; these are {kind}. The numbers are right, but ids are "
            "whole numbers. np.ones and np.zeros give floats: pass dtype=int."
        )


def _after_first_of_last(targets: np.ndarray, lengths: np.ndarray, no_symbol: int) -> np.ndarray:
    """The place after the first symbol that is equal to the last real one of its row.

    In a row without symbols it is `no_symbol`; where padding was looked up, that is 1.
    """
    last = np.take_along_axis(targets, lengths[:, None] - 1, axis=1)
    return np.where(lengths > 0, (targets == last).argmax(axis=1) + 1, no_symbol)


def _with_end_at(ids: np.ndarray, places: np.ndarray) -> np.ndarray:
    ids = ids.copy()
    ids[np.arange(len(ids)), places] = EOS
    return ids


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
    tables = random_tables(batch, steps, seed)
    with no_ready_made("greedy_decode"):
        actual = answer(tables.copy(), steps)
    expected = greedy_symbols(tables, BOS, EOS)
    slips: dict[str, Any] = {
        "The loop begins with padding; the first previous symbol should be the start token "
        "(BOS_ID).": greedy_symbols(tables, PAD, EOS),
        "The loop begins with the end token; the first previous symbol should be the start "
        "token (BOS_ID).": greedy_symbols(tables, EOS, EOS),
        "It never stops at the end token: symbols go on after EOS_ID. A sentence that has "
        "ended should get PAD_ID.": greedy_symbols(tables, BOS, -1),
        "It stops as soon as one sentence has ended; the others must go on.": expected[
            :, : int((expected == EOS).argmax(axis=1).min()) + 1
        ],
        "A sentence that has ended goes on while others have not: after its EOS_ID it should "
        "get PAD_ID.": greedy_symbols(tables, BOS, -1)[:, : expected.shape[1]],
        "The loop begins with the unknown symbol; the first previous symbol should be the start "
        "token (BOS_ID).": greedy_symbols(tables, UNK, EOS),
        "The new state is not used: each step gets the first state again.": greedy_symbols(
            np.repeat(tables[:, :1], steps, axis=1), BOS, EOS
        ),
        "Each step gets the start token: the symbol that was just written is not passed "
        "on.": _without_feedback(tables),
        "The lowest score is taken; it should be the highest.": greedy_symbols(-tables, BOS, EOS),
    }
    with_start = np.concatenate([np.full((batch, 1), BOS), expected], axis=1)
    slips["The start token stands in the result; only what was written belongs there."] = with_start
    slips["The end token is missing in the result."] = np.where(expected == EOS, PAD, expected)
    slips[
        "A sentence that has ended gets PAD_ID for one step and then goes on: after its EOS_ID, it "
        "should get PAD_ID to the end."
    ] = [_resumed(tables), _resumed(tables)[:, : expected.shape[1]]]
    slips["It stops before all sentences have written the end token."] = [
        expected[:, :length] for length in range(1, expected.shape[1])
    ]
    array = as_array("the result of greedy_decode", actual)
    # A loop that runs to max_length and pads is right too, and may make the same slips.
    if array.ndim == 2 and equal(array, _filled(expected, array.shape[1])):
        _stops_at_limit(answer, tables[:, : expected.shape[1] - 1], expected[:, :-1])
        _takes_padding(answer, batch, steps, seed)
        _takes_scores_of_any_size(answer, tables, expected)
        return
    expect_written("the result of greedy_decode", array, expected, slips, steps)


def expect_written(
    what: str, array: np.ndarray, expected: np.ndarray, slips: dict[str, Any], steps: int
) -> None:
    """Ask for these symbols, with or without columns of padding behind the ends."""
    if array.ndim == 2 and expected.shape[1] < array.shape[1] <= steps:
        expected = _filled(expected, array.shape[1])  # so that rows can be shown side by side
    ways = {
        sentence: [*each, *(_filled(way, steps) for way in each)]
        for sentence, results in slips.items()
        for each in [results if isinstance(results, list) else [results]]
    }
    expect_close(what, array, expected, ways)


def _stops_at_limit(answer: Function, tables: np.ndarray, expected: np.ndarray) -> None:
    """The loop ends after `max_length` steps, though a sentence has not ended."""
    limit = tables.shape[1]
    with no_ready_made("greedy_decode"):
        actual = answer(tables.copy(), limit)
    what = f"the result of greedy_decode with max_length={limit}, which is less than it needs"
    open_ends = ~(expected == EOS).any(axis=1, keepdims=True)
    slips = {
        "It stops before it has written max_length symbols.": expected[:, :-1],
        "The last symbol of each row is the end token; a sentence that is cut off at max_length "
        "has none.": [
            _with_end_at(expected, np.full(len(expected), limit - 1)),
            np.where(open_ends & (np.arange(limit) == limit - 1), EOS, expected),
        ],
    }
    expect_close(what, as_array(what, actual), expected, slips)


def _takes_padding(answer: Function, batch: int, steps: int, seed: int) -> None:
    """A sentence writes PAD_ID and BOS_ID where they have the highest score, and goes on."""
    tables = _tables_with_padding(batch, steps, seed)
    expected = greedy_symbols(tables, BOS, EOS)

    def without(*symbols: int) -> np.ndarray:
        scores = tables.copy()
        scores[..., list(symbols)] = -np.inf
        return greedy_symbols(scores, BOS, EOS)

    ends = np.isin(expected, [PAD, EOS])
    after = (ends.cumsum(axis=1) - ends) > 0
    first_end = np.where(after, PAD, expected)
    longest = int((~after).sum(axis=1).max())
    _expect_symbols(
        "the result of greedy_decode, where PAD_ID and BOS_ID have the highest score before the "
        "end",
        answer,
        tables,
        expected,
        {
            "A sentence ends at PAD_ID as if it were EOS_ID; only EOS_ID ends it.": [
                first_end,
                first_end[:, :longest],
            ],
            "PAD_ID or BOS_ID is never written; take the symbol with the highest score, whatever "
            "it is.": [without(PAD), without(BOS), without(PAD, BOS), without(PAD, UNK, BOS)],
        },
    )


def _takes_scores_of_any_size(answer: Function, tables: np.ndarray, expected: np.ndarray) -> None:
    """The highest score is the highest one also where exp() of it is infinite, or 0."""
    signs = np.where(np.arange(len(tables)) % 2, -1000, 1000).astype("float32")
    large = 40 * np.maximum(tables, -5) + signs[:, None, None, None]
    with np.errstate(all="ignore"):
        powers = np.exp(large.astype("float64"))
        overflowed = powers / powers.sum(axis=-1, keepdims=True)
    _expect_symbols(
        "the result of greedy_decode, with scores near 1000 and -1000",
        answer,
        large,
        expected,
        {
            "exp() of them is infinite, or 0, and its softmax NaN; the highest score can be found "
            "without a softmax.": [greedy_symbols(overflowed, BOS, EOS)],
        },
    )


def _expect_symbols(
    what: str,
    answer: Function,
    tables: np.ndarray,
    expected: np.ndarray,
    slips: dict[str, list[np.ndarray]],
) -> None:
    """Let an answer decode by these tables, and ask for these symbols."""
    steps = tables.shape[1]
    with no_ready_made("greedy_decode"):
        array = as_array(what, answer(tables.copy(), steps))
    expect_written(what, array, expected, slips, steps)


def _filled(ids: np.ndarray, steps: int) -> np.ndarray:
    """Symbols `(batch, ...)` with columns of padding behind them, `(batch, steps)`."""
    return np.pad(ids, ((0, 0), (0, max(steps - ids.shape[1], 0))), constant_values=PAD)


def random_tables(batch: int, steps: int, seed: int) -> np.ndarray:
    """Scores under which sentences end at different steps, and no start symbol gives the same."""
    vocabulary = 9
    for attempt in range(1000):
        generator = np.random.default_rng([seed, attempt])
        tables = generator.normal(size=(batch, steps, vocabulary, vocabulary)).astype("float32")
        tables[..., [PAD, BOS]] -= 10.0  # never the best
        written = greedy_symbols(tables, BOS, EOS)
        ends = (written == EOS).any(axis=1)
        lengths = {int(np.argmax(row == EOS)) for row in written}
        others = [greedy_symbols(tables, start, EOS) for start in (PAD, UNK, EOS)]
        others.append(_without_feedback(tables))
        differ = all(other.shape != written.shape or (other != written).any() for other in others)
        if ends.all() and len(lengths) == min(batch, 3) and min(lengths) >= 1 and differ:
            return tables
    raise RuntimeError(f"no tables found for batch={batch}, steps={steps}, seed={seed}")


def _tables_with_padding(batch: int, steps: int, seed: int) -> np.ndarray:
    """Scores under which the first sentence begins with PAD_ID and BOS_ID, and goes on."""
    for attempt in range(1000):
        tables = random_tables(batch, steps, seed + 1000 * attempt)
        tables[0, 0, BOS, PAD] += 30.0
        tables[0, 1, PAD, BOS] += 30.0
        written = greedy_symbols(tables, BOS, EOS)
        if (written == EOS).any(axis=1).all() and (written[0] == EOS).argmax() >= 3:
            return tables
    raise RuntimeError(f"no tables found for batch={batch}, steps={steps}, seed={seed}")


def greedy_symbols(tables: np.ndarray, bos_id: int, eos_id: int) -> np.ndarray:
    """What the greedy loop writes by tables `(batch, steps, previous, next)` of scores."""
    batch, steps = tables.shape[:2]
    rows = np.arange(batch)

    def step(previous: np.ndarray, state: int) -> tuple[np.ndarray, int]:
        return tables[rows, state, previous], state + 1

    return reference_greedy(step, 0, batch, bos_id, eos_id, steps)


def _resumed(tables: np.ndarray) -> np.ndarray:
    """All steps of a loop that looks for EOS in the symbol just before alone."""
    rows = np.arange(len(tables))
    previous, written = np.full(len(tables), BOS), []
    for step in range(tables.shape[1]):
        best = tables[rows, step, previous].argmax(axis=-1)
        previous = np.where(previous == EOS, PAD, best)
        written.append(previous)
    return np.stack(written, axis=1)


def _without_feedback(tables: np.ndarray) -> np.ndarray:
    return greedy_symbols(np.repeat(tables[:, :, BOS : BOS + 1], tables.shape[2], axis=2), BOS, EOS)


@check
def accuracy_by_length(answer: Function, count: int = 40, seed: int = 0) -> None:
    """Check `answer(predictions, targets, edges)`, section s23.

    Args:
        answer: The student's function; it returns one accuracy for each band
            of lengths, where band k holds the targets of length
            `edges[k] <= length < edges[k + 1]`. Some targets are in no band.
        count: How many targets.
        seed: For the random strings.

    Raises:
        AssertionError: One of the accuracies is not right.
    """
    generator = np.random.default_rng(seed)
    edges = [3, 6, 10, 15]
    outside = [1, 2, 2, 15, 16]  # one is as long as the last edge; not as many at each end
    fixed = [3, 5, 6, 9, 10, 14, 10, 8, 8, 8]
    lengths = np.concatenate([fixed, generator.integers(3, 15, count), outside])
    targets = ["".join(generator.choice(list("abcdef"), length)) for length in lengths]
    predictions = [_perhaps_wrong(target, generator) for target in targets]
    predictions[0], predictions[2], predictions[4] = targets[0], targets[2], targets[4]
    predictions[1] = targets[1] + "a"  # the target, and more
    predictions[6] = targets[6][:-1]  # its own length lies in another band
    targets[7:10] = 3 * [targets[7]]  # one target three times, right twice
    predictions[7:10] = [targets[7], targets[7], targets[7][:-1] + "z"]
    # All wrong: in a band, where some are right, they would change the share.
    predictions[-len(outside) :] = [target[:-1] + "z" for target in targets[-len(outside) :]]

    pairs = list(zip(predictions, targets, strict=True))
    right = np.array([p == t for p, t in pairs])
    shares = np.array([np.mean([a == b for a, b in zip(p, t, strict=False)]) for p, t in pairs])
    predicted_lengths = np.array([len(prediction) for prediction in predictions])
    goes_on = np.array([p.startswith(t) for p, t in pairs])
    breaks_off = np.array([t.startswith(p) for p, t in pairs])
    kept = {
        "last": dict(zip(targets, predictions, strict=True)),
        "first": dict(zip(targets[::-1], predictions[::-1], strict=True)),
    }
    bands = np.digitize(lengths, edges)
    counts = np.bincount(bands, minlength=len(edges) + 1)[1:-1]
    with no_ready_made("accuracy_by_length"):
        actual = answer(list(predictions), list(targets), list(edges))
    expected = _means(right, lengths, edges)
    expect_close(
        "accuracy_by_length(predictions, targets, edges)",
        actual,
        expected,
        {
            "A length that equals the upper edge belongs to the next band: low <= length < "
            "high.": _means(right, lengths - 1, edges),
            "The last band is closed, as in np.histogram: it counts a target that is just as long "
            "as the last edge. Every band ends before its upper edge.": _means(
                right, np.where(lengths == edges[-1], edges[-1] - 1, lengths), edges
            ),
            "A target that is shorter or longer than all bands is counted in the nearest one; it "
            "belongs to none.": [
                _means(right, np.clip(lengths, *limits), edges)
                for limits in [(3, 14), (3, None), (None, 14)]
            ],
            "A target that is shorter than the first edge is counted in the last band: band -1 is "
            "the last item of a list. It belongs to none.": _means(
                right, np.where(lengths < edges[0], edges[-1] - 1, lengths), edges
            ),
            "A prediction that begins with the target and goes on counts as right; it must be the "
            "target and nothing more.": _means(goes_on, lengths, edges),
            "A prediction that breaks off counts as right, as if zip stopped at the end of the "
            "shorter one: compare them with ==.": [
                _means(breaks_off, lengths, edges),
                _means(goes_on | breaks_off, lengths, edges),
            ],
            "A target that stands in the list more than once is counted once; each has its own "
            "prediction.": [_means_of_pairs(each.items(), edges) for each in kept.values()],
            "A pair of target and prediction that stands there more than once is counted once; "
            "count each.": _means_of_pairs(dict.fromkeys((t, p) for p, t in pairs), edges),
            "The bands are made by the length of the prediction; the length of the target "
            "counts.": _means(right, predicted_lengths, edges),
            "These are shares of right symbols. A prediction counts only where the whole "
            "string is right.": _means(shares, lengths, edges),
            "These are counts; divide by the number of targets in the band.": expected * counts,
            "These are divided by the number of all targets; divide by the number in the "
            "band.": expected * counts / len(targets),
        },
    )


def _perhaps_wrong(target: str, generator: np.random.Generator) -> str:
    """The target, or one with a wrong or no last symbol: more often, the longer it is."""
    if generator.random() < 1.2 - len(target) / 14:
        return target
    return target[:-1] + str(generator.choice(["z", ""]))


def _means(values: np.ndarray, lengths: np.ndarray, edges: list[int]) -> np.ndarray:
    """The mean value of each band of lengths; NaN where a band is empty."""
    bands = np.digitize(lengths, edges)
    return np.array(
        [
            values[bands == band].mean() if (bands == band).any() else np.nan
            for band in range(1, len(edges))
        ]
    )


def _means_of_pairs(pairs: Iterable[tuple[str, str]], edges: list[int]) -> np.ndarray:
    """The accuracy of each band of lengths, of some targets with their predictions."""
    pairs = list(pairs)
    right = np.array([target == prediction for target, prediction in pairs])
    return _means(right, np.array([len(target) for target, _ in pairs]), edges)
