"""What a killed process leaves in the folder for temporary files, the next run removes."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from rnnkit.grading import temporary
from rnnkit.grading.temporary import HELD, HeldFolder, remove_forsaken


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "short_folder", lambda: str(tmp_path))
    return tmp_path


def held_by_another(place: Path) -> tuple[subprocess.Popen[str], Path]:
    """A folder of a process that runs."""
    script = (
        "import sys, time\nfrom rnnkit.grading.temporary import HeldFolder\n"
        "print(HeldFolder('rk-', sys.argv[1]).path, flush=True)\ntime.sleep(600)"
    )
    # The object goes at once; the process keeps the lock all the same.
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(place)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    (folder / "data").write_text("much")
    return process, folder


def grow_old(folder: Path) -> None:
    os.utime(folder / HELD, (time.time() - 1000,) * 2)


def test_folder_of_a_killed_process_is_removed_and_that_of_another_stays(place: Path) -> None:
    process, folder = held_by_another(place)
    try:
        grow_old(folder)
        remove_forsaken()
        assert (folder / "data").exists()
    finally:
        process.kill()
        process.wait()
    remove_forsaken()
    assert list(place.iterdir()) == []


def test_folder_that_is_new_stays(place: Path) -> None:
    process, folder = held_by_another(place)
    process.kill()
    process.wait()
    remove_forsaken()
    assert folder.exists()


def test_folder_that_is_not_ours_stays(place: Path) -> None:
    (place / "results").mkdir()
    (place / "results" / "precious").write_text("years of work")
    remove_forsaken()
    assert (place / "results" / "precious").exists()


def test_folder_is_removed_at_its_end(place: Path) -> None:
    with HeldFolder("rk-") as folder:
        assert folder.is_dir()
    assert list(place.iterdir()) == []
