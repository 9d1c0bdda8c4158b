"""All lectures and exercises as pages, all lectures as slides."""

import copy
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import jinja2
import matplotlib
from nbformat import NotebookNode

from rnnkit.course.kit import Kit
from rnnkit.course.site.documents import (
    Document,
    document,
    exercise_notebook,
    exercise_place,
    lecture_place,
)
from rnnkit.course.site.exporters import TEMPLATES, code_colours
from rnnkit.course.site.folder import write_folder
from rnnkit.course.site.links import link_documents
from rnnkit.course.site.pictures import take_pictures
from rnnkit.course.site.slides import slide_cells
from rnnkit.errors import KitError

__all__ = ["COURSE", "Exported", "Lectures", "export_site", "export_slides"]

COURSE = "Recurrent networks for language"
NOTATION = "notation"  # the lecture that belongs to all units
FONTS = ("STIXGeneral.ttf", "LICENSE_STIX")  # matplotlib brings them
REVEAL = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js", "LICENSE")

Lectures = Mapping[str, NotebookNode]
_STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Exported:
    """What an export wrote.

    Args:
        pages: How many pages.
        dead_links: Links to sections that are not there, one line each.
    """

    pages: int
    dead_links: list[str]


def export_site(kit: Kit, lectures: Lectures, folder: Path, *, fast: bool = False) -> Exported:
    """Write a page for each lecture and exercise, and an index.

    Args:
        kit: The kit.
        lectures: Executed notebooks by name.
        folder: Where to; what an earlier export left there is deleted.
        fast: Whether the lectures were trained for a short time; pages say so.

    Raises:
        KitError: A formula has no MathML, an exercise is not built, or the
            folder holds other things.
    """
    files = _fonts()
    documents: dict[PurePosixPath, Document] = {}
    for name, notebook in lectures.items():
        place = lecture_place(name)
        documents[place] = _document(place, name, notebook, "../pictures", files, "cells.html.j2")
    for unit in kit.units():
        place = exercise_place(unit)
        documents[place] = document(place, exercise_notebook(kit, unit), "cells.html.j2")
    dead = link_documents(documents)
    for place, page in documents.items():
        files[f"{place}.html"] = _page(page, documents, fast)
    units = _units(documents)
    files["index.html"] = _render("index.html.j2", course=COURSE, units=units, fast=fast).encode()
    files["style.css"] = (_static("pages.css") + code_colours() + "\n").encode()
    write_folder(folder, files)
    return Exported(len(documents) + 1, dead)


def export_slides(kit: Kit, lectures: Lectures, folder: Path, *, fast: bool = False) -> Exported:
    """Write slides for each lecture, and an index.

    Args:
        kit: The kit.
        lectures: Executed notebooks by name.
        folder: Where to; what an earlier export left there is deleted.
        fast: Whether the lectures were trained for a short time; the index says so.

    Raises:
        KitError: A formula has no MathML, the package with reveal.js is
            missing, or the folder holds other things.
    """
    files = _fonts()
    files |= {f"revealjs/{PurePosixPath(name).name}": _reveal(name) for name in REVEAL}
    documents: dict[PurePosixPath, Document] = {}
    for name, notebook in lectures.items():
        # Slides lie in the top folder; their links are found as if they were lectures.
        place = lecture_place(name)
        documents[place] = _document(place, name, notebook, "pictures", files, "slides.html.j2")
    dead = link_documents(documents, before_name="/")
    for place, slides in documents.items():
        html = _render("presentation.html.j2", course=COURSE, slides=slides, body=str(slides.body))
        files[f"{place.name}.html"] = html.encode()
    index = _render(
        "slides_index.html.j2", course=COURSE, slides=_in_order(documents, "lectures"), fast=fast
    )
    files["index.html"] = index.encode()
    files["style.css"] = (_static("pages.css") + code_colours() + "\n").encode()
    files["slides.css"] = (_static("slides.css") + code_colours() + "\n").encode()
    files["slides.js"] = _static("slides.js").encode()
    write_folder(folder, files)
    return Exported(len(documents) + 1, dead)


def _document(
    place: PurePosixPath,
    name: str,
    notebook: NotebookNode,
    pictures: str,
    files: dict[str, bytes],
    template: str,
) -> Document:
    """A lecture as HTML; its pictures are added to the files."""
    shown = copy.deepcopy(notebook)
    found = take_pictures(shown, pictures, name)
    files.update({f"pictures/{file}": content for file, content in found.items()})
    if template == "slides.html.j2":
        shown = slide_cells(shown)
    return document(place, shown, template)


def _page(page: Document, documents: Mapping[PurePosixPath, Document], fast: bool) -> bytes:
    kind = page.place.parts[0]
    row = _in_order(documents, kind)
    here = row.index(page)
    up = "../" * (len(page.place.parts) - 1)
    other = exercise_place if kind == "lectures" else lecture_place
    beside = documents.get(other(page.place.name))
    return _render(
        "page.html.j2",
        course=COURSE,
        page=page,
        body=str(page.body),
        up=up,
        kind=kind,
        unit=page.place.name,
        previous=_address(row[here - 1], up) if here > 0 else None,
        following=_address(row[here + 1], up) if here + 1 < len(row) else None,
        beside=_address(beside, up) if beside else None,
        notation=_address(documents.get(lecture_place(NOTATION)), up),
        fast=fast and kind == "lectures",
    ).encode()


def _address(page: Document | None, up: str) -> dict[str, str] | None:
    return {"address": f"{up}{page.place}.html", "title": page.title} if page else None


def _in_order(documents: Mapping[PurePosixPath, Document], kind: str) -> list[Document]:
    """Pages of one kind, by name; the notation last."""
    pages = [page for place, page in documents.items() if place.parts[0] == kind]
    return sorted(pages, key=lambda page: (page.place.name == NOTATION, page.place))


def _units(documents: Mapping[PurePosixPath, Document]) -> list[dict[str, Any]]:
    names = sorted({place.name for place in documents}, key=lambda name: (name == NOTATION, name))
    return [
        {
            "name": name,
            "lecture": documents.get(lecture_place(name)),
            "exercise": documents.get(exercise_place(name)),
        }
        for name in names
    ]


def _render(template: str, **values: Any) -> str:
    loader = jinja2.FileSystemLoader(TEMPLATES / "rnnkit")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(template).render(**values).rstrip() + "\n"


def _static(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _fonts() -> dict[str, bytes]:
    """Letters for formulas, on machines that have no font for them."""
    place = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return {f"fonts/{name}": (place / name).read_bytes() for name in FONTS}


def _reveal(name: str) -> bytes:
    """A file of reveal.js, from the package that brings it."""
    found = importlib.util.find_spec("sphinx_revealjs")
    for place in (found.submodule_search_locations or []) if found else []:
        path = Path(place) / "_static" / "revealjs" / name
        if path.is_file():
            return path.read_bytes()
    raise KitError(
        "reveal.js in the package sphinx_revealjs (extra 'site')",
        f"no {name} in it" if found else "no such package",
        'install it: pip install -c constraints.txt -e ".[course,site]"',
    )
