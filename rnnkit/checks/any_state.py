"""Checks for units 05 and 06: a search passes on the state that it gets, whatever that is."""

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from rnnkit.checks import beam, sequences
from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array, expect_close
from rnnkit.checks.inputs import Function, call, kind_of

Array = np.ndarray
State = dict[str, Array]
PAD, BOS, EOS = beam.PAD, beam.BOS, beam.EOS


@check
def greedy_with_any_state(answer: Function, batch: int = 3, steps: int = 8, seed: int = 0) -> None:
    """Check `answer(step, state, batch, max_length)`, section s21, with a state of its own kind.

    The exercise's tables count steps, so that a loop can make their state
    itself. Here the state is a dictionary of arrays, as many models have it.

    Args:
        answer: The student's greedy loop.
        batch: Sentences side by side.
        steps: How many steps the tables have.
        seed: For the random tables.

    Raises:
        AssertionError: `step` gets something else than a state that it has returned, or the
            symbols are not right.
    """
    tables = sequences.random_tables(batch, steps, seed)
    states = _States("greedy_decode", steps)

    def step(previous: Any, state: Any) -> tuple[Array, State]:
        made, _ = states.read(state)
        previous = np.asarray(previous)
        return tables[np.arange(batch), made, previous], states.new(made + 1, previous)

    result = states.ask(answer, step, states.new(0, np.full(batch, PAD)), batch, steps)
    what = f"the result of greedy_decode, with {_KIND}"
    expected = sequences.greedy_symbols(tables, BOS, EOS)
    sequences.expect_written(what, as_array(what, result), expected, {}, steps)


@check
def beam_with_any_state(answer: Function, steps: int = 4, seed: int = 0) -> None:
    """Check `answer(step, state, width, max_length, power)`, section s21, with a state of its own.

    The exercise's tables have a state that a search can make itself. Here the
    state is a dictionary of arrays, as many models have it.

    Args:
        answer: The student's beam search.
        steps: How many steps the tables have, at least 4.
        seed: For the random tables.

    Raises:
        AssertionError: `step` gets something else than a state that it has returned, or the
            hypothesis is not right.
    """
    tables = beam.random_tables(steps, seed)[0]
    states = _States("beam_search", steps)

    def step(previous: Any, state: Any) -> tuple[Array, State]:
        made, before = states.read(state)
        symbol = int(np.reshape(previous, ()))
        return tables[made, int(before), symbol], states.new(made + 1, np.array(symbol))

    result = states.ask(answer, step, states.new(0, np.array(PAD)), 2, steps, 1.0)
    what = f"beam_search, with {_KIND}"
    try:
        ids, score = result
    except (TypeError, ValueError):
        raise AssertionError(f"{what}, should return two things: ids, score") from None
    expected = beam.search(tables, 2, 1.0)
    expect_close(f"{what}: ids", ids, expected["ids"])
    expect_close(f"{what}: score", np.reshape(as_array("the score", score), ()), expected["score"])


_KIND = "a state that is a dictionary"
_HINT = "You do not need to know what the state is: pass on what you got, as it is."


class _States:
    """The states of a step, and the first thing that came in place of one."""

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.steps = name, steps
        self.refused: AssertionError | None = None

    def new(self, made: int, before: Array) -> State:
        return {"made": np.array(made), "before": before}

    def read(self, state: Any) -> tuple[int, Array]:
        """How many steps were made, and the symbols before the previous ones."""
        try:
            made, before = int(np.asarray(state["made"])), np.asarray(state["before"])
        except (TypeError, ValueError, KeyError, IndexError):
            self._refuse(
                f"{self.name}, with {_KIND}: step got {_shown(state)} as its state. {_HINT}"
            )
        if made >= self.steps:
            self._refuse(f"{self.name}: step was called after max_length = {self.steps} steps.")
        return made, before

    def ask(self, answer: Function, *inputs: Any) -> Any:
        """What the answer returns; an error that `step` raised is told as it was raised."""
        result = None
        try:
            result = call(self.name, answer, *inputs)
        except AssertionError:  # of step, or of what is ready-made
            if self.refused is None:
                raise
        except Exception as error:
            if self.refused is None:
                raise AssertionError(
                    f"{self.name}, with {_KIND}, ends with {_name_of(error)}: {error}. {_HINT}"
                ) from error
        if self.refused is not None:
            raise self.refused from None
        return result

    def _refuse(self, sentence: str) -> NoReturn:
        self.refused = self.refused or AssertionError(sentence)
        raise self.refused


def _shown(state: Any) -> str:
    text = " ".join(repr(state).split())
    if isinstance(state, Mapping) or len(text) > 60 or text.startswith("<"):
        return f"something of the kind {kind_of(state)}"
    return text


def _name_of(error: Exception) -> str:
    """The name of the built-in class of an error, also of one that comes from elsewhere."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
