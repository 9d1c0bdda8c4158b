"""Small notebooks with outputs, as a run leaves them."""

import base64
import io

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image


def png(width: int = 1280, height: int = 800, dots: int | None = 200) -> bytes:
    """A picture with something in it."""
    image = Image.new("RGB", (width, height), "white")
    image.putpixel((0, 0), (0, 0, 0))
    file = io.BytesIO()
    image.save(file, "PNG", **({"dpi": (dots, dots)} if dots else {}))
    return file.getvalue()


def picture(alt: str = "A line that falls.", **size: int) -> NotebookNode:
    """The output of a cell that shows a picture."""
    return new_output(
        "display_data",
        {"image/png": base64.b64encode(png(**size)).decode(), "text/plain": alt},
        metadata={"image/png": {"alt": alt}},
    )


def printed(*lines: str, name: str = "stdout") -> NotebookNode:
    """The output of a cell that prints."""
    return new_output("stream", name=name, text="".join(f"{line}\n" for line in lines))


def code(source: str, *outputs: NotebookNode) -> NotebookNode:
    """A code cell that ran."""
    return new_code_cell(source, outputs=list(outputs))


def text(source: str) -> NotebookNode:
    """A markdown cell."""
    return new_markdown_cell(source)


def notebook(*cells: NotebookNode) -> NotebookNode:
    """A notebook of these cells."""
    return new_notebook(cells=list(cells))
