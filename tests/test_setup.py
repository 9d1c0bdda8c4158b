"""pyproject.toml, constraints.txt, environment.yml and the imports hold together."""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import rnnkit

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
LINES = [
    line
    for line in (ROOT / "constraints.txt").read_text().splitlines()
    if line and not line.startswith("#")
]

# Each may import those before it; errors may be imported by all.
ORDER = (
    *("plain_text", "errors", "versions", "quiet_keras", "text", "data", "metrics", "decoding"),
    *("layers", "models", "elmo", "experiments", "plots", "checks", "course", "grading", "cli"),
)
STUDENTS_HALF = ORDER[: ORDER.index("course")]
# Keras brings rich for its own progress bars, so that one is loaded with it.
INSTRUCTORS_PACKAGES = {"nbgrader", "jupytext", "jupyterlab", "nbclient", "nbconvert"}
# Packages that no exercise needs: loaded by the one function that uses them.
LAZY_EXTRAS = {"gensim", "sacrebleu"}


def pinned() -> dict[str, str]:
    """Package to version, as constraints.txt has them."""
    requirements = [Requirement(line) for line in LINES]
    return {
        canonicalize_name(requirement.name): str(requirement.specifier).removeprefix("==")
        for requirement in requirements
    }


def direct_dependencies() -> list[Requirement]:
    extras = PROJECT["optional-dependencies"]
    named = [line for extra in ("course", "data", "metrics", "dev") for line in extras[extra]]
    declared = [*PROJECT["dependencies"], *named]
    return [Requirement(line) for line in declared]


def installed() -> dict[str, importlib.metadata.Distribution]:
    """What this environment has, without the copies that setuptools carries inside itself."""
    places = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    return {
        canonicalize_name(each.metadata["Name"]): each
        for each in importlib.metadata.distributions(path=places)
    }


def modules_after(statement: str) -> set[str]:
    """The modules that a fresh Python has after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def files_of(part: str) -> list[Path]:
    files = [*(ROOT / "rnnkit" / part).rglob("*.py"), ROOT / "rnnkit" / f"{part}.py"]
    return [path for path in files if path.exists()]


def dotted_imports(path: Path) -> set[str]:
    """All that a module imports, at its top or inside functions, with full names."""
    package = path.relative_to(ROOT).parent.parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return found


def names_imported(path: Path) -> set[str]:
    """The top-level packages that a module imports."""
    return {name.split(".")[0] for name in dotted_imports(path)}


def needs_keras(path: Path) -> bool:
    """Whether a module of a package loads Keras."""
    return "keras" in names_imported(path) and path.parent.name != "rnnkit"


def parts_imported(path: Path) -> set[str]:
    """The parts of rnnkit that a module imports."""
    return {name.split(".")[1] for name in dotted_imports(path) if name.startswith("rnnkit.")}


@pytest.mark.parametrize("requirement", direct_dependencies(), ids=lambda each: each.name)
def test_each_direct_dependency_has_a_pin_inside_its_range(requirement):
    version = pinned().get(canonicalize_name(requirement.name))
    assert version is not None, f"constraints.txt has no {requirement.name}: run make constraints"
    assert requirement.specifier.contains(version, prereleases=True)


def test_the_gpu_extra_asks_for_the_same_tensorflow_as_the_base():
    (gpu,) = map(Requirement, PROJECT["optional-dependencies"]["gpu"])
    base = next(each for each in direct_dependencies() if each.name == "tensorflow")
    assert (gpu.name, gpu.specifier) == (base.name, base.specifier)


@pytest.mark.parametrize("line", LINES)
def test_each_constraint_is_one_exact_version_without_an_address(line):
    assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*(; [\w '<>=.]+)?", line)


def test_conda_users_get_the_same_versions():
    (pip,) = [part["pip"] for part in ENVIRONMENT["dependencies"] if isinstance(part, dict)]
    assert pip == ["-c constraints.txt", "-e .[course,data,metrics]"]


def test_conda_users_get_the_same_pythons():
    conda = [part for part in ENVIRONMENT["dependencies"] if isinstance(part, str)]
    assert f"python{PROJECT['requires-python']}" in conda
    assert "pip" in conda


@pytest.mark.skipif(
    not (Path(sys.prefix) / "installed-dev").exists(),
    reason="this environment was not made by make, so it need not have the pinned versions",
)
def test_the_installed_versions_are_the_pinned_ones():
    others = {
        name: (found.version, pinned()[name])
        for name, found in installed().items()
        if name in pinned() and found.version != pinned()[name]
    }
    assert others == {}


def version_table() -> dict[str, list[str]]:
    """The rows of docs/versions.md on what is supported: oldest, newest, below, on Colab."""
    text = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ([\d.]+) \| (.+) \|$", text, re.MULTILINE)
    return {name: [oldest, *rest.split(" | ")] for name, oldest, rest in rows}


def colab_pins() -> dict[str, str]:
    lines = (ROOT / "constraints-colab.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_the_table_of_supported_versions_is_what_pip_is_told():
    table = version_table()
    ranges = {each.name: each.specifier for each in direct_dependencies()}
    assert {"tensorflow", "keras", "nbgrader", "jupyterlab", "Python"} <= set(table)
    python = table.pop("Python")
    assert PROJECT["requires-python"] == f">={python[0]},<{python[2]}"
    for name, (oldest, newest, below, on_colab) in table.items():
        limit = "" if below == "-" else f",<{below}"
        assert ranges[name] == SpecifierSet(f">={oldest}{limit}"), name
        assert newest == pinned()[name]
        assert on_colab == colab_pins().get(name, "-")


def test_the_oldest_versions_are_the_lower_limits():
    script = ROOT / ".ci" / "oldest.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    oldest = {
        requirement.name: requirement.specifier
        for requirement in map(Requirement, done.stdout.split())
    }
    table = version_table()
    for name in ("tensorflow", "keras", "numpy", "nbgrader", "jupyterlab"):
        assert oldest[name] == SpecifierSet(f"=={table[name][0]}")


def test_colabs_versions_lie_inside_the_ranges_of_the_students_half():
    has = colab_pins()
    base = [Requirement(line) for line in PROJECT["dependencies"]]
    outside = {
        each.name: has[each.name]
        for each in base
        if each.name in has and not each.specifier.contains(has[each.name])
    }
    assert outside == {}
    assert {"keras", "tensorflow", "tensorflow-text", "numpy"} <= set(has)


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0"])
def test_no_pinned_version_needs_a_later_patch_of_a_supported_python(python):
    refuse = [
        name
        for name, found in installed().items()
        if found.version == pinned().get(name)
        and not SpecifierSet(found.metadata.get("Requires-Python") or "").contains(python)
    ]
    assert refuse == []


def test_importing_the_package_loads_no_tensorflow():
    loaded = modules_after("import rnnkit")
    assert not loaded & {"tensorflow", "keras", "numpy"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [part for part in STUDENTS_HALF if any(map(needs_keras, files_of(part)))]
)
def test_a_part_is_imported_without_a_word_on_the_error_stream(part):
    code = f"from rnnkit.{part} import *"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_the_students_half_never_loads_the_instructors():
    loaded = modules_after("; ".join(f"import rnnkit.{name}" for name in rnnkit.__all__))
    tops = {name.split(".")[0] for name in loaded}
    halves = {name.split(".")[1] for name in loaded if name.startswith("rnnkit.")}
    assert tops & INSTRUCTORS_PACKAGES == set()
    assert tops & LAZY_EXTRAS == set()
    assert halves & {"course", "grading", "cli"} == set()


@pytest.mark.parametrize("part", STUDENTS_HALF)
def test_a_part_of_the_students_half_imports_no_package_of_the_instructors(part):
    for path in files_of(part):
        assert not names_imported(path) & {*INSTRUCTORS_PACKAGES, "rich"}, path


def test_the_package_offers_only_the_students_half():
    assert set(rnnkit.__all__) <= set(STUDENTS_HALF)


def test_each_part_of_the_package_has_a_place_in_the_order():
    parts = {
        path.name.removesuffix(".py")
        for path in (ROOT / "rnnkit").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert parts - {"__init__"} <= set(ORDER)


@pytest.mark.parametrize("part", ORDER)
def test_a_part_imports_only_from_those_before_it(part):
    allowed = {*ORDER[: ORDER.index(part) + 1], "__version__"}
    wrong = {
        path.relative_to(ROOT).as_posix(): sorted(parts_imported(path) - allowed)
        for path in files_of(part)
        if parts_imported(path) - allowed
    }
    assert wrong == {}


def make_venv(folder: Path, pythons: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run .ci/make-venv where only these pythons exist: name to a shell script."""
    commands = folder / "commands"
    commands.mkdir()
    for name, script in pythons.items():
        (commands / name).write_text(f"#!/bin/sh\n{script}\n")
        (commands / name).chmod(0o755)
    return subprocess.run(
        ["/bin/sh", str(ROOT / ".ci" / "make-venv"), str(folder / "venv")],
        capture_output=True,
        text=True,
        env={"PATH": str(commands)},
    )


def python_that_says(version: str, *, supported: bool, venv: bool = True) -> str:
    """A stand-in for Python: answers the questions of .ci/make-venv."""
    return f"""case "$*" in
      *sys.exit*) exit {0 if supported else 1} ;;
      *print*) echo {version} ;;
      *ensurepip*) exit {0 if venv else 1} ;;
      *) echo "made with $0 $*" ;;
    esac"""


@pytest.mark.skipif(sys.platform == "win32", reason="make-venv is a POSIX shell script")
class TestMakeVenv:
    def test_the_first_python_that_fits_is_taken(self, tmp_path):
        pythons = {
            "python3": python_that_says("3.14.0", supported=False),
            "python3.12": python_that_says("3.12.1", supported=True),
            "python3.11": python_that_says("3.11.2", supported=True),
        }
        done = make_venv(tmp_path, pythons)
        assert done.returncode == 0
        assert "python3.12 -m venv --clear" in done.stdout

    def test_a_python_without_venv_is_passed_over(self, tmp_path):
        pythons = {
            "python3": python_that_says("3.11.2", supported=True, venv=False),
            "python3.13": python_that_says("3.13.0", supported=True),
        }
        assert "python3.13 -m venv" in make_venv(tmp_path, pythons).stdout

    def test_the_message_names_what_was_found(self, tmp_path):
        done = make_venv(tmp_path, {"python3": python_that_says("3.10.4", supported=False)})
        assert done.returncode == 1
        assert "python3 (3.10.4), python3.13 (does not run)" in done.stderr
        assert "Python 3.11, 3.12 or 3.13" in done.stderr

    def test_the_message_names_the_missing_venv_package(self, tmp_path):
        python = python_that_says("3.11.2", supported=True, venv=False)
        done = make_venv(tmp_path, {"python3": python})
        assert done.returncode == 1
        assert "apt install python3.11-venv" in done.stderr

    def test_an_environment_that_works_is_kept(self, tmp_path):
        python = tmp_path / "venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text("#!/bin/sh\n" + python_that_says("3.12.1", supported=True))
        python.chmod(0o755)
        done = make_venv(tmp_path, {})
        assert (done.returncode, done.stdout) == (0, "")
