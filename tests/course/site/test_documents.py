from pathlib import PurePosixPath

import pytest
from made_up_lectures import code, notebook, picture, printed, text
from nbformat.v4 import new_output

from rnnkit.course.site.documents import document, exercise_notebook
from rnnkit.course.site.pictures import take_pictures
from rnnkit.errors import KitError

PLACE = PurePosixPath("lectures/01_toy")


def page(*cells):
    shown = notebook(*cells)
    take_pictures(shown, "../pictures", "01_toy")
    return document(PLACE, shown, "cells.html.j2")


def test_title_and_description_come_from_the_first_cell():
    found = page(text("# What a *state* keeps\n\nShort.\n\nMore."), text("## Why?"))
    assert found.title == "What a state keeps"
    assert found.description == "Short."


def test_a_long_description_ends_between_words():
    found = page(text("# A\n\n" + "word " * 100))
    assert len(found.description) <= 160
    assert found.description.endswith("word …")


def test_a_notebook_without_a_heading_is_called_by_its_name():
    assert page(text("Only text.")).title == "01_toy"


def test_sections_are_the_headings_of_level_2():
    found = page(text("# A"), text('<a id="s1"></a>\n\n## One `x`'), text("### Deeper"))
    assert found.sections == [("One-x", "One x")]


def test_links_may_use_anchors_and_both_names_of_a_heading():
    names = page(text('<a id="s1"></a>\n\n## Shorter paths?')).names
    assert names == {
        "s1": "s1",
        "Shorter-paths?": "Shorter-paths?",
        "shorter-paths": "Shorter-paths?",
    }


def test_a_second_heading_of_the_same_text_takes_no_name_twice():
    found = page(text("## Answer"), text("## Answer"))
    assert str(found.body).count('id="Answer"') == 1


def test_code_printed_text_and_pictures_are_there():
    body = page(code("x = 1", printed("one", "two"), picture("It falls."))).body
    assert body.select_one(".code").get_text().strip() == "x = 1"
    assert body.select_one("pre.printed").get_text() == "one\ntwo\n"
    image = body.find("img")
    assert (image["alt"], image["src"]) == ("It falls.", "../pictures/01_toy-1.png")
    assert (image["width"], image["height"]) == ("640", "400")


def test_of_a_picture_its_description_is_not_printed_too():
    assert "It falls." not in page(code("x", picture("It falls."))).body.get_text()


def test_widgets_and_scripts_are_left_out():
    widget = new_output(
        "display_data",
        {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}, "text/plain": "VBox()"},
    )
    script = new_output("display_data", {"text/html": "<b>bold</b><script>go()</script>"})
    body = page(code("x", widget, script)).body
    assert "VBox" not in str(body)
    assert body.find("script") is None
    assert body.find("b").get_text() == "bold"


@pytest.mark.parametrize("cell", [text("| a |\n| --- |\n| 1 |"), None])
def test_a_table_has_a_box_to_scroll_in(cell):
    html = new_output("display_data", {"text/html": "<table><tr><td>1</td></tr></table>"})
    body = page(cell or code("x", html)).body
    assert len(body.select(".table")) == 1
    assert body.select_one(".table > table, .table table") is not None
    assert body.select_one(".table")["tabindex"] == "0"


def test_a_caption_is_marked():
    cells = ["**Figure 2.** What to see.", "**Figures 3 and 4**, beside it.", "**Note.** Not one."]
    body = page(*map(text, cells)).body
    assert [tag.get_text() for tag in body.select(".caption")] == [
        "Figure 2. What to see.",
        "Figures 3 and 4, beside it.",
    ]


def test_a_formula_that_cannot_be_shown_is_told_with_its_notebook():
    with pytest.raises(KitError, match=r"lectures/01_toy.ipynb: no MathML for \\nothing"):
        page(text(r"$\nothing$"))


def test_a_missing_exercise_says_how_to_build_it(kit):
    with pytest.raises(KitError, match="build it: rnnkit build 01_toy"):
        exercise_notebook(kit, "01_toy")
