"""All lectures, each run once for all tests that look at its outputs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from rnnkit.course.kit import Kit, find_kit
from rnnkit.course.site import executed


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
    return lambda name: executed(whole_kit, name, fast=True, cache=cache)
