"""The real sets: their parsers on files made up here, and the real files from a server."""

import importlib
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rnnkit.data import DataError, WikiText, WordVectors, fetch, load, registry, sets
from rnnkit.data.reading import unzip_texts
from rnnkit.data.real_blimp import PARADIGMS
from rnnkit.data.real_blimp import _read_pairs as read_blimp
from rnnkit.data.real_cola import _read_judgements as read_cola
from rnnkit.data.real_glove import _read_vectors as read_glove
from rnnkit.data.real_tatoeba import _read_pairs as read_tatoeba
from rnnkit.data.real_tatoeba import _read_side_by_side as read_side_by_side
from rnnkit.data.real_ud_english import _read_conllu as read_conllu
from rnnkit.data.real_ud_english_tense import _read_tenses as read_tenses
from rnnkit.data.real_wikigold import _read_articles as read_articles
from rnnkit.data.real_wikigold import _to_bio2 as to_bio2

NAMES = [info.name for info in sets() if info.kind == "download"]
MODULES = {name: importlib.import_module(f"rnnkit.data.real_{name}") for name in NAMES}


@pytest.fixture
def write(tmp_path):
    """Write a file, by the lines that it should have; returns its path."""

    def write(*lines: str, name: str = "set.txt", end: str = "\n"):
        path = tmp_path / name
        path.write_bytes("".join(f"{line}{end}" for line in lines).encode())
        return path

    return write


def files_of(module):
    """All files of a set: the dictionaries of files and single files, by where they stand."""
    for name, value in vars(module).items():
        if isinstance(value, dict):
            for key, file in value.items():
                if type(file).__name__ == "RemoteFile":
                    yield (name, key), file
        elif type(value).__name__ == "RemoteFile":
            yield (name, None), value


FILES = [file for module in MODULES.values() for _, file in files_of(module)]


def conllu(*rows: tuple[str, str, str]) -> list[str]:
    return ["\t".join([number, word, "_", tag, *"______"]) for number, word, tag in rows]


def _spelled_out(text: str) -> list[str]:
    """The paths that a text names as the shell would read it: a/{b,c}.txt, PARADIGM for any."""
    paths = []
    for word in text.split():
        start, *rest = re.split("[{}]", word)
        paths += [f"{start}{part}{rest[1]}" for part in rest[0].split(",")] if rest else [word]
    return [path.replace("PARADIGM", name) for path in paths for name in PARADIGMS]


class TestConllu:
    SENTENCE = conllu(("1", "Dogs", "NOUN"), ("2", "bark", "VERB"))

    def test_words_and_tags_are_read_by_sentence(self, write):
        path = write("# sent_id = 1", *self.SENTENCE, "", *conllu(("1", "Yes", "INTJ")), "")
        read = read_conllu(path)
        assert read.words == [["Dogs", "bark"], ["Yes"]]
        assert read.tags == [["NOUN", "VERB"], ["INTJ"]]

    def test_words_written_together_are_read_as_their_parts(self, write):
        rows = conllu(("1-2", "don't", "_"), ("1", "do", "AUX"), ("2", "n't", "PART"))
        assert read_conllu(write(*rows)).words == [["do", "n't"]]

    def test_words_that_are_not_in_the_text_are_left_out(self, write):
        rows = conllu(("1", "Ann", "PROPN"), ("1.1", "likes", "VERB"), ("2", "tea", "NOUN"))
        assert read_conllu(write(*rows)).words == [["Ann", "tea"]]

    def test_a_sentence_at_the_end_needs_no_empty_line(self, write):
        path = write(*self.SENTENCE, name="no_end.conllu")
        path.write_bytes(path.read_bytes().rstrip())
        assert read_conllu(path).words == [["Dogs", "bark"]]

    def test_line_ends_of_windows_change_nothing(self, write):
        assert read_conllu(write(*self.SENTENCE, end="\r\n")).tags == [["NOUN", "VERB"]]

    def test_a_word_that_is_a_number_sign_is_no_comment(self, write):
        assert read_conllu(write(*conllu(("1", "#", "SYM")))).words == [["#"]]

    @pytest.mark.parametrize(
        "line",
        ["1\tdogs\tNOUN", *conllu(("x", "dogs", "NOUN")), *conllu(("1", "dogs", "NN")), "text"],
        ids=["columns", "number", "tag", "text"],
    )
    def test_an_odd_line_is_named(self, write, line):
        path = write(*self.SENTENCE, "", line)
        with pytest.raises(DataError) as caught:
            read_conllu(path)
        assert caught.value.found == f"{path}, line 4: {line!r}"


class TestUDEnglishTense:
    @staticmethod
    def sentence(word: str, features: str, head: str = "0") -> list[str]:
        """A subject and a verb."""
        rows = [("1", "we", "PRON", "Number=Plur", "2"), ("2", word, "VERB", features, head)]
        return ["\t".join([*row[:2], "_", row[2], "_", *row[3:], *"___"]) for row in rows] + [""]

    def test_the_root_tells_the_tense(self, write):
        past = self.sentence("wrote", "Mood=Ind|Tense=Past|VerbForm=Fin")
        present = self.sentence("write", "Mood=Ind|Tense=Pres|VerbForm=Fin")
        read = read_tenses(write(*past, *present))
        assert read.sentences == [["we", "wrote"], ["we", "write"]]
        assert read.labels == [1, 0]

    @pytest.mark.parametrize(
        ("features", "head"),
        [
            ("VerbForm=Inf", "0"),
            ("Tense=Past|VerbForm=Part", "0"),
            ("_", "0"),
            ("Mood=Ind|Tense=Past|VerbForm=Fin", "1"),
        ],
        ids=["infinitive", "participle", "no features", "not the root"],
    )
    def test_a_sentence_whose_root_has_no_tense_is_left_out(self, write, features, head):
        assert read_tenses(write(*self.sentence("wrote", features, head))).sentences == []


class TestWikigold:
    def test_articles_and_sentences_are_read(self, write):
        path = write(
            *("Ann I-PER", "Lee I-PER", "ran O", "", "Yes O", "", "-DOCSTART- O", ""),
            *("Oslo I-LOC", "-DOCSTART- O", ""),
        )
        first, second = read_articles(path)
        assert first.words == [["Ann", "Lee", "ran"], ["Yes"]]
        assert first.tags == [["B-PER", "I-PER", "O"], ["O"]]
        assert second.tags == [["B-LOC"]]

    @pytest.mark.parametrize("line", ["Ann", "Ann I-DOG", "Ann\tI-PER", "O"])
    def test_an_odd_line_is_named(self, write, line):
        path = write("Yes O", line)
        with pytest.raises(DataError, match="line 2"):
            read_articles(path)

    @pytest.mark.parametrize(
        ("scheme", "tags", "expected"),
        [
            ("IO", "I-PER I-PER O I-PER", "B-PER I-PER O B-PER"),
            ("IO", "I-PER I-LOC", "B-PER B-LOC"),
            ("IOB", "I-PER B-PER I-PER", "B-PER B-PER I-PER"),
            ("BIO-2", "B-ORG I-ORG O B-ORG B-ORG", "B-ORG I-ORG O B-ORG B-ORG"),
        ],
    )
    def test_each_scheme_becomes_bio_2(self, scheme, tags, expected):
        assert to_bio2(tags.split()) == expected.split()

    def test_no_tags_stay_none(self):
        assert to_bio2([]) == []


class TestMasc:
    @pytest.fixture
    def pack(self, tmp_path):
        """Write an archive such as NLTK's; returns its path."""

        def pack(texts: dict[str, str], genres: str = "spoken/a.txt talk\n"):
            path = tmp_path / "masc.zip"
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("masc_tagged/", "")
                archive.writestr("masc_tagged/categories.txt", genres)
                for name, text in texts.items():
                    archive.writestr(f"masc_tagged/{name}", text)
            return path

        return pack

    @pytest.fixture
    def read(self, pack, monkeypatch):
        """Load the training part of an archive made up here."""

        def read(texts, **settings):
            path = pack(texts, **settings)
            monkeypatch.setattr(MODULES["masc"], "fetch", lambda file: path)
            return load("masc", quiet=True)

        return read

    def test_words_tags_and_genres_are_read_by_line(self, read):
        found = read({"spoken/a.txt": "\n\nI_PRP 'd_MD \nYes_UH ._. \n\n \nAh_UH"})
        assert found.words == [["I", "'d"], ["Yes", "."], ["Ah"]]
        assert found.tags == [["PRP", "MD"], ["UH", "."], ["UH"]]
        assert found.genres == ["talk"] * 3

    def test_a_word_may_hold_the_mark_itself(self, read):
        found = read({"spoken/a.txt": "snake_case_NN __: "})
        assert found.words == [["snake_case", "_"]]
        assert found.tags == [["NN", ":"]]

    @pytest.mark.parametrize("space", [" ", "\n", "\n\n ", "\u2028"])
    def test_parts_of_a_word_with_white_space_share_its_tag(self, read, space):
        found = read({"spoken/a.txt": f"by_IN M.{space}B._NNP Lee_NNP\nYes_UH"})
        assert found.words == [["by", "M.", "B.", "Lee"], ["Yes"]]
        assert found.tags == [["IN", "NNP", "NNP", "NNP"], ["UH"]]

    def test_a_tag_behind_white_space_is_that_of_the_word_before_it(self, read):
        found = read({"spoken/a.txt": "at_IN www.org\u2028(\u2028_NN"})
        assert found.words == [["at", "www.org", "("]]
        assert found.tags == [["IN", "NN", "NN"]]

    def test_a_tag_without_a_word_is_left_out(self, read):
        found = read({"spoken/a.txt": "ha_UH _UH !_. \n_- \nno_UH"})
        assert found.words == [["ha", "!"], ["no"]]
        assert found.tags == [["UH", "."], ["UH"]]

    def test_a_slip_in_a_tag_is_corrected(self, read):
        found = read({"spoken/a.txt": "we_PP were_VBD polishing_VBG|NN ;_;"})
        assert found.tags == [["PRP", "VBD", "VBG", ":"]]

    def test_a_text_that_is_not_in_the_list_is_of_another_genre(self, read):
        found = read({"spoken/a.txt": "I_PRP", "written/b.txt": "you_PRP"})
        assert found.genres == ["talk", "other"]

    def test_whole_texts_go_to_one_split(self, read):
        read({f"written/{number}.txt": f"{number}_CD\n{number}_CD" for number in range(10, 30)})
        parts = {split: load("masc", quiet=True, split=split) for split in ("valid", "test")}
        assert parts["valid"].words == [["18"], ["18"], ["28"], ["28"]]
        assert parts["test"].words == [["19"], ["19"], ["29"], ["29"]]

    @pytest.mark.parametrize("line", ["dogs_NOUN", "dogs_", "dogs_NNS cats", "dogs_nns"])
    def test_an_odd_line_is_named_with_its_text(self, read, line):
        with pytest.raises(DataError, match=r"spoken/a\.txt with(.|\n)*masc\.zip, line 3: "):
            read({"spoken/a.txt": f"I_PRP\n\n{line}\n"})

    def test_an_odd_line_of_the_list_of_genres_is_named(self, read):
        with pytest.raises(DataError, match=r"categories\.txt with(.|\n)*line 2"):
            read({}, genres="spoken/a.txt talk\nspoken/b.txt\n")

    def test_an_archive_without_the_list_of_genres_is_refused(self, tmp_path):
        path = tmp_path / "masc.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("masc_tagged/spoken/a.txt", "I_PRP")
        with pytest.raises(DataError, match=r"no categories\.txt"):
            unzip_texts(path, "categories.txt", (".txt",))

    def test_a_file_that_is_no_archive_is_refused(self, write):
        with pytest.raises(DataError, match="to be a zip archive with categories"):
            unzip_texts(write("I_PRP", name="masc.zip"), "categories.txt", (".txt",))


class TestSentencePolarity:
    @pytest.fixture
    def read(self, tmp_path, monkeypatch):
        """Load a part of an archive made up here."""

        def read(positive: int, negative: int, split: str = "train"):
            path = tmp_path / "polarity.zip"
            with zipfile.ZipFile(path, "w") as archive:
                for name, count in (("pos", positive), ("neg", negative)):
                    lines = "".join(f"{name} {number} . \n" for number in range(count))
                    archive.writestr(f"sentence_polarity/rt-polarity.{name}", lines)
            monkeypatch.setattr(MODULES["sentence_polarity"], "fetch", lambda file: path)
            return load("sentence_polarity", quiet=True, split=split)

        return read

    def test_sentences_of_both_kinds_stand_in_turn(self, read):
        found = read(10, 10)
        assert found.sentences[:4] == ["pos 0 .", "neg 0 .", "pos 1 .", "neg 1 ."]
        assert found.labels == [1, 0] * 8

    def test_each_sentence_is_in_one_split(self, read):
        found = [read(20, 20, split).sentences for split in ("train", "valid", "test")]
        assert [*map(len, found)] == [32, 4, 4]
        assert len({sentence for part in found for sentence in part}) == 40

    def test_unequal_halves_are_refused(self, read):
        with pytest.raises(DataError, match="3 and 2"):
            read(3, 2)


class TestTatoeba:
    def test_pairs_are_read_with_their_authors(self, write):
        read = read_tatoeba(write("Go.\tVa !\tAnn & Bob", "", "Hi.\tSalut.\tCy"))
        assert read.sources == ["Go.", "Hi."]
        assert read.targets == ["Va !", "Salut."]
        assert read.credits == ["Ann & Bob", "Cy"]

    @pytest.mark.parametrize("line", ["Go.", "Go.\tVa !", "\tVa !\tAnn", "Go.\tVa !\tAnn\t1"])
    def test_an_odd_line_is_named(self, write, line):
        with pytest.raises(DataError, match="line 2"):
            read_tatoeba(write("Hi.\tSalut.\tCy", line))

    def test_two_files_are_read_side_by_side(self, write):
        english = write("Go.", "Hi.", name="a.eng")
        read = read_side_by_side(english, write("Geh!", "Hallo.", name="a.deu", end="\r\n"))
        assert read.sources == ["Go.", "Hi."]
        assert read.targets == ["Geh!", "Hallo."]
        assert len(read.credits) == 2

    def test_files_of_different_lengths_are_refused(self, write):
        with pytest.raises(DataError, match="2 and 1"):
            read_side_by_side(write("Go.", "Hi.", name="a.eng"), write("Geh!", name="a.deu"))

    def test_an_empty_line_would_shift_the_pairs_so_it_is_refused(self, write):
        english = write("Go.", "", "Hi.", name="a.eng")
        with pytest.raises(DataError, match=r"a\.eng, line 2"):
            read_side_by_side(english, write("Geh!", "Hallo.", "Da.", name="a.deu"))

    def test_another_language_is_refused(self):
        with pytest.raises(ValueError, match="Received: 'xx'"):
            load("tatoeba", quiet=True, language="xx")


class TestCola:
    def test_sentences_labels_and_books_are_read(self, write):
        read = read_cola(write("gj04\t1\t\tIt ran.", "ks08\t0\t*\tRan it the."))
        assert read.sentences == ["It ran.", "Ran it the."]
        assert read.labels == [1, 0]
        assert read.books == ["gj04", "ks08"]

    @pytest.mark.parametrize("line", ["gj04\t2\t\tIt ran.", "gj04\t1\tIt ran.", "gj04\t1\t\t"])
    def test_an_odd_line_is_named(self, write, line):
        with pytest.raises(DataError, match="line 1"):
            read_cola(write(line))


class TestBlimp:
    def test_pairs_are_read(self, write):
        line = '{"sentence_good": "It runs.", "sentence_bad": "It run.", "pairID": "0"}'
        read = read_blimp(write(line, line))
        assert read.good == ["It runs."] * 2
        assert read.bad == ["It run."] * 2

    @pytest.mark.parametrize("line", ["text", '{"sentence_good": "It runs."}', "[1]"])
    def test_an_odd_line_is_named(self, write, line):
        with pytest.raises(DataError, match="line 1"):
            read_blimp(write(line))

    def test_an_unknown_paradigm_is_answered_with_near_ones(self):
        with pytest.raises(ValueError, match=r"Near it: .*wh_island"):
            load("blimp", quiet=True, paradigm="wh_islands")

    def test_there_are_67_paradigms(self):
        assert len(set(PARADIGMS)) == len(PARADIGMS) == 67


class TestGlove:
    def test_words_and_vectors_are_read(self, write):
        read = read_glove(write("the 0.5 -1", "cat 2 1e-3"), limit=None)
        assert read.words == ["the", "cat"]
        assert read.matrix.dtype == np.float32
        np.testing.assert_array_equal(read.matrix, np.float32([[0.5, -1], [2, 1e-3]]))

    def test_a_limit_takes_the_first_words(self, write):
        assert read_glove(write("the 1", "cat 2", "dog 3"), limit=2).words == ["the", "cat"]

    @pytest.mark.parametrize("line", ["cat 1", "cat 1 x", "cat", "cat 1 2 3"])
    def test_an_odd_line_is_named(self, write, line):
        with pytest.raises(DataError, match="line 2"):
            read_glove(write("the 1 2", line), limit=None)

    def test_an_empty_file_is_refused(self, write):
        with pytest.raises(DataError, match="line 1"):
            read_glove(write(), limit=None)

    def test_vectors_are_read_from_an_archive(self, tmp_path):
        path = tmp_path / "vectors.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("glove.6B.50d/", "")
            archive.writestr("glove.6B.50d/vec.txt", "the 1 2\n")
        assert read_glove(path, limit=None).words == ["the"]

    @pytest.mark.parametrize("names", [[], ["a.txt", "b.txt"]], ids=["none", "two"])
    def test_an_archive_must_hold_one_text(self, tmp_path, names):
        path = tmp_path / "vectors.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "the 1 2\n")
        with pytest.raises(DataError, match=r"a zip archive with one \.txt file"):
            read_glove(path, limit=None)

    def test_a_file_that_is_no_archive_is_refused(self, write):
        with pytest.raises(DataError, match=r"a zip archive with one \.txt file"):
            read_glove(write("the 1 2", name="vectors.zip"), limit=None)

    @pytest.mark.parametrize("settings", [{"version": "7B"}, {"limit": 0}])
    def test_a_wrong_setting_is_refused(self, settings):
        with pytest.raises(ValueError, match=r"Received: ('7B'|0)$"):
            load("glove", quiet=True, **settings)


class TestWordVectors:
    VECTORS = WordVectors(
        ["cat", "dog", "of", "nothing"], np.float32([[2, 1], [1, 1], [-1, 2], [0, 0]])
    )

    def test_a_word_has_its_vector(self):
        np.testing.assert_array_equal(self.VECTORS.vector("dog"), [1, 1])

    def test_a_word_without_vector_is_an_error(self):
        with pytest.raises(KeyError, match="Received: 'Cat'"):
            self.VECTORS.vector("Cat")

    def test_membership_asks_for_the_word(self):
        assert "cat" in self.VECTORS
        assert "Cat" not in self.VECTORS

    def test_neighbours_come_with_cosines_and_without_the_word(self):
        (first, cosine), *rest = self.VECTORS.nearest("cat", count=3)
        assert first == "dog"
        assert cosine == pytest.approx(3 / np.sqrt(10), abs=1e-6)
        assert [word for word, _ in rest] == ["of", "nothing"]

    def test_neighbours_of_a_vector_may_be_any_word(self):
        assert self.VECTORS.nearest(np.array([4.0, 2.0]), count=1)[0][0] == "cat"

    def test_the_first_of_two_equal_words_counts(self):
        twice = WordVectors(["cat", "cat"], np.float32([[1, 0], [0, 1]]))
        np.testing.assert_array_equal(twice.vector("cat"), [1, 0])


class TestWikiText:
    def test_each_line_ends_in_a_token_of_its_own(self):
        assert WikiText(" \n = A = \n").tokens() == ["<eos>", "=", "A", "=", "<eos>"]

    def test_no_text_has_no_tokens(self):
        assert WikiText("").tokens() == []


class TestAllDownloads:
    @pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
    def test_the_page_on_data_says_where_each_file_goes(self, file):
        page = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
        cells = " ".join(re.findall("`([^`]+/[^`]+)`", page))
        assert f"{file.folder}/{file.name}" in _spelled_out(cells)

    @pytest.mark.parametrize("name", NAMES)
    def test_each_file_names_the_stand_in_of_its_set(self, name):
        (info,) = (info for info in sets() if info.name == name)
        assert {file.stands_in for _, file in files_of(MODULES[name])} == {info.stands_in}

    @pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
    def test_each_file_comes_over_https_and_from_one_commit(self, file):
        hosts = "raw.githubusercontent.com/[^/]+/[^/]+/[0-9a-f]{40}|d2l-data"
        assert re.match(f"https://({hosts})", file.address)

    @pytest.mark.parametrize(
        "file", [file for file in FILES if file.sha256], ids=lambda file: file.name
    )
    def test_each_known_hash_is_a_sha256(self, file):
        assert re.fullmatch("[0-9a-f]{64}", file.sha256)

    @pytest.mark.parametrize(
        "name",
        [
            "ud_english",
            "ud_english_tense",
            "wikigold",
            "masc",
            "wikitext2",
            "cola",
            "sentence_polarity",
        ],
    )
    def test_an_unknown_split_is_refused(self, name):
        with pytest.raises(ValueError, match="Received: 'dev'"):
            load(name, quiet=True, split="dev")

    def test_the_line_with_the_licence_comes_before_the_download(self, monkeypatch, capsys):
        monkeypatch.setattr(registry, "_told", set())
        monkeypatch.setenv("RNNKIT_DATA", "/no/such/folder")
        with pytest.raises(DataError):
            load("cola")
        assert "no open licence: for research, not redistributed" in capsys.readouterr().out


@pytest.fixture
def published(monkeypatch, server, real_data):
    """All files of the sets that are in the folder with real files, at a server here."""
    for module in MODULES.values():
        for (name, key), file in list(files_of(module)):
            path = real_data / file.folder / file.name
            if path.exists():
                server.files[f"/{file.folder}/{file.name}"] = path.read_bytes()
            here = replace(file, address=server.address(f"/{file.folder}/{file.name}"))
            if key is None:
                monkeypatch.setattr(module, name, here)
            else:
                monkeypatch.setitem(getattr(module, name), key, here)
    return server


class TestTheRealFiles:
    """Numbers are those that the sets' own descriptions or papers give."""

    @pytest.mark.parametrize(
        ("split", "sentences", "words"), [("valid", 2001, 25147), ("test", 2077, 25094)]
    )
    def test_ud_english(self, published, split, sentences, words):
        read = load("ud_english", quiet=True, split=split)
        assert len(read.words) == sentences
        assert sum(map(len, read.words)) == words
        assert [*map(len, read.words)] == [*map(len, read.tags)]

    @pytest.mark.parametrize(
        ("split", "present", "past"), [("valid", 275, 184), ("test", 290, 165)]
    )
    def test_ud_english_tense(self, published, split, present, past):
        labels = load("ud_english_tense", quiet=True, split=split).labels
        assert (labels.count(0), labels.count(1)) == (present, past)

    def test_wikigold_has_all_its_sentences_in_three_splits(self, published):
        parts = [load("wikigold", quiet=True, split=split) for split in ("train", "valid", "test")]
        assert sum(len(part.words) for part in parts) == 1696
        assert sum(len(words) for part in parts for words in part.words) == 39007
        assert len(parts[0].words) > 5 * len(parts[1].words)

    def test_wikigold_is_bio_2(self, published):
        tags = load("wikigold", quiet=True).tags
        for sentence in tags:
            for before, tag in zip(["O", *sentence], sentence, strict=False):
                assert tag[0] != "I" or before[1:] == tag[1:]

    def test_masc_has_all_its_sentences_in_three_splits(self, published):
        parts = [load("masc", quiet=True, split=split) for split in ("train", "valid", "test")]
        words = [sentence for part in parts for sentence in part.words]
        tags = [sentence for part in parts for sentence in part.tags]
        assert len(words) == 34525
        assert sum(map(len, words)) == 592514
        assert [*map(len, words)] == [*map(len, tags)]
        assert len({genre for part in parts for genre in part.genres}) == 21  # one is "other"
        assert len(parts[0].words) > 5 * max(len(part.words) for part in parts[1:])

    def test_masc_has_no_word_with_white_space(self, published):
        read = load("masc", quiet=True)
        assert all(word.split() == [word] for sentence in read.words for word in sentence)
        assert (read.words[0][1], read.tags[0][1]) == ("Transcript", "NNP")
        assert read.genres[0] == "debate-transcript"

    def test_sentence_polarity_is_half_for_and_half_against(self, published):
        names = ("train", "valid", "test")
        parts = [load("sentence_polarity", quiet=True, split=split) for split in names]
        assert sum(len(part.sentences) for part in parts) == 10662
        assert all(2 * sum(part.labels) == len(part.labels) for part in parts)
        assert parts[0].sentences[0].startswith("the rock is destined")

    def test_tatoeba_french(self, published):
        read = load("tatoeba", quiet=True)
        assert len(read.sources) == len(read.targets) == len(read.credits) == 5000
        assert (read.sources[0], read.targets[0]) == ("Go.", "Va !")
        assert "Attribution: tatoeba.org" in read.credits[0]

    def test_tatoeba_german(self, published):
        read = load("tatoeba", quiet=True, language="de")
        assert len(read.sources) == len(read.targets) == 1000
        assert read.targets[0] == "Maria sagte, sie wisse nicht, wo Tom sei."

    @pytest.mark.parametrize(("split", "tokens"), [("valid", 217646), ("test", 245569)])
    def test_wikitext2(self, published, split, tokens):
        assert len(load("wikitext2", quiet=True, split=split).tokens()) == tokens

    @pytest.mark.parametrize(("split", "count"), [("train", 8551), ("valid", 527)])
    def test_cola(self, published, split, count):
        read = load("cola", quiet=True, split=split)
        assert len(read.sentences) == len(read.labels) == len(read.books) == count
        assert 0.65 < np.mean(read.labels) < 0.75

    def test_blimp(self, published):
        read = load("blimp", quiet=True)
        assert len(read.good) == len(read.bad) == 1000
        assert all(good != bad for good, bad in zip(*read, strict=True))

    def test_the_sample_of_glove(self, published):
        read = load("glove", quiet=True, version="sample")
        assert read.matrix.shape == (100, 100)
        assert read.nearest("two", count=1)[0][0] == "three"

    def test_each_known_hash_is_that_of_the_real_file(self, real_data, monkeypatch):
        monkeypatch.setenv("RNNKIT_DATA", str(real_data))
        for file in FILES:
            if file.sha256:
                assert fetch(file) == real_data / file.folder / file.name

    def test_a_part_that_the_server_lacks_is_an_error_with_a_stand_in(self, published):
        with pytest.raises(DataError, match=r'404(.|\n)*load\("tagged_sentences"\)'):
            load("ud_english", quiet=True)

    def test_a_set_once_loaded_needs_no_network(self, published):
        load("wikigold", quiet=True)
        published.files.clear()
        assert load("wikigold", quiet=True).words
        assert len(published.asked) == 1
