"""Where a training stands, on disk."""

import json
import os
import re
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_NAME = re.compile(r"step_(\d+)")


class Checkpoint(NamedTuple):
    """Where a training stands.

    Args:
        settings: What the training is of: sizes, seed, text.
        progress: How far it is.
        arrays: All that changes: weights, states, the optimizer's memory.
    """

    settings: dict[str, Any]
    progress: dict[str, Any]
    arrays: list[np.ndarray]


class Checkpoints:
    """A folder with the newest checkpoint of a training, `step_…`.

    A checkpoint is written under another name first and renamed once it is
    whole, and only then the one before it is removed. So whenever the program
    is killed, the folder holds a whole one.

    Args:
        folder: The folder; it is made where it is missing.

    Example:

    >>> import tempfile
    >>> kept = Checkpoints(tempfile.mkdtemp())
    >>> kept.write(10, Checkpoint({"seed": 1}, {"step": 10}, [np.zeros(3)]))
    >>> kept.read({"seed": 1}).progress
    {'step': 10}
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def write(self, step: int, checkpoint: Checkpoint) -> None:
        """Write a checkpoint in place of the one before; one that is there already stays.

        Args:
            step: Its number.
            checkpoint: What to write.
        """
        place = self.folder / f"step_{step:09d}"
        if place.exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.folder / "unfinished"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        with open(beside / "arrays.npz", "wb") as file:
            np.savez(file, *checkpoint.arrays)
            _to_disk(file)
        notes = {"settings": checkpoint.settings, "progress": checkpoint.progress}
        with open(beside / "training.json", "w", encoding="utf-8") as text:
            json.dump(notes, text, indent=1)
            _to_disk(text)
        older = self._finished()
        os.rename(beside, place)
        for path in older:
            shutil.rmtree(path)

    def read(self, settings: dict[str, Any]) -> Checkpoint | None:
        """Read the newest checkpoint.

        Args:
            settings: Those of the training that is to go on.

        Returns:
            The checkpoint; None where there is none yet.

        Raises:
            ValueError: It is of a training with other settings, or damaged.
        """
        finished = self._finished()
        if not finished:
            return None
        path = finished[-1]
        try:
            notes = json.loads((path / "training.json").read_text(encoding="utf-8"))
            written, progress = notes["settings"], notes["progress"]
            with np.load(path / "arrays.npz", allow_pickle=False) as file:
                arrays = [file[f"arr_{number}"] for number in range(len(file.files))]
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"{path}: expected a checkpoint of a biLM's training. Received one that cannot "
                f"be read ({error}). Remove it to train from the beginning"
            ) from error
        different = differences(written, json.loads(json.dumps(settings)))
        if different:
            raise ValueError(
                f"{path}: this checkpoint is of another training. {'; '.join(different)}. Take "
                "the settings and the text of the checkpoint, or another folder"
            )
        return Checkpoint(written, progress, arrays)

    def _finished(self) -> list[Path]:
        """Whole checkpoints, the newest last."""
        if not self.folder.is_dir():
            return []
        found = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.name)]
        return sorted(found, key=lambda path: int(path.name.removeprefix("step_")))


def differences(expected: Any, received: Any, name: str = "") -> list[str]:
    """What differs between two dictionaries, entry by entry.

    Args:
        expected: Numbers, texts and lists in dictionaries.
        received: Others.
        name: What the two are called.

    Example:

    >>> differences({"batch": 2, "lstm": {"dim": 8}}, {"batch": 2, "lstm": {"dim": 16}})
    ['lstm.dim: expected 8, received 16']
    """
    if not (isinstance(expected, dict) and isinstance(received, dict)):
        return [] if expected == received else [f"{name}: expected {expected}, received {received}"]
    found = []
    for key in dict.fromkeys([*expected, *received]):
        inner = f"{name}.{key}" if name else key
        found += differences(expected.get(key), received.get(key), inner)
    return found


def _to_disk(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def as_plain(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Arrays that NumPy can write: those with 16 bits a number become float32."""
    return [
        array.astype("float32") if array.dtype.kind not in "biufU" else array for array in arrays
    ]
