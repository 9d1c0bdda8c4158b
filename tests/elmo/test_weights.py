"""The published weights file is read, checked and written."""

import dataclasses
import json
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import SMALL, random_bilm

from rnnkit.elmo import BiLM, load_bilm

CELL = "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "options.json", tmp_path / "weights.hdf5"
    random_bilm().save(*paths)
    return paths


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    with h5py.File(path) as file:
        file.visititems(
            lambda name, each: (
                found.update({name: each[...]}) if isinstance(each, h5py.Dataset) else None
            )
        )
    return found


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"layers": 1},
        {"layers": 3, "skip_connections": False},
        {"highways": 0},
        {"highways": 2, "activation": "tanh"},
        {"memory_clip": None, "output_clip": None},
        {"projection": 10},  # as many as filters: no projection in the file
    ],
)
def test_a_model_written_and_read_again_is_the_same(tmp_path: Path, changes: dict) -> None:
    bilm = random_bilm(dataclasses.replace(SMALL, **changes))
    paths = tmp_path / "options.json", tmp_path / "weights.hdf5"
    bilm.save(*paths)
    again = load_bilm(*paths)
    assert again.options == bilm.options
    for one, other in zip(bilm.get_weights(), again.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_published_file_written_again_has_the_same_data_sets(published, tmp_path) -> None:
    weights = published / "lm_weights.hdf5"
    bilm = load_bilm(published / "options.json", weights)
    bilm.save(tmp_path / "options.json", tmp_path / "weights.hdf5")
    before, after = arrays_of(weights), arrays_of(tmp_path / "weights.hdf5")
    assert before.keys() == after.keys()
    for name, array in before.items():
        np.testing.assert_array_equal(array, after[name], name)
    written = json.loads((tmp_path / "options.json").read_text())
    assert written == json.loads((published / "options.json").read_text())


def test_gates_stand_in_the_file_in_the_published_order(files) -> None:
    bilm = random_bilm()
    cell = bilm.backward_stack.cells[1]
    kernel, recurrent = (np.asarray(w) for w in (cell.kernel, cell.recurrent_kernel))
    i, f, g, o = np.split(np.concatenate([kernel, recurrent]), 4, axis=1)
    np.testing.assert_array_equal(
        arrays_of(files[1])[f"{CELL}/W_0"], np.concatenate([i, g, f, o], axis=1)
    )


@pytest.mark.parametrize(
    "name",
    ["char_embed", "CNN/W_cnn_1", "CNN/b_cnn_0", "CNN_high_0/b_carry", "CNN_proj/W_proj"]
    + [f"{CELL}/{name}" for name in ("W_0", "B", "W_P_0")],
)
@pytest.mark.parametrize("damage", ["missing", "shape", "group", "text"])
def test_a_damaged_data_set_is_named(files, name: str, damage: str) -> None:
    with h5py.File(files[1], "a") as file:
        shape = file[name].shape
        del file[name]
        if damage == "shape":
            file[name] = np.zeros((*shape, 2), "float32")
        elif damage == "group":
            file.create_group(name)
        elif damage == "text":
            file[name] = np.full(shape, b"text")
    with pytest.raises(ValueError, match=f"'{name}'"):
        load_bilm(*files)


@pytest.mark.parametrize(
    "name", ["CNN/W_cnn_3", "CNN_high_1/b_carry", "RNN_0/RNN/MultiRNNCell/Cell2/LSTMCell/B"]
)
def test_more_than_the_options_tell_of_is_refused(files, name: str) -> None:
    with h5py.File(files[1], "a") as file:
        file[name] = np.zeros(3)
    with pytest.raises(ValueError, match="options do not tell") as caught:
        load_bilm(*files)
    assert name in str(caught.value)


def test_other_data_sets_do_not_matter(files) -> None:
    with h5py.File(files[1], "a") as file:
        file["softmax/W"] = np.zeros(3)
    load_bilm(*files)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_cut_off_file_is_refused_with_the_data_set(files, share: float) -> None:
    whole = files[1].read_bytes()
    files[1].write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ValueError, match=r"'\S+'.* can") as caught:
        load_bilm(*files)
    assert str(files[1]) in str(caught.value)


def test_damaged_bytes_in_the_middle_never_crash(files) -> None:
    """Either the values are others, or the file is refused."""
    whole = files[1].read_bytes()
    generator = np.random.default_rng(0)
    for _ in range(30):
        damaged = bytearray(whole)
        start = int(generator.integers(0, len(whole) - 64))
        damaged[start : start + 64] = generator.bytes(64)
        files[1].write_bytes(bytes(damaged))
        try:
            load_bilm(*files)
        except ValueError as error:
            assert str(files[1]) in str(error)


def test_a_missing_file_is_named(files) -> None:
    files[1].unlink()
    with pytest.raises(FileNotFoundError, match=r"weights\.hdf5"):
        load_bilm(*files)


def test_a_refused_file_leaves_the_model_as_it_was(files) -> None:
    from rnnkit.elmo.weights import read_weights

    with h5py.File(files[1], "a") as file:
        del file[f"{CELL}/W_P_0"]
    bilm = random_bilm(seed=5)
    before = bilm.get_weights()
    with pytest.raises(ValueError, match="W_P_0"):
        read_weights(bilm, files[1])
    for one, other in zip(before, bilm.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_keras_own_format_works_too(tmp_path: Path) -> None:
    import keras

    bilm = random_bilm()
    bilm.save(tmp_path / "bilm.keras")
    again = keras.saving.load_model(tmp_path / "bilm.keras")
    assert isinstance(again, BiLM)
    np.testing.assert_array_equal(bilm.embed([["bank"]])[0], again.embed([["bank"]])[0])
