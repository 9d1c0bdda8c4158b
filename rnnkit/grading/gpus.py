"""The GPUs of this machine, and why TensorFlow cannot use them."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rnnkit.versions import needed_packages

__all__ = ["Gpu", "GpuReport", "look_at_gpus"]

MIB = 1 << 20
GIB = 1 << 30
# A submission's share: what CUDA and its libraries take for each process, and a small model.
NEEDED_BYTES = 2 * GIB
SMI_SECONDS = 10
TENSORFLOW_SECONDS = 120
QUERY = "--query-gpu=index,name,driver_version,memory.total,memory.free"
# The oldest driver on Linux for each CUDA, as NVIDIA's release notes say.
OLDEST_DRIVER = {12: (525, 60), 13: (580, 0)}
DEVICES = Path("/dev")
BUS = Path("/sys/bus/pci/devices")
NVIDIA = "0x10de"  # its number among the makers of PCI devices
PROBE = """\
import json, tensorflow
info = tensorflow.sysconfig.get_build_info()
gpus = len(tensorflow.config.list_physical_devices("GPU"))
print(json.dumps([bool(info["is_cuda_build"]), str(info.get("cuda_version", "")), gpus]))
"""
WITHOUT = "or grade on the processor: leave --gpus out"
INSTALL = 'install them: pip install -c constraints.txt -e ".[course,gpu]"'


@dataclass(frozen=True)
class Gpu:
    """A GPU, as nvidia-smi tells it.

    Args:
        number: Its number, as ``--gpus`` takes it.
        name: What it is called.
        driver: The version of NVIDIA's driver.
        total: Bytes of memory that it has; 0 where the driver does not say.
        free: Bytes that nobody uses now; 0 where the driver does not say.
    """

    number: str
    name: str
    driver: str
    total: int
    free: int

    def __str__(self) -> str:
        memory = f", {self.free / GIB:.1f} of {self.total / GIB:.1f} GB free" if self.total else ""
        return f"{self.number}: {self.name}{memory}"


@dataclass(frozen=True)
class GpuReport:
    """What there is.

    Args:
        gpus: The GPUs that the driver names.
        found: One sentence on what there is, or why GPUs cannot be used.
        to_do: What is to be done about it; empty where all is well.
    """

    gpus: tuple[Gpu, ...]
    found: str
    to_do: str = ""


@dataclass(frozen=True)
class _Seen:
    """What TensorFlow says of itself.

    Args:
        with_cuda: Whether it was built for GPUs.
        cuda: The version of CUDA that it was built for.
        gpus: How many GPUs it can use.
        log: What it wrote to its log meanwhile.
    """

    with_cuda: bool
    cuda: str
    gpus: int
    log: str


def look_at_gpus() -> GpuReport:
    """Ask the driver and TensorFlow for GPUs, and find the first thing that is in their way."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return _without_driver()
    answer, trouble = _ask(program)
    gpus = tuple(_gpus_in(answer))
    if not gpus:
        return GpuReport(
            (),
            f"nvidia-smi is there, and NVIDIA's driver does not answer it: {trouble or 'no GPU'}",
            "restart the machine if the driver was just updated, else install the driver again; "
            "in a container, let the GPUs in (docker run --gpus all)",
        )
    seen = _seen_by_tensorflow()
    for found, to_do in (_old_driver(gpus, seen), _libraries(seen), _memory(gpus)):
        if found:
            return GpuReport(gpus, found, to_do)
    return GpuReport(gpus, "; ".join(map(str, gpus)))


def _without_driver() -> GpuReport:
    if sorted(DEVICES.glob("nvidia[0-9]*")):
        return GpuReport(
            (),
            "an NVIDIA GPU and its driver, but no nvidia-smi to ask",
            "install NVIDIA's driver tools; in a container, start it with docker run --gpus all",
        )
    if _is_nvidia_inside():
        return GpuReport(
            (),
            "an NVIDIA GPU, but no NVIDIA driver: there is no nvidia-smi",
            "install the driver (Ubuntu: sudo ubuntu-drivers install) and restart the machine, "
            + WITHOUT,
        )
    return GpuReport((), "none; notebooks run on the processor")


def _is_nvidia_inside() -> bool:
    """Whether a display or a 3D controller of NVIDIA's is on the bus."""
    for device in BUS.glob("*"):
        try:
            vendor = (device / "vendor").read_text(encoding="ascii").strip()
            kind = (device / "class").read_text(encoding="ascii").strip()
        except OSError:
            continue
        if vendor == NVIDIA and kind.startswith("0x03"):
            return True
    return False


def _ask(program: str) -> tuple[str, str]:
    """What nvidia-smi answers, and why it does not."""
    try:
        done = subprocess.run(
            [program, QUERY, "--format=csv,noheader,nounits"],
            capture_output=True,
            text=True,
            timeout=SMI_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", f"{type(error).__name__}"
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines()
        return "", said[0] if said else f"exit status {done.returncode}"
    return done.stdout, ""


def _gpus_in(answer: str) -> Iterator[Gpu]:
    for row in csv.reader(answer.splitlines(), skipinitialspace=True):
        if len(row) == 5:
            yield Gpu(row[0], row[1], row[2], _bytes(row[3]), _bytes(row[4]))


def _bytes(mebibytes: str) -> int:
    return int(mebibytes) * MIB if mebibytes.isdigit() else 0


def _seen_by_tensorflow() -> _Seen | None:
    """Ask TensorFlow in a process of its own; None where it cannot be asked."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROBE],
            capture_output=True,
            text=True,
            timeout=TENSORFLOW_SECONDS,
            env=environment,
        )
        with_cuda, cuda, gpus = json.loads(done.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError):
        return None
    return _Seen(bool(with_cuda), str(cuda), int(gpus), done.stderr)


def _old_driver(gpus: tuple[Gpu, ...], seen: _Seen | None) -> tuple[str, str]:
    cuda = seen.cuda.partition(".")[0] if seen else ""
    oldest = OLDEST_DRIVER.get(int(cuda) if cuda.isdigit() else 0)
    driver = tuple(map(int, re.findall(r"\d+", gpus[0].driver)[:2]))
    if oldest is None or not driver or driver >= oldest:
        return "", ""
    wanted = ".".join(map(str, oldest))
    return (
        f"NVIDIA's driver {gpus[0].driver} is too old for TensorFlow's CUDA {cuda}, "
        f"which needs {wanted} or newer",
        f"update the driver and restart the machine, {WITHOUT}",
    )


def _libraries(seen: _Seen | None) -> tuple[str, str]:
    """Why TensorFlow sees no GPU."""
    if seen is None:
        return "TensorFlow cannot be asked for GPUs: importing it fails", "install it again"
    if seen.gpus:
        return "", ""
    if not seen.with_cuda:
        return "this TensorFlow is built without CUDA", "grade on Linux, or in WSL 2"
    missing, wrong = _packages_of_cuda()
    if missing:
        return f"TensorFlow sees no GPU: CUDA libraries are missing ({missing})", INSTALL
    if wrong:
        return f"TensorFlow sees no GPU: CUDA libraries have wrong versions ({wrong})", INSTALL
    said = [line for line in seen.log.splitlines() if "cuda" in line.lower() or "dlopen" in line]
    return (
        f"TensorFlow sees no GPU: {said[-1][-200:] if said else 'its log does not say why'}",
        f"{INSTALL}; take other CUDA libraries out of LD_LIBRARY_PATH",
    )


def _packages_of_cuda() -> tuple[str, str]:
    """Which of TensorFlow's CUDA libraries are not installed, and which in a wrong version."""
    without_gpus = {*needed_packages(of="tensorflow")}
    libraries = [
        each for each in needed_packages("and-cuda", of="tensorflow") if each not in without_gpus
    ]
    missing = [each.name for each in libraries if not each.version]
    wrong = [
        f"{each.name} {each.version}, needed {each.wanted}" for each in libraries if each.is_outside
    ]
    return ", ".join(missing), "; ".join(wrong)


def _memory(gpus: tuple[Gpu, ...]) -> tuple[str, str]:
    small = [gpu for gpu in gpus if gpu.total and gpu.free < NEEDED_BYTES]
    if not small:
        return "", ""
    if small[0].total < NEEDED_BYTES:
        to_do = f"use a larger GPU, {WITHOUT}"
    else:
        to_do = f"end what else uses it (nvidia-smi lists the processes), {WITHOUT}"
    return (
        f"too little GPU memory for one submission, which needs {NEEDED_BYTES / GIB:.0f} GB: "
        + "; ".join(map(str, small)),
        to_do,
    )
