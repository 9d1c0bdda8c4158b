"""Messages arrive whole and in order; a new test begins whatever was left of the last."""

import socket
import threading
import time
from typing import Any

import pytest

from rnnkit.grading.referee import channel
from rnnkit.grading.referee.channel import Channel, Closed
from rnnkit.grading.referee.wire import WireError

Ends = tuple[socket.socket, socket.socket]


def test_messages_arrive_whole_and_in_order(ends: Ends) -> None:
    one, other = map(Channel, ends)
    messages: list[Any] = [{"id": 1}, ["x" * 3_000_000], None]
    sender = threading.Thread(target=lambda: [one.send(message) for message in messages])
    sender.start()
    assert [other.receive() for _ in messages] == messages
    sender.join()


def test_end_of_the_other_side_is_told(ends: Ends) -> None:
    ends[1].close()
    with pytest.raises(Closed):
        Channel(ends[0]).receive()


def test_message_that_is_cut_off_is_told(ends: Ends) -> None:
    ends[1].sendall(b"\x00\x00\x00\x09abc")
    ends[1].close()
    with pytest.raises(Closed):
        Channel(ends[0]).receive()


def test_message_that_is_too_long_is_refused_before_it_is_read(ends: Ends) -> None:
    ends[1].sendall(b"\xff\xff\xff\xff")
    with pytest.raises(WireError):
        Channel(ends[0]).receive()


def test_waiting_ends_when_it_is_stopped(ends: Ends) -> None:
    def stopped() -> None:
        raise Closed("enough")

    with pytest.raises(Closed, match="enough"):
        Channel(ends[0], stopped).receive()


def test_sending_ends_when_nobody_reads_and_it_is_stopped(ends: Ends) -> None:
    def stopped() -> None:
        raise Closed("enough")

    with pytest.raises(Closed, match="enough"):
        Channel(ends[0], stopped).send("x" * 10_000_000)


@pytest.mark.parametrize(
    "left",
    [b"", b"\x00\x00", b"\x00\x00\x00\xffhalf of a message", b"\x93rnnkit: a new", b"\n" * 70_000],
)
def test_new_test_begins_whatever_was_left_on_the_way(ends: Ends, left: bytes) -> None:
    referee, student = map(Channel, ends)
    for end in ends:
        end.setblocking(True)
        end.sendall(left)
        end.setblocking(False)
    answering = threading.Thread(target=student.be_greeted)
    answering.start()
    referee.greet()
    answering.join(10)
    referee.send("to the student")
    student.send("to the referee")
    assert (student.receive(), referee.receive()) == ("to the student", "to the referee")


def test_noise_without_end_is_refused(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MOST_BYTES", 100_000)
    done = threading.Event()

    def make_noise() -> None:
        while not done.is_set():
            try:
                ends[1].send(b"noise" * 1000)
            except OSError:
                time.sleep(0.001)

    noisy = threading.Thread(target=make_noise)
    noisy.start()
    try:
        with pytest.raises(WireError):
            Channel(ends[0]).greet()
    finally:
        done.set()
        ends[0].close()
        noisy.join()
