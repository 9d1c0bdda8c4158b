"""With and without tensorflow-text: the same results, and nothing on stderr."""

import itertools
import os
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnnkit.text import WordPieces, characters, normalise, script_words, words
from rnnkit.text.script_words import _joins

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
    "Ελληνικά ΟΔΟΣ",
    "Русский йод",
    "עִבְרִית",
    "العربيّة نمی\u200cخواهم",
    "हिन्दी में",
    "ไทย",
    "日本語が、カタカナー。",
    "か\u3099",  # composes
    "Tiếng Việt",
    "Straße ẞ İ I ı",
    "\U0001f469\u200d\U0001f52c",  # an emoji of three code points
    "\U0001d11e",
    "a\x00b\x00",
    "line\nbreak\r\n",
    "a\u3000b\u00a0c\u2028d\u200be",  # three kinds of white space, and one that is none
    "\ufeffmark",
    "\ufb01",  # a ligature stays under NFC
    "\u0301a \u064b\u0627 \u200dx",  # marks with nothing before them
    "don't (3.14, or $5!?) x_y a1 3 4 .. .",
]
WAYS = {
    "characters": characters,
    "words": words,
    "script_words": script_words,
    "nfkc": lambda texts: normalise(texts, form="NFKC"),
    "lower": lambda texts: normalise(texts, case="lower"),
    "fold": lambda texts: normalise(texts, case="fold"),
}
# Up to the CJK signs: the scripts that all versions of Unicode in use know alike.
known = st.characters(max_codepoint=0x2FFF, exclude_categories=("Cs", "Cn", "Co"))


@pytest.mark.parametrize("split", WAYS.values(), ids=WAYS.keys())
def test_both_ways_agree_on_many_scripts(both_ways, split):
    with_library, without = both_ways(split, TEXTS)
    assert with_library == without


@pytest.mark.parametrize("split", WAYS.values(), ids=WAYS.keys())
@settings(max_examples=20, deadline=None)
@given(texts=st.lists(st.text(known)))
def test_both_ways_agree_on_random_texts(both_ways, split, texts):
    with_library, without = both_ways(split, texts)
    assert with_library == without


@pytest.mark.slow
def test_the_table_of_scripts_cuts_where_tensorflow_text_cuts(both_ways):
    # Each character that is no mark, between two of other scripts and beside its neighbour.
    assigned = [
        chr(code)
        for code in (*range(0x3000), *range(0x3000, 0x20000, 7))
        if unicodedata.category(chr(code)) not in ("Cs", "Cn", "Co") and not _joins(chr(code))
    ]
    texts = [f"{before}{after}" for before, after in itertools.pairwise(assigned)]
    texts += [f"a{each}α{each}1{each}" for each in assigned]
    with_library, without = both_ways(script_words, texts)
    wrong = [text for text, a, b in zip(texts, with_library, without, strict=True) if a != b]
    assert wrong == []


def test_word_pieces_say_where_they_can_run(in_plain_python):
    with pytest.raises(ImportError, match="Use Colab, or Windows Subsystem for Linux"):
        WordPieces(["a"])(["a"])
    with pytest.raises(ImportError, match="Use Colab"):
        WordPieces.learn(["a"], 10)


def run(program):
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        # These programs use TensorFlow; PyTorch in the same process can bring both down.
        env={**os.environ, "KERAS_BACKEND": "tensorflow"},
    )


def test_plain_python_takes_over_without_tensorflow_text():
    run(
        "import sys; sys.modules['tensorflow_text'] = None\n"
        "from rnnkit.text import characters, words, script_words\n"
        "assert characters(['e\\u0301']) == [['\\u00e9']]\n"
        "assert words(['a b.']) == [['a', 'b.']]\n"
        "assert script_words(['a b.']) == [['a', 'b', '.']]\n"
        "assert 'tensorflow' not in sys.modules\n"
    )


def test_importing_the_package_does_not_import_tensorflow():
    run(
        "import sys, rnnkit.text, rnnkit.data, rnnkit.metrics\n"
        "assert 'tensorflow' not in sys.modules\n"
        "assert 'sklearn' not in sys.modules\n"
        "assert 'sacrebleu' not in sys.modules\n"
    )


def test_loading_tensorflow_text_writes_nothing_to_stderr():
    pytest.importorskip("tensorflow_text")
    assert run("from rnnkit.text import words\nwords(['Abc d.'])\n").stderr == b""


def test_splitting_writes_nothing_to_stderr_once_tensorflow_is_there():
    pytest.importorskip("tensorflow_text")
    done = run(
        "import os, rnnkit, tensorflow\n"
        "tensorflow.constant([1.0]) + 1\n"
        "os.write(2, b'MARK')\n"
        "from rnnkit import text\n"
        "for split in (text.characters, text.words, text.script_words):\n"
        "    split(['Abc d.', ''])\n"
        "text.normalise(['Abc'], 'NFKC', 'fold')\n"
        "pieces = text.WordPieces.learn(['abc abd abc'], 20)\n"
        "vocabulary = text.Vocabulary(pieces.symbols, pieces, pieces.join)\n"
        "vocabulary.decode(vocabulary.encode(['abc abd'])[0])\n"
    )
    assert done.stderr.partition(b"MARK")[2] == b""
