"""The biLM gives the published vectors, and those of plain NumPy for every kind of options."""

import dataclasses
import json
from pathlib import Path

import h5py
import numpy as np
import numpy_elmo
import pytest
from conftest import SMALL, random_bilm
from keras import ops
from test_weights import arrays_of

from rnnkit.elmo import BiLM, character_ids, load_bilm

SENTENCES = [
    ["the", "bank", "of", "the", "river"],
    ["no"],
    [
        "a",
        "much",
        "longer",
        "sentence",
        ",",
        "with",
        "an",
        "unusualcompoundwordthatgoesonandonandonandonandon",
        ".",
    ],
    [],
    ["Zürich", "北京", "𝔅"],
]


def expected_batches(published: Path) -> list[tuple[list[list[str]], list[np.ndarray]]]:
    """Each batch's sentences, and the top layer's published vectors."""
    columns = json.loads((published / "lm_embeddings_sentences.json").read_text())
    batches = []
    for number in range(10):
        sentences = [column[number].split() for column in columns]
        vectors = []
        for column in range(3):
            with h5py.File(published / f"lm_embeddings_{column}.hdf5") as file:
                both = file[str(number)][...]  # (2 directions, words, 16)
            vectors.append(np.concatenate(both, axis=-1))
        batches.append((sentences, vectors))
    return batches


def test_the_first_published_batch_without_carried_state(published: Path) -> None:
    bilm = load_bilm(published / "options.json", published / "lm_weights.hdf5")
    sentences, expected = expected_batches(published)[0]
    for found, wanted in zip(bilm.embed(sentences), expected, strict=True):
        np.testing.assert_allclose(found[-1], wanted, atol=2e-6)


def test_all_published_batches_with_carried_state(published: Path) -> None:
    bilm = load_bilm(published / "options.json", published / "lm_weights.hdf5")
    for sentences, expected in expected_batches(published):
        for found, wanted in zip(bilm.embed(sentences, stateful=True), expected, strict=True):
            np.testing.assert_allclose(found[-1], wanted, atol=2e-6)


def test_forgetting_starts_the_published_batches_again(published: Path) -> None:
    bilm = load_bilm(published / "options.json", published / "lm_weights.hdf5")
    batches = expected_batches(published)
    for sentences, _ in batches[:3]:
        bilm.embed(sentences, stateful=True)
    bilm.forget()
    found = bilm.embed(batches[0][0], stateful=True)[0][-1]
    np.testing.assert_allclose(found, batches[0][1][0], atol=2e-6)


KINDS = [
    {},
    {"skip_connections": False},
    {"layers": 1},
    {"layers": 3},
    {"highways": 0},
    {"highways": 2, "activation": "tanh"},
    {"memory_clip": 0.4, "output_clip": 0.3},
    {"memory_clip": None, "output_clip": None},
    {"projection": 10},
    {"max_characters": 12},
]


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_all_layers_equal_numpy(tmp_path: Path, changes: dict) -> None:
    bilm = random_bilm(dataclasses.replace(SMALL, **changes))
    bilm.save(tmp_path / "options.json", tmp_path / "weights.hdf5")
    options = json.loads((tmp_path / "options.json").read_text())
    arrays = {name: a.astype("float64") for name, a in arrays_of(tmp_path / "weights.hdf5").items()}
    for sentence, found in zip(SENTENCES, bilm.embed(SENTENCES), strict=True):
        if not sentence:
            assert found.shape == (bilm.options.layers + 1, 0, bilm.options.width)
            continue
        expected, _ = numpy_elmo.embed(sentence, arrays, options)
        np.testing.assert_allclose(found, expected, atol=3e-6, err_msg=str(sentence))


def test_carried_states_equal_numpy_row_by_row(tmp_path: Path) -> None:
    """Batches of 3, 1 and 2 rows: a row goes on from where it stood last."""
    bilm = random_bilm()
    bilm.save(tmp_path / "options.json", tmp_path / "weights.hdf5")
    options = json.loads((tmp_path / "options.json").read_text())
    arrays = {name: a.astype("float64") for name, a in arrays_of(tmp_path / "weights.hdf5").items()}
    states: list = [None, None, None]
    for batch in ([SENTENCES[0], SENTENCES[1], SENTENCES[4]], [SENTENCES[2]], SENTENCES[:2]):
        for row, found in enumerate(bilm.embed(batch, stateful=True)):
            expected, states[row] = numpy_elmo.embed(batch[row], arrays, options, states[row])
            np.testing.assert_allclose(found, expected, atol=3e-6)


def test_called_as_a_model_it_gives_the_vectors_of_embed() -> None:
    bilm = random_bilm()
    layers = ops.convert_to_numpy(bilm(character_ids(SENTENCES)))
    for row, (sentence, wanted) in enumerate(zip(SENTENCES, bilm.embed(SENTENCES), strict=True)):
        np.testing.assert_allclose(layers[row, :, 1 : len(sentence) + 1], wanted, atol=2e-6)


def test_the_directions_never_mix() -> None:
    """A later word changes no forward half before it, an earlier one no backward half after it."""
    bilm, size = random_bilm(), SMALL.projection
    words = ["the", "bank", "of", "the", "river"]
    before = bilm.embed([words])[0]
    for place in range(len(words)):
        after = bilm.embed([[*words[:place], "other", *words[place + 1 :]]])[0]
        moved = np.abs(after - before).max(axis=(0, 2)) > 1e-6
        assert moved[place]
        np.testing.assert_allclose(after[:, :place, :size], before[:, :place, :size], atol=1e-6)
        later = slice(place + 1, None)
        np.testing.assert_allclose(after[:, later, size:], before[:, later, size:], atol=1e-6)
        # In layer 0 a word is itself alone; above it, words on either side are reached.
        np.testing.assert_allclose(
            np.delete(after[0], place, 0), np.delete(before[0], place, 0), atol=1e-6
        )
        assert (np.abs(after[1:] - before[1:]).max(axis=(0, 2)) > 1e-6).all()


def test_layer_zero_is_the_word_twice() -> None:
    found = random_bilm().embed([["bank", "of", "bank"]])[0][0]
    np.testing.assert_array_equal(found[:, : SMALL.projection], found[:, SMALL.projection :])
    np.testing.assert_array_equal(found[0], found[2])


def test_a_frozen_bilm_has_nothing_to_train() -> None:
    bilm = random_bilm()
    bilm.trainable = False
    assert bilm.trainable_variables == []
    assert len(bilm.weights) == len(BiLM(SMALL).weights) > 0
