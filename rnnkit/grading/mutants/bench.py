"""Runs mutants beside the reference, in a process of its own.

It is called as `python -m rnnkit.grading.mutants.bench JOB RESULTS`.
The reference's notebook is run once, and what its tests call its functions with is kept. Then
each mutant gets these inputs, and others drawn at random. It has changed behaviour when an
output differs, when it raises where the reference does not, or when it does not end.
"""

import contextlib
import importlib.util
import io
import json
import os
import random
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from rnnkit.grading.mutants.calls import Call, Recorder, reseeded
from rnnkit.grading.mutants.values import differ

__all__ = ["Bench", "Verdict", "main"]

ROUNDS = 4  # how often tests are run with new seeds
ANEW = 40  # inputs of a function that are drawn anew
LONGEST_ROUND = 8.0  # seconds of all rounds of a test after which there is no other
MOST_SECONDS = 4.0  # of the reference for all inputs of a function together
PATIENCE = 3.0  # seconds that a mutant gets beyond twenty times those of the reference


class NeverEnds(BaseException):
    """A mutant took far longer than the reference; no `except Exception` catches it."""


@dataclass(frozen=True)
class Verdict:
    """Whether a mutant changed behaviour.

    Args:
        changed: Whether it did.
        why: What was seen, in a few words.
    """

    changed: bool
    why: str


@dataclass(frozen=True)
class _Result:
    value: Any
    error: str
    seconds: float


@dataclass(frozen=True)
class _Known:
    """An input with what the reference gives for it."""

    call: Call
    result: _Result


class Bench:
    """The reference of a unit, ready to be compared with mutants.

    Args:
        cells: The cells to run, in order: ``grade_id``, source, and "given", "answer" or "test".
        probes: For a `grade_id`, a function of the notebook's names and a random generator that
            gives what an answer comes to, where its own calls do not show it.
        seed: Another seed draws other inputs.
    """

    def __init__(
        self,
        cells: list[tuple[str, str, str]],
        probes: dict[str, Callable[..., Any]] | None = None,
        seed: int = 0,
    ) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__", "display": lambda *values: None}
        self._probes = probes or {}
        self._seed = seed
        self._sources = {name: source for name, source, kind in cells if kind == "answer"}
        self._functions: dict[str, FunctionType] = {}
        self._recorder = Recorder()
        self._known: dict[str, list[_Known]] = {}
        self._probed: dict[str, list[_Result]] = {}
        self._run(cells)

    def judge(self, cell: str, source: str) -> Verdict:
        """Run a mutant beside the reference.

        Args:
            cell: The ``grade_id`` of the answer.
            source: The mutant.
        """
        try:
            functions = self._functions_of(source)
        except Exception as error:
            return Verdict(True, f"raises {type(error).__name__} when it is defined")
        for name, function in functions.items():
            for known in self._known.get(name, []):
                result = _result(partial(_called, function, known.call), known.result)
                if (why := _difference(known.result, result)) is not None:
                    return Verdict(True, f"{name}: {why}")
        return self._probe(cell, functions)

    def inputs(self, name: str) -> int:
        """On how many inputs a function is compared."""
        return len(self._known.get(name, []))

    def _probe(self, cell: str, functions: dict[str, FunctionType]) -> Verdict:
        if cell in self._probes:
            for number, known in enumerate(self._probed_reference(cell)):
                result = _result(partial(self._with, functions, cell, number), known)
                if (why := _difference(known, result)) is not None:
                    return Verdict(True, f"probe: {why}")
        elif not any(self._known.get(name) for name in functions):
            raise ValueError(f"no test calls a function of {cell}: write a probe for it")
        return Verdict(False, "the same on all inputs")

    def _probed_reference(self, cell: str) -> list[_Result]:
        if cell not in self._probed:
            runs = [_result(partial(self._with, {}, cell, number)) for number in range(2)]
            if failed := [run.error for run in runs if run.error]:
                raise ValueError(f"the probe of {cell} fails with the reference: {failed[0]}")
            self._probed[cell] = runs
        return self._probed[cell]

    def _with(self, functions: dict[str, FunctionType], cell: str, number: int) -> Any:
        """What a probe gives while other functions stand in the notebook."""
        before = {name: self.names[name] for name in functions}
        self.names |= functions
        try:
            return self._probes[cell](self.names, np.random.default_rng([self._seed, number]))
        finally:
            self.names |= before

    def _functions_of(self, source: str) -> dict[str, FunctionType]:
        """The functions that a cell defines, in a copy of the notebook's names."""
        names = dict(self.names)
        exec(compile(source, "<mutant>", "exec"), names)
        return {
            name: value
            for name, value in names.items()
            if isinstance(value, FunctionType) and value.__globals__ is names
        }

    def _run(self, cells: list[tuple[str, str, str]]) -> None:
        """Run the reference's notebook, and find out what its functions give."""
        calls: dict[str, list[Call]] = {}
        for name, source, kind in cells:
            try:
                if kind != "test":
                    exec(compile(source, f"<{name}>", "exec"), self.names)
                else:
                    self._add(calls, self._calls_of_test(source))
            except Exception as error:
                raise RuntimeError(f"{name} fails with the reference: {error!r}") from error
            if kind == "answer":
                self._record(name)
            self._add(calls, self._recorder.take())
        self._recorder.on = False
        for name, found in calls.items():
            self._known[name] = self._asked_reference(name, found)

    def _record(self, cell: str) -> None:
        for name in self._functions_of(self._sources[cell]):
            self._functions[name] = self.names[name]
            self.names[name] = self._recorder.wrapped(name, self.names[name])

    @staticmethod
    def _add(calls: dict[str, list[Call]], more: dict[str, list[Call]]) -> None:
        for name, found in more.items():
            calls.setdefault(name, []).extend(found)

    def _calls_of_test(self, source: str) -> dict[str, list[Call]]:
        """The calls of a test as it stands, and with other seeds and sizes."""
        begin = time.monotonic()
        exec(compile(source, "<test>", "exec"), dict(self.names))
        calls = self._recorder.take()
        checks = self.names.get("checks")
        for number in range(1, ROUNDS + 1):
            if not isinstance(checks, ModuleType) or time.monotonic() - begin > LONGEST_ROUND:
                break
            generator = random.Random(f"{self._seed}/{number}")
            other = reseeded(source, checks, number + ROUNDS * self._seed, generator)
            try:
                exec(compile(other, "<test>", "exec"), dict(self.names))
            except Exception:  # sizes that this check cannot have: its inputs count for nothing
                self._recorder.take()
            else:
                self._add(calls, self._recorder.take())
        return calls

    def _asked_reference(self, name: str, calls: list[Call]) -> list[_Known]:
        """The inputs for which the reference gives the same twice, with what it gives."""
        generator = np.random.default_rng(self._seed)
        picked = [calls[place] for place in generator.integers(0, len(calls), ANEW)]
        anew = [call.drawn_anew(generator) for call in picked if call.can_be_drawn]
        pairs = zip_longest(((call, False) for call in calls), ((call, True) for call in anew))
        found: list[_Known] = []
        seconds = 0.0
        for call, drawn in (each for pair in pairs for each in pair if each is not None):
            if seconds > MOST_SECONDS:
                break
            results = [_result(partial(_called, self._functions[name], call)) for _ in range(2)]
            seconds += results[1].seconds
            stable = _difference(results[0], results[1]) is None
            if stable and not (drawn and results[0].error):
                found.append(_Known(call, results[1]))
        return found


def _called(function: Callable[..., Any], call: Call) -> Any:
    own = call.copied()
    return function(*own.args, **own.settings)


def _result(run: Callable[[], Any], reference: _Result | None = None) -> _Result:
    """What a function gives, or the kind of error that it raises; NeverEnds after its time."""
    begin = time.monotonic()
    limit = PATIENCE + 20 * reference.seconds if reference else 60.0
    try:
        with _time_limit(limit), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = run()
    except NeverEnds:
        return _Result(None, "NeverEnds", limit)
    except Exception as error:
        return _Result(None, type(error).__name__, time.monotonic() - begin)
    return _Result(value, "", time.monotonic() - begin)


def _difference(reference: _Result, result: _Result) -> str | None:
    if result.error != reference.error:
        words = {"": "raises no error", "NeverEnds": "does not end"}
        return words.get(result.error, f"raises {result.error}")
    if not reference.error and differ(reference.value, result.value):
        return "gives another result"
    return None


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise NeverEnds

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def probes_of(path: Path) -> dict[str, Callable[..., Any]]:
    """The probes that stand beside a solution, by ``grade_id``.

    Args:
        path: A Python file with a function for each; `_` in its name stands for `-`.
    """
    if not path.is_file():
        return {}
    spec = importlib.util.spec_from_file_location("mutant_probes", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {
        name.replace("_", "-"): value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and not name.startswith("_")
    }


def main(job: str, results: str) -> None:
    """Judge mutants, and write a line of JSON for each as soon as it is known.

    Args:
        job: A JSON file: ``cells``, ``probes`` (a path), ``seed``, and ``mutants``, which are
            name, cell and source.
        results: The file to append to. Before a mutant runs, a line holds its name alone.
    """
    work = json.loads(Path(job).read_text(encoding="utf-8"))
    with open(results, "a", encoding="utf-8") as lines, contextlib.redirect_stdout(io.StringIO()):

        def tell(**line: Any) -> None:
            lines.write(json.dumps(line) + "\n")
            lines.flush()

        try:
            cells = [tuple(cell) for cell in work["cells"]]
            bench = Bench(cells, probes_of(Path(work["probes"])), work["seed"])
        except Exception as error:
            tell(failed=str(error))
            return
        for name, cell, source in work["mutants"]:
            tell(begin=name)
            verdict = bench.judge(cell, source)
            tell(name=name, changed=verdict.changed, why=verdict.why)
    os._exit(0)  # threads of a mutant that did not end hold nothing up


if __name__ == "__main__":
    main(*sys.argv[1:])
