"""The referee's side: a student's names, functions and objects, as a test sees them.

Plain data is a copy. All else is a `Proxy`, which can be called, indexed, iterated and
asked for attributes. Whether two of them are equal, whether one is true, what it looks like
and what it converts to is decided here, never by the student's own methods.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from rnnkit.grading.referee.channel import Channel, Closed
from rnnkit.grading.referee.wire import (
    LONGEST_TEXT,
    MOST_FRAMES,
    WireError,
    array_tree,
    to_tree,
    to_value,
)

__all__ = ["CallableProxy", "Link", "NoAnswer", "Proxy", "StudentError"]

MOST_ITEMS = 100_000  # of one iteration
MOST_STALE = 1000  # messages that nobody asked for
_NAME = re.compile(r"[A-Za-z_]\w{0,79}")
# What a student's error is here, where a test expects it or a check explains it.
_KNOWN = (
    *("ArithmeticError", "AssertionError", "AttributeError", "EOFError", "FloatingPointError"),
    *("IndexError", "KeyError", "LookupError", "MemoryError", "NameError"),
    *("NotImplementedError", "OverflowError", "RecursionError", "RuntimeError", "TypeError"),
    *("ValueError", "ZeroDivisionError"),
)


class NoAnswer(AssertionError):
    """The student's side gave nothing that can be used."""


class StudentError(Exception):
    """An error that the student's code raised.

    Args:
        kind: The name of its class.
        message: Its message.
        frames: The lines of the student's code that led to it.
    """

    def __init__(self, kind: str, message: str, frames: list[str]) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.frames = frames

    def __str__(self) -> str:
        return self.message


def _student_error(told: Any) -> StudentError:
    """What was told of an error, as an error of the same known class."""
    if type(told) is not dict or type(told.get("kinds")) is not list:
        raise NoAnswer("The answer failed, and nothing is known of how.")
    kinds = [kind for kind in told["kinds"] if type(kind) is str and _NAME.fullmatch(kind)]
    message, frames = told.get("message"), told.get("frames")
    frames = frames if type(frames) is list else []
    known = next((kind for kind in kinds if kind in _KNOWN), "")
    return _class_for(known)(
        kinds[0] if kinds else "Error",
        message[:LONGEST_TEXT] if type(message) is str else "",
        [frame[:LONGEST_TEXT] for frame in frames[:MOST_FRAMES] if type(frame) is str],
    )


_classes: dict[str, type[StudentError]] = {"": StudentError}


def _class_for(known: str) -> type[StudentError]:
    if known not in _classes:
        bases = (StudentError, getattr(builtins, known))
        _classes[known] = type(f"Student{known}", bases, {})
    return _classes[known]


class Link:
    """The connection to a student's process.

    Args:
        channel: The referee's end.
        watching: Gives what a call must not use, as `no_ready_made` was told; or None.
    """

    def __init__(
        self,
        channel: Channel,
        watching: Callable[[], tuple[str, tuple[str, ...]] | None] = lambda: None,
    ) -> None:
        self.channel = channel
        self.watching = watching
        self.broken = ""
        self._number = 0
        self._given: dict[int, Callable[..., Any]] = {}
        self._proxies: dict[int, Proxy] = {}
        self._waiting = 0

    def begin(self) -> None:
        """Begin a test. What an earlier one has left unfinished disturbs it no more.

        Raises:
            NoAnswer: Nobody answers.
        """
        self.broken = ""
        try:
            self.channel.greet()
        except (Closed, WireError) as error:
            self._break(f"The notebook's process does not answer: {error}.")

    def names(self, names: Iterable[str]) -> dict[str, Any]:
        """What the student's cells have defined; a name that is not there is left out.

        Args:
            names: The names.
        """
        names = list(names)
        found = self.ask("names", names=names)
        if type(found) is not dict:
            raise NoAnswer("The notebook's names could not be read.")
        known = {name: found[name] for name in names if name in found}
        for name, value in known.items():
            if isinstance(value, Proxy):
                value._rnnkit_call_it(name)
        return known

    def seed(self, number: int) -> None:
        """Set the random numbers of the student's side.

        Args:
            number: The seed.
        """
        self.ask("seed", number=number)

    def ask(self, do: str, **words: Any) -> Any:
        """Let the other side do something.

        Args:
            do: What; see `rnnkit.grading.referee.agent`.
            words: What it needs to know.

        Returns:
            Plain data, or proxies.

        Raises:
            StudentError: It raised an error there.
            NoAnswer: Nothing that can be used came back.
        """
        if self.broken:
            raise NoAnswer(self.broken)
        self._number += 1
        number = self._number
        self._waiting += 1
        try:
            self.channel.send({"id": number, "do": do, **words})
            return self._reply_to(number)
        except Closed:
            self._break("The notebook's process has ended, or did not answer in time.")
        except WireError as error:
            self._break(f"The answer cannot be read: {error}.")
        finally:
            self._waiting -= 1

    def _break(self, why: str) -> NoReturn:
        """Nothing more can be asked: what comes next may belong to anything."""
        self.broken = why
        raise NoAnswer(why) from None

    def _reply_to(self, number: int) -> Any:
        stale = 0
        while stale < MOST_STALE:
            message = self.channel.receive()
            if type(message) is not dict:
                raise WireError("what came is no message")
            stale += "call" not in message
            if "call" in message:
                self._call_back(message)
            elif message.get("id") == number and type(message.get("id")) is int:
                if "error" in message:
                    raise _student_error(message["error"])
                return self._in(message.get("value"))
        raise WireError("too many messages came that nobody asked for")

    def _call_back(self, message: dict[str, Any]) -> None:
        """Call a function of the test's for the student's function that it was passed to."""
        function = self._given.get(message["call"]) if type(message["call"]) is int else None
        if function is None:
            raise WireError("what came calls a function that is not there")
        inputs, named = self._in(message.get("inputs")), self._in(message.get("named"))
        if type(inputs) is not tuple or type(named) is not dict:
            raise WireError("what came calls a function with no inputs")
        if any(type(name) is not str for name in named):
            raise WireError("what came calls a function with inputs that have no names")
        try:
            reply = {"back": self._out(function(*inputs, **named))}
        except (NoAnswer, Closed):
            raise
        except Exception as error:  # the answer may expect it
            names = (kind.__name__ for kind in type(error).__mro__)
            known = next((name for name in names if name in _KNOWN), "RuntimeError")
            reply = {"back": None, "failed": [known, str(error)[:LONGEST_TEXT]]}
        self.channel.send(reply)

    # What crosses

    def _out(self, value: Any) -> Any:
        try:
            return to_tree(value, self._other_out)
        except WireError as error:
            raise TypeError(f"a test can pass data and functions to an answer: {error}") from error

    def _other_out(self, value: Any) -> dict[str, Any] | None:
        if isinstance(value, Proxy):
            return {"t": "object", "v": value._rnnkit_number}
        if _is_tensor(value):
            import keras

            return array_tree(keras.ops.convert_to_numpy(value), "tensor")
        if callable(value) and not isinstance(value, type):
            self._given[id(value)] = value
            return {"t": "given", "v": id(value)}
        return None

    def _in(self, tree: Any) -> Any:
        return to_value(tree, self._other_in)

    def _other_in(self, tree: Mapping[str, Any]) -> Any:
        if tree["t"] == "tensor":
            import keras

            return keras.ops.convert_to_tensor(tree["array"])
        if tree["t"] == "given":
            if type(tree.get("v")) is not int or tree["v"] not in self._given:
                raise WireError("what came holds a function that is not there")
            return self._given[tree["v"]]
        if tree["t"] == "object" and type(tree.get("v")) is int:
            return self._proxy(tree)
        raise WireError(f"what came holds a value of the kind {str(tree['t'])[:40]!r}")

    def _proxy(self, tree: Mapping[str, Any]) -> Proxy:
        number = tree["v"]
        if number not in self._proxies:
            kind = tree.get("kind")
            if type(kind) is not str or not _NAME.fullmatch(kind):
                kind = "object"
            made = CallableProxy if tree.get("call") is True else Proxy
            self._proxies[number] = made(self, number, kind, tree.get("variable") is True)
        return self._proxies[number]


class Proxy:
    """Something of the student's that is no plain data."""

    __slots__ = tuple(f"_rnnkit_{name}" for name in ("kind", "link", "name", "number", "variable"))

    def __init__(self, link: Link, number: int, kind: str, variable: bool) -> None:
        for name, value in (
            ("link", link),
            ("number", number),
            ("kind", kind),
            ("name", ""),
            ("variable", variable),
        ):
            object.__setattr__(self, f"_rnnkit_{name}", value)

    def _rnnkit_call_it(self, name: str) -> None:
        object.__setattr__(self, "_rnnkit_name", name)

    def _rnnkit_ask(self, do: str, **words: Any) -> Any:
        return self._rnnkit_link.ask(do, of=self._rnnkit_number, **words)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("__", "_rnnkit")):
            raise AttributeError(f"an answer cannot be asked for {name}")
        return self._rnnkit_ask("attribute", name=name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a test cannot set {name} of an answer")

    def __getitem__(self, key: Any) -> Any:
        return self._rnnkit_ask("item", key=self._rnnkit_link._out(key))

    def __len__(self) -> int:
        length = self._rnnkit_ask("length")
        if type(length) is not int or not 0 <= length < 2**62:
            raise NoAnswer(f"The length of {self!r} is no number.")
        return length

    def __iter__(self) -> Iterator[Any]:
        iterator = self._rnnkit_ask("iterate")
        if not isinstance(iterator, Proxy):
            raise NoAnswer(f"{self!r} cannot be iterated.")
        for _ in range(MOST_ITEMS):
            found = iterator._rnnkit_ask("next")
            if type(found) is not list or len(found) > 1:
                raise NoAnswer(f"{self!r} cannot be iterated.")
            if not found:
                return
            yield found[0]
        raise NoAnswer(f"{self!r} gives more than {MOST_ITEMS:,} things. Does it ever end?")

    def __bool__(self) -> bool:
        return True

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if not self._rnnkit_variable:
            raise TypeError(f"{self!r} is no array")
        numbers = self._rnnkit_ask("numbers")
        if type(numbers) is not np.ndarray:
            raise NoAnswer(f"{self!r} has no numbers.")
        return numbers if dtype is None else numbers.astype(dtype)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an answer cannot be pickled")

    def __repr__(self) -> str:
        return f"<{self._rnnkit_kind} of the notebook>"

    @property
    def name_elsewhere(self) -> str:
        """The name under which the test has found it; empty where it was given by something."""
        return str(self._rnnkit_name)

    @property
    def kind_elsewhere(self) -> str:
        """What the student's side says that its class is called."""
        return str(self._rnnkit_kind)

    def seed_elsewhere(self, number: int) -> None:
        """Set the random numbers of the process that this lives in.

        Args:
            number: The seed.
        """
        self._rnnkit_link.seed(number)


class CallableProxy(Proxy):
    """A function, model or layer of the student's."""

    __slots__ = ()

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Call it with data, with functions of the test's, or with what it gave before."""
        link = self._rnnkit_link
        watch = link.watching()
        return self._rnnkit_ask(
            "call",
            inputs=link._out(inputs),
            named=link._out(named),
            watch=[watch[0], list(watch[1])] if watch else None,
        )

    def gradient_elsewhere(self, inputs: Any, weights: Any) -> np.ndarray | None:
        """The gradient of the weighted sum of what this gives, with respect to its input.

        Args:
            inputs: The input.
            weights: A weight for each number of the result.

        Returns:
            An array of the shape of the input; None where no gradient passes.
        """
        link = self._rnnkit_link
        slope = self._rnnkit_ask("gradient", inputs=link._out(inputs), weights=link._out(weights))
        if slope is not None and type(slope) is not np.ndarray:
            raise NoAnswer(f"The gradient of {self!r} is no array of numbers.")
        return slope

    def changed_elsewhere(self, *inputs: Any) -> dict[int, Any]:
        """Call it, and find the inputs that it has written into.

        Args:
            inputs: Arrays, and lists of numbers or strings.

        Returns:
            For the place of each input that has changed, what it is after the call.
        """
        changed = self._rnnkit_ask("changed", inputs=self._rnnkit_link._out(inputs))
        if type(changed) is not dict or not all(place in range(len(inputs)) for place in changed):
            raise NoAnswer(f"What {self!r} does to its inputs cannot be read.")
        return changed


def _is_tensor(value: Any) -> bool:
    keras = sys.modules.get("keras")
    return keras is not None and not isinstance(value, np.ndarray) and keras.ops.is_tensor(value)
