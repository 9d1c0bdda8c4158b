"""Kernels forked from a process with the imports done, and fresh ones where that cannot be."""

import os
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_client.blocking import BlockingKernelClient

from rnnkit.grading import warm
from rnnkit.grading.fence import FenceSpec
from rnnkit.grading.outcome import Fence
from rnnkit.grading.provisioner import kernel_environment
from rnnkit.grading.warm import (
    PRELOAD,
    KernelProcess,
    Zygote,
    begin_zygote,
    start_kernel,
    use_zygote,
)

SMALL = ("ipykernel.kernelapp",)


@pytest.fixture
def request_for(tmp_path: Path) -> dict[str, Any]:
    """A kernel with no fence, that listens in the test's folder."""
    for name in ("scratch", "sockets"):
        (tmp_path / name).mkdir()
    scratch = str(tmp_path / "scratch")
    spec = FenceSpec(level=Fence.NONE, scratch=scratch, sockets=str(tmp_path / "sockets"))
    names = ("shell", "iopub", "stdin", "hb", "control")
    return {
        "environment": {**kernel_environment(), "HOME": scratch, "TMPDIR": scratch}
        | {"IPYTHONDIR": scratch},
        "folder": scratch,
        "connection": {
            "transport": "ipc",
            "ip": str(tmp_path / "sockets" / "k"),
            "key": "key",
            "signature_scheme": "hmac-sha256",
            **{f"{name}_port": number for number, name in enumerate(names, 1)},
        },
        "arguments": [],
        "fence": spec.to_json(),
    }


@pytest.fixture(autouse=True)
def own_zygotes(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Zygotes of this test alone, ended with it."""
    own = warm._Warm()
    monkeypatch.setattr(warm, "_warm", own)
    yield own
    warm.close_zygotes()


def listens(process: KernelProcess, request: dict[str, Any]) -> bool:
    """Whether a kernel comes to listen."""
    until = time.monotonic() + 60
    path = Path(f"{request['connection']['ip']}-5")
    while time.monotonic() < until and process.poll() is None:
        if path.exists():
            return True
        time.sleep(0.02)
    return False


def start(request: dict[str, Any], folder: Path, preload: tuple[str, ...] = SMALL) -> Any:
    return start_kernel(request, folder / "log.txt", preload, kernel_environment())


def test_kernel_is_forked_and_ends_with_a_report(
    request_for: dict[str, Any], tmp_path: Path
) -> None:
    process, why = start(request_for, tmp_path)
    assert why == ""
    assert listens(process, request_for)
    process.kill()
    assert process.returncode is not None
    assert process.report is not None and process.report.peak_bytes > 0


def test_zygote_whose_imports_ran_an_operation_is_not_forked(
    request_for: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs_an_operation.py").write_text(
        "import sys, types\n"
        "module = types.ModuleType('tensorflow.python.eager.context')\n"
        "module.context_safe = lambda: types.SimpleNamespace(_context_handle=1)\n"
        "sys.modules[module.__name__] = module\n"
    )
    environment = {**kernel_environment(), "PYTHONPATH": str(tmp_path)}
    process, why = start_kernel(
        request_for, tmp_path / "log.txt", (*SMALL, "runs_an_operation"), environment
    )
    assert "a child of it would hang" in why
    assert listens(process, request_for)
    zygote = psutil.Process(process.pid).parent()
    assert zygote is not None and zygote.pid in {child.pid for child in psutil.Process().children()}
    process.kill()
    assert not zygote.is_running()


def test_kernel_has_our_package_where_python_finds_another_first(
    request_for: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "rnnkit").mkdir()
    (tmp_path / "rnnkit" / "__init__.py").write_text("raise ImportError('another rnnkit')\n")
    environment = {**kernel_environment(), "PYTHONPATH": str(tmp_path)}
    process, why = start_kernel(request_for, tmp_path / "log.txt", SMALL, environment)
    assert why == ""
    assert listens(process, request_for)
    process.kill()


def test_module_that_cannot_be_imported_stops_no_kernel(
    request_for: dict[str, Any], tmp_path: Path
) -> None:
    process, why = start(request_for, tmp_path, (*SMALL, "no_such_module"))
    assert why == ""
    assert listens(process, request_for)
    process.kill()


LOOK_AT_MODULES = """
import os, sys
known = frozenset()
def look():
    global known
    known = known or frozenset(sys.modules)
os.register_at_fork(after_in_child=look)
"""


def test_kernel_has_nothing_left_to_import_when_it_is_forked(
    request_for: dict[str, Any], tmp_path: Path
) -> None:
    """What it imports for its start, each kernel would import again."""
    (tmp_path / "modules_at_fork.py").write_text(LOOK_AT_MODULES)
    environment = {**kernel_environment(), "PYTHONPATH": str(tmp_path)}
    process, why = start_kernel(
        request_for, tmp_path / "log.txt", (*PRELOAD, "modules_at_fork"), environment
    )
    assert why == "" and listens(process, request_for)
    client = BlockingKernelClient()
    client.load_connection_info(request_for["connection"])
    client.start_channels()
    code = "import sys, modules_at_fork as at; print(*sorted(set(sys.modules) - at.known))"
    printed: list[str] = []
    client.execute_interactive(
        code, output_hook=lambda message: printed.append(message["content"].get("text", ""))
    )
    client.stop_channels()
    process.kill()
    left = "".join(printed).split()
    assert [name for name in left if not name.startswith("encodings.")] == []


def test_zygote_that_was_killed_is_begun_again(request_for: dict[str, Any], tmp_path: Path) -> None:
    begin_zygote(SMALL, kernel_environment())
    (zygote,) = warm._warm.zygotes.values()
    os.kill(zygote.pid, 9)
    zygote._process.wait()
    process, why = start(request_for, tmp_path)
    assert why == ""
    assert listens(process, request_for)
    process.kill()


def test_zygote_of_another_process_is_shared(
    request_for: dict[str, Any], tmp_path: Path, own_zygotes: Any
) -> None:
    other = Zygote(SMALL, kernel_environment())
    use_zygote(SMALL, kernel_environment(), other.address)
    process, why = start(request_for, tmp_path)
    assert (why, own_zygotes.zygotes) == ("", {})
    assert listens(process, request_for)
    process.kill()
    other.close()


def test_shared_zygote_that_has_ended_is_replaced_by_an_own_one(
    request_for: dict[str, Any], tmp_path: Path, own_zygotes: Any
) -> None:
    other = Zygote(SMALL, kernel_environment())
    use_zygote(SMALL, kernel_environment(), other.address)
    other.close()
    process, why = start(request_for, tmp_path)
    assert (why, len(own_zygotes.zygotes)) == ("", 1)
    assert listens(process, request_for)
    process.kill()


def test_zygote_ends_with_its_owner() -> None:
    zygote = Zygote(SMALL, kernel_environment())
    assert zygote.runs
    assert zygote._process.stdin is not None
    zygote._process.stdin.close()  # as the system does when the owner ends
    zygote._process.wait(timeout=60)
    zygote.close()


@pytest.fixture
def soon_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let zygotes end a fifth of a second after nobody asked."""
    quickly = warm._BEGIN.replace("zygote.main(", "zygote.IDLE_SECONDS = 0.2; zygote.main(")
    monkeypatch.setattr(warm, "_BEGIN", quickly)


def test_idle_zygote_ends_and_is_begun_again_when_asked(
    request_for: dict[str, Any], tmp_path: Path, soon_idle: None
) -> None:
    first, _ = start(request_for, tmp_path)
    (zygote,) = warm._warm.zygotes.values()
    assert listens(first, request_for)
    first.kill()
    assert zygote._process.wait(timeout=30) == 0
    again, why = start(request_for, tmp_path)
    assert why == ""
    assert [other.pid for other in warm._warm.zygotes.values()] != [zygote.pid]
    again.kill()


def test_zygote_is_not_idle_while_a_kernel_runs(
    request_for: dict[str, Any], tmp_path: Path, soon_idle: None
) -> None:
    process, _ = start(request_for, tmp_path)
    (zygote,) = warm._warm.zygotes.values()
    assert listens(process, request_for)
    time.sleep(1)  # five times as long as an idle one lives
    assert zygote.runs
    assert process.poll() is None
    process.kill()
    assert zygote._process.wait(timeout=30) == 0
