"""The student's side: does in the student's process what the referee asks for.

It runs in the kernel, after the student's cells, and whatever it says may be the student's
own words: nobody believes it. It gives names and calls functions; what is no plain data
stays here, and the referee gets a number for it.
"""

from __future__ import annotations

import array
import builtins
import contextlib
import socket
import sys
import traceback
from collections import UserList, deque
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from types import TracebackType
from typing import Any

from rnnkit.grading.referee.channel import Channel, Closed
from rnnkit.grading.referee.wire import (
    LONGEST_TEXT,
    MOST_FRAMES,
    WireError,
    array_tree,
    kind_of,
    to_tree,
    to_value,
)

__all__ = ["Agent", "serve", "use_channel"]

RESERVE_BYTES = 16 * 2**20
_OWN_FILES = ("rnnkit/grading/referee/", "rnnkit/checks/ready_made")
_descriptor = -1
_reserve: list[bytearray] = []


def use_channel(descriptor: int) -> None:
    """Tell this process which descriptor leads to the referee.

    Args:
        descriptor: One end of a stream socket.
    """
    global _descriptor
    _descriptor = descriptor
    _keep_reserve()


def serve(namespace: Mapping[str, Any]) -> None:
    """Answer the referee until it says that its test has ended.

    Args:
        namespace: The names of the notebook.
    """
    _reserve.clear()
    end = socket.socket(fileno=_descriptor)
    try:
        _agent_on(end).serve(namespace)
    finally:
        end.detach()  # the next test needs it
        _keep_reserve()


def _keep_reserve() -> None:
    """Hold memory back: a cell that took all there was costs no other cell its test."""
    with contextlib.suppress(MemoryError):
        _reserve.append(bytearray(RESERVE_BYTES))


_agents: dict[int, Agent] = {}


def _agent_on(end: socket.socket) -> Agent:
    """The agent of this process; objects that an earlier test knows stay known."""
    if end.fileno() not in _agents:
        _agents[end.fileno()] = Agent()
    _agents[end.fileno()].channel = Channel(end)
    return _agents[end.fileno()]


class Agent:
    """Answers one referee."""

    channel: Channel

    def __init__(self) -> None:
        self.namespace: Mapping[str, Any] = {}
        self.objects: dict[int, Any] = {}

    def serve(self, namespace: Mapping[str, Any]) -> None:
        """Answer until the test has ended.

        Args:
            namespace: The names of the notebook.
        """
        self.namespace = namespace
        with contextlib.suppress(Closed):
            self.channel.be_greeted()
            while (message := self.channel.receive()).get("do") != "end":
                self._answer(message)

    def _answer(self, message: dict[str, Any]) -> None:
        try:
            reply = {"id": message["id"], "value": self._whole_or_handle(self._do(message))}
        except BaseException as error:
            reply = {"id": message.get("id"), "error": _told(error)}
            with contextlib.suppress(Closed):
                self.channel.send(reply)
            if isinstance(error, KeyboardInterrupt):
                raise
            return
        try:
            self.channel.send(reply)
        except WireError as error:
            self.channel.send({"id": message["id"], "error": _told(error)})

    def _whole_or_handle(self, value: Any) -> Any:
        """A value as data; what is none as a whole may still be asked."""
        try:
            return self._out(value)
        except WireError:
            return self._handle(value)

    def _do(self, message: dict[str, Any]) -> Any:
        do = message["do"]
        if do == "names":
            return self._names([name for name in message["names"] if name in self.namespace])
        if do == "seed":
            import keras

            return keras.utils.set_random_seed(message["number"])
        return getattr(self, f"_do_{do}")(self.objects[message["of"]], message)

    def _names(self, names: list[str]) -> Any:
        pairs = [[name, self._whole_or_handle(self.namespace[name])] for name in names]
        return _Ready({"t": "dict", "v": pairs})

    def _do_call(self, thing: Any, message: dict[str, Any]) -> Any:
        inputs, named = self._in(message["inputs"]), self._in(message["named"])
        with _exact(), _watched(message.get("watch")):
            return thing(*inputs, **named)

    def _do_attribute(self, thing: Any, message: dict[str, Any]) -> Any:
        return getattr(thing, message["name"])

    def _do_item(self, thing: Any, message: dict[str, Any]) -> Any:
        return thing[self._in(message["key"])]

    def _do_length(self, thing: Any, message: dict[str, Any]) -> Any:
        return len(thing)

    def _do_iterate(self, thing: Any, message: dict[str, Any]) -> Any:
        return _Kept(iter(thing))

    def _do_next(self, thing: Any, message: dict[str, Any]) -> Any:
        for value in thing:
            return [value]
        return []

    def _do_numbers(self, thing: Any, message: dict[str, Any]) -> Any:
        import keras

        return keras.ops.convert_to_numpy(thing)

    def _do_gradient(self, thing: Any, message: dict[str, Any]) -> Any:
        """Of the weighted sum of a function's result, with respect to its input."""
        import keras

        from rnnkit.models.gradient import weighted_gradient

        inputs, weights = self._in(message["inputs"]), self._in(message["weights"])
        with _exact():
            slope = weighted_gradient(thing, inputs, weights)
        return None if slope is None else keras.ops.convert_to_numpy(slope)

    def _do_changed(self, thing: Any, message: dict[str, Any]) -> Any:
        """What a call has written into its inputs."""
        from rnnkit.checks.left_alone import written_into

        with _exact():
            return written_into(thing, *self._in(message["inputs"]))

    # What crosses

    def _out(self, value: Any) -> Any:
        return to_tree(value, self._other_out)

    def _other_out(self, value: Any) -> dict[str, Any] | None:
        """What is no plain data: a tensor's numbers, or a number for the object."""
        if isinstance(value, _Given):
            return {"t": "given", "v": value._rnnkit_number}
        if isinstance(value, _Ready):
            return value.tree
        if isinstance(value, _Kept):
            return self._handle(value.thing)
        try:
            return self._as_data(value)
        except Exception:  # a class can make each of these questions fail
            return self._handle(value)

    def _as_data(self, value: Any) -> dict[str, Any] | None:
        if _is_tensor(value):
            import keras

            numbers = keras.ops.convert_to_numpy(value)
            return self._handle(value) if numbers.dtype == object else array_tree(numbers, "tensor")
        if type(value).__name__ == "TensorShape":  # TensorFlow's, where Keras has tuples
            return {"t": "tuple", "v": list(value.as_list())}
        if type(value).__name__ == "RaggedTensor":
            return self._out(value.to_list())
        return None if _is_plain(value) else self._handle(value)

    def _handle(self, value: Any) -> dict[str, Any]:
        number = id(value)
        self.objects[number] = value  # kept alive, so that the number stays its own
        return {
            "t": "object",
            "v": number,
            "kind": kind_of(value),
            "call": callable(value),
            "variable": _is_variable(value),
        }

    def _in(self, tree: Any) -> Any:
        return to_value(tree, self._other_in)

    def _other_in(self, tree: Mapping[str, Any]) -> Any:
        if tree["t"] == "object":
            return self.objects[tree["v"]]
        if tree["t"] == "given":
            return _Given(self, tree["v"])
        if tree["t"] == "tensor":
            import keras

            return keras.ops.convert_to_tensor(tree["array"])
        raise WireError(f"what came holds a {tree['t']}")

    def ask(self, number: int, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Let the referee call a function of its own.

        Args:
            number: The function's number.
            inputs: What it is called with.
            named: The same, by name.
        """
        self.channel.send({"call": number, "inputs": self._out(inputs), "named": self._out(named)})
        while True:
            message = self.channel.receive()
            if "back" not in message:
                self._answer(message)  # its function calls one of ours
            elif message.get("failed"):
                raise _raised(message["failed"])
            else:
                return self._in(message["back"])


class _Given:
    """A function of the test, as the student's function sees it."""

    def __init__(self, agent: Agent, number: int) -> None:
        self._rnnkit_agent = agent
        self._rnnkit_number = number

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        return self._rnnkit_agent.ask(self._rnnkit_number, inputs, named)


class _Kept:
    """Something that gets a number, whatever it is."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing


class _Ready:
    """What is a tree already."""

    def __init__(self, tree: dict[str, Any]) -> None:
        self.tree = tree


def _is_plain(value: Any) -> bool:
    import numpy as np

    numbers = (bool, int, float, complex, Fraction, Decimal, np.generic)
    kinds = (str, bytes, bytearray, list, tuple, set, frozenset, dict, range, slice)
    others = (np.ndarray, deque, UserList, array.array, memoryview)
    return value is Ellipsis or isinstance(value, (*numbers, *kinds, *others))


def _is_tensor(value: Any) -> bool:
    keras = sys.modules.get("keras")
    if keras is None or _is_variable(value) or type(value).__name__ == "RaggedTensor":
        return False
    symbolic = isinstance(value, keras.KerasTensor)
    return bool(keras.ops.is_tensor(value)) and not symbolic


def _is_variable(value: Any) -> bool:
    keras, tensorflow = sys.modules.get("keras"), sys.modules.get("tensorflow")
    return (keras is not None and isinstance(value, keras.Variable)) or (
        tensorflow is not None and isinstance(value, tensorflow.Variable)
    )


@contextlib.contextmanager
def _exact() -> Iterator[None]:
    """On a GPU, compute as a check does: its own side is exact, and the numbers come from here."""
    if not {"tensorflow", "torch", "jax"} & sys.modules.keys():
        yield
        return
    from rnnkit.checks import exact_arithmetic

    with exact_arithmetic():
        yield


@contextlib.contextmanager
def _watched(watch: list[Any] | None) -> Iterator[None]:
    if not watch:
        yield
        return
    from rnnkit.checks import no_ready_made

    with no_ready_made(watch[0], tuple(watch[1])):
        yield


def _raised(told: list[str]) -> Exception:
    """The error of a function of the test's, of the same known class."""
    kind = getattr(builtins, told[0], RuntimeError)
    made: Exception = kind(told[1])
    return made


def _told(error: BaseException) -> dict[str, Any]:
    """An error as plain data: its classes, its message, and where it came from."""
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be shown)"
    return {
        "kinds": [kind.__name__[:80] for kind in type(error).__mro__[:10]],
        "message": message[:LONGEST_TEXT],
        "frames": _frames(error.__traceback__),
    }


def _frames(place: TracebackType | None) -> list[str]:
    """The lines that led to an error, as Jupyter shows them; without ours."""
    return [
        f"{_file_name(frame.filename)}, line {frame.lineno}, in {frame.name}\n"
        f"----> {frame.lineno} {frame.line}"[:LONGEST_TEXT]
        for frame in traceback.extract_tb(place)[-MOST_FRAMES:]
        if not any(part in frame.filename.replace("\\", "/") for part in _OWN_FILES)
    ]


def _file_name(path: str) -> str:
    """A cell's number, or the file's name."""
    ipython = sys.modules.get("IPython")
    with contextlib.suppress(Exception):
        found = ipython.get_ipython().compile.format_code_name(path)  # type: ignore[union-attr]
        if found:
            return " ".join(found)
    return f"File {path}"
