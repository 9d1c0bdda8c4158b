"""The pages and slides of all lectures, in a browser."""

import pytest
from chromium import CHROMIUM, NO_CHROMIUM

from rnnkit.course.site import export_site, export_slides

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
]


@pytest.fixture(scope="module")
def exported(whole_kit, executed_lecture, tmp_path_factory):
    """The folder with ``site`` and ``slides``."""
    lectures = {name: executed_lecture(name) for name in whole_kit.lecture_names()}
    folder = tmp_path_factory.mktemp("exported")
    export_site(whole_kit, lectures, folder / "site", fast=True)
    export_slides(whole_kit, lectures, folder / "slides", fast=True)
    return folder


def pages(folder):
    return sorted(folder.rglob("*.html"))


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_ask_no_network_and_scroll_in_one_direction_only(exported, browser, width):
    page = browser.new_page(viewport={"width": width, "height": 844})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for path in pages(exported / "site"):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_slides_ask_no_network_and_fit_without_scrolling(exported, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for path in pages(exported / "slides"):
        if path.name == "index.html":
            continue
        page.goto(path.as_uri())
        page.wait_for_selector("html.ready")
        scrolling = page.evaluate(
            "[...document.querySelectorAll('.fit.scrolls')].map(slide => slide.innerText)"
        )
        wrong += [f"{path.name} scrolls: {text[:80]}" for text in scrolling]
    page.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_each_picture_of_a_page_is_shown(exported, browser):
    page = browser.new_page()
    for path in pages(exported / "site"):
        page.goto(path.as_uri())
        broken = page.evaluate(
            "[...document.images].filter(image => !image.naturalWidth).map(image => image.src)"
        )
        assert broken == []
        assert page.evaluate("[...document.images].filter(image => !image.alt).length") == 0
    page.close()
