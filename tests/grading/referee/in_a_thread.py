"""The student's side in a thread of this process, behind a real socket."""

import socket
import threading
from typing import Any

from rnnkit.grading.referee.agent import Agent
from rnnkit.grading.referee.channel import Channel
from rnnkit.grading.referee.judge import asked
from rnnkit.grading.referee.proxy import Link

__all__ = ["Both"]


class Both:
    """Both sides.

    Args:
        namespace: The student's names.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        ours, its = socket.socketpair()
        self._ends = ours, its
        self.agent = Agent()
        self.agent.channel = Channel(its)
        self._thread = threading.Thread(target=self.agent.serve, args=(namespace,), daemon=True)
        self._thread.start()
        self.link = Link(Channel(ours), asked)
        self.link.begin()

    def close(self) -> None:
        """End both."""
        self._ends[0].close()
        self._thread.join(10)
        self._ends[1].close()
