"""Imports Keras without the lines that TensorFlow writes to the screen meanwhile.

The parts of the package that need Keras import this first.
"""

import logging

import rnnkit

with rnnkit._without_import_log():
    import keras  # noqa: F401


def _is_no_advice_to_trace_less(record: logging.LogRecord) -> bool:
    return "triggered tf.function retracing" not in record.getMessage()


# A notebook with several models calls `predict` of each, which TensorFlow takes for one function
# that is traced again and again. It says so on stderr, and stock nbgrader then gives 0.
logging.getLogger("tensorflow").addFilter(_is_no_advice_to_trace_less)
