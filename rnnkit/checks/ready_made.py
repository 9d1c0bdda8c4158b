"""Find out whether an answer calls the ready-made thing that it should be."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

# Where the ready-made things lie, by owner. Operations (keras.ops, NumPy, tf.*,
# torch.*) are free, but for those that are a whole cell or a whole clipping.
_PLACES = {
    "rnnkit": (
        *("rnnkit/layers/", "rnnkit/models/", "rnnkit/decoding/"),
        *("rnnkit/metrics/", "rnnkit/experiments/", "rnnkit/elmo/"),
    ),
    "Keras": (
        *("keras/src/layers/attention/", "keras/src/layers/activations/softmax.py"),
        *("keras/src/layers/rnn/", "keras/src/losses/", "keras/src/metrics/"),
        *("keras/src/backend/tensorflow/rnn.py", "keras/src/backend/jax/rnn.py"),
        "keras/src/backend/torch/rnn.py",
    ),
    "TensorFlow": (
        *("tensorflow/python/ops/gen_rnn_ops.py", "tensorflow/python/ops/gen_cudnn_rnn"),
        *("tensorflow/python/ops/rnn", "tensorflow/python/keras/layers/"),
    ),
    "PyTorch": (
        *("torch/nn/modules/rnn.py", "torch/nn/modules/loss.py", "torch/nn/modules/activation.py"),
        *("torch/nn/modules/distance.py", "torch/nn/utils/clip_grad.py"),
    ),
    "scikit-learn": ("sklearn/metrics/",),
    "seqeval": ("seqeval/",),
    "SciPy": ("scipy/spatial/",),
    "NLTK": ("nltk/lm/",),
}
# Single functions of files that are free otherwise.
_FUNCTIONS = {
    "clip_by_global_norm": ("TensorFlow", "tensorflow/python/ops/clip_ops.py"),
    "clip_by_norm": ("TensorFlow", "tensorflow/python/ops/clip_ops.py"),
    "cosine_similarity": ("PyTorch", "torch/nn/functional.py"),
}
# What one task is about, by the name of its function, and all others may use.
_OF_TASK = {
    "bptt": {"gradient": ("TensorFlow", "tensorflow/python/eager/backprop.py")},
    "build_vocabulary": {
        name: ("rnnkit", "rnnkit/text/vocabulary.py")
        for name in ("__init__", "from_texts", "most_frequent")
    },
    "encode_texts": {
        "encode": ("rnnkit", "rnnkit/text/vocabulary.py"),
        "pad": ("rnnkit", "rnnkit/text/padding.py"),
    },
}
# Where an operation fails, TensorFlow asks these whether they can do it: they are no call of the
# answer's, and hide the error that comes next.
_ASKED_BY_TENSORFLOW = ("handle", "tensorflow/python/keras/layers/core.py")
# Functions without Python code.
_BUILT_IN = {
    *("lstm", "lstm_cell", "gru", "gru_cell", "rnn_tanh", "rnn_tanh_cell"),
    *("rnn_relu", "rnn_relu_cell", "cosine_similarity", "clip_grad_norm_"),
}


@contextmanager
def no_ready_made(what: str, given: tuple[str, ...] = ()) -> Iterator[None]:
    """Ask that the code inside the block does its work itself.

    Args:
        what: How a message calls the thing that should be written. Where this
            is "bptt", a gradient tape is ready-made too.
        given: Names of our functions that the exercise gives to the student.

    Raises:
        AssertionError: A ready-made layer, loss, metric or function of Keras,
            of this kit or of another library was called, under whatever name
            it was imported. Operations of keras.ops, NumPy and TensorFlow are free.

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
    watch = _watcher(what, called, given)
    before = sys.getprofile()
    with _compiled_functions_as_python(), _asking(what, given):
        sys.setprofile(watch)
        try:
            yield
        except Exception:
            if not called:  # of what went wrong after such a call, the call comes first
                raise
        finally:
            sys.setprofile(before)
    if called:
        raise AssertionError(
            f"{what} calls the ready-made {called[0]}. The task is to write it yourself. "
            "Operations of keras.ops, NumPy and TensorFlow are free to use."
        )


_asked: tuple[str, tuple[str, ...]] | None = None


def asked() -> tuple[str, tuple[str, ...]] | None:
    """What the block that runs now was told, where there is one.

    An answer that lives in another process is watched there.
    """
    return _asked


@contextmanager
def _asking(what: str, given: tuple[str, ...]) -> Iterator[None]:
    global _asked
    before, _asked = _asked, (what, given)
    try:
        yield
    finally:
        _asked = before


def _watcher(
    what: str, called: list[str], given: tuple[str, ...]
) -> Callable[[FrameType, str, Any], None]:
    """A function that Python calls at each call, and that notes those of ready-made things."""
    inside_given = importing = 0

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal inside_given, importing
        if event == "c_call":
            name = getattr(argument, "__name__", "")
            if name in _BUILT_IN and "torch" in str(getattr(argument, "__module__", "")):
                called.append(f"{name} of PyTorch")
            return
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code.co_filename == "<frozen importlib._bootstrap>":
            if code.co_name == "_find_and_load":  # a module's own lines are no call of it
                importing += 1 if event == "call" else -1
            return
        owner = _owner(what, code.co_filename, code.co_name)
        if owner is None:
            return
        if owner == "rnnkit" and code.co_name in given:
            inside_given += 1 if event == "call" else -1
            return
        hidden = inside_given or importing or code.co_name.startswith("<")
        if event == "call" and not hidden:
            called.append(f"{_public_name(frame)} of {owner}")

    return watch


@contextmanager
def _compiled_functions_as_python() -> Iterator[None]:
    """Let a tf.function run its Python lines, also where it was traced before."""
    tf: Any = sys.modules.get("tensorflow")
    if tf is None or not hasattr(tf, "config"):
        yield
        return
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


@functools.cache  # it is asked at every call inside the block
def _owner(what: str, filename: str, function: str) -> str | None:
    place = Path(filename).as_posix()
    if function == _ASKED_BY_TENSORFLOW[0] and _ASKED_BY_TENSORFLOW[1] in place:
        return None
    for owner, parts in _PLACES.items():
        if any(part in place for part in parts):
            return owner
    for functions in (_FUNCTIONS, _OF_TASK.get(what, {})):
        if function in functions and functions[function][1] in place:
            return functions[function][0]
    return None


def _public_name(frame: FrameType) -> str:
    """The class of a method, or the name of a function."""
    owner = frame.f_locals.get("self")
    return type(owner).__name__ if owner is not None else frame.f_code.co_name
