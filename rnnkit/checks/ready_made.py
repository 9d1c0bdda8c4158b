"""Find out whether an answer calls the ready-made thing that it should be."""

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

# Where Keras keeps what the exercises ask to write. keras.ops stays free.
_KERAS = ("keras/src/layers/attention/", "keras/src/layers/activations/softmax.py")
# Where we keep it. What an exercise gives to the student (gru_step and
# additive_attention inside a decoder step) can be left out of the search.
_KIT = ("rnnkit/layers/", "rnnkit/models/", "rnnkit/decoding/", "rnnkit/metrics/")


@contextmanager
def no_ready_made(what: str, given: tuple[str, ...] = ()) -> Iterator[None]:
    """Ask that the code inside the block does its work itself.

    Args:
        what: How a message calls the thing that should be written.
        given: Names of our functions that the exercise gives to the student.

    Raises:
        AssertionError: A ready-made layer or function of Keras or of this kit
            was called. keras.ops, NumPy and TensorFlow's operations are free.

    Example:

    >>> from rnnkit import layers
    >>> with no_ready_made("masked_softmax"):
    ...     weights = layers.masked_softmax([[1.0, 2.0]])
    Traceback (most recent call last):
    ...
    AssertionError: masked_softmax calls the ready-made masked_softmax of rnnkit. \
The task is to write it yourself. Operations of keras.ops, NumPy and TensorFlow are free to use.
    """
    called: list[str] = []
    inside_given = 0

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal inside_given
        if event not in ("call", "return"):
            return
        code = frame.f_code
        owner = _owner(code.co_filename)
        if owner is None:
            return
        if owner == "rnnkit" and code.co_name in given:
            inside_given += 1 if event == "call" else -1
        elif event == "call" and not inside_given and not code.co_name.startswith("<"):
            called.append(f"{_public_name(frame)} of {owner}")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)
    if called:
        raise AssertionError(
            f"{what} calls the ready-made {called[0]}. The task is to write it yourself. "
            "Operations of keras.ops, NumPy and TensorFlow are free to use."
        )


@functools.cache  # it is asked at every call inside the block
def _owner(filename: str) -> str | None:
    place = Path(filename).as_posix()
    if any(part in place for part in _KERAS):
        return "Keras"
    if any(part in place for part in _KIT):
        return "rnnkit"
    return None


def _public_name(frame: FrameType) -> str:
    """The class of a method, or the name of a function."""
    owner = frame.f_locals.get("self")
    return type(owner).__name__ if owner is not None else frame.f_code.co_name
