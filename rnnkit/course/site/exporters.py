"""nbconvert's exporters for the cells of pages and slides."""

from pathlib import Path
from typing import Any

from nbconvert.exporters import TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter
from traitlets import default
from traitlets.config import Config

from rnnkit.course.site.markdown import to_html

__all__ = ["CellsExporter", "code_colours"]

TEMPLATES = Path(__file__).parent / "templates"


class CellsExporter(TemplateExporter):
    """The cells of a notebook as HTML; what stands around them comes from elsewhere.

    Args:
        template: The file in ``templates/rnnkit/``.
    """

    def __init__(self, template: str, **settings: Any) -> None:
        super().__init__(template_file=template, **settings)

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".html"

    @default("template_name")
    def _template_name_default(self) -> str:
        return "rnnkit"

    @default("extra_template_basedirs")
    def _basedirs_default(self) -> list[str]:
        return [str(TEMPLATES)]

    @property
    def default_config(self) -> Config:
        """The first kind of an output that is there is shown; widgets are not."""
        kinds = ["image/svg+xml", "image/png", "text/html", "text/markdown", "text/plain"]
        return Config({"NbConvertBase": {"display_data_priority": kinds}})

    def cells(self, notebook: NotebookNode) -> str:
        """The cells as HTML.

        Raises:
            KitError: A formula cannot be shown as MathML.
        """
        self.register_filter("markdown2html", to_html)
        self.register_filter("highlight_code", Highlight2HTML(pygments_lexer="ipython3"))
        body, _ = self.from_notebook_node(notebook)
        return str(body)


def code_colours() -> str:
    """The style sheet for coloured code."""
    return str(HtmlFormatter(style="default").get_style_defs(".highlight"))
