"""Plain data as bytes and back. Nothing that crosses here can carry code.

A value becomes a tree of what msgpack knows: None, bool, int, float, str, bytes and lists
as they are, all else as a map with a ``t`` that names its kind. What is read is checked
before anything is made of it: it may come from a submission.
"""

from __future__ import annotations

import array
import math
import re
import struct
from collections import Counter, UserList, deque
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgpack
import numpy as np

__all__ = [
    "DEEPEST",
    "LONGEST_TEXT",
    "MOST_BYTES",
    "MOST_FRAMES",
    "MOST_VALUES",
    "Record",
    "WireError",
    "array_tree",
    "kind_of",
    "pack",
    "read_array",
    "to_tree",
    "to_value",
    "unpack",
]

MOST_BYTES = 256 * 2**20  # of one message
FIRST_BYTES = 16 * 2**10  # what a message is given room for at first; mostly it is enough
MOST_HEAD_BYTES = 16 * 2**20  # of all in it but the numbers of arrays
MOST_VALUES = 500_000  # in one message; the numbers of an array count as one
DEEPEST = 24  # lists in lists
LONGEST_TEXT = 10_000  # characters of an error's message, or of a line of its traceback
MOST_FRAMES = 20  # lines of a traceback
MOST_OF_ONE_HASH = 100  # keys of a set or dict
LONGEST_NUMBER = 4000  # digits
MOST_AXES = 32
_DTYPE = re.compile(r"[<>|=]?(?:b1|[iu][1248]|f[248]|c(?:8|16)|[US]\d{1,5})")
_SMALL = 2**63
_WITH_ENTRIES = {
    *("tuple", "record", "set", "frozenset", "dict", "complex", "fraction", "slice"),
}
_HEAD = struct.Struct("!I")
# NumPy has no letter for these; both sides know them through Keras's backends.
_BY_NAME = ("bfloat16",)


class WireError(Exception):
    """What should cross, or what came, is no plain data."""


class Record(tuple):
    """A named tuple that came: its entries have names, and nothing else of it is left.

    Args:
        entries: The entries by their names.

    Example:

    >>> state = Record({"h": 1, "c": 2})
    >>> state.h, state[1], state == (1, 2)
    (1, 2, True)
    """

    def __new__(cls, entries: Mapping[str, Any]) -> Record:
        """A tuple of the entries, in their order."""
        made = super().__new__(cls, entries.values())
        made.__dict__["_entries"] = dict(entries)
        return made

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_entries", {}):
            return self.__dict__["_entries"][name]
        raise AttributeError(f"a named tuple has no entry {name!r}")


class _Numbers:
    """The bytes of an array, which stand behind the rest of a message."""

    def __init__(self, content: bytes | memoryview) -> None:
        self.content = content


# Out


def to_tree(value: Any, other: Callable[[Any], dict[str, Any] | None]) -> Any:
    """A value as a tree that `pack` takes.

    Args:
        value: Numbers, strings, bytes, arrays, lists, tuples, sets, dicts, None.
        other: Told what is nothing of these; gives its map, with a ``t`` of its own, or
            None where it may not cross.

    Raises:
        WireError: Something in it may not cross, is too deep, or is too much.

    Example:

    >>> to_tree((1, "two"), lambda value: None)
    {'t': 'tuple', 'v': [1, 'two']}
    """
    return _Outgoing(other).tree(value, 0)


class _Outgoing:
    def __init__(self, other: Callable[[Any], dict[str, Any] | None]) -> None:
        self.other = other
        self.values = 0

    def tree(self, value: Any, depth: int) -> Any:
        self.values += 1
        if depth > DEEPEST:
            raise WireError(f"it is nested deeper than {DEEPEST} levels")
        if self.values > MOST_VALUES:
            raise WireError(f"it holds more than {MOST_VALUES:,} values")
        kind = type(value)
        if value is None or kind in (bool, float, str, bytes):
            return value
        if kind is int:
            return value if -_SMALL <= value < _SMALL else _long_number(value)
        special = self.other(value)
        if special is not None:
            return special
        return self._plain(value, depth)

    def _plain(self, value: Any, depth: int) -> Any:
        """What is plain data by its class, or by the class that its class derives from."""
        if isinstance(value, np.generic):
            return array_tree(np.asarray(value), "scalar")
        if isinstance(value, np.ndarray):
            return self._array(np.asarray(value), depth)
        for base in (int, float, complex, str, bytes):
            if isinstance(value, base):
                return self._of_base(base, value)
        if isinstance(value, list):
            whole = len(value) == list.__len__(value)  # some wrap another list
            return [self.tree(e, depth + 1) for e in (list.__iter__(value) if whole else value)]
        if isinstance(value, range | deque | UserList):
            return [self.tree(entry, depth + 1) for entry in value]
        if isinstance(value, array.array | memoryview):
            return self._array(np.asarray(value), depth)
        if isinstance(value, bytearray):
            return bytes(value)
        if isinstance(value, Fraction | Decimal):
            return {"t": "fraction", "v": [self.tree(part, depth + 1) for part in _ratio(value)]}
        names = getattr(type(value), "_fields", None)
        if isinstance(value, tuple) and isinstance(names, tuple) and len(names) == len(value):
            named = zip(names, tuple.__iter__(value), strict=True)
            return {"t": "record", "v": [[str(n), self.tree(v, depth + 1)] for n, v in named]}
        if isinstance(value, slice):
            parts = (value.start, value.stop, value.step)
            return {"t": "slice", "v": [self.tree(part, depth + 1) for part in parts]}
        if value is Ellipsis:
            return {"t": "slice", "v": []}
        for name, kind in (("tuple", tuple), ("set", set), ("frozenset", frozenset)):
            if isinstance(value, kind):
                return {"t": name, "v": [self.tree(entry, depth + 1) for entry in value]}
        if isinstance(value, dict):
            pairs = [
                [self.tree(key, depth + 1), self.tree(entry, depth + 1)]
                for key, entry in _items(value)
            ]
            return {"t": "dict", "v": pairs}
        raise WireError(f"a {kind_of(value)} cannot cross")

    def _array(self, found: np.ndarray, depth: int) -> Any:
        if found.dtype == np.longdouble and found.dtype.itemsize > 8:
            found = found.astype("float64")
        if found.dtype != object:
            return array_tree(found, "array")
        values = [self.tree(entry, depth + 1) for entry in found.reshape(-1)]
        return {"t": "objects", "s": list(found.shape), "v": values}

    def _of_base(self, base: type, value: Any) -> Any:
        if base is int:
            return self.tree(int(value), 0)
        if base is complex:
            number = complex(value)
            return {"t": "complex", "v": [number.real, number.imag]}
        if base is str:
            return str.__str__(value)
        return float(value) if base is float else bytes(value)


def _items(value: dict[Any, Any]) -> Iterable[tuple[Any, Any]]:
    try:
        return dict.items(value)
    except TypeError:  # a wrapper that only looks like one
        return value.items()


def _ratio(value: Fraction | Decimal) -> tuple[int, int]:
    try:
        return value.as_integer_ratio()
    except (ValueError, OverflowError) as error:
        raise WireError(f"the number {value} cannot cross") from error


def _long_number(value: int) -> dict[str, Any]:
    if value.bit_length() > LONGEST_NUMBER * 3:
        raise WireError(f"a whole number has more than {LONGEST_NUMBER} digits")
    return {"t": "int", "v": format(value, "x")}


def array_tree(array: np.ndarray, kind: str) -> dict[str, Any]:
    """An array as a map.

    Args:
        array: The array.
        kind: "array", "scalar", or "tensor" for one of Keras's backend.

    Raises:
        WireError: Its numbers are of a kind that may not cross, or too many.
    """
    name = array.dtype.name if array.dtype.name in _BY_NAME else array.dtype.str
    if name not in _BY_NAME and not _DTYPE.fullmatch(name):
        raise WireError(f"an array of {array.dtype} cannot cross")
    if array.nbytes > MOST_BYTES:
        raise WireError(f"an array has {array.nbytes:,} bytes; at most {MOST_BYTES:,} may cross")
    return {"t": kind, "d": name, "s": list(array.shape), "b": _Numbers(array.tobytes())}


def kind_of(value: Any) -> str:
    """The name of a value's class, cut to a length that can be read."""
    return str(type(value).__name__)[:80]


def pack(tree: Any) -> bytes:
    """A tree as bytes.

    Args:
        tree: What `to_tree` gave, also inside lists and maps.

    Raises:
        WireError: It is too much.
    """
    numbers: list[bytes | memoryview] = []
    place = 0

    def refer(value: Any) -> Any:
        nonlocal place
        if type(value) is not _Numbers:
            raise TypeError(f"a {kind_of(value)}")
        numbers.append(value.content)
        place += len(value.content)
        return {"t": "numbers", "v": [place - len(value.content), len(value.content)]}

    try:
        head: bytes = msgpack.packb(
            tree,
            default=refer,
            use_bin_type=True,
            unicode_errors="surrogatepass",
            buf_size=FIRST_BYTES,
        )
    except (ValueError, OverflowError, TypeError, RecursionError) as error:
        raise WireError(f"it cannot be packed: {error}") from error
    if len(head) > MOST_HEAD_BYTES or len(head) + place > MOST_BYTES:
        raise WireError(
            f"it has {len(head) + place:,} bytes; at most {MOST_BYTES:,} may cross, "
            f"and {MOST_HEAD_BYTES:,} beside the numbers of arrays"
        )
    return b"".join([_HEAD.pack(len(head)), head, *numbers])


# In


def unpack(text: bytes) -> Any:
    """The tree that bytes hold; it was not looked at further.

    Args:
        text: What came.

    Raises:
        WireError: It is no tree.
    """
    if len(text) < _HEAD.size:
        raise WireError("what came is no message: it is too short")
    (length,) = _HEAD.unpack_from(text)
    if length > min(MOST_HEAD_BYTES, len(text) - _HEAD.size):
        raise WireError("what came is no message: its parts have no right length")
    numbers = memoryview(text)[_HEAD.size + length :]

    def resolve(found: dict[str, Any]) -> Any:
        if found.get("t") != "numbers":
            return found
        place = found.get("v")
        if type(place) is not list or len(place) != 2 or any(type(n) is not int for n in place):
            raise WireError("what came refers to no numbers")
        start, count = place
        if start < 0 or count < 0 or start + count > len(numbers):
            raise WireError("what came refers to numbers that are not there")
        return _Numbers(numbers[start : start + count])

    try:
        return msgpack.unpackb(
            memoryview(text)[_HEAD.size : _HEAD.size + length],
            object_hook=resolve,
            raw=False,
            strict_map_key=True,
            unicode_errors="surrogatepass",
        )
    except WireError:
        raise
    except Exception as error:  # whatever msgpack makes of broken bytes
        raise WireError(f"what came is no message: {type(error).__name__}: {error}") from error


def to_value(tree: Any, other: Callable[[Mapping[str, Any]], Any]) -> Any:
    """The value that a tree stands for, made of Python's and NumPy's own classes alone.

    Args:
        tree: What `unpack` gave.
        other: Told maps of a kind that is not plain data; gives the value, or raises
            `WireError`.

    Raises:
        WireError: The tree stands for nothing, is too deep, or is too much.

    Example:

    >>> to_value({"t": "tuple", "v": [1, "two"]}, dict)
    (1, 'two')
    """
    return _Incoming(other).value(tree, 0)


class _Incoming:
    def __init__(self, other: Callable[[Mapping[str, Any]], Any]) -> None:
        self.other = other
        self.values = self.bytes = 0

    def value(self, tree: Any, depth: int) -> Any:
        self.values += 1
        if depth > DEEPEST or self.values > MOST_VALUES:
            raise WireError("what came is nested too deep, or is too much")
        if tree is None or type(tree) in (bool, int, float, str, bytes):
            return tree
        if type(tree) is list:
            return [self.value(entry, depth + 1) for entry in tree]
        if type(tree) is not dict or type(tree.get("t")) is not str:
            raise WireError("what came holds a value of no known kind")
        return self._tagged(tree["t"], tree, depth)

    def _tagged(self, kind: str, tree: dict[str, Any], depth: int) -> Any:
        if kind in ("array", "scalar", "tensor"):
            array = read_array(tree)
            self.bytes += array.nbytes
            if self.bytes > MOST_BYTES:  # several arrays may refer to the same numbers
                raise WireError("what came is too much")
            if kind == "tensor":
                return self.other({"t": kind, "array": array})
            return array[()] if kind == "scalar" and array.ndim == 0 else array
        if kind == "int":
            return _read_long_number(tree.get("v"))
        if kind == "objects":
            return self._objects(tree, depth)
        if kind not in _WITH_ENTRIES:
            return self.other(tree)
        entries = tree.get("v")
        if type(entries) is not list:
            raise WireError(f"what came as a {kind} has no list of entries")
        if kind == "dict":
            return self._dict(entries, depth)
        if kind == "record":
            found = self._dict(entries, depth)
            if any(type(name) is not str for name in found):
                raise WireError("what came as a named tuple has no names")
            return Record(found)
        values = [self.value(entry, depth + 1) for entry in entries]
        if kind == "complex":
            if len(values) != 2 or any(type(part) is not float for part in values):
                raise WireError("what came as a complex number is none")
            return complex(*values)
        if kind == "fraction":
            if len(values) != 2 or any(type(part) is not int for part in values) or not values[1]:
                raise WireError("what came as a fraction is none")
            return Fraction(*values)
        if kind == "tuple":
            return tuple(values)
        if kind == "slice":
            return slice(*values) if len(values) == 3 else Ellipsis
        _check_keys(values)
        return set(values) if kind == "set" else frozenset(values)

    def _objects(self, tree: dict[str, Any], depth: int) -> np.ndarray:
        """An array of Python's own values."""
        shape, entries = _read_shape(tree.get("s")), tree.get("v")
        if type(entries) is not list or math.prod(shape) != len(entries):
            raise WireError("what came as an array has more or less values than its shape")
        array = np.empty(len(entries), dtype=object)
        for place, entry in enumerate(entries):
            array[place] = self.value(entry, depth + 1)
        try:
            return array.reshape(shape)
        except (ValueError, OverflowError) as error:
            raise WireError(f"what came as an array is none: {error}") from error

    def _dict(self, entries: list[Any], depth: int) -> dict[Any, Any]:
        if any(type(pair) is not list or len(pair) != 2 for pair in entries):
            raise WireError("what came as a dict is none")
        keys = [self.value(key, depth + 1) for key, _ in entries]
        _check_keys(keys)
        return {
            key: self.value(entry, depth + 1) for key, (_, entry) in zip(keys, entries, strict=True)
        }


def _check_keys(keys: list[Any]) -> None:
    """Refuse what Python cannot hash, and many keys of one hash, which take for ever."""
    found: Counter[int] = Counter()
    for key in keys:
        try:
            number = hash(key)
        except TypeError as error:
            raise WireError(f"what came has a {kind_of(key)} as a key") from error
        found[number] += 1
        if found[number] > MOST_OF_ONE_HASH:
            raise WireError("what came has too many keys that Python cannot tell apart quickly")


def _read_shape(shape: Any) -> list[int]:
    if type(shape) is not list or len(shape) > MOST_AXES:
        raise WireError("what came as an array has no shape")
    if any(type(size) is not int or not 0 <= size < _SMALL for size in shape):
        raise WireError("what came as an array has no shape")
    return shape


def read_array(tree: Mapping[str, Any]) -> np.ndarray:
    """The array that a map stands for; a copy that may be written into.

    Args:
        tree: The map.

    Raises:
        WireError: It stands for none.
    """
    name, shape, content = tree.get("d"), _read_shape(tree.get("s")), tree.get("b")
    if type(name) is not str or type(content) is not _Numbers:
        raise WireError("what came as an array is none")
    dtype = _read_dtype(name)
    count = math.prod(shape)
    if count * dtype.itemsize != len(content.content):
        raise WireError("what came as an array has more or less numbers than its shape")
    try:
        if not count:
            return np.zeros(shape, dtype)
        return np.frombuffer(content.content, dtype).reshape(shape).copy()
    except (ValueError, OverflowError) as error:
        raise WireError(f"what came as an array is none: {error}") from error


def _read_dtype(name: str) -> np.dtype:
    if name in _BY_NAME:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    if not _DTYPE.fullmatch(name):
        raise WireError(f"an array of {name[:40]!r} cannot cross")
    try:
        dtype = np.dtype(name)
    except TypeError as error:
        raise WireError(f"an array of {name[:40]!r} cannot cross") from error
    if not dtype.itemsize:
        raise WireError("an array of empty strings cannot cross")
    return dtype


def _read_long_number(digits: Any) -> int:
    if type(digits) is not str or len(digits) > LONGEST_NUMBER:
        raise WireError("what came as a whole number is none")
    if not re.fullmatch(r"-?[0-9a-f]+", digits):
        raise WireError("what came as a whole number is none")
    return int(digits, 16)
