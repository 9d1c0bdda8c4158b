import pytest

from rnnkit.course.site.formulas import mathml
from rnnkit.errors import KitError


def test_a_formula_becomes_mathml_with_its_source_as_text():
    assert mathml("h_t") == (
        '<math alttext="h_t" display="inline"><mrow><msub><mi>h</mi><mi>t</mi></msub></mrow></math>'
    )


def test_a_formula_in_its_own_line_is_a_block():
    assert 'display="block"' in mathml("a", display=True)


def test_the_source_is_escaped():
    assert 'alttext="a &lt; b &amp; &quot;c&quot;"' in mathml('a < b & "c"')


def test_lines_are_aligned():
    aligned = mathml(r"\begin{aligned} a &= b \\ c &= d \end{aligned}")
    assert aligned.count("<mtr>") == 2
    assert 'columnalign="right"' in aligned


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        (r"\mathrm{softmax}(e)", "<mtext>softmax</mtext>"),
        (r"\operatorname*{argmax}_y", "<mo>argmax</mo>"),
        (r"\arg\max", "<mo>arg</mo>"),
    ],
)
def test_words_stay_in_one_piece(formula, word):
    assert word in mathml(formula)


@pytest.mark.parametrize("formula", [r"\log p", r"\log_2 p", r"\max_{y} p", r"\exp \alpha"])
def test_a_function_stands_apart_from_what_it_is_applied_to(formula):
    assert mathml(formula).count('<mspace width="0.167em" />') == 1


def test_a_function_and_its_bracket_stand_together():
    assert "mspace" not in mathml(r"\log (p) + \exp(e)")


@pytest.mark.parametrize(
    "formula",
    [
        r"\overrightarrow{h}_t",
        r"[\overleftarrow{h}_{k,j}; \tilde c_t]",
        r"\left\lVert \frac{\partial L}{\partial h_t} \right\rVert",
        r"p(w_t \mid w_{<t})",
        r"\prod_{k=t+1}^{N} x^\top \odot \alpha_{ij}",
        r"\begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}",
    ],
)
def test_what_lectures_write_is_known(formula):
    assert mathml(formula).startswith("<math ")


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        (r"\unheardof x", r"no MathML for \unheardof"),
        (r"\frac{a}{b", "braces that do not match"),
        ("a}", "braces that do not match"),
        ("a_", "Error"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_formula(formula, why):
    with pytest.raises(KitError) as caught:
        mathml(formula)
    assert why in caught.value.found
    assert f"${formula}$" in caught.value.found
