"""Processes for work beside the main one."""

import multiprocessing
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext

__all__ = ["fork_context"]


def fork_context(module: str) -> ForkServerContext:
    """Processes that are forked from a server, which has imported a module.

    No process waits for imports then, and none inherits what this process has open or
    the locks that its threads hold. There is one server: the first module counts.

    Args:
        module: The module with what the processes run.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([module])
    # The server ignores Ctrl-C, which is the main process's to handle, but only after its
    # imports. What is ignored when it begins, it ignores from the begin.
    with _interrupts_ignored():
        forkserver.ensure_running()
    return context


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # where it cannot be changed
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
