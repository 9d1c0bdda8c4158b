"""nbgrader's formgrader opens on what `rnnkit grade` leaves."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rnnkit.course.kit import Kit

CHROMIUM = shutil.which("chromium")
UNIT = "00_tiny"
TOKEN = "formgrader-test"
PageText = Callable[[str, str], str]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


def notebook(answer: str) -> nbformat.NotebookNode:
    shared = {"schema_version": 3, "task": False}
    cells = [
        new_markdown_cell("# Tiny", id="title"),
        new_code_cell(
            answer,
            id="q1",
            metadata={
                "nbgrader": {
                    "grade_id": "q1", "grade": False, "solution": True, "locked": False, **shared
                }
            },
        ),
        new_code_cell(
            "assert answer == 42",
            id="q1-test",
            metadata={
                "nbgrader": {
                    "grade_id": "q1-test", "grade": True, "solution": False, "locked": True,
                    "points": 2, **shared,
                }
            },
        ),
    ]  # fmt: skip
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": spec})


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded class of three."""
    from rnnkit.grading.classroom import grade_class
    from rnnkit.grading.limits import Limits
    from rnnkit.grading.progress import Progress

    folder = tmp_path_factory.mktemp("formgrader")
    kit, root = Kit(folder / "kit"), folder / "course"
    source = kit.solutions / UNIT
    source.mkdir(parents=True)
    settings = Path(__file__).parents[2] / "nbgrader_config.py"
    shutil.copy(settings, kit.root / "nbgrader_config.py")
    solution = "### BEGIN SOLUTION\nanswer = 42\n### END SOLUTION"
    nbformat.write(notebook(solution), source / f"{UNIT}.ipynb")
    for student, answer in [("ada", "answer = 42"), ("ben", "answer = 1"), ("cy", None)]:
        place = root / "submitted" / student / UNIT
        place.mkdir(parents=True)
        text = nbformat.writes(notebook(answer)) if answer else "no notebook"
        (place / f"{UNIT}.ipynb").write_text(text, encoding="utf-8")
    grade_class(kit, UNIT, root, lambda _: Limits(jobs=2, sandbox="try"), Progress())
    return root


@pytest.fixture(scope="module")
def server(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab in the course folder; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    tools = str(Path(sys.executable).parent)
    environment = os.environ | {
        "HOME": str(home),
        "PATH": tools + os.pathsep + os.environ["PATH"],
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
    }
    options = [
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        f"--IdentityProvider.token={TOKEN}",
    ]
    log = (home / "log.txt").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyter", "lab", *options],
        cwd=course,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/api/status?token={TOKEN}", process, home / "log.txt")
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)
        log.close()


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(120):
        assert process.poll() is None, log.read_text(errors="replace")
        try:
            with urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail("JupyterLab did not start: " + log.read_text(errors="replace"))


@pytest.fixture(scope="module")
def page_text(server: str) -> Iterator[PageText]:
    """Gives the text of a formgrader page once it holds a text."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})

        def text(path: str, until: str) -> str:
            page.goto(f"{server}/formgrader/{path}?token={TOKEN}", wait_until="domcontentloaded")
            page.wait_for_function(
                "until => document.body.innerText.includes(until)", arg=until, timeout=60_000
            )
            if "FORMGRADER_PICTURES" in os.environ:  # for looking at it by eye
                name = re.sub(r"\W+", "-", path) + ".png"
                page.screenshot(path=str(Path(os.environ["FORMGRADER_PICTURES"]) / name))
            return str(page.inner_text("body"))

        yield text
        browser.close()


def test_manage_assignments_shows_the_unit_with_its_submissions(page_text: PageText) -> None:
    text = page_text("manage_assignments", UNIT)
    row = next(line for line in text.splitlines() if line.startswith(UNIT))
    assert row.split()[-1] == "3"


def test_gradebook_shows_the_scores(page_text: PageText) -> None:
    text = page_text(f"gradebook/{UNIT}/{UNIT}", "Submission #2")
    scores = sorted(re.findall(r"Submission #\d+\s+([\d.]+)\s*/\s*2", text))
    assert scores == ["0", "2"]


def test_submissions_show_each_student(page_text: PageText) -> None:
    text = page_text(f"manage_submissions/{UNIT}", "cy")
    assert "ada" in text
    assert "ben" in text
