"""What is exported: lectures with their outputs, exercises without answers."""

import copy
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import nbformat
from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode

from rnnkit.course.kit import Kit
from rnnkit.course.site.exporters import CellsExporter
from rnnkit.course.site.markdown import heading_id
from rnnkit.errors import KitError, in_a_line

__all__ = ["Document", "document", "exercise_notebook", "exercise_place", "lecture_place"]

LONGEST_DESCRIPTION = 160  # characters; search engines show about as many
LONG_CELL = 25  # characters; such a cell of a table is not squeezed on a phone
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def lecture_place(name: str) -> PurePosixPath:
    """Where a lecture stands, from the top folder, without a suffix."""
    return PurePosixPath("lectures", name)


def exercise_place(unit: str) -> PurePosixPath:
    """Where an exercise stands, from the top folder, without a suffix."""
    return PurePosixPath("exercises", unit, unit)


@dataclass
class Document:
    """A notebook as HTML.

    Args:
        place: Where it stands, from the top folder, without a suffix: the
            same for the notebook in the kit and for its page.
        body: Its cells as HTML.
        title: Its first heading.
        description: How its text begins.
        sections: The headings of level 2: their names and texts.
        names: What links may ask for, and the name in the page.
    """

    place: PurePosixPath
    body: BeautifulSoup
    title: str
    description: str
    sections: list[tuple[str, str]]
    names: dict[str, str] = field(repr=False)


def document(place: PurePosixPath, notebook: NotebookNode, template: str) -> Document:
    """A notebook as HTML, fit for a page without scripts.

    Args:
        place: Where it stands, from the top folder, without a suffix.
        notebook: The notebook; its pictures are links to files already.
        template: ``"cells.html.j2"`` or ``"slides.html.j2"``.

    Raises:
        KitError: A formula cannot be shown as MathML.
    """
    try:
        cells = CellsExporter(template).cells(without_widgets(notebook))
    except KitError as error:
        raise KitError(error.expected, f"{place}.ipynb: {error.found}", error.remedy) from error
    body = BeautifulSoup(cells, "html.parser")
    for script in body.find_all(["script", "style", "link", "iframe"]):
        script.decompose()
    for table in body.find_all("table"):
        _put_into_box(body, table)
    for cell in body.find_all("td"):
        if len(cell.get_text()) > LONG_CELL:
            cell["class"] = "wide"
    for box in body.select("pre, .table, .formula"):
        box["tabindex"] = "0"  # so that the keyboard can scroll it
    for paragraph in body.find_all("p"):
        first = next(iter(paragraph.children), None)
        if isinstance(first, Tag) and first.name == "strong" and _is_caption(first.get_text()):
            paragraph["class"] = "caption"
    names = _names(body)
    heading = body.find("h1")
    sections = [
        (str(tag["id"]), tag.get_text().strip()) for tag in body.find_all("h2") if tag.get("id")
    ]
    title = heading.get_text().strip() if heading else place.name
    return Document(place, body, title, _description(heading, title), sections, names)


def exercise_notebook(kit: Kit, unit: str) -> NotebookNode:
    """The notebook that students get, which holds no answers.

    Raises:
        KitError: It is missing, or is no notebook.
    """
    path = kit.exercise_notebook(unit)
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # no file, no JSON, no notebook
        raise KitError(
            "an exercise that is built", in_a_line(error), f"build it: rnnkit build {unit}"
        ) from error


def without_widgets(notebook: NotebookNode) -> NotebookNode:
    """A copy without the outputs that need a running kernel."""
    shown = copy.deepcopy(notebook)
    shown.metadata.pop("widgets", None)
    for cell in shown.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_widget(output)]
    return shown


def _is_widget(output: NotebookNode) -> bool:
    return any("widget-view" in kind for kind in output.get("data", {}))


def _is_caption(text: str) -> bool:
    return re.match(r"(Figure|Table)s? \d", text) is not None


def _put_into_box(body: BeautifulSoup, table: Tag) -> None:
    """A wide table scrolls in its box, not the page."""
    if table.find_parent(class_="table") is None:
        table.wrap(body.new_tag("div", attrs={"class": "table"}))


def _names(body: BeautifulSoup) -> dict[str, str]:
    """What links may ask for: names in HTML, headings as JupyterLab and GitHub name them."""
    names: dict[str, str] = {}
    for tag in body.find_all(id=True):
        name = str(tag["id"])
        if name in names:
            del tag["id"]  # two headings of one text: a link goes to the first
        names.setdefault(name, name)
    for tag in body.find_all(_HEADINGS):
        text = tag.get_text().strip()
        slug = re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")
        names.setdefault(slug, heading_id(text))
    return names


def _description(heading: Tag | None, title: str) -> str:
    paragraph = heading.find_next("p") if heading else None
    text = " ".join(paragraph.get_text().split()) if paragraph else title
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    return text[: LONGEST_DESCRIPTION - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"
