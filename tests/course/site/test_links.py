from pathlib import PurePosixPath

import pytest
from made_up_lectures import notebook, text

from rnnkit.course.site.documents import document
from rnnkit.course.site.links import link_documents

LECTURE = PurePosixPath("lectures/01_toy")
OTHER = PurePosixPath("lectures/02_toy")
EXERCISE = PurePosixPath("exercises/01_toy/01_toy")


def linked(link, here=LECTURE, before_name=""):
    """The body with a link, after linking, and the links that lead nowhere."""
    sources = {
        LECTURE: '<a id="s1"></a>\n\n## One',
        OTHER: '<a id="s2"></a>\n\n## Two',
        EXERCISE: "## Question 1. A step (1 point)",
    }
    sources[here] += f"\n\n[go]({link})"
    documents = {
        place: document(place, notebook(text(source)), "cells.html.j2")
        for place, source in sources.items()
    }
    dead = link_documents(documents, before_name)
    return documents[here].body.find("a", string="go"), dead


@pytest.mark.parametrize(
    ("here", "link", "address"),
    [
        (LECTURE, "02_toy.ipynb", "02_toy.html"),
        (LECTURE, "./02_toy.ipynb#s2", "02_toy.html#s2"),
        (LECTURE, "#s1", "#s1"),
        (LECTURE, "01_toy.ipynb#s1", "#s1"),
        (LECTURE, "../exercises/01_toy/01_toy.ipynb", "../exercises/01_toy/01_toy.html"),
        (EXERCISE, "../../lectures/01_toy.ipynb#s1", "../../lectures/01_toy.html#s1"),
        (LECTURE, "https://example.org/a.ipynb#b", "https://example.org/a.ipynb#b"),
    ],
)
def test_links_lead_to_pages(here, link, address):
    found, dead = linked(link, here)
    assert found["href"] == address
    assert dead == []


@pytest.mark.parametrize(
    "name", ["Question-1.-A-step-(1-point)", "Question-1.-A-step-%281-point%29"]
)
def test_names_as_jupyterlab_gives_them_are_found(name):
    found, dead = linked(f"../exercises/01_toy/01_toy.ipynb#{name}")
    assert found["href"].endswith("#Question-1.-A-step-(1-point)")
    assert dead == []


def test_names_as_github_gives_them_are_found():
    found, _ = linked("../exercises/01_toy/01_toy.ipynb#question-1-a-step-1-point")
    assert found["href"].endswith("#Question-1.-A-step-(1-point)")


def test_slides_get_names_as_reveal_reads_them():
    found, _ = linked("02_toy.ipynb#s2", before_name="/")
    assert found["href"] == "02_toy.html#/s2"


@pytest.mark.parametrize("link", ["../docs/reports/numbers.md", "07_unwritten.ipynb#s30"])
def test_a_link_to_what_has_no_page_becomes_text(link):
    found, dead = linked(link)
    assert found is None
    assert dead == []


def test_a_link_to_a_section_that_is_not_there_is_named():
    found, dead = linked("02_toy.ipynb#s99")
    assert dead == ["lectures/01_toy.ipynb: nothing is named as in 02_toy.ipynb#s99"]
    assert found.get("href") is None
