"""A student's process and a referee, each at one end of a real socket."""

import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import in_a_thread

from in_a_thread import Both

from rnnkit.grading.referee.proxy import Link


@pytest.fixture
def link_to() -> Iterator[Callable[..., Link]]:
    """A link to a namespace that another thread serves."""
    opened: list[Both] = []

    def connect(**namespace: Any) -> Link:
        opened.append(Both(namespace))
        return opened[-1].link

    yield connect
    for both in opened:
        both.close()


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two connected sockets."""
    one, other = socket.socketpair()
    yield one, other
    one.close()
    other.close()
