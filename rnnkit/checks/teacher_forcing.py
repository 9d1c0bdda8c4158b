"""Checks for unit 05: a mix of true and predicted symbols, and one text of input and output."""

from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function
from rnnkit.text import Vocabulary

Array = np.ndarray


@check
def scheduled_mix(answer: Function, count: int = 12, seed: int = 0) -> None:
    """Check `answer(true, predicted, probability, draws)`, section s21.

    Args:
        answer: The student's function of the true previous symbols `(batch,)`,
            those that the model predicted, the probability of teacher forcing,
            and numbers drawn from 0 to 1, one for each sentence. It returns the
            true symbol where the number is below the probability, else the
            predicted one.
        count: How many sentences.
        seed: For the random symbols.

    Raises:
        AssertionError: The symbols are not right.
    """

    def inputs(count: int, probability: float, seed: int) -> tuple:
        generator = np.random.default_rng(seed)
        true = generator.integers(4, 10, count)
        predicted = true + generator.integers(1, 5, count)
        draws = (generator.permutation(count) + 0.5) / count
        lowest = int(draws.argmin())
        draws[lowest], draws[0] = draws[0], draws[lowest]  # the first is the lowest
        return true, predicted, probability, draws

    def with_numbers(probability: float, draws: list[float]) -> tuple:
        true, predicted, *_ = inputs(len(draws), probability, seed)
        return true, predicted, probability, np.array(draws)

    def except_for(symbol: int, *, shown: bool) -> Function:
        """This true symbol is always shown, or this predicted one never."""
        if shown:
            return lambda true, own, p, draws: mix(true, own, (draws < p) | (true == symbol))
        return lambda true, own, p, draws: mix(true, own, (draws < p) | (own == symbol))

    def mix(true: Array, predicted: Array, chosen: Array) -> Array:
        return np.where(chosen, true, predicted)

    expect_answers(
        "scheduled_mix(true, predicted, probability, draws)",
        answer,
        {
            "": inputs(count, 0.7, seed),
            "another probability": inputs(count, 0.4, seed + 4),
            "the probability 1": inputs(count, 1.0, seed + 1),
            "the probability 0": inputs(count, 0.0, seed + 2),
            "a batch of one": inputs(1, 0.3, seed + 3),
            # float32 holds these numbers exactly.
            "numbers equal to the probability": with_numbers(0.5, [0.25, 0.5, 0.75, 0.5]),
            "the probability 0 and a number 0": with_numbers(0.0, [0.0, 0.5]),
            "symbols below 4": (
                np.array([2, 3, 1, 0, 5, 6, 7, 8, 2, 0]),
                np.array([5, 6, 7, 8, 2, 3, 1, 0, 9, 4]),
                0.5,
                np.array([0.75] * 8 + [0.25] * 2),
            ),
        },
        lambda true, predicted, p, draws: mix(true, predicted, draws < p),
        {
            "It is the wrong way round: below the probability the true symbol is taken.": [
                lambda true, predicted, p, draws: mix(true, predicted, draws >= p),
                lambda true, predicted, p, draws: mix(true, predicted, draws > p),
            ],
            "A number that equals the probability takes the true symbol too; it should be below "
            "the probability.": lambda true, predicted, p, draws: mix(true, predicted, draws <= p),
            "The first number decides for all sentences; each has its own.": (
                lambda true, predicted, p, draws: mix(true, predicted, draws[0] < p)
            ),
            "The true symbols are always taken: this is teacher forcing alone.": (
                lambda true, predicted, p, draws: true
            ),
            "The predicted symbols are always taken.": lambda true, predicted, p, draws: predicted,
            "The two ids are mixed by weights; an id cannot be mixed, one of the two must be "
            "taken.": [
                lambda true, predicted, p, draws: p * true + (1 - p) * predicted,
                lambda true, predicted, p, draws: np.round(p * true + (1 - p) * predicted),
                lambda true, predicted, p, draws: np.floor(p * true + (1 - p) * predicted),
            ],
            "The start token, the end token, padding or the unknown symbol is an exception; the "
            "number alone decides.": [
                except_for(symbol, shown=shown) for symbol in range(4) for shown in (True, False)
            ],
            "The probability is compared with one half; compare the numbers with it.": (
                lambda true, predicted, p, draws: mix(
                    true, predicted, np.full(draws.shape, p > 0.5)
                )
            ),
            "The numbers are compared with one half; compare them with the probability.": (
                lambda true, predicted, p, draws: mix(true, predicted, draws < 0.5)
            ),
        },
    )


@check
def joined_with_separator(answer: Function, seed: int = 0) -> None:
    """Check `answer(source, target, sep_id, eos_id)`, section s21: `input <SEP> output`.

    Args:
        answer: The student's function of a source and a target, `(n,)` and
            `(m,)`, and two ids. One model reads source, SEP, target, EOS as a
            text. It returns what the model sees, what it should predict (each
            `n + m + 1` long), and the mask of what counts in the loss: the
            target and EOS.
        seed: For the random ids.

    Raises:
        AssertionError: One of the three is not right.
    """

    def result(
        source: Array,
        target: Array,
        sep: int,
        eos: int,
        *,
        counted: str = "target",
        shift: int = 1,
        separator: bool = True,
        end: bool = True,
    ) -> dict[str, Array]:
        middle, last = ([sep] if separator else []), ([eos] if end else [])
        text = np.array([*source, *middle, *target, *last])
        begin = {
            "target": len(source) + len(middle) - 1,
            "all": 0,
            "separator": len(source) + len(middle) - 2,
            "one late": len(source) + len(middle),
            "source": len(text),
        }[counted]
        seen = text[:-1]
        following = text[1:] if shift else text[:-1]
        places = np.arange(len(seen))
        mask = places < len(source) if counted == "source" else places >= begin
        return {"inputs": seen, "targets": following, "mask": mask}

    def inputs(n: int, m: int, seed: int, shared: int = 0) -> tuple:
        ids = np.random.default_rng(seed).permutation(20) + 5
        source, target = ids[:n], ids[n : n + m]
        source[1 : 1 + shared] = target[:shared]
        return source, target, 4, Vocabulary.eos_id

    def with_unknown(n: int, m: int, seed: int) -> tuple:
        source, target, *more = inputs(n, m, seed)
        source[-1] = target[1] = Vocabulary.unk_id
        return source, target, *more

    def without_unknown(*i: Any) -> dict[str, Array]:
        parts = result(*i)
        return {**parts, "mask": parts["mask"] & (parts["targets"] != Vocabulary.unk_id)}

    def first_left_out(source: Array, target: Array, sep: int, eos: int) -> dict[str, Array]:
        parts = result(source, target, sep, eos)
        return {**parts, "targets": np.array([*source[1:], sep, *target, eos])}

    def by_value(
        source: Array, target: Array, sep: int, eos: int, *, end: bool
    ) -> dict[str, Array]:
        parts = result(source, target, sep, eos)
        counted = [*target, eos] if end else target
        return {**parts, "mask": np.isin(parts["targets"], counted)}

    def emptied(filler: int) -> Function:
        def way(*i: Any) -> dict[str, Array]:
            parts = result(*i)
            return {**parts, "targets": np.where(parts["mask"], parts["targets"], filler)}

        return way

    expect_answers(
        "join(source, target, sep_id, eos_id)",
        answer,
        {
            "": inputs(4, 3, seed),
            "one symbol each": inputs(1, 1, seed + 1),
            "symbols that stand in source and target": inputs(5, 4, seed + 2, shared=2),
            "an unknown symbol in source and target": with_unknown(3, 3, seed + 3),
            "other ids of SEP and EOS": (*inputs(3, 2, seed + 4)[:2], 30, 31),
            "an empty source": inputs(0, 3, seed + 5),
            "an empty target": inputs(3, 0, seed + 6),
        },
        result,
        {
            "The target is found by its symbols, so that the same symbols of the source count in "
            "the loss too; only the place says what counts.": [
                lambda *i: by_value(*i, end=True),
                lambda *i: by_value(*i, end=False),
            ],
            "The targets are emptied where the source stands; they are the text one symbol "
            "further, and the mask alone says what counts.": [
                emptied(Vocabulary.pad_id),
                emptied(-1),
                emptied(-100),
            ],
            "The source counts in the loss too; only the target and EOS should.": (
                lambda *i: result(*i, counted="all")
            ),
            "The source counts in the loss, and the target does not; it should be the other way "
            "round.": lambda *i: result(*i, counted="source"),
            "The separator counts in the loss: it is given, not predicted.": (
                lambda *i: result(*i, counted="separator")
            ),
            "The first symbol of the target does not count in the loss. It is predicted from the "
            "separator.": lambda *i: result(*i, counted="one late"),
            "The targets are the inputs: they should be one symbol further.": (
                lambda *i: result(*i, shift=0)
            ),
            "An unknown symbol (UNK_ID) of the target does not count in the loss; all its symbols "
            "do.": without_unknown,
            "The text ends with EOS_ID; it should end with the eos_id that is passed.": (
                lambda source, target, sep, eos: result(source, target, sep, Vocabulary.eos_id)
            ),
            "The separator is 4, as in the example; it should be the sep_id that is passed.": (
                lambda source, target, sep, eos: result(source, target, 4, eos)
            ),
            "The first symbol of the source is left out of the targets; where the source is empty, "
            "that is the separator.": first_left_out,
            "There is no separator between source and target.": (
                lambda *i: result(*i, separator=False)
            ),
            "There is no end token, so the model never learns to stop.": (
                lambda *i: result(*i, end=False)
            ),
        },
    )
