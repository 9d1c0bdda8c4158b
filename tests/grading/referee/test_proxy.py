"""What a test sees of a student's objects: copies of data, and proxies that decide nothing."""

import itertools
import pickle
import socket
import threading
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
from in_a_thread import Both

from rnnkit.grading.referee import proxy
from rnnkit.grading.referee.channel import Channel
from rnnkit.grading.referee.proxy import CallableProxy, Link, NoAnswer, Proxy, StudentError

Connect = Callable[..., Link]


def test_data_is_copied_and_the_rest_stays_there(link_to: Connect) -> None:
    found = link_to(number=1, words=["a"], f=abs, thing=object()).names(
        ["number", "words", "f", "thing", "nothing"]
    )
    assert (found["number"], found["words"]) == (1, ["a"])
    assert isinstance(found["f"], CallableProxy)
    assert isinstance(found["thing"], Proxy) and not callable(found["thing"])
    assert "nothing" not in found


def test_name_whose_value_cannot_cross_as_a_whole_disturbs_no_other(link_to: Connect) -> None:
    itself: list[Any] = []
    itself.append(itself)
    found = link_to(itself=itself, number=1).names(["itself", "number"])
    assert found["number"] == 1
    assert isinstance(found["itself"], Proxy)


def test_object_that_answers_to_every_name_disturbs_no_other(link_to: Connect) -> None:
    class Anything:
        def __getattr__(self, name: str) -> Any:
            return lambda *inputs, **named: None

    assert keras.ops.is_tensor(Anything())  # so TensorFlow says
    found = link_to(anything=Anything(), number=1).names(["anything", "number"])
    assert found["number"] == 1
    assert isinstance(found["anything"], Proxy)


def test_proxy_knows_the_name_that_the_test_has_for_it_and_what_it_is(link_to: Connect) -> None:
    found = link_to(bigger=max, fit_result=keras.callbacks.History()).names(
        ["bigger", "fit_result"]
    )
    assert found["bigger"].name_elsewhere == "bigger"
    assert found["fit_result"].kind_elsewhere == "History"


def test_what_another_gives_has_no_name(link_to: Connect) -> None:
    make = link_to(make=object).names(["make"])["make"]
    assert make().name_elsewhere == ""


def test_function_is_called_with_copies(link_to: Connect) -> None:
    def fill(array: np.ndarray, value: float = 1.0) -> np.ndarray:
        array[:] = value
        return array

    numbers = np.zeros(3)
    result = link_to(fill=fill).names(["fill"])["fill"](numbers, value=2.0)
    assert result.tolist() == [2.0, 2.0, 2.0]
    assert numbers.tolist() == [0.0, 0.0, 0.0]


class Counter:
    """An object with all that can be asked for."""

    words = ("a", "b")

    def __init__(self) -> None:
        self.calls = 0

    def count(self) -> int:
        self.calls += 1
        return self.calls

    def __getitem__(self, key: Any) -> Any:
        return self.words[key]

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Any:
        return iter(self.words)


def test_objects_are_asked_for_attributes_items_and_length(link_to: Connect) -> None:
    counter = link_to(counter=Counter()).names(["counter"])["counter"]
    assert (counter.count(), counter.count(), counter.calls) == (1, 2, 2)
    assert (counter[1], counter[0:2]) == ("b", ("a", "b"))
    assert (len(counter), list(counter)) == (2, ["a", "b"])
    assert not hasattr(counter, "nothing")


def test_objects_come_back_as_themselves(link_to: Connect) -> None:
    things = {"a": object()}
    link = link_to(make=lambda: things["a"], is_it=lambda thing: thing is things["a"])
    found = link.names(["make", "is_it"])
    assert found["make"]() is found["make"]()
    assert found["is_it"](found["make"]())


class Rigged:
    """Says yes to all."""

    def __eq__(self, other: object) -> bool:
        return True

    def __bool__(self) -> bool:
        raise RuntimeError("asked")

    def __float__(self) -> float:
        return 1.0

    def __lt__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        raise RuntimeError("asked")

    def __repr__(self) -> str:
        return "1.0"

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.ones(3)

    def __contains__(self, other: object) -> bool:
        return True

    def __reduce__(self) -> Any:
        return print, ("unpickled",)


@pytest.fixture
def rigged(link_to: Connect) -> Any:
    return link_to(rigged=Rigged()).names(["rigged"])["rigged"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda rigged: rigged == 1.0,
        lambda rigged: rigged == rigged._rnnkit_link,
        lambda rigged: repr(rigged) == "1.0",
        lambda rigged: not rigged,
    ],
)
def test_comparison_truth_and_text_are_the_referees(rigged: Any, wrong: Any) -> None:
    assert not wrong(rigged)


@pytest.mark.parametrize(
    "convert",
    [
        float,
        int,
        lambda rigged: rigged < 2,
        lambda rigged: rigged + 1,
        np.asarray,
        lambda rigged: np.testing.assert_allclose(rigged, 1.0),
        pickle.dumps,
        lambda rigged: 1.0 in rigged,
        lambda rigged: f"{rigged:.2f}",
    ],
)
def test_conversion_and_arithmetic_are_refused(rigged: Any, convert: Any) -> None:
    with pytest.raises((TypeError, StudentError)):
        convert(rigged)


def test_hash_is_the_referees(rigged: Any) -> None:
    assert rigged in {rigged}


@pytest.mark.parametrize("name", ["__class__", "__dict__", "__globals__", "__code__"])
def test_special_names_of_the_students_objects_stay_there(link_to: Connect, name: str) -> None:
    f = link_to(f=lambda: 1).names(["f"])["f"]
    assert getattr(f, name, None) in (None, CallableProxy)


@pytest.mark.parametrize(
    ("error", "known"),
    [
        (ValueError("two"), ValueError),
        (KeyError("two"), KeyError),
        (type("Own", (TypeError,), {})("two"), TypeError),
        (NotImplementedError("two"), NotImplementedError),
        (AssertionError("two"), AssertionError),
        (OSError("two"), StudentError),
        (SystemExit("two"), StudentError),
    ],
)
def test_error_of_the_student_has_its_class_and_message(
    link_to: Connect, error: BaseException, known: type[Exception]
) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(StudentError) as raised:
        link_to(fail=fail).names(["fail"])["fail"]()
    assert isinstance(raised.value, known)
    assert "two" in str(raised.value)
    assert raised.value.kind == type(error).__name__


def test_error_whose_message_cannot_be_made_is_still_told(link_to: Connect) -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError("asked")

    def fail() -> None:
        raise Odd

    with pytest.raises(StudentError, match="cannot be shown"):
        link_to(fail=fail).names(["fail"])["fail"]()


def test_function_of_the_test_is_called_back(link_to: Connect) -> None:
    def twice(step: Any, state: int) -> Any:
        return step(step(state))

    found = link_to(twice=twice).names(["twice"])["twice"]
    assert found(lambda state: state + 1, 0) == 2


def test_function_of_the_test_may_ask_the_student_again(link_to: Connect) -> None:
    found = link_to(call=lambda step: step(3), double=lambda x: 2 * x).names(["call", "double"])
    assert found["call"](lambda x: found["double"](x) + 1) == 7


def test_function_of_the_test_may_be_called_often(link_to: Connect) -> None:
    def run(step: Any) -> int:
        state = 0
        for _ in range(2500):
            state = step(state)
        return state

    assert link_to(run=run).names(["run"])["run"](lambda state: state + 1) == 2500


def test_error_of_the_tests_function_reaches_the_answer_that_expects_it(link_to: Connect) -> None:
    def careful(step: Any) -> str:
        try:
            return str(step("no number"))
        except ValueError as error:
            return f"caught {error}"

    found = link_to(careful=careful, careless=lambda step: step("x")).names(["careful", "careless"])

    def to_float(text: str) -> float:
        return float(text)

    assert found["careful"](to_float).startswith("caught could not convert")
    with pytest.raises(ValueError, match="could not convert"):
        found["careless"](to_float)


def test_function_that_the_test_did_not_pass_cannot_be_called() -> None:
    namespace: dict[str, Any] = {}
    both = Both(namespace)
    namespace["forge"] = lambda: both.agent.ask(12345, (), {})
    forge = both.link.names(["forge"])["forge"]
    with pytest.raises(NoAnswer):
        forge()
    both.close()


def test_iteration_without_end_is_ended(link_to: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MOST_ITEMS", 50)
    endless = link_to(endless=itertools.count()).names(["endless"])["endless"]
    with pytest.raises(NoAnswer, match="more than 50"):
        list(endless)


def test_generator_gives_one_thing_at_a_time(link_to: Connect) -> None:
    made: list[int] = []

    def numbers() -> Any:
        for number in range(5):
            made.append(number)
            yield number

    found = iter(link_to(numbers=numbers).names(["numbers"])["numbers"]())
    assert next(found) == 0
    assert made == [0]


@pytest.mark.parametrize(
    "reply",
    [
        {"id": 1},
        {"id": 1, "value": {"t": "object", "v": "no number"}},
        {"id": 1, "value": {"t": "given", "v": 1}},
        {"id": 1, "value": {"t": "code"}},
        {"id": 1, "error": "no map"},
        {"id": 1, "error": {"kinds": [1, "A B", "x" * 200], "message": 3, "frames": [3]}},
        {"call": 1, "inputs": {"t": "tuple", "v": []}, "named": {"t": "dict", "v": []}},
        {"call": "1"},
        "text",
        None,
    ],
)
def test_reply_that_stands_for_nothing_is_a_failed_test(
    ends: tuple[socket.socket, socket.socket], reply: Any
) -> None:
    link, student = Link(Channel(ends[0])), Channel(ends[1])

    def answer() -> None:
        student.receive()
        student.send(reply)
        student.close()

    answering = threading.Thread(target=answer)
    answering.start()
    with pytest.raises((NoAnswer, StudentError)):
        link.names(["f"])
    answering.join(10)


def test_stale_replies_are_passed_over_and_too_many_are_refused(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proxy, "MOST_STALE", 10)
    link, student = Link(Channel(ends[0])), Channel(ends[1])
    for number in (0, 7, True):
        student.send({"id": number, "value": None})
    student.send({"id": 1, "value": {"t": "dict", "v": [["f", 3]]}})
    assert link.names(["f"]) == {"f": 3}
    for _ in range(10):
        student.send({"id": 0})
    with pytest.raises(NoAnswer):
        link.names(["f"])


def test_object_that_may_not_cross_is_the_tests_own_error(link_to: Connect) -> None:
    f = link_to(f=lambda x: x).names(["f"])["f"]
    with pytest.raises(TypeError, match="pass data and functions"):
        f(object())
