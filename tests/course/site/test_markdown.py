import pytest

from rnnkit.course.site.markdown import heading_id, to_html


def test_formulas_in_a_text_are_mathml():
    html = to_html("The state $h_t$ and\n\n$$h_t = R(h_{t-1})$$")
    assert "$" not in html.replace("alttext", "")
    assert html.count("<math ") == 2
    assert '<span class="formula"><math ' in html


def test_a_heading_has_the_name_that_jupyterlab_gives_it():
    assert '<h2 id="What-is-$h$?">' not in to_html("## What is `h`?")
    assert '<h2 id="What-is-h?">' in to_html("## What is `h`?")


def test_names_of_headings_hold_no_markup():
    assert heading_id("A <em>small</em> &amp; step") == "A-small-&-step"


def test_a_bar_in_a_formula_does_not_end_a_column():
    html = to_html("| a | b |\n| --- | --- |\n| $p(a | b)$ | `x` |")
    assert html.count("<td>") == 2


def test_bars_outside_of_formulas_end_columns():
    html = to_html("| a | b |\n| --- | --- |\n| 5 | $x$ |")
    assert html.count("<td>") == 2


def test_a_folded_answer_stays_folded_and_is_markdown_inside():
    html = to_html("<details><summary>Answer</summary>\n\nIt is **below** $1$.\n\n</details>")
    assert html.startswith("<details><summary>Answer</summary>")
    assert "<strong>below</strong>" in html
    assert "open" not in html


def test_an_anchor_is_kept():
    assert '<a id="s25"></a>' in to_html('<a id="s25"></a>\n\n## Scores')


@pytest.mark.parametrize("text", ["`$x$`", "```\n$x$\n```"])
def test_code_holds_no_formulas(text):
    assert "<math" not in to_html(text)
