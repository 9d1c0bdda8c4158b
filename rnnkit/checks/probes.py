"""Checks for unit 03: agreement, words at long range, and cells that follow a property."""

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_mask, random_numbers, telling_apart

Array = np.ndarray


@check
def agreement_by_attractors(answer: Function, count: int = 40, seed: int = 0) -> None:
    """Check `answer(right, wrong, attractors)`, section s12.

    Args:
        answer: The student's function of the log probabilities of the right and
            of the wrong form of the verb, `(n,)` each, and the number of
            attractors of each sentence, 0 to 3; it returns for 0, 1, 2 and 3
            attractors the share of sentences in which the right form is the
            more probable.
        count: How many sentences, at least 8.
        seed: For the random numbers.

    Raises:
        AssertionError: One of the shares is not right.
    """

    def shares(wins: Array, attractors: Array) -> Array:
        return np.array([wins[attractors == number].mean() for number in range(4)])

    def inputs(count: int, seed: int) -> tuple[Array, Array, Array]:
        attractors = np.concatenate(
            [np.arange(4), np.random.default_rng(seed).integers(0, 3, count)]
        )
        lead = random_numbers(seed, len(attractors)) + 1 - 0.5 * attractors
        wrong = -np.abs(random_numbers(seed + 1, len(attractors))) - 2
        return (wrong + lead).astype("float32").astype("float64"), wrong, attractors

    def with_equal_ones(count: int, seed: int) -> tuple[Array, Array, Array]:
        right, wrong, attractors = inputs(count, seed)
        equal = np.arange(len(right)) % 3 == 0
        return np.where(equal, wrong, right), wrong, attractors

    expect_answers(
        "agreement_by_attractors(right, wrong, attractors)",
        answer,
        {
            "": inputs(count, seed),
            "more sentences": inputs(2 * count, seed + 1),
            "forms that are equally probable": with_equal_ones(count, seed + 2),
        },
        lambda right, wrong, attractors: shares(right > wrong, attractors),
        {
            "This is the share of mistakes: the right form should have the higher probability.": (
                lambda right, wrong, attractors: shares(right < wrong, attractors)
            ),
            "This is one share for all sentences; there should be one for each number of "
            "attractors.": lambda right, wrong, attractors: (right > wrong).mean(),
            "These are counts; divide by the number of sentences with so many attractors.": (
                lambda right, wrong, attractors: np.bincount(
                    attractors, (right > wrong).astype("float64"), minlength=4
                )
            ),
            "These are divided by the number of all sentences; divide by the number of sentences "
            "with so many attractors.": lambda right, wrong, attractors: (
                np.bincount(attractors, (right > wrong).astype("float64"), minlength=4) / len(right)
            ),
            "These are mean probabilities of the right form; count where it is the more "
            "probable.": lambda right, wrong, attractors: shares(np.exp(right), attractors),
            "A right form counts where its probability is above one half; it need only be above "
            "that of the wrong form.": lambda right, wrong, attractors: shares(
                np.exp(right) > 0.5, attractors
            ),
            "A right form that is only as probable as the wrong one counts too; its probability "
            "must be higher: > and not >=.": lambda right, wrong, attractors: shares(
                right >= wrong, attractors
            ),
        },
    )


@check
def last_word_probability(answer: Function, stories: int = 6, time: int = 7, seed: int = 0) -> None:
    """Check `answer(log_probabilities, mask)`, section s13.

    Args:
        answer: The student's function of the log probabilities of the words of
            some stories, `(stories, time)`, and a mask, True for a real word;
            it returns the mean probability of the last real word of a story.
        stories: How many stories.
        time: The length of the longest, in words.
        seed: For the random numbers.

    Raises:
        AssertionError: The number is not right.
    """

    def last(logs: Array, mask: Array, back: int = 1) -> Array:
        return logs[np.arange(len(logs)), mask.sum(axis=1) - back]

    slips: dict[str, Function] = {
        "The last column is padding where a story is shorter; take the last real word of each "
        "row.": lambda logs, mask: np.exp(logs[:, -1]).mean(),
        "These are log probabilities; take exp of each first.": lambda logs, mask: last(
            logs, mask
        ).mean(),
        "This is exp of the mean; take exp of each, and the mean of the probabilities.": (
            lambda logs, mask: np.exp(last(logs, mask).mean())
        ),
        "This is the mean over all words; only the last word of each story counts.": (
            lambda logs, mask: np.exp(logs[mask]).mean()
        ),
        "This is the word before the last: the last real word stands at mask.sum() - 1.": (
            lambda logs, mask: np.exp(last(logs, mask, back=2)).mean()
        ),
        "This is the probability of the whole story; only the last word counts.": (
            lambda logs, mask: np.exp((logs * mask).sum(axis=1)).mean()
        ),
        "This is the sum over the stories; divide by their number.": lambda logs, mask: np.exp(
            last(logs, mask)
        ).sum(),
        "This is the first word of each story; take the last real one.": lambda logs, mask: np.exp(
            logs[:, 0]
        ).mean(),
        "The last places of all stories are taken from each story, as log_probabilities[:, places] "
        "does; take one from each: log_probabilities[np.arange(stories), places].": (
            lambda logs, mask: np.exp(logs[:, mask.sum(axis=1) - 1]).mean()
        ),
        "There is one number for each story; return their mean.": lambda logs, mask: np.exp(
            last(logs, mask)
        ),
    }

    def last_below_zero(logs: Array, mask: Array) -> Array:
        """The last word whose log probability is not 0, or the first word."""
        counted = (logs * mask != 0) * np.arange(mask.shape[1])
        return np.exp(logs[np.arange(len(logs)), counted.max(axis=1)]).mean()

    def right(logs: Array, mask: Array) -> Array:
        return np.asarray(np.exp(last(logs, mask)).mean())

    def make(generator: np.random.Generator) -> tuple[Array, Array] | None:
        mask = random_mask(stories, time, int(generator.integers(1000)))
        if mask.sum(axis=1).min() < 2 or mask.all(axis=1).sum() not in (1, 2):
            return None
        logs = np.log(generator.uniform(0.05, 0.9, (stories, time)))
        logs = logs.astype("float32").astype("float64")
        return np.where(mask, logs, 0.0), mask

    apart = [right, *slips.values()]
    other, mask = telling_apart(make, apart, seed + 1)
    sure = other.copy()
    sure[np.arange(0, stories, 2), mask.sum(axis=1)[::2] - 1] = 0.0
    expect_answers(
        "last_word_probability(log_probabilities, mask)",
        answer,
        {
            "": telling_apart(make, apart, seed),
            "other stories": (other, mask),
            "last words of the probability 1": (sure, mask),
        },
        right,
        {
            **slips,
            "A last word with the log probability 0 is taken for padding; only the mask says "
            "where padding is.": last_below_zero,
        },
    )


@check
def ranked_cells(answer: Function, time: int = 60, cells: int = 6, seed: int = 0) -> None:
    """Check `answer(states, inside)`, section s11: which cells follow a property of the text.

    Args:
        answer: The student's function of the states `(time, cells)` and the
            property `(time,)`, True where it holds, or a number; it returns the
            numbers of the cells, from the largest absolute correlation to the
            smallest.
        time: Positions of the text.
        cells: How many cells there are.
        seed: For the random states.

    Raises:
        AssertionError: The order is not right.
    """

    def order(measure: Function) -> Function:
        return lambda states, inside: np.argsort(-measure(states, inside.astype("float64")))

    def correlation(states: Array, inside: Array) -> Array:
        return _covariance(states, inside) / (states.std(axis=0) * inside.std())

    def right(states: Array, inside: Array) -> Array:
        return np.abs(correlation(states, inside))

    by_mean = (
        "This is the order by the mean where the property holds; compare with where it does not."
    )
    slips: dict[str, Function] = {
        "Cells that fall where the property holds come last; take the absolute correlation.": order(
            correlation
        ),
        "The order begins with the smallest correlation.": order(lambda s, p: -right(s, p)),
        "This is the order by covariance: divide by the standard deviation of the cell.": order(
            lambda s, p: np.abs(_covariance(s, p))
        ),
        "The mean is missing below the line: take the mean off the cell there too.": order(
            lambda s, p: np.abs(_covariance(s, p)) / np.sqrt((s**2).mean(axis=0))
        ),
        by_mean: order(lambda s, p: np.abs(s[p > 0].mean(axis=0))),
        "These are the correlations; return the numbers of the cells in their order.": (
            lambda states, inside: right(states, inside.astype("float64"))
        ),
        "These are ranks of the cells; return the numbers of the cells in the order of their "
        "ranks.": lambda states, inside: np.argsort(order(right)(states, inside)),
    }

    def first_is_itself(states: Array, inside: Array) -> Array:
        """The property is the last column; the best of all columns is left out."""
        strengths = right(states.astype("float64"), inside.astype("float64"))
        return np.argsort(-np.append(np.round(strengths, 12), 1.0), kind="stable")[1:]

    def by_groups(holds: Function) -> Function:
        """The distance of two means, which ranks as the correlation does for yes and no."""

        def ranks(states: Array, inside: Array) -> Array:
            distance = states[holds(inside)].mean(axis=0) - states[~holds(inside)].mean(axis=0)
            return np.argsort(-np.abs(distance) / states.std(axis=0))

        return ranks

    # Where nobody made booleans of them, numbers are places, and ~ gives places too.
    two_groups = [by_groups(lambda inside: inside.astype(bool)), by_groups(lambda inside: inside)]

    def with_number(generator: np.random.Generator) -> tuple[Array, Array] | None:
        """As the position in the line: whole numbers from 0 on."""
        position = np.arange(time) % generator.integers(7, 12)
        strength = generator.permutation(np.linspace(-0.5, 0.6, cells))
        states = strength * position[:, None] + generator.normal(size=(time, cells))
        states = states.astype("float32").astype("float64")
        strengths = np.sort(right(states, position.astype("float64")))
        return (states, position) if np.diff(strengths).min() > 1e-3 else None

    def make(generator: np.random.Generator) -> tuple[Array, Array] | None:
        inside = generator.random(time) < 0.4
        strength = generator.permutation(np.linspace(-1.5, 2.0, cells))
        states = strength * inside[:, None] + generator.normal(size=(time, cells))
        states = states * generator.uniform(0.3, 3.0, cells) + generator.normal(size=cells)
        states = states.astype("float32").astype("float64")
        strengths = np.sort(right(states, inside.astype("float64")))
        return (states, inside) if np.diff(strengths).min() > 1e-3 else None

    states, inside = telling_apart(make, [order(right), *slips.values()], seed)
    with_perfect = states.copy()
    with_perfect[:, seed % cells] = np.where(inside, -0.5, 0.25)
    known: dict[str, Function | list[Function]] = {
        **slips,
        by_mean: [
            slips[by_mean],
            lambda states, inside: np.argsort(-np.abs(states[inside].mean(axis=0))),
        ],
        "The best cell is left out, as if it were the property itself: leave out the property by "
        "its place, since a cell can follow it just as well.": first_is_itself,
        "The property is taken for yes or no; it can be a number, such as the position in the "
        "line: use the correlation with its values.": two_groups,
    }
    expect_answers(
        "ranked_cells(states, inside)",
        answer,
        {
            "": (states, inside),
            "a property that is a number": telling_apart(
                with_number, [order(right), *two_groups], seed
            ),
            "a cell that follows the property exactly": (with_perfect, inside),
        },
        order(right),
        known,
    )


def _covariance(states: Array, inside: Array) -> Array:
    return ((states - states.mean(axis=0)) * (inside - inside.mean())[:, None]).mean(axis=0)
