"""Every lecture runs, shows what it should, and its links lead somewhere."""

import io
import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from rnnkit.course.kit import find_kit
from rnnkit.course.notebooks import read_script
from rnnkit.course.site.documents import (
    document,
    exercise_notebook,
    exercise_place,
    lecture_place,
)
from rnnkit.course.site.links import link_documents
from rnnkit.course.site.markdown import to_html
from rnnkit.course.site.pictures import pictures

KIT = find_kit()
NAMES = KIT.lecture_names()
# What each lecture must explain, each in a section with this anchor.
SECTIONS = {
    "01_rnn": ["s1", "s2", "s3", "s4", "s39"],
    "02_lstm": ["s5", "s6", "s7"],
    "03_language_model": ["s8", "s9", "s10", "s11", "s12", "s13"],
    "04_bidirectional": ["s14", "s15", "s16", "s17", "s18", "s19"],
    "05_seq2seq": ["s20", "s21", "s22", "s23", "s24"],
    "06_attention": ["s25", "s26", "s27", "s28", "s29"],
    "07_elmo": ["s30", "s31", "s32", "s33", "s34", "s35", "s36", "s37", "s38"],
    "notation": [],
}
CAPTION = re.compile(r"^\*\*Figures? (\d+)(?: (?:and|to) (\d+))?", re.MULTILINE)
FEWEST_PICTURES = 6
SMALLEST = (200, 100)  # pixels of a page


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_lecture_runs_without_a_word_on_the_error_stream(name, executed_lecture):
    written = [
        f"cell {number}: {output.text}"
        for number, cell in enumerate(executed_lecture(name).cells, start=1)
        for output in cell.get("outputs", [])
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert written == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_picture_shows_something_and_is_described(name, executed_lecture):
    wrong = []
    for one in pictures(executed_lecture(name)):
        with Image.open(io.BytesIO(one.content)) as image:
            colours = image.convert("RGB").getcolors(maxcolors=1)
        if colours is not None:
            wrong.append(f"cell {one.cell}: one colour only")
        if one.width < SMALLEST[0] or one.height < SMALLEST[1]:
            wrong.append(f"cell {one.cell}: {one.width} x {one.height} pixels")
        if len(one.alt) < 20:
            wrong.append(f"cell {one.cell}: described as {one.alt!r}")
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "notation"])
def test_a_lecture_has_enough_pictures(name, executed_lecture):
    assert len(list(pictures(executed_lecture(name)))) >= FEWEST_PICTURES


@pytest.mark.parametrize("name", NAMES)
def test_a_lecture_has_a_section_for_each_of_its_rows(name):
    found = document(lecture_place(name), read_script(KIT.lecture_script(name)), "cells.html.j2")
    assert [row for row in SECTIONS[name] if row not in found.names] == []


@pytest.mark.parametrize("name", NAMES)
def test_each_figure_that_is_numbered_is_numbered_once_and_in_order(name):
    cells = read_script(KIT.lecture_script(name)).cells
    captions = []
    for cell in cells:
        if cell.cell_type == "markdown":
            for first, last in CAPTION.findall(cell.source):
                captions += range(int(first), int(last or first) + 1)
    assert captions == list(range(1, len(captions) + 1))


@pytest.fixture(scope="module")
def documents():
    """All lectures and exercises as they stand in the kit, not run."""
    found = {}
    for name in NAMES:
        place = lecture_place(name)
        found[place] = document(place, read_script(KIT.lecture_script(name)), "cells.html.j2")
    for unit in KIT.units():
        place = exercise_place(unit)
        found[place] = document(place, exercise_notebook(KIT, unit), "cells.html.j2")
    return found


def test_links_between_lectures_and_exercises_lead_to_sections(documents):
    assert link_documents(documents) == []


def notebooks():
    """Where each lecture and exercise stands, and its cells."""
    for name in NAMES:
        yield lecture_place(name), read_script(KIT.lecture_script(name)).cells
    for unit in KIT.units():
        yield exercise_place(unit), exercise_notebook(KIT, unit).cells


@pytest.mark.parametrize(
    ("place", "cells"), [pytest.param(*one, id=str(one[0])) for one in notebooks()]
)
def test_links_lead_to_files_that_are_there(place, cells):
    missing = []
    for cell in cells:
        if cell.cell_type != "markdown":
            continue
        for link in BeautifulSoup(to_html(cell.source), "html.parser").find_all("a", href=True):
            parts = urlsplit(link["href"])
            if not parts.scheme and parts.path and not is_there(place, unquote(parts.path)):
                missing.append(link["href"])
    assert missing == []


def is_there(place, path):
    target = (KIT.root / place).parent / path
    if target.exists():
        return True
    # The lecture of a unit that is not written yet: links wait for it.
    waits = target.parent.resolve() == KIT.lectures.resolve()
    name = PurePosixPath(path).stem
    return waits and name in KIT.units() and not KIT.lecture_script(name).exists()
