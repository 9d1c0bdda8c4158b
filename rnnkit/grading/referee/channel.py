"""Messages over a stream socket, each whole, in time and not too large."""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

from rnnkit.grading.referee.wire import MOST_BYTES, WireError, pack, unpack

__all__ = ["Channel", "Closed", "pair"]

_LENGTH = struct.Struct("!I")
LOOK_SECONDS = 0.1
_PART = 1 << 16  # bytes that are asked for at once: a kernel may be short of memory
_BEGIN = b"\x93rnnkit: a new test begins\x0a"
_TOKEN = 32


class Closed(Exception):
    """The other side has gone, or does not answer in time."""


class Channel:
    """One end of a connection.

    Args:
        end: A connected stream socket.
        stopped: Called each `LOOK_SECONDS` of sending and receiving; raises where there is no
            more to wait for.
    """

    def __init__(self, end: socket.socket, stopped: Callable[[], None] = lambda: None) -> None:
        self._socket = end
        self._stopped = stopped
        self._read = bytearray()  # and not yet asked for
        self._next_look = time.monotonic() + LOOK_SECONDS
        end.setblocking(False)

    def send(self, message: Any) -> None:
        """Send a message.

        Args:
            message: A tree, as `rnnkit.grading.referee.wire` makes them.

        Raises:
            WireError: It is too large.
            Closed: Nobody reads it.
        """
        text = pack(message)
        self._send_all(memoryview(_LENGTH.pack(len(text)) + text))

    def _send_all(self, rest: memoryview) -> None:
        while rest:
            self._wait(writing=True)
            try:
                rest = rest[self._socket.send(rest[:_PART]) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise Closed(str(error)) from error

    def receive(self) -> Any:
        """The next message.

        Raises:
            WireError: What came is none. Nothing can be read after it.
            Closed: The other side has gone.
        """
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        if length > MOST_BYTES:
            raise WireError(f"what came has {length:,} bytes; at most {MOST_BYTES:,} may cross")
        return unpack(self._exactly(length))

    def _exactly(self, count: int) -> bytes:
        while len(self._read) < count:
            self._read_more()
        found = bytes(memoryview(self._read)[:count])
        del self._read[:count]
        return found

    def _read_more(self) -> None:
        while True:
            self._wait(writing=False)
            try:
                part = self._socket.recv(_PART)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Closed(str(error)) from error
            if not part:
                raise Closed("the other side has gone")
            self._read += part
            return

    def _wait(self, writing: bool) -> None:
        ends = [self._socket]
        while True:
            if time.monotonic() >= self._next_look:  # also where it never pauses
                self._next_look = time.monotonic() + LOOK_SECONDS
                self._stopped()
            reading, ready, _ = select.select(
                [] if writing else ends, ends if writing else [], [], LOOK_SECONDS
            )
            if reading or ready:
                return

    def greet(self) -> None:
        """Begin anew: what either side has sent so far, whole or not, counts no more.

        Raises:
            Closed: The other side does not answer.
            WireError: It sends other things without end.
        """
        token = os.urandom(_TOKEN)
        self._send_all(memoryview(_BEGIN + token))
        self._skip_to(token)

    def be_greeted(self) -> None:
        """Wait until the other side begins anew, and answer it.

        Raises:
            Closed: The other side has gone.
        """
        self._skip_to(_BEGIN)
        self._send_all(memoryview(self._exactly(_TOKEN)))

    def _skip_to(self, mark: bytes) -> None:
        """Read up to the end of a mark."""
        skipped = 0
        while (place := self._read.find(mark)) < 0:
            unneeded = max(0, len(self._read) - len(mark) + 1)
            skipped += unneeded
            if skipped > 2 * MOST_BYTES:
                raise WireError("too much came that nobody asked for")
            del self._read[:unneeded]
            self._read_more()
        del self._read[: place + len(mark)]

    def is_ready(self, seconds: float) -> bool:
        """Whether something comes in time.

        Args:
            seconds: How long to wait.
        """
        return bool(self._read or select.select([self._socket], [], [], seconds)[0])

    def close(self) -> None:
        """Close this end."""
        self._socket.close()


def pair() -> tuple[int, int]:
    """Two connected ends, as descriptors."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    return one.detach(), other.detach()
