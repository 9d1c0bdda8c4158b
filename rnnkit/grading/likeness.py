"""Which submissions are more alike than others of the class: pairs to look at, no verdict.

Of each answer, runs of tokens are taken in which the names no longer count. Runs that
the exercise or its solution has too are left out: everybody has them. Of the rest, a run
counts the less the more of the class have it. What two students share is set against what
the one with less has in all, and that against what pairs of this class share usually.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

import numpy as np

from rnnkit.grading.answer_tokens import code_runs, word_runs

__all__ = ["OWN_CELLS", "AlikeCell", "AlikePair", "Likeness", "compare"]

OWN_CELLS = ""  # the name under which a student's own cells are compared
LEAST_SHARE = 0.5
HIGHEST_LIMIT = 0.9
# How many times the usual distance from the usual share is more than chance.
DISTANCES = 6.0
LEAST_RUNS = 40.0  # shared runs that nobody else has, or more of others: about 50 tokens
LEAST_IN_CELL = 8.0
ALIKE_CELL = 0.5
AT_ONCE = 20_000  # runs in one table

Runs = frozenset[int]


@dataclass(frozen=True)
class AlikeCell:
    """An answer that two students share.

    Args:
        name: Its ``grade_id``; `OWN_CELLS` for cells of their own.
        share: Which part of the answer that has less is in the other, from 0 to 1.
        one: The first student's text.
        other: The second student's text.
    """

    name: str
    share: float
    one: str
    other: str


@dataclass(frozen=True)
class AlikePair:
    """Two submissions that share more than pairs of their class usually do.

    Args:
        one: The first student, by name.
        other: The second.
        share: Which part of the submission that has less is in the other, from 0 to 1.
        cells: The answers that they share, in the order of the exercise.
    """

    one: str
    other: str
    share: float
    cells: tuple[AlikeCell, ...] = ()


@dataclass
class Likeness:
    """What a comparison of a class gave.

    Args:
        students: How many submissions have something of their own to compare.
        usual: The share of the pair in the middle.
        limit: The share from which pairs are listed.
        pairs: The pairs, the most alike first.
    """

    students: int
    usual: float
    limit: float
    pairs: list[AlikePair] = field(default_factory=list)


def compare(
    answers: Mapping[str, Mapping[str, str]],
    given: Iterable[str],
    written: Set[str] = frozenset(),
    least: float | None = None,
) -> Likeness:
    """Compare each submission with each.

    Args:
        answers: For each student the text of each answer, by the cell's name.
        given: Texts of the exercise and its solution, which everybody may have.
        written: The names of answers in words.
        least: List pairs from this share on, from 0 to 1; else what is more than chance.

    Example:

    >>> code = "x = [3, 1, 2]\\ny = sorted(x)\\n" + "y = [a + a * 2 for a in y if a]\\n" * 4
    >>> code += "z = max(y) - min(y) + sum(y) // len(y)\\nw = z ** 2 if z > 3 else z ** 3\\n"
    >>> found = compare({"ada": {"q1": code}, "ben": {"q1": code.replace("z", "k")}}, [])
    >>> [(pair.one, pair.other, pair.share) for pair in found.pairs]
    [('ada', 'ben', 1.0)]
    """
    known = frozenset[int]().union(*(_hashed(code_runs(t)) | _hashed(word_runs(t)) for t in given))
    cells = {
        student: {
            name: _hashed(word_runs(text) if name in written else code_runs(text)) - known
            for name, text in texts.items()
        }
        for student, texts in answers.items()
    }
    whole = {student: frozenset[int]().union(*runs.values()) for student, runs in cells.items()}
    names = sorted(student for student, runs in whole.items() if runs)
    if len(names) < 2:
        return Likeness(len(names), 0.0, least or LEAST_SHARE)
    weights = _weights([whole[name] for name in names])
    shared, shares = _table([whole[name] for name in names], weights)
    usual, limit = _limit(shares, least)
    found = Likeness(len(names), usual, limit)
    ones, others = np.nonzero((shares >= limit) & (shared >= LEAST_RUNS))
    for i, j in zip(ones, others, strict=True):
        if i < j:
            one, other = names[i], names[j]
            alike = _alike_cells(cells, whole, weights, answers, one, other)
            found.pairs.append(AlikePair(one, other, float(shares[i, j]), tuple(alike)))
    found.pairs.sort(key=lambda pair: (-pair.share, pair.one, pair.other))
    return found


def _hashed(runs: Iterable[tuple[str, ...]]) -> Runs:
    return frozenset(map(hash, runs))


def _weights(whole: list[Runs]) -> dict[int, float]:
    """How much each run says: 1 where at most two have it, near 0 where all have it."""
    count = Counter(run for runs in whole for run in runs)
    size = len(whole)
    return {run: math.log(size / max(1, has - 1)) / math.log(size) for run, has in count.items()}


def _table(whole: list[Runs], weights: Mapping[int, float]) -> tuple[np.ndarray, np.ndarray]:
    """What each two share, (students, students): in runs, and as a part of the one with less."""
    size = len(whole)
    totals = np.array([sum(weights[run] for run in runs) for runs in whole])
    count = Counter(run for runs in whole for run in runs)
    common = [run for run, has in count.items() if has > 1]
    shared = np.zeros((size, size))
    for start in range(0, len(common), AT_ONCE):
        part = {run: place for place, run in enumerate(common[start : start + AT_ONCE])}
        has = np.zeros((size, len(part)), dtype=np.float32)
        for row, runs in enumerate(whole):
            has[row, [part[run] for run in runs if run in part]] = 1.0
        shared += (has * np.array([weights[run] for run in part], dtype=np.float32)) @ has.T
    least = np.minimum.outer(totals, totals)
    shares = np.minimum(shared / np.maximum(least, 1e-9), 1.0).round(3)
    return shared, np.triu(shares, 1)


def _limit(shares: np.ndarray, least: float | None) -> tuple[float, float]:
    """The usual share, and the share from which pairs are listed."""
    values = shares[np.triu_indices(len(shares), 1)]
    usual = float(np.median(values))
    distance = 1.4826 * float(np.median(np.abs(values - usual)))
    chance = min(max(LEAST_SHARE, usual + DISTANCES * distance), HIGHEST_LIMIT)
    return usual, chance if least is None else least


def _alike_cells(
    cells: Mapping[str, Mapping[str, Runs]],
    whole: Mapping[str, Runs],
    weights: Mapping[int, float],
    answers: Mapping[str, Mapping[str, str]],
    one: str,
    other: str,
) -> list[AlikeCell]:
    found = []
    for name in dict.fromkeys([*cells[one], *cells[other]]):
        shares = []
        for student, against in ((one, other), (other, one)):
            runs = cells[student].get(name, frozenset())
            total = sum(weights[run] for run in runs)
            if total >= LEAST_IN_CELL:
                shares.append(sum(weights[run] for run in runs & whole[against]) / total)
        if shares and max(shares) >= ALIKE_CELL:
            texts = [answers[student].get(name, "") for student in (one, other)]
            found.append(AlikeCell(name, round(max(shares), 3), *texts))
    return found
