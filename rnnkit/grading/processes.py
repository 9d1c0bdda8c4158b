"""Finding and ending the processes of one submission."""

import os
import signal
import time
from pathlib import Path

__all__ = ["TOKEN", "kill_marked"]

TOKEN = "RNNKIT_SUBMISSION"


def kill_marked(token: str) -> None:
    """Kill what a submission left running, the caller itself excepted.

    A kernel has a session of its own, so the group is not enough; the token in
    the environment is inherited by everything that the submission started.

    Args:
        token: The value of the environment variable `TOKEN`; nothing is killed if it is empty.
    """
    if not token:
        return
    mark = f"{TOKEN}={token}".encode()
    for _ in range(20):  # a process may fork while we look
        found = False
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if int(process.name) == os.getpid():
                    continue
                if mark not in (process / "environ").read_bytes().split(b"\0"):
                    continue
                os.kill(int(process.name), signal.SIGKILL)
                found = True
            except (OSError, ValueError):
                continue  # it has ended, or is not ours
        if not found:
            return
        time.sleep(0.02)
