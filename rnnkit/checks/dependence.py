"""Checks for unit 01: which output depends on which input, and which step waits for which."""

from collections.abc import Callable

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers

Array = np.ndarray
Network = Callable[[Array], Array]


@check
def influence(answer: Function, seed: int = 0) -> None:
    """Check `answer(network, inputs)`, section s1: find dependences by changing inputs.

    Args:
        answer: The student's function of a network and its inputs `(batch,
            time, features)`; the network is a function of inputs that returns
            outputs `(batch, time, units)`. It returns booleans `(time, time)`:
            row j, column i says whether output i changes with input j.
        seed: For the random inputs.

    Raises:
        AssertionError: A dependence is not right.
    """

    def inputs(time: int, seed: int) -> Array:
        numbers = random_numbers(seed, 2, time, 3)
        numbers[:, 1] = 0.0  # what is multiplied stays as it is there
        return numbers

    def add(x: Array) -> Array:
        return x + 1.0

    def found(
        change: Function,
        restore: bool = True,
        differ: Function = _any,
        other: Function = np.not_equal,
    ) -> Function:
        def depends(network: Network, inputs: Array) -> Array:
            before, changed = network(inputs), inputs.copy()
            rows = []
            for place in range(inputs.shape[1]):
                if restore:
                    changed = inputs.copy()
                changed[:, place] = change(changed[:, place])
                rows.append(differ(other(network(changed), before)))
            return np.array(rows)

        return depends

    def added_up(axis: int | tuple[int, ...]) -> Function:
        """Sums of the outputs are compared in the place of the outputs."""
        return lambda now, before: (
            now.sum(axis=axis, keepdims=True) != before.sum(axis=axis, keepdims=True)
        )

    def add_and_take_back(network: Network, inputs: Array) -> Array:
        rows, inputs = [], inputs.astype("float32")  # in which 0.1 + 1 - 1 is not quite 0.1
        before = network(inputs)
        for place in range(inputs.shape[1]):
            inputs[:, place] += 1
            rows.append(_any(network(inputs) != before))
            inputs[:, place] -= 1
        return np.array(rows)

    right = found(add)
    expect_answers(
        "influence(network, inputs)",
        answer,
        {
            "": (_partly, inputs(5, seed)),
            "a network that reads from left to right": (_prefix, inputs(6, seed + 1)),
            "a network that reads in both directions": (_both, inputs(4, seed + 2)),
            "a network without a state": (_own, inputs(4, seed + 3)),
            "a network that looks one step ahead": (_ahead, inputs(5, seed + 4)),
            "a network that does not read its inputs": (_nothing, inputs(3, seed + 5)),
            "a network that changes little": (_faintly, inputs(4, seed + 6)),
            "a network that reads one number of each input": (_one_number, inputs(5, seed + 7)),
            "a network whose outputs sum to 0": (_opposite, inputs(4, seed + 8)),
        },
        right,
        {
            "The matrix is turned: row j should belong to the input of step j, column i to the "
            "output of step i.": lambda *i: right(*i).T,
            "The change of one step is still there when the next step is changed: begin each time "
            "with a fresh copy of the inputs.": found(add, restore=False),
            "It is the other way round: True should mean that the output changes.": lambda *i: (
                ~right(*i)
            ),
            "An output counts as changed only where all of its numbers change; one that differs is "
            "enough.": found(add, differ=lambda changes: changes.all(axis=(0, 2))),
            "Only the first sentence of the batch is looked at.": found(
                add, differ=lambda changes: changes[0].any(axis=-1)
            ),
            "Only the first number of each output is looked at.": found(
                add, differ=lambda changes: changes[..., 0].any(axis=0)
            ),
            "Only the first number of an input is changed; change all numbers of the step.": found(
                lambda x: x + np.eye(x.shape[-1])[0]
            ),
            "Only the last number of an input is changed; change all numbers of the step.": found(
                lambda x: x + np.eye(x.shape[-1])[-1]
            ),
            "The numbers of an output are added up before they are compared, and changes can "
            "cancel out; compare number by number.": [
                found(add, other=added_up((0, 2))),
                found(add, other=added_up(2)),
            ],
            "Outputs before the changed input are not looked at; a network may read from right to "
            "left too.": lambda *i: np.triu(right(*i)),
            "A number plus 1 minus 1 is not always the same number, so earlier inputs stay "
            "changed: begin each time with a fresh copy of the inputs.": add_and_take_back,
            "A small change counts too: compare with !=, not with a tolerance.": found(
                add, other=lambda now, before: ~np.isclose(now, before)
            ),
            "Where an input is 0, it was not changed: do not multiply it or set it to 0. Add a "
            "number.": [
                found(lambda x: 2.0 * x),
                found(lambda x: 0.0 * x),
            ],
            "No output changes at all. If changed = inputs, both names mean one and the same "
            "array: make a copy.": lambda network, inputs: np.zeros(2 * (inputs.shape[1],), bool),
        },
    )


def _any(changes: Array) -> Array:
    return np.asarray(changes.any(axis=(0, 2)))


# Networks of inputs (batch, time, features); what they compute is of no interest.
def _own(x: Array) -> Array:
    return np.tanh(0.1 * x.sum(axis=-1, keepdims=True))


def _prefix(x: Array) -> Array:
    return np.cumsum(_own(x), axis=1)


def _both(x: Array) -> Array:
    return _prefix(x) + _own(x).sum(axis=1, keepdims=True)


def _ahead(x: Array) -> Array:
    own = _own(x)
    return np.concatenate([own[:, 1:], 0 * own[:, :1]], axis=1)


def _nothing(x: Array) -> Array:
    return 0 * _own(x)


def _faintly(x: Array) -> Array:
    """Each change is less than np.isclose sees, and more than float32 rounds away."""
    return 1 + 2e-5 * _prefix(x)


def _one_number(x: Array) -> Array:
    """Step t reads number t of its input alone, and begins again after the last one."""
    places = np.arange(x.shape[1]) % x.shape[2]
    return np.asarray(np.take_along_axis(x, places[None, :, None], axis=2))


def _opposite(x: Array) -> Array:
    return np.concatenate([_prefix(x), -_prefix(x)], axis=-1)


def _partly(x: Array) -> Array:
    """Each number of each sentence depends on something else; together, on the whole prefix."""
    own, prefix = _own(x), _prefix(x)
    earlier = np.concatenate([0 * own[:, :1], prefix[:, :-1]], axis=1)
    silent = np.array([0.0, 1.0], x.dtype)[: len(x), None, None]
    return np.concatenate([silent * earlier, own], axis=-1)


@check
def longest_chain(answer: Function, seed: int = 0) -> None:
    """Check `answer(time, layers, recurrent)`, section s39: how many steps wait for each other.

    Args:
        answer: The student's function of the number of steps, of layers, and
            whether the layers are recurrent; it returns how many units of work
            must be done one after the other, on any number of processors.
        seed: For one more number of steps and layers.

    Raises:
        AssertionError: A number is not right.
    """

    def right(time: int, layers: int, recurrent: bool) -> int:
        return time + layers - 1 if recurrent else layers

    def with_recurrence(number: Function) -> Function:
        return lambda time, layers, recurrent: (
            number(time, layers) if recurrent else right(time, layers, recurrent)
        )

    more = [int(number) for number in np.random.default_rng(seed).integers(2, 100, 2)]
    places = [(7, 3, True), (7, 3, False), (1, 1, True), (5, 1, True), (1, 4, True), (3, 8, False)]
    places += [(more[0], more[1], recurrent) for recurrent in (True, False)]
    expect_answers(
        "longest_chain(time, layers, recurrent)",
        answer,
        {
            f"{time} steps, {layers} layers, {'recurrent' if recurrent else 'not recurrent'}": (
                time,
                layers,
                recurrent,
            )
            for time, layers, recurrent in places
        },
        right,
        {
            "This is all the work there is. While layer 2 does step 1, layer 1 can do step 2 at "
            "the same time.": [
                with_recurrence(lambda time, layers: time * layers),
                lambda time, layers, recurrent: time * layers,
            ],
            "It is one too long: the first step of the first layer belongs to both "
            "directions, and counts once.": with_recurrence(lambda time, layers: time + layers),
            "Only the steps of one layer are counted: the last step must go up through the other "
            "layers too.": with_recurrence(lambda time, layers: time),
            "The longer side of the grid is counted; on the way from the first step of the first "
            "layer to the last step of the last one, both sides count.": with_recurrence(max),
            "Only the layers are counted: in a recurrent layer each step waits for the one "
            "before.": with_recurrence(lambda time, layers: layers),
            "Without recurrence no step waits for the step before: only the layers wait for each "
            "other.": [
                lambda time, layers, recurrent: time + layers - 1,
                lambda time, layers, recurrent: time + layers - 1 if recurrent else time,
            ],
            "Without recurrence the steps do not count: each layer waits for the layer below, also "
            "where there are more layers than steps.": lambda time, layers, recurrent: (
                time + layers - 1 if recurrent else min(time, layers)
            ),
            "Without recurrence there is still a chain: a layer waits for the layer below.": (
                lambda time, layers, recurrent: time + layers - 1 if recurrent else 1
            ),
        },
    )
