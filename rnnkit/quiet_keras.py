"""Imports Keras without the lines that TensorFlow writes to the screen meanwhile.

The parts of the package that need Keras import this first.
"""

import logging

import rnnkit

OLDEST = 3  # Keras 2, which TensorFlow below 2.16 brings, has no keras.ops
NO_TENSORFLOW = (
    "rnnkit needs TensorFlow, which is not installed here. On Colab, TPU runtimes have none: "
    "choose Runtime > Change runtime type > CPU. Elsewhere, install it: "
    "pip install -c constraints.txt -e ."
)
OLD_KERAS = (
    "rnnkit needs Keras 3, and Keras {version} is installed here. "
    "Install a newer one: pip install -c constraints.txt -e ."
)

try:
    with rnnkit._without_import_log():
        import keras
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "tensorflow":
        raise
    raise ModuleNotFoundError(NO_TENSORFLOW, name=error.name) from None

if int(keras.__version__.partition(".")[0]) < OLDEST:
    raise ImportError(OLD_KERAS.format(version=keras.__version__))


def _is_no_advice_to_trace_less(record: logging.LogRecord) -> bool:
    return "triggered tf.function retracing" not in record.getMessage()


# A notebook with several models calls `predict` of each, which TensorFlow takes for one function
# that is traced again and again. It says so on stderr, and stock nbgrader then gives 0.
logging.getLogger("tensorflow").addFilter(_is_no_advice_to_trace_less)
