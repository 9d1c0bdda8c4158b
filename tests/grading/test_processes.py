"""The server that processes are forked from, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLOW = "import os, time\nopen({begun!r}, 'w').write(str(os.getpid()))\ntime.sleep(1)\n"
MAIN = """
import os, signal, time
from rnnkit.grading.processes import fork_context

# As in a terminal, also where a shell runs these tests in the background, without Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

if __name__ == "__main__":
    context = fork_context("slow_to_import")
    print("begun", flush=True)
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        process = context.Process(target=print, args=("it serves",))
        process.start()
        process.join()
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no such server")
def test_interrupt_while_the_server_imports_is_for_the_main_process_alone(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    (tmp_path / "slow_to_import.py").write_text(SLOW.format(begun=str(begun)))
    (tmp_path / "program.py").write_text(MAIN)
    program = subprocess.Popen(
        [sys.executable, str(tmp_path / "program.py")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not (begun.exists() and begun.read_text()) and time.monotonic() < until:
        time.sleep(0.01)
    assert begun.exists()
    os.killpg(program.pid, signal.SIGINT)  # as a terminal does
    printed, _ = program.communicate(timeout=60)
    assert (printed, program.returncode) == ("begun\nit serves\n", 0)
