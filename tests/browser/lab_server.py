"""JupyterLab as `make lab` starts it, for a user with an empty home folder."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

TOKEN = "a-token-of-the-tests"
SECONDS_TO_START = 180  # on a busy machine


@dataclass(frozen=True)
class Server:
    """A JupyterLab that runs.

    Args:
        address: Such as ``http://127.0.0.1:8888``.
        folder: What it shows.
        log: Where all that it prints is written.
    """

    address: str
    folder: Path
    log: Path

    def url(self, path: str) -> str:
        """The address of one page, with what lets a browser in."""
        return f"{self.address}/{path}?token={TOKEN}"


@contextlib.contextmanager
def lab_server(folder: Path, home: Path) -> Iterator[Server]:
    """Start JupyterLab in a folder, by the command that `make lab` calls.

    Args:
        folder: The kit's folder, a student's, or a course's.
        home: An empty folder.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tools = Path(sys.executable).parent
    words = [str(tools / "rnnkit"), "lab", str(folder), "--port", str(port)]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        words.append("--allow-root")
    log = home / "log.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(
            words,
            cwd=home,
            env=environment_of(home),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        server = Server(f"http://127.0.0.1:{port}", folder, log)
        try:
            _wait_for(server, process)
            yield server
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=60)


def environment_of(home: Path) -> dict[str, str]:
    """The variables of somebody who has never started Jupyter, on a machine without a display."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTER", "JPY_", "BROWSER", "DISPLAY", "WAYLAND", "NBGRADER"))
    }
    tools = str(Path(sys.executable).parent)
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return kept | {
        "HOME": str(home),
        "XDG_CACHE_HOME": caches,  # matplotlib's list of fonts is not made anew
        "PATH": tools + os.pathsep + os.environ["PATH"],
        "JUPYTER_TOKEN": TOKEN,
        "RNNKIT_FAST": "1",
    }


def _wait_for(server: Server, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until:
        assert process.poll() is None, server.log.read_text(errors="replace")
        try:
            with urlopen(server.url("api/status"), timeout=5):
                return
        except OSError:
            time.sleep(0.2)  # until the server listens; nothing else tells us
    pytest.fail("JupyterLab did not start: " + server.log.read_text(errors="replace"))
