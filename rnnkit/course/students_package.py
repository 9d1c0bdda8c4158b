"""The package as students get it: without the instructor's half."""

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rnnkit.course.kit import Kit
from rnnkit.course.settings import project_table
from rnnkit.errors import KitError, in_a_line

__all__ = ["colab_requirements", "package_files", "students_environment", "students_project"]

INSTRUCTORS = ("course", "grading")
# Of the extras, what a student's notebooks may need; `lab` comes instead of `course`.
EXTRAS = ("data", "metrics", "static", "gpu")
LAB = ("jupyterlab", "ipywidgets")
PINS = "constraints.txt"
COLAB_HAS = "constraints-colab.txt"

ENVIRONMENT = """\
#   conda env create -f environment.yml
#   conda activate rnnkit
name: rnnkit
channels:
  - conda-forge
dependencies:
  - python{python}
  - pip
  - pip:
      - -c constraints.txt
      - -e .[{extras}]
"""


def package_files(kit: Kit) -> dict[str, bytes]:
    """The student's half: modules, and the data that ``pyproject.toml`` names.

    Nothing else that lies in the folder is taken, whoever put it there.

    Args:
        kit: The kit.

    Returns:
        The content of each file, by its path from the kit's top folder.
    """
    package = kit.root / "rnnkit"
    paths = [*_modules(package), *_students_commands(package / "cli")]
    for name, patterns in _package_data(kit).items():
        folder = kit.root / Path(*name.split("."))
        paths += [path for pattern in patterns for path in folder.glob(pattern) if path.is_file()]
    return {kit.shown(path): path.read_bytes() for path in sorted(set(paths))}


def _modules(package: Path) -> Iterator[Path]:
    for path in package.rglob("*.py"):
        if path.relative_to(package).parts[0] not in (*INSTRUCTORS, "cli"):
            yield path


def _students_commands(folder: Path) -> list[Path]:
    """The modules of the command line that need nothing of the instructor's half."""
    modules = {f"rnnkit.cli.{path.stem}": path for path in folder.glob("*.py")}
    imports = {name: _imports(path) for name, path in modules.items()}
    kept = set(modules)
    while True:
        instructors = {
            name
            for name in kept
            if any(_is_instructors(each) or each in modules.keys() - kept for each in imports[name])
        }
        if not instructors:
            return [modules[name] for name in kept]
        kept -= instructors


def _imports(path: Path) -> set[str]:
    """All modules that a module may import, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _is_instructors(module: str) -> bool:
    parts = module.split(".")
    return parts[0] == "rnnkit" and len(parts) > 1 and parts[1] in INSTRUCTORS


def _package_data(kit: Kit) -> dict[str, list[str]]:
    """The patterns of data files by package, the instructor's left out."""
    table = project_table(kit).get("tool", {}).get("setuptools", {}).get("package-data", {})
    return {name: patterns for name, patterns in table.items() if not _is_instructors(name)}


def students_project(kit: Kit) -> bytes:
    """The students' ``pyproject.toml``, from which ``pip install .`` works.

    Args:
        kit: The kit; its own file says what the package needs.
    """
    project = project_table(kit)["project"]
    extras = project.get("optional-dependencies", {})
    lines = [
        "# Written by `rnnkit publish` from the kit's own pyproject.toml.",
        "[build-system]",
        *_toml(project_table(kit)["build-system"]),
        "",
        "[project]",
        *_toml({name: value for name, value in project.items() if name in _KEPT}),
        'description = "The package behind a course on recurrent networks for language."',
        'readme = "README.md"',
        "",
        "[project.optional-dependencies]",
        *_toml({"lab": _lab(extras)}),
        *_toml({name: extras[name] for name in EXTRAS if name in extras}),
        "",
        "[project.scripts]",
        *_toml(project.get("scripts", {})),
        "",
        "[tool.setuptools.packages.find]",
        'include = ["rnnkit*"]',
        "",
        "[tool.setuptools.package-data]",
        *_toml(_package_data(kit)),
    ]
    return ("\n".join(lines) + "\n").encode()


_KEPT = (
    "name",
    "version",
    "requires-python",
    "license",
    "license-files",
    "authors",
    "dependencies",
)


def _lab(extras: dict[str, list[str]]) -> list[str]:
    """What opens notebooks, and what lectures play with, on a student's own computer."""
    return [each for each in extras.get("course", []) if _name(each) in LAB]


def _name(requirement: str) -> str:
    return requirement.split(";")[0].split("[")[0].rstrip("0123456789.,<>=!~ ").strip().lower()


def students_environment(kit: Kit) -> bytes:
    """The students' ``environment.yml``: conda brings Python, pip the rest.

    Args:
        kit: The kit.
    """
    project = project_table(kit)["project"]
    extras = [
        "lab",
        *(e for e in ("data", "metrics") if e in project.get("optional-dependencies", {})),
    ]
    return ENVIRONMENT.format(python=project["requires-python"], extras=",".join(extras)).encode()


def colab_requirements(kit: Kit) -> dict[str, str]:
    """What notebooks import and Colab has not got, in the versions that are tested.

    The kit's list of Colab's packages says what is there.

    Args:
        kit: The kit.

    Returns:
        A requirement, as pip takes it, by the package's name.

    Raises:
        KitError: One of the two lists of versions is missing.
    """
    project = project_table(kit)["project"]
    known = [*project["dependencies"], *project.get("optional-dependencies", {}).get("data", [])]
    there, pins = _pinned(kit, COLAB_HAS), _pinned(kit, PINS)
    lacking = {_name(each): each.replace(" ", "") for each in known if _name(each) not in there}
    return {name: pins.get(name, requirement) for name, requirement in lacking.items()}


def _pinned(kit: Kit, file: str) -> dict[str, str]:
    """The lines ``name==version`` of a list of versions, by name."""
    try:
        lines = (kit.root / file).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise KitError(
            f"the list of versions {file}", in_a_line(error), f"restore {file}, then publish again"
        ) from error
    return {_name(line): line.strip() for line in lines if line.strip() and line[0] != "#"}


def _toml(table: dict[str, Any]) -> Iterable[str]:
    """A flat table's lines. JSON writes texts, lists and simple tables as TOML has them."""
    for name, value in table.items():
        key = name if name.replace("-", "").replace("_", "").isalnum() else json.dumps(name)
        if isinstance(value, list) and len(value) > 1:
            yield f"{key} = ["
            yield from (f"    {_value(each)}," for each in value)
            yield "]"
        else:
            yield f"{key} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
