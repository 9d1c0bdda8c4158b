"""What a test's cell shows after the referee has run it."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rnnkit.grading.referee.agent import Agent
from rnnkit.grading.referee.channel import Channel
from rnnkit.grading.referee.judge import Referee


def judged(
    source: str,
    visible: str | None = None,
    given: list[list[str]] | None = None,
    asks: list[str] | None = None,
    **namespace: Any,
) -> dict[str, Any]:
    ours, its = socket.socketpair()
    agent = Agent()
    agent.channel = Channel(its)
    serving = threading.Thread(target=agent.serve, args=(namespace,), daemon=True)
    serving.start()
    worker, its_worker = socket.socketpair()
    test = {
        "name": "t",
        "source": source,
        "visible": source if visible is None else visible,
        "given": given or [],
        "asks": sorted(namespace) if asks is None else asks,
    }
    try:
        found = Referee(ours, Channel(worker)).run(test)
        serving.join(10)
        assert not serving.is_alive(), "the student's side was not let go"
        return found
    finally:
        for end in (ours, its, worker, its_worker):
            end.close()


def error(found: dict[str, Any]) -> dict[str, Any]:
    [output] = [output for output in found["outputs"] if output["output_type"] == "error"]
    return output


def test_right_answer_leaves_no_output() -> None:
    assert judged("assert f(2) == 4", f=lambda x: 2 * x) == {
        "outputs": [],
        "missing": "",
        "odd": "",
    }


def test_failed_check_shows_its_message_and_its_line() -> None:
    found = error(judged("x = 1\nassert f(2) == 4, 'f doubles'", f=lambda x: x))
    assert (found["ename"], found["evalue"]) == ("AssertionError", "f doubles")
    assert "----> 2 assert f(2) == 4, 'f doubles'" in found["traceback"][0]


def test_failed_hidden_check_shows_its_message_alone() -> None:
    source = "assert f(0) == 0\nassert f(2) == 4, 'f doubles'"
    found = error(judged(source, visible="assert f(0) == 0", f=lambda x: x))
    assert found["evalue"] == "f doubles"
    assert "f(2)" not in str(found)
    assert "(a hidden test)" in found["traceback"][0]


def test_error_of_the_student_shows_where_it_was() -> None:
    def f(x: int) -> int:
        raise ValueError("too small")

    found = judged("assert f(2) == 4", f=f)
    assert (error(found)["ename"], error(found)["evalue"]) == ("ValueError", "too small")
    assert any("raise ValueError" in frame for frame in error(found)["traceback"])
    assert found["odd"] == ""


@pytest.mark.parametrize("name", ["NoAnswer", "TestStopped", "PointsOutOfRange"])
def test_error_of_the_student_bears_no_name_of_ours(name: str) -> None:
    def f(x: int) -> int:
        raise type(name, (Exception,), {})("mine")

    found = judged("assert f(2) == 4", f=f)
    assert (error(found)["ename"], error(found)["evalue"]) == (f"__main__.{name}", "mine")
    assert found["odd"] == ""


def test_what_the_student_gives_does_nothing_where_it_is_shown() -> None:
    acts = "a\x1b[2J\x00b\u202e\x1b[31mc"

    def f(x: int) -> str:
        if x:
            return acts
        raise ValueError(acts)

    shown = "a?[2J?b?\x1b[31mc"
    found = judged("print(f(1))\nassert False, f(1)", f=f)
    assert found["outputs"][0]["text"] == f"{shown}\n"
    assert error(found)["evalue"] == shown
    assert error(judged("f(0)", f=f))["evalue"] == shown


def test_name_that_is_not_there_is_named() -> None:
    found = judged("assert f(2) == 4", asks=["f"])
    assert error(found)["ename"] == "NameError"
    assert (found["missing"], found["odd"]) == ("f", "")


@pytest.mark.parametrize(
    "source", ["f(2)[0]", "nothing_of_ours", "1 / 0", "assert (", "import no_x"]
)
def test_other_error_of_a_test_is_odd(source: str) -> None:
    found = judged(source, asks=["f"], f=lambda x: x)
    assert error(found)["ename"] == "TestStopped"
    assert found["odd"]


def test_last_value_is_the_result_of_the_cell() -> None:
    found = judged("checks = 2\nf(checks) / 4", f=lambda x: x)
    assert found["outputs"][0]["data"] == {"text/plain": "0.5"}


@pytest.mark.parametrize("source", ["f(1);", "x = f(1)", "None", "# nothing", "'all passed'"])
def test_cell_without_a_last_value_has_no_result(source: str) -> None:
    assert judged(source, f=lambda x: x)["outputs"] == []


def test_last_value_that_is_the_students_says_nothing_of_its_own() -> None:
    class Full:
        def __repr__(self) -> str:
            return "1000"

        def __float__(self) -> float:
            return 1000.0

    assert error(judged("thing", thing=Full()))["ename"] == "AssertionError"


def test_what_a_test_prints_is_kept_up_to_a_limit() -> None:
    found = judged("print('a' * 300_000)\nprint('b')", f=None)
    assert len(found["outputs"][0]["text"]) == 100_000


def test_given_cells_run_once_and_print_nothing() -> None:
    given = [["g", "print('given')\ncalls = globals().get('calls', 0) + 1"]]
    found = judged("assert calls == 1", given=given, f=1)
    assert found["outputs"] == []


ASKS = {"name": "t", "source": "f()", "visible": "", "given": [], "asks": ["f"]}
Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def worker_ends() -> Iterator[Ends]:
    one, other = socket.socketpair()
    yield one, other
    one.close()
    other.close()


def test_student_whose_process_is_gone_has_failed_the_test(ends: Ends, worker_ends: Ends) -> None:
    ends[1].close()
    found = Referee(ends[0], Channel(worker_ends[0])).run(ASKS)
    assert error(found)["ename"] == "NoAnswer"
    assert found["odd"] == ""


def test_waiting_ends_when_the_worker_says_so(ends: Ends, worker_ends: Ends) -> None:
    Channel(worker_ends[1]).send({"stop": True})
    found = Referee(ends[0], Channel(worker_ends[0])).run(ASKS)
    assert error(found)["ename"] == "NoAnswer"


def test_waiting_ends_when_the_worker_said_so_with_the_test(ends: Ends, worker_ends: Ends) -> None:
    told = Channel(worker_ends[1])
    told.send(ASKS)
    told.send({"stop": True})
    worker = Channel(worker_ends[0])
    found = Referee(ends[0], worker).run(worker.receive())
    assert error(found)["ename"] == "NoAnswer"


def test_flood_does_not_keep_a_test_from_ending(ends: Ends, worker_ends: Ends) -> None:
    def flood() -> None:
        ends[1].setblocking(True)
        with contextlib.suppress(OSError):
            while True:
                ends[1].send(os.urandom(4096))

    flooding = threading.Thread(target=flood, daemon=True)
    flooding.start()
    Channel(worker_ends[1]).send({"stop": True})
    found = Referee(ends[0], Channel(worker_ends[0])).run(ASKS)
    assert error(found)["ename"] == "NoAnswer"
    ends[0].close()
    flooding.join(10)


@pytest.mark.parametrize(
    ("value", "text"), [(False, "0.0"), (np.float32(0.5), "0.5"), (np.ones(1), "1.0"), (2, "2.0")]
)
def test_last_value_that_is_a_number_is_points(value: Any, text: str) -> None:
    assert judged("f", f=value)["outputs"][0]["data"] == {"text/plain": text}


@pytest.mark.parametrize("value", [np.zeros(2), [], {}, (1, 2), object(), 1j, "2.0"])
def test_last_value_that_is_no_number_gives_no_points(value: Any) -> None:
    assert error(judged("f", f=value))["ename"] == "AssertionError"


def test_last_value_that_is_true_gives_all_points() -> None:
    assert judged("f(2) == 4", f=lambda x: 2 * x)["outputs"] == []


def test_halves_of_characters_become_question_marks() -> None:
    def f() -> None:
        raise ValueError("\ud800")

    assert error(judged("f()", f=f))["evalue"] == "?"
