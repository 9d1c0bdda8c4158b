"""Checks for units 03 and 05: beam search on tables of scores."""

import functools
from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, log_softmax, softmax
from rnnkit.text import Vocabulary

Array = np.ndarray
Result = dict[str, Array]
PAD, BOS, EOS = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id
VOCABULARY = 6
_OTHERS = [symbol for symbol in range(VOCABULARY) if symbol not in (PAD, BOS, EOS)]
# What a step goes on from: how many steps were made, and the symbol before the previous one.
State = tuple[int, int]
FIRST: State = (0, PAD)
# A hypothesis: its ids, after BOS, the sum of the logarithms of their probabilities, its state.
Hypothesis = tuple[list[int], float, State]


@check
def beam_search(answer: Function, steps: int = 4, seed: int = 0) -> None:
    """Check beam search through `answer(tables, width, power)`, sections s9 and s21.

    The score of a hypothesis is the sum of the natural logarithms of its
    symbols' probabilities, divided by its length to the power `power`; the
    end token counts. Each step keeps the `width` best by their sums. A
    hypothesis with its end token is complete: it is set aside, or it keeps its
    place among the best; no other takes its place in the same step.

    Args:
        answer: A function that runs the student's search on tables of logits:
            at step i, `tables[i, q, p]` are those after the symbols q and p,
            of shape `(steps, vocabulary, vocabulary, vocabulary)`. What is
            before BOS counts as padding. It returns the ids of the best
            hypothesis, without BOS and with EOS, and its score. The exercise
            defines it in a locked cell, with i and q as the state.
        steps: How many steps the tables have, at least 4.
        seed: For the random tables.

    Raises:
        AssertionError: The hypothesis or its score is not right.
    """
    tables, *others = random_tables(steps, seed)
    wide = VOCABULARY ** (steps - 1)
    expect_answers(
        "beam_search(tables, width, power)",
        answer,
        {
            "": (tables, 2, 1.0),
            **{
                f"other tables, number {number}": (other, 2, 1.0)
                for number, other in enumerate(others, 1)
            },
            "a beam as wide as all hypotheses": (tables, wide, 1.0),
            "no division by the length (power 0)": (tables, wide, 0.0),
            "a beam of one, which is greedy search": (tables, 1, 1.0),
            "padding and the start token in the best": (_tables_with_padding(steps, seed), 2, 1.0),
        },
        search,
        _slips() | _padding_slips(),
    )


def _slips() -> dict[str, Function | Sequence[Function]]:
    def with_start(tables: Array, width: int, power: float) -> Result:
        result = search(tables, width, power)
        return {**result, "ids": np.append(BOS, result["ids"])}

    def without_end(tables: Array, width: int, power: float) -> Result:
        result = search(tables, width, power)
        return {**result, "ids": result["ids"][result["ids"] != EOS]}

    def whole_sum(tables: Array, width: int, power: float) -> Result:
        result = search(tables, width, power)
        return {**result, "score": result["score"] * len(result["ids"]) ** power}

    def searched(**rules: Any) -> Function:
        return functools.partial(search, **rules)

    return {
        "This is the result of greedy search: only one hypothesis is followed. Is each made longer "
        "by its best symbol alone, or does the beam hold copies of one?": (
            lambda tables, width, power: search(tables, 1, power)
        ),
        "The score is not divided by the length to the power, so short hypotheses win.": (
            lambda tables, width, power: search(tables, width, 0.0)
        ),
        "The best is chosen rightly, but its score is not divided by the length to the "
        "power.": whole_sum,
        "It never stops at the end token: symbols go on after EOS_ID.": searched(end=-1),
        "The logits are added up; add up the logarithms of the probabilities.": searched(
            scores=lambda x: x
        ),
        "The probabilities are added up; add up their logarithms.": searched(scores=softmax),
        "The logarithms are multiplied; the sum of the logarithms belongs to a hypothesis.": (
            searched(multiply=True)
        ),
        "The first complete hypothesis is returned; others may still become better.": searched(
            stop="first complete"
        ),
        "The search stops when the best hypothesis of a step is complete; a longer one may still "
        "get a better score.": searched(stop="best complete"),
        "Where a hypothesis is complete, those that are still in the beam at the end are not "
        "looked at; choose among both.": searched(choose="complete"),
        "The worst hypothesis is returned; sort from the highest score.": searched(choose="worst"),
        "The best continuations of each hypothesis are kept, so that the beam grows; keep the "
        "width best of all together.": searched(keep="of each"),
        "The beam is filled up with the next best in place of hypotheses that are complete; these "
        "count among the width best too.": [
            searched(complete="beside"),
            searched(complete="beside all"),
        ],
        "Each complete hypothesis takes one place of the beam for good; each step keeps the width "
        "best of its own.": searched(complete="shrinks"),
        "Complete hypotheses stay, and each step keeps the best by their scores; keep the width "
        "best by their sums.": searched(complete="stay, by score"),
        "The start token counts in the length; only the symbols that were written count.": (
            searched(counted=1)
        ),
        "The search begins with padding; the first previous symbol should be the start token "
        "(BOS_ID).": searched(start=PAD),
        "The search begins with the end token; the first previous symbol should be the start "
        "token (BOS_ID).": searched(start=EOS),
        "The start token stands in the result; only what was written belongs there.": with_start,
        "The end token is missing in the result.": without_end,
        "The new state is not passed on: each step gets the first state again.": searched(
            state="first"
        ),
        "All hypotheses go on from one state; each should go on from its own.": [
            searched(state="of the last"),
            searched(state="of the best"),
        ],
    }


def _padding_slips() -> dict[str, Function | Sequence[Function]]:
    """Slips that show only where PAD_ID or BOS_ID is among the best."""

    def without(*symbols: int) -> Function:
        def scores(tables: Array) -> Array:
            logs = log_softmax(tables)
            logs[..., list(symbols)] = -np.inf
            return logs

        return functools.partial(search, scores=scores)

    return {
        "A hypothesis that ends with PAD_ID is taken for complete; only EOS_ID ends one.": (
            functools.partial(search, also_ends=PAD)
        ),
        "PAD_ID or BOS_ID is left out; make each hypothesis longer by each symbol of the "
        "vocabulary.": [without(PAD), without(BOS), without(PAD, BOS)],
    }


def search(
    tables: Array,
    width: int,
    power: float,
    *,
    start: int = BOS,
    end: int = EOS,
    also_ends: int = -1,
    scores: Function = log_softmax,
    multiply: bool = False,
    state: str = "own",
    keep: str = "of all",
    complete: str = "aside",
    stop: str = "beam is empty",
    choose: str = "best",
    counted: int = 0,
) -> Result:
    """Beam search; the settings make slips, and `complete="stay"` another way that is right."""
    tables = scores(tables)

    def score(hypothesis: Hypothesis) -> float:
        return hypothesis[1] / (len(hypothesis[0]) + counted) ** power

    def is_complete(hypothesis: Hypothesis) -> bool:
        return hypothesis[0][-1:] in ([end], [also_ends])

    def total(hypothesis: Hypothesis) -> float:
        return hypothesis[1]

    def longer_by_one(hypothesis: Hypothesis) -> list[Hypothesis]:
        ids, so_far, (made, before) = hypothesis
        previous = (ids or [start])[-1]
        new_state = (made + (state != "first"), PAD if state == "first" else previous)
        found = [
            ([*ids, symbol], -so_far * number if multiply else so_far + number, new_state)
            for symbol, number in enumerate(tables[made, before, previous].tolist())
        ]
        found.sort(key=total, reverse=True)
        return found[:width] if keep == "of each" else found

    beam: list[Hypothesis] = [([], -1.0 if multiply else 0.0, FIRST)]
    aside: list[Hypothesis] = []
    for _ in range(len(tables)):
        alive = [h for h in beam if not is_complete(h)]
        if not alive:
            break
        longer = [new for h in alive for new in longer_by_one(h)]
        if state.startswith("of the"):
            shared = longer[0 if state == "of the best" else -1][2]
            longer = [(ids, so_far, shared) for ids, so_far, _ in longer]
        if complete.startswith("stay"):
            longer += [h for h in beam if is_complete(h)]
        longer.sort(key=score if complete == "stay, by score" else total, reverse=True)
        places = width - len(aside) if complete == "shrinks" else width
        beam = longer if keep == "of each" else longer[:places]
        if complete.startswith("stay"):
            continue
        ended = [h for h in (longer if complete == "beside all" else beam) if is_complete(h)]
        aside += ended[:width] if complete == "beside all" else ended
        if complete.startswith("beside"):
            beam = [h for h in longer if not is_complete(h)][:width]
        else:
            beam = [h for h in beam if not is_complete(h)]
        if stop == "first complete" and aside:
            beam = []
        if stop == "best complete" and is_complete(longer[0]):
            break
    best_of = aside if choose == "complete" and aside else aside + beam
    chosen = (min if choose == "worst" else max)(best_of, key=score)
    return {"ids": np.array(chosen[0]), "score": np.asarray(score(chosen))}


def _other_way(tables: Array, width: int, power: float) -> Result:
    """Right too: complete hypotheses keep their place among the best."""
    return search(tables, width, power, complete="stay")


@functools.cache
def random_tables(steps: int, seed: int) -> tuple[Array, ...]:
    """Tables of logits with which each slip gives something else, on one of them at least."""
    generator = np.random.default_rng(seed)
    found = [_draw(steps, generator, _ends_early)]
    ways = [[way] if callable(way) else list(way) for way in ({"": search} | _slips()).values()]
    for group, others in combinations(ways, 2):
        for one, other in product(group, others):
            differ = functools.partial(_differ, one=one, other=other)
            if not any(map(differ, found)):
                found.append(_draw(steps, generator, differ))
    return tuple(found)


def _draw(steps: int, generator: np.random.Generator, suits: Callable[[Array], bool]) -> Array:
    """Random tables that suit, with which both right ways give the same, also after rounding."""
    for attempt in range(4000):
        tables = generator.normal(size=(steps, *[VOCABULARY] * 3))
        tables = 0.1 * tables + _late_regret(steps, generator) if attempt % 4 == 3 else 1.2 * tables
        tables = _as_passed(tables)
        tables[..., [PAD, BOS]] -= 12.0  # never the best
        if suits(tables) and not _differ(tables, search, _other_way):
            best, rounded = (search(t, 2, 1.0) for t in (tables, tables.astype("float16")))
            if np.array_equal(best["ids"], rounded["ids"]):
                return tables
    raise RuntimeError(f"no tables found for steps={steps}")


@functools.cache
def _tables_with_padding(steps: int, seed: int) -> Array:
    """Tables of logits with which each slip about padding gives something else."""
    generator = np.random.default_rng([seed, 1])
    slips = _padding_slips().values()
    ways = [way for each in slips for way in ([each] if callable(each) else each)]
    for _ in range(4000):
        tables = _as_passed(1.2 * generator.normal(size=(steps, *[VOCABULARY] * 3)))
        best, rounded = (search(t, 2, 1.0) for t in (tables, tables.astype("float16")))
        if not {PAD, BOS} <= set(best["ids"].tolist()) or _differ(tables, search, _other_way):
            continue
        if np.array_equal(best["ids"], rounded["ids"]) and all(
            _differ(tables, search, way) for way in ways
        ):
            return tables
    raise RuntimeError(f"no tables found for steps={steps}")


def _as_passed(tables: Array) -> Array:
    """Numbers that float32 holds exactly, since answers get them so."""
    return tables.astype("float32").astype("float64")


def _late_regret(steps: int, generator: np.random.Generator) -> Array:
    """Logits after which an early end is the best, though longer ones look better before.

    Beams that are ordered by the score lose it. In tables of noise this is rare.
    """
    first, second, third = generator.permutation(_OTHERS)
    rows = np.full((steps, VOCABULARY), 0.01)
    rows[0, first] = 0.97
    rows[1, [EOS, first, second]] = 0.32, 0.58, 0.1
    rows[2, [first, second]] = 0.6, 0.4
    rows[3:, [first, second, third, EOS]] = 0.25
    return np.log(rows)[:, None, None]


def _ends_early(tables: Array) -> bool:
    """Whether a beam of 2 finds the best, which ends early, and greedy search does not."""
    best, greedy = search(tables, 2, 1.0), search(tables, 1, 1.0)
    return 1 < len(best["ids"]) < len(tables) and not _same(greedy, best)


def _differ(tables: Array, one: Function, other: Function) -> bool:
    return not _same(one(tables, 2, 1.0), other(tables, 2, 1.0))


def _same(one: Result, other: Result) -> bool:
    same_score = abs(float(one["score"]) - float(other["score"])) < 1e-3
    return same_score and np.array_equal(one["ids"], other["ids"])
