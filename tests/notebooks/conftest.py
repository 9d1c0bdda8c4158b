"""All lectures, each run once for all tests that look at its outputs."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from rnnkit.course.kit import Kit, find_kit
from rnnkit.course.site import executed
from rnnkit.errors import KitError

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))

from chromium import chromium_browser  # noqa: F401 (a fixture)


@pytest.fixture(scope="session")
def whole_kit() -> Kit:
    """The kit that the tests belong to."""
    return find_kit()


@pytest.fixture(scope="session")
def executed_lecture(
    whole_kit: Kit, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], NotebookNode]:
    """A function: a lecture's notebook with outputs, run in the short setting."""
    cache: Path = tmp_path_factory.mktemp("lectures")
    failed: dict[str, KitError] = {}

    def run_once(name: str) -> NotebookNode:
        if name in failed:  # a lecture that fails is not run again for each test
            raise failed[name]
        try:
            return executed(whole_kit, name, fast=True, cache=cache)
        except KitError as error:
            failed[name] = error
            raise

    return run_once
