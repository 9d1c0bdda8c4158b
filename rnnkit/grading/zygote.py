"""The process that kernels are forked from: it has imported TensorFlow, and run nothing.

`main` imports modules and then answers on a socket. A client is greeted with what was
imported; each of its messages asks for a kernel, and is answered with the process id of the
kernel's keeper.
`rnnkit.grading.warm` is the other end. It ends with its standard input.

Only imports may happen before a fork. A TensorFlow that has run one operation has
threads and locks of its own, and a child of such a process hangs at its first operation.
"""

import array
import faulthandler
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

# Each import that is left to a kernel is done again in each of them.
from rnnkit.grading.fence import FenceSpec, run_fenced

__all__ = ["GPU_BYTES", "LONGEST_MESSAGE", "main", "why_not_fork"]

LONGEST_MESSAGE = 160_000  # bytes; a request is a few thousand
IDLE_SECONDS = 600.0  # a zygote that nobody asks for so long gives its memory back
SEED = 20260
GPU_BYTES = "RNNKIT_GPU_BYTES"  # the variable with a kernel's share of its GPU, in bytes
_DESCRIPTORS = 3  # the log, the report, the lifeline; after them, those that a process keeps
_MOST_DESCRIPTORS = 5


def main(listener: socket.socket, modules: Sequence[str]) -> None:
    """Import modules and serve requests until the standard input closes, or nobody asks for long.

    Args:
        listener: A listening socket that keeps messages apart.
        modules: What to import; what cannot be imported is left to the notebook.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's to handle
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets ended children by itself
    begin = time.monotonic()
    _leave_debugger_out()
    failed = _import_all(modules)
    greeting = {
        "failed": failed,
        "why_not_fork": why_not_fork(),
        "seconds": time.monotonic() - begin,
    }
    # A collection in a kernel would write to each object that it shares with us, and copy its page.
    gc.collect()
    gc.freeze()
    _serve(listener, json.dumps(greeting).encode())


def _serve(listener: socket.socket, greeting: bytes) -> None:
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
    selector.register(listener, selectors.EVENT_READ)
    clients: list[socket.socket] = []
    while (events := selector.select(IDLE_SECONDS)) or _has_kernels():
        for key, _ in events:
            if key.fileobj is listener:
                client, _ = listener.accept()
                client.send(greeting)
                clients.append(client)
                selector.register(client, selectors.EVENT_READ)
            elif not isinstance(key.fileobj, socket.socket):
                return  # the owner has ended
            elif not _answer(key.fileobj, (listener, *clients)):
                selector.unregister(key.fileobj)
                clients.remove(key.fileobj)
                key.fileobj.close()


def _has_kernels() -> bool:
    """Whether a kernel runs; it would end with us."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def _answer(client: socket.socket, to_close: Sequence[socket.socket]) -> bool:
    """Fork a kernel for one request; False when the client has gone."""
    try:
        message, descriptors = _received(client)
        if not message:
            return False
        pid = os.fork()
        if pid == 0:
            for connection in to_close:
                connection.close()
            _become_kernel(json.loads(message), descriptors)
        for number in descriptors:
            os.close(number)
        client.send(json.dumps({"pid": pid}).encode())
    except OSError:
        return False
    return True


def _leave_debugger_out() -> None:
    """Let ipykernel find no debugger: setting one up takes half of a kernel's start."""
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # an import of it fails
    try:
        importlib.import_module("ipykernel.debugger")
    except ImportError:
        pass  # an older one, or none: the kernel will say so
    finally:
        del sys.modules["debugpy"]


def _import_all(names: Sequence[str]) -> dict[str, str]:
    """Import modules; those that cannot be are left to the notebook, which will say so."""
    failed = {}
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:  # a module is code: anything can come out of it
            failed[name] = f"{type(error).__name__}: {error}"
    return failed


def why_not_fork() -> str:
    """Why this process must not be forked for a kernel; empty when it may be."""
    context = sys.modules.get("tensorflow.python.eager.context")
    if context is not None:
        made = context.context_safe()
        if made is not None and made._context_handle is not None:
            return "an import ran a TensorFlow operation, and a child of it would hang"
    return ""


def _received(connection: socket.socket) -> tuple[bytes, list[int]]:
    room = socket.CMSG_SPACE(_MOST_DESCRIPTORS * array.array("i").itemsize)
    message, ancillary, _, _ = connection.recvmsg(LONGEST_MESSAGE, room)
    numbers = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            numbers.frombytes(data[: len(data) - len(data) % numbers.itemsize])
    return message, list(numbers)


def _become_kernel(request: dict[str, Any], descriptors: list[int]) -> None:
    """The child's whole life; it never returns."""
    log, report, lifeline = descriptors[:_DESCRIPTORS]
    kept = descriptors[_DESCRIPTORS:]
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        null = os.open(os.devnull, os.O_RDONLY)
        for number, target in ((null, 0), (log, 1), (log, 2)):
            os.dup2(number, target)
        spec = FenceSpec.from_json(request["fence"])
        main = _referee(request, kept) if request.get("referee") else _kernel(request, kept)
        run_fenced(spec, main, report, keep_fds=kept, lifeline_fd=lifeline)
    except BaseException:
        traceback.print_exc()  # into the kernel's log
    finally:
        os._exit(1)  # run_fenced never returns; nothing of the zygote may go on here


def _kernel(request: dict[str, Any], kept: Sequence[int]) -> Callable[[], None]:
    def run() -> None:
        _settle(request)
        _share_gpu(int(os.environ.get(GPU_BYTES, "0")))
        if kept:
            from rnnkit.grading.referee.agent import use_channel

            use_channel(kept[0])
        _start_kernel(request["connection"], request["arguments"])

    return run


def _referee(request: dict[str, Any], kept: Sequence[int]) -> Callable[[], None]:
    def run() -> None:
        from rnnkit.grading.referee.judge import judge

        _settle(request)
        judge(*kept)

    return run


def _settle(request: dict[str, Any]) -> None:
    """Take on the environment, the folder and the random numbers of a new process."""
    os.environ.clear()
    os.environ.update(request["environment"])
    for name in ("HOME", "TMPDIR", "IPYTHONDIR"):
        os.makedirs(os.environ[name], exist_ok=True)
    os.chdir(request["folder"])
    _seed()


def _seed() -> None:
    """Give each kernel the same random numbers, so that a regrade gives the same points.

    All forks would otherwise share what the zygote drew, which says nothing to anyone.
    """
    import random

    random.seed(SEED)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(SEED)


def _share_gpu(most: int) -> None:
    """Keep a kernel to its share of the GPU; TensorFlow takes all of it otherwise."""
    tensorflow = sys.modules.get("tensorflow")
    if most and tensorflow is not None:
        part = tensorflow.config.LogicalDeviceConfiguration(memory_limit=most // 2**20)
        for device in tensorflow.config.list_physical_devices("GPU"):
            tensorflow.config.set_logical_device_configuration(device, [part])


def _start_kernel(connection: dict[str, Any], arguments: list[str]) -> None:
    from ipykernel.kernelapp import IPKernelApp

    class Kernel(IPKernelApp):
        """A kernel that is told where to speak, and needs no file for it."""

        def init_connection_file(self) -> None:
            self.load_connection_info(connection)  # type: ignore[arg-type]

        def write_connection_file(self, **kwargs: Any) -> None:
            pass

        def cleanup_connection_file(self) -> None:
            pass

        def log_connection_info(self) -> None:
            pass

    # The kernel takes descriptor 2 for itself; where a library ends Python goes into the log.
    faulthandler.enable(os.dup(2), all_threads=False)
    app = Kernel.instance()
    app.initialize(arguments)
    app.start()
