"""The browser of all tests that look at pages."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
NO_CHROMIUM = "no Chromium here: install one, such as Debian's package chromium"


# Not for the whole session: while playwright runs, so does its event loop, and no other can be
# begun in this process, neither by `asyncio.run` nor by another playwright.
@pytest.fixture(name="browser", scope="module")
def chromium_browser() -> Iterator[Any]:
    """Chromium; without one, or without playwright, the test is skipped."""
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing: install the extra dev"
    )
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield chromium
        chromium.close()
