"""A browser, for tests that look at pages and press buttons."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "grading"))  # tiny_unit
sys.path.insert(0, str(Path(__file__).parent))

from chromium import chromium_browser  # noqa: F401 (a fixture)

Page = Any  # playwright's own class cannot be named where playwright is missing


@pytest.fixture(scope="module")
def page(browser: Any) -> Iterator[Page]:
    """A window of a laptop's size."""
    import lab_page

    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    context.set_default_timeout(lab_page.MILLISECONDS)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def look(page: Page) -> Callable[[str], None]:
    """Keep a picture of the window, where ``RNNKIT_SCREENS`` names a folder for them."""

    def take(name: str) -> None:
        folder = os.environ.get("RNNKIT_SCREENS")
        if folder:
            page.screenshot(path=str(Path(folder) / f"{name}.png"), animations="disabled")

    return take
