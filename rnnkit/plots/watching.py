"""Whether someone has the notebook open in which this code runs."""

import os
import sys
from typing import Any


def someone_watches() -> bool:
    """Whether this process belongs to a notebook that someone has open.

    A kernel that nbgrader or nbclient started to run a notebook from top to
    bottom looks like one that JupyterLab started, but for the name of the
    session that the server gives its kernels.
    """
    if "NBGRADER_EXECUTION" in os.environ:
        return False
    if "google.colab" in sys.modules:
        return True
    shell = notebook_shell()
    if not hasattr(shell, "kernel"):  # none, or one in a terminal
        return False
    return "JPY_SESSION_NAME" in os.environ or "__vsc_ipynb_file__" in shell.user_ns


def notebook_shell() -> Any:
    """IPython's shell, or None outside of IPython, which is not imported for this."""
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython

    return get_ipython()
