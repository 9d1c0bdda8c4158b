"""Plain data crosses as it is; nothing else does, whatever the bytes."""

import array
import math
import struct
from collections import UserList, deque, namedtuple
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rnnkit.grading.referee import wire
from rnnkit.grading.referee.wire import WireError, pack, to_tree, to_value, unpack


def nothing_more(value: Any) -> None:
    """For data alone."""


def refuse(tree: Any) -> Any:
    raise WireError(f"a {tree['t']}")


def crossed(value: Any) -> Any:
    return to_value(unpack(pack(to_tree(value, nothing_more))), refuse)


def same(one: Any, other: Any) -> bool:
    """Equal, of the same classes, NaN as NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        equal_nan = one.dtype.kind in "fc"
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=equal_nan)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return bool(one == other) or (one != one and other != other)


KEYS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary())
ARRAYS = arrays.arrays(
    dtype=st.one_of(
        arrays.integer_dtypes(),
        arrays.unsigned_integer_dtypes(),
        arrays.floating_dtypes(sizes=(16, 32, 64)),
        arrays.complex_number_dtypes(sizes=(64, 128)),
        arrays.boolean_dtypes(),
        arrays.unicode_string_dtypes(min_len=1, max_len=5),
    ),
    shape=arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
SINGLE = st.one_of(KEYS, st.floats(), st.complex_numbers(), ARRAYS)
DATA = st.recursive(
    SINGLE,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(KEYS, inner, max_size=4),
        st.sets(KEYS, max_size=4),
        st.frozensets(KEYS, max_size=4),
    ),
    max_leaves=12,
)


@given(DATA)
@settings(deadline=None)
def test_data_crosses_as_it_is(value: Any) -> None:
    assert same(crossed(value), value)


@pytest.mark.parametrize("value", [slice(0, 2), slice(None), ..., (slice(1, None, 2), 0)])
def test_places_in_arrays_cross(value: Any) -> None:
    assert crossed(value) == value


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**500, np.int64(3), np.float32(0.1)])
def test_any_number_crosses(number: Any) -> None:
    assert same(crossed(number), number)


def test_named_tuple_keeps_its_names_and_nothing_else() -> None:
    State = namedtuple("State", ["h", "c"])
    found = crossed(State(np.ones(2), [State(1, 2)]))
    assert isinstance(found, tuple)
    assert found.h is found[0]
    assert found.c[0].c == 2
    assert crossed(State(1, 2)) == (1, 2)
    assert not hasattr(found, "_replace")


@pytest.mark.parametrize("number", [Fraction(1, 3), Decimal("0.25"), Decimal(-3)])
def test_exact_number_stays_exact(number: Any) -> None:
    assert crossed(number) == number


@pytest.mark.parametrize(
    ("value", "came"),
    [
        (deque([1, 2]), [1, 2]),
        (UserList([1, 2]), [1, 2]),
        (bytearray(b"ab"), b"ab"),
        (range(3), [0, 1, 2]),
    ],
)
def test_what_is_like_a_list_comes_as_one(value: Any, came: Any) -> None:
    assert same(crossed(value), came)


@pytest.mark.parametrize(
    "value", [array.array("d", [1.0, 2.0]), memoryview(b"ab"), np.ones(2, np.longdouble)]
)
def test_what_is_like_an_array_comes_as_one(value: Any) -> None:
    assert crossed(value).tolist() == np.asarray(value).tolist()


def test_array_of_objects_comes_with_its_shape() -> None:
    value = np.array([["a", None], [1, (2,)]], dtype=object)
    found = crossed(value)
    assert found.shape == (2, 2)
    assert found.tolist() == value.tolist()


def test_list_that_wraps_another_comes_whole() -> None:
    class Wrapper(list):
        def __len__(self) -> int:
            return 2

        def __iter__(self) -> Any:
            return iter([1, 2])

    assert crossed(Wrapper()) == [1, 2]


@pytest.mark.parametrize("kind", ["set", "dict"])
def test_keys_of_one_hash_are_refused_before_they_take_for_ever(kind: str) -> None:
    numbers = [n * (2**61 - 1) for n in range(1, 200)]
    entries = numbers if kind == "set" else [[number, 0] for number in numbers]
    with pytest.raises(WireError):
        to_value({"t": kind, "v": [*map(wire_number, entries)]}, refuse)


def wire_number(entry: Any) -> Any:
    if isinstance(entry, list):
        return [to_tree(part, nothing_more) for part in entry]
    return to_tree(entry, nothing_more)


def test_what_came_is_a_copy_that_may_be_written_into() -> None:
    numbers = np.zeros(3)
    found = crossed(numbers)
    found[0] = 1
    assert numbers[0] == 0


class Rigged(float):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


class RiggedList(list):
    def __eq__(self, other: object) -> bool:
        return True


class RiggedArray(np.ndarray):
    def __eq__(self, other: object) -> Any:
        return np.ones(self.shape, bool)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Rigged(0.5), float),
        (type("S", (str,), {})("a"), str),
        (RiggedList([1]), list),
        (np.zeros(2).view(RiggedArray), np.ndarray),
        (type("T", (tuple,), {})((1,)), tuple),
        (type("D", (dict,), {})(a=1), dict),
        (type("I", (int,), {})(3), int),
    ],
)
def test_what_derives_from_data_comes_as_data_without_its_methods(value: Any, kind: type) -> None:
    assert type(crossed(value)) is kind


@pytest.mark.parametrize("value", [object(), len, np.array([object()]), lambda: 1, type])
def test_what_is_no_data_does_not_cross(value: Any) -> None:
    with pytest.raises(WireError):
        to_tree(value, nothing_more)


def test_what_is_too_deep_does_not_cross_in_either_direction() -> None:
    value: list[Any] = []
    for _ in range(wire.DEEPEST + 2):
        value = [value]
    with pytest.raises(WireError):
        to_tree(value, nothing_more)
    with pytest.raises(WireError):
        to_value(value, refuse)


def test_a_list_that_holds_itself_does_not_cross() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(WireError):
        to_tree(value, nothing_more)


def test_what_is_too_much_does_not_cross_in_either_direction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "MOST_VALUES", 100)
    with pytest.raises(WireError):
        to_tree([0] * 101, nothing_more)
    with pytest.raises(WireError):
        to_value([0] * 101, refuse)


def test_numbers_that_several_arrays_refer_to_count_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = to_tree(np.zeros(100), nothing_more)
    monkeypatch.setattr(wire, "MOST_BYTES", 3000)
    with pytest.raises(WireError):
        to_value([tree] * 5, refuse)


def message(head: Any, numbers: bytes = b"") -> bytes:
    packed = msgpack.packb(head)
    return struct.pack("!I", len(packed)) + packed + numbers


@pytest.mark.parametrize(
    "head",
    [
        {"t": "array", "d": "|O", "s": [1], "b": {"t": "numbers", "v": [0, 8]}},
        {"t": "array", "d": "<f8", "s": [2], "b": {"t": "numbers", "v": [0, 8]}},
        {"t": "array", "d": "<f8", "s": [-1], "b": {"t": "numbers", "v": [0, 8]}},
        {"t": "array", "d": "<f8", "s": [1], "b": {"t": "numbers", "v": [1, 8]}},
        {"t": "array", "d": "<f8", "s": [1], "b": {"t": "numbers", "v": [-1, 8]}},
        {"t": "array", "d": "<f8", "s": [1], "b": b"12345678"},
        {"t": "array", "d": "f8,i4", "s": [1], "b": {"t": "numbers", "v": [0, 8]}},
        {"t": "array", "d": "<M8[s]", "s": [1], "b": {"t": "numbers", "v": [0, 8]}},
        {"t": "array", "d": "<f8", "s": [0, 2**62, 2**62], "b": {"t": "numbers", "v": [0, 0]}},
        {"t": "array", "d": "<f8", "s": [1] * 40, "b": {"t": "numbers", "v": [0, 8]}},
        {"t": "dict", "v": [[[1], 2]]},
        {"t": "dict", "v": [[1]]},
        {"t": "set", "v": [[1]]},
        {"t": "tuple", "v": 3},
        {"t": "int", "v": "9" * 5000},
        {"t": "int", "v": "__import__"},
        {"t": "complex", "v": [1.0]},
        {"t": "objects", "s": [2], "v": [1]},
        {"t": "objects", "s": [-1], "v": []},
        {"t": "fraction", "v": [1, 0]},
        {"t": "fraction", "v": [1.5, 2]},
        {"t": "record", "v": [[1, 2]]},
        {"t": "record", "v": [1, 2]},
        {"t": "code", "v": "1"},
        {"t": 3},
        {"no": "kind"},
        msgpack.ExtType(5, b"code"),
        msgpack.Timestamp(1, 1),
    ],
)
def test_message_that_stands_for_nothing_is_refused(head: Any) -> None:
    with pytest.raises(WireError):
        to_value(unpack(message(head, b"12345678")), refuse)


@pytest.mark.parametrize(
    "text", [b"", b"\x00", b"\xff\xff\xff\xff", b"\x00\x00\x00\x01", b"\x00\x00\x00\x01\xc1"]
)
def test_bytes_that_are_no_message_are_refused(text: bytes) -> None:
    with pytest.raises(WireError):
        unpack(text)


def decoded_or_refused(text: bytes) -> bool:
    """Whether bytes come out as plain data, or are refused; an error of another kind is raised."""
    try:
        value = to_value(unpack(text), refuse)
    except WireError:
        return True
    return same(value, value) or math.isnan(0)


@given(st.binary(max_size=300))
@settings(deadline=None, max_examples=500)
def test_random_bytes_are_data_or_refused(text: bytes) -> None:
    assert decoded_or_refused(text)


@given(st.binary(max_size=300))
@settings(deadline=None, max_examples=500)
def test_random_bytes_in_a_right_frame_are_data_or_refused(text: bytes) -> None:
    assert decoded_or_refused(struct.pack("!I", len(text)) + text)


@given(DATA, st.data())
@settings(deadline=None, max_examples=500)
def test_changed_messages_are_data_or_refused(value: Any, data: st.DataObject) -> None:
    text = bytearray(pack(to_tree(value, nothing_more)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        change = data.draw(st.sampled_from(["set", "cut", "add"]))
        if change == "add":
            text[place:place] = data.draw(st.binary(min_size=1, max_size=3))
        elif change == "cut":
            del text[place : place + data.draw(st.integers(1, 3))]
        elif place < len(text):
            text[place] = data.draw(st.integers(0, 255))
    assert decoded_or_refused(bytes(text))


WORDS = st.sampled_from(["array", "tensor", "dict", "slice", "object", "numbers", "<f8", "|O"])
TREES = st.recursive(
    st.one_of(KEYS, st.floats(), WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["t", "v", "d", "s", "b"]), inner, max_size=5),
    ),
    max_leaves=15,
)


@given(TREES)
@settings(deadline=None, max_examples=500)
def test_any_tree_is_data_or_refused(tree: Any) -> None:
    try:
        text = pack(tree)
    except WireError:
        return
    assert decoded_or_refused(text)
