"""Run the published notebooks as Colab would: with its packages, from an empty folder."""

import hashlib
import io
import json
import os
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import nbformat
from nbformat import NotebookNode

from rnnkit.course.build import build_solution
from rnnkit.course.execution import OnCell, run
from rnnkit.course.kit import Kit
from rnnkit.course.notebooks import nbgrader_metadata
from rnnkit.course.publish import students_files
from rnnkit.course.settings import PublishSettings
from rnnkit.course.students_package import colab_requirements
from rnnkit.errors import KitError, in_a_line

__all__ = ["PASSED", "ColabNotebook", "ColabResult", "ColabRuns"]

PASSED = "passed"
FOLDER = "build/colab"
KERNEL = "rnnkit-colab"
# In Colab, this module is there before a notebook's first cell runs.
STARTUP = """\
import sys
import types

sys.modules["google.colab"] = types.ModuleType("google.colab")
"""
_OF_THE_PACKAGE = ("rnnkit/", "pyproject.toml")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the time of each file of the archive, so that it is the same


@dataclass(frozen=True)
class _LocalSettings(PublishSettings):
    """As if the students' repository were on GitHub, with its archive on this machine."""

    repository: str = "https://github.com/YOU/THE-COURSE"
    place: str = ""

    @property
    def archive(self) -> str:
        return self.place


@dataclass(frozen=True)
class ColabNotebook:
    """A notebook to run.

    Args:
        name: Where students find it, without its ending.
        content: The published notebook; of an exercise, with all answers and hidden tests.
    """

    name: str
    content: NotebookNode


@dataclass(frozen=True)
class ColabResult:
    """How a run ended.

    Args:
        name: The notebook.
        seconds: How long it took.
        result: "passed", or why it failed.
        earlier: Whether it passed in an earlier call, and was not run again.
    """

    name: str
    seconds: float
    result: str
    earlier: bool = False


class ColabRuns:
    """Runs each notebook once for each content of it, of the package, and of the environment.

    Args:
        kit: The kit.
        python: The Python of an environment with Colab's packages, and without rnnkit.

    Raises:
        KitError: The environment cannot be used.
    """

    def __init__(self, kit: Kit, python: Path) -> None:
        self._kit = kit
        self._python = python
        self._folder = kit.root / FOLDER
        self._folder.mkdir(parents=True, exist_ok=True)
        archive = self._folder / "students.zip"
        files = students_files(kit, _LocalSettings(place=archive.resolve().as_uri()))
        self._brought = {"rnnkit", *colab_requirements(kit)}
        self.notebooks = list(_notebooks(kit, files))
        self._before: Sequence[str] | None = None
        archive.write_bytes(_zipped(files))
        self._package = _digest_of_package(files)

    def run(self, notebook: ColabNotebook, on_cell: OnCell | None = None) -> ColabResult:
        """Run a notebook, unless the same has passed before.

        Args:
            notebook: One of ``notebooks``.
            on_cell: Called after each cell, with its number and how many there are.
        """
        before = self._as_colab_is()
        record = self._folder / f"{notebook.name.replace('/', '-')}.json"
        key = hashlib.sha256(
            nbformat.writes(notebook.content).encode() + repr((before, self._package)).encode()
        ).hexdigest()
        earlier = _seconds_of(record, key)
        if earlier is not None:
            return ColabResult(notebook.name, earlier, PASSED, earlier=True)
        began = time.monotonic()
        result = self._ran(notebook, on_cell)
        seconds = time.monotonic() - began
        if result == PASSED:
            record.write_text(json.dumps({"key": key, "seconds": seconds}), encoding="utf-8")
        return ColabResult(notebook.name, seconds, result)

    def _ran(self, notebook: ColabNotebook, on_cell: OnCell | None) -> str:
        content = nbformat.from_dict(notebook.content)
        with (
            tempfile.TemporaryDirectory(prefix="rnnkit-colab-") as folder,
            _kernel(self._folder, self._python),
        ):
            try:
                run(content, notebook.name, Path(folder), True, on_cell, KERNEL)
            except KitError as error:
                return error.found
        return self._moved() or PASSED

    def _as_colab_is(self) -> Sequence[str]:
        """The environment's packages, before a first cell has brought any."""
        if self._before is None:
            self._pip("uninstall", "--quiet", "--yes", *sorted(self._brought))
            self._before = self._packages()
        return self._before

    def _moved(self) -> str:
        """Which of Colab's packages the first cell changed, in words; empty for none."""
        after = [line for line in self._packages() if _package_of(line) not in self._brought]
        moved = sorted({*after} ^ {*self._as_colab_is()})
        return f"a package of Colab's was moved: {', '.join(moved)}" if moved else ""

    def python_version(self) -> str:
        """The version of the environment's Python, such as 3.13.0."""
        return self._pip("--version").rpartition("(python ")[2].strip(" )\n")

    def _packages(self) -> Sequence[str]:
        return self._pip("list", "--format=freeze").splitlines()

    def _pip(self, *words: str) -> str:
        try:
            done = subprocess.run(
                [str(self._python), "-m", "pip", *words],
                capture_output=True,
                text=True,
                check=True,
                env=_without_ours(),
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise KitError(
                "a Python with Colab's packages and pip",
                f"{self._python}: {in_a_line(error)}",
                "call `make test-colab`, which makes one",
            ) from error
        return done.stdout


@contextmanager
def _kernel(folder: Path, python: Path) -> Iterator[None]:
    """Let Jupyter know a kernel that runs in the environment with Colab's packages."""
    spec = {
        "argv": [str(python.absolute()), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Colab",
        "language": "python",
        # Of a PYTHONPATH, the kit's own rnnkit would come before the installed one.
        "env": {"PYTHONPATH": "", "IPYTHONDIR": str(folder.resolve() / "ipython")},
    }
    for name, text in (
        (f"kernels/{KERNEL}/kernel.json", json.dumps(spec)),
        ("ipython/profile_default/startup/00-colab.py", STARTUP),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    before = os.environ.get("JUPYTER_PATH", "")
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, [str(folder.resolve()), before]))
    try:
        yield
    finally:
        os.environ["JUPYTER_PATH"] = before


def _notebooks(kit: Kit, files: dict[str, bytes]) -> Iterator[ColabNotebook]:
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.suffix != ".ipynb":
            continue
        notebook = nbformat.reads(content.decode(), as_version=4)
        if path.parent.name == path.stem:
            reference = build_solution(kit, path.stem).content
            _answer(notebook, nbformat.reads(reference.decode(), as_version=4))
        yield ColabNotebook(str(path.with_suffix("")), notebook)


def _answer(notebook: NotebookNode, reference: NotebookNode) -> None:
    """Put the reference's answers and hidden tests into an exercise as students get it."""
    sources = {
        grade_id: cell.source
        for cell in reference.cells
        if (grade_id := nbgrader_metadata(cell).get("grade_id"))
    }
    for cell in notebook.cells:
        cell.source = sources.get(nbgrader_metadata(cell).get("grade_id"), cell.source)


def _zipped(files: dict[str, bytes]) -> bytes:
    """The repository as GitHub gives it: one folder in a zip."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(f"course-main/{name}", _LONG_AGO), data)
    return content.getvalue()


def _digest_of_package(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        if name.startswith(_OF_THE_PACKAGE):
            digest.update(f"{name}\0".encode() + content)
    return digest.hexdigest()


def _seconds_of(record: Path, key: str) -> float | None:
    """How long the run with this key took; None where none has passed."""
    try:
        found = json.loads(record.read_text(encoding="utf-8"))
        return float(found["seconds"]) if found["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):  # none, or a run that was cut off
        return None


def _package_of(line: str) -> str:
    return line.partition("==")[0].lower()


def _without_ours() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
