"""Checkpoints are whole, whenever the program is killed."""

import json
import os
import shutil

import numpy as np
import pytest

from rnnkit.elmo import checkpoints
from rnnkit.elmo.checkpoints import Checkpoint, Checkpoints, as_plain

SETTINGS = {"batch": 4, "options": {"lstm": {"dim": 8}}, "clip": 0.1, "negatives": None}


def checkpoint(step: int) -> Checkpoint:
    arrays = [np.full((2, 3), step, "float32"), np.array(step, "int64"), np.zeros((0,), "uint32")]
    return Checkpoint(SETTINGS, {"step": step, "results": [(1, 2.5, None)]}, arrays)


def test_a_checkpoint_is_read_as_it_was_written(tmp_path) -> None:
    kept = Checkpoints(tmp_path / "made" / "anew")
    assert kept.read(SETTINGS) is None
    kept.write(3, checkpoint(3))
    settings, progress, arrays = kept.read(SETTINGS)
    assert (settings, progress) == (SETTINGS, {"step": 3, "results": [[1, 2.5, None]]})
    for found, wanted in zip(arrays, checkpoint(3).arrays, strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_only_the_newest_stays(tmp_path) -> None:
    kept = Checkpoints(tmp_path)
    for step in (9, 10, 1_000_000_000):
        kept.write(step, checkpoint(step))
    assert [path.name for path in tmp_path.iterdir()] == ["step_1000000000"]
    assert kept.read(SETTINGS).progress["step"] == 1_000_000_000


class Killed(BaseException):
    pass


@pytest.mark.parametrize("place", ["mkdir", "savez", "dump", "rename", "rmtree"])
def test_a_kill_at_any_moment_leaves_a_whole_one(place, tmp_path, monkeypatch) -> None:
    kept = Checkpoints(tmp_path)
    kept.write(1, checkpoint(1))

    def kill(*arguments, **more):
        if place == "rmtree" and not str(arguments[0]).endswith("step_000000001"):
            return
        raise Killed

    owner = {"mkdir": checkpoints.Path, "savez": np, "dump": json, "rename": os, "rmtree": shutil}
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(owner[place], place, kill)
        kept.write(2, checkpoint(2))
    assert kept.read(SETTINGS).progress["step"] == (2 if place == "rmtree" else 1)
    kept.write(3, checkpoint(3))
    assert [path.name for path in tmp_path.iterdir()] == ["step_000000003"]


def test_another_training_is_refused_with_what_differs(tmp_path) -> None:
    kept = Checkpoints(tmp_path)
    kept.write(1, checkpoint(1))
    other = {**SETTINGS, "batch": 8, "options": {"lstm": {"dim": 16}}}
    message = r"batch: expected 4, received 8; options.lstm.dim: expected 8, received 16\."
    with pytest.raises(ValueError, match=message):
        kept.read(other)


@pytest.mark.parametrize("name", ["arrays.npz", "training.json"])
@pytest.mark.parametrize("share", [0, 0.5, 0.9])
def test_a_damaged_one_is_named(name, share, tmp_path) -> None:
    kept = Checkpoints(tmp_path)
    kept.write(1, checkpoint(1))
    path = tmp_path / "step_000000001" / name
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ValueError, match=r"step_000000001: expected a checkpoint .*Remove it"):
        kept.read(SETTINGS)


def test_other_files_in_the_folder_stay(tmp_path) -> None:
    (tmp_path / "words.txt").write_text("<S>\n")
    kept = Checkpoints(tmp_path)
    kept.write(1, checkpoint(1))
    kept.write(2, checkpoint(2))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step_000000002", "words.txt"]


def test_numbers_of_16_bits_are_written_in_32() -> None:
    half = pytest.importorskip("ml_dtypes").bfloat16
    (found,) = as_plain([np.array([0.5, 3.0], half)])
    assert found.dtype == "float32" and found.tolist() == [0.5, 3.0]
