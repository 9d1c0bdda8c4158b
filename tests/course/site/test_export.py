import importlib.util
import re

import pytest
from bs4 import BeautifulSoup
from made_up_lectures import code, notebook, picture, printed, text

from rnnkit.course.site import export_site, export_slides
from rnnkit.errors import KitError


@pytest.fixture
def lectures():
    """Two executed lectures and the notation."""
    first = notebook(
        text("# Lecture 1: toys\n\nA *toy* is small. Symbols: [notation](notation.ipynb)."),
        text('<a id="s1"></a>\n\n## One\n\n$$h_t = R(h_{t-1})$$'),
        code("draw()", picture("It falls.")),
        text("**Figure 1.** What to see. [Exercise](../exercises/01_toy/01_toy.ipynb)"),
        text("## Two"),
        text("## Questions\n\n<details><summary>Answer</summary>\n\nYes.\n\n</details>"),
    )
    second = notebook(text("# Lecture 2: bigger toys\n\nSee [lecture 1](01_toy.ipynb#s1)."))
    notation = notebook(text("# Notation\n\nAll symbols."), code("x = 1", printed("1")))
    return {"01_toy": first, "02_toy": second, "notation": notation}


@pytest.fixture
def site(kit, add_unit, sound, lectures, tmp_path):
    """A function: a page of the exported site."""
    add_unit(sound)
    export_site(kit, lectures, tmp_path / "site")
    return lambda name: BeautifulSoup((tmp_path / "site" / name).read_text(), "html.parser")


def links(soup, where):
    return {
        link.get_text(" ", strip=True): link["href"] for link in soup.select(f"{where} a[href]")
    }


def test_each_page_has_what_search_engines_read(site):
    page = site("lectures/01_toy.html")
    assert page.html["lang"] == "en"
    assert page.title.string == "Lecture 1: toys · Recurrent networks for language"
    described = page.find("meta", attrs={"name": "description"})["content"]
    assert described == "A toy is small. Symbols: notation."
    assert page.find(re.compile("^h[1-6]$")).name == "h1"
    assert len(page.find_all("h1")) == 1


def test_pages_lead_to_their_neighbours_exercise_and_notation(site):
    page = site("lectures/01_toy.html")
    assert links(page, "header") == {
        "Recurrent networks for language": "../index.html",
        "Exercise of this unit": "../exercises/01_toy/01_toy.html",
        "Notation": "../lectures/notation.html",
    }
    assert links(page, "footer") == {"Next Lecture 2: bigger toys": "../lectures/02_toy.html"}
    assert links(site("lectures/notation.html"), "footer") == {
        "Previous Lecture 2: bigger toys": "../lectures/02_toy.html"
    }


def test_a_page_begins_with_its_sections(site):
    assert links(site("lectures/01_toy.html"), ".contents") == {
        "One": "#One",
        "Two": "#Two",
        "Questions": "#Questions",
    }


def test_an_exercise_is_there_without_answers_and_leads_to_its_lecture(site):
    page = site("exercises/01_toy/01_toy.html")
    assert "YOUR CODE HERE" in page.get_text()
    assert "number + number" not in page.get_text()
    assert "negative too" not in page.get_text()
    assert links(page, "header")["Lecture of this unit"] == "../../lectures/01_toy.html"
    assert links(page, "main")["the lecture"] == "../../lectures/01_toy.html#s1"


def test_the_index_has_all_units(site):
    page = site("index.html")
    assert [heading.string for heading in page.find_all("h2")] == [
        "Lecture 1: toys",
        "Lecture 2: bigger toys",
        "Notation",
    ]
    assert links(page, ".unit") == {
        "Lecture : Lecture 1: toys": "lectures/01_toy.html",
        "Exercise : A small unit": "exercises/01_toy/01_toy.html",
        "Lecture : Lecture 2: bigger toys": "lectures/02_toy.html",
        "All symbols : Notation": "lectures/notation.html",
    }


def test_everything_that_pages_need_lies_beside_them(site, tmp_path):
    root = tmp_path / "site"
    for path in root.rglob("*.html"):
        page = BeautifulSoup(path.read_text(), "html.parser")
        needed = [tag["src"] for tag in page.find_all(src=True)]
        needed += [tag["href"] for tag in page.find_all("link") if "data:" not in tag["href"]]
        assert all((path.parent / name).resolve().is_relative_to(root) for name in needed)
        assert all((path.parent / name).is_file() for name in needed)
        assert page.find("script") is None
    for path in root.rglob("*.css"):
        assert all(
            (root / name).is_file() for name in re.findall(r'url\("(.+?)"\)', path.read_text())
        )


def test_the_short_setting_is_told(kit, add_unit, sound, lectures, tmp_path):
    add_unit(sound)
    export_site(kit, lectures, tmp_path / "site", fast=True)
    assert "short setting" in (tmp_path / "site/lectures/01_toy.html").read_text()
    assert "short setting" not in (tmp_path / "site/exercises/01_toy/01_toy.html").read_text()


def test_the_full_setting_needs_no_word(site):
    assert "short setting" not in site("lectures/01_toy.html").get_text()


def test_the_same_notebooks_give_the_same_files(kit, add_unit, sound, lectures, tmp_path):
    add_unit(sound)
    contents = []
    for name in ("a", "b"):
        export_site(kit, lectures, tmp_path / name)
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        contents.append([(path.relative_to(tmp_path / name), path.read_bytes()) for path in files])
    assert contents[0] == contents[1]


def test_dead_links_are_counted(kit, add_unit, sound, lectures, tmp_path):
    add_unit(sound)
    lectures["02_toy"].cells[0].source += " [nothing](01_toy.ipynb#s99)"
    exported = export_site(kit, lectures, tmp_path / "site")
    assert exported.pages == 5
    assert exported.dead_links == ["lectures/02_toy.ipynb: nothing is named as in 01_toy.ipynb#s99"]


def test_the_notebooks_are_left_as_they_are(kit, add_unit, sound, lectures, tmp_path):
    add_unit(sound)
    before = str(lectures)
    export_site(kit, lectures, tmp_path / "site")
    export_slides(kit, lectures, tmp_path / "slides")
    assert str(lectures) == before


@pytest.fixture
def slides(kit, lectures, tmp_path):
    """A function: a page of the exported slides."""
    export_slides(kit, lectures, tmp_path / "slides")
    return lambda name: BeautifulSoup((tmp_path / "slides" / name).read_text(), "html.parser")


def test_sections_are_horizontal_slides_with_vertical_ones_below(slides):
    page = slides("01_toy.html")
    sections = page.select(".slides > section")
    assert [len(section.find_all("section")) for section in sections] == [1, 2, 1, 1]
    assert all(slide.select_one(":scope > .fit") for slide in page.select("section > section"))


def test_answers_on_slides_stay_folded(slides):
    (answer,) = slides("01_toy.html").find_all("details")
    assert not answer.has_attr("open")


def test_links_between_slides_are_those_of_reveal(slides):
    assert links(slides("02_toy.html"), "section") == {"lecture 1": "01_toy.html#/s1"}
    assert links(slides("01_toy.html"), "section") == {"notation": "notation.html"}


def test_slides_bring_reveal_with_them(slides, tmp_path):
    root = tmp_path / "slides"
    page = slides("01_toy.html")
    needed = [tag["src"] for tag in page.find_all(src=True)]
    needed += [tag["href"] for tag in page.find_all("link") if "data:" not in tag["href"]]
    assert {"revealjs/reveal.js", "revealjs/reveal.css", "slides.js"} <= set(needed)
    assert all((root / name).is_file() for name in needed)
    assert b"Hakim El Hattab" in (root / "revealjs/LICENSE").read_bytes()


def test_the_index_of_slides_has_all_lectures(slides):
    assert links(slides("index.html"), "main") == {
        "Lecture 1: toys": "01_toy.html",
        "Lecture 2: bigger toys": "02_toy.html",
        "Notation": "notation.html",
    }


def test_without_reveal_the_extra_is_named(kit, lectures, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(KitError, match=r"no such package[\s\S]*course,site"):
        export_slides(kit, lectures, tmp_path / "slides")
