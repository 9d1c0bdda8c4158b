"""``rnnkit lab``: start JupyterLab, and say what a newcomer would else have to guess."""

import argparse
import importlib.util
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from rnnkit.errors import KitError

__all__ = ["add_arguments", "run"]

PORT = 8888  # JupyterLab's own choice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        default=Path(),
        help="the folder to open: the kit, or a course to grade by hand (default: this one)",
    )
    parser.add_argument(
        "--port", metavar="N", type=int, help=f"the first port to try (default: {PORT})"
    )
    parser.add_argument(
        "--allow-root", action="store_true", help="start as root, as some containers need"
    )


def run(args: argparse.Namespace) -> int:
    """Start JupyterLab, and stay until it ends.

    Returns:
        JupyterLab's own exit status.
    """
    _check(args)
    for sentence in _sentences(args.port or PORT):
        print(sentence, flush=True)
    os.chdir(args.folder)  # where nbgrader looks for nbgrader_config.py
    words = [] if args.port is None else [f"--ServerApp.port={args.port}"]
    if not _can_open_a_browser():
        words.append("--no-browser")
    if args.allow_root:
        words.append("--allow-root")
    return _start(words)


def _check(args: argparse.Namespace) -> None:
    if not args.folder.is_dir():
        raise KitError("a folder to open", f"no folder {args.folder}", "name another folder")
    if args.port is not None and not 0 < args.port < 65536:
        raise KitError("a port from 1 to 65535", str(args.port), f"leave it out: {PORT} is tried")
    if importlib.util.find_spec("jupyterlab") is None:
        raise KitError("JupyterLab", "it is not installed", "call `pip install jupyterlab`")
    if hasattr(os, "geteuid") and os.geteuid() == 0 and not args.allow_root:
        raise KitError(
            "a user who is not root: notebooks may do all that their user may",
            "root",
            "log in as another user; in a container that has none, call `rnnkit lab --allow-root`",
        )


def _sentences(port: int) -> Iterator[str]:
    """What is not as one expects it, a sentence each."""
    from rnnkit.cli.nbgrader_parts import parts_off

    for part in parts_off():
        yield (
            f"JupyterLab will lack {part.what}, which is switched off. To switch it on: "
            f"{part.remedy}"
        )
    if _is_taken(port):
        yield (
            f"Port {port} is in use, perhaps by a JupyterLab that still runs (`jupyter lab list` "
            "names them), so another port is taken: open the address below."
        )
    if not _can_open_a_browser():
        yield (
            "There is no display here, so no browser is opened: open the address with token= below "
            "yourself. If your browser is on another computer, call there first `ssh -L "
            f"PORT:127.0.0.1:PORT {socket.gethostname()}`, where PORT is the address's number."
        )


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":  # as servers do, who may come back to their port at once
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def _can_open_a_browser() -> bool:
    """Whether this is a desktop, or someone has said which browser to take."""
    if os.environ.get("BROWSER") or not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _start(words: list[str]) -> int:
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(words)
    return 0
