"""A notebook in JupyterLab, used as a student uses it: by the mouse and the keyboard."""

import re
from collections.abc import Callable
from typing import Any

from lab_server import Server

MILLISECONDS = 120_000  # for whatever we wait for, on a busy machine
RUN = re.compile(r"^\[\d+\]:$")  # beside a cell that has run


def open_lab(page: Any, server: Server) -> None:
    """Open JupyterLab, and say no to its news, which lie above other things when they come."""
    news = page.locator(".Toastify").get_by_role("button", name="No", exact=True)
    page.add_locator_handler(news, lambda button: button.click())
    page.goto(server.url("lab"))
    page.locator(".jp-DirListing-content").wait_for()


class Notebook:
    """The notebook that is open in a window with JupyterLab.

    Args:
        page: playwright's page.
        look: Keeps a picture of the window, where someone wants to see it.
    """

    def __init__(self, page: Any, look: Callable[[str], None]) -> None:
        from playwright.sync_api import expect

        self.page = page
        self.look = look
        self.expect = expect
        # What is run before there is a kernel may be lost.
        page.get_by_text("(ipykernel) | Idle").wait_for()

    def cell(self, text: str) -> Any:
        """The cell that has this text, scrolled to."""
        found = self.page.locator(".jp-Notebook:visible .jp-Cell", has_text=text).first
        found.scroll_into_view_if_needed()
        return found

    def write(self, cell: Any, line: str, answer: str) -> None:
        """Click on a line of a cell, and type the answer over it."""
        place = cell.locator(".cm-line", has_text=line).first
        place.click()
        self.page.keyboard.press("Home")
        self.page.keyboard.press("Shift+End")
        self.page.keyboard.type(answer)

    def run(self, cell: Any) -> None:
        """Press Shift+Enter in a cell that is scrolled to."""
        before = self.count(cell)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        self.wait_until_run(cell, before)

    def wait_until_run(self, cell: Any, before: str) -> None:
        """Wait until the cell has a new number beside it."""
        prompt = cell.locator(".jp-InputPrompt")
        self.expect(prompt).not_to_have_text(before, timeout=MILLISECONDS)
        self.expect(prompt).to_have_text(RUN, timeout=MILLISECONDS)

    def count(self, cell: Any) -> str:
        """What stands beside the cell, such as ``[3]:``."""
        return str(cell.locator(".jp-InputPrompt").text_content())

    def output(self, cell: Any) -> str:
        """What the cell has printed, and its errors."""
        return str(cell.locator(".jp-Cell-outputArea").inner_text())

    def validate(self, name: str) -> str:
        """Press Validate, and read and close what it says; the name is the picture's."""
        self.page.locator(".validate-button:visible").click()
        message = self.page.locator("#validation-message")
        message.wait_for()
        said = str(message.inner_text())
        self.look(name)
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        message.wait_for(state="detached")
        return said

    def watch_pictures(self, cell: Any) -> None:
        """Begin to note which pictures follow each other below a cell."""
        cell.evaluate(
            """cell => {
                window.seen = [];
                window.most = 0;
                new MutationObserver(() => {
                    const shown = [...cell.querySelectorAll('.jp-OutputArea-output img')];
                    window.most = Math.max(window.most, shown.length);
                    for (const each of shown)
                        if (!window.seen.includes(each.src)) window.seen.push(each.src);
                }).observe(cell, {subtree: true, childList: true, attributes: true});
            }"""
        )

    def pictures_watched(self) -> tuple[list[str], int]:
        """The pictures in their order, and the most that were there at one time."""
        self.page.wait_for_function("window.seen.length > 0")
        return list(self.page.evaluate("window.seen")), int(self.page.evaluate("window.most"))
