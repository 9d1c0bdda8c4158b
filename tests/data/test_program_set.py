import ast
import sysconfig
from pathlib import Path

import numpy as np
import pytest

from rnnkit.data import DataError, program_set, program_text
from rnnkit.data.program_set import MODULES, describe

# Each mark stands under a character: q in quotes, c in a condition, i inside an if.
SOURCE = """\
if a == "x" and (
    b
):  # why: not
    f('y')
elif c[1:2]: g()
else:
    h = r"z"
"""


@pytest.fixture(scope="module")
def test_part():
    return program_text("test")


def marked(text, marks):
    return "".join(character for character, mark in zip(text, marks, strict=True) if mark)


def test_strings_are_inside_quotes_with_their_marks_but_not_their_prefix():
    assert marked(SOURCE, describe(SOURCE).inside_quotes) == '"x"\'y\'"z"'


def test_conditions_go_from_the_keyword_to_its_colon():
    condition = ' a == "x" and (\n    b\n) c[1:2]'
    assert marked(SOURCE, describe(SOURCE).inside_condition) == condition


def test_what_an_if_lets_run_ends_before_its_else():
    run = "  # why: not\n    f('y') g()"
    assert marked(SOURCE, describe(SOURCE).inside_if) == run


def test_positions_start_again_in_each_line():
    assert describe("ab\n\nc\n").line_position.tolist() == [0, 1, 2, 0, 0, 1]


def test_a_line_is_as_deep_as_the_blocks_that_it_stands_in():
    source = "def f():\n  if x:\n    y = [\n1]\n\n  # so\n  z\nw\n"
    depths = describe(source).depth
    starts = np.cumsum([0, *[len(line) for line in source.splitlines(keepends=True)[:-1]]])
    assert depths[starts].tolist() == [0, 1, 2, 2, 2, 2, 1, 0]


def test_strings_over_several_lines_are_inside_quotes_throughout():
    source = 'x = """a\nb"""\n'
    assert marked(source, describe(source).inside_quotes) == '"""a\nb"""'


def test_f_strings_are_strings():
    source = 'x = f"a{y}b" + rb"c"\n'
    assert marked(source, describe(source).inside_quotes) == '"a{y}b""c"'


def test_letters_outside_ascii_move_nothing():
    source = 'if "ä" in s: pass  # ö\n'
    assert marked(source, describe(source).inside_condition) == ' "ä" in s'


def test_the_one_line_if_does_not_count_its_own_head():
    assert marked("if a: b\n", describe("if a: b\n").inside_if) == " b"


def test_an_if_in_an_expression_is_no_statement():
    assert not describe("x = a if b else c\n").inside_condition.any()


def test_an_empty_program_has_empty_properties():
    assert {len(values) for values in describe("").properties.values()} == {0}


def test_lines_of_windows_are_refused():
    with pytest.raises(ValueError, match="lines that end in"):
        describe("a\r\nb\r\n")


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_each_property_has_a_value_for_each_character(split):
    data = program_text(split)
    assert {len(values) for values in data.properties.values()} == {len(data.text)}
    assert data.text.isascii()


def test_modules_stand_in_the_text_as_python_has_them(test_part):
    folder = Path(sysconfig.get_path("stdlib"))
    assert "".join((folder / name).read_text() for name in test_part.modules) == test_part.text


def test_the_splits_share_no_module():
    names = [name for part in MODULES.values() for name in part]
    assert len(set(names)) == len(names)


def test_every_property_varies(test_part):
    for values in test_part.properties.values():
        assert 0.02 < (values > 0).mean() < 0.999


def test_the_parser_and_the_tokenizer_agree_on_docstrings(test_part):
    docstring = ast.get_docstring(ast.parse(test_part.text), clean=False)
    start = test_part.text.index(docstring)
    assert test_part.inside_quotes[start : start + len(docstring)].all()


def test_a_part_of_the_text_is_its_beginning(test_part):
    part = program_text("test", longest=1000)
    assert part.text == test_part.text[:1000]
    assert (part.depth == test_part.depth[:1000]).all()


def test_the_arrays_that_all_share_cannot_be_changed(test_part):
    with pytest.raises(ValueError, match="read-only"):
        test_part.depth[0] = 5


def test_a_negative_length_is_refused():
    with pytest.raises(ValueError, match="Received: -1"):
        program_text(longest=-1)


def test_an_unknown_split_is_refused():
    with pytest.raises(ValueError, match="Received: 'dev'"):
        program_text("dev")


def test_a_python_without_source_is_told_what_stands_in(tmp_path, monkeypatch):
    program_set._whole_text.cache_clear()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(DataError, match=r"no source such as argparse\.py in ") as caught:
        program_text()
    assert "the set text_to_text" in str(caught.value)
