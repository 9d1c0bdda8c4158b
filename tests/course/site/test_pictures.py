import pytest
from made_up_lectures import code, notebook, picture, png, printed, text

from rnnkit.course.site.pictures import pictures, take_pictures


def lecture():
    return notebook(
        text("# A"), code("a", printed("one"), picture("First.")), code("b", picture("Second."))
    )


def test_all_pictures_are_found_with_their_cell_and_description():
    found = list(pictures(lecture()))
    assert [(one.cell, one.alt) for one in found] == [(2, "First."), (3, "Second.")]
    assert found[0].content == png()


@pytest.mark.parametrize("dots", [200, 100, 72, None])
def test_the_size_is_that_on_a_page(dots):
    (found,) = pictures(notebook(code("a", picture(width=1280, height=800, dots=dots))))
    assert (found.width, found.height) == ((640, 400) if dots == 200 else (1280, 800))


def test_pictures_become_links_to_files():
    shown = lecture()
    files = take_pictures(shown, "../pictures", "01_rnn")
    assert files == {"01_rnn-1.png": png(), "01_rnn-2.png": png()}
    output = shown.cells[1].outputs[1]
    assert output.data["image/png"] == ""
    assert output.metadata["rnnkit"] == {
        "source": "../pictures/01_rnn-1.png",
        "alt": "First.",
        "width": 640,
        "height": 400,
    }


def test_a_picture_that_nobody_described_has_no_alt_text():
    shown = notebook(code("a", picture()))
    shown.cells[0].outputs[0].metadata = {}
    assert next(pictures(shown)).alt == ""
