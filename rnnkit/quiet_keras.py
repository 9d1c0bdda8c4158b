"""Imports Keras without the lines that TensorFlow writes to the screen meanwhile.

The parts of the package that need Keras import this first.
"""

import rnnkit

with rnnkit._without_import_log():
    import keras  # noqa: F401
