"""Checks for unit 05: the context, what the decoder sees, and how its outputs are counted."""

from collections.abc import Sequence

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers
from rnnkit.checks.recurrence import elman, run
from rnnkit.text import Vocabulary

Array = np.ndarray
PAD, EOS = Vocabulary.pad_id, Vocabulary.eos_id


@check
def context_as_state(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, context, W, U, b)`, section s20: the decoder begins with the context.

    Args:
        answer: The student's function of the vectors that the decoder sees,
            `(batch, time, features)`, the context `(batch, units)` and the
            weights of an Elman decoder; it returns its states, `(batch, time,
            units)`.
        seed: For the random inputs.

    Raises:
        AssertionError: The states are not right.
    """

    def states(inputs: Array, first: Array, *w: Array) -> Array:
        return run(lambda x, h: elman(x, h, *w), inputs, first)

    expect_answers(
        "decode_from_context(inputs, context, W, U, b)",
        answer,
        {
            "": _decoder(3, 5, 4, 4, seed),
            "another size of the inputs": _decoder(2, 4, 2, 3, seed + 10),
            "a batch of one": _decoder(1, 3, 2, 3, seed + 20),
            "one step": _decoder(2, 1, 3, 2, seed + 30),
        },
        states,
        {
            "The decoder begins with zeros; its first state should be the context.": (
                lambda inputs, context, *w: states(inputs, 0 * context, *w)
            ),
            "Each step begins with the context again; after the first, it should begin with the "
            "state before.": lambda inputs, context, *w: np.stack(
                [elman(x, context, *w) for x in inputs.swapaxes(0, 1)], axis=1
            ),
            "The context is added to the state at each step; it should be the first state alone.": [
                lambda inputs, context, *w: run(
                    lambda x, h: elman(x, h + context, *w), inputs, 0 * context
                ),
                lambda inputs, context, *w: run(
                    lambda x, h: elman(x, h + context, *w), inputs, context
                ),
            ],
            "The context stands in front of the states; there should be one state for each "
            "step.": lambda inputs, context, *w: np.concatenate(
                [context[:, None], states(inputs, context, *w)], axis=1
            ),
            "These are the states before each step; they should be the states after it.": (
                lambda inputs, context, *w: np.concatenate(
                    [context[:, None], states(inputs, context, *w)[:, :-1]], axis=1
                )
            ),
            "The last state is there alone; give those of all steps.": (
                lambda *i: states(*i)[:, -1]
            ),
            "All sentences have the context of the first.": lambda inputs, context, *w: states(
                inputs, np.broadcast_to(context[:1], context.shape), *w
            ),
        },
    )


@check
def context_each_step(answer: Function, seed: int = 0) -> None:
    """Check `answer(inputs, context, W, U, b)`, section s20: the context is an input of each step.

    Args:
        answer: The student's function of the vectors that the decoder sees,
            `(batch, time, features)`, the context `(batch, units)` and the
            weights of an Elman decoder, W `(features + units, units)`. Each step
            reads its vector and, after it, the context. The first state is
            zeros. It returns the states, `(batch, time, units)`.
        seed: For the random inputs.

    Raises:
        AssertionError: The states are not right.
    """

    def read(
        inputs: Array, contexts: Array, first: Array, *w: Array, turned: bool = False
    ) -> Array:
        parts = [contexts, inputs] if turned else [inputs, contexts]
        return run(lambda x, h: elman(x, h, *w), np.concatenate(parts, axis=-1), first)

    def each(inputs: Array, context: Array) -> Array:
        return np.repeat(context[:, None], inputs.shape[1], axis=1)

    def states(inputs: Array, context: Array, *w: Array) -> Array:
        return read(inputs, each(inputs, context), 0 * context, *w)

    def first_alone(inputs: Array, context: Array) -> Array:
        contexts = 0 * each(inputs, context)
        contexts[:, 0] = context
        return contexts

    expect_answers(
        "decode_with_context(inputs, context, W, U, b)",
        answer,
        {
            "": _decoder(3, 5, 4, 4, seed, wide=True),
            "another size of the inputs": _decoder(2, 4, 2, 3, seed + 10, wide=True),
            "a batch of one": _decoder(1, 3, 2, 3, seed + 20, wide=True),
            "one step": _decoder(2, 1, 3, 2, seed + 30, wide=True),
        },
        states,
        {
            "The context is read at the first step alone; each step should read it.": (
                lambda x, c, *w: read(x, first_alone(x, c), 0 * c, *w)
            ),
            "The context is joined in front of the vector; it should come after it.": (
                lambda x, c, *w: read(x, each(x, c), 0 * c, *w, turned=True)
            ),
            "The context is left out.": lambda x, c, *w: read(x, 0 * each(x, c), 0 * c, *w),
            "The first state is the context; here it should be zeros.": lambda x, c, *w: read(
                x, each(x, c), c, *w
            ),
            "The context is the first state and no input; each step should read it.": (
                lambda x, c, *w: read(x, 0 * each(x, c), c, *w)
            ),
            "All sentences have the context of the first.": lambda x, c, *w: states(
                x, np.broadcast_to(c[:1], c.shape), *w
            ),
            "Each step begins with zeros: the new state is not passed on.": lambda x, c, *w: (
                np.concatenate([states(x[:, [t]], c, *w) for t in range(x.shape[1])], axis=1)
            ),
            "The last state is there alone; give those of all steps.": (
                lambda *i: states(*i)[:, -1]
            ),
        },
    )


def _decoder(
    batch: int, time: int, features: int, units: int, seed: int, wide: bool = False
) -> tuple[Array, ...]:
    return (
        random_numbers(seed, batch, time, features),
        0.7 * random_numbers(seed + 1, batch, units),
        random_numbers(seed + 2, features + units if wide else features, units),
        0.7 * random_numbers(seed + 3, units, units),
        random_numbers(seed + 4, units),
    )


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
        },
        lambda true, predicted, p, draws: mix(true, predicted, draws < p),
        {
            "It is the wrong way round: below the probability the true symbol is taken.": (
                lambda true, predicted, p, draws: mix(true, predicted, draws >= p)
            ),
            "The first number decides for all sentences; each has its own.": (
                lambda true, predicted, p, draws: mix(true, predicted, draws[0] < p)
            ),
            "The true symbols are always taken: this is teacher forcing alone.": (
                lambda true, predicted, p, draws: true
            ),
            "The predicted symbols are always taken.": lambda true, predicted, p, draws: predicted,
            "The two ids are mixed by weights; an id cannot be mixed, one of the two must be "
            "taken.": lambda true, predicted, p, draws: p * true + (1 - p) * predicted,
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

    def inputs(n: int, m: int, seed: int) -> tuple:
        ids = np.random.default_rng(seed).permutation(20) + 5
        return ids[:n], ids[n : n + m], 4, EOS

    expect_answers(
        "join(source, target, sep_id, eos_id)",
        answer,
        {"": inputs(4, 3, seed), "one symbol each": inputs(1, 1, seed + 1)},
        result,
        {
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
            "There is no separator between source and target.": (
                lambda *i: result(*i, separator=False)
            ),
            "There is no end token, so the model never learns to stop.": (
                lambda *i: result(*i, end=False)
            ),
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
