"""Checks for unit 01: one recurrent network as encoder, as acceptor and as transducer."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers, softmax

Array = np.ndarray
Kind = Literal["encoder", "acceptor", "transducer"]


@check
def used_as(answer: Function, kind: Kind, seed: int = 0) -> None:
    """Check what is taken from the states of a recurrent network, section s1.

    Args:
        answer: The student's function. "encoder": of the states `(batch, time,
            units)` and the mask `(batch, time)`; it returns the state after
            the last real word of each sentence, `(batch, units)`. "acceptor":
            of the same, V `(units, labels)` and c `(labels,)`; it returns the
            logits of that state. "transducer": of the states, V and c; it
            returns the logits of each step, `(batch, time, labels)`.
        kind: Which of the three.
        seed: For the random states.

    Raises:
        AssertionError: The result is not right.
        ValueError: There is no such kind.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"used_as expects one of {', '.join(get_args(Kind))}. Received: {kind!r}")
    if kind == "transducer":
        _transducer(answer, seed)
        return

    def ended(pick: Function) -> Function:
        """As the encoder, or with the output layer upon it."""
        if kind == "encoder":
            return pick
        return lambda states, mask, V, c: pick(states, mask) @ V + c

    right = ended(_last_real)
    slips: dict[str, Function | Sequence[Function]] = {
        "The state in the last column is taken. Where a sentence is padded, that is a state after "
        "padding; take the one after its last real word.": ended(lambda s, mask: s[:, -1]),
        "It is one place too far: the state after n words stands at index n - 1.": ended(
            lambda s, mask: s[np.arange(len(s)), mask.sum(axis=1)]
        ),
        "It is one place too early: the state after n words stands at index n - 1.": ended(
            lambda s, mask: s[np.arange(len(s)), mask.sum(axis=1) - 2]
        ),
        "The length of the first sentence is taken for all; each has its own.": ended(
            lambda s, mask: s[:, mask[0].sum() - 1]
        ),
        "The first state is taken; take the last real one.": ended(lambda s, mask: s[:, 0]),
        "This is the mean of the states; take the last real one.": [
            ended(lambda s, mask: s.mean(axis=1)),
            ended(lambda s, mask: (s * mask[..., None]).sum(axis=1) / mask.sum(axis=1)[:, None]),
        ],
        "The states are added up; take the last real one.": [
            ended(lambda s, mask: s.sum(axis=1)),
            ended(lambda s, mask: (s * mask[..., None]).sum(axis=1)),
        ],
        "Of a sentence without padding, the first state is taken; take the last one.": [
            ended(lambda s, mask: s[np.arange(len(s)), (mask.sum(axis=1) - 1) * ~mask.all(axis=1)]),
            # With one step, this fails.
            ended(lambda s, m: s[np.arange(len(s)), (m[:, :-1] & ~m[:, 1:]).argmax(axis=1)]),
        ],
        "Of a sentence of one word, the state after the padding is taken; take the one after the "
        "word.": ended(
            lambda s, mask: s[
                np.arange(len(s)), np.clip(mask.sum(axis=1) - 1, 1, None) % s.shape[1]
            ]
        ),
        "The states on padding are set to 0, and then the last column is taken.": ended(
            lambda s, mask: s[:, -1] * mask[:, -1:]
        ),
    }
    if kind == "acceptor":
        slips |= _output_slips(right, _last_real)
    cases = {
        "": _inputs(4, 6, 4, 4, seed, padded=True),
        "other sizes": _inputs(3, 5, 2, 3, seed + 1, padded=False),
        "a batch of one": _inputs(1, 4, 3, 2, seed + 2, padded=True),
        "a sentence of one step": _inputs(2, 1, 3, 4, seed + 3, padded=False),
    }
    if kind == "encoder":
        expect_answers(
            "encoder(states, mask)",
            answer,
            {label: inputs[:2] for label, inputs in cases.items()},
            right,
            slips,
        )
    else:
        expect_answers("acceptor(states, mask, V, c)", answer, cases, right, slips)


def _transducer(answer: Function, seed: int) -> None:
    def logits(states: Array, V: Array, c: Array) -> Array:
        return states @ V + c

    def inputs(batch: int, time: int, units: int, labels: int, seed: int) -> tuple[Array, ...]:
        states, _, V, c = _inputs(batch, time, units, labels, seed, padded=False)
        return states, V, c

    expect_answers(
        "transducer(states, V, c)",
        answer,
        {
            "": inputs(4, 6, 4, 4, seed),
            "other sizes": inputs(3, 5, 2, 3, seed + 1),
            "a batch of one": inputs(1, 4, 3, 2, seed + 2),
            "a sentence of one step": inputs(2, 1, 3, 4, seed + 3),
        },
        logits,
        {
            "Only the last step has logits; there should be some for each step.": [
                lambda s, V, c: logits(s, V, c)[:, -1],
                lambda s, V, c: logits(s, V, c)[:, -1:],
            ],
            **_output_slips(logits, lambda s: s),
        },
    )


def _output_slips(right: Function, states: Function) -> dict[str, Function | Sequence[Function]]:
    """Slips in the output layer, whose weights are the last two inputs."""
    return {
        "The bias c is left out.": lambda *i: right(*i[:-1], 0 * i[-1]),
        "V is transposed.": lambda *i: right(*i[:-2], i[-2].T, i[-1]),
        "These are probabilities; return the logits, before the softmax.": (
            lambda *i: softmax(right(*i))
        ),
        "There is a tanh around it; the logits are the sum itself.": lambda *i: np.tanh(right(*i)),
        "These are states; the logits are the state times V, plus c.": (lambda *i: states(*i[:-2])),
    }


def _last_real(states: Array, mask: Array) -> Array:
    return states[np.arange(len(states)), mask.sum(axis=1) - 1]


def _inputs(
    batch: int, time: int, units: int, labels: int, seed: int, padded: bool
) -> tuple[Array, ...]:
    """States, a mask with sentences of different lengths, V and c."""
    most = max(time - 1, 1) if padded else time
    lengths = 1 + np.random.default_rng(seed).permutation(most)[: max(batch, 1)]
    if not padded:
        lengths[0] = time
    lengths = np.resize(lengths, batch)
    states = np.tanh(random_numbers(seed + 80, batch, time, units))
    return (
        states.astype("float32").astype("float64"),
        np.arange(time) < lengths[:, None],
        random_numbers(seed + 81, units, labels),
        random_numbers(seed + 82, labels),
    )
