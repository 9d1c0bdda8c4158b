"""A lecture's cells, dealt out to slides."""

import ast
import copy
import html
import itertools
import re
from collections.abc import Iterator

import nbformat
from nbformat import NotebookNode

from rnnkit.course.site.markdown import to_html

__all__ = ["slide_cells"]

# A slide is 1280 x 720 pixels. With this much of its height filled, and a
# caption below, the browser makes everything on it smaller by a fifth at most.
ROOM = 680
CODE_LINES = 24  # of code on one slide
_LINE = 26  # pixels, of code or printed text
_ENLARGED = 1.5  # times as large as on a page is a picture
_MOST_HEIGHT = 560  # of a picture

_HEADING = re.compile(r"\A(?:\s|<a [^>]*>\s*</a>)*(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_CAPTION = re.compile(r"\A\s*\*\*(?:Figure|Table)s? \d")
_INNER = re.compile(r"\A<h\d[^>]*>(.*)</h\d>\s*\Z", re.DOTALL)


def slide_cells(notebook: NotebookNode) -> NotebookNode:
    """The cells of a lecture as the parts of slides.

    A cell with a heading of level 1 or 2 begins a slide; the cells after it
    stand on slides below. Code, printed text and pictures that do not fit on
    one slide are dealt out to several; a caption stays with its picture.

    Args:
        notebook: An executed lecture whose pictures are links to files.

    Returns:
        A notebook whose cells say in their metadata where slides begin and
        end (``slide_start``, ``subslide_start``, ``subslide_end``,
        ``slide_end``), and which section goes on there (``running``).
    """
    parts: list[NotebookNode] = []
    section, joins = "", False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = _HEADING.search(cell.source)
            opens = heading is not None and len(heading[1]) <= 2
            if heading is not None and opens:
                section = _heading_html(heading[2])
            if _CAPTION.match(cell.source) and _ends_in_picture(parts):
                caption, *rest = _caption_and_rest(cell)
                parts.append(_part(caption, False, False, section))
                parts += [_part(more, False, True, section) for more in rest]
                continue
            parts.append(_part(cell, opens, not joins, "" if opens else section))
            # A heading alone is no slide: what follows stands below it.
            joins = opens and not cell.source[heading.end() :].strip() if heading else False
        elif cell.cell_type == "code":
            for number, piece in enumerate(_pieces(cell)):
                parts.append(_part(piece, False, number > 0 or not joins, section))
                joins = False
    _mark_ends(parts)
    return nbformat.from_dict({**notebook, "cells": parts})


def _part(cell: NotebookNode, opens: bool, begins: bool, running: str) -> NotebookNode:
    part = copy.deepcopy(cell)
    part.metadata |= {
        "slide_start": opens,
        "subslide_start": opens or begins,
        "running": running,
    }
    return part


def _mark_ends(parts: list[NotebookNode]) -> None:
    if not parts:
        return
    parts[0].metadata |= {"slide_start": True, "subslide_start": True}
    for part, following in itertools.pairwise(parts):
        part.metadata["subslide_end"] = following.metadata.subslide_start
        part.metadata["slide_end"] = following.metadata.slide_start
    parts[-1].metadata |= {"subslide_end": True, "slide_end": True}


def _heading_html(text: str) -> str:
    inner = _INNER.match(to_html(f"## {text}"))
    return inner[1] if inner else html.escape(text)


def _ends_in_picture(parts: list[NotebookNode]) -> bool:
    outputs = parts[-1].get("outputs", []) if parts else []
    return bool(outputs) and _is_picture(outputs[-1])


def _caption_and_rest(cell: NotebookNode) -> list[NotebookNode]:
    """The first paragraph stays with the picture; what follows it gets a slide of its own."""
    pieces = [piece for piece in cell.source.strip().split("\n\n", 1) if piece.strip()]
    cells = [copy.deepcopy(cell) for _ in pieces]
    for number, (piece, source) in enumerate(zip(cells, pieces, strict=True)):
        piece |= {"id": f"{cell.id}-{number}"[-64:], "source": source}
    return cells


def _is_picture(output: NotebookNode) -> bool:
    return "image/png" in output.get("data", {})


def _pieces(cell: NotebookNode) -> Iterator[NotebookNode]:
    """A code cell in pieces that fit on a slide each."""
    height = _LINE * _lines(cell.source) + sum(_height(output) for output in cell.outputs)
    if height <= ROOM:
        if cell.source.strip() or cell.outputs:
            yield cell
        return
    pieces: list[tuple[str, list[NotebookNode]]] = [
        *((source, []) for source in _code_pieces(cell.source)),
        *(("", outputs) for outputs in _output_pieces(cell.outputs)),
    ]
    for number, (source, outputs) in enumerate(pieces):
        piece = copy.deepcopy(cell)
        piece |= {"id": f"{cell.id}-{number}"[-64:], "source": source, "outputs": outputs}
        piece.metadata["transient"] = {"remove_source": not source}  # nbconvert's own word
        yield piece


def _lines(text: str) -> int:
    return len(text.strip("\n").split("\n"))


def _height(output: NotebookNode) -> float:
    if _is_picture(output):
        return min(_ENLARGED * output.metadata.rnnkit.height, _MOST_HEIGHT)
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    return _LINE * _lines(text)


def _code_pieces(source: str) -> list[str]:
    """Code, cut before lines that begin at the margin after a blank line."""
    pieces = [""]
    for block in re.split(r"\n\n+(?=[^\s)\]}])", source.strip("\n")):
        if pieces[-1] and _lines(pieces[-1]) + 1 + _lines(block) > CODE_LINES:
            pieces.append("")
        pieces[-1] += ("\n\n" if pieces[-1] else "") + block
    return pieces if all(map(_is_python, pieces)) else [source]


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _output_pieces(outputs: list[NotebookNode]) -> Iterator[list[NotebookNode]]:
    """Outputs that fit on a slide together; a text stays with the picture that follows it."""
    piece: list[NotebookNode] = []
    for output in outputs:
        height = sum(map(_height, [*piece, output]))
        if piece and (height > ROOM or _is_picture(piece[-1])):
            yield piece
            piece = []
        piece.append(output)
    if piece:
        yield piece
