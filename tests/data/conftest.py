import http.server
import os
import socket
import threading
from pathlib import Path

import pytest

HERE = "127.0.0.1"


@pytest.fixture(autouse=True)
def no_internet(monkeypatch):
    """Let no test of this folder ask a name server, or connect to another machine."""
    connect = socket.socket.connect

    def only_here(self, address):
        assert address[0] == HERE, f"a test tried to connect to {address}"
        return connect(self, address)

    def no_names(host, *rest, **settings):
        assert host == HERE, f"a test asked for the address of {host}"
        return real_names(host, *rest, **settings)

    real_names = socket.getaddrinfo
    monkeypatch.setattr(socket.socket, "connect", only_here)
    monkeypatch.setattr(socket, "getaddrinfo", no_names)
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """An empty cache, and no folder with data."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("RNNKIT_CACHE", str(folder))
    monkeypatch.delenv("RNNKIT_DATA", raising=False)
    return folder


@pytest.fixture(scope="session")
def real_data():
    """The folder with the real files; tests that need it are skipped where it is absent."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(REAL_DATA) if REAL_DATA else beside
    if not (folder / "README.md").exists():
        pytest.skip("needs the real files: ../shared/data or the folder that RNNKIT_DATA names")
    return folder


REAL_DATA = os.environ.get("RNNKIT_DATA")  # before the fixture above takes it away


class Server:
    """A web server on this machine.

    Attributes:
        files: The files that it has: path to content.
        refused: Status codes that it answers with instead.
        announced: Lengths that it announces for files, where they are wrong.
        asked: The paths that it was asked for.
        meeting: Where set, an answer waits here until others come for theirs.
    """

    def __init__(self):
        self.files: dict[str, bytes] = {}
        self.refused: dict[str, int] = {}
        self.announced: dict[str, int] = {}
        self.asked: list[str] = []
        self.meeting: threading.Barrier | None = None
        server = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                if server.meeting:
                    server.meeting.wait(timeout=60)
                content = server.files.get(self.path)
                if content is None or self.path in server.refused:
                    return self.send_error(server.refused.get(self.path, 404))
                self.send_response(200)
                length = server.announced.get(self.path, len(content))
                self.send_header("Content-Length", str(length))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer((HERE, 0), Answer)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def address(self, path: str) -> str:
        return f"http://{HERE}:{self._server.server_port}{path}"

    def stop(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def server():
    running = Server()
    yield running
    running.stop()
