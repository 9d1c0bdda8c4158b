"""Functions as TensorFlow graphs."""

from collections.abc import Callable
from typing import Any

import keras
from keras import tree


def as_graph(run: Callable[..., Any], *inputs: Any, compiled: bool = False) -> Callable[..., Any]:
    """A function as one graph, made now and never again; as it is on other backends.

    Args:
        run: The function.
        inputs: For each argument a `keras.KerasTensor`, or a nest of them, as
            of states. A size of None may be another one in each call.
        compiled: Whether XLA compiles the graph, once for each shape that it
            is called with, at the first call.

    Example:

    >>> double = as_graph(lambda x: x + x, keras.KerasTensor((None,), "float32"))
    >>> double(keras.ops.array([1.0, 2.0])).shape == (2,)
    True
    """
    if keras.backend.backend() != "tensorflow":
        return run
    import tensorflow as tf

    signature = tree.map_structure(lambda each: tf.TensorSpec(each.shape, each.dtype), inputs)
    graph = tf.function(
        lambda *arguments: run(*arguments),
        input_signature=signature,
        autograph=False,
        jit_compile=compiled,
    )
    # The graph itself, since a tf.function takes those of several models for one that is
    # traced again and again, and says so on stderr.
    return graph.get_concrete_function()
