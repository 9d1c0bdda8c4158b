"""A Jupyter kernel provisioner that forks kernels from a warm process, behind the fence.

It stands in the entry points as ``rnnkit-warm``. `rnnkit.grading.execute.FencedExecute`
names it for the kernels of graded notebooks, so that ``rnnkit grade``, ``nbgrader
autograde`` and formgrader's button all use it, and an instructor's own kernels do not.
"""

import asyncio
import os
import signal
import time
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from queue import Empty
from typing import Any

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from traitlets import Dict, Integer, List, Unicode, default

from rnnkit.grading.fence import FenceSpec, Report
from rnnkit.grading.processes import fork_context
from rnnkit.grading.warm import END_SECONDS, PRELOAD, KernelProcess, begin_zygote, start_kernel

__all__ = [
    "NAME",
    "WORKERS",
    "WarmKernelManager",
    "WarmProvisioner",
    "begin_imports",
    "begin_kernels",
    "kernel_environment",
    "own_environment",
]

NAME = "rnnkit-warm"
WORKERS = "rnnkit.grading.workers"  # by name: it takes a second to import
ENTRY_POINT = EntryPoint(
    NAME, "rnnkit.grading.provisioner:WarmProvisioner", KernelProvisionerFactory.GROUP_NAME
)
# What a kernel may know of the grader's environment: no name, no key, no token.
_PASSED_ON = ("PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT")
_CHANNELS = ("shell", "iopub", "stdin", "hb", "control")
START_SECONDS = 60.0  # how long a kernel may take to listen
_PASSED_ON_STARTS = ("LC_", "TF_", "KERAS_", "OMP_", "OPENBLAS_", "MKL_", "XLA_", "RNNKIT_")


def kernel_environment() -> dict[str, str]:
    """The environment variables of the warm process, and of each kernel that runs a submission."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_STARTS)
    }
    defaults = {
        "CUDA_VISIBLE_DEVICES": "",  # the processor, unless a job asks for more
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "TF_CPP_MIN_LOG_LEVEL": "2",
    }
    return {**defaults, **kept}


def begin_kernels(slots: int) -> str:
    """Let the process that kernels are forked from begin its imports, which take seconds.

    Args:
        slots: How many kernels will share the processor's cores.

    Returns:
        The address of that process.
    """
    threads = str(max(1, (os.cpu_count() or 1) // slots))
    for name in ("TF_NUM_INTRAOP_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, threads)
    return begin_zygote(PRELOAD, kernel_environment())


def begin_imports(slots: int) -> str:
    """Let both processes that others are forked from begin their imports, which take seconds.

    Args:
        slots: How many kernels will share the processor's cores.

    Returns:
        The address of the process that kernels are forked from.
    """
    address = begin_kernels(slots)
    fork_context(WORKERS)
    return address


def own_environment(spec: FenceSpec, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment variables of a fenced process, with its own folders.

    Args:
        spec: Its fence.
        environment: What else it knows.
    """
    home = Path(spec.scratch) / ".home"
    folders = {"HOME": home, "TMPDIR": home / "tmp", "IPYTHONDIR": home / "ipython"}
    return {**environment, **{name: str(path) for name, path in folders.items()}}


class WarmProvisioner(LocalProvisioner):
    """Starts a kernel by a fork, behind the fence; see `rnnkit.grading.warm`."""

    preload = List(Unicode(), list(PRELOAD), help="the modules that are imported once").tag(
        config=True
    )
    environment = Dict(help="the environment variables of the warm process").tag(config=True)
    own_environment = Dict(help="those that the kernel has besides").tag(config=True)
    fence = Unicode(help="the fence (JSON of a FenceSpec)").tag(config=True)
    log_file = Unicode(help="where the kernel's own output goes").tag(config=True)
    kept = List(Integer(), help="descriptors that the kernel gets").tag(config=True)
    not_forked = Unicode(help="why the kernel was not forked; empty when it was")

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork a kernel; `cmd` is not used, since no program is started."""
        spec = FenceSpec.from_json(self.fence)
        environment = own_environment(spec, {**self.environment, **self.own_environment})
        info: dict[str, Any] = dict(self.connection_info)
        info["key"] = info["key"].decode()
        request = {
            "environment": environment,
            "folder": spec.scratch,
            "connection": info,
            "arguments": [part for part in cmd if part.startswith("--")],
            "fence": self.fence,
        }
        self._handle, self.not_forked = start_kernel(
            request, Path(self.log_file or os.devnull), self.preload, self.environment, self.kept
        )
        self.process = self._handle  # type: ignore[assignment]  # what LocalProvisioner asks
        self.pid = self._handle.pid
        self.cwd = spec.scratch
        await self._sockets_are_there()
        return self.connection_info

    _handle: KernelProcess | None = None

    async def _sockets_are_there(self) -> None:
        """Wait until the kernel listens: a client that comes too early tries again much later."""
        info: Mapping[str, Any] = self.connection_info
        paths = [Path(f"{info['ip']}-{info[f'{name}_port']}") for name in _CHANNELS]
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and not all(path.exists() for path in paths):
            if self._handle is None or self._handle.poll() is not None:
                return  # it has ended; the client will say so
            await asyncio.sleep(0.005)

    @property
    def report(self) -> Report | None:
        """What the keeper wrote when the kernel had ended; None before."""
        if self._handle is not None:
            self._handle.poll()
        return self._handle.report if self._handle is not None else None

    async def send_signal(self, signum: int) -> None:
        """End the kernel; an interrupt goes by message."""
        if self._handle is not None:
            self._handle.send_signal(signum)

    async def kill(self, restart: bool = False) -> None:
        """End the kernel and all that it started, and wait for the report."""
        if self._handle is None:
            return
        self._handle.send_signal(signal.SIGKILL)
        until = time.monotonic() + END_SECONDS
        while self._handle.poll() is None and time.monotonic() < until:
            await asyncio.sleep(0.005)  # mostly it takes a few milliseconds
        if self._handle.poll() is None:
            self._handle.kill()


class WarmKernelClient(AsyncKernelClient):
    """A client that goes on as soon as the kernel has answered.

    Its base waits for a fifth of a second in which nothing comes.
    """

    async def _async_wait_for_ready(self, timeout: float | None = None) -> None:
        until = time.monotonic() + (START_SECONDS if timeout is None else timeout)
        while time.monotonic() < until:
            request = self.kernel_info()
            try:
                reply = await self.shell_channel.get_msg(timeout=1)
                self._handle_kernel_info_reply(reply)
                await self._idle_after(request)
                return
            except Empty:
                pass
            if not await self._async_is_alive():
                raise RuntimeError("Kernel died before replying to kernel_info")
        raise RuntimeError("Kernel didn't respond in time")

    wait_for_ready = _async_wait_for_ready

    async def _idle_after(self, request: str) -> None:
        """Read what the kernel broadcasts up to the end of a request.

        Raises:
            Empty: Nothing came: the kernel did not know yet that we listen.
        """
        while True:
            message = await self.iopub_channel.get_msg(timeout=0.2)
            ours = message["parent_header"].get("msg_id") == request
            if ours and message["content"].get("execution_state") == "idle":
                return


class WarmKernelManager(AsyncKernelManager):
    """A kernel manager whose kernels come from the `WarmProvisioner`."""

    @default("client_factory")
    def _client_factory_default(self) -> type[AsyncKernelClient]:
        return WarmKernelClient

    provisioner_config: Mapping[str, Any] = {}

    @property
    def kernel_spec(self) -> KernelSpec | None:
        """The kernel's description, with our provisioner and interrupts by message."""
        spec = super().kernel_spec
        if spec is not None:
            ours = {"provisioner_name": NAME, "config": dict(self.provisioner_config)}
            spec.metadata = {**spec.metadata, "kernel_provisioner": ours}
            spec.interrupt_mode = "message"
        return spec

    async def _async_pre_start_kernel(self, **kwargs: Any) -> Any:
        # Our entry point may be missing where the kit was updated and not installed again.
        factory = KernelProvisionerFactory.instance(parent=self.parent)
        factory.provisioners.setdefault(NAME, ENTRY_POINT)
        return await super()._async_pre_start_kernel(**kwargs)

    pre_start_kernel = _async_pre_start_kernel
