"""Checks for unit 03: beam search on tables of scores."""

import functools
from itertools import combinations

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, log_softmax, softmax
from rnnkit.text import Vocabulary

Array = np.ndarray
Result = dict[str, Array]
PAD, BOS, EOS = Vocabulary.pad_id, Vocabulary.bos_id, Vocabulary.eos_id
VOCABULARY = 6
# A hypothesis: its ids, after BOS, and the sum of the logarithms of their probabilities.
Hypothesis = tuple[list[int], float]


@check
def beam_search(answer: Function, steps: int = 4, seed: int = 0) -> None:
    """Check beam search through `answer(tables, width, power)`, section s9.

    The score of a hypothesis is the sum of the natural logarithms of its
    symbols' probabilities, divided by its length to the power `power`; the
    end token counts. A hypothesis is complete with its end token, or when it
    has as many symbols as there are steps.

    Args:
        answer: A function that runs the student's search on tables of logits:
            at step i, `tables[i, p]` are those after the symbol p, of shape
            `(steps, vocabulary, vocabulary)`. It returns the ids of the best
            hypothesis, without BOS and with EOS, and its score. The exercise
            defines it in a locked cell.
        steps: How many steps the tables have.
        seed: For the random tables.

    Raises:
        AssertionError: The hypothesis or its score is not right.
    """
    tables, others = _tables(steps, seed)
    wide = VOCABULARY ** (steps - 1)
    expect_answers(
        "beam_search(tables, width, power)",
        answer,
        {
            "": (tables, 2, 1.0),
            "other tables": (others, 2, 1.0),
            "a beam as wide as all hypotheses": (tables, wide, 1.0),
            "no division by the length (power 0)": (tables, wide, 0.0),
            "a beam of one, which is greedy search": (tables, 1, 1.0),
        },
        _search,
        _slips(),
    )


def _slips() -> dict[str, Function]:
    def with_start(tables: Array, width: int, power: float) -> Result:
        result = _search(tables, width, power)
        return {**result, "ids": np.append(BOS, result["ids"])}

    def without_end(tables: Array, width: int, power: float) -> Result:
        result = _search(tables, width, power)
        return {**result, "ids": result["ids"][result["ids"] != EOS]}

    def whole_sum(tables: Array, width: int, power: float) -> Result:
        result = _search(tables, width, power)
        return {**result, "score": result["score"] * len(result["ids"]) ** power}

    def first_table(tables: Array, width: int, power: float) -> Result:
        return _search(np.broadcast_to(tables[:1], tables.shape), width, power)

    return {
        "This is the result of greedy search: only one hypothesis is followed. Do all of the beam "
        "begin with the same first symbol?": lambda tables, width, power: _search(tables, 1, power),
        "The score is not divided by the length to the power, so short hypotheses win.": (
            lambda tables, width, power: _search(tables, width, 0.0)
        ),
        "The best is chosen rightly, but its score is not divided by the length to the "
        "power.": whole_sum,
        "It never stops at the end token: symbols go on after EOS_ID.": (
            lambda tables, width, power: _search(tables, width, power, end=-1)
        ),
        "The logits are added up; add up the logarithms of the probabilities.": (
            lambda tables, width, power: _search(tables, width, power, scores=lambda x: x)
        ),
        "The probabilities are added up; add up their logarithms.": (
            lambda tables, width, power: _search(tables, width, power, scores=softmax)
        ),
        "The first complete hypothesis is returned; others may still become better.": (
            lambda tables, width, power: _search(tables, width, power, choose="first")
        ),
        "The worst hypothesis is returned; sort from the highest score.": (
            lambda tables, width, power: _search(tables, width, power, choose="worst")
        ),
        "The search begins with padding; the first previous symbol should be the start token "
        "(BOS_ID).": lambda tables, width, power: _search(tables, width, power, start=PAD),
        "The search begins with the end token; the first previous symbol should be the start "
        "token (BOS_ID).": lambda tables, width, power: _search(tables, width, power, start=EOS),
        "The start token stands in the result; only what was written belongs there.": with_start,
        "The end token is missing in the result.": without_end,
        "The new state is not passed on: each step gets the first state again.": first_table,
    }


def _search(
    tables: Array,
    width: int,
    power: float,
    *,
    start: int = BOS,
    end: int = EOS,
    scores: Function = log_softmax,
    choose: str = "best",
    complete: str = "aside",
) -> Result:
    """Beam search; the settings make slips, `complete` the ways to write it that are right."""
    tables = scores(tables)

    def score(hypothesis: Hypothesis) -> float:
        return hypothesis[1] / len(hypothesis[0]) ** power

    def is_complete(hypothesis: Hypothesis) -> bool:
        return hypothesis[0][-1:] == [end]

    def total(hypothesis: Hypothesis) -> float:
        return hypothesis[1]

    beam: list[Hypothesis] = [([], 0.0)]
    aside: list[Hypothesis] = []
    for step in range(len(tables)):
        alive = [h for h in beam if not is_complete(h)]
        longer = [
            ([*ids, symbol], so_far + float(tables[step, (ids or [start])[-1], symbol]))
            for ids, so_far in alive
            for symbol in range(VOCABULARY)
        ]
        if complete.startswith("stay"):
            longer += [h for h in beam if is_complete(h)]
        longer.sort(key=score if complete == "stay, by score" else total, reverse=True)
        beam = longer[:width]
        if not complete.startswith("stay"):
            aside += [h for h in beam if is_complete(h)]
            beam = [h for h in beam if not is_complete(h)]
        if complete == "beside":
            beam = [h for h in longer[: 2 * width] if not is_complete(h)][:width]
        if choose == "first" and aside:
            beam = []
            break
    chosen = (min if choose == "worst" else max)(aside + beam, key=score)
    return {"ids": np.array(chosen[0]), "score": np.asarray(score(chosen))}


@functools.cache
def _tables(steps: int, seed: int) -> tuple[Array, Array]:
    """Two tables of logits with which each slip gives something else, on one of them at least."""
    found: list[Array] = []
    for attempt in range(5000):
        generator = np.random.default_rng([seed, attempt])
        tables = 1.2 * generator.normal(size=(steps, VOCABULARY, VOCABULARY))
        tables = tables.astype("float32").astype("float64")
        tables[..., [PAD, BOS]] -= 12.0  # never the best
        if not _suits(tables):
            continue
        for other in found:
            if _tell_apart(tables, other):
                return tables, other
        found.append(tables)
    raise RuntimeError(f"no tables found for steps={steps}, seed={seed}")


# Complete hypotheses are set aside; or the beam is filled up beside them; or they
# keep their place in the beam, which is ordered by the sum or by the score.
_WAYS = ("aside", "beside", "stay", "stay, by score")


def _suits(tables: Array) -> bool:
    """Whether a beam of 2 finds the best, which ends early, and greedy search does not.

    All ways to write beam search must give the same.
    """
    best, greedy = _search(tables, 2, 1.0), _search(tables, 1, 1.0)
    return (
        1 < len(best["ids"]) < len(tables)
        and not _same(greedy, best)
        and all(_same(greedy, _search(tables, 1, 1.0, complete=way)) for way in _WAYS)
        and all(_same(best, _search(tables, 2, 1.0, complete=way)) for way in _WAYS)
    )


def _tell_apart(*tables: Array) -> bool:
    ways = [_search, *_slips().values()]
    results = [[way(table, 2, 1.0) for table in tables] for way in ways]
    return all(
        any(not _same(*pair) for pair in zip(one, other, strict=True))
        for one, other in combinations(results, 2)
    )


def _same(one: Result, other: Result) -> bool:
    same_score = abs(float(one["score"]) - float(other["score"])) < 1e-3
    return same_score and np.array_equal(one["ids"], other["ids"])
