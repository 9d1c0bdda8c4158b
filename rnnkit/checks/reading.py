"""Checks for unit 03: reading a long text window after window, and writing on from a beginning."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, kind_of, log_softmax, telling_apart

Array = np.ndarray
# As that of an LSTM with one layer, the same by name, or how much was read
State = tuple[tuple[Array, Array], ...] | dict[str, Array] | int

SYMBOLS, UNITS, PERIOD = 7, 5, 4


@check
def read_text(answer: Function, seed: int = 0) -> None:
    """Check `answer(run, first_state, windows)`, section s8: a state that is carried.

    Args:
        answer: The student's function of `run`, the state before the first
            window and the list of windows, each a pair: inputs and targets,
            both `(batch, length)`. It calls `logits, state = run(inputs,
            state)` and returns the log probability of each target, in the
            order of the text, `(batch, windows * length)`.
        seed: For the small model behind `run`, and for the ids.

    Raises:
        AssertionError: The log probabilities are not right.
    """

    def read(
        run: Function,
        first: State,
        windows: Sequence,
        carry: bool = True,
        scores: Function = log_softmax,
        swapped: bool = False,
        of: int = 1,
        if_true: bool = False,
    ) -> list[Array]:
        found, state = [], first
        for window in windows:
            logits, after = run(window[1] if swapped else window[0], state)
            values = scores(np.asarray(logits, dtype="float64"))
            found.append(np.take_along_axis(values, window[of][..., None], axis=-1)[..., 0])
            state = after if carry else first
            if if_true:
                state = state or first
        return found

    def reading(change: Function = lambda array: array, **settings: Any) -> Function:
        return lambda *inputs: change(np.concatenate(read(*inputs, **settings), axis=1))

    def inputs(
        windows: int, batch: int, length: int, seed: int, make: Function = _Model
    ) -> tuple[Function, State, list]:
        generator = np.random.default_rng(seed)
        ids = generator.integers(0, SYMBOLS, (batch, windows * length + 1))
        starts = range(0, windows * length, length)
        pairs = [[ids[:, i : i + length], ids[:, i + 1 : i + length + 1]] for i in starts]
        model = make(generator, batch)
        return model.run, model.first, pairs

    expect_answers(
        "read_text(run, first_state, window_list)",
        answer,
        {
            "": inputs(3, 2, 4, seed),
            "a batch of one": inputs(2, 1, 3, seed + 10),
            "windows of one symbol": inputs(3, 2, 1, seed + 20),
            "one window": inputs(1, 2, 3, seed + 30),
            "a state that is a dictionary": inputs(2, 2, 3, seed + 40, make=_by_name),
            "a state that is a number, also 0": inputs(3, 2, PERIOD - 1, seed + 50, make=_Clock),
        },
        reading(),
        {
            "The state is not carried: each window is read from the first state again.": reading(
                carry=False
            ),
            "A state that is 0 is not passed on: `state or first_state` takes it for no state at "
            "all. Begin with the first state instead.": reading(if_true=True),
            "These are probabilities; take their logarithms.": reading(np.exp),
            "These are losses; a log probability is 0 or less.": reading(np.negative),
            "These are the logits of the targets; the log softmax is missing.": reading(
                scores=lambda logits: logits
            ),
            "The softmax runs over time; it should run over the vocabulary.": reading(
                scores=lambda logits: log_softmax(logits.swapaxes(1, 2)).swapaxes(1, 2)
            ),
            "The logarithm has the base 2; take the natural logarithm.": reading(
                lambda logs: logs / np.log(2)
            ),
            "These are the log probabilities of the inputs; give those of the targets.": reading(
                of=0
            ),
            "The model reads the targets; it should read the inputs.": reading(swapped=True),
            "The windows should be joined along time: (batch, windows * length).": [
                lambda *inputs: np.concatenate(read(*inputs)),
                lambda *inputs: np.stack(read(*inputs)),
                lambda *inputs: np.stack(read(*inputs), axis=1),
            ],
            "There is one number for each window; return that of each target.": [
                lambda *inputs: np.array([logs.mean() for logs in read(*inputs)]),
                lambda *inputs: np.array([logs.sum() for logs in read(*inputs)]),
            ],
            "This is one number for all; return that of each target.": [
                reading(np.mean),
                reading(np.sum),
            ],
        },
    )


@check
def generation(answer: Function, seed: int = 0) -> None:
    """Check `answer(step, state, prompt, length, choose)`, section s9: write on from a beginning.

    Args:
        answer: The student's function of `step`, the state before the first
            symbol, the beginning `(batch, time)`, how many symbols to write,
            and `choose`. It calls `logits, state = step(previous, state)` and
            `choose(logits)`, which gives an id for each row, and returns the
            ids that it wrote, `(batch, length)`.
        seed: For the small model behind `step`, and for the beginning.

    Raises:
        AssertionError: The ids are not right.
    """

    def write(
        step: Function,
        state: State,
        prompt: Array,
        length: int,
        choose: Function,
        *,
        reads: int | None = None,
        twice: bool = False,
        keeps: str = "all",
        feeds: bool = True,
        kind: str = "int64",
    ) -> Array:
        """With slips: how much of the prompt is read, and what goes on from step to step."""
        beginning = prompt[:, :reads]
        first = state
        for column in beginning.T if twice else beginning.T[:-1]:
            _, after = step(column, state)
            state = state if keeps == "nothing" else after
        previous, written = beginning[:, -1], []
        for _ in range(length):
            logits, after = step(previous, state)
            state = state if keeps in ("no step", "nothing") else after
            if keeps == "first":
                state = first
            written.append(choose(np.asarray(logits)).astype(kind).astype("int64"))
            previous = written[-1] if feeds else previous
        return np.stack(written, axis=1)

    def writing(**settings: Any) -> Function:
        return lambda *inputs: write(*inputs, **settings)

    def only_last(step: Function, state: State, prompt: Array, *rest: Any) -> Array:
        return write(step, state, prompt[:, -1:], *rest)

    def greedy(step: Function, state: State, prompt: Array, length: int, _: Function) -> Array:
        return write(step, state, prompt, length, lambda logits: logits.argmax(axis=-1))

    def again(step: Function, state: State, prompt: Array, length: int, choose: Function) -> Array:
        """All that was written is read from the first state each time, as if it went on."""
        written = prompt
        for _ in range(length):
            for column in written.T:
                logits, state = step(column, state)
            written = np.concatenate([written, choose(np.asarray(logits))[:, None]], axis=1)
        return written[:, prompt.shape[1] :]

    right = writing()
    slips: dict[str, Function] = {
        "The beginning is not read: only its last symbol counts. Keep the state after each "
        "symbol.": only_last,
        "Only the first symbol of the beginning is read.": writing(reads=1),
        "The last symbol of the beginning is read twice, before the loop and in it.": writing(
            twice=True
        ),
        "The new state is not used while symbols are written: each step gets the state after the "
        "beginning.": writing(keeps="no step"),
        "The new state is never used: each step gets the first state.": writing(keeps="nothing"),
        "The state is set back to the first one at each step.": writing(keeps="first"),
        "What was written is not passed on: each step gets the last symbol of the "
        "beginning.": writing(feeds=False),
        "Symbols are chosen by the highest score; call choose.": greedy,
        "All symbols are read again at each step, from a state that has read them already.": again,
        "The beginning stands in the result; only what was written belongs there.": (
            lambda *inputs: np.concatenate([inputs[2], right(*inputs)], axis=1)
        ),
        "The result is turned: it should be (batch, length).": lambda *inputs: right(*inputs).T,
        "The last symbol is missing: write as many as length says.": (
            lambda *inputs: right(*inputs)[:, :-1]
        ),
        "The beginning is counted in the length: write as many symbols as length says after "
        "it.": lambda step, state, prompt, length, choose: right(
            step, state, prompt, length, choose
        )[:, : max(0, length - prompt.shape[1])],
        "There is one symbol too many: write as many as length says.": (
            lambda step, state, prompt, length, choose: right(
                step, state, prompt, length + 1, choose
            )
        ),
    }

    def make(generator: np.random.Generator) -> tuple[Any, ...]:
        model = _Model(generator, batch=2)
        prompt = generator.integers(0, SYMBOLS, (2, 4))
        return model.step, model.first, prompt, 8, second_best

    def inputs(batch: int, time: int, length: int, seed: int, **settings: Any) -> tuple[Any, ...]:
        generator = np.random.default_rng(seed)
        model = _Model(generator, batch, **settings)
        prompt = generator.integers(0, SYMBOLS, (batch, time))
        choose = large_id if "symbols" in settings else second_best
        return model.step, model.first, prompt, length, choose

    def second_best(logits: Any) -> Array:
        """So that an answer that takes the best symbol itself is found."""
        return np.asarray(logits).argsort(axis=-1)[:, -2]

    def large_id(logits: Any) -> Array:
        """An id that needs more than 8 bits."""
        return 256 + second_best(np.asarray(logits)[:, 256:])

    expect_answers(
        "generate(step, state, prompt, length, choose)",
        answer,
        {
            "": telling_apart(make, [right, *slips.values()], seed),
            "a beginning of one symbol": inputs(3, 1, 5, seed + 10),
            "a batch of one": inputs(1, 3, 6, seed + 20),
            "one symbol to write": inputs(2, 3, 1, seed + 30),
            "a state that is a dictionary": inputs(2, 3, 4, seed + 40, by_name=True),
            "a vocabulary of 300 symbols": inputs(2, 3, 6, seed + 50, symbols=300),
        },
        right,
        {
            **slips,
            "An id above 255 becomes another number: the array of what was written holds numbers "
            "of 8 bits. Take int32 or int64.": writing(kind="uint8"),
        },
    )


class _Model:
    """A small recurrent model with random weights, and a state like that of an LSTM."""

    def __init__(
        self,
        generator: np.random.Generator,
        batch: int,
        symbols: int = SYMBOLS,
        by_name: bool = False,
    ) -> None:
        self.batch, self.by_name = batch, by_name
        self.embedding = generator.normal(size=(symbols, UNITS))
        self.recurrent = generator.normal(size=(UNITS, UNITS))
        self.output = 2 * generator.normal(size=(UNITS, symbols))
        h, c = generator.normal(size=(2, batch, UNITS))
        self.first = self._state(h, c)

    def step(self, previous: Any, state: Any) -> tuple[Array, State]:
        """One symbol of each row."""
        previous = np.asarray(previous)
        if previous.shape != (self.batch,):
            raise AssertionError(
                f"step expects previous of shape ({self.batch},), one symbol for each row. "
                f"Received: shape {previous.shape}"
            )
        if not np.issubdtype(previous.dtype, np.integer):
            raise AssertionError(
                f"step expects ids, which are whole numbers. Received: {previous.dtype}"
            )
        h, c = self._parts(state)
        c = 0.6 * c + self.embedding[previous]
        h = np.tanh(c + h @ self.recurrent)
        return (h @ self.output).astype("float32"), self._state(h, c)

    def run(self, ids: Any, state: Any) -> tuple[Array, State]:
        """Several symbols of each row."""
        ids = np.asarray(ids)
        if ids.ndim != 2 or len(ids) != self.batch:
            raise AssertionError(
                f"run expects inputs of shape ({self.batch}, length). Received: shape {ids.shape}"
            )
        logits = []
        for column in ids.T:
            scores, state = self.step(column, state)
            logits.append(scores)
        return np.stack(logits, axis=1), state

    def _state(self, h: Array, c: Array) -> State:
        return {"h": h, "c": c} if self.by_name else ((h, c),)

    def _parts(self, state: Any) -> tuple[Array, Array]:
        try:
            h, c = (state["h"], state["c"]) if self.by_name else state[0]
            h, c = np.asarray(h, dtype="float64"), np.asarray(c, dtype="float64")
        except (TypeError, ValueError, LookupError):
            h = c = np.zeros(0)
        if h.shape != (self.batch, UNITS) or c.shape != h.shape:
            raise AssertionError(
                "The state that was passed is not one that the model gave. Pass on the new state "
                "as it came, or the first state at the beginning. "
                f"Received: {kind_of(state)}"
            )
        return h, c


def _by_name(generator: np.random.Generator, batch: int) -> _Model:
    return _Model(generator, batch, by_name=True)


class _Clock:
    """A model that remembers how much it has read, modulo `PERIOD`: a state that can be 0."""

    def __init__(self, generator: np.random.Generator, batch: int) -> None:
        self.scores = generator.normal(size=(PERIOD, SYMBOLS, SYMBOLS))
        self.first: State = 1

    def run(self, ids: Any, state: Any) -> tuple[Array, State]:
        """Several symbols of each row."""
        ids = np.asarray(ids)
        places = (int(state) + np.arange(ids.shape[1])) % PERIOD
        return self.scores[places, ids].astype("float32"), (int(state) + ids.shape[1]) % PERIOD
