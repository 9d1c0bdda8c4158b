"""Checks for units 03 and 05: targets, cross-entropy, perplexity, bits per character."""

from collections.abc import Sequence

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, log_softmax, random_mask, random_numbers, softmax
from rnnkit.text import Vocabulary

Array = np.ndarray
PAD = Vocabulary.pad_id


@check
def next_symbol_targets(answer: Function, seed: int = 0) -> None:
    """Check `answer(ids)`, section s8: what a language model sees, and what it predicts.

    Args:
        answer: The student's function of ids `(batch, time)`; it returns the
            inputs and the targets, both `(batch, time - 1)`: the target of a
            symbol is the symbol after it.
        seed: For the random ids.

    Raises:
        AssertionError: One of the two is not right.
    """

    def result(inputs: Array, targets: Array) -> dict[str, Array]:
        return {"inputs": inputs, "targets": targets}

    def ids(batch: int, time: int, seed: int) -> tuple[Array]:
        generator = np.random.default_rng(seed)
        rows = [generator.permutation(time) + 4 for _ in range(batch)]
        return (np.where(random_mask(batch, time, seed), np.stack(rows), PAD),)

    expect_answers(
        "next_symbol_targets(ids)",
        answer,
        {
            "": ids(3, 7, seed),
            "a batch of one": ids(1, 4, seed + 1),
            "two symbols": ids(2, 2, seed + 3),
        },
        lambda ids: result(ids[:, :-1], ids[:, 1:]),
        {
            "Inputs and targets are the same: the model would learn to copy the symbol that it "
            "sees.": [
                lambda ids: result(ids[:, :-1], ids[:, :-1]),
                lambda ids: result(ids[:, 1:], ids[:, 1:]),
                lambda ids: result(ids, ids),
            ],
            "They are the wrong way round: the target is the symbol after, not the symbol "
            "before.": lambda ids: result(ids[:, 1:], ids[:, :-1]),
            "The last target is the first symbol of the row: rolling is not shifting.": (
                lambda ids: result(ids, np.roll(ids, -1, axis=1))
            ),
            "The last symbol is an input too, but no symbol follows it.": [
                lambda ids: result(ids, ids[:, 1:]),
                lambda ids: result(ids, np.pad(ids[:, 1:], ((0, 0), (0, 1)))),
            ],
            "The targets are two symbols ahead; they should be one ahead.": [
                lambda ids: result(ids[:, :-2], ids[:, 2:]),
                lambda ids: result(ids[:, :-1], np.pad(ids[:, 2:], ((0, 0), (0, 1)))),
            ],
            "The shift runs over the sentences; it should run over time, the second axis.": (
                lambda ids: result(ids[:-1], ids[1:])
            ),
        },
    )


@check
def cross_entropy(answer: Function, seed: int = 0) -> None:
    """Check `answer(logits, targets, mask)`, section s8: the mean over real symbols, in nats.

    Args:
        answer: The student's function of logits `(batch, time, vocabulary)`,
            targets `(batch, time)` and a mask `(batch, time)`, True for a real
            symbol; it returns one number.
        seed: For the random inputs.

    Raises:
        AssertionError: The number is not right.
    """
    _expect_loss("cross_entropy(logits, targets, mask)", answer, seed, with_mask=True)


@check
def masked_loss(answer: Function, seed: int = 0) -> None:
    """Check `answer(logits, targets)`, section s20: as `cross_entropy`, padding told by its id.

    Args:
        answer: The student's function of logits `(batch, time, vocabulary)` and
            targets `(batch, time)`, PAD_ID on padding; it returns one number.
        seed: For the random inputs.

    Raises:
        AssertionError: The number is not right.
    """
    _expect_loss("masked_loss(logits, targets)", answer, seed, with_mask=False)


def _expect_loss(what: str, answer: Function, seed: int, with_mask: bool) -> None:
    def inputs(batch: int, time: int, seed: int, scale: float = 1.0) -> tuple[Array, ...]:
        logits = scale * random_numbers(seed, batch, time, 6)
        mask = random_mask(batch, time, seed)
        targets = np.random.default_rng(seed + 1).integers(1, 6, (batch, time))
        targets = np.where(mask, targets, PAD)
        return (logits, targets, mask) if with_mask else (logits, targets)

    def of_target(scores: Array, targets: Array) -> Array:
        return np.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]

    def way(reduce: Function, scores: Function = log_softmax) -> Function:
        """A loss made of the score of each target and a way to make one number of them."""

        def loss(logits: Array, targets: Array, mask: Array | None = None) -> Array:
            mask = targets != PAD if mask is None else mask
            return np.asarray(reduce(-of_target(scores(logits), targets), mask))

        return loss

    def mean(losses: Array, mask: Array) -> Array:
        return losses[mask].mean()

    def counting_losses(losses: Array, mask: Array) -> Array:
        return (losses * mask).sum() / (losses * mask > 1e-7).sum()  # less is 0 in float32

    def up_to_largest_target(logits: Array, targets: Array, *mask: Array) -> Array:
        return way(mean)(logits[..., : targets.max() + 1], targets, *mask)

    def log_above(least: float) -> Function:
        return way(mean, lambda logits: np.log(softmax(logits) + least))

    def not_chosen(logits: Array) -> Array:
        return softmax(logits) - 1

    def exponentials(logits: Array) -> Array:
        return np.exp(logits.astype("float32"))

    def shares(numbers: Array) -> Array:
        return numbers / numbers.sum(axis=-1, keepdims=True)

    def log_shares(logits: Array, largest: float) -> Array:
        shifted = logits - largest
        return shifted - np.log(exponentials(shifted).sum(axis=-1, keepdims=True))

    def of_a_sure_model(batch: int, time: int, seed: int) -> tuple[Array, ...]:
        """The loss of every other symbol is 0, and some symbols are no target."""
        logits, targets, *mask = inputs(batch, time, seed)
        targets = np.minimum(targets, 3)
        sure = np.arange(6) == targets[..., None]
        return (logits + 60.0 * sure * (np.arange(time) % 2 == 0)[:, None], targets, *mask)

    even = seed + seed % 2  # with an even seed there is padding
    expect_answers(
        what,
        answer,
        {
            "": inputs(4, 6, even),
            "a batch of one": inputs(1, 4, even + 2),
            "one symbol": inputs(1, 1, even + 4),
            "large logits": inputs(3, 5, even + 6, scale=500.0),
            "symbols of which the model is sure": of_a_sure_model(4, 6, even + 8),
        },
        way(mean),
        {
            "Padding counts too: the mean should run over real symbols only.": way(
                lambda losses, mask: losses.mean()
            ),
            "Padding is set to 0 but still counted: divide by the number of real symbols.": way(
                lambda losses, mask: (losses * mask).mean()
            ),
            "The losses are added up over time: divide by the number of real symbols, not of "
            "sentences.": way(lambda losses, mask: (losses * mask).sum() / len(mask)),
            "This is the sum of the losses; it should be their mean.": way(
                lambda losses, mask: losses[mask].sum()
            ),
            "This is the mean of the sentences' means, so that a symbol of a short sentence counts "
            "more; take the mean over all real symbols.": way(
                lambda losses, mask: ((losses * mask).sum(axis=1) / mask.sum(axis=1)).mean()
            ),
            "This is in bits; take the natural logarithm.": way(
                lambda losses, mask: mean(losses, mask) / np.log(2)
            ),
            "The logarithm has the base 10; take the natural logarithm.": way(
                lambda losses, mask: mean(losses, mask) / np.log(10)
            ),
            "The logarithm is missing: this is the mean of the probabilities.": [
                way(mean, softmax),
                way(lambda losses, mask: -mean(losses, mask), softmax),
                way(mean, not_chosen),
            ],
            "The sign is wrong: the loss is minus the logarithm of the probability.": way(
                lambda losses, mask: -mean(losses, mask)
            ),
            "The softmax is missing: these are the logits of the targets themselves.": [
                way(mean, lambda logits: logits),
                way(lambda losses, mask: -mean(losses, mask), lambda logits: logits),
            ],
            "The softmax is taken twice.": way(mean, lambda logits: log_softmax(softmax(logits))),
            "An exp() becomes infinity or 0 there: first subtract the largest logit of each "
            "position, not one for all, and take no logarithm of a softmax.": [
                way(mean, lambda logits: np.log(shares(exponentials(logits)))),
                way(mean, lambda logits: log_shares(logits, 0.0)),
                way(mean, lambda logits: log_shares(logits, float(logits.max()))),
                way(mean, lambda logits: np.log(softmax(logits).astype("float32"))),
            ],
            "A small number inside the logarithm keeps the losses from being as large as they are: "
            "compute the logarithm from the logits, without a softmax before it.": [
                log_above(least) for least in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12)
            ],
            "A symbol with the loss 0 is not counted, as if it were padding; only the mask says "
            "where padding is.": way(counting_losses),
            "The sum of exp runs up to the largest target of the batch; it should run over the "
            "whole vocabulary.": up_to_largest_target,
            "The softmax runs over time; it should run over the vocabulary.": way(
                mean, lambda logits: log_softmax(logits.swapaxes(1, 2)).swapaxes(1, 2)
            ),
            "The mask is inverted: True means a real symbol.": way(
                lambda losses, mask: losses[~mask].mean()
            ),
            "This is the perplexity; the loss is its logarithm.": way(
                lambda losses, mask: np.exp(mean(losses, mask))
            ),
        },
    )


@check
def perplexity(answer: Function, seed: int = 0) -> None:
    """Check `answer(log_probabilities, mask)`, section s8.

    Args:
        answer: The student's function of the natural logarithms of the
            probabilities that a model gave to what came, `(batch, time)`, and a
            mask, True for a real symbol; it returns one number: e to the mean
            cross-entropy. A model that takes all of 7 symbols for equally
            probable has the perplexity 7.
        seed: For the random inputs.

    Raises:
        AssertionError: The number is not right.
    """

    def per_sentence(logs: Array, mask: Array) -> Array:
        return (logs * mask).sum(axis=1) / mask.sum(axis=1)

    _expect_score(
        "perplexity(log_probabilities, mask)",
        answer,
        seed,
        lambda logs, mask: np.exp(-logs[mask].mean()),
        {
            "The bases differ: the logarithms are natural, so take e to the mean, not 2 to the "
            "mean.": lambda logs, mask: 2 ** -logs[mask].mean(),
            "Padding counts too: the mean should run over real symbols only.": (
                lambda logs, mask: np.exp(-logs.mean())
            ),
            "Padding is set to 0 but still counted: divide by the number of real symbols.": (
                lambda logs, mask: np.exp(-(logs * mask).mean())
            ),
            "This is exp of the sum; take the mean over the symbols first.": (
                lambda logs, mask: np.exp(-logs[mask].sum())
            ),
            "The exponent is the sum over time; divide by the number of real symbols, not of "
            "sentences.": lambda logs, mask: np.exp(-(logs * mask).sum() / len(mask)),
            "The exp is missing: this is the cross-entropy.": lambda logs, mask: -logs[mask].mean(),
            "The sign of the exponent is wrong: this is one over the perplexity.": (
                lambda logs, mask: np.exp(logs[mask].mean())
            ),
            "This is the mean of the sentences' perplexities; take the mean of the logarithms "
            "first.": lambda logs, mask: np.exp(-per_sentence(logs, mask)).mean(),
            "This is the mean of 1/p over the symbols; take the mean of the logarithms first.": (
                lambda logs, mask: np.exp(-logs[mask]).mean()
            ),
            "The exponent is the mean of the sentences' means; take the mean over all real "
            "symbols.": lambda logs, mask: np.exp(-per_sentence(logs, mask).mean()),
            _NOT_COUNTED: lambda logs, mask: np.exp(
                -(logs * mask).sum() / np.count_nonzero(logs * mask)
            ),
            _TOO_SMALL: lambda logs, mask: (1 / np.exp(logs[mask]).prod()) ** (1 / mask.sum()),
        },
    )


@check
def bits_per_character(answer: Function, seed: int = 0) -> None:
    """Check `answer(log_probabilities, mask)`, section s10.

    Args:
        answer: The student's function, as for `perplexity`; it returns the mean
            cross-entropy in bits, which is that in nats divided by ln 2.
        seed: For the random inputs.

    Raises:
        AssertionError: The number is not right.
    """

    def bits(logs: Array) -> Array:
        return -logs / np.log(2)

    _expect_score(
        "bits_per_character(log_probabilities, mask)",
        answer,
        seed,
        lambda logs, mask: bits(logs[mask]).mean(),
        {
            "This is in nats; divide by ln 2 for bits.": lambda logs, mask: -logs[mask].mean(),
            "It is multiplied by ln 2; divide by it.": lambda logs, mask: (
                -logs[mask].mean() * np.log(2)
            ),
            "Padding counts too: the mean should run over real characters only.": (
                lambda logs, mask: bits(logs).mean()
            ),
            "Padding is set to 0 but still counted: divide by the number of real characters.": (
                lambda logs, mask: bits(logs * mask).mean()
            ),
            "This is the sum of all bits; divide by the number of real characters.": (
                lambda logs, mask: bits(logs[mask]).sum()
            ),
            "These are bits for each sentence; divide by the number of real characters.": (
                lambda logs, mask: bits(logs * mask).sum() / len(mask)
            ),
            "The sign is wrong: fewer bits are better, and there are no negative ones.": (
                lambda logs, mask: -bits(logs[mask]).mean()
            ),
            "This is the perplexity; bits per character is its logarithm to the base 2.": (
                lambda logs, mask: np.exp(-logs[mask].mean())
            ),
            "The logarithm is taken twice: the numbers that come in are logarithms already.": (
                lambda logs, mask: -np.log2(-logs[mask]).mean()
            ),
            "The logarithm of 2 is rounded too much: take np.log(2).": [
                lambda logs, mask: -logs[mask].mean() / 0.69,
                lambda logs, mask: -logs[mask].mean() / 0.693,
                lambda logs, mask: -logs[mask].mean() / 0.7,
            ],
            _NOT_COUNTED: lambda logs, mask: (
                bits(logs * mask).sum() / np.count_nonzero(logs * mask)
            ),
            _TOO_SMALL: lambda logs, mask: -np.log2(np.exp(logs[mask]).prod()) / mask.sum(),
        },
    )


_NOT_COUNTED = (
    "A symbol with the log probability 0 is not counted, as if it were padding; only the mask says "
    "where padding is."
)
_TOO_SMALL = (
    "The product of so many probabilities is too small for a number and becomes 0: add up their "
    "logarithms."
)


def _expect_score(
    what: str,
    answer: Function,
    seed: int,
    right: Function,
    slips: dict[str, Function | Sequence[Function]],
) -> None:
    def inputs(batch: int, time: int, seed: int) -> tuple[Array, Array]:
        logs = np.log(np.random.default_rng(seed).uniform(0.05, 0.9, (batch, time)))
        return logs.astype("float32").astype("float64"), random_mask(batch, time, seed)

    even = seed + seed % 2  # with an even seed there is padding
    uniform = np.full((2, 3), np.float64(np.float32(np.log(1 / 7))))
    logs, mask = inputs(4, 6, even + 6)
    sure = np.where(np.arange(6) % 2, logs, 0.0)
    expect_answers(
        what,
        answer,
        {
            "": inputs(4, 6, even),
            "a batch of one": inputs(1, 4, even + 2),
            "one symbol": inputs(1, 1, even + 4),
            "a model for which 7 symbols are equally probable": (uniform, uniform < 0),
            "symbols of the probability 1": (sure, mask),
            "a long text": inputs(8, 500, even + 8),
        },
        right,
        slips,
    )
