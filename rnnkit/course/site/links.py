"""Links of notebooks, as pages need them."""

import posixpath
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from bs4 import Tag

from rnnkit.course.site.documents import Document

__all__ = ["link_documents"]


def link_documents(documents: Mapping[PurePosixPath, Document], before_name: str = "") -> list[str]:
    """Let links between notebooks lead to pages.

    A link to a file that has no page becomes plain text: a page may lie where
    the kit's other files are not.

    Args:
        documents: All that get a page, by their place. Their bodies are changed.
        before_name: What stands between `#` and a name; reveal.js wants `/`.

    Returns:
        Links to a section that its page does not have, one line each.
    """
    dead = []
    for document in documents.values():
        for link in document.body.find_all("a", href=True):
            if not _lead(link, document, documents, before_name):
                dead.append(f"{document.place}.ipynb: nothing is named as in {link['href']}")
                del link["href"]
    return dead


def _lead(
    link: Tag,
    here: Document,
    documents: Mapping[PurePosixPath, Document],
    before_name: str,
) -> bool:
    """Change one link; false if its section is not there."""
    parts = urlsplit(str(link["href"]))
    if parts.scheme or parts.netloc:
        return True
    place = here.place
    if parts.path:
        joined = posixpath.join(here.place.parent.as_posix(), unquote(parts.path))
        file = PurePosixPath(posixpath.normpath(joined))
        place = file.with_suffix("")
        if file.suffix != ".ipynb" or place not in documents:
            link.unwrap()
            return True
    there = documents[place]
    address = ""
    if there is not here:
        address = posixpath.relpath(f"{place}.html", here.place.parent.as_posix())
    if parts.fragment:
        name = there.names.get(unquote(parts.fragment))
        if name is None:
            return False
        address += f"#{before_name}{name}"
    link["href"] = address or "#"
    return True
