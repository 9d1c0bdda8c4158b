"""Markdown cells to HTML: formulas as MathML, names for headings."""

import html
import re
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from rnnkit.course.site.formulas import mathml

__all__ = ["heading_id", "to_html"]

_TAG = re.compile(r"<[^>]+>")
_IN_LINE = re.compile(r"(`+).*?\1|(?<![\\$])\$(?:\\.|[^$\\])+\$")
_BAR = re.compile(r"(?<!\\)\|")


def to_html(source: str) -> str:
    """A markdown cell as HTML.

    Args:
        source: Markdown as JupyterLab reads it.

    Raises:
        KitError: A formula cannot be shown as MathML.

    Example:

    >>> to_html("## A *small* step").strip()
    '<h2 id="A-small-step">A <em>small</em> step</h2>'
    """
    lines = source.split("\n")
    text = "\n".join(_without_bars(line) if line.startswith("|") else line for line in lines)
    return MarkdownWithMath(renderer=_Renderer(escape=False)).render(text)


def heading_id(text: str) -> str:
    """The name that JupyterLab gives a heading.

    Args:
        text: The heading, as HTML.
    """
    return html.unescape(_TAG.sub("", text)).strip().replace(" ", "-")


def _without_bars(row: str) -> str:
    """A row of a table whose formulas hold no `|`, which would end the column.

    JupyterLab sets formulas aside before it looks for columns; the parser here does not.
    """

    def named(match: re.Match[str]) -> str:
        found = match[0]
        return _BAR.sub(lambda _: r"\vert ", found) if found.startswith("$") else found

    return _IN_LINE.sub(named, row)


class _Renderer(IPythonRenderer):
    """Writes formulas as MathML."""

    def heading(self, text: str, level: int, **_: Any) -> str:
        name = html.escape(heading_id(text))
        return f'<h{level} id="{name}">{text}</h{level}>\n'

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def block_math(self, body: str) -> str:
        # No <div>: it stands in a paragraph.
        return f'<span class="formula">{mathml(body, display=True)}</span>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")
