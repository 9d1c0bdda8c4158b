"""The pictures among a notebook's outputs."""

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat import NotebookNode
from PIL import Image

__all__ = ["Picture", "pictures", "take_pictures"]

_DOTS_PER_INCH = 100  # of a figure that a notebook shows in its own size


@dataclass(frozen=True)
class Picture:
    """A picture that a cell shows.

    Args:
        cell: The number of the cell, from 1.
        content: The PNG file.
        alt: What it shows, for people who cannot see it; empty if nobody wrote it.
        width: In pixels of a page, however many dots it has.
        height: The same.
    """

    cell: int
    content: bytes
    alt: str
    width: int
    height: int


def pictures(notebook: NotebookNode) -> Iterator[Picture]:
    """All pictures of an executed notebook, from top to bottom."""
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield _picture(number, output)


def take_pictures(notebook: NotebookNode, folder: str, name: str) -> dict[str, bytes]:
    """Take the pictures out of a notebook and leave links to files in their place.

    Args:
        notebook: An executed notebook; it is changed.
        folder: How pages reach the files' folder.
        name: What the files' names begin with.

    Returns:
        The files' names, and what belongs in each.
    """
    files: dict[str, bytes] = {}
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if "image/png" not in output.get("data", {}):
                continue
            picture = _picture(number, output)
            file = f"{name}-{len(files) + 1}.png"
            files[file] = picture.content
            output.data["image/png"] = ""
            output.metadata["rnnkit"] = {
                "source": f"{folder}/{file}",
                "alt": picture.alt,
                "width": picture.width,
                "height": picture.height,
            }
    return files


def _picture(cell: int, output: NotebookNode) -> Picture:
    content = base64.b64decode(output.data["image/png"])
    with Image.open(io.BytesIO(content)) as image:
        dots = image.info.get("dpi", (_DOTS_PER_INCH,))[0]
        # A file without a density says 1 or so.
        scale = _DOTS_PER_INCH / dots if dots >= _DOTS_PER_INCH else 1.0
        width, height = (round(scale * size) for size in image.size)
    alt = output.metadata.get("image/png", {}).get("alt", "")
    return Picture(cell, content, alt, width, height)
