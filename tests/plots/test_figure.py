import base64
import subprocess
import sys

import matplotlib.figure
import pytest

from rnnkit.plots import accuracy_curves, alt_text, attention_map, gradient_norms, unrolled

FIGURES = {
    "attention_map": lambda: attention_map([[1.0, 0.0]], "ab", "A"),
    "accuracy_curves": lambda: accuracy_curves({"a model": [(1, 0.5)]}),
    "gradient_norms": lambda: gradient_norms({"a model": [1.0, 0.5]}),
    "unrolled": lambda: unrolled("ab", "A"),
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


def test_drawing_imports_neither_keras_nor_pyplot():
    program = (
        "import sys\n"
        "from rnnkit.plots import unrolled\n"
        "unrolled('ab', 'A')._repr_mimebundle_()\n"
        "print({'tensorflow', 'keras', 'matplotlib.pyplot'} & {*sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
