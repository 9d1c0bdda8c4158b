"""Nothing of a submission outlives the grading run."""

import os
import subprocess
import sys
import uuid
from pathlib import Path

from rnnkit.grading.processes import TOKEN, kill_marked

KILLED = -9
WORKER_WITHOUT_COORDINATOR = """
import sys
from pathlib import Path
from rnnkit.grading.worker import _end_with
_end_with(0, Path(sys.argv[1]))
"""


def sleeper(token: str) -> subprocess.Popen[bytes]:
    """A process in a session of its own, as a student may leave one."""
    return subprocess.Popen(
        ["sleep", "60"], env={**os.environ, TOKEN: token}, start_new_session=True
    )


def test_kills_what_carries_the_token_and_nothing_else() -> None:
    mine, other = sleeper(uuid.uuid4().hex), sleeper(token := uuid.uuid4().hex)
    try:
        kill_marked(token)
        assert other.wait(timeout=10) == KILLED
        assert mine.poll() is None
    finally:
        mine.kill()
        mine.wait()


def test_worker_ends_with_its_coordinator_and_takes_all_along(tmp_path: Path) -> None:
    token = uuid.uuid4().hex
    left = sleeper(token)
    (tmp_path / "run").mkdir()
    worker = subprocess.run(
        [sys.executable, "-c", WORKER_WITHOUT_COORDINATOR, str(tmp_path / "run")],
        env={**os.environ, TOKEN: token},
        timeout=60,
        check=False,
    )
    assert worker.returncode == 1
    assert left.wait(timeout=10) == KILLED
    assert not (tmp_path / "run").exists()
