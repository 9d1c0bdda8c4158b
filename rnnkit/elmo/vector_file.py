"""An HDF5 file of vectors that is whole at any moment while it is being filled.

All shapes are known before the first vector is. So the file is laid out first,
with each data set in its place and no numbers in it; then the numbers are
written straight to their places. HDF5's own tables are not touched again, so a
program that is killed in the middle of a write leaves a sound file.
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

import h5py
import numpy as np

NUMBER = "<f4"
SENTENCES = "sentence_to_index"


def lay_out(path: Path, shapes: Iterable[tuple[int, ...]], sentence_to_index: str) -> None:
    """Write a file with room for vectors, in data sets "0", "1", ...

    The room takes no space on the disk yet, where the file system knows holes.

    Args:
        path: The file.
        shapes: The shape of each data set.
        sentence_to_index: JSON for the data set of this name.

    Raises:
        OSError: The file cannot be written.
    """
    try:
        with h5py.File(path, "w") as file:
            for number, shape in enumerate(shapes):
                _make_room(file, str(number), shape)
            file.create_dataset(SENTENCES, (1,), h5py.string_dtype(), [sentence_to_index])
    except RuntimeError as error:  # of a file that cannot be closed
        raise OSError(str(error)) from error
    with open(path, "r+b") as written:
        os.fsync(written)


def _make_room(file: h5py.File, name: str, shape: tuple[int, ...]) -> None:
    settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    settings.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)  # its place in the file is fixed now
    settings.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    settings.set_obj_track_times(False)  # the same vectors give the same file
    space = h5py.h5s.create_simple(shape)
    h5py.h5d.create(file.id, name.encode(), h5py.h5t.IEEE_F32LE, space, settings)


class VectorFile:
    """A file that `lay_out` wrote, to be filled.

    Args:
        path: The file.

    Raises:
        OSError: It cannot be opened, or is no such file.

    Example:

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "vectors.hdf5"
    >>> lay_out(path, [(2, 3), (1, 3)], "{}")
    >>> with VectorFile(path) as file:
    ...     file.write(1, np.ones((1, 3)))
    >>> with h5py.File(path) as file:
    ...     file["1"][:].tolist()
    [[1.0, 1.0, 1.0]]
    """

    def __init__(self, path: Path) -> None:
        with contextlib.ExitStack() as opened:
            # For reading only, and without HDF5's lock: the numbers go past HDF5.
            self._tables = opened.enter_context(h5py.File(path, "r", locking=False))
            self._numbers = opened.enter_context(open(path, "r+b", buffering=0))
            self._opened = opened.pop_all()

    def __enter__(self) -> "VectorFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def write(self, number: int, vectors: np.ndarray) -> None:
        """Fill a data set.

        Args:
            number: The number that is its name.
            vectors: All of its numbers.

        Raises:
            ValueError: There is no such data set, or it has another shape.
            OSError: The disk is full, for example.
        """
        room = self._tables.get(str(number))
        if room is None or room.shape != vectors.shape:
            raise ValueError(
                f"data set {number}: expected the shape {None if room is None else room.shape}. "
                f"Received: {vectors.shape}"
            )
        if not vectors.size:
            return
        self._numbers.seek(room.id.get_offset())
        left = np.ascontiguousarray(vectors, NUMBER).reshape(-1).view("uint8").data
        while left:  # a write may take a part only
            left = left[self._numbers.write(left) :]

    def sync(self) -> None:
        """Come back when all that was written is on the disk itself."""
        os.fsync(self._numbers)
