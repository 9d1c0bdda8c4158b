"""Links to sections of lectures."""

import pytest

from rnnkit.course.links import anchors

LECTURE = '# %% [markdown]\n# <a id="s1"></a>\n# ## S2 Scores, and why?\n'


def test_links_to_a_lecture_that_is_not_written_yet_wait_for_it(add_unit, sound, found):
    add_unit(sound)
    assert found() == []


def test_links_to_sections_that_exist_are_fine(add_unit, add_lecture, sound, found):
    add_unit(sound)
    add_lecture(LECTURE)
    assert found() == []


def test_a_link_to_a_section_that_does_not_exist_is_named(add_unit, add_lecture, sound, found):
    add_unit(sound)
    add_lecture(LECTURE.replace("s1", "s3"))
    assert found() == ["solutions/01_toy/01_toy.py: cell 1: lectures/01_toy.py has no section #s1"]


@pytest.mark.parametrize("prefix", ["", "./", "../../", "https://a.example/blob/main/"])
def test_any_prefix_is_understood(add_unit, add_lecture, sound, found, prefix):
    add_unit(sound.replace("../../lectures", f"{prefix}lectures"))
    add_lecture("# %%\n")
    assert len(found()) == 1


def test_a_link_in_a_comment_of_code_counts(add_unit, add_lecture, sound, found):
    add_unit(sound.replace("# an addition", "# lectures/01_toy.ipynb#s9 says an addition"))
    add_lecture(LECTURE)
    (finding,) = found()
    assert "cell 3 (q1-double): lectures/01_toy.py has no section #s9" in finding


def test_links_between_lectures_count(add_lecture, found):
    add_lecture(LECTURE)
    add_lecture("# %% [markdown]\n# [there](01_toy.ipynb#s1) [lost](01_toy.ipynb#s7)\n", "02_b")
    assert found() == ["lectures/02_b.py: cell 1: lectures/01_toy.py has no section #s7"]


@pytest.mark.parametrize("name", ["s1", "S2-Scores,-and-why?", "s2-scores-and-why"])
def test_a_section_is_found_by_its_anchor_or_its_heading(kit, add_lecture, name):
    add_lecture(LECTURE)
    assert name in anchors(kit.lecture_script("01_toy"))
