import base64
import io
import subprocess
import sys
import warnings

import matplotlib.figure
import pytest

from rnnkit.metrics import CellScore
from rnnkit.plots import (
    accuracy_curves,
    alt_text,
    attention_map,
    cell_ranking,
    coloured_text,
    curves,
    gates_over_time,
    gradient_norms,
    layer_weights,
    network,
    unrolled,
)

FIGURES = {
    "attention_map": lambda: attention_map([[1.0, 0.0]], "ab", "A"),
    "accuracy_curves": lambda: accuracy_curves({"a model": [(1, 0.5)]}),
    "gradient_norms": lambda: gradient_norms({"a model": [1.0, 0.5]}),
    "unrolled": lambda: unrolled("ab", "A"),
    "network": lambda: network("transducer", "ab", layers=2, bidirectional=True),
    "curves": lambda: curves({"a model": [(1, [0.5, 0.6])]}, "length", "time (ms)", chance=0.1),
    "coloured_text": lambda: coloured_text("if a:\n    b", [0.0, 0.5, -0.5] * 3 + [1.0, -1.0]),
    "cell_ranking": lambda: cell_ranking([CellScore(1, 0.9, 0.95, 1)], "area", chance=0.5),
    "gates_over_time": lambda: gates_over_time({"forget gate": [[0.5], [0.9]]}, "ab"),
    "layer_weights": lambda: layer_weights({"tags": [0.5, 0.5]}),
}
# Of each function that shows symbols, one with letters that no usual font has.
FOREIGN = {
    "attention_map": lambda: attention_map([[1.0, 0.0]], ["日本", "語"], ["人"]),
    "unrolled": lambda: unrolled(["日本語"] * 8, ["人"]),
    "network": lambda: network("language model", ["日本", "語"]),
    "coloured_text": lambda: coloured_text("日本", [0.0, 0.5]),
    "gates_over_time": lambda: gates_over_time({"forget gate": [[0.5], [0.9]]}, "日本"),
}


@pytest.fixture(params=FIGURES)
def figure(request):
    return FIGURES[request.param]()


def test_each_function_returns_a_matplotlib_figure(figure):
    assert isinstance(figure, matplotlib.figure.Figure)


def test_each_figure_has_a_description(figure):
    assert len(alt_text(figure)) > 20


def test_a_notebook_gets_a_picture_and_its_description(figure):
    data, metadata = figure._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"] == data["text/plain"] == alt_text(figure)


def test_the_description_stays_where_ipython_draws_the_picture_its_own_way(figure):
    formatters = pytest.importorskip("IPython.core.formatters")
    formatter = formatters.DisplayFormatter()
    # As %matplotlib inline does.
    formatter.formatters["image/png"].for_type(matplotlib.figure.Figure, lambda _: b"inline")
    data, metadata = formatter.format(figure)
    assert data["text/plain"] == alt_text(figure)
    assert metadata["image/png"] == {"alt": alt_text(figure)}


def test_nothing_is_drawn_beyond_the_borders(figure):
    # The pictures lie in the figure's own size, so what does not fit is cut off.
    figure._repr_mimebundle_()
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert box.x0 >= -0.01
    assert box.y0 >= -0.01
    assert box.x1 <= width + 0.01
    assert box.y1 <= height + 0.01


@pytest.mark.parametrize("name", FOREIGN)
def test_letters_without_a_font_are_drawn_without_a_warning(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = FOREIGN[name]()
        figure._repr_mimebundle_()
        figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")  # as %matplotlib inline


def test_nothing_is_written_while_figures_are_drawn(figure, capfd):
    figure._repr_mimebundle_()
    assert capfd.readouterr() == ("", "")


def test_a_figure_from_elsewhere_has_no_description():
    with pytest.raises(ValueError, match=r"must come from a function of rnnkit.plots"):
        alt_text(matplotlib.figure.Figure())


@pytest.mark.parametrize("draw", [accuracy_curves, gradient_norms])
def test_nothing_to_draw_is_refused(draw):
    with pytest.raises(ValueError, match=r"1 to 5 lines. Received: 0"):
        draw({})


@pytest.mark.parametrize("draw", [accuracy_curves, gradient_norms])
def test_a_line_without_points_is_named(draw):
    with pytest.raises(ValueError, match="Received: none for 'empty'"):
        draw({"empty": []})


@pytest.mark.parametrize("draw", [accuracy_curves, gradient_norms])
def test_more_lines_than_eyes_can_tell_apart_are_refused(draw):
    with pytest.raises(ValueError, match="Received: 6"):
        draw({str(number): [(1, 1)] for number in range(6)})


def test_drawing_imports_neither_keras_nor_pyplot_nor_widgets():
    program = (
        "import sys\n"
        "from rnnkit.plots import unrolled\n"
        "unrolled('ab', 'A')._repr_mimebundle_()\n"
        "print({'tensorflow', 'keras', 'matplotlib.pyplot', 'ipywidgets'} & {*sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
