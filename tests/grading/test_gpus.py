"""What stands between a machine's GPUs and TensorFlow is told in one sentence, with a remedy."""

import os
import sys
from pathlib import Path

import pytest

from rnnkit import versions
from rnnkit.grading import gpus
from rnnkit.grading.gpus import _Seen, look_at_gpus

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fake is a POSIX script")
H200 = "0, NVIDIA H200, 570.86.15, 143771, 143000"
WORKING = _Seen(True, "12.5.1", 1, "")
BLIND = _Seen(True, "12.5.1", 0, "Could not find cuda drivers\n")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A function that puts an nvidia-smi of our own on the path, beside what TensorFlow says."""
    commands, devices, bus = (tmp_path / name for name in ("commands", "dev", "bus"))
    for folder in (commands, devices, bus):
        folder.mkdir()
    monkeypatch.setenv("PATH", str(commands))
    monkeypatch.setattr(gpus, "DEVICES", devices)
    monkeypatch.setattr(gpus, "BUS", bus)

    def make(smi=None, seen=WORKING, on_the_bus=(), devices_there=()):
        if smi is not None:
            script = commands / "nvidia-smi"
            script.write_text(f"#!/bin/sh\n{smi}\n")
            script.chmod(0o755)
        for number, (vendor, kind) in enumerate(on_the_bus):
            (bus / str(number)).mkdir()
            (bus / str(number) / "vendor").write_text(f"{vendor}\n")
            (bus / str(number) / "class").write_text(f"{kind}\n")
        for name in devices_there:
            (devices / name).touch()
        monkeypatch.setattr(gpus, "_seen_by_tensorflow", lambda: seen)
        return look_at_gpus()

    return make


def test_a_gpu_that_works_is_named_with_its_memory(machine):
    report = machine(f'echo "{H200}"')
    assert (report.found, report.to_do) == ("0: NVIDIA H200, 139.6 of 140.4 GB free", "")


def test_the_driver_is_asked_for_what_is_read(machine):
    report = machine(f'[ "$1" = "{gpus.QUERY}" ] && echo "{H200}"')
    assert [gpu.number for gpu in report.gpus] == ["0"]


def test_a_machine_without_a_gpu_has_nothing_to_do(machine):
    report = machine(on_the_bus=[("0x8086", "0x030000")])
    assert (report.found, report.to_do) == ("none; notebooks run on the processor", "")


def test_a_missing_driver_is_told(machine):
    report = machine(on_the_bus=[("0x8086", "0x030000"), ("0x10de", "0x030200")])
    assert report.found == "an NVIDIA GPU, but no NVIDIA driver: there is no nvidia-smi"
    assert "install the driver" in report.to_do


def test_sound_of_a_graphics_card_is_no_gpu(machine):
    assert machine(on_the_bus=[("0x10de", "0x040300")]).to_do == ""


def test_a_container_without_the_tools_is_told(machine):
    report = machine(devices_there=["nvidia0"])
    assert "no nvidia-smi to ask" in report.found
    assert "docker run --gpus all" in report.to_do


@pytest.mark.parametrize("stream", ["1", "2"])
def test_a_driver_that_does_not_answer_is_told_in_its_words(machine, stream):
    report = machine(f'echo "NVIDIA-SMI has failed: no driver" >&{stream}; exit 9')
    assert "does not answer it: NVIDIA-SMI has failed: no driver" in report.found
    assert "restart the machine" in report.to_do


def test_a_driver_that_names_no_gpu_is_told(machine):
    assert "does not answer it: no GPU" in machine("exit 0").found


def test_an_old_driver_is_told_with_the_one_that_is_needed(machine):
    report = machine(f'echo "{H200.replace("570.86.15", "470.57.02")}"', seen=BLIND)
    assert report.found == (
        "NVIDIA's driver 470.57.02 is too old for TensorFlow's CUDA 12, which needs 525.60 or newer"
    )
    assert report.to_do.startswith("update the driver")


def requires(monkeypatch, installed):
    """TensorFlow needs two CUDA libraries; these versions are installed."""
    lines = [
        "numpy>=1",
        'nvidia-cudnn-cu12<10,>=9.3; extra == "and-cuda"',
        'nvidia-cublas-cu12<13,>=12.5; extra == "and-cuda"',
    ]

    def version(name):
        if name not in installed:
            raise versions.metadata.PackageNotFoundError(name)
        return installed[name]

    monkeypatch.setattr(versions.metadata, "requires", lambda name: lines)
    monkeypatch.setattr(versions.metadata, "version", version)


def test_missing_cuda_libraries_are_named(machine, monkeypatch):
    requires(monkeypatch, {"nvidia-cublas-cu12": "12.9"})
    report = machine(f'echo "{H200}"', seen=BLIND)
    assert report.found == "TensorFlow sees no GPU: CUDA libraries are missing (nvidia-cudnn-cu12)"
    assert report.to_do == 'install them: pip install -c constraints.txt -e ".[course,gpu]"'


def test_cuda_libraries_of_a_wrong_version_are_named(machine, monkeypatch):
    requires(monkeypatch, {"nvidia-cublas-cu12": "12.9", "nvidia-cudnn-cu12": "8.9.2"})
    report = machine(f'echo "{H200}"', seen=BLIND)
    assert "wrong versions (nvidia-cudnn-cu12 8.9.2, needed <10,>=9.3)" in report.found
    assert "[course,gpu]" in report.to_do


def test_else_tensorflows_own_words_are_told(machine, monkeypatch):
    requires(monkeypatch, {"nvidia-cublas-cu12": "12.9", "nvidia-cudnn-cu12": "9.5"})
    report = machine(f'echo "{H200}"', seen=BLIND)
    assert report.found == "TensorFlow sees no GPU: Could not find cuda drivers"
    assert "LD_LIBRARY_PATH" in report.to_do


def test_a_tensorflow_without_cuda_is_told(machine):
    report = machine(f'echo "{H200}"', seen=_Seen(False, "", 0, ""))
    assert report.found == "this TensorFlow is built without CUDA"


def test_too_little_memory_on_a_small_gpu_is_told(machine):
    report = machine('echo "0, NVIDIA GeForce GT 1030, 550.54, 1998, 1900"')
    assert report.found == (
        "too little GPU memory for one submission, which needs 2 GB: "
        "0: NVIDIA GeForce GT 1030, 1.9 of 2.0 GB free"
    )
    assert "use a larger GPU" in report.to_do


def test_memory_that_others_use_is_told(machine):
    report = machine('echo "0, NVIDIA H200, 570.86.15, 143771, 300"')
    assert "0.3 of 140.4 GB free" in report.found
    assert "end what else uses it" in report.to_do


def test_memory_that_the_driver_does_not_tell_is_no_complaint(machine):
    report = machine('echo "0, NVIDIA GB10, 580.95.05, [N/A], [N/A]"')
    assert (report.found, report.to_do) == ("0: NVIDIA GB10", "")


@pytest.mark.slow
def test_tensorflow_itself_is_asked(tmp_path, monkeypatch):
    if (Path("/proc/driver/nvidia")).exists():
        pytest.skip("this machine has a GPU")
    script = tmp_path / "nvidia-smi"
    script.write_text(f'#!/bin/sh\necho "{H200}"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    report = look_at_gpus()
    assert report.found.startswith(("TensorFlow sees no GPU: ", "this TensorFlow is built without"))
    assert report.to_do
