import re
import sys

import matplotlib.figure
import numpy as np
import pytest

from rnnkit.plots import accuracy_curves, play

play_module = sys.modules["rnnkit.plots.play"]


def picture(height=1.0, label="a <model>"):
    return accuracy_curves({label: [(1, height)]})


def words(times, word):
    return times * word


@pytest.fixture
def displayed(monkeypatch):
    """What a notebook that nobody has open was told to display."""
    pytest.importorskip("IPython")
    calls = []
    monkeypatch.setattr(play_module, "notebook_shell", lambda: object())
    monkeypatch.setattr("IPython.display.display", calls.append)
    return calls


@pytest.fixture
def watched(monkeypatch, displayed):
    """The same where someone has the notebook open."""
    monkeypatch.setattr(play_module, "someone_watches", lambda: True)
    return displayed


@pytest.fixture
def widgets(watched):
    """A function: the controls by their description, and the place of the result."""
    pytest.importorskip("ipywidgets")

    def found():
        *controls, place = watched[-1].children
        return {control.description: control for control in controls}, place

    return found


def test_the_picture_of_the_first_values_is_shown(displayed):
    play(picture, height=[0.25, 0.75], label=["A", "B"])
    (figure,) = displayed
    assert figure.rnnkit_alt.endswith("A: 0.25 at 1.")


def test_more_values_of_the_first_choice_are_shown_each_under_its_name(displayed, capsys):
    play(picture, show=2, height=[0.25, 0.75, 1.0], label=["A", "B"])
    assert [figure.rnnkit_alt[-13:] for figure in displayed] == ["A: 0.25 at 1.", "A: 0.75 at 1."]
    assert capsys.readouterr().out.splitlines() == [
        "height = 0.25, label = A",
        "height = 0.75, label = A",
    ]


def test_a_text_is_printed(displayed, capsys):
    play(words, times=[3], word=["ha"])
    assert capsys.readouterr().out == "times = 3, word = ha\nhahaha\n"
    assert displayed == []


def test_names_are_told_as_words(capsys):
    play(lambda forget_bias: "", forget_bias=[0.5])
    assert capsys.readouterr().out.startswith("forget bias = 0.5\n")


def test_a_script_prints_the_description_of_the_picture(monkeypatch, capsys):
    monkeypatch.setattr(play_module, "notebook_shell", lambda: None)
    play(picture, height=[0.25])
    assert "a <model>: 0.25 at 1." in capsys.readouterr().out


def test_nothing_is_written_to_stderr(watched, capfd):
    play(picture, height=[0.25, 0.75])
    assert capfd.readouterr().err == ""


def test_where_nobody_watches_there_are_no_widgets_and_no_import_of_them(displayed, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)  # an import would raise
    play(picture, height=[0.25])
    assert len(displayed) == 1


def test_without_ipywidgets_the_picture_is_all(watched, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    play(picture, height=[0.25])
    assert len(watched) == 1


def test_numbers_get_a_slider_and_words_a_list(watched, widgets):
    play(words, times=[2, 3], word=["ha", "ho"])
    controls, _ = widgets()
    assert {name: type(control).__name__ for name, control in controls.items()} == {
        "times": "SelectionSlider",
        "word": "Dropdown",
    }
    assert [label for label, _ in controls["times"].options] == ["2", "3"]


@pytest.mark.parametrize("values", [[True, False], [4]])
def test_yes_or_no_and_a_single_number_get_a_list(watched, widgets, values):
    play(lambda choice: str(choice), choice=values)
    controls, _ = widgets()
    assert type(controls["choice"]).__name__ == "Dropdown"


def test_numbers_from_numpy_get_a_slider(watched, widgets):
    play(lambda row: str(row), row=np.arange(3))
    controls, _ = widgets()
    assert type(controls["row"]).__name__ == "SelectionSlider"


def test_a_change_shows_the_new_text(watched, widgets):
    play(words, times=[2, 3], word=["<b>", "ho"])
    controls, place = widgets()
    assert "<pre" not in place.value
    controls["times"].value = 3
    assert place.value.endswith(">&lt;b&gt;&lt;b&gt;&lt;b&gt;</pre>")
    controls["word"].value = "ho"
    assert place.value.endswith(">hohoho</pre>")


def test_a_change_shows_the_new_picture_with_its_description(watched, widgets):
    play(picture, height=[0.25, 0.75])
    controls, place = widgets()
    controls["height"].value = 0.75
    assert re.match(r'<img src="data:image/png;base64,iVBORw0', place.value)
    assert 'a &lt;model&gt;: 0.75 at 1."' in place.value


def test_an_error_after_a_change_is_shown(watched, widgets):
    play(lambda divisor: str(1 / divisor), divisor=[1, 0])
    controls, place = widgets()
    controls["divisor"].value = 0
    assert "ZeroDivisionError: division by zero" in place.value


def test_an_error_in_the_first_drawing_is_raised(displayed):
    with pytest.raises(ZeroDivisionError):
        play(lambda divisor: str(1 / divisor), divisor=[0])


@pytest.mark.parametrize("drawn", [None, matplotlib.figure.Figure()])
def test_another_result_is_refused(displayed, drawn):
    with pytest.raises(TypeError, match=r"a figure of rnnkit.plots or a text. Received:"):
        play(lambda choice: drawn, choice=[1])


def test_no_choice_is_refused():
    with pytest.raises(ValueError, match="play needs a choice"):
        play(lambda: "")


def test_a_choice_without_values_is_named():
    with pytest.raises(ValueError, match="word must have a value"):
        play(words, times=[2], word=[])


def test_a_text_in_place_of_a_list_is_refused():
    with pytest.raises(TypeError, match=r"word must be a list of values. Received: 'ha'"):
        play(words, times=[2], word="ha")


@pytest.mark.parametrize("show", [0, 3])
def test_more_pictures_than_values_are_refused(show):
    with pytest.raises(ValueError, match=f"show must be 1 to 2.* Received: {show}"):
        play(words, show=show, times=[2, 3], word=["ha"])


def test_the_choices_may_have_any_name(capsys):
    play(lambda **choice: str(choice), draw=[1])
    assert "{'draw': 1}" in capsys.readouterr().out
