"""The biLM that comes with the kit."""

import socket

import numpy as np
import pytest

from rnnkit.elmo import BiLM, BiLMTraining, load_pretrained, load_pretrained_training
from rnnkit.elmo.pretrained import FOLDER

MEGABYTES = 8
RIVER = ["They", "sat", "on", "the", "bank", "of", "the", "river", "."]
MONEY = ["They", "put", "the", "money", "in", "the", "bank", "."]


@pytest.fixture(scope="module")
def bilm() -> BiLM:
    return load_pretrained()


@pytest.fixture(scope="module")
def training() -> BiLMTraining:
    return load_pretrained_training()


def test_it_is_loaded_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("there is no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert load_pretrained().options.layers == 2


def test_all_its_files_are_small_enough_to_come_with_the_kit() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= MEGABYTES * 1_000_000


def test_a_word_has_three_vectors_that_are_finite(bilm: BiLM) -> None:
    [vectors] = bilm.embed([RIVER])
    assert vectors.shape == (3, len(RIVER), 2 * bilm.options.projection)
    assert np.isfinite(vectors).all()


def test_only_the_token_layer_is_the_same_in_every_sentence(bilm: BiLM) -> None:
    river, money = bilm.embed([RIVER, MONEY])
    first, second = river[:, RIVER.index("bank")], money[:, MONEY.index("bank")]
    np.testing.assert_allclose(first[0], second[0], atol=1e-6)
    for layer in (1, 2):
        assert np.abs(first[layer] - second[layer]).max() > 0.1


def test_both_halves_expect_english_more_than_the_same_words_sorted(
    training: BiLMTraining,
) -> None:
    english = training.perplexity([RIVER, MONEY])
    jumbled = training.perplexity([sorted(RIVER), sorted(MONEY)])
    assert english.forward * 3 < jumbled.forward
    assert english.backward * 3 < jumbled.backward


def test_it_knows_the_words_that_it_was_trained_with(training: BiLMTraining) -> None:
    assert training.perplexity([RIVER, MONEY]).unknown == 0
    assert training.perplexity([["qwxzt"]]).unknown == 1


def test_it_can_be_trained_on(training: BiLMTraining) -> None:
    text = [RIVER, MONEY] * 60
    before = training.perplexity(text)
    other = load_pretrained_training(batch=4)
    other.fit(text, steps=5, quiet=True)
    assert other.perplexity(text).forward < before.forward


def test_the_card_says_what_a_user_must_know() -> None:
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    for word in ("licence", "CC BY-SA", "seed", "steps", "Perplexity", "pretrain_bilm.py"):
        assert word in card
