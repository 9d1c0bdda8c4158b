"""The processes of the kit, found as the system lists them."""

import psutil

__all__ = ["words_of", "worker_processes"]


def words_of(process: psutil.Process) -> str:
    """The start of a process's command line; empty where it has ended."""
    try:
        return " ".join(process.cmdline())[:200]
    except psutil.Error:
        return ""


def worker_processes() -> list[psutil.Process]:
    """The pool's processes: children of the server that they are forked from."""
    return [
        worker
        for server in psutil.Process().children()
        if "forkserver" in words_of(server)
        for worker in server.children()
    ]
