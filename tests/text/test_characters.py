import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnnkit.text import characters, splitting

# Some of these look alike in print and are not: "é" as one character and as two.
TEXTS = [
    "",
    " ",
    "abc",
    "\u00e9",
    "e\u0301",
    "q\u0307\u0323",  # two marks in the wrong order, with no composed form
    "\u1e9b\u0323",
    "\u212b",  # the sign for ångström becomes the letter
    "\u1100\u1161\u11a8",  # Korean from parts
    "\ud55c\uad6d\uc5b4",
    "Ελληνικά",
    "Русский йод",
    "עִבְרִית",
    "العربيّة",
    "हिन्दी",
    "ไทย",
    "日本語が",
    "か\u3099",  # composes
    "Tiếng Việt",
    "\U0001f469\u200d\U0001f52c",  # an emoji of three code points
    "\U0001d11e",
    "a\x00b\x00",
    "line\nbreak\r\n",
    "\ufeffmark",
    "\ufb01",  # a ligature stays under NFC
]
BYTES = [
    b"",
    b"\xff",
    b"a\xffb",
    b"\xe2\x82",
    b"\xe2\x82a",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90",
]


@pytest.fixture(params=["with tensorflow-text", "in plain Python"])
def split(request, monkeypatch):
    if request.param == "in plain Python":
        monkeypatch.setattr(splitting, "_splitter", lambda: splitting._split_in_python)
    else:
        pytest.importorskip("tensorflow_text")
        monkeypatch.setattr(splitting, "_splitter", lambda: splitting._split_with_tensorflow)
    return characters


def test_a_letter_and_its_accent_become_one_character(split):
    assert split(["e\u0301", "\u00e9"]) == [["\u00e9"], ["\u00e9"]]


def test_a_mark_without_a_composed_form_stays_a_character(split):
    assert split(["q\u0323"]) == [["q", "\u0323"]]


def test_characters_outside_the_basic_plane_are_one_each(split):
    assert split(["\U0001d11ea"]) == [["\U0001d11e", "a"]]


def test_empty_texts_and_no_texts(split):
    assert split(["", "a", ""]) == [[], ["a"], []]
    assert split([]) == []


def test_invalid_utf8_becomes_the_replacement_character(split):
    assert split([b"a\xffb", b"\xe2\x82"]) == [["a", "\ufffd", "b"], ["\ufffd"]]


def test_a_lone_surrogate_becomes_the_replacement_character(split):
    assert split(["a\ud800b"]) == [["a", "\ufffd", "b"]]


def test_null_characters_are_kept_at_the_end(split):
    assert split(["a\x00"]) == [["a", "\x00"]]


def test_both_ways_agree_on_many_scripts():
    pytest.importorskip("tensorflow_text")
    assert splitting._split_with_tensorflow(TEXTS) == splitting._split_in_python(TEXTS)


def test_invalid_bytes_are_replaced_as_tensorflow_text_replaces_them():
    text = pytest.importorskip("tensorflow_text")
    theirs = text.UnicodeCharTokenizer().tokenize(BYTES).to_list()
    assert [[ord(character) for character in row] for row in characters(BYTES)] == theirs


# Up to the CJK signs: the scripts that all versions of Unicode in use know alike.
@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(max_codepoint=0x2FFF, categories=("L", "M", "N", "P", "Z")))))
def test_both_ways_agree_on_random_texts(texts):
    pytest.importorskip("tensorflow_text")
    assert splitting._split_with_tensorflow(texts) == splitting._split_in_python(texts)


def test_one_string_is_refused():
    with pytest.raises(TypeError, match="Received: 'abc'"):
        characters("abc")


def test_a_number_is_refused():
    with pytest.raises(TypeError, match="Received: 7"):
        characters([7])


def test_plain_python_takes_over_without_tensorflow_text():
    program = (
        "import sys; sys.modules['tensorflow_text'] = None\n"
        "from rnnkit.text import characters\n"
        "assert characters(['e\\u0301']) == [['\\u00e9']]\n"
        "assert 'tensorflow' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_importing_the_package_does_not_import_tensorflow():
    program = (
        "import sys, rnnkit.text, rnnkit.data, rnnkit.metrics\n"
        "assert 'tensorflow' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_splitting_writes_nothing_to_stderr_once_tensorflow_is_there():
    pytest.importorskip("tensorflow_text")
    program = (
        "import os, tensorflow\n"
        "tensorflow.constant([1.0]) + 1\n"
        "os.write(2, b'MARK')\n"
        "from rnnkit.text import characters\n"
        "characters(['abc'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=os.environ
    )
    assert done.stderr.partition(b"MARK")[2] == b""
