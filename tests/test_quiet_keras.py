"""What TensorFlow writes to stderr costs points under stock nbgrader, so it writes nothing."""

import subprocess
import sys

import pytest

MANY_MODELS = """
import rnnkit.models
import keras, numpy as np
for units in range(1, 9):
    model = keras.Sequential([keras.Input((None, 1)), keras.layers.Dense(units)])
    for length in (1, 2):
        model.predict(np.ones((1, length, 1)), verbose=0)
print("done")
"""


@pytest.mark.slow
def test_many_models_that_predict_write_nothing_to_stderr() -> None:
    done = subprocess.run([sys.executable, "-c", MANY_MODELS], capture_output=True, text=True)
    assert done.stdout == "done\n"
    assert done.stderr == ""


def test_other_warnings_of_tensorflow_are_still_written() -> None:
    code = (
        "import rnnkit.models, tensorflow as tf; tf.get_logger().warning('something else is wrong')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "something else is wrong" in done.stderr
