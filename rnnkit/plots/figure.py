"""What all figures of the course have in common."""

import base64
import contextlib
import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

# Okabe and Ito's colours, which people with any kind of colour vision can tell
# apart. Lines also differ in marker and dashes, so that they do in grey print.
LINE_STYLES: tuple[dict[str, Any], ...] = (
    {"color": "#0072B2", "marker": "o", "linestyle": "-"},
    {"color": "#D55E00", "marker": "s", "linestyle": "--"},
    {"color": "#009E73", "marker": "^", "linestyle": "-."},
    {"color": "#CC79A7", "marker": "D", "linestyle": ":"},
    {"color": "#000000", "marker": "v", "linestyle": (0, (5, 1, 1, 1))},
)
HIGHLIGHT = "#D55E00"
GREY = "#595959"

FONT_SIZE = 12.0  # points; 10 pixels high when a figure is shown 400 pixels wide
PLAIN: dict[str, Any] = {"parse_math": False}  # for text of a data set: "$" is no formula there
_DOTS_PER_INCH = 100
_WIDTH = 6.4  # inches


class CourseFigure(Figure):
    """A matplotlib figure that carries a description for people who cannot see it.

    It is not registered with ``pyplot``: it needs no closing, and a notebook
    shows it once, when it is the last expression of a cell or is passed to
    ``display``.

    Args:
        width: In inches.
        height: In inches.
    """

    rnnkit_alt: str = ""

    def __init__(self, width: float = _WIDTH, height: float = 4.0) -> None:
        super().__init__(figsize=(width, height), dpi=_DOTS_PER_INCH, layout="constrained")

    def draw(self, renderer: Any) -> None:
        """As in matplotlib."""
        with _missing_letters_as_boxes():
            super().draw(renderer)

    def get_tightbbox(self, *args: Any, **kwargs: Any) -> Any:
        """As in matplotlib."""
        with _missing_letters_as_boxes():
            return super().get_tightbbox(*args, **kwargs)

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        # What IPython asks for. The metadata becomes the picture's alt text in
        # nbgrader's feedback pages; JupyterLab and nbconvert's own pages do not
        # use it yet, so the description is there as plain text too.
        png = io.BytesIO()
        self.savefig(png, format="png")
        data = {
            "image/png": base64.b64encode(png.getvalue()).decode(),
            "text/plain": self.rnnkit_alt,
        }
        return data, {"image/png": {"alt": self.rnnkit_alt}}


@contextlib.contextmanager
def _missing_letters_as_boxes() -> Iterator[None]:
    """Keep quiet about letters that no font has, such as Chinese ones.

    matplotlib draws a box for each, and would write a warning to stderr, for
    which nbgrader gives a cell no points. The description has the letters.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        yield


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """The width of a text in points, 1/72 inch, with a little to spare for rounding to pixels."""
    with _missing_letters_as_boxes():
        font = FontProperties(size=size)
        return 1.06 * float(text_to_path.get_text_width_height_descent(text, font, False)[0])


def monospace_width(text: str, size: float = FONT_SIZE) -> float:
    """The width of a text in points, in the font whose letters are all as wide."""
    return 0.602 * size * len(text)


def alt_text(figure: Figure) -> str:
    """The description of a figure of this package, for people who cannot see it.

    Args:
        figure: What a function of ``rnnkit.plots`` returned.

    Raises:
        ValueError: The figure has no description.

    Example:

    >>> from rnnkit.plots import accuracy_curves, alt_text
    >>> alt_text(accuracy_curves({"with attention": [(5, 1.0), (20, 0.75)]}))
    'exact matches against length of the input (symbols). with attention: 1 at 5, 0.75 at 20.'
    """
    description = getattr(figure, "rnnkit_alt", "")
    if not description:
        raise ValueError(f"figure must come from a function of rnnkit.plots. Received: {figure!r}")
    return str(description)


def check_lines(name: str, lines: Mapping[str, Sequence]) -> None:
    """Check that there is something to draw, and no more than eyes can tell apart.

    Raises:
        ValueError: There are no lines, more than five, or one is empty.
    """
    if not 1 <= len(lines) <= len(LINE_STYLES):
        raise ValueError(f"{name} must hold 1 to {len(LINE_STYLES)} lines. Received: {len(lines)}")
    empty = [label for label, points in lines.items() if len(points) == 0]
    if empty:
        raise ValueError(f"each line in {name} needs a point. Received: none for {empty[0]!r}")
