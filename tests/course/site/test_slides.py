import pytest
from made_up_lectures import code, notebook, picture, printed, text

from rnnkit.course.site.pictures import take_pictures
from rnnkit.course.site.slides import CODE_LINES, slide_cells


def dealt(*cells):
    """The slides: for each section a list of slides, each a list of what is on it."""
    shown = notebook(*cells)
    take_pictures(shown, "pictures", "a")
    sections = []
    for cell in slide_cells(shown).cells:
        if cell.metadata.slide_start:
            sections.append([])
        if cell.metadata.subslide_start:
            sections[-1].append([])
        sections[-1][-1].append(_tell(cell))
    return sections


def _tell(cell):
    if cell.cell_type == "markdown":
        return cell.source.split("\n")[-1]
    shown = [] if cell.metadata.get("transient", {}).get("remove_source") else ["code"]
    return " ".join(
        shown
        + ["picture" if "image/png" in out.get("data", {}) else "print" for out in cell.outputs]
    )


def test_a_heading_of_level_2_begins_a_section_and_other_cells_stand_below():
    assert dealt(text("# A\n\na"), text("B"), text("## C\n\nc"), text("### D"), text("E")) == [
        [["a"], ["B"]],
        [["c"], ["### D"], ["E"]],
    ]


def test_an_anchor_may_stand_before_the_heading():
    assert len(dealt(text("# A"), text('<a id="s1"></a>\n\n## B\n\nb'))) == 2


def test_what_begins_without_a_heading_is_a_section():
    assert dealt(text("A")) == [[["A"]]]


def test_a_heading_alone_stands_above_what_follows():
    assert dealt(text("## A"), text("B"), text("C")) == [[["## A", "B"], ["C"]]]


def test_a_section_that_begins_ends_the_one_before():
    shown = slide_cells(notebook(text("# A"), text("## B"))).cells
    assert [cell.metadata.slide_end for cell in shown] == [True, True]
    assert [cell.metadata.subslide_end for cell in shown] == [True, True]


def test_short_code_stands_on_one_slide_with_its_picture_and_caption():
    cells = [code("draw()", picture()), text("**Figure 1.** What to see.")]
    assert dealt(*cells) == [[["code picture", "**Figure 1.** What to see."]]]


def test_what_follows_a_caption_gets_its_own_slide():
    cells = [code("draw()", picture()), text("**Figure 1.** What to see.\n\nMore.\n\nAnd more.")]
    assert dealt(*cells) == [[["code picture", "**Figure 1.** What to see."], ["And more."]]]


def test_a_caption_without_a_picture_before_it_gets_its_own_slide():
    assert dealt(text("A"), text("**Figure 1.** B")) == [[["A"], ["**Figure 1.** B"]]]


def test_longer_code_and_its_picture_get_a_slide_each():
    cells = [code("x = 1\n" * 20, picture()), text("**Figure 1.** B")]
    assert dealt(*cells) == [[["code"], ["picture", "**Figure 1.** B"]]]


def test_two_pictures_get_a_slide_each_with_the_line_above():
    outputs = [printed("t = 1"), picture(), printed("t = 2"), picture()]
    assert dealt(code("play()", *outputs)) == [[["code"], ["print picture"], ["print picture"]]]


def test_long_code_is_cut_between_functions():
    function = "def f{}():\n" + "    x = 1\n" * 9
    cell = code("\n\n".join(function.format(number) for number in range(4)))
    pieces = slide_cells(notebook(cell)).cells
    assert len(pieces) == 2
    assert "".join("".join(piece.source.split()) for piece in pieces) == "".join(
        cell.source.split()
    )
    assert all(piece.source.startswith("def f") for piece in pieces)
    assert all(piece.source.count("\n") < CODE_LINES for piece in pieces)
    assert len({piece.id for piece in pieces}) == 2


@pytest.mark.parametrize("rest", ["]", "%time x"])
def test_code_that_cannot_be_cut_stays_whole(rest):
    source = "x = [\n" + "    1,\n" * 30 + "\n" + rest + "\n" + "y = 1\n" * 10
    assert len(slide_cells(notebook(code(source))).cells) == 1


def test_slides_below_a_heading_say_which_section_goes_on():
    shown = slide_cells(notebook(text("# A"), text("## B $h$\n\nb"), text("C"))).cells
    assert shown[1].metadata.running == ""
    assert shown[2].metadata.running.startswith("B <math ")


def test_an_empty_cell_gives_no_slide():
    assert dealt(text("A"), code("")) == [[["A"]]]


def test_the_notebook_itself_is_left_as_it_is():
    lecture = notebook(text("# A"), code("x = 1"))
    before = lecture.copy()
    slide_cells(lecture)
    assert lecture == before
    assert "slide_start" not in lecture.cells[0].metadata
