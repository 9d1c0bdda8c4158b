"""The text of the kit's biLM, and static vectors made from a text."""

import importlib.util
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from rnnkit import data
from rnnkit.elmo import WordList
from rnnkit.elmo.pretrained import FOLDER
from rnnkit.experiments.elmo_text import LONGEST, pretraining_text, word2vec

PRETRAINING = Path(__file__).parents[2] / "benchmarks" / "pretrain_bilm.py"
LONG = [f"w{number}" for number in range(LONGEST + 3)]
SETS = {
    ("ud_english", "train"): SimpleNamespace(words=[["One", "."], LONG, ["One", "."]]),
    ("masc", "train"): SimpleNamespace(words=[["Two", "!"], ["One", "."]]),
    ("wikitext2", "test"): SimpleNamespace(
        text=" = A head = \n\n A well @-@ known one . Is it 1 @,@ 000 ? Yes\n"
    ),
    ("sentence_polarity", "train"): SimpleNamespace(sentences=["a film .", "a film ."]),
}


@pytest.fixture
def small_sets(monkeypatch):
    monkeypatch.setattr(data, "load", lambda name, split, quiet=False: SETS[name, split])


def test_the_text_has_each_sentence_of_a_source_once(small_sets):
    assert pretraining_text() == [
        ["One", "."],
        LONG[:LONGEST],
        LONG[LONGEST:],
        ["Two", "!"],
        ["One", "."],  # of another source
        ["A", "well-known", "one", "."],
        ["Is", "it", "1,000", "?"],
        ["Yes"],
        ["a", "film", "."],
    ]


def test_the_text_is_the_one_that_the_biLM_was_trained_on(small_sets):
    if not PRETRAINING.exists():
        pytest.skip("needs benchmarks/pretrain_bilm.py")
    spec = importlib.util.spec_from_file_location("pretrain_bilm", PRETRAINING)
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script
    spec.loader.exec_module(script)
    sources = script.pretraining_sources()
    assert pretraining_text() == [sentence for each in sources.values() for sentence in each]
    assert list(script.LICENCES) == list(sources)


@pytest.mark.skipif("RNNKIT_DATA" not in os.environ, reason="needs real data: set RNNKIT_DATA")
def test_the_shipped_word_list_comes_from_this_text():
    """The words are those of the text that was read, so another text has another list."""
    try:
        text = pretraining_text()
    except data.DataError as error:
        pytest.skip(f"needs real data: {error}")
    shipped = WordList.from_file(FOLDER / "words.txt")
    again = WordList.from_sentences(text, minimum_count=3, maximum_size=len(shipped))
    assert again.digest == shipped.digest


def test_words_with_the_same_neighbours_get_similar_static_vectors():
    pytest.importorskip("gensim")
    generator = np.random.default_rng(1)
    drinks, tools = ("tea", "milk"), ("saw", "file")
    sentences = [
        ["they", "drink", "hot", generator.choice(drinks)]
        if generator.random() < 0.5
        else ["we", "use", "sharp", generator.choice(tools)]
        for _ in range(600)
    ]
    static = word2vec(sentences, size=12, epochs=60)
    tea, milk, saw = (static.vector(word) for word in ("tea", "milk", "saw"))
    assert np.dot(tea, milk) > np.dot(tea, saw)
    again = word2vec(sentences, size=12, epochs=60)
    np.testing.assert_array_equal(static.vector("saw"), again.vector("saw"))


def test_without_gensim_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(ImportError, match="pip install gensim"):
        word2vec([["a", "b"]], size=2)
