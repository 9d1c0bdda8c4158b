"""The student's half can be installed on Windows and on macOS, from wheels alone."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from rnnkit.course.kit import find_kit
from rnnkit.course.students_package import students_project

ROOT = Path(__file__).resolve().parents[1]
PIP = Path(__file__).with_name("pip_elsewhere.py")
PYTHON = {"python_version": "3.12", "python_full_version": "3.12.0", "implementation_version": "3"}
WINDOWS = {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"}
MACOS = {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"}
SYSTEMS = {
    "win_amd64": WINDOWS | PYTHON | {"platform_machine": "AMD64"},
    "macosx_12_0_arm64": MACOS | PYTHON | {"platform_machine": "arm64"},
}
# Packages that only this system needs: they show that its markers were asked.
ITS_OWN = {"win_amd64": "colorama", "macosx_12_0_arm64": "appnope"}
MINUTES = 20
OF_STUDENTS = [
    path
    for path in (ROOT / "rnnkit").rglob("*.py")
    if path.relative_to(ROOT / "rnnkit").parts[0] not in ("course", "grading", "cli")
]


def requirements():
    """What docs/students.md tells students to install: the package, `lab` and `data`."""
    import tomllib

    project = tomllib.loads(students_project(find_kit(ROOT)).decode())["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *extras["lab"], *extras["data"]]


def pip(system, *words):
    """Run pip for another system; nothing is installed."""
    command = [sys.executable, str(PIP), json.dumps(system), "install", "--dry-run", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": ""}
    return subprocess.run(
        [*command, *words], capture_output=True, text=True, env=environment, timeout=MINUTES * 60
    )


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Skips the tests where no package index can be reached."""
    target = str(tmp_path_factory.mktemp("target"))
    done = pip({}, "--target", target, "--no-deps", "--retries", "0", "namex")
    if done.returncode != 0:
        pytest.skip(f"the package index cannot be reached: {done.stderr.strip()[-200:]}")


@pytest.mark.slow
@pytest.mark.parametrize("platform", SYSTEMS)
def test_wheels_of_all_that_students_need_are_there(index, platform, tmp_path):
    report = tmp_path / "report.json"
    done = pip(
        SYSTEMS[platform],
        *("--platform", platform, "--python-version", "3.12", "--only-binary", ":all:"),
        *("--target", str(tmp_path / "target"), "--report", str(report)),
        *("-c", str(ROOT / "constraints.txt"), *requirements()),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = {
        each["metadata"]["name"].lower(): each["download_info"]["url"]
        for each in json.loads(report.read_text(encoding="utf-8"))["install"]
    }
    assert {"tensorflow", "keras", "jupyterlab", "babel", ITS_OWN[platform]} <= set(found)
    assert ("tensorflow-text" in found) == (platform != "win_amd64")
    family = platform.partition("_")[0]
    others = [url for url in found.values() if not url.endswith("-any.whl") and family not in url]
    assert others == []


def test_windows_is_asked_for_no_tensorflow_text():
    (text,) = (each for each in map(Requirement, requirements()) if "text" in each.name)
    assert not text.marker.evaluate(SYSTEMS["win_amd64"])
    assert text.marker.evaluate(SYSTEMS["macosx_12_0_arm64"])


def imports_of_tensorflow_text(source):
    """The lines that import it; with True for those at which the module can do without it."""

    def visit(node, guarded):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        if any(name.split(".")[0] == "tensorflow_text" for name in names):
            yield node.lineno, guarded
        guarded = guarded or _is_guard(node)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, guarded)

    return list(visit(ast.parse(source), False))


def _is_guard(node):
    """A `try` that catches an import's failure, or a function that asks for the library first."""
    if isinstance(node, ast.Try):
        caught = [
            handler.type.id for handler in node.handlers if isinstance(handler.type, ast.Name)
        ]
        return bool({"ImportError", "ModuleNotFoundError"} & set(caught))
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Call) and getattr(each.func, "id", "") == "_needed"
        for each in ast.walk(node)
    )


def test_no_module_of_the_students_half_needs_tensorflow_text_to_be_imported():
    found = {
        path.relative_to(ROOT).as_posix(): imports_of_tensorflow_text(path.read_text("utf-8"))
        for path in OF_STUDENTS
    }
    assert any(found.values())
    assert [name for name, lines in found.items() if not all(ok for _, ok in lines)] == []


@pytest.mark.parametrize("folder", ["lectures", "solutions"])
def test_no_notebook_imports_tensorflow_text(folder):
    paths = list((ROOT / folder).rglob("*.py"))
    assert paths
    assert [path.name for path in paths if "tensorflow_text" in path.read_text("utf-8")] == []


@pytest.mark.parametrize(
    ("source", "guarded"),
    [
        ("import tensorflow_text", False),
        ("def f():\n    import tensorflow_text as text", False),
        ("from tensorflow_text import WhitespaceTokenizer", False),
        ("try:\n    import tensorflow_text\nexcept ValueError:\n    pass", False),
        ("try:\n    import tensorflow_text\nexcept ImportError:\n    pass", True),
        ("def f():\n    _needed()\n    from tensorflow_text.tools import x", True),
    ],
)
def test_an_import_without_a_guard_is_seen(source, guarded):
    assert [ok for _, ok in imports_of_tensorflow_text(source)] == [guarded]
