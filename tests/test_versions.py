"""An environment that the course is not made for is named, with what to do."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rnnkit
from rnnkit.versions import needed_packages, show_versions


@pytest.fixture
def needs(monkeypatch):
    """A function: rnnkit needs this requirement, and nothing else."""

    def make(line):
        monkeypatch.setattr("rnnkit.versions.metadata.requires", lambda name: [line])

    return make


def test_versions_that_are_supported_take_one_line(capsys):
    show_versions()
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("Python 3.")
    assert f"rnnkit {rnnkit.__version__}" in line


@pytest.mark.parametrize("wanted", ["<1", ">=99"])
def test_a_version_that_is_too_new_or_too_old_is_named_with_a_remedy(needs, capsys, wanted):
    needs(f"numpy{wanted}")
    show_versions()
    told = capsys.readouterr().out.splitlines()[1]
    assert f"is not what this course is made for ({wanted})" in told
    assert "Runtime version" in told


def test_a_package_of_another_system_is_not_needed(needs):
    needs("tensorflow-text>=99; sys_platform == 'amiga'")
    assert list(needed_packages()) == []


def test_a_package_that_is_not_installed_has_no_version(needs):
    needs("no-such-package>=2")
    (needed,) = needed_packages()
    assert (needed.version, needed.is_outside) == ("", False)
    assert needed.requirement == "no-such-package>=2"


def error_of(program):
    """The last line that a program writes to the error stream; it must fail."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1, done
    return done.stderr.strip().splitlines()[-1]


def test_an_old_python_is_told_which_one_to_take():
    told = error_of("import sys; sys.version_info = (3, 9, 7, 'final', 0); import rnnkit")
    assert told.startswith("ImportError: rnnkit needs Python 3.11, 3.12 or 3.13")
    assert "this is Python 3.9.7. Make an environment" in told


def test_an_old_python_can_read_the_file_that_says_so():
    source = Path(rnnkit.__file__).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 8))


def test_without_tensorflow_the_package_says_what_to_do():
    told = error_of("import sys; sys.modules['tensorflow'] = None; from rnnkit import layers")
    assert told.startswith("ModuleNotFoundError: rnnkit needs TensorFlow")
    assert "Runtime > Change runtime type" in told


def test_keras_2_is_refused_with_a_remedy():
    told = error_of(
        "import sys, types\n"
        "sys.modules['keras'] = types.SimpleNamespace(__version__='2.15.0')\n"
        "from rnnkit import layers"
    )
    assert told.startswith("ImportError: rnnkit needs Keras 3, and Keras 2.15.0 is installed here.")
