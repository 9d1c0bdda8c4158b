"""Files of word vectors, written by gensim and by hand, whole and broken."""

import gzip
import sys
from pathlib import Path

import numpy as np
import pytest

from rnnkit.elmo.static_files import FORMS, GLOVE, WORD2VEC, WORD2VEC_BINARY, form_of, read_vectors

WORDS = ["the", "bank", "Bank", "Zürich", "3", "(", "銀行", "a_b"]
MATRIX = np.random.default_rng(0).normal(size=(len(WORDS), 5)).astype("float32")


@pytest.fixture
def gensim():
    return pytest.importorskip("gensim", reason="needs gensim: pip install rnnkit[static]")


def by_gensim(path: Path, form: str) -> None:
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(MATRIX.shape[1])
    vectors.add_vectors(WORDS, MATRIX)
    vectors.save_word2vec_format(
        str(path), binary=form == WORD2VEC_BINARY, write_header=form != GLOVE
    )


def content(form: str, words=WORDS, matrix=MATRIX, between: bytes = b"\n") -> bytes:
    """What a file holds, written by hand."""
    head = b"" if form == GLOVE else f"{len(words)} {matrix.shape[1]}\n".encode()
    rows = [
        word.encode() + b" " + (row.tobytes() if form == WORD2VEC_BINARY else as_text(row))
        for word, row in zip(words, matrix, strict=True)
    ]
    return head + between.join(rows) + between


def as_text(row: np.ndarray) -> bytes:
    return " ".join(str(number) for number in row).encode()


def by_hand(path: Path, form: str) -> None:
    write(path, content(form))


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["vectors.txt", "vectors.txt.gz"])
@pytest.mark.parametrize("writer", [by_gensim, by_hand])
@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_found_out_and_read(gensim, tmp_path, form, writer, name):
    path = tmp_path / name
    writer(path, form)
    assert form_of(path) == form
    for asked in (None, form):
        words, matrix = read_vectors(path, form=asked)
        assert words == WORDS
        assert matrix.dtype == np.float32
        np.testing.assert_allclose(matrix, MATRIX, rtol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_only_the_wanted_words_are_kept(gensim, tmp_path, form):
    path = write(tmp_path / "vectors", content(form))
    words, matrix = read_vectors(str(path), words=["銀行", "bank", "no such word"])
    assert words == ["bank", "銀行"]
    np.testing.assert_allclose(matrix, MATRIX[[1, 6]], rtol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_many_words_are_read_with_memory_for_the_wanted_ones(gensim, tmp_path, form):
    # Larger than the parts that gensim reads a binary file in.
    words = [f"w{number}" for number in range(20_000)]
    matrix = np.random.default_rng(1).normal(size=(20_000, 10)).astype("float32")
    path = write(
        tmp_path / "vectors",
        content(form, words, matrix, between=b"" if form == WORD2VEC_BINARY else b"\n"),
    )
    found, vectors = read_vectors(path, words=["w19999", "w3"])
    assert found == ["w3", "w19999"]
    np.testing.assert_allclose(vectors, matrix[[3, 19999]], rtol=1e-6)
    assert (vectors if vectors.base is None else vectors.base).nbytes < 1000


@pytest.mark.parametrize("form", FORMS)
def test_of_a_word_that_comes_twice_the_first_counts(gensim, tmp_path, form):
    twice = content(form, ["the", "bank", "the"], MATRIX[:3])
    words, matrix = read_vectors(write(tmp_path / "vectors", twice))
    assert words == ["the", "bank"]
    np.testing.assert_allclose(matrix, MATRIX[:2], rtol=1e-6)


def test_line_ends_of_windows_and_empty_lines_change_nothing(gensim, tmp_path):
    path = write(tmp_path / "vectors", b"\r\nthe 1 2\r\n\r\nbank 3 4\r\n\r\n")
    words, matrix = read_vectors(path)
    assert (words, matrix.tolist()) == (["the", "bank"], [[1, 2], [3, 4]])


@pytest.mark.parametrize("words", [None, ["bank", "at me@here.org"]])
@pytest.mark.parametrize("head", ["", "4 2\n"])
def test_words_with_spaces_are_read_as_in_one_file_of_glove(gensim, tmp_path, head, words):
    text = f"{head}of 0 0\nat me@here.org 1 2\n. . . 3 4\nbank 5 6\n"
    found, matrix = read_vectors(write(tmp_path / "vectors", text.encode()), words=words)
    if words is None:
        assert found == ["of", "at me@here.org", ". . .", "bank"]
        assert matrix.tolist() == [[0, 0], [1, 2], [3, 4], [5, 6]]
    else:
        assert (found, matrix.tolist()) == (["at me@here.org", "bank"], [[1, 2], [5, 6]])


def test_a_form_that_is_named_wins_over_the_one_found_out(gensim, tmp_path):
    path = write(tmp_path / "vectors", b"3 5\n4 6\n")  # one number for each of two words
    assert form_of(path) == WORD2VEC
    words, matrix = read_vectors(path, form=GLOVE)
    assert (words, matrix.tolist()) == (["3", "4"], [[5], [6]])


def test_a_word_that_was_cut_inside_a_character_is_read(gensim, tmp_path):
    cut = content(WORD2VEC_BINARY).replace("銀行".encode(), "銀行".encode()[:-1])
    words, _ = read_vectors(write(tmp_path / "vectors", cut))
    assert words[6] == "銀\ufffd"


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_is_cut_off_is_refused(gensim, tmp_path, form):
    path = write(tmp_path / "vectors", content(form)[:-30])
    with pytest.raises(ValueError, match=f"whole file of word vectors, of the form '{form}'"):
        read_vectors(path)


@pytest.mark.parametrize("cut", [5, -12])
def test_a_packed_file_that_is_cut_off_is_refused(gensim, tmp_path, cut):
    path = write(tmp_path / "vectors.gz", content(GLOVE))
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ValueError, match="to be a whole file of word vectors"):
        read_vectors(path)


def test_a_packed_file_without_gz_in_its_name_is_refused(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_bytes(gzip.compress(content(GLOVE)))
    with pytest.raises(ValueError, match="packed with gzip: unpack it"):
        read_vectors(path)


def test_a_file_that_is_not_packed_but_named_so_is_refused(tmp_path):
    path = tmp_path / "vectors.gz"
    path.write_bytes(content(GLOVE))
    with pytest.raises(ValueError, match="Received: Not a gzipped file"):
        read_vectors(path)


@pytest.mark.parametrize(("head", "found"), [(b"9 5", "end of input"), (b"8 6", "5 numbers")])
def test_counts_that_do_not_fit_the_words_are_refused(gensim, tmp_path, head, found):
    path = write(tmp_path / "vectors", content(WORD2VEC).replace(b"8 5", head, 1))
    with pytest.raises(ValueError, match=found):
        read_vectors(path)


@pytest.mark.parametrize("line", ["bank 3", "bank 3 4 5", "bank", "bank 3 x", "bank 3 4 x"])
@pytest.mark.parametrize("head", ["", "3 2\n"])
def test_words_with_other_numbers_are_refused(gensim, tmp_path, head, line):
    path = write(tmp_path / "vectors", f"{head}the 1 2\n{line}\nof 5 6\n".encode())
    with pytest.raises(ValueError, match=r"Received: (\d numbers for 'bank( 3)?'|could not conv)"):
        read_vectors(path)


def test_numbers_that_are_not_finite_are_refused(gensim, tmp_path):
    with pytest.raises(ValueError, match="not finite"):
        read_vectors(write(tmp_path / "vectors", b"the 1 2\nbank 3 nan\n"))


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_an_empty_file_is_refused(tmp_path, data):
    with pytest.raises(ValueError, match="Received: an empty file"):
        read_vectors(write(tmp_path / "vectors", data))


@pytest.mark.parametrize("data", [b"0 5\n", b"just\nwords\n", b"3 0\nthe\nbank\nof\n"])
def test_a_file_without_vectors_is_refused(gensim, tmp_path, data):
    with pytest.raises(ValueError, match="Received: no word with its vector"):
        read_vectors(write(tmp_path / "vectors", data))


@pytest.mark.parametrize("form", FORMS)
def test_a_file_without_any_of_the_words_is_refused(gensim, tmp_path, form):
    path = write(tmp_path / "vectors", content(form))
    with pytest.raises(ValueError, match="Received: none of the words"):
        read_vectors(path, words=["BANK"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("asked", FORMS)
def test_a_wrong_form_is_refused_and_the_likely_one_named(gensim, tmp_path, form, asked):
    path = write(tmp_path / "vectors", content(form))
    if asked == form:
        return
    with pytest.raises(ValueError, match=f"of the form '{asked}'.*it looks like '{form}'"):
        read_vectors(path, form=asked)


def test_an_unknown_form_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"glove, word2vec, word2vec-binary.*Received: 'bin'"):
        read_vectors(tmp_path, form="bin")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"Received: .*vectors\.txt, no such file"):
        read_vectors(tmp_path / "vectors.txt")


def test_without_gensim_it_says_what_to_install(monkeypatch, tmp_path):
    path = write(tmp_path / "vectors", content(GLOVE))
    monkeypatch.setitem(sys.modules, "gensim", None)
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(ImportError, match=r"pip install rnnkit\[static\]"):
        read_vectors(path)


def test_reading_writes_nothing(gensim, capfd, tmp_path):
    twice = content(WORD2VEC, ["the", "bank", "the"], MATRIX[:3])
    read_vectors(write(tmp_path / "vectors", twice), words=["bank"])
    assert capfd.readouterr() == ("", "")
