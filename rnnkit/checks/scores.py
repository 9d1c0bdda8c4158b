"""Checks for units 04 and 05: Matthews's correlation, accuracy of tags, exact matches."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_mask, telling_apart

Array = np.ndarray


@check
def matthews(answer: Function, count: int = 30, seed: int = 0) -> None:
    """Check `answer(predictions, labels)`, section s17: Matthews's correlation, MCC.

    Args:
        answer: The student's function of predictions and labels, 0 or 1, `(n,)`
            each; it returns one number from -1 to 1, and 0 where all labels or
            all predictions are the same.
        count: How many there are, at least 8.
        seed: For the random labels.

    Raises:
        AssertionError: The number is not right.
    """

    def cells(predictions: Array, labels: Array) -> tuple[float, float, float, float]:
        pairs = ((1, 1), (0, 0), (0, 1), (1, 0))  # tp, tn, fp, fn: (label, prediction)
        tp, tn, fp, fn = (float(((labels == a) & (predictions == b)).sum()) for a, b in pairs)
        return tp, tn, fp, fn

    def ratio(upper: float, lower: float) -> Array:
        return np.asarray(upper / lower if lower else 0.0)

    def way(formula: Callable[..., Array]) -> Function:
        return lambda predictions, labels: formula(*cells(predictions, labels))

    def lower(tp: float, tn: float, fp: float, fn: float) -> float:
        return (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)

    def right(tp: float, tn: float, fp: float, fn: float) -> Array:
        return ratio(tp * tn - fp * fn, np.sqrt(lower(tp, tn, fp, fn)))

    def nan(tp: float, tn: float, fp: float, fn: float) -> Array:
        below = np.float64(np.sqrt(lower(tp, tn, fp, fn)))
        return np.asarray(np.float64(tp * tn - fp * fn) / below)

    def nan_with(missing: int) -> Function:
        """0 where this label is missing; NaN where the other one is."""

        def number(tp: float, tn: float, fp: float, fn: float) -> Array:
            product = (tp + fp) * (tp + fn) if missing == 1 else (tn + fp) * (tn + fn)
            return nan(tp, tn, fp, fn) if product else np.asarray(0.0)

        return way(number)

    slips: dict[str, Function | Sequence[Function]] = {
        "This is the accuracy.": way(lambda tp, tn, fp, fn: ratio(tp + tn, tp + tn + fp + fn)),
        "This is the F1 score.": way(lambda tp, tn, fp, fn: ratio(2 * tp, 2 * tp + fp + fn)),
        "The square root below the line is missing.": way(
            lambda tp, tn, fp, fn: ratio(tp * tn - fp * fn, lower(tp, tn, fp, fn))
        ),
        "The mistakes are added above the line; subtract fp · fn.": way(
            lambda tp, tn, fp, fn: ratio(tp * tn + fp * fn, np.sqrt(lower(tp, tn, fp, fn)))
        ),
        "The mistakes are left out above the line: it should be tp · tn - fp · fn.": way(
            lambda tp, tn, fp, fn: ratio(tp * tn, np.sqrt(lower(tp, tn, fp, fn)))
        ),
        "The sign is wrong: it should be tp · tn - fp · fn.": way(lambda *cells: -right(*cells)),
        "Below the line the four sums are added; multiply them.": way(
            lambda tp, tn, fp, fn: ratio(
                tp * tn - fp * fn,
                np.sqrt((tp + fp) + (tp + fn) + (tn + fp) + (tn + fn)),
            )
        ),
        "Where all labels or all predictions are the same, this gives NaN; it should give 0.": way(
            nan
        ),
        "Here there is a 0 below the line, and this gives NaN; it should give 0. Some such cases "
        "are looked after, not all: all predictions or all labels can be 0, or all can be 1.": [
            nan_with(missing=1),
            nan_with(missing=0),
        ],
    }

    def make(generator: np.random.Generator) -> tuple[Array, Array] | None:
        labels = (generator.random(count) < 0.6).astype("int64")
        predictions = np.where(generator.random(count) < 0.3, 1 - labels, labels)
        return (predictions, labels) if 0 < labels.sum() < count else None

    apart = [slip for slip in slips.values() if callable(slip)][:-1]  # without the one of NaN

    def in_32_bits(tp: float, tn: float, fp: float, fn: float) -> Array:
        """The product goes round from the largest number of int32 to the smallest."""
        below = (int(lower(tp, tn, fp, fn)) + 2**31) % 2**32 - 2**31
        return np.asarray(np.float64(tp * tn - fp * fn) / np.sqrt(below) if below else 0.0)

    slips |= {
        "This gives 0 where there is no true positive or no true negative; it should give 0 only "
        "where the number below the line is 0.": way(
            lambda tp, tn, fp, fn: right(tp, tn, fp, fn) if tp and tn else np.asarray(0.0)
        ),
        "The product below the line is too large for whole numbers of 32 bits, and becomes another "
        "number: make floats of the four counts first.": way(in_32_bits),
    }
    many = np.arange(2000) % 2
    predictions, labels = telling_apart(make, [way(right), *apart], seed)
    expect_answers(
        "matthews(predictions, labels)",
        answer,
        {
            "": (predictions, labels),
            "all right": (labels, labels),
            "all wrong": (1 - labels, labels),
            "one prediction for all": (np.ones_like(labels), labels),
            "one label for all": (predictions, np.zeros_like(labels)),
            "2000 predictions": (many, np.where(np.arange(2000) < 1500, many, 1)),
        },
        way(right),
        slips,
    )


@check
def tag_accuracy(answer: Function, seed: int = 0) -> None:
    """Check `answer(predicted, gold, mask)`, section s19.

    Args:
        answer: The student's function of predicted and gold tags, `(batch,
            time)`, and a mask, True for a real position; it returns the share
            of real positions with the right tag.
        seed: For the random tags.

    Raises:
        AssertionError: The number is not right.
    """

    def make(batch: int, time: int, seed: int) -> Callable[[np.random.Generator], tuple]:
        def inputs(generator: np.random.Generator) -> tuple[Array, Array, Array]:
            mask = random_mask(batch, time, seed)
            gold = np.where(mask, generator.integers(1, 4, (batch, time)), 0)
            noisy = generator.random((batch, time)) < 0.4
            return np.where(noisy, generator.integers(1, 4, (batch, time)), gold), gold, mask

        return inputs

    def same(predicted: Array, gold: Array, mask: Array) -> Array:
        return (predicted == gold) & mask

    def right(p: Array, g: Array, m: Array) -> Array:
        return same(p, g, m).sum() / m.sum()

    slips: dict[str, Function] = {
        "Padding counts too: only real positions should.": lambda p, g, m: (p == g).mean(),
        "Padding counts as wrong: divide by the number of real positions.": lambda p, g, m: same(
            p, g, m
        ).mean(),
        "Padding counts as right: count real positions only.": lambda p, g, m: (
            (p == g) | ~m
        ).mean(),
        "This is the mean of the sentences' accuracies; count over all real positions.": (
            lambda p, g, m: (same(p, g, m).sum(axis=1) / m.sum(axis=1)).mean()
        ),
        "This is the share of wrong tags.": lambda p, g, m: 1 - same(p, g, m).sum() / m.sum(),
        "This is the share of sentences without a wrong tag; count positions.": (
            lambda p, g, m: ((p == g) | ~m).all(axis=1).mean()
        ),
        "This is a count; divide by the number of real positions.": lambda p, g, m: same(
            p, g, m
        ).sum(),
    }

    def zero_is_padding(predicted: Array, gold: Array, mask: Array) -> Array:
        return (predicted == gold)[gold != 0].mean()

    predicted, gold, mask = make(3, 6, seed + seed % 2)(np.random.default_rng(seed))
    with_zero = (predicted % 3, np.where(mask, gold % 3, 1), mask)
    seed += seed % 2  # an even seed has padding
    expect_answers(
        "tag_accuracy(predicted, gold, mask)",
        answer,
        {
            "": telling_apart(make(5, 7, seed), [right, *slips.values()], seed),
            "a batch of one": make(1, 5, seed + 2)(np.random.default_rng(seed)),
            "words with the tag 0, and another tag on the padding": with_zero,
        },
        right,
        {
            **slips,
            "The tag 0 is taken for padding; only the mask says where padding is.": zero_is_padding,
        },
    )


@check
def exact_match(answer: Function, count: int = 12, seed: int = 0) -> None:
    """Check `answer(predictions, targets)`, section s22.

    Args:
        answer: The student's function of two lists of strings; it returns the
            share of predictions that equal their target to the last character.
        count: How many strings, at least 6.
        seed: For the random strings.

    Raises:
        AssertionError: The share is not right.
    """
    generator = np.random.default_rng(seed)
    targets = [str(number) for number in generator.integers(10, 99999, count)]
    predictions = [
        target if generator.random() < 0.6 else target[:-1] + str((int(target[-1]) + 1) % 10)
        for target in targets
    ]
    predictions[0], predictions[1] = targets[0] + "0", targets[1][:-1]  # begins like it; too short
    predictions[4] = targets[4][:-1]
    predictions[2], predictions[3] = targets[2], targets[3][::-1] + "1"

    def share(equal: Function) -> Function:
        return lambda predictions, targets: np.mean(
            [equal(p, t) for p, t in zip(predictions, targets, strict=True)]
        )

    def symbols(predictions: Sequence[str], targets: Sequence[str]) -> Array:
        same = [
            p == t
            for a, b in zip(predictions, targets, strict=True)
            for p, t in zip(a, b, strict=False)
        ]
        return np.asarray(np.mean(same))

    expect_answers(
        "exact_match(predictions, targets)",
        answer,
        {
            "": (predictions, targets),
            "all right": (targets, targets),
            "all wrong": (["1", "2"], ["2", "1"]),
        },
        share(lambda p, t: p == t),
        {
            "This is the share of right characters; a prediction counts only as a whole.": [
                symbols,
                share(lambda p, t: np.mean([a == b for a, b in zip(p, t, strict=False)])),
                share(lambda p, t: sum(a == b for a, b in zip(p, t, strict=False)) / len(t)),
            ],
            "A prediction that begins like its target is taken for right; it must end there "
            "too.": share(lambda p, t: p.startswith(t)),
            "A prediction that stops too early is taken for right.": share(
                lambda p, t: t.startswith(p)
            ),
            "This is a count; divide by the number of targets.": (
                lambda p, t: np.asarray(sum(a == b for a, b in zip(p, t, strict=True)))
            ),
            "This is the share of mistakes.": share(lambda p, t: p != t),
            "A prediction counts where it is the target of another one; compare each with its "
            "own.": lambda p, t: np.asarray(len(set(p) & set(t)) / len(t)),
        },
    )


@check
def accuracy_by_group(answer: Function, count: int = 24, seed: int = 0) -> None:
    """Check `answer(predictions, targets, groups)`, sections s22 and s23.

    Args:
        answer: The student's function of two lists of strings and a list of
            whole numbers, one for each pair: a number of digits, or a length.
            It returns a dictionary: for each of these numbers, the share of
            its pairs that are right to the last character.
        count: How many pairs, at least 12.
        seed: For the random strings.

    Raises:
        AssertionError: One of the shares is not right.
    """

    def shares(equal: Function, by_all: bool = False, sums: bool = False) -> Function:
        def way(predictions: list, targets: list, groups: list) -> dict[str, Array]:
            rows = {
                group: [
                    float(equal(p, t))
                    for p, t, g in zip(predictions, targets, groups, strict=True)
                    if g == group
                ]
                for group in sorted(set(groups))
            }
            return {
                _group(group): np.asarray(
                    sum(row) / (1 if sums else len(groups) if by_all else len(row))
                )
                for group, row in rows.items()
            }

        return way

    def symbols(prediction: str, target: str) -> float:
        return float(np.mean([a == b for a, b in zip(prediction, target, strict=False)]))

    def exact(prediction: str, target: str) -> bool:
        return prediction == target

    def same_for_all(predictions: list, targets: list, groups: list) -> dict[str, Array]:
        right = np.mean([p == t for p, t in zip(predictions, targets, strict=True)])
        return {_group(group): np.asarray(right) for group in sorted(set(groups))}

    def up_to(predictions: list, targets: list, groups: list) -> dict[str, Array]:
        right = np.array([p == t for p, t in zip(predictions, targets, strict=True)])
        return {
            _group(group): right[np.array(groups) <= group].mean() for group in sorted(set(groups))
        }

    def anywhere(predictions: list, targets: list, groups: list) -> dict[str, Array]:
        return shares(lambda p, t: p in targets)(predictions, targets, groups)

    def by_first_target(predictions: list, targets: list, groups: list) -> dict[str, Array]:
        found = [groups[targets.index(target)] for target in targets]
        return {
            **{_group(group): np.asarray(0.0) for group in sorted(set(groups))},
            **shares(exact)(predictions, targets, found),
        }

    def last_run(predictions: list, targets: list, groups: list) -> dict[str, Array]:
        pairs = zip(groups, predictions, targets, strict=True)
        runs = {
            _group(group): np.asarray(np.mean([p == t for _, p, t in rows]))
            for group, rows in groupby(pairs, key=lambda pair: pair[0])
        }
        return dict(sorted(runs.items(), key=lambda run: int(run[0].split()[1])))

    slips: dict[str, Function | list[Function]] = {
        "These are shares of right characters; a prediction counts only as a whole.": shares(
            symbols
        ),
        "A prediction that begins like its target is taken for right; it must end there too.": (
            shares(lambda p, t: p.startswith(t))
        ),
        "A prediction that stops too early is taken for right.": shares(
            lambda p, t: t.startswith(p)
        ),
        "These are counts; divide by the number of pairs in the group.": shares(exact, sums=True),
        "These are divided by the number of all pairs; divide by the number in the group.": shares(
            exact, by_all=True
        ),
        "These are shares of mistakes.": shares(lambda p, t: p != t),
        "All groups have the share of all pairs together; take the pairs of each group alone.": (
            same_for_all
        ),
        "A group holds the smaller ones too; take its own pairs alone.": up_to,
        "A prediction counts where it is the target of another pair; compare each with its "
        "own.": anywhere,
        "The texts are compared as numbers, so that 07 counts as 7; compare them as they are.": (
            shares(lambda p, t: float(p) == float(t))
        ),
        "Blanks and line ends at the ends are not compared, so that '12 ' counts as '12'; each "
        "character counts.": [
            shares(lambda p, t, strip=strip: strip(p) == strip(t))
            for strip in (str.rstrip, str.strip, str.lstrip)
        ],
        "Capital letters count as small ones; compare the texts as they are.": [
            shares(lambda p, t: p.lower() == t.lower()),
        ],
        "The group is looked up by the target, so that pairs with the same target all count in "
        "the group of the first; groups[k] belongs to pair k.": [by_first_target],
        "A group that comes up again replaces what was counted of it before, so that only its last "
        "pairs that stand together count; take all of its pairs.": last_run,
    }

    def make(names: Sequence[int]) -> Callable[[np.random.Generator], tuple]:
        def inputs(generator: np.random.Generator) -> tuple[list[str], list[str], list[int]]:
            groups = [int(group) for group in generator.choice(names, count)]
            groups[: len(names)] = names[::-1]
            targets = [
                "".join(generator.choice(list("123456789"), 2 + group % 4)) for group in groups
            ]
            other = generator.permutation(targets).tolist()
            ways: list[Callable[[str, str], str]] = [
                *([lambda t, o: t] * 4),
                lambda t, o: t[:-1] + ("1" if t[-1] != "1" else "2"),
                lambda t, o: t + "0",
                lambda t, o: t[:-1],
                lambda t, o: o,
                lambda t, o: "0" + t,
            ]
            chosen = generator.integers(0, len(ways), count)
            predictions = [
                ways[way](target, o) for way, target, o in zip(chosen, targets, other, strict=True)
            ]
            return predictions, targets, groups

        return inputs

    def flat(way: Function) -> Function:
        return lambda *i: np.array(list(way(*i).values()))

    def read(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {_group(group): _share(share) for group, share in value.items()}
        if value is None:
            return None
        raise AssertionError(
            "accuracy_by_group should return a dictionary from each group to its share. "
            f"Received: {value!r:.80}"
        )

    # Of several ways to make a slip, ordinary texts show none.
    ways = [flat(way) for way in (shares(exact), *slips.values()) if callable(way)]
    expect_answers(
        "accuracy_by_group(predictions, targets, groups)",
        answer,
        {
            "": telling_apart(make([1, 2, 3]), ways, seed),
            "groups that are not 1, 2, 3": telling_apart(make([4, 9, 12, 30]), ways, seed + 1),
            "words": (["red", "blue", "green"], ["red", "blue", "grey"], [1, 2, 2]),
            "one target in two groups": (
                ["red", "blue", "green"],
                ["red", "blue", "red"],
                [1, 2, 2],
            ),
            "blanks at the ends, and capital letters": (
                ["12 ", "7", " 5", "3\n", "Red", "blue"],
                ["12", "7 ", "5", "3", "red", "blue"],
                [1, 1, 2, 2, 3, 3],
            ),
        },
        shares(exact),
        slips,
        read=read,
    )


def _group(group: Any) -> str:
    return f"group {group}"


def _share(share: Any) -> Any:
    """A fraction as a float; it comes from another process as a thing that has these two."""
    if hasattr(share, "numerator") and hasattr(share, "denominator"):
        return share.numerator / share.denominator
    return share
