import os
import subprocess
import sys
from pathlib import Path

import pytest

from rnnkit.grading.fence import Ability, FenceSpec, Report, landlock, probe, seccomp
from rnnkit.grading.fence.ability import _measure, _remedies
from rnnkit.grading.outcome import Fence

FINDINGS = {
    "user_namespaces": True,
    "mount": True,
    "proc": True,
    "pid": True,
    "network": True,
    "ipc": True,
    "landlock": 7,
    "seccomp": True,
}


def measured_without(calls):
    """What `probe` finds where the system refuses these calls, as a container does."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            calls_refused = seccomp._Filter()
            for name in calls:
                calls_refused.close(name)
            calls_refused.install()
            ability = _measure()
            os.write(writing, "\n".join([ability.level.value, *ability.lacks]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        level, *lacks = pipe.read().split("\n")
    os.waitpid(child, 0)
    return Fence(level), lacks


def test_the_probe_leaves_the_caller_as_it_was():
    before = [os.readlink(f"/proc/self/ns/{name}") for name in ("user", "mnt", "pid")]
    ability = probe()
    assert [os.readlink(f"/proc/self/ns/{name}") for name in ("user", "mnt", "pid")] == before
    assert isinstance(ability, Ability)
    assert probe() is ability


def test_a_full_fence_lacks_nothing(full):
    assert probe().lacks == ()


@pytest.mark.parametrize("calls", [["unshare"], ["mount"], ["pivot_root"]])
def test_without_namespaces_the_fence_is_weaker_and_the_remedy_is_told(calls):
    if not landlock.version():
        pytest.skip("this machine has no Landlock")
    level, lacks = measured_without(calls)
    assert level is Fence.WEAK
    assert len(lacks) == 1
    assert lacks[0].startswith("No full fence: ")


@pytest.mark.parametrize(
    ("setting", "value", "remedy"),
    [
        ("apparmor_restrict_unprivileged_userns", "1", "sudo sysctl -w kernel.apparmor"),
        ("unprivileged_userns_clone", "0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    ],
)
def test_a_switch_of_the_system_is_named(monkeypatch, tmp_path, setting, value, remedy):
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel" / setting).write_text(value + "\n")
    monkeypatch.setattr("rnnkit.grading.fence.ability.SETTINGS", tmp_path)
    (sentence,) = _remedies(Fence.WEAK, {**FINDINGS, "mount": False}, ["no"])
    assert remedy in sentence


def test_a_container_is_told_how_to_start(monkeypatch, tmp_path):
    monkeypatch.setattr("rnnkit.grading.fence.ability.SETTINGS", tmp_path)
    monkeypatch.setattr("rnnkit.grading.fence.ability._in_container", lambda: True)
    (sentence,) = _remedies(Fence.WEAK, {**FINDINGS, "proc": False}, ["no"])
    assert "--security-opt systempaths=unconfined" in sentence


def test_without_landlock_and_filter_both_remedies_are_told():
    found = {**FINDINGS, "user_namespaces": False, "landlock": 0, "seccomp": False}
    sentences = _remedies(Fence.NONE, found, ["no", "no"])
    assert len(sentences) == 3
    assert "lsm=" in sentences[1]
    assert "CONFIG_SECCOMP_FILTER" in sentences[2]


def test_other_systems_have_no_fence(monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    ability = probe.__wrapped__()
    assert ability.level is Fence.NONE
    assert "Linux" in ability.lacks[0]


def test_a_fence_that_cannot_be_put_up_is_told_and_nothing_runs(start, monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    run = start(Fence.WEAK, lambda _: "ran")
    report = run.wait()
    assert (report.why, report.code, run.result) == ("fence", None, None)
    assert "Landlock" in report.note


@pytest.mark.parametrize("field", ["scratch", "sockets", "files"])
def test_a_relative_path_is_refused(field):
    with pytest.raises(ValueError, match="expected an absolute path"):
        FenceSpec(**{"level": Fence.NONE, "scratch": "/tmp/work", field: "work"})


def test_a_folder_of_sockets_inside_the_scratch_folder_is_refused():
    with pytest.raises(ValueError, match="outside the scratch folder"):
        FenceSpec(Fence.NONE, "/tmp/work", sockets="/tmp/work/k")


def test_a_specification_and_a_report_go_through_json():
    spec = FenceSpec(Fence.WEAK, "/tmp/work", files="/tmp/files", gpus=("0",), processes=3)
    assert FenceSpec.from_json(spec.to_json()) == spec
    report = Report(signal=9, why="memory", peak_bytes=5, cpu_seconds=0.5)
    assert Report.from_json(report.to_json()) == report


def test_an_empty_report_says_that_the_keeper_was_killed():
    assert Report.from_json("").note == "the keeper was killed"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["full", "weak"])
def test_tensorflow_works_behind_each_fence(kind, tmp_path):
    if kind == "full" and probe().level is not Fence.FULL:
        pytest.skip("this machine has no full fence")
    code = (
        "import sys, tensorflow as tf, keras; from fenced_runs import start_run, FenceSpec;"
        "from rnnkit.grading.outcome import Fence;"
        "act = lambda _: keras.layers.LSTM(3)(tf.ones((2, 5, 4))).shape[1];"
        "run = start_run(FenceSpec(Fence(sys.argv[1]), sys.argv[2]), act);"
        "print(run.wait().code, run.result)"
    )
    (tmp_path / "scratch").mkdir()
    words = [sys.executable, "-c", code, kind, str(tmp_path / "scratch")]
    here = str(Path(__file__).parent)
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": here}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "0 3", done.stderr[-2000:]
