"""The published file of a biLM's weights: read into a model, and written."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import h5py
import numpy as np
from keras import ops

if TYPE_CHECKING:
    from rnnkit.elmo.bilm import BiLM
    from rnnkit.elmo.projected_lstm_cell import ProjectedLSTMCell

# Data sets that tell of a part; a number past the options' means that the two do not fit.
_PARTS = re.compile(
    r"^(?:CNN/[Wb]_cnn_\d+|CNN_high_\d+/\w+|CNN_proj/\w+|RNN_\d+/RNN/MultiRNNCell/Cell\d+/\S+)$"
)

# What h5py raises for a file with damaged bytes, and for numbers that are none.
_DAMAGED = (OSError, RuntimeError, KeyError, ValueError, TypeError, MemoryError)


class _Place(NamedTuple):
    """Where some weights lie in the file, and in the model.

    Args:
        name: The data set.
        variables: What it holds, one below the other.
        shape: The data set's shape.
        is_gates: Whether its columns stand gate by gate.
    """

    name: str
    variables: tuple[Any, ...]
    shape: tuple[int, ...]
    is_gates: bool = False


def _places(bilm: "BiLM") -> Iterator[_Place]:
    encoder = bilm.characters
    yield _place("char_embed", encoder.table)
    for number, (kernel, bias) in enumerate(zip(encoder.kernels, encoder.biases, strict=True)):
        yield _Place(f"CNN/W_cnn_{number}", (kernel,), (1, *kernel.shape))
        yield _place(f"CNN/b_cnn_{number}", bias)
    for number, highway in enumerate(encoder.highways):
        yield _place(f"CNN_high_{number}/W_carry", highway.gate_kernel)
        yield _place(f"CNN_high_{number}/b_carry", highway.gate_bias)
        yield _place(f"CNN_high_{number}/W_transform", highway.kernel)
        yield _place(f"CNN_high_{number}/b_transform", highway.bias)
    if encoder.to_projection is not None:
        yield _place("CNN_proj/W_proj", encoder.to_projection.kernel)
        yield _place("CNN_proj/b_proj", encoder.to_projection.bias)
    for direction, stack in enumerate((bilm.forward_stack, bilm.backward_stack)):
        for layer, cell in enumerate(stack.cells):
            yield from _cell_places(f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell", cell)


def _place(name: str, variable: Any) -> _Place:
    return _Place(name, (variable,), tuple(variable.shape))


def _cell_places(name: str, cell: "ProjectedLSTMCell") -> Iterator[_Place]:
    rows = cell.kernel.shape[0] + cell.units  # the input's, then those of h
    shape = (rows, cell.projected_size)
    yield _Place(f"{name}/W_0", (cell.kernel, cell.recurrent_kernel), shape, is_gates=True)
    yield _Place(f"{name}/B", (cell.bias,), (cell.projected_size,), is_gates=True)
    yield _place(f"{name}/W_P_0", cell.projection)


def _reordered(array: np.ndarray) -> np.ndarray:
    """Gates i, j, f, o of the file to i, f, j, o of the cell; twice is as before."""
    first, second, third, fourth = np.split(array, 4, axis=-1)
    return np.concatenate([first, third, second, fourth], axis=-1)


def read_weights(bilm: "BiLM", path: Path) -> None:
    """Fill a biLM from a published weights file.

    Args:
        bilm: The model.
        path: The HDF5 file.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A data set is missing, has another shape, or cannot be
            read; or the file has more than the options tell of.
    """
    places = list(_places(bilm))
    if not path.exists():
        raise FileNotFoundError(f"Expected a biLM's weights. Found no file: {path}")
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ValueError(
            f"{path}: expected a whole HDF5 file with the weights of a biLM. Received a file of "
            f"which not even the first data set, '{places[0].name}', can be read ({error}). "
            "Download it again, and compare its size"
        ) from error
    with file:
        _check_parts(file, {place.name for place in places}, path)
        arrays = [_read(file, place, path) for place in places]
    for place, array in zip(places, arrays, strict=True):  # only once all of it is good
        _fill(place, array)


def _check_parts(file: h5py.File, expected: set[str], path: Path) -> None:
    found: list[str] = []
    try:
        file.visititems(
            lambda name, each: found.append(name) if isinstance(each, h5py.Dataset) else None
        )
    except _DAMAGED as error:
        raise _unreadable(path, "the list of data sets", error) from error
    more = [name for name in found if _PARTS.match(name) and name not in expected]
    if more:
        raise ValueError(
            f"{path}: the options do not tell of the data set '{more[0]}'. The options and the "
            "weights must be of the same model: compare the numbers of layers, filters and "
            "highway layers"
        )


def _read(file: h5py.File, place: _Place, path: Path) -> np.ndarray:
    try:
        found = file.get(place.name)
    except _DAMAGED as error:
        raise _unreadable(path, f"the data set '{place.name}'", error) from error
    if not isinstance(found, h5py.Dataset):
        raise ValueError(
            f"{path}: expected the data set '{place.name}', {place.shape}. Received a file "
            f"without it, with {sorted(file)} at its top"
        )
    if tuple(found.shape) != place.shape:
        raise ValueError(
            f"{path}: expected the data set '{place.name}' to have the shape {place.shape}, which "
            f"follows from the options. Received: {tuple(found.shape)}"
        )
    try:
        return np.asarray(found[...], dtype="float32")
    except _DAMAGED as error:
        raise _unreadable(path, f"the data set '{place.name}'", error) from error


def _unreadable(path: Path, what: str, error: Exception) -> ValueError:
    return ValueError(
        f"{path}: {what} cannot be read ({error}). Download the file again, and compare its size"
    )


def _fill(place: _Place, array: np.ndarray) -> None:
    if place.is_gates:
        array = _reordered(array)
    start = 0
    if len(place.variables) == 1:
        place.variables[0].assign(array.reshape(place.variables[0].shape))
        return
    for variable in place.variables:
        rows = variable.shape[0]
        variable.assign(array[start : start + rows])
        start += rows


def write_weights(bilm: "BiLM", options_path: Path, weights_path: Path) -> None:
    """Write a biLM in the published format.

    Either file is written beside its place first, so that nothing half-written
    ever stands there.

    Args:
        bilm: The model.
        options_path: The JSON file.
        weights_path: The HDF5 file.
    """
    beside = _beside(weights_path)
    with h5py.File(beside, "w") as file:
        for place in _places(bilm):
            arrays = [ops.convert_to_numpy(variable) for variable in place.variables]
            array = np.concatenate(arrays).astype("float32")
            if place.is_gates:
                array = _reordered(array)
            file.create_dataset(place.name, data=array.reshape(place.shape))
    os.replace(beside, weights_path)
    beside = _beside(options_path)
    text = json.dumps(bilm.options.to_dict(), indent=1)
    beside.write_text(text + "\n", encoding="utf-8")
    os.replace(beside, options_path)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")
